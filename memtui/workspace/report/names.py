"""The memories that a report names; what holds a secret is found in their whole texts."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.report import Named, named
from memtui.workspace.context import Context
from memtui.workspace.mirror import memory_rows


def named_by_id(ctx: Context, ids: Sequence[int]) -> dict[int, Named]:
    """Return the memories of these rows as a report names them."""
    return {row.id: named(row.memory) for row in memory_rows.load(ctx.db, ids)}
