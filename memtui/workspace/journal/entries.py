"""Journal entries for what writes to no store: pulls, renames, locks (S-50)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from memtui.memory.secrets.masking import hidden
from memtui.values import FieldValue
from memtui.workspace.context import Context
from memtui.workspace.db.models import JournalEntry
from memtui.workspace.journal.items import Item, next_item, write_items

# Kinds of changes by other programs, which are undone only on request. An agent that writes back what it had
# read before our change overwrites it; that gets an entry of its own.
PULLED, OVERWRITTEN = BY_OTHERS = "pulled", "overwritten"


def add(
    ctx: Context,
    actor: str,
    kind: str,
    summary: str,
    items: Sequence[tuple[int, Mapping[str, FieldValue], Mapping[str, FieldValue]]],
    undoes: int | None = None,
) -> int:
    """Add an entry inside the caller's transaction and return its id; an item is (row id, fields before,
    fields after). Its summary is kept for good, so it has no secrets."""
    entry_id = ctx.db.write(
        JournalEntry.insert(at=ctx.clock(), actor=actor, kind=kind, summary=hidden(summary), undoes=undoes)
    )
    sql = "SELECT id, uid, store_id FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    rows = {row[0]: row for row in ctx.db.rows(sql, (json.dumps([id for id, _, _ in items]),))}
    numbered = [Item(id, rows[id][1], rows[id][2], before, after) for id, before, after in items]
    write_items(ctx.db, entry_id, numbered, next_item(ctx.db))
    return entry_id
