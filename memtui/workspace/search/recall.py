"""Recall for agents: what the caller may see, ranked by more than relevance, counted as used, and logged
(S-34)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from memtui.memory.memory import RECALLED, Memory
from memtui.memory.query.language import blank_unsearchable
from memtui.memory.ranking import Candidate, RecallWeights, recall_factor
from memtui.memory.results import MatchReason, RecallResult
from memtui.values import SqlValue
from memtui.workspace.mirror import memory_rows
from memtui.workspace.search import contradicted, manners, wording
from memtui.workspace.search.hybrid import Search
from memtui.workspace.search.uses import MAX_QUESTION, log_question
from memtui.workspace.search.visibility import Sight

if TYPE_CHECKING:
    from memtui.workspace.context import Context

STRATEGIES = ("keyword", "semantic", "hybrid")
DEFAULT_STATUSES = RECALLED
DEFAULT_LIMIT = 10  # of Founder OS's lists
_MAX_LIMIT = 1_000
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
    text, limit = blank_unsearchable(text[:MAX_QUESTION]), max(1, min(limit, _MAX_LIMIT))
    chosen = strategy or strategy_of(text)
    now = ctx.clock()
    sight = Sight(ctx, caller, now)
    where, bindings = sight.of(statuses, category=category)
    for phrase in _PHRASE.findall(text) if chosen == "keyword" else ():
        where += " AND m.id IN (SELECT rowid FROM words WHERE words MATCH ?)"
        bindings.append(phrase)
    embed = ctx.model.vector if chosen != "keyword" else lambda question: None
    search = Search(ctx.db, text, (where, bindings), embed, now, ctx.weights)
    depth = max(ctx.top_k, 2 * limit)
    taken = partial(manners.within_depth, ctx)
    found: list[Candidate] = []
    if chosen == "semantic":
        found = search.rank(taken([id for id, _ in search.by_meaning(ctx.model.bits, depth)]))
    # Without a model or readable vectors, words alone answer.
    found = found or search.best(ctx.model.bits, depth, taken)
    how = chosen if any(each.cosine is not None for each in found) else "keyword"
    exact = {*search.by_name(), *_with_phrases(ctx, text, found)}
    on_subject = _on_subject(ctx, subject, where, bindings, depth) if subject else []
    known = {each.id for each in found}
    found += search.rank([id for id in {*exact, *on_subject} if id not in known])
    answers, related = search.split(found, ctx.model.tokens_per_word, {*exact, *on_subject})
    opposed = contradicted.others(ctx, [each.id for each in (*answers, *related)], sight.in_time())
    best = _Order(ctx, chosen, subject, exact, opposed, now).ranked(answers, related)[:limit]
    log_id = log_question(ctx, caller.owner, text, chosen, how, [each.candidate.id for each in best], begun)
    return RecallResult(
        tuple(each.memory for each in best),
        tuple(each.reason for each in best),
        chosen,
        how,
        log_id,
        sum(each.is_related for each in best),
        {each.memory.uid: others for each in best if (others := opposed.get(each.candidate.id))},
    )


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


@dataclass(frozen=True, slots=True)
class _Order:
    """The order of the answers to one question; `opposed` are those that others openly contradict."""

    ctx: Context
    strategy: str
    subject: str
    exact: Container[int]
    opposed: Container[int]
    now: float

    def ranked(self, answers: Sequence[Candidate], related: Sequence[Candidate]) -> list[_Ranked]:
        """Return the candidates with their memories, the best for an agent first."""
        candidates = (*answers, *related)
        related_ids = {each.id for each in related}
        rows = {row.id: row for row in memory_rows.load(self.ctx.db, [each.id for each in candidates])}
        found = [
            self._place(each, rows[each.id].memory, self.ctx.recall_weights, each.id in related_ids)
            for each in candidates
            if each.id in rows
        ]
        found.sort(key=lambda each: each.order)
        for store_id, manner in manners.by_store(self.ctx).items():
            if manner.weights is not None:
                of_store = [
                    at for at, each in enumerate(found) if rows[each.candidate.id].store_id == store_id
                ]
                self._reorder(found, of_store, manner.weights)
        return found

    def _reorder(self, found: list[_Ranked], places: Sequence[int], weights: RecallWeights) -> None:
        """Order the memories of one store by its own weights, in the places that they have among all."""
        own = replace(weights, contradicted=self.ctx.recall_weights.contradicted)
        moved = [
            self._place(each.candidate, each.memory, own, each.is_related)
            for each in (found[at] for at in places)
        ]
        for at, each in zip(places, sorted(moved, key=lambda each: each.order), strict=True):
            found[at] = each

    def _place(self, found: Candidate, memory: Memory, weights: RecallWeights, is_related: bool) -> _Ranked:
        relevance = found.score if self.strategy != "semantic" or found.cosine is None else found.cosine
        factor = recall_factor(memory, weights, self.now, contradicted=found.id in self.opposed)
        score = max(relevance, 0.0) * factor
        return _Ranked(
            is_related, found.id not in self.exact, _tier(memory, self.subject), score, found, memory
        )


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
