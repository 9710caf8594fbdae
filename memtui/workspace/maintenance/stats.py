"""Counts of memories by store, status, category and actor (`memtui stats`)."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.workspace.context import Context
from memtui.workspace.journal.removals import REMOVED

if TYPE_CHECKING:
    from memtui.values import JsonObject

# Raw: each statement counts over all rows of a table, by generated columns that models do not have.
_STORES = (
    "SELECT s.name, s.format, count(m.id), coalesce(sum(m.live), 0), coalesce(sum(m.pinned), 0) "
    "FROM stores s LEFT JOIN memories m ON m.store_id = s.id AND m.removed_at IS NULL "
    "WHERE s.detached_at IS NULL GROUP BY s.id ORDER BY s.id"
)
_PRESENT = "FROM memories WHERE shown AND removed_at IS NULL"


def stats(ctx: Context) -> JsonObject:
    """Return the counts in the documented shape; memories removed from their stores, and those of detached
    stores, are left out."""
    db = ctx.db
    size = 0
    for suffix in ("", "-wal"):
        with suppress(FileNotFoundError):
            size += os.stat(f"{ctx.path}{suffix}").st_size
    names = ("name", "format", "memories", "live", "pinned")
    return {
        "workspace": str(ctx.path),
        "bytes": size,
        "memories": db.one(f"SELECT count(*) {_PRESENT}"),
        "live": db.one(f"SELECT count(*) {_PRESENT} AND live"),
        "pinned": db.one(f"SELECT count(*) {_PRESENT} AND pinned"),
        "removed": db.one(f"SELECT count(*) FROM memories m WHERE shown AND {REMOVED}"),
        "stores": [dict(zip(names, row, strict=True)) for row in db.rows(_STORES)],
        "status": dict(db.rows(f"SELECT status, count(*) {_PRESENT} GROUP BY 1 ORDER BY 2 DESC, 1")),
        "category": dict(
            db.rows(f"SELECT coalesce(category, ''), count(*) {_PRESENT} GROUP BY 1 ORDER BY 2 DESC, 1")
        ),
        "journal": dict(db.rows("SELECT actor, count(*) FROM journal GROUP BY 1 ORDER BY 2 DESC, 1")),
    }
