"""Candidates for a contradiction or duplicate: the few memories worth judging against one (S-40).

Those with the same key or subject, those that their store relates as contradicting, those with the same text,
and the nearest in meaning; for a memory without a vector, those that share its rarest words. Statements are
one per batch of memories, with `json_each`: a scan goes over all memories.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING

from memtui.memory.contradictions.comparison import parsed_memory
from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory
from memtui.memory.contradictions.subjects import normalize_name, spelling_variants
from memtui.memory.ranking import significant_terms
from memtui.values import Fields, SqlRow
from memtui.workspace.db.pair_status import digest_of
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
MAX_KNOWN_PAIRS = 200  # known pairs of one memory that are judged again
CACHED = 20_000  # memories kept parsed
_TEXT = 2_000  # characters searched by words
_READ = (
    "SELECT m.id, m.live, {digest}, CAST(coalesce(m.title, '') AS BLOB), CAST(m.content AS BLOB), "
    "CAST(coalesce(m.subject, '') AS BLOB), CAST(coalesce(m.key, '') AS BLOB), "
    "CAST(coalesce(m.owner, '') AS BLOB), m.valid_from, m.valid_to, coalesce(m.updated_at, m.created_at) "
    "FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value"
).format(digest=digest_of("m"))
_DIGESTS = f"SELECT m.id, {digest_of('m')} FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value"
_BY_IDS = "json_each(?) e CROSS JOIN memories m ON m.id = e.value"
# A name may be shared by many memories (an entity's observations): the first represents them.
_FIRST = (
    "NOT EXISTS (SELECT 1 FROM memories x WHERE x.store_id = {0}.store_id AND x.anchor = {0}.anchor "
    "AND x.id < {0}.id AND x.ref IS NOT NULL AND x.removed_at IS NULL)"
)
_ONE_EACH = f"{_FIRST.format('m')} AND {_FIRST.format('o')}"
# Contradictions stated by relations, of stores or of memtui, from either end.
_MARKED = (
    f"SELECT m.id, o.id FROM {_BY_IDS} JOIN relations r ON r.store_id = m.store_id AND r.source = m.anchor "
    "JOIN memories o ON o.store_id = m.store_id AND o.anchor = r.target "
    f"WHERE m.anchor <> '' AND r.kind LIKE '%contradict%' AND {_ONE_EACH} UNION "
    f"SELECT m.id, o.id FROM {_BY_IDS} JOIN relations r ON r.store_id = m.store_id AND r.target = m.anchor "
    "JOIN memories o ON o.store_id = m.store_id AND o.anchor = r.source "
    f"WHERE m.anchor <> '' AND r.kind LIKE '%contradict%' AND {_ONE_EACH} UNION "
    f"SELECT m.id, o.id FROM {_BY_IDS} JOIN local_relations l ON l.source_id = m.id "
    "JOIN memories o ON o.uid = l.target WHERE l.kind LIKE '%contradict%' UNION "
    f"SELECT m.id, l.source_id FROM {_BY_IDS} JOIN local_relations l ON l.target = m.uid "
    "WHERE l.kind LIKE '%contradict%'"
)
# Contradictions recorded by stores: whether settled, and since when.
_RECORDED = (
    f"SELECT m.id, o.id, a.settled, a.at FROM {_BY_IDS} JOIN side_records a ON a.store_id = m.store_id "
    "AND a.about = m.anchor AND a.via = '' JOIN memories o ON o.store_id = m.store_id AND o.anchor = a.other "
    "WHERE m.anchor <> '' AND a.kind = 'contradiction' AND a.other <> ''"
)
_KNOWN = "SELECT value, {other} FROM json_each(?) CROSS JOIN pairs ON {one} = value ORDER BY pairs.id DESC"
_EQUAL_TEXTS = (
    "SELECT c.memory_id FROM scanned c CROSS JOIN memories m ON m.id = c.memory_id "
    "WHERE c.fingerprint = ? AND c.memory_id <> ? AND m.live = 1 "
    # A queued one may have changed; it finds the others itself.
    "AND c.memory_id NOT IN (SELECT memory_id FROM scan_queue) ORDER BY c.memory_id LIMIT ?"
)


@dataclass(slots=True)
class Compared:
    """A memory prepared for comparison.

    `digest` covers its content, `fingerprint` is equal for texts of one subject that differ only in case,
    spacing and final punctuation, None for no text.
    """

    id: int
    live: bool
    digest: str
    fingerprint: int | None
    text: str
    title: str
    subject: str
    key: str
    context: SqlRow  # what else is compared: owner, valid_from, valid_to, time of change
    _parsed: ParsedMemory | None = None

    @property
    def comparison_key(self) -> tuple[object, ...]:
        """Return a key that is equal while a comparison would have the same result."""
        return self.digest, self.context

    @property
    def parsed(self) -> ParsedMemory:
        """Return the parsed text, parsed on first use."""
        if self._parsed is None:
            owner, valid_from, valid_to, _ = self.context
            self._parsed = parsed_memory.read(
                self.text,
                title=self.title,
                subject=self.subject,
                key=self.key,
                owner=owner,
                valid_from=valid_from,
                valid_to=valid_to,
            )
        return self._parsed


@dataclass(frozen=True, slots=True)
class RecordedContradiction:
    """A contradiction that a store records: whether it is settled, and since when (Unix seconds)."""

    settled: bool
    since: float | None


class Candidates:
    """Finds what the memories of one scan are compared with."""

    def __init__(self, ctx: Context, waiting: int) -> None:
        self._ctx = ctx
        self._near: Neighbors = neighbors(ctx, waiting)
        self._cache: OrderedDict[int, Compared] = OrderedDict()
        self._of_subject = lru_cache(4_096)(self._with_subject)
        self._of_key = lru_cache(4_096)(self._with_key)

    def read(self, ids: Iterable[int], *, fresh: bool = False) -> dict[int, Compared]:
        """Return these memories, from the cache unless `fresh`."""
        wanted = list(ids)
        missing = [id for id in wanted if fresh or id not in self._cache]
        for row in self._ctx.db.rows(_READ, (json.dumps(missing),)) if missing else ():
            self._cache_row(row)
        found = {}
        for id in wanted:
            if (memory := self._cache.get(id)) is not None:
                self._cache.move_to_end(id)
                found[id] = memory
        while len(self._cache) > CACHED:
            self._cache.popitem(last=False)
        return found

    def _cache_row(self, row: SqlRow) -> None:
        id, live, digest = int(row[0]), bool(row[1]), str(row[2])
        known = self._cache.get(id)
        title, content, subject, key, owner = (bytes(each).decode("utf-8", "replace") for each in row[3:8])
        valid_from, valid_to, at = row[8:11]
        mark = _text_fingerprint(title, content, subject)
        context = (owner, valid_from, valid_to, at)
        memory = Compared(id, live, digest, mark, content, title, subject, key, context)
        if known is not None and known.comparison_key == memory.comparison_key:
            memory._parsed = known._parsed
        self._cache[id] = memory

    def find(self, batch: Mapping[int, Compared]) -> dict[int, list[int]]:
        """Return the memories to compare each of these with; some may have been removed since."""
        ids = json.dumps(list(batch))
        marked, known = self.marked(ids), self._known_pairs(ids)
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
        others = self.read({other for each in chain.from_iterable(lists) for other in each})
        return {
            id: [
                *certain[id],
                *self._distinct(memory, grouped.get(id, ()), similar.get(id, ()), others, certain[id]),
            ]
            for id, memory in batch.items()
        }

    @staticmethod
    def prepared(fields: Fields) -> Compared:
        """Return a memory that is not there yet, prepared for comparison."""
        title, content, subject, key, owner = (
            str(fields.get(name) or "") for name in ("title", "content", "subject", "key", "owner")
        )
        context = (owner, fields.get("valid_from"), fields.get("valid_to"), fields.get("updated_at"))
        mark = _text_fingerprint(title, content, subject)
        return Compared(0, True, "", mark, content, title, subject, key, context)

    def of_new(self, memory: Compared) -> list[Compared]:
        """Return the live memories to compare one with that is not there yet."""
        grouped = [*self._nearest(self._of_key(memory.key), None)]
        grouped += self._nearest(self._of_subject(memory.subject), None)
        others = self.read(dict.fromkeys([*grouped, *self._by_words(memory)]))
        return [each for each in others.values() if each.live and each.fingerprint is not None]

    def without_vectors(self, ids: Iterable[int]) -> int:
        """Return how many of these have a text but no vector yet."""
        sql = (
            f"SELECT count(*) FROM {_BY_IDS} WHERE m.content <> '' "
            "AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.memory_id = m.id)"
        )
        return int(self._ctx.db.one(sql, (json.dumps(list(ids)),)))

    def marked(self, ids: str) -> dict[int, set[int]]:
        """Return the memories that each is related to as contradicting."""
        return _grouped(self._ctx.db.rows(_MARKED, (ids,) * 4))

    def recorded(self, ids: str) -> dict[tuple[int, int], RecordedContradiction]:
        """Return the contradictions that stores record, by the two row ids, the smaller first."""
        found: dict[tuple[int, int], RecordedContradiction] = {}
        for id, other, settled, at in self._ctx.db.rows(_RECORDED, (ids,)):
            pair = (min(id, other), max(id, other))
            before = found.get(pair, RecordedContradiction(True, None))
            times = [each for each in (before.since, at) if each is not None]
            found[pair] = RecordedContradiction(before.settled and bool(settled), min(times, default=None))
        return found

    def _known_pairs(self, ids: str) -> dict[int, list[int]]:
        """Return what each was found to be paired with before, to be judged again."""
        rows: list[tuple[int, int]] = []
        for one, other in (("a", "b"), ("b", "a")):
            rows += self._ctx.db.rows(_KNOWN.format(one=one, other=other), (ids,))
        return {id: sorted(others, reverse=True)[:MAX_KNOWN_PAIRS] for id, others in _grouped(rows).items()}

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


def current_digests(ctx: Context, ids: Iterable[int]) -> dict[int, str]:
    """Return the digests of these memories as they are now; a verdict holds as long as they are the same."""
    return {int(id): str(digest) for id, digest in ctx.db.rows(_DIGESTS, (json.dumps(list(ids)),))}


def _text_fingerprint(title: str, content: str, subject: str) -> int | None:
    whole = content if not title or title in content else f"{title}. {content}"
    return fingerprint(f"{normalize_name(subject)}\x1f{whole}") if whole.strip() else None


def fingerprint(text: str) -> int | None:
    """Return a number equal for texts that differ only in case, spacing and final punctuation."""
    plain = " ".join(text.casefold().split()).rstrip(" .,;:!?…。")
    if not plain:
        return None
    return int.from_bytes(blake2b(plain.encode("utf-8", "replace"), digest_size=8).digest(), signed=True)


def _grouped(rows: Iterable[SqlRow]) -> dict[int, set[int]]:
    groups: dict[int, set[int]] = {}
    for id, other in rows:
        groups.setdefault(int(id), set()).add(int(other))
    return groups
