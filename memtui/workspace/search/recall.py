"""Recall for agents: what the caller may see, ranked by more than relevance, counted as used, and logged
(S-34)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw
from peewee import SQL, Expression, fn

from memtui.errors import Refused
from memtui.memory.memory import Memory
from memtui.memory.query.language import blank_unsearchable
from memtui.memory.ranking import Candidate, recall_factor
from memtui.memory.results import MatchReason, RecallResult
from memtui.memory.secrets.masking import hidden
from memtui.values import SqlValue
from memtui.workspace.context import NATIVE
from memtui.workspace.db import store_rows
from memtui.workspace.db.models import Memory as MemoryRow
from memtui.workspace.db.models import Recall
from memtui.workspace.mirror import memory_rows
from memtui.workspace.policies import reading
from memtui.workspace.search import wording
from memtui.workspace.search.hybrid import Search
from memtui.workspace.stores import backups

if TYPE_CHECKING:
    from memtui.workspace.context import Context

STRATEGIES = ("keyword", "semantic", "hybrid")
DEFAULT_STATUSES = ("confirmed", "applied")  # that agents are given unless they ask for others
DEFAULT_LIMIT = 10  # of Founder OS's lists
_MAX_LIMIT = 1_000
_MAX_QUESTION = 2_000  # characters that are searched for and logged
# One word with a digit, a sign, or a capital in the middle (OPS-2213, fct_orders, setUp).
_IDENTIFIER = re.compile(r"\S*(?:\d|[_./:#@\\-]\w|[a-z][A-Z])\S*")
_PHRASE = re.compile(r'"[^"]*[^\W_][^"]*"')


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: `owner` sees their own memories, those without an owner, and those of the scope fleet; "" is
    the user, who sees all. `scopes` restrict that further; none means every scope. So do the policies for
    that owner (S-61)."""

    owner: str = ""
    scopes: tuple[str, ...] = ()


def strategy_of(text: str) -> str:
    """Return keyword for an identifier or quoted text, else hybrid."""
    stripped = text.strip()
    if stripped.startswith('"') and stripped.endswith('"') and len(stripped) > 2:
        return "keyword"
    words = stripped.split()
    return "keyword" if len(words) == 1 and _IDENTIFIER.fullmatch(words[0]) else "hybrid"


