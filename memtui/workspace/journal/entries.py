"""Journal lines of what is no unit: nothing is written to a store (S-50)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memtui.workspace.context import Context
from memtui.workspace.db.models import JournalEntry
from memtui.workspace.journal.items import Item, next_item, write_items

# The kinds of what others wrote: taken back only where it is asked for. What undoes a change of ours, since
# the agent's program had read its store before that, has a line of its own.
PULLED, OVERWRITTEN = BY_OTHERS = "pulled", "overwritten"


def note(
    ctx: Context,
    actor: str,
    kind: str,
    summary: str,
    items: Sequence[tuple[int, Mapping[str, Any], Mapping[str, Any]]],
    undoes: int | None = None,
) -> int:
    """Write one line, inside a transaction; an item is (memory's row, fields before, fields after)."""
    line = ctx.db.write(
        JournalEntry.insert(at=ctx.clock(), actor=actor, kind=kind, summary=summary, undoes=undoes)
    )
    sql = "SELECT id, uid, store_id FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    rows = {row[0]: row for row in ctx.db.rows(sql, (json.dumps([id for id, _, _ in items]),))}
    told = [Item(id, rows[id][1], rows[id][2], before, after) for id, before, after in items]
    write_items(ctx.db, line, told, next_item(ctx.db))
    return line
