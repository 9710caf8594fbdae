"""Journal lines of what is no unit: nothing is written to a store (S-50)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memtui.workspace.context import Core
from memtui.workspace.journal.items import Item, next_item, write_items

# The kinds of what others wrote: taken back only where it is asked for. What undoes a change of ours, since
# the agent's program had read its store before that, has a line of its own.
PULLED, OVERWRITTEN = BY_OTHERS = "pulled", "overwritten"


def note(
    core: Core,
    actor: str,
    kind: str,
    summary: str,
    items: Sequence[tuple[int, Mapping[str, Any], Mapping[str, Any]]],
    undoes: int | None = None,
) -> int:
    """Write one line, inside a transaction; an item is (memory's row, fields before, fields after)."""
    line = int(core.t.Line.create(at=core.clock(), actor=actor, kind=kind, summary=summary, undoes=undoes).id)
    sql = "SELECT id, uid, store_id FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    rows = {row[0]: row for row in core.db.rows(sql, (json.dumps([id for id, _, _ in items]),))}
    told = [Item(id, rows[id][1], rows[id][2], before, after) for id, before, after in items]
    write_items(core.db, line, told, next_item(core.db))
    return line
