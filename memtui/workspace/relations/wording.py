"""Sentences about relations: dangling ones, and what a dismissal does to them."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.secrets.masking import shortened
from memtui.text import counted, plural

_LONGEST = 40  # characters of an entity's name

ORPHANED = "It has no effect without the other memory."


def _from(kind: str, source: str) -> str:
    return f"The relation “{kind}” from “{source}”, kept in memtui, points to"


def target_removed(kind: str, source: str, target: str) -> str:
    return f"{_from(kind, source)} “{target}”, which was removed from its store."


def target_removed_hint(uid: str) -> str:
    return (
        f"Agents no longer see that memory. Restore it with memtui restore {uid}, "
        "or remove the relation with memtui unrelate."
    )


def target_missing(kind: str, source: str, uid: str) -> str:
    return f"{_from(kind, source)} {uid}, which no longer exists."


def more_dangling(count: int) -> str:
    return f"{counted(count, 'more relation')} like {plural(count, 'this', 'these')}."


def fates(go: int, dangle: int, stay: int, *, several: bool) -> str:
    """ "its 3 relations are removed and restored with it", for the relations of dismissed memories."""
    whose, it = ("their", "them") if several else ("its", "it")
    until = "until they are restored" if several else "until it is restored"
    fates = [
        (go, f"{plural(go, 'is', 'are')} removed and restored with {it}"),
        (dangle, f"{plural(dangle, 'points', 'point')} nowhere {until}"),
        (stay, f"{plural(stay, 'stays', 'stay')} unchanged"),
    ]
    found = [(count, fate) for count, fate in fates if count]
    if len(found) == 1:
        ((count, fate),) = found
        return f"{whose} {'only relation' if count == 1 else f'{count:,} relations'} {fate}"
    parts = ", ".join(f"{count:,} {fate}" for count, fate in found)
    return f"{whose} relations: {parts}" if parts else ""


def entities_fate(names: Sequence[str], *, gone: bool) -> str:
    """ "the entity “Ana” stays, without observations", for entities whose last memory leaves its store."""
    (name, *more) = names
    which = f"{len(names):,} entities" if more else f"the entity “{shortened(name, _LONGEST)}”"
    if gone:
        return f"{which} {plural(len(names), 'goes', 'go')}, too"
    return f"{which} {plural(len(names), 'stays', 'stay')}, without observations"
