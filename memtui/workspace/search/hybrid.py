"""Search by words and meaning together: candidates of both, ranked on one scale (S-30, S-33)."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import apsw
from peewee import PeeweeException

from memtui.memory.floor import split_by_relevance
from memtui.memory.query.language import Query
from memtui.memory.ranking import (
    SMOOTHED_TOP,
    TOP_K,
    Candidate,
    QueryTerms,
    Weights,
    base_score,
    fuse,
    significant_terms,
    term_coverage,
    without_common_terms,
    words_of,
)
from memtui.values import SqlValue
from memtui.workspace.search import term_candidates
from memtui.workspace.vectors import vector_store
from memtui.workspace.vectors.binary_index import BinaryIndex

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

T = TypeVar("T")
# The vector of a text; None if only words can be searched.
Embed: TypeAlias = Callable[[str], bytes | None]
# Into how many tokens the model splits some words on average.
TokensPerWord: TypeAlias = Callable[[Sequence[str]], float]
# The candidates that answer, and those only related.
Split: TypeAlias = tuple[list[Candidate], list[Candidate]]

MAX_NAMED = 10  # memories of one name that come first
_DAY = 86_400.0  # seconds
_NONE: list[tuple[int, float]] = []
_READ = (
    "SELECT m.id, coalesce(m.title, '') || ' ' || coalesce(m.key, '') || ' ' || coalesce(m.subject, '') "
    "|| ' ' || substr(m.content, 1, 20000) || ' ' || m.tags || ' ' || coalesce(m.source_ref, ''), m.recency "
    "FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value"
)
# A uid, or a beginning of one that is long enough not to be a word; or a key. UNION would sort, for which
# SQLite reads all memories in their order; so it would without CROSS.
_NAMED = (
    "SELECT m.id FROM memories m WHERE m.uid >= ?1 AND m.uid < ?1 || '~' AND length(?1) >= 8 "
    "UNION ALL SELECT m.id FROM memories m WHERE m.live = 1 AND m.key <> '' AND m.key = ?1"
)
# The memories written just before and after these in the same store.
_ADJACENT = (
    "SELECT o.id, m.id FROM json_each(?) e CROSS JOIN memories o ON o.id = e.value "
    "CROSS JOIN memories m ON m.id IN (o.id - 1, o.id + 1) AND m.store_id = o.store_id WHERE {where}"
)


class Search:
    """One question to one workspace, and how memories answer it.

    `condition` is on `m`, a row of memories; `now` is in Unix seconds; `last` is a word of the question that
    is still being typed. Where the condition is what somebody may see, `hides` keeps the words of other
    memories from weighing anything. `error` says why the vectors could not be read, if so: then only words
    count.
    """

    def __init__(
        self,
        db: Database,
        question: str,
        condition: tuple[str, Sequence[SqlValue]],
        embed: Embed,
        now: float,
        weights: Weights,
        last: str = "",
        *,
        hides: bool = False,
    ) -> None:
        self._db, self._now, self.weights, self._last = db, now, weights, last
        self._question = question.strip()
        self._where, self._bindings = condition
        self.error = ""
        self.terms: QueryTerms
        self.terms, self._counts = term_candidates.weigh_words(
            db, significant_terms(question), last, condition if hides else None
        )
        self.vector = embed(question)
        bare = without_common_terms(question, self.terms.common) if weights.uncommon else question
        if bare != question and self.vector is not None and (other := embed(bare)) is not None:
            self.vector = vector_store.interpolated(self.vector, other, weights.uncommon)

    def best(
        self, bits: BinaryIndex, top_k: int = TOP_K, taken: Callable[[Sequence[int]], Sequence[int]] = list
    ) -> list[Candidate]:
        """Return candidates by words and by meaning, ranked; of each of the two lists, best first, `taken`
        returns which to rank."""
        ids = taken(self.by_words(top_k))
        near = dict(self.by_meaning(bits, top_k))
        cosines = {id: near[id] for id in taken(list(near))}
        return self.rank(list(dict.fromkeys([*ids, *cosines])), cosines, adjacent=self.vector is not None)

    def answers(
        self, bits: BinaryIndex, tokens: TokensPerWord, top_k: int = TOP_K, kept: Container[int] = ()
    ) -> Split:
        """Return what answers, and what is only related, each best first.

        Memories whose uid or key is the question come before all; those in `kept` answer in any case.
        """
        named = self.by_name()
        found = self.best(bits, top_k)
        found = [*self.rank(named), *(each for each in found if each.id not in named)]
        return self.split(found, tokens, {each.id for each in found if each.id in named or each.id in kept})

    def split(self, found: Sequence[Candidate], tokens: TokensPerWord, kept: Container[int] = ()) -> Split:
        """Split candidates into those that answer and those only related; by words alone all answer."""
        if self.vector is None:
            return list(found), []
        return split_by_relevance(found, lambda: tokens(self.terms.words), kept)

    def by_name(self) -> list[int]:
        """Return the memories whose uid or key is the question, the newest first."""
        passing = f"WHERE {self._where} ORDER BY m.id DESC LIMIT {MAX_NAMED}"
        sql = f"SELECT DISTINCT m.id FROM ({_NAMED}) f CROSS JOIN memories m ON m.id = f.id {passing}"
        return [int(id) for (id,) in self._db.rows(sql, (self._question, *self._bindings))]

    def by_words(self, top_k: int = TOP_K) -> list[int]:
        """Return candidates by words alone, best first."""
        return term_candidates.best_matches(
            self._db, self._counts, self._last, self._where, self._bindings, top_k
        )

    def by_meaning(self, bits: BinaryIndex, top_k: int = TOP_K) -> list[tuple[int, float]]:
        """Return candidates by meaning alone with their cosines, nearest first."""
        if (vector := self.vector) is None:
            return []
        where, bindings = self._where, self._bindings
        return self._read_vectors(
            lambda: vector_store.nearest(self._db, bits, vector, top_k, where, bindings), _NONE
        )

    def rank(
        self, ids: Sequence[int], cosines: Mapping[int, float] | None = None, *, adjacent: bool = False
    ) -> list[Candidate]:
        """Return these memories as candidates, best first; cosines that are not given are computed.

        With `adjacent`, memories written just before and after the best of them are ranked too: they may
        answer although they share little with the question.
        """
        candidates = self._candidates(ids, cosines or {})
        pairs: list[tuple[int, int]] = []
        if adjacent and self.weights.adjacent:
            ordered = sorted(candidates, key=lambda each: -base_score(each, self.weights))
            pairs = self._adjacent([each.id for each in ordered[:SMOOTHED_TOP]])
            known = {each.id for each in candidates}
            candidates += self._candidates(sorted({other for _, other in pairs} - known), {})
        return fuse(candidates, self.weights, self._similarities, pairs)

    def _candidates(self, ids: Sequence[int], cosines: Mapping[int, float]) -> list[Candidate]:
        known = dict(cosines)
        if (vector := self.vector) is not None:
            new = [id for id in ids if id not in known]
            known.update(self._read_vectors(lambda: vector_store.measured(self._db, vector, new), _NONE))
        candidates = []
        for id, text, at in self._db.rows(_READ, (json.dumps(list(ids)),)):
            coverage, common, matched = term_coverage(self.terms, text)
            days = max(0.0, (self._now - at) / _DAY)
            candidates.append(Candidate(id, text, days, known.get(id), coverage, common, matched))
        return candidates

    def _similarities(self, ids: Sequence[int]) -> list[list[float]]:
        none = [[0.0] * len(ids) for _ in ids]
        return self._read_vectors(lambda: vector_store.similarities(self._db, ids), none)

    def _read_vectors(self, read: Callable[[], T], nothing: T) -> T:
        """Return what `read` reads, `nothing` if the vectors are damaged: from then on only words count."""
        try:
            return read()
        except apsw.InterruptError:
            raise
        except (apsw.Error, PeeweeException) as error:
            if isinstance(getattr(error, "orig", None), apsw.InterruptError):
                raise
            self.vector, self.error = None, str(error)
            return nothing

    def _adjacent(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        sql = _ADJACENT.format(where=self._where)
        return [(id, other) for id, other in self._db.rows(sql, (json.dumps(list(ids)), *self._bindings))]


def question_of(query: Query) -> tuple[str, str]:
    """Return a query's words without filters and negated ones, and the word still being typed, or ""."""
    terms = [term for term in query.terms if not term.negated]
    last = words_of(terms[-1].text)[-1:] if terms and terms[-1].prefix else []
    return " ".join(term.text for term in terms), last[0] if last else ""


def phrase_condition(query: Query) -> tuple[str, list[str]]:
    """Return the condition on `m` that a memory contains the quoted phrases literally."""
    phrases = [term.text for term in query.terms if term.phrase and not term.negated]
    sql = " AND ".join("m.id IN (SELECT rowid FROM words WHERE words MATCH ?)" for _ in phrases)
    return sql or "1", ['"' + text.replace('"', '""') + '"' for text in phrases]
