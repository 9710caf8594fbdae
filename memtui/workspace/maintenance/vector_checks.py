"""What can be wrong with vectors, how it is found and how it is put right (S-90; LIMITS 4, fault 15).

Vectors can be made anew at any time: what is in doubt goes, and its memory waits for another one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from memtui.workspace.vectors.vector_store import SLACK, made_by

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

_PART = 1_000  # vectors that are looked at together
_TABLES = ("vectors", "vector_bits", "embedding_queue")
_TEXTLESS = "memory_id NOT IN (SELECT id FROM memories WHERE content <> '')"
_FORGOTTEN = (
    "FROM memories m WHERE m.content <> '' AND m.id NOT IN (SELECT memory_id FROM vectors) "
    "AND m.id NOT IN (SELECT memory_id FROM embedding_queue)"
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One thing that can be wrong: `count` says how often it is and, behind a colon, why; `put_right` runs
    in the caller's transaction and says how many there were."""

    code: str
    one: str
    many: str
    meaning: str
    mend: str
    mended: str
    count: Callable[[Database], tuple[int, str]]
    put_right: Callable[[Database], int]


def wrong(db: Database) -> list[int]:
    """Memories whose vector is of another length than the model's, no unit vector (NaN is none), or
    something else than its bits say; and those with bits alone."""
    dim = (made_by(db) or ("", 0))[1]
    rows = db.connection().execute(
        "SELECT v.memory_id, v.vector, b.bits FROM vectors v LEFT JOIN vector_bits b USING (memory_id)"
    )
    found: list[int] = []
    while part := list(islice(rows, _PART)):
        found += _wrong_of(part, dim)
    alone = "SELECT memory_id FROM vector_bits WHERE memory_id NOT IN (SELECT memory_id FROM vectors)"
    return [*found, *(int(id) for (id,) in db.rows(alone))]


def _wrong_of(rows: list[tuple[Any, ...]], dim: int) -> list[int]:
    import numpy as np

    whole = [row for row in rows if dim and isinstance(row[1], bytes) and len(row[1]) == 4 * dim]
    table = np.frombuffer(b"".join(row[1] for row in whole), "<f4").reshape(len(whole), dim)
    squares = np.einsum("ij,ij->i", table, table)
    bits = np.packbits(table > 0, axis=1, bitorder="little")
    good = {
        id
        for (id, _, said), square, line in zip(whole, squares, bits, strict=True)
        if abs(square - 1.0) <= SLACK and said == line.tobytes()
    }
    return [int(id) for id, *_ in rows if id not in good]


def forget(db: Database, ids: Sequence[int]) -> None:
    """Let these memories wait for a vector again, in the caller's transaction."""
    these = json.dumps(list(ids))
    for table in _TABLES:
        db.run(f"DELETE FROM {table} WHERE memory_id IN (SELECT value FROM json_each(?))", (these,))
    db.run(
        "INSERT INTO embedding_queue (memory_id) SELECT m.id FROM json_each(?) e CROSS JOIN memories m "
        "ON m.id = e.value WHERE m.content <> ''",
        (these,),
    )


def _forget_wrong(db: Database) -> int:
    found = wrong(db)
    forget(db, found)
    return len(found)


def _strays(db: Database) -> tuple[int, str]:
    counts = [int(db.one(f"SELECT count(*) FROM {table} WHERE {_TEXTLESS}")) for table in _TABLES]
    return sum(counts), ""


def _delete_strays(db: Database) -> int:
    before = db.connection().total_changes()
    for table in _TABLES:
        db.run(f"DELETE FROM {table} WHERE {_TEXTLESS}")
    return db.connection().total_changes() - before


def _queue_forgotten(db: Database) -> int:
    before = db.connection().total_changes()
    db.run(f"INSERT INTO embedding_queue (memory_id) SELECT m.id {_FORGOTTEN}")
    return db.connection().total_changes() - before


def _late(db: Database) -> tuple[int, str]:
    count = int(db.one("SELECT count(*) FROM embedding_queue WHERE tries > 0"))
    why = db.one("SELECT why FROM embedding_queue WHERE tries > 0 ORDER BY due DESC LIMIT 1")
    return count, f": {why}" if why else ""


def _hurry(db: Database) -> int:
    before = db.connection().total_changes()
    db.run("UPDATE embedding_queue SET tries = 0, due = 0, why = '' WHERE tries > 0")
    return db.connection().total_changes() - before


_UNSEEN = "Searching by meaning passes these memories over; words find them."
KINDS = (
    Kind(
        "bad-vectors",
        "1 vector is unusable",
        "{:,} vectors are unusable",
        _UNSEEN,
        "lets them be made anew",
        "Vectors that are made anew: {:,}.",
        lambda db: (len(wrong(db)), ""),
        _forget_wrong,
    ),
    Kind(
        "stray-vectors",
        "1 row about vectors belongs to no memory with a text",
        "{:,} rows about vectors belong to no memory with a text",
        "Nothing shows them.",
        "deletes them",
        "Rows about vectors that were deleted: {:,}.",
        _strays,
        _delete_strays,
    ),
    Kind(
        "no-vectors",
        "1 memory has no vector and waits for none",
        "{:,} memories have no vector and wait for none",
        _UNSEEN,
        "lets them wait for one",
        "Memories that wait for their vector now: {:,}.",
        lambda db: (int(db.one(f"SELECT count(*) {_FORGOTTEN}")), ""),
        _queue_forgotten,
    ),
    Kind(
        "late-vectors",
        "1 memory could not be embedded",
        "{:,} memories could not be embedded",
        _UNSEEN,
        "lets them be tried again at once",
        "Memories that are tried again now: {:,}.",
        _late,
        _hurry,
    ),
)
