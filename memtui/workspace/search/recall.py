"""Recall for agents: what may be told to the caller, ranked by more than relevance, counted as used, and
logged (S-34)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw

from memtui.errors import Refused
from memtui.memory.memory import Memory
from memtui.memory.query.language import possible
from memtui.memory.ranking import Candidate, leant
from memtui.memory.results import MatchReason, RecallResult
from memtui.workspace.context import NATIVE
from memtui.workspace.db import store_rows
from memtui.workspace.mirror import memory_rows
from memtui.workspace.search.hybrid import Search
from memtui.workspace.stores import backups

if TYPE_CHECKING:
    from memtui.workspace.context import Context

STRATEGIES = ("keyword", "semantic", "hybrid")
TOLD = ("confirmed", "applied")  # statuses that agents are given unless they ask for others
LIST = 10  # how many Founder OS gives to a list
_LONGEST = 2_000  # characters of a question that are looked at and logged
# An identifier: one piece with a digit, a sign or a capital in the middle (OPS-2213, fct_orders, setUp).
_IDENTIFIER = re.compile(r"\S*(?:\d|[_./:#@\\-]\w|[a-z][A-Z])\S*")
_PHRASE = re.compile(r'"[^"]*[^\W_][^"]*"')


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. `owner` sees what is their own, what has no owner and what is shared with the fleet; ""
    is a person, who sees all. `scopes` bound it further; none means every scope."""

    owner: str = ""
    scopes: tuple[str, ...] = ()


def strategy_of(text: str) -> str:
    """keyword for an identifier or something in quotes, else hybrid."""
    said = text.strip()
    if said.startswith('"') and said.endswith('"') and len(said) > 2:
        return "keyword"
    words = said.split()
    return "keyword" if len(words) == 1 and _IDENTIFIER.fullmatch(words[0]) else "hybrid"


def recall(
    ctx: Context,
    text: str,
    caller: Caller,
    *,
    strategy: str = "",
    limit: int = LIST,
    statuses: Sequence[str] = TOLD,
    subject: str = "",
) -> RecallResult:
    """What answers best among what the caller may know: relevance × confidence × recency ×
    reinforcement. With `subject`, what is about exactly that comes first, then its category, then the
    rest (Base Coat's order). Refused where the strategy is unknown."""
    begun = time.perf_counter()
    if strategy and strategy not in STRATEGIES:
        raise Refused("strategy", f"There is no strategy {strategy}.", f"Known are {', '.join(STRATEGIES)}.")
    text, limit = possible(text[:_LONGEST]), max(1, min(limit, 1_000))
    chosen = strategy or strategy_of(text)
    now = ctx.clock()
    where, values = _allowed(caller, statuses, now)
    for phrase in _PHRASE.findall(text) if chosen == "keyword" else ():
        where += " AND m.id IN (SELECT rowid FROM words WHERE words MATCH ?)"
        values.append(phrase)
    embed = ctx.meaning.vector if chosen != "keyword" else lambda question: None
    search = Search(ctx.db, text, (where, values), embed, now, ctx.weights)
    depth = max(ctx.top_k, 2 * limit)
    found: list[Candidate] = []
    if chosen == "semantic":
        found = search.weigh([id for id, _ in search.by_meaning(ctx.meaning.bits, depth)])
    # No model, no vectors yet, or none that can be read: words answer.
    found = found or search.best(ctx.meaning.bits, depth)
    how = chosen if any(one.cosine is not None for one in found) else "keyword"
    exact = {*search.named(), *_saying(ctx, text, found)}
    about = _about(ctx, subject, where, values, depth) if subject else []
    known = {one.id for one in found}
    found += search.weigh([id for id in {*exact, *about} if id not in known])
    answers, related = search.sift(found, ctx.meaning.pieces, {*exact, *about})
    beyond = {one.id for one in related}
    held = {
        each.id: each.memory for each in memory_rows.held(ctx.db, [one.id for one in (*answers, *related)])
    }
    scored = []
    for one in (*answers, *related):
        if (memory := held.get(one.id)) is not None:
            relevance = one.score if chosen != "semantic" or one.cosine is None else one.cosine
            order = (one.id in beyond, one.id not in exact, _tier(memory, subject))
            scored.append((*order, -max(relevance, 0.0) * leant(memory, ctx.leaning, now), one))
    scored.sort(key=lambda each: each[:-1])
    best = scored[:limit]
    told = [held[one.id] for *_, one in best]
    why = [
        MatchReason(-score, one.words, one.matched, None, one.cosine, one.recency) for *_, score, one in best
    ]
    line = _given(ctx, caller, text, chosen, how, [one.id for *_, one in best], begun)
    return RecallResult(tuple(told), tuple(why), chosen, how, line, sum(each[0] for each in best))


def _saying(ctx: Context, text: str, found: Sequence[Candidate]) -> set[int]:
    """Those of the candidates that say word for word all that the question has in quotes."""
    ids = {one.id for one in found}
    said = _PHRASE.findall(text)
    for phrase in said:
        sql = (
            "SELECT e.value FROM json_each(?) e WHERE EXISTS "
            "(SELECT 1 FROM words WHERE words MATCH ? AND rowid = e.value)"
        )
        ids = {int(id) for (id,) in ctx.db.rows(sql, (json.dumps(sorted(ids)), phrase))}
    return ids if said else set()