def recall(
    ctx: Context,
    text: str,
    caller: Caller,
    *,
    strategy: str = "",
    limit: int = DEFAULT_LIMIT,
    statuses: Sequence[str] = DEFAULT_STATUSES,
    subject: str = "",
    category: str = "",
) -> RecallResult:
    """Return the best answers among what the caller may see, by relevance × confidence × recency ×
    reinforcement, only of a `category` if one is given; raise Refused for an unknown strategy, PolicyRefused
    if the caller may read nothing.

    With `subject`, memories about exactly that come first, then those of that category (Base Coat's order).
    """
    begun = time.perf_counter()
    if strategy and strategy not in STRATEGIES:
        raise wording.unknown_strategy(strategy, STRATEGIES)
    text, limit = blank_unsearchable(text[:_MAX_QUESTION]), max(1, min(limit, _MAX_LIMIT))
    chosen = strategy or strategy_of(text)
    now = ctx.clock()
    where, bindings = visible_to(ctx, caller, statuses, now, category=category)
    for phrase in _PHRASE.findall(text) if chosen == "keyword" else ():
        where += " AND m.id IN (SELECT rowid FROM words WHERE words MATCH ?)"
        bindings.append(phrase)
    embed = ctx.model.vector if chosen != "keyword" else lambda question: None
    search = Search(ctx.db, text, (where, bindings), embed, now, ctx.weights)
    depth = max(ctx.top_k, 2 * limit)
    found: list[Candidate] = []
    if chosen == "semantic":
        found = search.rank([id for id, _ in search.by_meaning(ctx.model.bits, depth)])
    # Without a model or readable vectors, words alone answer.
    found = found or search.best(ctx.model.bits, depth)
    how = chosen if any(each.cosine is not None for each in found) else "keyword"
    exact = {*search.by_name(), *_with_phrases(ctx, text, found)}
    on_subject = _on_subject(ctx, subject, where, bindings, depth) if subject else []
    known = {each.id for each in found}
    found += search.rank([id for id in {*exact, *on_subject} if id not in known])
    answers, related = search.split(found, ctx.model.tokens_per_word, {*exact, *on_subject})
    best = _order(ctx, chosen, subject, exact, answers, related, now)[:limit]
    reasons = tuple(each.reason for each in best)
    log_id = log_question(ctx, caller, text, chosen, how, [each.candidate.id for each in best], begun)
    memories = tuple(each.memory for each in best)
    return RecallResult(memories, reasons, chosen, how, log_id, sum(each.is_related for each in best))


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A memory with its place among the answers; lower sorts first."""

    is_related: bool  # it does not answer, but is close to the question
    is_inexact: bool  # the question neither names nor quotes it
    tier: int  # by subject
    score: float
    candidate: Candidate
    memory: Memory

    @property
    def order(self) -> tuple[bool, bool, int, float]:
        return self.is_related, self.is_inexact, self.tier, -self.score

    @property
    def reason(self) -> MatchReason:
        found = self.candidate
        return MatchReason(
            self.score, found.coverage, found.matched, cosine=found.cosine, recency=found.recency
        )


def _order(
    ctx: Context,
    strategy: str,
    subject: str,
    exact: set[int],
    answers: Sequence[Candidate],
    related: Sequence[Candidate],
    now: float,
) -> list[_Ranked]:
    """Return the candidates with their memories, the best for an agent first."""
    candidates = (*answers, *related)
    related_ids = {each.id for each in related}
    rows = memory_rows.load(ctx.db, [each.id for each in candidates])
    memories = {row.id: row.memory for row in rows}
    ranked = []
    for each in candidates:
        if (memory := memories.get(each.id)) is None:
            continue
        relevance = each.score if strategy != "semantic" or each.cosine is None else each.cosine
        score = max(relevance, 0.0) * recall_factor(memory, ctx.recall_weights, now)
        tier = _tier(memory, subject)
        ranked.append(_Ranked(each.id in related_ids, each.id not in exact, tier, score, each, memory))
    return sorted(ranked, key=lambda each: each.order)


def _with_phrases(ctx: Context, text: str, found: Sequence[Candidate]) -> set[int]:
    """Return the candidates that literally contain every quoted phrase of the question."""
    ids = {each.id for each in found}
    phrases = _PHRASE.findall(text)
    for phrase in phrases:
        sql = (
            "SELECT e.value FROM json_each(?) e WHERE EXISTS "
            "(SELECT 1 FROM words WHERE words MATCH ? AND rowid = e.value)"
        )
        ids = {int(id) for (id,) in ctx.db.rows(sql, (json.dumps(sorted(ids)), phrase))}
    return ids if phrases else set()


def visible_to(
    ctx: Context,
    caller: Caller,
    statuses: Sequence[str],
    now: float,
    *,
    expired: bool = False,
    category: str = "",
) -> tuple[str, list[SqlValue]]:
    """Return the condition on `m` that the caller may see it, with `expired` also after it expired, and that
    it is of the category, if one is given."""
    parts, bindings = ["m.shown AND m.removed_at IS NULL"], list[SqlValue]()
    if statuses:
        parts.append(f"m.status IN ({', '.join('?' for _ in statuses)})")
        bindings += list(statuses)
    if not expired:
        parts.append("(m.expires_at IS NULL OR m.expires_at > ?)")
        bindings.append(now)
    if caller.owner:
        reading.require_any(ctx, caller.owner)
        allowed, bound = reading.visible(ctx, caller.owner)
        parts += allowed
        bindings += bound
    if caller.scopes:
        parts.append(f"(m.scope IS NULL OR m.scope IN ({', '.join('?' for _ in caller.scopes)}))")
        bindings += list(caller.scopes)
    if category:
        parts.append("lower(m.category) = lower(?)")
        bindings.append(category)
    return " AND ".join(parts), bindings


def _on_subject(
    ctx: Context, subject: str, where: str, bindings: Sequence[SqlValue], limit: int
) -> list[int]:
    """Return memories about a subject, then those of that category, each the newest first."""
    sql = (
        "SELECT m.id FROM memories m WHERE (lower(m.subject) = lower(?) OR lower(m.category) = lower(?)) "
        f"AND {where} ORDER BY lower(m.subject) = lower(?) DESC, m.recency DESC LIMIT ?"
    )
    return [int(row[0]) for row in ctx.db.rows(sql, (subject, subject, *bindings, subject, limit))]


def _tier(memory: Memory, subject: str) -> int:
    """Return 0 for a memory about the subject, 1 for one of that category, else 2."""
    if not subject or (memory.subject or "").casefold() == subject.casefold():
        return 0
    return 1 if (memory.category or "").casefold() == subject.casefold() else 2


def log_question(
    ctx: Context,
    caller: Caller,
    text: str,
    strategy: str,
    how: str,
    ids: Sequence[int],
    begun: float,
    *,
    counted: bool = True,
) -> int:
    """Count the uses, if they are to be `counted`, and log the question; return the log's row, 0 if the
    workspace is read-only."""
    if ctx.read_only:
        return 0
    now = ctx.clock()
    if counted:
        _count_uses(ctx, ids, now)
    actor = f"agent:{caller.owner}" if caller.owner else ctx.actor
    with ctx.writing, ctx.db.atomic():
        return ctx.db.write(
            Recall.insert(
                at=now,
                actor=actor,
                text=hidden(text)[:_MAX_QUESTION],
                strategy=strategy,
                how=how,
                results=json.dumps(list(ids)),
                seconds=time.perf_counter() - begun,
            )
        )


def _count_uses(ctx: Context, ids: Sequence[int], now: float) -> None:
    """Count one more use of each memory, in its store if that counts uses, else in the workspace; one write
    each."""
    by_store: dict[int, list[tuple[int, str | None]]] = {}
    sql = "SELECT id, store_id, ref FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    for id, store_id, ref in ctx.db.rows(sql, (json.dumps(list(ids)),)):
        by_store.setdefault(store_id, []).append((id, ref))
    counted: list[int] = []
    local: list[int] = []  # their stores do not count uses
    for store_id, rows in by_store.items():
        store = store_rows.get(ctx.db, store_id)
        if store.format == NATIVE:
            counted += [id for id, _ in rows]
            continue
        try:
            adapter = ctx.adapter(store)
            if adapter is None or not adapter.counts_uses:
                local += [id for id, _ in rows]
            elif not store.locked:
                backups.before_write(ctx, store, adapter)  # a write like any other (S-6)
                adapter.count_uses([ref for _, ref in rows if ref], now)
                counted += [id for id, _ in rows]
        except (Refused, apsw.Error, OSError):
            pass  # an agent is answered even if a store is busy; the log has what was used
    with ctx.writing, ctx.db.atomic():
        more = MemoryRow.update(times_used=SQL("times_used + 1"), last_used_at=now)
        ctx.db.write(more.where(_is_one_of(counted + local)))
        kept = fn.json_set(MemoryRow.kept, "$.times_used", SQL("times_used"), "$.last_used_at", now)
        ctx.db.write(MemoryRow.update(kept=kept).where(_is_one_of(local)))


def _is_one_of(ids: Sequence[int]) -> Expression:
    return MemoryRow.id.in_(SQL("(SELECT value FROM json_each(?))", (json.dumps(list(ids)),)))
