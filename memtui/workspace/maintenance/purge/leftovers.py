"""What a purge does not reach, as notes for the user."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from memtui.formats.contract.adapter import SupportKind
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.maintenance.purge import wording

# Raw, each one statement for all memories: a bulk purge has thousands.
_LISTED = "SELECT value FROM json_each(?)"
_SIDE_RECORDS = (
    "SELECT s.name, group_concat(DISTINCT a.kind), count(DISTINCT a.id) FROM memories m "
    "JOIN side_records a ON a.store_id = m.store_id AND a.via = '' AND a.about = m.anchor "
    f"JOIN stores s ON s.id = m.store_id WHERE m.anchor <> '' AND m.id IN ({_LISTED}) GROUP BY s.id"
)
_SAME_TEXT = (
    f"SELECT count(*) FROM memories WHERE id NOT IN ({_LISTED}) AND trim(content) <> '' "
    f"AND content IN (SELECT content FROM memories WHERE id IN ({_LISTED}))"
)


def side_records(ctx: Context, ids: Sequence[int]) -> list[str]:
    """Return notes about records of these memories that may stay in their stores."""
    rows = ctx.db.rows(_SIDE_RECORDS, (json.dumps(list(ids)),))
    return [wording.side_records_stay(count, name, kinds.split(",")) for name, kinds, count in rows]


def elsewhere(ctx: Context, ids: Sequence[int], items: Sequence[ChangeItem]) -> list[str]:
    """Return notes about other memories with the same text, and about files that may still contain it."""
    notes = []
    listed = json.dumps(list(ids))
    if same := ctx.db.one(_SAME_TEXT, (listed, listed)):
        notes.append(wording.same_text_elsewhere(same))
    files = {
        item.adapter.root.name
        for item in items
        if item.adapter is not None and item.adapter.support_for("dismiss").kind is not SupportKind.MOVED
    }
    for store in {item.store.id: item.store for item in items}.values():
        if store.format != NATIVE and not Path(store.path).exists():
            notes.append(wording.store_missing(store.path))
        elif store.detached_at is not None:
            notes.append(wording.store_detached(store.path))
    notes += [wording.unused_parts_of_store(file) for file in sorted(files)]
    return notes
