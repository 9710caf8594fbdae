"""Vectors by memory: kept, and the nearest found (S-30; LIMITS 9).

Over a small or filtered set every vector is measured by sqlite-vec. Over a large one the bits of all
vectors, packed in memory (`bits.py`), tell the few hundred that are worth measuring.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memtui.workspace.vectors.binary_index import BinaryIndex, packed

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

SMALL = 2_000  # vectors that are all measured
# How many of the nearest by bits are measured: more where a filter leaves too few of them.
REACH = (240, 3_200, 25_600)
MORE = 10_000  # one more is measured for each so many vectors that there are
ENOUGH = 160  # of those measured that pass the filter
SLACK = 1e-3  # by which a unit vector may be longer or shorter
# A vector of another length would end the whole query.
_PASSING = " JOIN memories m ON m.id = v.memory_id WHERE "
_NEAREST = (
    "SELECT v.memory_id, CASE WHEN length(v.vector) = ? THEN 1.0 - vec_distance_cosine(v.vector, ?) END "
    "AS cosine FROM {source}"
)


def nearest(
    db: Database, bits: BinaryIndex, vector: bytes, count: int, where: str, values: Sequence[Any]
) -> list[tuple[int, float]]:
    """The `count` memories that pass a condition on `m` and lie nearest by cosine, nearest first."""
    if _few(db):
        return _best(db, f"vectors v{_PASSING}{where}", values, vector, count)
    wanted, needed = max(ENOUGH, 4 * count), 0.0
    for reach in REACH:
        if reach < needed:
            continue
        ids = bits.nearest(db, vector, reach, MORE)
        found = measured(db, vector, ids)
        # Where most pass, only the nearest need be asked.
        head = _passing(db, found[: 4 * count], where, values)
        if len(head) >= max(count, 2 * count * len(found[: 4 * count]) // (4 * count)):
            return head[:count]
        found = _passing(db, found, where, values)
        if len(found) >= wanted or len(ids) < reach:
            return found[:count]
        needed = reach * wanted / max(0.5, len(found)) / 2  # half of what it looks like
    # A filter that passes few: all that pass are measured.
    few = f"(SELECT m.id FROM memories m WHERE {where}) f CROSS JOIN vectors v ON v.memory_id = f.id"
    return _best(db, few, values, vector, count)


def measured(db: Database, vector: bytes, ids: Sequence[int]) -> list[tuple[int, float]]:
    """The cosines of those of these memories that have a vector, nearest first."""
    source = "json_each(?) e CROSS JOIN vectors v ON v.memory_id = e.value"
    return _best(db, source, (json.dumps(list(ids)),), vector, -1)


def _passing(
    db: Database, found: Sequence[tuple[int, float]], where: str, values: Sequence[Any]
) -> list[tuple[int, float]]:
    sql = f"SELECT m.id FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value WHERE {where}"
    passing = {row[0] for row in db.rows(sql, (json.dumps([id for id, _ in found]), *values))}
    return [one for one in found if one[0] in passing]


def _best(db: Database, source: str, of: Sequence[Any], vector: bytes, count: int) -> list[tuple[int, float]]:
    sql = (
        f"SELECT memory_id, cosine FROM ({_NEAREST.format(source=source)}) "
        "WHERE cosine IS NOT NULL ORDER BY cosine DESC, memory_id LIMIT ?"
    )
    rows = db.connection().execute(sql, (len(vector), vector, *of, count))
    return [(int(id), float(cosine)) for id, cosine in rows]


def _few(db: Database) -> bool:
    return int(db.one("SELECT count(*) FROM (SELECT 1 FROM vector_bits LIMIT ?)", (SMALL + 1,))) <= SMALL


def sound(vector: bytes, dim: int) -> bool:
    """Whether these are `dim` numbers of length 1 in all; NaN is no number."""
    import numpy as np

    if len(vector) != 4 * dim:
        return False
    numbers = np.frombuffer(vector, "<f4")
    return bool(abs(float(numbers @ numbers) - 1.0) <= SLACK)


def keep(db: Database, made: Sequence[tuple[int, bytes, bytes]], texts: str) -> int:
    """Store vectors as (memory, what it said, vector) in the caller's transaction; how many of these
    memories still say so. `texts` is the SQL expression of what is embedded of `m`."""
    ids = json.dumps([id for id, _, _ in made])
    says: dict[int, bytes] = dict(
        db.rows(f"SELECT m.id, {texts} FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value", (ids,))
    )
    # One that was changed meanwhile waits again.
    kept = [(id, vector) for id, text, vector in made if id in says and says[id] == text]
    turn = db.one("UPDATE embedding_model SET generation = generation + 1 RETURNING generation")
    db.run_many("INSERT OR REPLACE INTO vectors (memory_id, vector) VALUES (?, ?)", kept)
    db.run_many(
        "INSERT OR REPLACE INTO vector_bits (memory_id, generation, bits) VALUES (?, ?, ?)",
        [(id, turn, packed(vector)) for id, vector in kept],
    )
    db.run_many("DELETE FROM embedding_queue WHERE memory_id = ?", [(id,) for id, _ in kept])
    return len(kept)


def made_by(db: Database) -> tuple[str, int] | None:
    """The name and the dimension of the model that made the vectors; None before the first."""
    row = db.connection().execute("SELECT name, dim FROM embedding_model").fetchone()
    return None if row is None else (str(row[0]), int(row[1]))


def begin(db: Database, name: str, dim: int) -> bool:
    """Say which model the vectors are of; with another one than before all is embedded anew (S-35).
    True if that is so."""
    if made_by(db) == (name, dim):
        return False
    with db.atomic():
        if made_by(db) == (name, dim):  # another memtui was quicker
            return False
        turn = db.one("SELECT generation FROM embedding_model") or 0
        db.run("DELETE FROM vectors")
        db.run("DELETE FROM vector_bits")
        db.run("DELETE FROM embedding_queue")
        db.run("INSERT INTO embedding_queue (memory_id) SELECT id FROM memories WHERE content <> ''")
        db.run(
            "INSERT OR REPLACE INTO embedding_model (id, name, dim, generation) VALUES (1, ?, ?, ?)",
            (name, dim, turn + 1),
        )
    return True


def mixed(one: bytes, other: bytes, part: float) -> bytes:
    """A vector between two of the same length: `part` (0 to 1) of the way to the other."""
    import numpy as np

    between = (1.0 - part) * np.frombuffer(one, "<f4") + part * np.frombuffer(other, "<f4")
    made: bytes = between.astype("<f4").tobytes()
    return made


def likeness(db: Database, ids: Sequence[int]) -> list[list[float]]:
    """How alike these memories are by cosine, a square table in their order; 0 for one without a sound
    vector."""
    import numpy as np

    dim = (made_by(db) or ("", 0))[1]
    sql = "SELECT v.memory_id, v.vector FROM json_each(?) e CROSS JOIN vectors v ON v.memory_id = e.value"
    found: dict[int, bytes] = dict(db.rows(sql, (json.dumps(list(ids)),)))
    table = np.zeros((len(ids), max(1, dim)), "<f4")
    for place, id in enumerate(ids):
        if id in found and sound(found[id], dim):
            table[place] = np.frombuffer(found[id], "<f4")
    alike: list[list[float]] = (table @ table.T).tolist()
    return alike
