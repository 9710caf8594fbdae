"""Lists for agents: of a company, a plugin or a category, and the one memory of a key or uid (S-34, S-100,
S-101)."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.memory import LIVE
from memtui.memory.results import MatchReason, RecallResult
from memtui.values import SqlValue
from memtui.workspace.mirror import memory_rows
from memtui.workspace.search import contradicted, wording
from memtui.workspace.search.recall import DEFAULT_LIMIT, DEFAULT_STATUSES, Caller, Told, given_of
from memtui.workspace.search.uses import log_question
from memtui.workspace.search.visibility import Sight

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.mirror.memory_rows import MirrorRow

_ONE = ("key", "uid")  # fields by which one memory is asked for
_SUREST = "m.confidence IS NULL, m.confidence DESC, m.updated_at DESC, m.id"
_NEWEST = "m.recency DESC, m.id DESC"


def by_field(
    ctx: Context, field: str, value: str, caller: Caller, limit: int = DEFAULT_LIMIT
) -> RecallResult:
    """Return Founder OS's lists of confirmed and applied memories: of a company (`company_id`) or a plugin
    (`source_ref`), the surest first, then the newest; or the one of a `key` or `uid`, the caller's own
    first, whatever its status: it is found when it is dismissed, too, so that its status can be checked."""
    if field not in ("company_id", "source_ref", *_ONE):
        raise wording.not_listed_by(field)
    begun = time.perf_counter()
    sight = Sight(ctx, caller, ctx.clock())
    if field in _ONE:
        ids = _held(ctx, sight, caller, field, value, 1)
    else:
        where, bindings = sight.of(DEFAULT_STATUSES)
        ids = _ids(ctx, f"m.{field} = ? AND {where}", [value, *bindings], _SUREST, limit)
    log = log_question(ctx, caller.owner, f"{field}:{value}", "keyword", field, ids, begun)
    return replace(_found(ctx, sight, memory_rows.load(ctx.db, ids), field), log_id=log)


def listed(
    ctx: Context,
    caller: Caller,
    category: str = "",
    limit: int = DEFAULT_LIMIT,
    *,
    logged: bool = True,
    told: Told | None = None,
) -> RecallResult:
    """Return the live memories of a category, of all without one, that have not expired, the newest first:
    Base Coat's list, which counts no use. Unless it is `logged`, a person looks at what an agent would
    get. Only what is `told` is logged as given."""
    begun = time.perf_counter()
    sight = Sight(ctx, caller, ctx.clock(), asks=logged)
    where, bindings = sight.of(LIVE, category=category)
    if not category:
        where = f"m.live = 1 AND {where}"  # in the order of an index, of which the first rows are read
    ids = _ids(ctx, where, bindings, _NEWEST, limit)
    rows = memory_rows.load(ctx.db, ids)
    found = _found(ctx, sight, rows, "list")
    given = given_of(rows, found, told)
    if not logged:
        return found
    text = f"category:{category}" if category else ""
    log = log_question(ctx, caller.owner, text, "keyword", "list", given, begun, counted=False)
    return replace(found, log_id=log)


def hidden_from(ctx: Context, caller: Caller) -> int:
    """Return how many of the memories that agents are given unasked the caller may not see."""
    counts = []
    for who in (type(caller)(), caller):
        where, bindings = Sight(ctx, who, ctx.clock(), asks=False).of(DEFAULT_STATUSES)
        counts.append(int(ctx.db.one(f"SELECT count(*) FROM memories m WHERE {where}", bindings)))
    return counts[0] - counts[1]


def held(ctx: Context, caller: Caller, field: str, value: str, limit: int) -> list[int]:
    """Return the memories with a `key` or `uid` that the caller may see, its own first; counts and logs
    nothing."""
    if field not in _ONE:
        raise wording.not_listed_by(field)
    return _held(ctx, Sight(ctx, caller, ctx.clock()), caller, field, value, limit)


def _held(ctx: Context, sight: Sight, caller: Caller, field: str, value: str, limit: int) -> list[int]:
    where, bindings = sight.at_any_time()
    own = [value, *bindings, caller.owner]
    return _ids(ctx, f"m.{field} = ? AND {where}", own, f"m.owner IS NOT ?, {_SUREST}", limit)


def _ids(ctx: Context, where: str, bindings: list[SqlValue], order: str, limit: int) -> list[int]:
    sql = f"SELECT m.id FROM memories m WHERE {where} ORDER BY {order} LIMIT ?"
    return [id for (id,) in ctx.db.rows(sql, (*bindings, limit))]


def _found(ctx: Context, sight: Sight, rows: list[MirrorRow], how: str) -> RecallResult:
    opposed = contradicted.others(ctx, [row.id for row in rows], sight.in_time())
    return RecallResult(
        tuple(row.memory for row in rows),
        tuple(MatchReason() for _ in rows),
        "keyword",
        how,
        contradicted={row.memory.uid: opposed[row.id] for row in rows if row.id in opposed},
    )
