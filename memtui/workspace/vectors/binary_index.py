"""One bit a number of each vector, all of them in memory: what a search over very many looks at first
(LIMITS 9)."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memtui.workspace.db.database import Database

_PART = 50_000  # rows that are read at a time
_SPARE = 4_096  # memories, or a sixteenth of all, that find room before all is read anew
# Many rows as two texts: less work than a million Python rows.
_PACK = "SELECT count(*), max(memory_id), group_concat(memory_id), group_concat(hex(bits), '') FROM "
_ALL = (
    f"{_PACK} (SELECT memory_id, bits FROM vector_bits WHERE memory_id > ? AND length(bits) = ? "
    "ORDER BY memory_id LIMIT ?)"
)
_SINCE = (
    f"{_PACK} (SELECT memory_id, bits FROM vector_bits WHERE generation > ? AND length(bits) = ? LIMIT ?)"
)


class BinaryIndex:
    """The packed bits of all vectors, a column a memory, kept in step with the table.

    One for all threads of a process: 48 bytes a memory with 384 numbers. What is kept for a memory
    without a vector stays until all is read anew; measuring drops it, since there is nothing to
    measure. Columns are written over in place: a search under way takes up at worst a wrong candidate,
    which is then measured by its vector.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: tuple[str, int] = ("", 0)
        self._turn = -1
        self._ids: NDArray[np.int64] | None = None
        self._words: NDArray[np.uint64] | None = None
        self._sorted = 0  # columns in order of their ids; behind them those that came later
        self._later: dict[int, int] = {}

    def nearest(self, db: Database, vector: bytes, count: int, more: int = 0) -> list[int]:
        """The memories whose bits differ least from those of `vector`, nearest first: `count`, and one
        more for each `more` that there are."""
        import numpy as np

        ids, words = self._current(db)
        asked = np.frombuffer(_filled(packed(vector)), np.uint64)
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
            name, dim, turn = row or ("", 0, 0)
            same = self._ids is not None and (name, dim) == self._model and turn >= self._turn
            if not same or (turn > self._turn and not self._catch_up(db, dim)):
                self._read_anew(db, dim)
            self._model, self._turn = (name, dim), turn
            assert self._ids is not None
            assert self._words is not None
            count = self._sorted + len(self._later)
            return self._ids[:count], self._words[:, :count]

    def _read_anew(self, db: Database, dim: int) -> None:
        rows: list[tuple[Any, ...]] = []
        last, count = -1, _PART
        while count == _PART:
            (row,) = db.rows(_ALL, (last, _width(dim), _PART))
            count, last = row[0], row[1]
            rows.append(row)
        self._sorted, self._later = sum(count for count, *_ in rows), {}
        self._ids, self._words = _unpacked(rows, dim, max(_SPARE, self._sorted // 16))

    def _catch_up(self, db: Database, dim: int) -> bool:
        """Take in what was made since; False where there is no room for it."""
        import numpy as np

        assert self._ids is not None
        assert self._words is not None
        free = len(self._ids) - self._sorted - len(self._later)
        rows = db.rows(_SINCE, (self._turn, _width(dim), free + 1))
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
    """Which numbers of a vector are positive: one bit each, eight a byte, as sqlite-vec has them."""
    import numpy as np

    bits: bytes = np.packbits(np.frombuffer(vector, "<f4") > 0, bitorder="little").tobytes()
    return bits


def _filled(bits: bytes) -> bytes:
    """Filled up to whole words of 64."""
    return bits.ljust(-(-len(bits) // 8) * 8, b"\0")


def _width(dim: int) -> int:
    """Bytes of the bits of so many numbers."""
    return -(-dim // 8)


def _unpacked(
    rows: list[tuple[Any, ...]], dim: int, room: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Ids, and a line for each word of 64 bits with a column for each of them; `room` columns more."""
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
