"""Recall for agents: what the caller may see, ranked by more than relevance, counted as used, and logged
(S-34)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from memtui.memory.memory import RECALLED
from memtui.memory.query.language import blank_unsearchable
from memtui.memory.ranking import Candidate
from memtui.memory.results import RecallResult
from memtui.values import SqlValue
from memtui.workspace.mirror import memory_rows
from memtui.workspace.search import contradicted, manners, wording
from memtui.workspace.search.answer_order import Order
from memtui.workspace.search.hybrid import Search
from memtui.workspace.search.uses import MAX_QUESTION, log_question
from memtui.workspace.search.visibility import Sight

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.mirror.memory_rows import MirrorRow

STRATEGIES = ("keyword", "semantic", "hybrid")
DEFAULT_STATUSES = RECALLED
DEFAULT_LIMIT = 10  # of Founder OS's lists
_MAX_LIMIT = 1_000
# One word with a digit, a sign, or a capital in the middle (OPS-2213, fct_orders, setUp).
_IDENTIFIER = re.compile(r"\S*(?:\d|[_./:#@\\-]\w|[a-z][A-Z])\S*")
# Returns the uids of those answers that the agent is told of, where that is not all.
Told: TypeAlias = Callable[[RecallResult], Collection[str]]
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
    told: Told | None = None,
) -> RecallResult:
    """Return the best answers among what the caller may see, by relevance × confidence × recency ×
    reinforcement, only of a `category` if one is given; raise Refused for an unknown strategy, PolicyRefused
    if the caller may read nothing. Only what is `told` is counted as used and logged as given.

    With `subject`, memories about exactly that come first, then those of that category (Base Coat's order).
    """
    begun = time.perf_counter()
    if strategy and strategy not in STRATEGIES:
        raise wording.unknown_strategy(strategy, STRATEGIES)
    asked = blank_unsearchable(text[: 2 * MAX_QUESTION])  # of a secret that is cut nobody knows the rest
    text, limit = asked[:MAX_QUESTION], max(1, min(limit, _MAX_LIMIT))
    chosen = strategy or strategy_of(text)
    now = ctx.clock()
    sight = Sight(ctx, caller, now)
    where, bindings = sight.of(statuses, category=category)
    for phrase in _PHRASE.findall(text) if chosen == "keyword" else ():
        where += " AND m.id IN (SELECT rowid FROM words WHERE words MATCH ?)"
        bindings.append(phrase)
    embed = ctx.model.vector if chosen != "keyword" else lambda question: None
    search = Search(ctx.db, text, (where, bindings), embed, now, ctx.weights, hides=True)
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
    best = Order(ctx, chosen, subject, exact, opposed, now).ranked(answers, related)[:limit]
    rows = memory_rows.load(ctx.db, [each.candidate.id for each in best])
    reasons = {each.candidate.id: each.reason for each in best}
    answer = RecallResult(
        tuple(row.memory for row in rows),
        tuple(reasons[row.id] for row in rows),
        chosen,
        how,
        related=sum(each.is_related for each in best),
        contradicted={row.memory.uid: opposed[row.id] for row in rows if row.id in opposed},
    )
    given = given_of(rows, answer, told)
    return replace(answer, log_id=log_question(ctx, caller.owner, asked, chosen, how, given, begun))


def given_of(rows: Sequence[MirrorRow], found: RecallResult, told: Told | None) -> list[int]:
    """Return those of the rows that were found which the agent is told of."""
    uids = None if told is None else told(found)
    return [row.id for row in rows if uids is None or row.memory.uid in uids]


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
