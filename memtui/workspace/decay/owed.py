"""From when on decay steps are owed in a store (SPEC 4).

Steps are owed from the last run of a store on, from when it was attached, or from when a memory's number was
last set, whichever is latest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memtui.memory.lifecycles.base import DAY
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow

# Each is one query over the journal for all memories of a store.
_ITEMS = """
SELECT i.memory_id, a.entry_id, st.state = 'done' AND st.undone_by IS NULL, a.at FROM decay_runs a
JOIN journal_items i ON i.journal_id = a.entry_id JOIN item_states st ON st.item_id = i.id
WHERE a.store_id = ?1 AND i.store_id = ?1{}
"""
# All runs, and whether each counts: one with an item in effect in any store, or in which nothing was due.
_RUNS = """
SELECT a.entry_id, a.at, a.entry_id IS NULL OR EXISTS (
    SELECT 1 FROM journal_items i JOIN item_states st ON st.item_id = i.id
    WHERE i.journal_id = a.entry_id AND st.state = 'done' AND st.undone_by IS NULL)
FROM decay_runs a WHERE a.store_id = ? ORDER BY a.id
"""
# When the number of a memory was last set, or whether it is frozen, but not by decay, its undo or its redo.
_TOUCHED = """
WITH RECURSIVE ours (id) AS (
    SELECT entry_id FROM decay_runs WHERE entry_id IS NOT NULL
    UNION SELECT j.id FROM journal j JOIN ours ON j.undoes = ours.id)
SELECT i.memory_id, max(j.at) FROM journal_items i JOIN journal j ON j.id = i.journal_id
JOIN item_states st ON st.item_id = i.id
WHERE i.store_id = ?1{} AND st.state = 'done' AND j.id NOT IN ours
AND (i.fields ->> 'confidence' IS NOT NULL OR i.fields ->> 'status' IS NOT NULL
     OR i.fields ->> 'pinned' IS NOT NULL OR i.fields ->> 'here' IS NOT NULL)
GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class OwedSince:
    """From when on steps are owed in one store. Times are Unix seconds.

    `last_run` is that of most of its memories, None if there was none; `other_runs` has the others by id.
    `attached` is when the store was attached; `touched` when the number of a memory, or whether it is frozen,
    was last set other than by decay; `demoted` when decay last did something to it.
    """

    last_run: float | None
    attached: float
    other_runs: Mapping[int, float | None] = field(default_factory=dict)
    touched: Mapping[int, float] = field(default_factory=dict)
    demoted: Mapping[int, float] = field(default_factory=dict)

    def run_at(self, id: int) -> float | None:
        """Return when decay was last run for a memory; None if never."""
        return self.other_runs.get(id, self.last_run)

    def until(self, now: float) -> float:
        """Return the time up to which a run at `now` does what is due: a store is run once a day, as of the
        first run."""
        if self.last_run is None or (self.last_run < now and not same_day(self.last_run, now)):
            return now
        return min(self.last_run, now)

    def owed_from(self, id: int, now: float, seen: float) -> float:
        """Return from when on steps of a memory first read at `seen` are owed; times after `now` are
        ignored."""
        run = self.run_at(id)
        since = min(self.attached, now) if run is None else run
        known = (self.attached, seen, self.touched.get(id, since))
        return max(since, *(at for at in known if at <= now)) if any(at <= now for at in known) else since


def owed_since(ctx: Context, store: StoreRow, id: int | None = None) -> OwedSince:
    """Return from when on steps are owed in a store; with `id`, all that this one memory needs."""
    db, only = ctx.db, "" if id is None else " AND i.memory_id = ?2"
    bindings = (store.id,) if id is None else (store.id, id)
    runs = db.rows(_RUNS, (store.id,))
    in_effect: dict[int, dict[int, bool]] = {}
    demoted: dict[int, float] = {}
    for memory_id, entry_id, done, at in db.rows(_ITEMS.format(only), bindings) if runs else ():
        in_effect.setdefault(memory_id, {})[entry_id] = bool(done)
        if done:
            demoted[memory_id] = max(at, demoted.get(memory_id, at))
    other_runs = {
        memory_id: _last_run(runs, entries)
        for memory_id, entries in in_effect.items()
        if not all(entries.values())
    }
    touched: dict[int, float] = dict(db.rows(_TOUCHED.format(only), bindings))
    return OwedSince(_last_run(runs, {}), store.attached_at, other_runs, touched, demoted)


def _last_run(runs: Sequence[tuple[int | None, float, int]], entries: Mapping[int, bool]) -> float | None:
    """Return up to when decay was run; `entries` are those in which a memory has a part, and whether that is
    in effect.

    What was refused or undone is owed until a later run has done it. A run in which nothing was due was made
    while it was in effect.
    """
    newest, owed = None, False
    for entry_id, at, counts in runs:
        owed = not entries[entry_id] if entry_id is not None and entry_id in entries else owed
        if counts and not owed:
            newest = at if newest is None else max(newest, at)
    return newest


def same_day(a: float, b: float) -> bool:
    """Return whether two times are on one day of the calendar, in UTC; decay is run once a day."""
    return math.floor(a / DAY) == math.floor(b / DAY)
