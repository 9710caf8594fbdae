"""Moving the relations of a superseded memory to the one that supersedes it (S-42)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, SupportKind
from memtui.formats.contract.records import Link
from memtui.memory.relations import Relation
from memtui.values import Fields
from memtui.workspace.changes.relating import relate
from memtui.workspace.changes.relating.supersede import SUPERSEDES
from memtui.workspace.context import Context
from memtui.workspace.db import models
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import RELATION, RELATION_OVERRIDES, RELATIONS
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.relations.lookup import relations_of
from memtui.workspace.verdicts.unit import KEEP, Step, is_native

CONTRADICTS = "contradicts"
_NOT_MOVED = (CONTRADICTS, "contradicted_by", SUPERSEDES)  # kinds that are about the memory that leaves
# A count: the memories that have this name.
_NAMESAKES = (
    "SELECT count(*) FROM memories WHERE store_id = ? AND anchor = ? AND ref IS NOT NULL "
    "AND removed_at IS NULL"
)


class _End(NamedTuple):
    """A relation as seen from one of its memories: the kind, the direction, and the row of the other end."""

    kind: str
    outgoing: bool
    other_id: int


def transfer_steps(
    ctx: Context, loser: MirrorRow, winner: MirrorRow, stores: Mapping[int, StoreRow]
) -> list[Step]:
    """Return a step for each relation that moves: in the store if that can hold it, else kept by memtui.

    Relations between the two, those that the winner has already, and those of a name that other memories
    share do not move.
    """
    known = {end for each in relations_of(ctx, winner) if (end := _end_of(each, winner.id)) is not None}
    shared = ctx.db.one(_NAMESAKES, (loser.store_id, loser.anchor)) > 1
    moving: dict[_End, Relation] = {}
    for each in relations_of(ctx, loser):
        end = _end_of(each, loser.id)
        if end is None or end in known or end in moving or end.other_id in (loser.id, winner.id):
            continue
        if each.kind.casefold() not in _NOT_MOVED and (each.local or not shared):
            moving[end] = each
    others = {row.id: row for row in memory_rows.load(ctx.db, [end.other_id for end in moving])}
    steps: list[Step] = []
    for end, relation in moving.items():
        if end.other_id in others:
            other = others[end.other_id]
            ends = (winner, other) if end.outgoing else (other, winner)
            steps.append(_transfer_step(ctx, relation, *ends, stores))
    return steps


def _end_of(relation: Relation, id: int) -> _End | None:
    outgoing = relation.source_id == id
    other_id = relation.target_id if outgoing else relation.source_id
    return None if other_id is None else _End(relation.kind.casefold(), outgoing, other_id)


def _transfer_step(
    ctx: Context, relation: Relation, source: MirrorRow, target: MirrorRow, stores: Mapping[int, StoreRow]
) -> Step:
    store = stores[source.store_id]
    values = relation.strength, relation.context, relation.body
    local = relate.local_relation(relation.kind, target.memory.uid, *values)
    local_step = Step(source, store, KEEP, {RELATIONS: [local]}, {RELATIONS: None})
    adapter = _adapter_or_none(ctx, store)
    if relation.local or not relate.can_store(adapter, source, target, "relate", relation.kind):
        return local_step
    assert adapter is not None
    link = Link(source.anchor, relation.kind, target.anchor, *relation_overrides.storable(adapter, values))
    after: Fields = {RELATION: {"kind": relation.kind, "to": target.memory.uid}}
    before: Fields = {RELATION: None}
    key = relate.key_of(link)
    overrides = relation_overrides.needed(adapter, key, values)
    existing = relation_overrides.find(ctx.db, store.id, key)
    if overrides or existing:
        uids = {row.anchor: row.memory.uid for row in (source, target)}
        before[RELATION_OVERRIDES] = relation_overrides.journaled([key], existing, uids)
        after[RELATION_OVERRIDES] = relation_overrides.journaled([key], overrides, uids)
    return Step(source, store, "relate", after, before, link, fallback=local_step)


def contradiction_steps(
    ctx: Context, a: MirrorRow, b: MirrorRow, stores: Mapping[int, StoreRow], *, resolved: bool
) -> list[Step]:
    """Return the steps that remove relations by which the two contradict each other.

    If one of them is superseded (`resolved`), a format with a supersession of its own removes them itself.
    """
    steps: list[Step] = []
    for source, target in ((a, b), (b, a)):
        store = stores[source.store_id]
        local = [
            relation
            for relation in source.memory.ties
            if is_contradiction(relation["kind"]) and relation["to"] == target.memory.uid
        ]
        if local:
            steps.append(Step(source, store, KEEP, {RELATIONS: None}, {RELATIONS: local}))
        adapter = _adapter_or_none(ctx, store)
        if source.store_id != target.store_id or adapter is None or (resolved and _removes_itself(adapter)):
            continue
        for each in _relations_between(ctx, source, target):
            if is_contradiction(each.kind) and relate.can_store(
                adapter, source, target, "unrelate", each.kind
            ):
                values = relation_overrides.storable(adapter, (each.strength, each.context, each.body))
                link = Link(source.anchor, each.kind, target.anchor, *values)
                steps.append(_removal_step(ctx, link, source, target, store))
    return steps


def _relations_between(ctx: Context, source: MirrorRow, target: MirrorRow) -> list[models.Relation]:
    """Return the store's relations from one memory to another."""
    if not source.anchor or source.anchor == target.anchor:
        return []
    table = models.Relation
    ends = (table.source == source.anchor) & (table.target == target.anchor)
    return ctx.db.fetch(table.select().where((table.store_id == source.store_id) & ends))


def _removal_step(ctx: Context, link: Link, source: MirrorRow, target: MirrorRow, store: StoreRow) -> Step:
    before: Fields = {RELATION: {"kind": link.kind, "to": target.memory.uid}}
    after: Fields = {RELATION: None}
    key = relate.key_of(link)
    if existing := relation_overrides.find(ctx.db, store.id, key):
        uids = {row.anchor: row.memory.uid for row in (source, target)}
        before[RELATION_OVERRIDES] = relation_overrides.journaled([key], existing, uids)
        after[RELATION_OVERRIDES] = relation_overrides.journaled([key], [], uids)
    return Step(source, store, "unrelate", after, before, link, optional=True)


def is_contradiction(kind: str) -> bool:
    """Return whether a relation of this kind says that two memories contradict each other."""
    return kind.casefold() == CONTRADICTS


def _removes_itself(adapter: Adapter) -> bool:
    return adapter.support_for("supersede").kind is SupportKind.NATIVE


def _adapter_or_none(ctx: Context, store: StoreRow) -> Adapter | None:
    """Return the store's adapter; None for memtui's own store, and for one that cannot be reached."""
    try:
        return None if is_native(store) else ctx.adapter(store)
    except Refused:
        return None
