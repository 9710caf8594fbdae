"""Storing the vectors of memories and finding the nearest (S-30; LIMITS 9).

Over a small or filtered set every vector is measured by sqlite-vec. Over a large one, the binary index in
memory (`binary_index.py`) selects a few hundred candidates, which are then measured exactly.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.values import SqlValue
from memtui.workspace.db.models import EmbeddingModel, EmbeddingQueue, Vector, VectorBits
from memtui.workspace.vectors.binary_index import BinaryIndex, packed

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

MAX_EXHAUSTIVE = 2_000  # up to so many vectors, all are measured
# Candidates of the binary index to measure; the next number where a filter leaves too few of them.
CANDIDATE_COUNTS = (240, 3_200, 25_600)
VECTORS_PER_EXTRA = 10_000  # one more candidate per so many vectors
MIN_PASSING = 160  # measured candidates that pass the filter
NORM_TOLERANCE = 1e-3  # tolerance for the length of a unit vector
# The CASE skips vectors of another dimension, which would fail the whole query.
_PASSING = " JOIN memories m ON m.id = v.memory_id WHERE "
_NEAREST = (
    "SELECT v.memory_id, CASE WHEN length(v.vector) = ? THEN 1.0 - vec_distance_cosine(v.vector, ?) END "
    "AS cosine FROM {source}"
)


def nearest(
    db: Database, bits: BinaryIndex, vector: bytes, count: int, where: str, values: Sequence[SqlValue]
) -> list[tuple[int, float]]:
    """Return the `count` memories nearest by cosine that meet a condition on `m`, as (row id, cosine),
    nearest first."""
    if _has_few(db):
        return _best(db, f"vectors v{_PASSING}{where}", values, vector, count)
    wanted, needed = max(MIN_PASSING, 4 * count), 0.0
    for reach in CANDIDATE_COUNTS:
        if reach < needed:
            continue
        ids = bits.nearest(db, vector, reach, VECTORS_PER_EXTRA)
        found = measured(db, vector, ids)
        # If most pass the filter, checking the nearest is enough.
        head = _passing(db, found[: 4 * count], where, values)
        if len(head) >= max(count, 2 * count * len(found[: 4 * count]) // (4 * count)):
            return head[:count]
        found = _passing(db, found, where, values)
        if len(found) >= wanted or len(ids) < reach:
            return found[:count]
        needed = reach * wanted / max(0.5, len(found)) / 2  # half of the estimate, to skip no useful reach
    # The filter passes few memories: measure all of them.
    few = f"(SELECT m.id FROM memories m WHERE {where}) f CROSS JOIN vectors v ON v.memory_id = f.id"
    return _best(db, few, values, vector, count)


def measured(db: Database, vector: bytes, ids: Sequence[int]) -> list[tuple[int, float]]:
    """Return (row id, cosine) for those of these memories that have a vector, nearest first."""
    source = "json_each(?) e CROSS JOIN vectors v ON v.memory_id = e.value"
    return _best(db, source, (json.dumps(list(ids)),), vector, -1)


def _passing(
    db: Database, found: Sequence[tuple[int, float]], where: str, values: Sequence[SqlValue]
) -> list[tuple[int, float]]:
    sql = f"SELECT m.id FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value WHERE {where}"
    passing = {row[0] for row in db.rows(sql, (json.dumps([id for id, _ in found]), *values))}
    return [each for each in found if each[0] in passing]


def _best(
    db: Database, source: str, bindings: Sequence[SqlValue], vector: bytes, count: int
) -> list[tuple[int, float]]:
    sql = (
        f"SELECT memory_id, cosine FROM ({_NEAREST.format(source=source)}) "
        "WHERE cosine IS NOT NULL ORDER BY cosine DESC, memory_id LIMIT ?"
    )
    rows = db.connection().execute(sql, (len(vector), vector, *bindings, count))
    return [(int(id), float(cosine)) for id, cosine in rows]


def _has_few(db: Database) -> bool:
    return (
        int(db.one("SELECT count(*) FROM (SELECT 1 FROM vector_bits LIMIT ?)", (MAX_EXHAUSTIVE + 1,)))
        <= MAX_EXHAUSTIVE
    )


def is_valid(vector: bytes, dim: int) -> bool:
    """Return whether these bytes are `dim` float32 numbers of total length 1 (never so with NaN)."""
    import numpy as np

    if len(vector) != 4 * dim:
        return False
    numbers = np.frombuffer(vector, "<f4")
    return bool(abs(float(numbers @ numbers) - 1.0) <= NORM_TOLERANCE)


def keep(db: Database, made: Sequence[tuple[int, bytes, bytes]], texts: str) -> int:
    """Store vectors, given as (row id, text embedded, vector), in the caller's transaction; return how many.

    Memories whose text has changed meanwhile are left in the queue. `texts` is the SQL expression for the
    text of `m` that is embedded.
    """
    ids = json.dumps([id for id, _, _ in made])
    current: dict[int, bytes] = dict(
        db.rows(f"SELECT m.id, {texts} FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value", (ids,))
    )
    kept = [(id, vector) for id, text, vector in made if current.get(id) == text]
    generation = db.one("UPDATE embedding_model SET generation = generation + 1 RETURNING generation")
    db.insert_many(Vector, ("memory_id", "vector"), kept, replace=True)
    rows = [(id, generation, packed(vector)) for id, vector in kept]
    db.insert_many(VectorBits, ("memory_id", "generation", "bits"), rows, replace=True)
    db.delete_many(EmbeddingQueue, ("memory_id",), [(id,) for id, _ in kept])
    return len(kept)


def made_by(db: Database) -> tuple[str, int] | None:
    """Return the name and dimension of the model that made the vectors; None before the first."""
    # Asked before each search: a model instance would cost as much as the search of a small workspace.
    row = db.connection().execute("SELECT name, dim FROM embedding_model").fetchone()
    return None if row is None else (str(row[0]), int(row[1]))


def begin(db: Database, name: str, dim: int) -> bool:
    """Record the model of the vectors. If it is another one, delete all vectors, queue all memories and
    return True (S-35)."""
    if made_by(db) == (name, dim):
        return False
    with db.atomic():
        if made_by(db) == (name, dim):  # another memtui did it
            return False
        known = db.find(EmbeddingModel, 1)
        generation = known.generation + 1 if known is not None else 1
        for model in (Vector, VectorBits, EmbeddingQueue):
            db.write(model.delete())
        db.run("INSERT INTO embedding_queue (memory_id) SELECT id FROM memories WHERE content <> ''")
        row = EmbeddingModel.insert(id=1, name=name, dim=dim, generation=generation)
        db.write(row.on_conflict_replace())
    return True


def interpolated(vector: bytes, other: bytes, part: float) -> bytes:
    """Return the vector `part` (0 to 1) of the way from one to the other."""
    import numpy as np

    between = (1.0 - part) * np.frombuffer(vector, "<f4") + part * np.frombuffer(other, "<f4")
    result: bytes = between.astype("<f4").tobytes()
    return result


def similarities(db: Database, ids: Sequence[int]) -> list[list[float]]:
    """Return the cosines between these memories as a square table in their order; 0 without a valid
    vector."""
    import numpy as np

    dim = (made_by(db) or ("", 0))[1]
    sql = "SELECT v.memory_id, v.vector FROM json_each(?) e CROSS JOIN vectors v ON v.memory_id = e.value"
    found: dict[int, bytes] = dict(db.rows(sql, (json.dumps(list(ids)),)))
    table = np.zeros((len(ids), max(1, dim)), "<f4")
    for place, id in enumerate(ids):
        if id in found and is_valid(found[id], dim):
            table[place] = np.frombuffer(found[id], "<f4")
    cosines: list[list[float]] = (table @ table.T).tolist()
    return cosines
