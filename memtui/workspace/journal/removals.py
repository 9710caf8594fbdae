"""Which memories that are out of their stores count as removed, and since when (S-31, S-51).

A memory that was added is out of its store again once that is undone, but nobody removed it: it is
*withdrawn*, listed nowhere, and redo brings it back. When a memory was removed is when the change that is in
effect removed it; an undo or a redo is no change of its own.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING

from memtui.workspace.db.models import Memory
from memtui.workspace.journal.history import REDO, UNDO
from memtui.workspace.journal.items import IN_STORE

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

_ADDING = ("added", "copied", "moved", "split", "resolved")  # kinds of entries that make memories
_EFFECTIVE = "st.state = 'done' AND st.undone_by IS NULL"
# Bodies may be damaged, and a list is read nevertheless.
_BEFORE, _AFTER = (
    f"iif(json_valid(b.{side}), b.{side} ->> '$.{IN_STORE}', NULL)" for side in ("before", "after")
)
_ITEMS = (
    "FROM journal_items i JOIN journal j ON j.id = i.journal_id JOIN item_states st ON st.item_id = i.id "
    "JOIN bodies b ON b.item_id = i.id WHERE i.memory_id = m.id"
)
_TOOK_OUT = f"{_ITEMS} AND {_EFFECTIVE} AND j.kind NOT IN {(UNDO, REDO)} AND {_AFTER} = 0"
_WITHDRAWN = (
    f"EXISTS (SELECT 1 {_ITEMS} AND j.kind IN {_ADDING} AND NOT ({_EFFECTIVE}) AND {_BEFORE} = 0 "
    f"AND {_AFTER} = 1) AND NOT EXISTS (SELECT 1 {_TOOK_OUT})"
)
# A row with an empty text stands for an entity without memories; the first memory replaces it.
_GAVE_WAY = (
    "m.content = '' AND m.ref IS NOT NULL AND m.anchor <> '' AND EXISTS (SELECT 1 FROM memories o WHERE "
    "o.store_id = m.store_id AND o.anchor = m.anchor AND o.ref IS NOT NULL AND o.removed_at IS NULL)"
)
REMOVED = f"(m.removed_at IS NOT NULL AND NOT ({_GAVE_WAY}) AND NOT ({_WITHDRAWN}))"
"""SQL for whether `m`, a row of memories, was removed from its store, by the user or by another program."""
FORGOTTEN = f"coalesce((SELECT j.kind {_TOOK_OUT} ORDER BY i.id DESC LIMIT 1) = 'forgotten', 0)"
"""SQL for whether the user forgot `m`, a row of memories that is out of its store."""


def set_times(db: Database, ids: Collection[int]) -> None:
    """Date these memories, which are out of their stores, by the changes in effect that took them out; those
    without one keep their time. Runs in the caller's transaction, after the items have their states."""
    if not ids:
        return
    # A join per memory: a bulk verb takes thousands out.
    sql = (
        f"SELECT (SELECT j.at {_TOOK_OUT} ORDER BY i.id DESC LIMIT 1), id FROM memories m "
        "WHERE id IN (SELECT value FROM json_each(?)) AND removed_at IS NOT NULL"
    )
    times = [row for row in db.rows(sql, (json.dumps(sorted(ids)),)) if row[0] is not None]
    db.update_many(Memory, ("removed_at",), ("id",), times)
