"""Projections of a million memories, compared with one pass of numpy over the same arrays (S-26).

Baseline: importance × e^(−0.03 × days) × log2(uses + 1), the arithmetic of the most expensive lifecycle,
once. memtui: scores of all lifecycles at a horizon; all times of change with their rules; and moving the
horizon on the screen, which must take less than a frame. The last measurement is done once for the user:
reading the inputs of lifecycles from the workspace.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.measure import NOW, Result, percentile, timed
from memtui.memory import lifecycles
from memtui.memory.lifecycles.base import DAY, DecayInputs, Lifecycle
from memtui.memory.lifecycles.outlook import Group, Outlook
from memtui.workspace.workspace import Workspace

FRAME = 1 / 60
HORIZONS = (7, 14, 30, 60, 90, 180, 365, 730, 1_826)


def measure(count: int, rounds: int, workspace: Path | None = None) -> list[Result]:
    """Measure scores, times of change and a moved horizon; with a `workspace`, also reading it."""
    inputs = _make_inputs(count)

    def numpy_pass() -> object:
        return inputs.importance * np.exp(-0.03 * (NOW - inputs.created) / DAY) * np.log2(inputs.used + 1)

    baseline = _best(numpy_pass, rounds)
    names = [name for name in lifecycles.NAMES if name != "founder-os-daily"]
    out = []
    groups = []
    for name in names:
        rules = lifecycles.by_name(name)
        projection = rules.projection(inputs, NOW)
        scores = _best(lambda projection=projection: projection.score(NOW + 30 * DAY), rounds)
        out.append(Result(f"{count:,} scores at a horizon: {name}", scores, baseline, 6))

        def dates(rules: Lifecycle = rules) -> object:
            projection = rules.projection(inputs, NOW)
            return projection.next_transition(), projection.removal()

        out.append(
            Result(f"{count:,} dates of change and leaving: {name}", _best(dates, rounds), baseline, 60)
        )
        part = slice(len(groups) * count // len(names), (len(groups) + 1) * count // len(names))
        subset = _slice(inputs, part)
        groups.append(Group(rules, np.arange(count)[part], subset, rules.projection(subset, NOW)))
    outlook = Outlook(NOW, groups, count)
    for leaving in (True, False):
        outlook.schedule(removals=leaving)
        times = [
            timed(lambda days=days, leaving=leaving: _move_horizon(outlook, days, leaving))
            for days in HORIZONS * rounds
        ]
        event = "leaves" if leaving else "changes"
        out.append(Result(f"the horizon moved, {count:,}, what {event}, p95, vs a frame",
                          percentile(times, 0.95), FRAME, 1))  # fmt: skip
    if workspace is not None:
        out.append(_measure_reading(workspace, count))
    return out


def _move_horizon(outlook: Outlook, days: int, leaving: bool) -> None:
    """Do what the screen does for another horizon; its rows stay the same."""
    outlook.ids(min(outlook.count_until(days, removals=leaving), 100_000), removals=leaving)
    outlook.by_week(min(days, 35), removals=leaving)
    outlook.by_category(days, removals=leaving)


def _measure_reading(path: Path, count: int) -> Result:
    import apsw

    opened = Workspace.open(path)
    raw = apsw.Connection(str(path))
    sql = "SELECT id, confidence, times_used, created_at, last_used_at, category FROM memories WHERE live = 1"
    memtui = _best(lambda: opened.outlook(now=NOW), 3)
    baseline = _best(lambda: raw.execute(sql).fetchall(), 3)
    raw.close()
    opened.close()
    return Result(f"the outlook of {count:,} read, vs six of its columns", memtui, baseline)


def _best(call: Callable[[], object], rounds: int) -> float:
    return min(timed(call) for _ in range(rounds))


def _make_inputs(count: int) -> DecayInputs:
    chance = np.random.default_rng(7)

    def between(low: float, high: float) -> np.ndarray:
        return chance.uniform(low, high, count)

    def partly(share: float, values: np.ndarray, otherwise: float) -> np.ndarray:
        return np.where(between(0, 1) < share, values, otherwise)

    never = np.full(count, np.nan)
    return DecayInputs(
        confidence=between(0, 1),
        importance=between(0, 1),
        used=chance.integers(0, 20, count).astype(float),
        confirmed=np.zeros(count),
        created=NOW - between(0, 400) * DAY,
        last_used=partly(0.7, NOW - between(0, 300) * DAY, np.nan),
        last_confirmed=never,
        expires=partly(0.2, NOW + between(-50, 500) * DAY, np.inf),
        valid_from=np.full(count, -np.inf),
        valid_to=partly(0.2, NOW + between(-50, 500) * DAY, np.inf),
        since=np.full(count, NOW),
        demoted=never,
        live=between(0, 1) < 0.95,
        pinned=between(0, 1) < 0.05,
        lesson=between(0, 1) < 0.1,
        tier=chance.integers(-1, 5, count).astype(float),
        sessions=chance.integers(0, 8, count).astype(float),
        share=between(0, 1),
        half_life=never,
        category=chance.integers(0, 5, count),
        categories=("fact", "preference", "decision", "solution", "other"),
        xp=np,
    )


def _slice(inputs: DecayInputs, part: slice) -> DecayInputs:
    from dataclasses import fields, replace

    names = [each.name for each in fields(inputs) if each.name not in ("categories", "xp")]
    return replace(inputs, **{name: getattr(inputs, name)[part] for name in names})
