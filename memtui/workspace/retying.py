"""Changing a relation that stands: its kind, its strength, its words, which way it leads (SPEC 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memtui.errors import Refused
from memtui.formats.base import Adapter, Link, clean
from memtui.memory.records import Change
from memtui.workspace import relating
from memtui.workspace.core import Core
from memtui.workspace.curate import RELATION, carry_out
from memtui.workspace.mirror import Held
from memtui.workspace.outbox import Piece

UNCHANGED = "unchanged"
_SAYS = ("strength", "context", "body")


@dataclass(frozen=True, slots=True)
class Tie:
    """What a relation says: `kind`, `strength` 0–1 or None, `context` a line, `body` a text of its own."""

    kind: str
    strength: float | None = None
    context: str = ""
    body: str = ""


@dataclass(frozen=True, slots=True)
class Holds:
    """What can be said of a relation where it stands: which of strength, context, body; and in `words` what
    changing it does there."""

    says: frozenset[str]
    words: str


def relation(core: Core, id: int, kind: str, other: int) -> Tie | None:
    """What a relation that stands says; None where there is none."""
    source, target = relating.both(core, id, other)
    for tie in source.memory.ties:
        if (tie["kind"], tie["to"]) == (kind, target.memory.uid):
            return Tie(kind, tie.get("strength"), tie.get("context", ""), tie.get("body", ""))
    if source.store_id != target.store_id:
        return None
    store = core.t.Store.get_by_id(source.store_id)
    spelled = relating.as_spelled(relating.may(core, source, store), kind)
    said = relating.told(core, source, spelled, target.anchor)
    return Tie(spelled, *said) if said is not None else None


def holds(core: Core, id: int, kind: str, other: int) -> Holds:
    """What a relation that stands can say."""
    source, target = relating.both(core, id, other)
    store = core.t.Store.get_by_id(source.store_id)
    kept = any((tie["kind"], tie["to"]) == (kind, target.memory.uid) for tie in source.memory.ties)
    adapter = relating.may(core, source, store)
    if kept or adapter is None:
        return Holds(frozenset(_SAYS), "It is kept in memtui.")
    words = adapter.supports("retie", kind).words
    return Holds(adapter.relation_says, f"{words[:1].upper()}{words[1:]}, in {store.name}.")


def retie(core: Core, id: int, kind: str, other: int, to: Tie, *, reverse: bool = False) -> Change:
    """Have the relation of a kind from one memory to another say `to`; with `reverse` it leads back from
    then on. Written where it stands: in its store, or in memtui."""
    source, target = relating.both(core, id, other)
    to = _tidy(to)
    store = core.t.Store.get_by_id(source.store_id)
    adapter = relating.may(core, source, store)
    for tie in source.memory.ties:
        if (tie["kind"], tie["to"]) == (kind, target.memory.uid):
            return _kept(core, source, target, tie, to, reverse)
    relating.may(core, target, core.t.Store.get_by_id(target.store_id))
    return _told(core, source, target, kind, to, adapter, store, reverse)


def _tidy(to: Tie) -> Tie:
    kind = relating.checked(to.kind)
    if kind.casefold() == relating.SUPERSEDES:
        raise Refused(
            "kind",
            "A relation does not become “supersedes”: there the other memory gives way.",
            "Relate them so anew.",
        )
    strength = None if to.strength is None else min(1.0, max(0.0, to.strength))
    return Tie(kind, strength, " ".join(clean(to.context).split()), clean(to.body).strip())


def _kept(core: Core, source: Held, target: Held, tie: dict[str, Any], to: Tie, reverse: bool) -> Change:
    """One that memtui keeps."""
    new = relating.tie_of(to.kind, target.memory.uid, to.strength, to.context, to.body)
    one, other = (target, source) if reverse else (source, target)
    if reverse:
        new["to"] = source.memory.uid
    if new == tie and not reverse:
        raise Refused(UNCHANGED, "It says so already.", "Nothing was changed.")
    clash = (new["kind"], new["to"])
    if any((each["kind"], each["to"]) == clash and each != tie for each in one.memory.ties):
        raise Refused("exists", "They are related so already.", "Nothing was changed.")
    stores = {held.store_id: core.t.Store.get_by_id(held.store_id) for held in (one, other)}
    if not reverse:
        piece = Piece(source, stores[source.store_id], {RELATION: tie}, {RELATION: new})
        return carry_out(core, "retie", [piece], [])
    relating.may(core, one, stores[one.store_id])
    pieces = [
        Piece(source, stores[source.store_id], {RELATION: tie}, {RELATION: None}, whole=True),
        Piece(target, stores[target.store_id], {RELATION: None}, {RELATION: new}, whole=True),
    ]
    return carry_out(core, "retie", pieces, [])


def _told(
    core: Core,
    source: Held,
    target: Held,
    kind: str,
    to: Tie,
    adapter: Adapter | None,
    store: Any,
    reverse: bool,
) -> Change:
    """One that their store tells."""
    kind = relating.as_spelled(adapter, kind)
    said = relating.told(core, source, kind, target.anchor) if source.store_id == target.store_id else None
    if said is None:
        raise Refused("no-relation", f"There is no relation “{kind}” from one to the other.")
    new = relating.as_spelled(adapter, to.kind)
    relating.must_be_native(adapter, source, target, "unrelate", kind)
    assert adapter is not None
    if not relating.is_native(adapter, source, target, "relate", new):
        raise Refused(
            "unsupported", f"Not saved: {adapter.supports('relate', new).words}.", "Nothing was changed."
        )
    held = {name: getattr(to, name) for name in _SAYS if name in adapter.relation_says}
    relating.must_hold(adapter, {name: getattr(to, name) for name in _SAYS})
    was = Link(source.anchor, kind, target.anchor, *said)
    ends = (target.anchor, source.anchor) if reverse else (source.anchor, target.anchor)
    link = Link(ends[0], new, ends[1], **held)
    if link == was:
        raise Refused(UNCHANGED, "It says so already.", "Nothing was changed.")
    before, after = _journaled(was, target, source, False), _journaled(link, target, source, reverse)
    piece = Piece(source, store, {RELATION: before}, {RELATION: after}, link=link, was=was)
    return carry_out(core, "retie", [piece], [])


def _journaled(link: Link, target: Held, source: Held, reverse: bool) -> dict[str, Any]:
    """What the journal says of it."""
    to = source.memory.uid if reverse else target.memory.uid
    tie = relating.tie_of(link.kind, to, link.strength, link.context, link.body)
    return {**tie, "from": target.memory.uid} if reverse else tie
