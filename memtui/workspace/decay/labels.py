"""How many live memories are fading, computed over arrays: the SQL function of `is:fading`, called for each
of 100,000 memories, takes four times as long."""

from __future__ import annotations

import math
from itertools import islice

from memtui.memory.lifecycles.base import FADING, NEVER, DecayInputs, Lifecycle
from memtui.values import SqlRow
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.decay.inputs import lifecycle_of
from memtui.workspace.search.filters import STRENGTH_FIELDS

_CHUNK = 20_000
# Without these numbers no lifecycle has a score, and a pinned memory is active.
_SELECT = (
    f"SELECT {STRENGTH_FIELDS} FROM memories m WHERE m.store_id = ? AND m.live = 1 AND NOT m.pinned "
    "AND (m.confidence IS NOT NULL OR m.importance IS NOT NULL)"
)


def fading_count(ctx: Context, now: float) -> int:
    """Return how many memories `is:fading` finds."""
    total = 0
    for store in store_rows.attached(ctx.db):
        lifecycle = lifecycle_of(ctx, store.format)
        if any(label == FADING for _, label in lifecycle.labels):
            rows = iter(ctx.db.connection().execute(_SELECT, (store.id,)))
            while chunk := list(islice(rows, _CHUNK)):
                total += _fading(lifecycle, chunk, now)
    return total


def _fading(lifecycle: Lifecycle, rows: list[SqlRow], now: float) -> int:
    """Count as `Lifecycle.label_at` labels them one by one."""
    import numpy as np

    *columns, _, _, categories, half_lives = zip(*rows, strict=True)
    confidence, importance, used, created, last_used, confirmed, starts, half_life = (
        np.array(column, dtype=np.float64) for column in (*columns, half_lives)
    )
    names: dict[str, int] = {}
    numbers = [names.setdefault(category.casefold(), len(names)) for category in categories]
    none = np.full(len(rows), math.nan)
    inputs = DecayInputs(
        confidence=confidence, importance=importance,
        used=used, confirmed=none, created=created, last_used=last_used, last_confirmed=confirmed,
        expires=none + NEVER, valid_from=np.where(np.isnan(starts), -NEVER, starts), valid_to=none + NEVER,
        since=none, demoted=none, live=np.ones(len(rows), bool), pinned=np.zeros(len(rows), bool),
        lesson=np.zeros(len(rows), bool), tier=none, sessions=none, share=none,
        half_life=half_life,
        category=np.array(numbers, dtype=np.int32), categories=tuple(names), xp=np,
    )  # fmt: skip
    projection = lifecycle.scores(inputs, now)
    least = [least for least, _ in lifecycle.labels]
    place = [label for _, label in lifecycle.labels].index(FADING)
    below = least[place - 1] if place else NEVER
    score = projection.current
    fading = (score >= least[place]) & (score < below) & np.logical_not(projection.is_dormant(now))
    return int(np.count_nonzero(fading))
