"""Memories as they are compared: read once, parsed once, and equal where a comparison would be (S-40)."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from memtui.memory.contradictions.comparison import parsed_memory
from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory
from memtui.memory.contradictions.subjects import normalize_name
from memtui.values import Fields, SqlRow
from memtui.workspace.db.pair_status import digest_of

if TYPE_CHECKING:
    from memtui.workspace.context import Context

CACHED = 20_000  # memories kept parsed
_READ = (
    "SELECT m.id, m.live, {digest}, CAST(coalesce(m.title, '') AS BLOB), CAST(m.content AS BLOB), "
    "CAST(coalesce(m.subject, '') AS BLOB), CAST(coalesce(m.key, '') AS BLOB), "
    "CAST(coalesce(m.owner, '') AS BLOB), m.valid_from, m.valid_to, coalesce(m.updated_at, m.created_at) "
    "FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value"
).format(digest=digest_of("m"))
_DIGESTS = f"SELECT m.id, {digest_of('m')} FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value"


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
            self._parsed = _parsed(
                self.text,
                title=self.title,
                subject=self.subject,
                key=self.key,
                owner=owner,
                valid_from=valid_from,
                valid_to=valid_to,
            )
        return self._parsed


# An agent that stores one memory after another has each compared with much the same ones.
_parsed = lru_cache(1_000)(parsed_memory.read)


class ComparedMemories:
    """The memories of one scan, those read last kept parsed."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._cache: OrderedDict[int, Compared] = OrderedDict()

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


def prepared(fields: Fields) -> Compared:
    """Return a memory that is not there yet, prepared for comparison."""
    title, content, subject, key, owner = (
        str(fields.get(name) or "") for name in ("title", "content", "subject", "key", "owner")
    )
    context = (owner, fields.get("valid_from"), fields.get("valid_to"), fields.get("updated_at"))
    mark = _text_fingerprint(title, content, subject)
    return Compared(0, True, "", mark, content, title, subject, key, context)


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