def by_field(ctx: Context, field: str, value: str, caller: Caller, limit: int = LIST) -> RecallResult:
    """Founder OS's lists: the surest of a company (`company_id`) or a plugin (`source_ref`) first, then
    the newest; confirmed and applied ones. `key`: the one of that key, whatever its status."""
    begun = time.perf_counter()
    if field not in ("company_id", "source_ref", "key"):
        raise Refused("field", f"Memories cannot be listed by {field}.")
    now = ctx.clock()
    # Whoever asks for a key is told of a dismissed one too, to check its status.
    where, values = _allowed(caller, () if field == "key" else TOLD, now, expired=field == "key")
    sql = (
        f"SELECT m.id FROM memories m WHERE m.{field} = ? AND {where} "
        "ORDER BY m.confidence IS NULL, m.confidence DESC, m.updated_at DESC, m.id LIMIT ?"
    )
    ids = [row[0] for row in ctx.db.rows(sql, (value, *values, 1 if field == "key" else limit))]
    told = tuple(each.memory for each in memory_rows.held(ctx.db, ids))
    line = _given(ctx, caller, f"{field}:{value}"[:_LONGEST], "keyword", field, ids, begun)
    return RecallResult(told, tuple(MatchReason() for _ in told), "keyword", field, line)


def _allowed(
    caller: Caller, statuses: Sequence[str], now: float, *, expired: bool = False
) -> tuple[str, list[Any]]:
    """The condition on `m` that the caller may be told of it."""
    parts, values = ["m.shown AND m.removed_at IS NULL"], list[Any]()
    if statuses:
        parts.append(f"m.status IN ({', '.join('?' for _ in statuses)})")
        values += list(statuses)
    if not expired:
        parts.append("(m.expires_at IS NULL OR m.expires_at > ?)")
        values.append(now)
    if caller.owner:
        parts.append("(m.owner IS NULL OR m.owner = ? OR m.scope = 'fleet')")
        values.append(caller.owner)
    if caller.scopes:
        parts.append(f"(m.scope IS NULL OR m.scope IN ({', '.join('?' for _ in caller.scopes)}))")
        values += list(caller.scopes)
    return " AND ".join(parts), values


def _about(ctx: Context, subject: str, where: str, values: Sequence[Any], limit: int) -> list[int]:
    sql = (
        "SELECT m.id FROM memories m WHERE (lower(m.subject) = lower(?) OR lower(m.category) = lower(?)) "
        f"AND {where} ORDER BY lower(m.subject) = lower(?) DESC, m.recency DESC LIMIT ?"
    )
    return [int(row[0]) for row in ctx.db.rows(sql, (subject, subject, *values, subject, limit))]


def _tier(memory: Memory, subject: str) -> int:
    if not subject or (memory.subject or "").casefold() == subject.casefold():
        return 0
    return 1 if (memory.category or "").casefold() == subject.casefold() else 2


def _given(
    ctx: Context, caller: Caller, text: str, strategy: str, how: str, ids: Sequence[int], begun: float
) -> int:
    """Count the uses and log the question; 0 where the workspace may only be read."""
    if ctx.read_only:
        return 0
    now = ctx.clock()
    _count(ctx, ids, now)
    actor = f"agent:{caller.owner}" if caller.owner else ctx.actor
    with ctx.writing, ctx.db.atomic():
        ctx.db.run(
            "INSERT INTO recall_log (at, actor, text, strategy, how, results, seconds) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (now, actor, text, strategy, how, json.dumps(list(ids)), time.perf_counter() - begun),
        )
        return int(ctx.db.connection().last_insert_rowid())


def _count(ctx: Context, ids: Sequence[int], now: float) -> None:
    """One more use of each: in its store where that counts, else in the workspace; one write each."""
    by_store: dict[int, list[tuple[int, str | None]]] = {}
    sql = "SELECT id, store_id, ref FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    for id, store_id, ref in ctx.db.rows(sql, (json.dumps(list(ids)),)):
        by_store.setdefault(store_id, []).append((id, ref))
    ours: list[int] = []
    kept: list[int] = []
    for store_id, rows in by_store.items():
        store = store_rows.get(ctx.db, store_id)
        if store.format == NATIVE:
            ours += [id for id, _ in rows]
            continue
        try:
            adapter = ctx.adapter(store)
            if adapter is None or not adapter.counts_uses:
                kept += [id for id, _ in rows]
            elif not store.locked:
                backups.before_write(ctx, store, adapter)  # it is a write like any other (S-6)
                adapter.count_uses([ref for _, ref in rows if ref], now)
                ours += [id for id, _ in rows]
        except (Refused, apsw.Error, OSError):
            pass  # an agent gets its answer though its store is busy; the log knows what was used
    with ctx.writing, ctx.db.atomic():
        ctx.db.run(
            "UPDATE memories SET times_used = times_used + 1, last_used_at = ?1 "
            "WHERE id IN (SELECT value FROM json_each(?2))",
            (now, json.dumps(ours + kept)),
        )
        ctx.db.run(
            "UPDATE memories SET kept = json_set(kept, '$.times_used', times_used, '$.last_used_at', ?1) "
            "WHERE id IN (SELECT value FROM json_each(?2))",
            (now, json.dumps(kept)),
        )
