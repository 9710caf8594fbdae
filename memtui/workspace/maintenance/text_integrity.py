"""Rows whose texts are not what was written, and where their text still stands (LIMITS 4, fault 13)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memtui.formats.media.sqlite.connection import rows_of
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.mirror import memory_rows

_CHUNK = 2_000  # rows whose texts are checked at a time
# What is asked of a row to check its texts, and how many columns stand before them.
_ROW = (
    f"m.id, m.uid, m.hash, m.store_id, m.ref, m.removed_at, {', '.join(f'm.{n}' for n in memory_rows.TEXTS)}"
)
_FIXED = 6


def flipped(ctx: Context) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """The rows that do not have their mark: id, uid, and all that was read."""
    last = 0
    names = _ROW.split(", ")
    while True:
        rest = f"FROM memories m WHERE m.id > {last:d} ORDER BY m.id LIMIT {_CHUNK}"
        rows, _ = rows_of(ctx.db.connection(), names, rest)
        for row in rows:
            id, uid, mark = row[:3]
            if mark is not None and memory_rows.hash_of(*row[_FIXED:]) != mark:
                yield id, uid, dict(zip((name.removeprefix("m.") for name in names), row, strict=True))
        if len(rows) < _CHUNK:
            return
        last = rows[-1][0]


def comes_back(ctx: Context, id: int) -> bool:
    """Whether a row stands in an attached store, which says its text again."""
    return bool(
        ctx.db.one(
            "SELECT 1 FROM memories m JOIN stores s ON s.id = m.store_id WHERE m.id = ? AND s.format <> ? "
            "AND s.detached_at IS NULL AND m.ref IS NOT NULL AND m.removed_at IS NULL",
            (id, NATIVE),
        )
    )


def former_text(ctx: Context, id: int, row: dict[str, Any]) -> tuple[str, Any] | None:
    """The one field, and the text that the journal holds for it, with which the row has its mark again."""
    bodies = ctx.db.rows(
        "SELECT b.after, b.before FROM journal_items i JOIN bodies b ON b.item_id = i.id "
        "WHERE i.memory_id = ? ORDER BY i.id DESC LIMIT 200",
        (id,),
    )
    for text in (text for body in bodies for text in body if text):
        try:
            said = json.loads(text)
        except ValueError:
            continue
        for name in memory_rows.TEXTS:
            if name in said:
                value = memory_rows.stored(name, said[name])
                texts = (value if each == name else row[each] for each in memory_rows.TEXTS)
                if memory_rows.hash_of(*texts) == row["hash"]:
                    return name, value
    return None
