"""How strong memories are, and what decay removes when, for a report."""

from __future__ import annotations

from memtui.memory.lifecycles.outlook import Group, Outlook
from memtui.memory.report import BUCKETS, Leaving, LeavingMemory, StrengthCounts
from memtui.workspace.context import Context
from memtui.workspace.report.names import named_by_id

WITHIN = (30, 90, 365)  # days
WEEKS = 12
MOST_LEAVING = 25


def strengths(outlook: Outlook) -> tuple[StrengthCounts, ...]:
    """Return how strong the memories of an outlook are, by lifecycle."""
    return tuple(_strengths(group) for group in outlook.groups)


def _strengths(group: Group) -> StrengthCounts:
    import numpy as np

    scores = np.asarray(group.projection.current, dtype=float)
    known = scores[~np.isnan(scores)]
    within = known[known <= 1]
    # A score a rounding error below 0.3 is shown as 0.30, so it counts there.
    places = np.clip(np.floor(np.round(within, 9) * BUCKETS), 0, BUCKETS - 1).astype(np.int64)
    buckets = np.bincount(places, minlength=BUCKETS).tolist()
    return StrengthCounts(
        group.lifecycle.title, tuple(buckets), len(known) - len(within), len(scores) - len(known)
    )


def leaving(ctx: Context, outlook: Outlook) -> Leaving:
    """Return what of an outlook is removed, and when."""
    rows = outlook.rows(0, MOST_LEAVING)
    names = named_by_id(ctx, [row.id for row in rows])
    return Leaving(
        of=outlook.count,
        ever=outlook.schedule(removals=True).size,
        due=outlook.count_until(0),
        within=tuple((days, outlook.count_until(days)) for days in WITHIN),
        weeks=tuple(outlook.by_week(7 * WEEKS)),
        first=tuple(LeavingMemory(names[row.id], row.at, row.rule) for row in rows if row.id in names),
    )
