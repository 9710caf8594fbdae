"""An index of one bit per dimension of each vector, held in memory, for the first pass of a search over very
many (LIMITS 9).

Its queries return many rows as two texts: a million Python rows would cost seconds.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from memtui.values import SqlRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memtui.workspace.db.database import Database

_PART = 50_000  # rows read at a time
_SPARE = 4_096  # columns, or a sixteenth of all, reserved for new memories before a full reload
_PACK = "SELECT count(*), max(memory_id), group_concat(memory_id), group_concat(hex(bits), '') FROM "
_ALL = (
    f"{_PACK} (SELECT memory_id, bits FROM vector_bits WHERE memory_id > ? AND length(bits) = ? "
    "ORDER BY memory_id LIMIT ?)"
)
_SINCE = (
    f"{_PACK} (SELECT memory_id, bits FROM vector_bits WHERE generation > ? AND length(bits) = ? LIMIT ?)"
)


class BinaryIndex:
    """The packed bits of all vectors, one column per memory, kept in step with the table.

    Shared by all threads of a process: 48 bytes per memory with 384 dimensions. Columns of memories that lost
    their vector stay until the next full reload; exact measuring drops them. Columns are overwritten in
    place: a search under way at worst gets a wrong candidate, which exact measuring ranks correctly.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: tuple[str, int] = ("", 0)
        self._generation = -1
        self._ids: NDArray[np.int64] | None = None
        self._words: NDArray[np.uint64] | None = None
        self._sorted = 0  # columns in order of their ids; the later ones follow
        self._later: dict[int, int] = {}

    def nearest(self, db: Database, vector: bytes, count: int, more: int = 0) -> list[int]:
        """Return the `count` memories whose bits differ least from those of `vector`, nearest first, and one
        more per `more` vectors in the index."""
        import numpy as np

        ids, words = self._current(db)
        asked = np.frombuffer(_padded(packed(vector)), np.uint64)
        if not len(ids) or len(asked) != len(words):
            return []
        count += len(ids) // more if more else 0
        distance = np.bitwise_count(words[0] ^ asked[0]).astype(np.uint16)
        for word in range(1, len(words)):
            distance += np.bitwise_count(words[word] ^ asked[word])
        best = np.arange(len(ids))
        if count < len(ids):
            farthest = int(np.searchsorted(np.cumsum(np.bincount(distance)), count))
            best = np.flatnonzero(distance <= farthest)
        best = best[np.argsort(distance[best], kind="stable")][:count]
        found: list[int] = ids[best].tolist()
        return found

    def _current(self, db: Database) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        with self._lock:
            row = db.connection().execute("SELECT name, dim, generation FROM embedding_model").fetchone()
            name, dim, generation = row or ("", 0, 0)
            same = self._ids is not None and (name, dim) == self._model and generation >= self._generation
            if not same or (generation > self._generation and not self._catch_up(db, dim)):
                self._reload(db, dim)
            self._model, self._generation = (name, dim), generation
            assert self._ids is not None
            assert self._words is not None
            count = self._sorted + len(self._later)
            return self._ids[:count], self._words[:, :count]

    def _reload(self, db: Database, dim: int) -> None:
        rows: list[SqlRow] = []
        last, count = -1, _PART
        while count == _PART:
            (row,) = db.rows(_ALL, (last, _width(dim), _PART))
            count, last = row[0], row[1]
            rows.append(row)
        self._sorted, self._later = sum(count for count, *_ in rows), {}
        self._ids, self._words = _unpacked(rows, dim, max(_SPARE, self._sorted // 16))

    def _catch_up(self, db: Database, dim: int) -> bool:
        """Add the vectors made since the last generation; return False if there is no room for them."""
        import numpy as np

        assert self._ids is not None
        assert self._words is not None
        free = len(self._ids) - self._sorted - len(self._later)
        rows = db.rows(_SINCE, (self._generation, _width(dim), free + 1))
        ids, words = _unpacked(rows, dim)
        if len(ids) > free:
            return False
        places = np.searchsorted(self._ids[: self._sorted], ids).tolist()
        for column, (id, place) in enumerate(zip(ids.tolist(), places, strict=True)):
            if place == self._sorted or self._ids[place] != id:
                place = self._later.setdefault(id, self._sorted + len(self._later))
            self._ids[place], self._words[:, place] = id, words[:, column]
        return True


def packed(vector: bytes) -> bytes:
    """Return one bit per dimension for whether it is positive, eight to a byte, in sqlite-vec's order."""
    import numpy as np

    bits: bytes = np.packbits(np.frombuffer(vector, "<f4") > 0, bitorder="little").tobytes()
    return bits


def _padded(bits: bytes) -> bytes:
    """Pad to whole words of 64 bits."""
    return bits.ljust(-(-len(bits) // 8) * 8, b"\0")


def _width(dim: int) -> int:
    """Return the bytes needed for one bit per dimension."""
    return -(-dim // 8)


def _unpacked(rows: list[SqlRow], dim: int, room: int = 0) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return ids, and a table with a row per 64-bit word and a column per id; `room` spare columns."""
    import numpy as np

    width = _width(dim)
    wide = -(-width // 8)
    total = sum(count for count, *_ in rows)
    ids = np.zeros(total + room, np.int64)
    words = np.zeros((wide, total + room), np.uint64)
    start = 0
    for count, _, names, hexed in rows:
        if count:
            end = start + count
            table = np.zeros((count, wide * 8), np.uint8)
            table[:, :width] = np.frombuffer(bytes.fromhex(hexed), np.uint8).reshape(count, width)
            ids[start:end] = np.fromstring(names, np.int64, sep=",")
            words[:, start:end] = table.view(np.uint64).T
            start = end
    return ids, words
