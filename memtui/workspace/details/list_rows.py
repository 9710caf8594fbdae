"""The rows of lists: one query for a window of memories."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memtui.memory.memory import MemoryRow, label_of
from memtui.workspace.context import Context
from memtui.workspace.decay.inputs import Strengths
from memtui.workspace.search.filters import STRENGTH_FIELDS

# Raw SQL, since a window is read for each scroll step; only the beginning of a text is shown.
_ROW = (
    "SELECT m.id, s.name, m.title, m.subject, substr(m.content, 1, 300), m.category, m.status, m.confidence, "
    f"m.pinned, coalesce(m.updated_at, m.created_at), m.removed_at, s.format, {STRENGTH_FIELDS} "
    "FROM json_each(?) e "
    "JOIN memories m ON m.id = e.value JOIN stores s ON s.id = m.store_id"
)


def load(ctx: Context, ids: Sequence[int]) -> list[MemoryRow]:
    """Return list rows for these ids in the given order; missing ones are left out."""
    rows = {row[0]: row for row in ctx.db.rows(_ROW, (json.dumps(list(ids)),))}
    now, strengths = ctx.clock(), Strengths(ctx)
    decay = {id: strengths.of(row[11], now, *row[12:]) for id, row in rows.items()}
    return [
        MemoryRow(
            id=row[0],
            store=row[1],
            label=label_of(row[2], row[3], row[4]),
            category=row[5] or "",
            status=row[6],
            confidence=row[7],
            pinned=bool(row[8]),
            updated_at=row[9],
            removed=row[10] is not None,
            score=decay[row[0]][0],
            decay_state=decay[row[0]][1],
        )
        for row in (rows[i] for i in ids if i in rows)
    ]
