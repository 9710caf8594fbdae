"""The relations of a memory that gives way lead to the other one from then on (S-42)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, How, Link
from memtui.memory.relations import Relation
from memtui.workspace.changes import relate
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import BESIDE, RELATION, RELATIONS
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.relations.lookup import relations_of
from memtui.workspace.verdicts.unit import KEEP, Step, is_native

CONTRADICTS = "contradicts"
_END_WITH_IT = (CONTRADICTS, "contradicted_by", relate.SUPERSEDES)  # said of the one that leaves
_SHARED = (
    "SELECT count(*) FROM memories WHERE store_id = ? AND anchor = ? AND ref IS NOT NULL "
    "AND removed_at IS NULL"
)


def moved(ctx: Context, loser: MirrorRow, winner: MirrorRow, stores: Mapping[int, StoreRow]) -> list[Step]:
    """A step for each relation that moves: in the store where that can hold it, else a tie of ours. Not
    those between the two, not those that the winner has, not those of a name that others share."""
    known = {way for each in relations_of(ctx, winner) if (way := _way(each, winner.id)) is not None}
    shared = ctx.db.one(_SHARED, (loser.store_id, loser.anchor)) > 1
    ways: dict[tuple[str, bool, int], Relation] = {}
    for each in relations_of(ctx, loser):
        way = _way(each, loser.id)
        if way is None or way in known or way in ways or way[2] in (loser.id, winner.id):
            continue
        if each.kind.casefold() not in _END_WITH_IT and (each.local or not shared):
            ways[way] = each
    others = {held.id: held for held in memory_rows.held(ctx.db, [other for *_, other in ways])}
    steps: list[Step] = []
    for (_, out, other), relation in ways.items():
        if other in others:
            ends = (winner, others[other]) if out else (others[other], winner)
            steps.append(_step(ctx, relation, *ends, stores))
    return steps


def _way(relation: Relation, id: int) -> tuple[str, bool, int] | None:
    """A relation as its memory sees it: the kind, whether it leads away, and the other end."""
    out = relation.source_id == id
    other = relation.target_id if out else relation.source_id
    return None if other is None else (relation.kind.casefold(), out, other)


def _step(
    ctx: Context, relation: Relation, source: MirrorRow, target: MirrorRow, stores: Mapping[int, StoreRow]
) -> Step:
    store = stores[source.store_id]
    said = relation.strength, relation.context, relation.body
    tie = relate.tie_of(relation.kind, target.memory.uid, *said)
    kept = Step(source, store, KEEP, {RELATIONS: [tie]}, {RELATIONS: None})
    adapter = _adapter(ctx, store)
    if relation.local or not relate.is_native(adapter, source, target, "relate", relation.kind):
        return kept
    assert adapter is not None
    link = Link(source.anchor, relation.kind, target.anchor, *relation_overrides.own(adapter, said))
    after: dict[str, Any] = {RELATION: {"kind": relation.kind, "to": target.memory.uid}}
    before: dict[str, Any] = {RELATION: None}
    notes = relation_overrides.beside(adapter, relate.way(link), said)
    uids = {each.anchor: each.memory.uid for each in (source, target)}
    there = relation_overrides.at(ctx.db, store.id, relate.way(link))
    if notes or there:
        before[BESIDE], after[BESIDE] = (
            relation_overrides.journaled([relate.way(link)], each, uids) for each in (there, notes)
        )
    return Step(source, store, "relate", after, before, link, instead=kept)


def marks(
    ctx: Context, one: MirrorRow, other: MirrorRow, stores: Mapping[int, StoreRow], *, resolved: bool
) -> list[Step]:
    """What takes away that the two are said to contradict each other. Where one gives way (`resolved`), a
    format with a way of its own for that does it by itself."""
    steps: list[Step] = []
    for source, target in ((one, other), (other, one)):
        store = stores[source.store_id]
        ties = [t for t in source.memory.ties if is_contradiction(t["kind"]) and t["to"] == target.memory.uid]
        if ties:
            steps.append(Step(source, store, KEEP, {RELATIONS: None}, {RELATIONS: ties}))
        adapter = _adapter(ctx, store)
        if source.store_id != target.store_id or adapter is None or (resolved and _resolves(adapter)):
            continue
        rows = ctx.db.rows(
            "SELECT kind, strength, context, body FROM relations WHERE store_id = ? AND source = ? "
            "AND target = ? AND source <> '' AND source <> target",
            (store.id, source.anchor, target.anchor),
        )
        for kind, *said in rows:
            if is_contradiction(kind) and relate.is_native(adapter, source, target, "unrelate", kind):
                own = relation_overrides.own(adapter, (said[0], said[1], said[2]))
                link = Link(source.anchor, kind, target.anchor, *own)
                before: dict[str, Any] = {RELATION: {"kind": kind, "to": target.memory.uid}}
                after: dict[str, Any] = {RELATION: None}
                if notes := relation_overrides.at(ctx.db, store.id, relate.way(link)):
                    uids = {each.anchor: each.memory.uid for each in (source, target)}
                    before[BESIDE], after[BESIDE] = (
                        relation_overrides.journaled([relate.way(link)], each, uids) for each in (notes, [])
                    )
                steps.append(Step(source, store, "unrelate", after, before, link, optional=True))
    return steps


def is_contradiction(kind: str) -> bool:
    return kind.casefold() == CONTRADICTS


def _resolves(adapter: Adapter) -> bool:
    return adapter.supports("supersede").how is How.NATIVE


def _adapter(ctx: Context, store: StoreRow) -> Adapter | None:
    """The store's adapter; None for our own, and where it cannot be reached."""
    try:
        return None if is_native(store) else ctx.adapter(store)
    except Refused:
        return None
