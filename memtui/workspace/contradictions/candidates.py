"""Candidates for a contradiction or duplicate: the few memories worth judging against one (S-40).

Those with the same key or subject, those that their store relates as contradicting, those with the same text,
and the nearest in meaning; for a memory without a vector, those that share its rarest words. Statements are
one per batch of memories, with `json_each`: a scan goes over all memories.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from memtui.memory.contradictions.subjects import spelling_variants
from memtui.memory.ranking import significant_terms
from memtui.workspace.contradictions import stated
from memtui.workspace.contradictions.compared import Compared, ComparedMemories
from memtui.workspace.search import term_candidates
from memtui.workspace.vectors.neighbors import Neighbors, neighbors, vectors_of

if TYPE_CHECKING:
    from memtui.workspace.context import Context

NEAR = 40  # neighbors in meaning of one memory
OVERFETCH = 3  # times as many are looked up, since equal texts may crowd out the others
GROUP = 40  # memories of one subject or key: the nearest, else the newest
MAX_GROUP = 2_000  # memories of one subject or key that are considered
BY_WORDS = 20  # neighbors by words
EQUAL = 1  # equal texts that a memory is compared with; if that one is removed, the memory is queued again
MANY_EQUAL = 5  # equal texts from which a memory is compared with nothing else: the first ones represent it
_TEXT = 2_000  # characters searched by words
_BY_IDS = "json_each(?) e CROSS JOIN memories m ON m.id = e.value"
_EQUAL_TEXTS = (
    "SELECT c.memory_id FROM scanned c CROSS JOIN memories m ON m.id = c.memory_id "
    "WHERE c.fingerprint = ? AND c.memory_id <> ? AND m.live = 1 "
    # A queued one may have changed; it finds the others itself.
    "AND c.memory_id NOT IN (SELECT memory_id FROM scan_queue) ORDER BY c.memory_id LIMIT ?"
)


class Candidates:
    """Finds what the memories of one scan are compared with."""

    def __init__(self, ctx: Context, waiting: int) -> None:
        self._ctx = ctx
        self.memories = ComparedMemories(ctx)
        self._near: Neighbors = neighbors(ctx, waiting)
        self._of_subject = lru_cache(4_096)(self._with_subject)
        self._of_key = lru_cache(4_096)(self._with_key)

    def find(self, batch: Mapping[int, Compared]) -> dict[int, list[int]]:
        """Return the memories to compare each of these with; some may have been removed since."""
        ids = json.dumps(list(batch))
        marked, known = stated.marked(self._ctx, ids), stated.known_pairs(self._ctx, ids)
        vectors = vectors_of(self._ctx, ids)
        near = self._near.near(vectors, OVERFETCH * NEAR)
        first: dict[int, list[int]] = {}
        grouped: dict[int, list[int]] = {}
        similar: dict[int, Sequence[int]] = {}
        certain: dict[int, set[int]] = {}
        for id, memory in batch.items():
            vector = vectors.get(id)
            same = self._equal(memory, first)
            certain[id] = {*marked.get(id, ()), *known.get(id, ()), *same[:EQUAL]} - {id}
            if len(same) >= MANY_EQUAL:
                continue
            similar[id] = near.get(id, ()) if vector is not None else self._by_words(memory)
            of_key = self._nearest(self._of_key(memory.key), vector)
            grouped[id] = [*of_key, *self._nearest(self._of_subject(memory.subject), vector)]
        lists = (certain.values(), grouped.values(), similar.values())
        others = self.memories.read({other for each in chain.from_iterable(lists) for other in each})
        return {
            id: [
                *certain[id],
                *self._distinct(memory, grouped.get(id, ()), similar.get(id, ()), others, certain[id]),
            ]
            for id, memory in batch.items()
        }

    def of_new(self, memory: Compared) -> list[Compared]:
        """Return the live memories to compare one with that is not there yet."""
        grouped = [*self._nearest(self._of_key(memory.key), None)]
        grouped += self._nearest(self._of_subject(memory.subject), None)
        others = self.memories.read(dict.fromkeys([*grouped, *self._by_words(memory)]))
        return [each for each in others.values() if each.live and each.fingerprint is not None]

    def without_vectors(self, ids: Iterable[int]) -> int:
        """Return how many of these have a text but no vector yet."""
        sql = (
            f"SELECT count(*) FROM {_BY_IDS} WHERE m.content <> '' "
            "AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.memory_id = m.id)"
        )
        return int(self._ctx.db.one(sql, (json.dumps(list(ids)),)))

    def _equal(self, memory: Compared, first: dict[int, list[int]]) -> list[int]:
        """Return the first few with an equal text."""
        if memory.fingerprint is None:
            return []
        before = first.setdefault(memory.fingerprint, [])
        same = list(dict.fromkeys([*equal_texts(self._ctx, memory), *before]))[:MANY_EQUAL]
        before.append(memory.id)
        return same

    def _nearest(self, ids: Sequence[int], vector: bytes | None) -> Sequence[int]:
        if len(ids) <= GROUP:
            return ids
        return (self._near.nearest(vector, ids, GROUP) if vector is not None else ()) or ids[:GROUP]

    def _distinct(
        self,
        memory: Compared,
        grouped: Sequence[int],
        similar: Sequence[int],
        others: Mapping[int, Compared],
        certain: Set[int],
    ) -> list[int]:
        """Return a limited number of candidates with texts unlike this one's, the first of each equal
        text."""
        found: dict[int, int] = {}  # by fingerprint
        for ids, most in ((grouped, 2 * GROUP), (similar, NEAR)):
            room = len(found) + most
            for id in ids:
                other = others.get(id)
                if other is None or id == memory.id or id in certain:
                    continue
                if not other.live or other.fingerprint is None:
                    continue
                if other.fingerprint != memory.fingerprint and len(found) < room:
                    found.setdefault(other.fingerprint, id)
        return list(found.values())

    def _with_key(self, key: str) -> tuple[int, ...]:
        if not key:
            return ()
        sql = "SELECT id FROM memories WHERE live = 1 AND key <> '' AND key = ? ORDER BY recency DESC LIMIT ?"
        return tuple(int(id) for (id,) in self._ctx.db.rows(sql, (key, MAX_GROUP)))

    def _with_subject(self, subject: str) -> tuple[int, ...]:
        if not subject:
            return ()
        # The index ignores the case of ASCII letters only, so the spellings are listed.
        sql = (
            "SELECT id FROM memories WHERE live = 1 AND subject <> '' AND subject COLLATE NOCASE IN "
            "(SELECT value FROM json_each(?)) ORDER BY recency DESC LIMIT ?"
        )
        return tuple(
            int(id)
            for (id,) in self._ctx.db.rows(sql, (json.dumps(sorted(spelling_variants(subject))), MAX_GROUP))
        )

    def _by_words(self, memory: Compared) -> list[int]:
        """Return memories that share its rarest words."""
        words = significant_terms(f"{memory.title} {memory.text}"[:_TEXT])
        if not words:
            return []
        db = self._ctx.db
        longest = sorted(words, key=len, reverse=True)[: term_candidates.MAX_WORDS]
        _, counts = term_candidates.weigh_words(db, longest)
        where = "m.live = 1 AND m.id <> ?"
        return term_candidates.best_matches(db, counts, "", where, (memory.id,), BY_WORDS)


def equal_texts(ctx: Context, memory: Compared) -> list[int]:
    """Return the first few scanned memories with an equal text."""
    return [int(id) for (id,) in ctx.db.rows(_EQUAL_TEXTS, (memory.fingerprint, memory.id, MANY_EQUAL))]
