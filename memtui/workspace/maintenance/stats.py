"""How many there are of what (`memtui stats`)."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from memtui.workspace.context import Context

_STORES = (
    "SELECT s.name, s.format, count(m.id), coalesce(sum(m.live), 0), coalesce(sum(m.pinned), 0) "
    "FROM stores s LEFT JOIN memories m ON m.store_id = s.id AND m.removed_at IS NULL "
    "WHERE s.detached_at IS NULL GROUP BY s.id ORDER BY s.id"
)
_THERE = "FROM memories WHERE shown AND removed_at IS NULL"


def stats(ctx: Context) -> dict[str, Any]:
    """Counts by store, status, category and actor; memories that are gone from their stores are left
    out, and those of detached stores."""
    db = ctx.db
    size = 0
    for end in ("", "-wal"):
        with suppress(FileNotFoundError):
            size += os.stat(f"{ctx.path}{end}").st_size
    names = ("name", "format", "memories", "live", "pinned")
    return {
        "workspace": str(ctx.path),
        "bytes": size,
        "memories": db.one(f"SELECT count(*) {_THERE}"),
        "live": db.one(f"SELECT count(*) {_THERE} AND live"),
        "pinned": db.one(f"SELECT count(*) {_THERE} AND pinned"),
        "removed": db.one("SELECT count(*) FROM memories WHERE shown AND removed_at IS NOT NULL"),
        "stores": [dict(zip(names, row, strict=True)) for row in db.rows(_STORES)],
        "status": dict(db.rows(f"SELECT status, count(*) {_THERE} GROUP BY 1 ORDER BY 2 DESC, 1")),
        "category": dict(
            db.rows(f"SELECT coalesce(category, ''), count(*) {_THERE} GROUP BY 1 ORDER BY 2 DESC, 1")
        ),
        "journal": dict(db.rows("SELECT actor, count(*) FROM journal GROUP BY 1 ORDER BY 2 DESC, 1")),
    }
