"""The order in which an agent is given the answers to a question: by more than relevance (S-34)."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from memtui.memory.ranking import Candidate, RecallWeights, recall_factor
from memtui.memory.results import MatchReason
from memtui.workspace.search import manners

if TYPE_CHECKING:
    from memtui.workspace.context import Context


class _State(NamedTuple):
    """What of a memory counts in the order; loading all of it would take longer than the search."""

    store_id: int
    subject: str | None
    category: str | None
    confidence: float | None
    times_used: int
    times_confirmed: int
    created_at: float | None
    updated_at: float | None
    last_confirmed_at: float | None


_STATES = (
    f"SELECT m.id, {', '.join(f'm.{name}' for name in _State._fields)} FROM memories m "
    "WHERE m.id IN (SELECT value FROM json_each(?))"
)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its place among the answers; lower sorts first."""

    is_related: bool  # it does not answer, but is close to the question
    is_inexact: bool  # the question neither names nor quotes it
    tier: int  # by subject
    score: float
    candidate: Candidate

    @property
    def order(self) -> tuple[bool, bool, int, float]:
        """What it is sorted by."""
        return self.is_related, self.is_inexact, self.tier, -self.score

    @property
    def reason(self) -> MatchReason:
        """Why it was found."""
        found = self.candidate
        return MatchReason(
            self.score, found.coverage, found.matched, cosine=found.cosine, recency=found.recency
        )


@dataclass(frozen=True, slots=True)
class Order:
    """The order of the answers to one question: those that it names or quotes first (`exact`), then those on
    its `subject`, then by score. `opposed` are those that others openly contradict; `now` is in Unix
    seconds."""

    ctx: Context
    strategy: str
    subject: str
    exact: Container[int]
    opposed: Container[int]
    now: float

    def ranked(self, answers: Sequence[Candidate], related: Sequence[Candidate]) -> list[Ranked]:
        """Return the candidates that still exist, the best for an agent first."""
        candidates = [*((each, False) for each in answers), *((each, True) for each in related)]
        ids = json.dumps([each.id for each, _ in candidates])
        states = {id: _State(*rest) for id, *rest in self.ctx.db.rows(_STATES, (ids,))}
        weights = self.ctx.recall_weights
        found = [
            self._place(each, states[each.id], weights, is_related=is_related)
            for each, is_related in candidates
            if each.id in states
        ]
        found.sort(key=lambda each: each.order)
        for store_id, manner in manners.by_store(self.ctx).items():
            if manner.weights is not None:
                of_store = [
                    at for at, each in enumerate(found) if states[each.candidate.id].store_id == store_id
                ]
                self._reorder(found, of_store, states, manner.weights)
        return found

    def _reorder(
        self,
        found: list[Ranked],
        places: Sequence[int],
        states: Mapping[int, _State],
        weights: RecallWeights,
    ) -> None:
        """Order the memories of one store by its own weights, in the places that they have among all."""
        own = replace(weights, contradicted=self.ctx.recall_weights.contradicted)
        moved = [
            self._place(each.candidate, states[each.candidate.id], own, is_related=each.is_related)
            for each in (found[at] for at in places)
        ]
        for at, each in zip(places, sorted(moved, key=lambda each: each.order), strict=True):
            found[at] = each

    def _place(self, found: Candidate, state: _State, weights: RecallWeights, *, is_related: bool) -> Ranked:
        relevance = found.score if self.strategy != "semantic" or found.cosine is None else found.cosine
        factor = recall_factor(state, weights, self.now, contradicted=found.id in self.opposed)
        score = max(relevance, 0.0) * factor
        return Ranked(is_related, found.id not in self.exact, self._tier(state), score, found)

    def _tier(self, state: _State) -> int:
        """Return 0 for a memory about the subject, 1 for one of that category, else 2."""
        if not self.subject or (state.subject or "").casefold() == self.subject.casefold():
            return 0
        return 1 if (state.category or "").casefold() == self.subject.casefold() else 2
