"""Which memories of a store have numbers that may have earned them a higher status (S-20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.lifecycles.promotion import APPLIED_FROM, APPLIED_TIMES, CONFIRMED_FROM

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_ROUNDING = 0.005  # half of the least difference between two numbers that are stored
_EARNING = (
    "SELECT m.id FROM memories m WHERE m.store_id = ? AND m.live = 1 AND (m.status = 'candidate' "
    "AND m.confidence >= ? OR m.status = 'confirmed' AND m.confidence >= ? AND m.times_confirmed >= ?) "
    "ORDER BY m.id"
)


def earning(ctx: Context, store_id: int) -> list[int]:
    """Return the live candidates that may be confirmed, and the confirmed that may be applied."""
    least = (CONFIRMED_FROM - _ROUNDING, APPLIED_FROM - _ROUNDING, APPLIED_TIMES)
    return [int(id) for (id,) in ctx.db.rows(_EARNING, (store_id, *least))]
