"""Everything that a report shows, read once; nothing is changed (S-75)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, Pair
from memtui.memory.report import Named, Report, ReportedGroup, ReportedPair, StoreCount
from memtui.workspace.context import Context
from memtui.workspace.contradictions import queue
from memtui.workspace.decay.inputs import load_outlook
from memtui.workspace.report.decay import leaving, strengths
from memtui.workspace.report.names import named_by_id
from memtui.workspace.report.relations import picture
from memtui.workspace.search.filters import CREATED, has_secret
from memtui.workspace.stores import catalog

MOST_PAIRS = 25  # of each family that are quoted
MOST_NAMED = 15  # memories and entities of a list

# Every row once, as columns: a workspace has a hundred thousand.
_COUNTED = (
    "SELECT m.id, s.name, coalesce(m.category, ''), iif(m.removed_at IS NULL, m.status, 'removed'), "
    f"m.live AND m.removed_at IS NULL, m.pinned, {CREATED}, m.updated_at, m.subject FROM {{rows}} "
    "JOIN stores s ON s.id = m.store_id ORDER BY m.id"
)
_ALL = "(SELECT * FROM memories WHERE shown AND removed_at IS NULL) m"
_CHOSEN = "json_each(?) e JOIN memories m ON m.id = e.value"
_IN = "m.id IN (SELECT value FROM json_each(?))"
_USED = (
    f"SELECT m.id, m.times_used FROM memories m WHERE {_IN} AND m.times_used > 0 "
    "ORDER BY m.times_used DESC, m.last_used_at DESC, m.id LIMIT ?"
)
_NEWEST = f"SELECT m.id, {CREATED} FROM memories m WHERE {_IN} ORDER BY 2 DESC, m.id DESC LIMIT ?"


@dataclass(slots=True)
class _Counts:
    """What one pass over the rows counts."""

    ids: list[int] = field(default_factory=list)
    live: int = 0
    pinned: int = 0
    stores: dict[str, list[int]] = field(default_factory=dict)  # memories, live, pinned
    categories: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    created: list[float] = field(default_factory=list)
    changed: list[float] = field(default_factory=list)
    entities: dict[tuple[str, str], list[int]] = field(default_factory=dict)  # by store and name: rows


def read(ctx: Context, ids: Sequence[int] | None) -> Report:
    """Return what a report shows of these memories, of all in their stores if None.

    It is read in one transaction, so that its numbers agree although agents and people go on writing.
    """
    with ctx.db.connection():
        report = _read(ctx, ids)
    return report


def _read(ctx: Context, ids: Sequence[int] | None) -> Report:
    now = ctx.clock()
    counts = _count(ctx, ids)
    chosen = set(counts.ids)
    pairs = [each for each in queue.listed(ctx) if ids is None or not chosen.isdisjoint((each.a, each.b))]
    outlook = load_outlook(ctx, now)
    if ids is not None:
        outlook = outlook.narrowed(counts.ids)
    return Report(
        at=now,
        memories=len(counts.ids),
        live=counts.live,
        pinned=counts.pinned,
        secrets=_count_secrets(ctx, counts.ids),
        stores=_stores(ctx, counts),
        categories=_sorted(counts.categories),
        statuses=_sorted(counts.statuses),
        created=counts.created,
        changed=counts.changed,
        strengths=strengths(outlook),
        leaving=leaving(ctx, outlook),
        queue=queue.state(ctx),
        contradictions=sum(each.family == CONTRADICTION for each in pairs),
        duplicates=sum(each.family == DUPLICATE for each in pairs),
        pairs=_worst(ctx, pairs),
        entities=_entities(counts, pairs),
        entity_count=len(counts.entities),
        relations=picture(ctx, ids),
        used=tuple((each, int(uses)) for each, uses in _with_number(ctx, _USED, counts.ids)),
        newest=_with_number(ctx, _NEWEST, counts.ids),
    )


def _count(ctx: Context, ids: Sequence[int] | None) -> _Counts:
    counts = _Counts()
    if ids is None:
        rows = ctx.db.rows(_COUNTED.format(rows=_ALL))
    else:
        rows = ctx.db.rows(_COUNTED.format(rows=_CHOSEN), (json.dumps(list(ids)),))
    for id, store, category, status, live, pinned, created, changed, subject in rows:
        counts.ids.append(id)
        counts.live += live
        counts.pinned += pinned
        in_store = counts.stores.setdefault(store, [0, 0, 0])
        in_store[0] += 1
        in_store[1] += live
        in_store[2] += pinned
        counts.categories[category] += 1
        counts.statuses[status] += 1
        counts.created.append(created)
        if changed is not None and changed > created:
            counts.changed.append(changed)
        if subject:
            counts.entities.setdefault((store, subject), []).append(id)
    return counts


def _stores(ctx: Context, counts: _Counts) -> tuple[StoreCount, ...]:
    return tuple(
        StoreCount(each.name, each.format, *counts.stores.get(each.name, (0, 0, 0)))
        for each in catalog.attached(ctx)
    )


def _sorted(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _worst(ctx: Context, pairs: Sequence[Pair]) -> tuple[ReportedPair, ...]:
    """Return the first pairs of each family, contradictions first, in the order of the queue."""
    shown = [
        each
        for family in (CONTRADICTION, DUPLICATE)
        for each in [pair for pair in pairs if pair.family == family][:MOST_PAIRS]
    ]
    names = named_by_id(ctx, [id for each in shown for id in (each.a, each.b)])
    return tuple(
        ReportedPair(
            pair.id, pair.family, pair.kind, pair.score, "" if a.secret or b.secret else pair.reason,
            pair.escalated, a, b,
        )
        for pair in shown
        for a, b in [(names[pair.a], names[pair.b])]
    )  # fmt: skip


def _entities(counts: _Counts, pairs: Sequence[Pair]) -> tuple[ReportedGroup, ...]:
    """Return the entities with the most memories."""
    contradicted = {id for each in pairs if each.family == CONTRADICTION for id in (each.a, each.b)}
    most = sorted(counts.entities.items(), key=lambda each: (-len(each[1]), each[0]))[:MOST_NAMED]
    return tuple(
        ReportedGroup(name, store, len(rows), len(contradicted.intersection(rows)))
        for (store, name), rows in most
    )


def _with_number(ctx: Context, sql: str, ids: Sequence[int]) -> tuple[tuple[Named, float], ...]:
    rows = ctx.db.rows(sql, (json.dumps(ids), MOST_NAMED))
    names = named_by_id(ctx, [id for id, _ in rows])
    return tuple((names[id], number) for id, number in rows)


def _count_secrets(ctx: Context, ids: Sequence[int]) -> int:
    sql = f"SELECT count(*) FROM memories m WHERE {_IN} AND {has_secret()}"
    return int(ctx.db.one(sql, (json.dumps(ids),)))
