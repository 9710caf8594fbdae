"""Rows whose texts are not what was written, and other copies of them (LIMITS 4, fault 13)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.formats.media.sqlite.connection import rows_of
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.mirror import memory_rows

if TYPE_CHECKING:
    from memtui.values import SqlValue

_CHUNK = 2_000  # rows whose texts are checked at a time
# Raw, since each row of the workspace is read, and a text that is no UTF-8 any more must be read, too.
_NAMES = ("m.id", "m.uid", "m.hash", "m.store_id", *(f"m.{name}" for name in memory_rows.TEXTS))
_FIXED = 4  # columns before the texts


@dataclass(frozen=True, slots=True)
class CorruptedRow:
    """A row of `memories` whose texts do not have the stored hash."""

    id: int
    uid: str
    hash: int
    store_id: int
    texts: dict[str, SqlValue]  # as stored, by column


def corrupted_rows(ctx: Context) -> Iterator[CorruptedRow]:
    """Yield the rows whose texts do not have their hash."""
    last = 0
    while True:
        rest = f"FROM memories m WHERE m.id > {last:d} ORDER BY m.id LIMIT {_CHUNK}"
        rows, _ = rows_of(ctx.db.connection(), _NAMES, rest)
        for row in rows:
            id, uid, hash, store_id = row[:_FIXED]
            texts = row[_FIXED:]
            if hash is not None and memory_rows.hash_of(*texts) != hash:
                yield CorruptedRow(id, uid, hash, store_id, dict(zip(memory_rows.TEXTS, texts, strict=True)))
        if len(rows) < _CHUNK:
            return
        last = rows[-1][0]


def is_in_store(ctx: Context, id: int) -> bool:
    """Return whether a memory is in an attached store, from which a pull can read its text again."""
    return bool(
        ctx.db.one(
            "SELECT 1 FROM memories m JOIN stores s ON s.id = m.store_id WHERE m.id = ? AND s.format <> ? "
            "AND s.detached_at IS NULL AND m.ref IS NOT NULL AND m.removed_at IS NULL",
            (id, NATIVE),
        )
    )


def journaled_text(ctx: Context, row: CorruptedRow) -> tuple[str, SqlValue] | None:
    """Return the field and the value from the journal that give a row its hash again; None if there is no
    such value."""
    bodies = ctx.db.rows(
        "SELECT b.after, b.before FROM journal_items i JOIN bodies b ON b.item_id = i.id "
        "WHERE i.memory_id = ? ORDER BY i.id DESC LIMIT 200",
        (row.id,),
    )
    for body in (body for sides in bodies for body in sides if body):
        try:
            fields = json.loads(body)
        except ValueError:
            continue
        for name in memory_rows.TEXTS:
            if name in fields:
                value = memory_rows.stored(name, fields[name])
                texts = (value if each == name else row.texts[each] for each in memory_rows.TEXTS)
                if memory_rows.hash_of(*texts) == row.hash:
                    return name, value
    return None
