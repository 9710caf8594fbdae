"""Nearest neighbors in meaning: for many memories by one table of all vectors, for a few one by one (S-40;
LIMITS 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from memtui.workspace.vectors import vector_store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memtui.workspace.context import Context

CLOSE = 0.4  # the least cosine of two memories that may contradict each other (LIMITS 10)
MANY = 200  # memories from which a table of all vectors pays
MOST = 100_000  # vectors that a table may hold
_LIVE = "FROM vectors v CROSS JOIN memories m ON m.id = v.memory_id WHERE m.live = 1"
_OF = "SELECT v.memory_id, v.vector FROM json_each(?) e CROSS JOIN vectors v ON v.memory_id = e.value"


class Neighbors(Protocol):
    """Finds neighbors; memories that have no vector yet are skipped."""

    def near(self, vectors: Mapping[int, bytes], most: int) -> dict[int, list[int]]:
        """Return, for each of these memories, the live ones at CLOSE or nearer, nearest first."""
        ...

    def nearest(self, vector: bytes, ids: Sequence[int], most: int) -> list[int]:
        """Return the `most` nearest of `ids`, however far."""
        ...


def neighbors(ctx: Context, waiting: int) -> Neighbors:
    """Return whichever implementation is less work for this many memories."""
    stored = int(ctx.db.one("SELECT count(*) FROM vector_bits")) if waiting >= MANY else 0
    return _Table(ctx) if 0 < stored <= MOST else _OneByOne(ctx)


class _OneByOne:
    """Queries the vector store for each memory."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    def near(self, vectors_of: Mapping[int, bytes], most: int) -> dict[int, list[int]]:
        ctx = self._ctx
        return {
            id: [
                other
                for other, cosine in vector_store.nearest(
                    ctx.db, ctx.model.bits, vector, most + 1, "m.live = 1", ()
                )
                if cosine >= CLOSE and other != id
            ]
            for id, vector in vectors_of.items()
        }

    def nearest(self, vector: bytes, ids: Sequence[int], most: int) -> list[int]:
        return [id for id, _ in vector_store.measured(self._ctx.db, vector, ids)[:most]]


class _Table:
    """All vectors as they were when the scan began; a later one is queued for a scan of its own."""

    def __init__(self, ctx: Context) -> None:
        import numpy as np

        dim = (vector_store.made_by(ctx.db) or ("", 0))[1]
        rows = ctx.db.rows(f"SELECT v.memory_id, v.vector {_LIVE} AND length(v.vector) = ?", (4 * dim,))
        table: NDArray[np.float32] = np.frombuffer(b"".join(row[1] for row in rows), "<f4").reshape(
            -1, max(1, dim)
        )
        squares = np.einsum("ij,ij->i", table, table)
        valid = np.abs(squares - 1.0) <= vector_store.NORM_TOLERANCE  # False for NaN
        self._table = table if valid.all() else table[valid]
        self._ids = np.array([row[0] for row in rows], np.int64)[valid]
        self._places = {int(id): place for place, id in enumerate(self._ids)}

    def near(self, vectors_of: Mapping[int, bytes], most: int) -> dict[int, list[int]]:
        import numpy as np

        ids = [id for id, vector in vectors_of.items() if len(vector) == 4 * self._table.shape[1]]
        if not ids:
            return {}
        asked = np.frombuffer(b"".join(vectors_of[id] for id in ids), "<f4").reshape(len(ids), -1)
        found = {}
        for id, cosines in zip(ids, asked @ self._table.T, strict=True):
            close = np.flatnonzero(cosines >= CLOSE)
            if len(close) > most + 1:
                close = close[np.argpartition(-cosines[close], most + 1)[: most + 1]]
            order = close[np.argsort(-cosines[close], kind="stable")]
            found[id] = [int(other) for other in self._ids[order] if other != id]
        return found

    def nearest(self, vector: bytes, ids: Sequence[int], most: int) -> list[int]:
        import numpy as np

        known = [id for id in ids if id in self._places]
        if len(vector) != 4 * self._table.shape[1] or not known:
            return []
        cosines = self._table[[self._places[id] for id in known]] @ np.frombuffer(vector, "<f4")
        return [known[place] for place in np.argsort(-cosines, kind="stable")[:most]]


def vectors_of(ctx: Context, ids: str) -> dict[int, bytes]:
    """Return the vectors of these memories (ids as JSON) that have one."""
    return {int(id): vector for id, vector in ctx.db.rows(_OF, (ids,)) if isinstance(vector, bytes)}
