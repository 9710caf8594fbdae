"""What can be wrong with vectors, how it is found and how it is repaired (S-90; LIMITS 4, fault 15).

Vectors can be computed again at any time: a doubtful one is deleted, and its memory queued for a new one.
Queries here are raw SQL, as in `vectors/`: each is one statement over all vectors or memories.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from peewee import SQL

from memtui.workspace.db.models import EmbeddingQueue, Vector, VectorBits
from memtui.workspace.maintenance import wording_repairs as wording
from memtui.workspace.maintenance.wording_repairs import VectorTexts
from memtui.workspace.vectors.vector_store import NORM_TOLERANCE, made_by

if TYPE_CHECKING:
    from memtui.values import SqlRow
    from memtui.workspace.db.database import Database

_BATCH = 1_000  # vectors checked together
_MODELS = (Vector, VectorBits, EmbeddingQueue)
_WITHOUT_TEXT = "memory_id NOT IN (SELECT id FROM memories WHERE content <> '')"
_NOT_QUEUED = (
    "FROM memories m WHERE m.content <> '' AND m.id NOT IN (SELECT memory_id FROM vectors) "
    "AND m.id NOT IN (SELECT memory_id FROM embedding_queue)"
)


@dataclass(frozen=True, slots=True)
class VectorCheck:
    """One kind of issue: `count` returns how many there are, and a reason or ""; `repair` runs in the
    caller's transaction and returns how many it repaired."""

    code: str
    texts: VectorTexts
    count: Callable[[Database], tuple[int, str]]
    repair: Callable[[Database], int]


def bad_vectors(db: Database) -> list[int]:
    """Return the memories whose vector has another dimension than the model's, is no unit vector (with NaN it
    is none), or differs from its bits; and those that have bits alone."""
    dim = (made_by(db) or ("", 0))[1]
    rows = db.connection().execute(
        "SELECT v.memory_id, v.vector, b.bits FROM vectors v LEFT JOIN vector_bits b USING (memory_id)"
    )
    found: list[int] = []
    while batch := list(islice(rows, _BATCH)):
        found += _bad_of(batch, dim)
    bits_alone = "SELECT memory_id FROM vector_bits WHERE memory_id NOT IN (SELECT memory_id FROM vectors)"
    return [*found, *(int(id) for (id,) in db.rows(bits_alone))]


def _bad_of(rows: list[SqlRow], dim: int) -> list[int]:
    import numpy as np

    complete = [row for row in rows if dim and isinstance(row[1], bytes) and len(row[1]) == 4 * dim]
    table = np.frombuffer(b"".join(row[1] for row in complete), "<f4").reshape(len(complete), dim)
    squares = np.einsum("ij,ij->i", table, table)
    expected = np.packbits(table > 0, axis=1, bitorder="little")
    good = {
        id
        for (id, _, bits), square, packed in zip(complete, squares, expected, strict=True)
        if abs(square - 1.0) <= NORM_TOLERANCE and bits == packed.tobytes()
    }
    return [int(id) for id, *_ in rows if id not in good]


def requeue(db: Database, ids: Sequence[int]) -> None:
    """Delete the vectors of these memories and queue them for new ones, in the caller's transaction."""
    these = json.dumps(list(ids))
    for model in _MODELS:
        listed = SQL("(SELECT value FROM json_each(?))", (these,))
        db.write(model.delete().where(model.memory_id.in_(listed)))
    # INSERT … SELECT, raw: in the order of the memories, without reading them first.
    db.run(
        "INSERT INTO embedding_queue (memory_id) SELECT m.id FROM json_each(?) e CROSS JOIN memories m "
        "ON m.id = e.value WHERE m.content <> ''",
        (these,),
    )


@contextmanager
def _counting(db: Database) -> Iterator[Callable[[], int]]:
    """Yield a function that returns how many rows were changed since."""
    before = db.connection().total_changes()
    yield lambda: db.connection().total_changes() - before


def _requeue_bad(db: Database) -> int:
    found = bad_vectors(db)
    requeue(db, found)
    return len(found)


def _count_strays(db: Database) -> tuple[int, str]:
    tables = [model._meta.table_name for model in _MODELS]
    return sum(int(db.one(f"SELECT count(*) FROM {table} WHERE {_WITHOUT_TEXT}")) for table in tables), ""


def _delete_strays(db: Database) -> int:
    with _counting(db) as changes:
        for model in _MODELS:
            db.write(model.delete().where(SQL(_WITHOUT_TEXT)))
        return changes()


def _queue_forgotten(db: Database) -> int:
    with _counting(db) as changes:
        # INSERT … SELECT, raw.
        db.run(f"INSERT INTO embedding_queue (memory_id) SELECT m.id {_NOT_QUEUED}")
        return changes()


def _count_failed(db: Database) -> tuple[int, str]:
    failed = EmbeddingQueue.tries > 0
    count = int(db.one("SELECT count(*) FROM embedding_queue WHERE tries > 0"))
    last = db.first(EmbeddingQueue.select().where(failed).order_by(EmbeddingQueue.due.desc()))
    return count, last.why if last is not None else ""


def _retry_failed(db: Database) -> int:
    with _counting(db) as changes:
        db.write(EmbeddingQueue.update(tries=0, due=0, why="").where(EmbeddingQueue.tries > 0))
        return changes()


CHECKS = (
    VectorCheck("bad-vectors", wording.BAD_VECTORS, lambda db: (len(bad_vectors(db)), ""), _requeue_bad),
    VectorCheck("stray-vectors", wording.STRAY_VECTORS, _count_strays, _delete_strays),
    VectorCheck(
        "no-vectors",
        wording.NO_VECTORS,
        lambda db: (int(db.one(f"SELECT count(*) {_NOT_QUEUED}")), ""),
        _queue_forgotten,
    ),
    VectorCheck("late-vectors", wording.FAILED_VECTORS, _count_failed, _retry_failed),
)
