"""With which memories one may clash or repeat itself: the few that are worth judging (S-40).

The same key or subject, what their store says to contradict, the same text, and what lies near in
meaning; where a memory has no vector yet, what shares its rarest words.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Any

from memtui.memory import contradictions
from memtui.memory.contradictions import ParsedMemory
from memtui.memory.contradictions.subjects import normalize_name, spelling_variants
from memtui.memory.ranking import telling
from memtui.workspace.db.pair_status import said_by
from memtui.workspace.search import term_candidates
from memtui.workspace.vectors.neighbors import Neighbors, neighbours, vectors_of

if TYPE_CHECKING:
    from memtui.workspace.context import Context

NEAR = 40  # neighbours in meaning of one memory
CROWD = 3  # how many times as many are looked at, since equal texts may crowd the others out
GROUP = 40  # of one subject or key; of more the nearest, else the newest
WIDEST = 2_000  # of one subject or key that are looked at at all
WORDY = 20  # neighbours by words
CHAIN = 1  # equal texts that one more is held against; it waits again when that one goes
ECHOES = 5  # equal texts, beyond which one more is held against nothing else: the first ones stand for it
KEPT = 200  # pairs of one memory that are judged again
SIDES = 20_000  # memories that are kept as read
_TEXT = 2_000  # characters that are looked up by words
_READ = (
    "SELECT m.id, m.live, {said}, CAST(coalesce(m.title, '') AS BLOB), CAST(m.content AS BLOB), "
    "CAST(coalesce(m.subject, '') AS BLOB), CAST(coalesce(m.key, '') AS BLOB), "
    "CAST(coalesce(m.owner, '') AS BLOB), m.valid_from, m.valid_to, coalesce(m.updated_at, m.created_at) "
    "FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value"
).format(said=said_by("m"))
_SAID = f"SELECT m.id, {said_by('m')} FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value"
_THESE = "json_each(?) e CROSS JOIN memories m ON m.id = e.value"
# A name may stand for many memories (an entity's observations): then the first speaks for them.
_FIRST = (
    "NOT EXISTS (SELECT 1 FROM memories x WHERE x.store_id = {0}.store_id AND x.anchor = {0}.anchor "
    "AND x.id < {0}.id AND x.ref IS NOT NULL AND x.removed_at IS NULL)"
)
_ONE_EACH = f"{_FIRST.format('m')} AND {_FIRST.format('o')}"
# What stores or persons say to contradict each other, from either end.
_MARKED = (
    f"SELECT m.id, o.id FROM {_THESE} JOIN relations r ON r.store_id = m.store_id AND r.source = m.anchor "
    "JOIN memories o ON o.store_id = m.store_id AND o.anchor = r.target "
    f"WHERE m.anchor <> '' AND r.kind LIKE '%contradict%' AND {_ONE_EACH} UNION "
    f"SELECT m.id, o.id FROM {_THESE} JOIN relations r ON r.store_id = m.store_id AND r.target = m.anchor "
    "JOIN memories o ON o.store_id = m.store_id AND o.anchor = r.source "
    f"WHERE m.anchor <> '' AND r.kind LIKE '%contradict%' AND {_ONE_EACH} UNION "
    f"SELECT m.id, o.id FROM {_THESE} JOIN local_relations t ON t.source_id = m.id JOIN memories o ON o.uid = t.target "
    "WHERE t.kind LIKE '%contradict%' UNION "
    f"SELECT m.id, t.source_id FROM {_THESE} JOIN local_relations t ON t.target = m.uid WHERE t.kind LIKE '%contradict%'"
)
# What stores say of two of their memories that contradict each other: whether it is settled, and since when.
_TOLD = (
    f"SELECT m.id, o.id, a.settled, a.at FROM {_THESE} JOIN side_records a ON a.store_id = m.store_id "
    "AND a.about = m.anchor AND a.via = '' JOIN memories o ON o.store_id = m.store_id AND o.anchor = a.other "
    "WHERE m.anchor <> '' AND a.kind = 'contradiction' AND a.other <> ''"
)
_HELD = "SELECT value, {other} FROM json_each(?) CROSS JOIN pairs ON {one} = value ORDER BY pairs.id DESC"
_SAME = (
    "SELECT c.memory_id FROM scanned c CROSS JOIN memories m ON m.id = c.memory_id "
    "WHERE c.fingerprint = ? AND c.memory_id <> ? AND m.live = 1 "
    # One that waits may say something else by now; it looks for the others itself.
    "AND c.memory_id NOT IN (SELECT memory_id FROM scan_queue) ORDER BY c.memory_id LIMIT ?"
)


@dataclass(slots=True)
class Compared:
    """A memory as it is compared: `said` is the digest of what it says, `gist` the same number for texts
    of one subject that differ in case, spaces and end punctuation alone, None for no text."""

    id: int
    live: bool
    said: str
    gist: int | None
    text: str
    title: str
    subject: str
    key: str
    beside: tuple[Any, ...]  # what else is compared: the owner and times
    _side: ParsedMemory | None = None

    @property
    def as_compared(self) -> tuple[Any, ...]:
        """The same while a comparison would come to the same."""
        return self.said, self.beside

    @property
    def side(self) -> ParsedMemory:
        """Taken apart: the dear half, so only for what is judged, and once."""
        if self._side is None:
            owner, valid_from, valid_to, at = self.beside
            self._side = contradictions.read(
                self.text,
                title=self.title,
                subject=self.subject,
                key=self.key,
                owner=owner,
                valid_from=valid_from,
                valid_to=valid_to,
                at=at,
            )
        return self._side


@dataclass(frozen=True, slots=True)
class Word:
    """A store's own word on two memories: whether their contradiction is settled, and since when it is known
    (Unix seconds)."""

    settled: bool
    since: float | None


class Candidates:
    """Whom the memories of one sweep are held against."""

    def __init__(self, ctx: Context, waiting: int) -> None:
        self._ctx = ctx
        self._near: Neighbors = neighbours(ctx, waiting)
        self._sides: OrderedDict[int, Compared] = OrderedDict()
        self._of_subject = lru_cache(4_096)(self._with_subject)
        self._of_key = lru_cache(4_096)(self._with_key)

    def read(self, ids: Iterable[int], *, anew: bool = False) -> dict[int, Compared]:
        """What these memories say; with `anew`, as they do now."""
        wanted = list(ids)
        missing = [id for id in wanted if anew or id not in self._sides]
        for row in self._ctx.db.rows(_READ, (json.dumps(missing),)) if missing else ():
            self._take(row)
        found = {}
        for id in wanted:
            if (told := self._sides.get(id)) is not None:
                self._sides.move_to_end(id)
                found[id] = told
        while len(self._sides) > SIDES:
            self._sides.popitem(last=False)
        return found

    def _take(self, row: tuple[Any, ...]) -> None:
        id, live, said = int(row[0]), bool(row[1]), str(row[2])
        known = self._sides.get(id)
        title, content, subject, key, owner = (bytes(each).decode("utf-8", "replace") for each in row[3:8])
        whole = content if not title or title in content else f"{title}. {content}"
        valid_from, valid_to, at = row[8:11]
        same = gist(f"{normalize_name(subject)}\x1f{whole}") if whole.strip() else None
        beside = (owner, valid_from, valid_to, at)
        told = Compared(id, live, said, same, content, title, subject, key, beside)
        if known is not None and known.as_compared == told.as_compared:
            told._side = known._side
        self._sides[id] = told

    def of(self, batch: Mapping[int, Compared]) -> dict[int, list[int]]:
        """The other memories that each of these is to be held against; they may have gone since."""
        ids = json.dumps(list(batch))
        marked, held = self.marked(ids), self._held(ids)
        vectors = vectors_of(self._ctx, ids)
        near = self._near.near(vectors, CROWD * NEAR)
        first: dict[int, list[int]] = {}
        grouped: dict[int, list[int]] = {}
        beside: dict[int, Sequence[int]] = {}
        sure: dict[int, set[int]] = {}
        for id, told in batch.items():
            vector = vectors.get(id)
            same = self._same(told, first)
            sure[id] = {*marked.get(id, ()), *held.get(id, ()), *same[:CHAIN]} - {id}
            if len(same) >= ECHOES:
                continue
            beside[id] = near.get(id, ()) if vector is not None else self._by_words(told)
            of_key = self._few(self._of_key(told.key), vector)
            grouped[id] = [*of_key, *self._few(self._of_subject(told.subject), vector)]
        wide = (sure.values(), grouped.values(), beside.values())
        others = self.read({other for each in chain.from_iterable(wide) for other in each})
        return {
            id: [*sure[id], *self._varied(told, grouped.get(id, ()), beside.get(id, ()), others, sure[id])]
            for id, told in batch.items()
        }

    def without_vectors(self, ids: Iterable[int]) -> int:
        """How many of these have a text, but no vector yet."""
        sql = (
            f"SELECT count(*) FROM {_THESE} WHERE m.content <> '' "
            "AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.memory_id = m.id)"
        )
        return int(self._ctx.db.one(sql, (json.dumps(list(ids)),)))

    def marked(self, ids: str) -> dict[int, set[int]]:
        """Whom each is said to contradict."""
        return _grouped(self._ctx.db.rows(_MARKED, (ids,) * 4))

    def told(self, ids: str) -> dict[tuple[int, int], Word]:
        """What stores say of their contradictions, by the two memories (the smaller row first)."""
        found: dict[tuple[int, int], Word] = {}
        for one, other, settled, at in self._ctx.db.rows(_TOLD, (ids,)):
            pair = (min(one, other), max(one, other))
            before = found.get(pair, Word(True, None))
            times = [each for each in (before.since, at) if each is not None]
            found[pair] = Word(before.settled and bool(settled), min(times, default=None))
        return found

    def _held(self, ids: str) -> dict[int, list[int]]:
        """With whom each was found before: whether that still stands is judged again."""
        rows: list[tuple[int, int]] = []
        for one, other in (("a", "b"), ("b", "a")):
            rows += self._ctx.db.rows(_HELD.format(one=one, other=other), (ids,))
        return {id: sorted(others, reverse=True)[:KEPT] for id, others in _grouped(rows).items()}

    def _same(self, told: Compared, first: dict[int, list[int]]) -> list[int]:
        """The first few that say the same letter by letter."""
        if told.gist is None:
            return []
        before = first.setdefault(told.gist, [])
        same = list(dict.fromkeys([*echoes(self._ctx, told), *before]))[:ECHOES]
        before.append(told.id)
        return same

    def _few(self, ids: Sequence[int], vector: bytes | None) -> Sequence[int]:
        if len(ids) <= GROUP:
            return ids
        return (self._near.nearest(vector, ids, GROUP) if vector is not None else ()) or ids[:GROUP]

    def _varied(
        self,
        told: Compared,
        grouped: Sequence[int],
        beside: Sequence[int],
        others: Mapping[int, Compared],
        sure: Set[int],
    ) -> list[int]:
        """Of what may clash: none that says the very same, of equal texts the first, not too many."""
        found: dict[int, int] = {}  # by gist
        for ids, most in ((grouped, 2 * GROUP), (beside, NEAR)):
            room = len(found) + most
            for id in ids:
                other = others.get(id)
                if other is None or id == told.id or id in sure or not other.live or other.gist is None:
                    continue
                if other.gist != told.gist and len(found) < room:
                    found.setdefault(other.gist, id)
        return list(found.values())

    def _with_key(self, key: str) -> tuple[int, ...]:
        if not key:
            return ()
        sql = "SELECT id FROM memories WHERE live = 1 AND key <> '' AND key = ? ORDER BY recency DESC LIMIT ?"
        return tuple(int(id) for (id,) in self._ctx.db.rows(sql, (key, WIDEST)))

    def _with_subject(self, subject: str) -> tuple[int, ...]:
        if not subject:
            return ()
        # The index folds ASCII letters; the others as people write them.
        sql = (
            "SELECT id FROM memories WHERE live = 1 AND subject <> '' AND subject COLLATE NOCASE IN "
            "(SELECT value FROM json_each(?)) ORDER BY recency DESC LIMIT ?"
        )
        return tuple(
            int(id) for (id,) in self._ctx.db.rows(sql, (json.dumps(sorted(spelling_variants(subject))), WIDEST))
        )

    def _by_words(self, told: Compared) -> list[int]:
        """Those that share its rarest words."""
        words = telling(f"{told.title} {told.text}"[:_TEXT])
        if not words:
            return []
        db = self._ctx.db
        _, counts = term_candidates.weigh(db, sorted(words, key=len, reverse=True)[: term_candidates.WORDS])
        return term_candidates.found(db, counts, "", "m.live = 1 AND m.id <> ?", (told.id,), WORDY)


def echoes(ctx: Context, told: Compared) -> list[int]:
    """The first few of those that were compared and say the same letter by letter."""
    return [int(id) for (id,) in ctx.db.rows(_SAME, (told.gist, told.id, ECHOES))]


def said_now(ctx: Context, ids: Iterable[int]) -> dict[int, str]:
    """The digests of what these memories say now: a verdict keeps them, and holds while they stay."""
    return {int(id): str(said) for id, said in ctx.db.rows(_SAID, (json.dumps(list(ids)),))}


def gist(text: str) -> int | None:
    """The same number for texts that differ in case, spaces and end punctuation alone."""
    plain = " ".join(text.casefold().split()).rstrip(" .,;:!?…。")
    if not plain:
        return None
    return int.from_bytes(blake2b(plain.encode("utf-8", "replace"), digest_size=8).digest(), signed=True)


def _grouped(rows: Iterable[tuple[Any, ...]]) -> dict[int, set[int]]:
    out: dict[int, set[int]] = {}
    for one, other in rows:
        out.setdefault(int(one), set()).add(int(other))
    return out
