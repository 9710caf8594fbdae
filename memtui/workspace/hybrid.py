"""Words and meaning together: candidates from both, weighed on one scale (S-30, S-33)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import apsw

from memtui.memory.query import Query
from memtui.memory.ranking import (
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
from memtui.workspace import loose, vectors
from memtui.workspace.bits import Bits

if TYPE_CHECKING:
    from memtui.workspace.database import Database

T = TypeVar("T")
Embed = Callable[[str], bytes | None]
_DAY = 86_400.0
_READ = (
    "SELECT m.id, coalesce(m.title, '') || ' ' || coalesce(m.key, '') || ' ' || coalesce(m.subject, '') "
    "|| ' ' || substr(m.content, 1, 2000) || ' ' || m.tags, m.recency "
    "FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value"
)
# Written down in the same breath: the ones before and after in the same store.
_BESIDE = (
    "SELECT m.id, n.id FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value "
    "JOIN memories n ON n.id IN (m.id - 1, m.id + 1) AND n.store_id = m.store_id "
    "AND n.removed_at IS NULL"
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
        self._where, self._values = condition
        self.trouble = ""
        self.asked: Asked
        self.asked, self._counts = loose.weigh(db, telling(question), last)
        self.vector = embed(question)
        bare = uncommon(question, self.asked.common) if weights.plain else question
        if bare != question and self.vector is not None and (other := embed(bare)) is not None:
            self.vector = vectors.mixed(self.vector, other, weights.plain)

    def best(self, bits: Bits, top_k: int = TOP_K) -> list[Candidate]:
        """Candidates by words and by meaning, weighed, best first."""
        ids = loose.found(self._db, self._counts, self._last, self._where, self._values, top_k)
        cosines = dict(self.by_meaning(bits, top_k))
        return self.weigh(list(dict.fromkeys([*ids, *cosines])), cosines)

    def by_words(self, top_k: int = TOP_K) -> list[int]:
        """Candidates by words alone, best first."""
        return loose.found(self._db, self._counts, self._last, self._where, self._values, top_k)

    def by_meaning(self, bits: Bits, top_k: int = TOP_K) -> list[tuple[int, float]]:
        """Candidates by meaning alone with their cosine, nearest first."""
        if (vector := self.vector) is None:
            return []
        where, values = self._where, self._values
        none: list[tuple[int, float]] = []
        return self._tried(lambda: vectors.nearest(self._db, bits, vector, top_k, where, values), none)

    def weigh(self, ids: Sequence[int], cosines: Mapping[int, float] | None = None) -> list[Candidate]:
        """How these memories answer, best first; cosines that are not given are measured."""
        return fuse(
            self._candidates(ids, cosines or {}),
            self.weights,
            lambda best: self._tried(
                lambda: vectors.likeness(self._db, best), [[0.0] * len(best)] * len(best)
            ),
            self._beside,
        )

    def _candidates(self, ids: Sequence[int], cosines: Mapping[int, float]) -> list[Candidate]:
        known = dict(cosines)
        if (vector := self.vector) is not None:
            new = [id for id in ids if id not in known]
            known.update(self._tried(lambda: vectors.measured(self._db, vector, new), []))
        candidates = []
        for id, text, at in self._db.rows(_READ, (json.dumps(list(ids)),)):
            words, common, matched = overlap(self.asked, text)
            days = max(0.0, (self._now - at) / _DAY)
            candidates.append(Candidate(id, text, days, known.get(id), words, common, matched))
        return candidates

    def _tried(self, look: Callable[[], T], nothing: T) -> T:
        """What the vectors say; nothing, from now on, where they cannot be read."""
        try:
            return look()
        except apsw.InterruptError:
            raise
        except apsw.Error as trouble:
            self.vector, self.trouble = None, str(trouble)
            return nothing

    def _beside(self, ids: Sequence[int]) -> dict[int, float]:
        pairs = self._db.rows(_BESIDE, (json.dumps(list(ids)),))
        others = self._candidates(sorted({other for _, other in pairs}), {})
        says = {one.id: base(one, self.weights) for one in others}
        out: dict[int, float] = {}
        for id, other in pairs:
            out[id] = max(out.get(id, 0.0), says.get(other, 0.0))
        return out


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
