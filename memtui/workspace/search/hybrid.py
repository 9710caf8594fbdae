"""Words and meaning together: candidates from both, weighed on one scale (S-30, S-33)."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import apsw

from memtui.memory.floor import sift
from memtui.memory.query.language import Query
from memtui.memory.ranking import (
    CLOSELY,
    TOP_K,
    Asked,
    Candidate,
    Weights,
    base,
    fuse,
    overlap,
    telling,
    uncommon,
    words_of,
)
from memtui.workspace.search import term_candidates
from memtui.workspace.vectors import vector_store
from memtui.workspace.vectors.binary_index import BinaryIndex

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

T = TypeVar("T")
Embed = Callable[[str], bytes | None]
Pieces = Callable[[Sequence[str]], float]
_DAY = 86_400.0
_NONE: list[tuple[int, float]] = []
_READ = (
    "SELECT m.id, coalesce(m.title, '') || ' ' || coalesce(m.key, '') || ' ' || coalesce(m.subject, '') "
    "|| ' ' || substr(m.content, 1, 20000) || ' ' || m.tags || ' ' || coalesce(m.source_ref, ''), m.recency "
    "FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value"
)
# A uid, or so much of its beginning that it is no word.
_NAMED = (
    "SELECT m.id FROM memories m WHERE m.uid >= ?1 AND m.uid < ?1 || '~' AND length(?1) >= 8 "
    "UNION SELECT m.id FROM memories m WHERE m.live = 1 AND m.key <> '' AND m.key = ?1"
)
MANY = 10  # memories of one name that stand first
# Written down in the same breath: the ones before and after in the same store.
_BESIDE = (
    "SELECT o.id, m.id FROM json_each(?) e CROSS JOIN memories o ON o.id = e.value "
    "CROSS JOIN memories m ON m.id IN (o.id - 1, o.id + 1) AND m.store_id = o.store_id WHERE {where}"
)


class Search:
    """One question to one workspace: what it asks for, and how memories answer it.

    `condition` is on `m`; `embed` tells what a text means, None where only words are known; `now` in
    Unix seconds; `last` is a word of the question that is still being typed. `trouble` says why the
    vectors could not be read, if so: then words alone answer."""

    def __init__(
        self,
        db: Database,
        question: str,
        condition: tuple[str, Sequence[Any]],
        embed: Embed,
        now: float,
        weights: Weights,
        last: str = "",
    ) -> None:
        self._db, self._now, self.weights, self._last = db, now, weights, last
        self._question = question.strip()
        self._where, self._values = condition
        self.trouble = ""
        self.asked: Asked
        self.asked, self._counts = term_candidates.weigh(db, telling(question), last)
        self.vector = embed(question)
        bare = uncommon(question, self.asked.common) if weights.plain else question
        if bare != question and self.vector is not None and (other := embed(bare)) is not None:
            self.vector = vector_store.mixed(self.vector, other, weights.plain)

    def best(self, bits: BinaryIndex, top_k: int = TOP_K) -> list[Candidate]:
        """Candidates by words and by meaning, weighed, best first."""
        ids = term_candidates.found(self._db, self._counts, self._last, self._where, self._values, top_k)
        cosines = dict(self.by_meaning(bits, top_k))
        return self.weigh(list(dict.fromkeys([*ids, *cosines])), cosines, widely=self.vector is not None)

    def answers(
        self, bits: BinaryIndex, pieces: Pieces, top_k: int = TOP_K, held: Container[int] = ()
    ) -> tuple[list[Candidate], list[Candidate]]:
        """What answers, and what is only related, each best first: whatever the question names by its
        uid or key comes before all, and those `held` answer in any case."""
        named = self.named()
        found = self.best(bits, top_k)
        found = [*self.weigh(named), *(one for one in found if one.id not in named)]
        return self.sift(found, pieces, {one.id for one in found if one.id in named or one.id in held})

    def sift(
        self, found: Sequence[Candidate], pieces: Pieces, held: Container[int] = ()
    ) -> tuple[list[Candidate], list[Candidate]]:
        """Those of the candidates that answer, and those that are only related; by words alone all do."""
        if self.vector is None:
            return list(found), []
        return sift(found, lambda: pieces(self.asked.words), held)

    def named(self) -> list[int]:
        """The memories whose uid or key the question is, the newest first."""
        passing = f"JOIN memories m ON m.id = f.id WHERE {self._where} ORDER BY m.id DESC LIMIT {MANY}"
        sql = f"SELECT m.id FROM ({_NAMED}) f {passing}"
        return [int(id) for (id,) in self._db.rows(sql, (self._question, *self._values))]

    def by_words(self, top_k: int = TOP_K) -> list[int]:
        """Candidates by words alone, best first."""
        return term_candidates.found(self._db, self._counts, self._last, self._where, self._values, top_k)

    def by_meaning(self, bits: BinaryIndex, top_k: int = TOP_K) -> list[tuple[int, float]]:
        """Candidates by meaning alone with their cosine, nearest first."""
        if (vector := self.vector) is None:
            return []
        where, values = self._where, self._values
        return self._tried(lambda: vector_store.nearest(self._db, bits, vector, top_k, where, values), _NONE)

    def weigh(
        self, ids: Sequence[int], cosines: Mapping[int, float] | None = None, *, widely: bool = False
    ) -> list[Candidate]:
        """How these memories answer, best first; cosines that are not given are measured. `widely`:
        those that stand beside the best of them are weighed too."""
        candidates = self._candidates(ids, cosines or {})
        pairs: list[tuple[int, int]] = []
        if widely and self.weights.beside:
            # What stands beside a good answer may be one, though it says little of the question itself.
            leading = sorted(candidates, key=lambda one: -base(one, self.weights))[:CLOSELY]
            pairs = self._beside([one.id for one in leading])
            known = {one.id for one in candidates}
            candidates += self._candidates(sorted({other for _, other in pairs} - known), {})
        return fuse(candidates, self.weights, self._likeness, pairs)

    def _candidates(self, ids: Sequence[int], cosines: Mapping[int, float]) -> list[Candidate]:
        known = dict(cosines)
        if (vector := self.vector) is not None:
            new = [id for id in ids if id not in known]
            known.update(self._tried(lambda: vector_store.measured(self._db, vector, new), _NONE))
        candidates = []
        for id, text, at in self._db.rows(_READ, (json.dumps(list(ids)),)):
            words, common, matched = overlap(self.asked, text)
            days = max(0.0, (self._now - at) / _DAY)
            candidates.append(Candidate(id, text, days, known.get(id), words, common, matched))
        return candidates

    def _likeness(self, ids: Sequence[int]) -> list[list[float]]:
        unlike = [[0.0] * len(ids) for _ in ids]
        return self._tried(lambda: vector_store.likeness(self._db, ids), unlike)

    def _tried(self, look: Callable[[], T], nothing: T) -> T:
        """What the vectors say; nothing, from now on, where they cannot be read."""
        try:
            return look()
        except apsw.InterruptError:
            raise
        except apsw.Error as trouble:
            self.vector, self.trouble = None, str(trouble)
            return nothing

    def _beside(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        sql = _BESIDE.format(where=self._where)
        return [(one, other) for one, other in self._db.rows(sql, (json.dumps(list(ids)), *self._values))]


def plain(query: Query) -> tuple[str, str]:
    """The question without its filters and what it does not want, and the word still being typed."""
    terms = [term for term in query.terms if not term.negated]
    last = words_of(terms[-1].text)[-1:] if terms and terms[-1].prefix else []
    return " ".join(term.text for term in terms), last[0] if last else ""


def phrases(query: Query) -> tuple[str, list[str]]:
    """The condition on `m` that what was put in quotes stands there word for word."""
    said = [term.text for term in query.terms if term.phrase and not term.negated]
    sql = " AND ".join("m.id IN (SELECT rowid FROM words WHERE words MATCH ?)" for _ in said)
    return sql or "1", ['"' + text.replace('"', '""') + '"' for text in said]
