"""Sentences about relations: dangling ones, and what a dismissal does to them."""

from __future__ import annotations

from memtui.text import counted, plural

ORPHANED = "It says nothing without the other memory."
STAYS = "stay"


def _from(kind: str, source: str) -> str:
    return f"The relation “{kind}” that memtui keeps from “{source}” leads to"


def target_removed(kind: str, source: str, target: str) -> str:
    return f"{_from(kind, source)} “{target}”, which is removed from its store."


def target_removed_hint(uid: str) -> str:
    return (
        "It rests on a memory that no agent is given any more. Bring that back with memtui restore "
        f"{uid}, or take the relation away with memtui unrelate."
    )


def target_missing(kind: str, source: str, uid: str) -> str:
    return f"{_from(kind, source)} {uid}, and there is no such memory any more."


def more_dangling(count: int) -> str:
    return f"There {plural(count, 'is', 'are')} {counted(count, 'more such relation')}."


def fates(go: int, dangle: int, stay: int, *, several: bool) -> str:
    """ "its 3 relations go with it, and come back with it", for the relations of dismissed memories."""
    whose, until = ("their", "until they are restored") if several else ("its", "until it is restored")
    back = "go along, and come back when they do" if several else "go with it, and come back with it"
    fates = [(go, back), (dangle, f"lead nowhere {until}"), (stay, STAYS)]
    return "; ".join(f"{whose} {_relations(count)} {_for(count, fate)}" for count, fate in fates if count)


def _relations(count: int) -> str:
    return "one relation" if count == 1 else f"{count:,} relations"


def _for(count: int, fate: str) -> str:
    """The fate of one relation: goes, leads, stays."""
    if count != 1:
        return fate
    verb, _, rest = fate.partition(" ")
    verb = "goes" if verb == "go" else f"{verb}s"
    return f"{verb} {rest.replace('come back', 'comes back', 1)}".rstrip()
