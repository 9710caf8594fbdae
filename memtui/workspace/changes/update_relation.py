"""Changing a relation that stands: its kind, its strength, its words, which way it leads (SPEC 7)."""

from __future__ import annotations

from typing import Any

from memtui.errors import NotSaved, Refused
from memtui.formats.contract.adapter import How, Link, clean
from memtui.memory.relations import RelationSpec
from memtui.memory.results import Change
from memtui.text import capital
from memtui.workspace.changes import relate
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.verbs import carry_out
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.journal.items import RELATION
from memtui.workspace.mirror import relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow

UNCHANGED = "unchanged"


def relation(ctx: Context, id: int, kind: str, other: int, was: RelationSpec | None = None) -> RelationSpec:
    """What a relation that stands says. Raises Refused where there is none."""
    source, target = relate.both(ctx, id, other)
    if (tie := relate.kept_tie(source, kind, target.memory.uid, was)) is not None:
        strength, context, body = relate.said_by(tie)
        return RelationSpec(kind, strength, context, body, local=True)
    store = store_rows.get(ctx.db, source.store_id)
    spelled = relate.as_spelled(relate.may(ctx, source, store), kind)
    said = relate.told(ctx, source, spelled, target, was)
    return RelationSpec(spelled, said[0], said[1], said[2], local=False)


def in_words(ctx: Context, id: int, kind: str, other: int, was: RelationSpec | None = None) -> str:
    """What changing a relation that stands does where."""
    source, target = relate.both(ctx, id, other)
    store = store_rows.get(ctx.db, source.store_id)
    adapter = relate.may(ctx, source, store)
    if adapter is None or relate.kept_tie(source, kind, target.memory.uid, was) is not None:
        return "It is kept in memtui."
    retie = adapter.supports("retie", kind)
    if retie.how is How.NATIVE:
        words = retie.words
    elif relate.is_native(adapter, source, target, "unrelate", kind):
        words = "changes it there"
    else:
        words = "its kind and its ends stand in the text, and are not changed here"
    rest = [name for field, name in relation_overrides.NAMES.items() if field not in adapter.relation_says]
    kept = f" Kept in memtui: {', '.join(rest)}." if rest else ""
    return f"{capital(words)}, in {store.name}.{kept}"


def retie(
    ctx: Context,
    id: int,
    kind: str,
    other: int,
    to: RelationSpec,
    *,
    reverse: bool = False,
    was: RelationSpec | None = None,
) -> Change:
    """Have the relation of a kind from one memory to another say `to`; with `reverse` it leads back from
    then on. Written where it stands: in its store, or in memtui. `was` tells which one, where there are
    several."""
    source, target = relate.both(ctx, id, other)
    said = relation(ctx, id, kind, other, was)
    to = _tidy(to, said)
    if to == said and not reverse:
        raise Refused(UNCHANGED, "It says so already.", "Nothing was changed.")
    if said.local:
        return _kept(ctx, source, target, said, to, reverse)
    relate.may(ctx, target, store_rows.get(ctx.db, target.store_id))
    return _told(ctx, source, target, said, to, reverse)


def _tidy(to: RelationSpec, said: RelationSpec) -> RelationSpec:
    """What is new of it on one line each; what was said before stays to the letter."""
    kind = said.kind if to.kind == said.kind else relate.checked(to.kind)
    if kind.casefold() == relate.SUPERSEDES != said.kind.casefold():
        raise Refused(
            "kind",
            "A relation does not become “supersedes”: there the other memory gives way.",
            "Relate them so anew.",
        )
    strength = to.strength
    if strength is not None and strength != said.strength:
        strength = min(1.0, max(0.0, strength))
    context = said.context if to.context == said.context else " ".join(clean(to.context).split())
    body = said.body if to.body == said.body else clean(to.body).strip()
    return RelationSpec(kind, strength, context, body, said.local)


def _kept(
    ctx: Context, source: MirrorRow, target: MirrorRow, said: RelationSpec, to: RelationSpec, reverse: bool
) -> Change:
    """One that memtui keeps."""
    tie = relate.kept_tie(source, said.kind, target.memory.uid, said)
    one, other = (target, source) if reverse else (source, target)
    new = relate.tie_of(to.kind, other.memory.uid, *to.values)
    clash = (new["kind"], new["to"])
    if any((each["kind"], each["to"]) == clash and each != tie for each in one.memory.ties):
        raise Refused("exists", "They are related so already.", "Nothing was changed.")
    stores = {held.store_id: store_rows.get(ctx.db, held.store_id) for held in (one, other)}
    if not reverse:
        piece = ChangeItem(source, stores[source.store_id], {RELATION: tie}, {RELATION: new})
        return carry_out(ctx, "retie", [piece], [])
    relate.may(ctx, one, stores[one.store_id])
    pieces = [
        ChangeItem(source, stores[source.store_id], {RELATION: tie}, {RELATION: None}, whole=True),
        ChangeItem(target, stores[target.store_id], {RELATION: None}, {RELATION: new}, whole=True),
    ]
    return carry_out(ctx, "retie", pieces, [])


def _told(
    ctx: Context, source: MirrorRow, target: MirrorRow, said: RelationSpec, to: RelationSpec, reverse: bool
) -> Change:
    """One that their store tells."""
    store = store_rows.get(ctx.db, source.store_id)
    adapter = relate.may(ctx, source, store)
    new = relate.as_spelled(adapter, to.kind)
    if adapter is None:
        raise relate.their_own_way(adapter)
    was = Link(source.anchor, said.kind, target.anchor, *relation_overrides.own(adapter, said.values))
    ends = (target.anchor, source.anchor) if reverse else (source.anchor, target.anchor)
    link = Link(ends[0], new, ends[1], *relation_overrides.own(adapter, to.values))
    notes = relation_overrides.beside(adapter, relate.way(link), to.values)
    held = source, target
    if link == was and not reverse:  # what is kept beside it changes alone
        if notes == relation_overrides.at(ctx.db, store.id, relate.way(was)):
            raise Refused(UNCHANGED, "It says so already.", "Nothing was changed.")
        piece = ChangeItem(source, store, {}, {})
        relate.note(ctx, adapter, piece, notes, [was], held)
        return carry_out(ctx, "retie", [piece], [])
    relate.must_be_native(adapter, source, target, "unrelate", said.kind)
    if not relate.is_native(adapter, source, target, "relate", new):
        words = adapter.supports("relate", new).words
        raise NotSaved("unsupported", f"a relation “{new}” {words}.", "Nothing was changed.")
    before, after = _journaled(was, target, source, False), _journaled(link, target, source, reverse)
    piece = ChangeItem(source, store, {RELATION: before}, {RELATION: after}, link=link, was=was)
    if relate.way(was) != relate.way(link):
        notes = [*notes, *relate.duplicate_relations(ctx, store.id, was)]
    relate.note(ctx, adapter, piece, notes, [was, link], held)
    return carry_out(ctx, "retie", [piece], [])


def _journaled(link: Link, target: MirrorRow, source: MirrorRow, reverse: bool) -> dict[str, Any]:
    """What the journal says of it."""
    to = source.memory.uid if reverse else target.memory.uid
    tie = relate.tie_of(link.kind, to, link.strength, link.context, link.body)
    return {**tie, "from": target.memory.uid} if reverse else tie
