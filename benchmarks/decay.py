"""A million memories looked ahead at, beside one pass of numpy over the same arrays (S-26).

Plain: importance × e^(−0.03 × days) × log2(uses + 1), the arithmetic of the heaviest lifecycle, once.
Ours: all lifecycles' scores at a horizon; all dates of change with their rules; and what moving the
horizon takes on the screen, which must fit into a frame. The last line is what a person waits for
once: reading what lifecycles look at from the workspace.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.measure import NOW, Result, percentile, timed
from memtui.memory import lifecycles
from memtui.memory.lifecycles.base import DAY, DecayInputs
from memtui.memory.lifecycles.outlook import Group, Outlook
from memtui.workspace.workspace import Workspace

FRAME = 1 / 60
HORIZONS = (7, 14, 30, 60, 90, 180, 365, 730, 1_826)


def measure(count: int, rounds: int, workspace: Path | None = None) -> list[Result]:
    """Scores, dates of change and a moved horizon; with a `workspace`, reading it, too."""
    ages = _ages(count)

    def one_pass() -> object:
        return ages.importance * np.exp(-0.03 * (NOW - ages.created) / DAY) * np.log2(ages.used + 1)

    plain = _least(one_pass, rounds)
    names = [name for name in lifecycles.NAMES if name != "founder-os-daily"]
    out = []
    groups = []
    for name in names:
        rules = lifecycles.by_name(name)
        course = rules.projection(ages, NOW)
        scores = _least(lambda course=course: course.score(NOW + 30 * DAY), rounds)
        out.append(Result(f"{count:,} scores at a horizon: {name}", scores, plain, 6))

        def dates(rules: lifecycles.Lifecycle = rules) -> object:
            course = rules.course(ages, NOW)
            return course.next(), course.leaving()

        out.append(Result(f"{count:,} dates of change and leaving: {name}", _least(dates, rounds), plain, 60))
        part = slice(len(groups) * count // len(names), (len(groups) + 1) * count // len(names))
        few = _cut(ages, part)
        groups.append(Group(rules, np.arange(count)[part], few, rules.projection(few, NOW)))
    outlook = Outlook(NOW, groups, count)
    for leaving in (True, False):
        outlook.schedule(removals=leaving)
        moved = [
            timed(lambda days=days, leaving=leaving: _moved(outlook, days, leaving))
            for days in HORIZONS * rounds
        ]
        what = "leaves" if leaving else "changes"
        out.append(Result(f"the horizon moved, {count:,}, what {what}, p95, beside a frame",
                          percentile(moved, 0.95), FRAME, 1))  # fmt: skip
    if workspace is not None:
        out.append(_reading(workspace, count))
    return out


def _moved(outlook: Outlook, days: int, leaving: bool) -> None:
    """All that the screen asks for at another horizon; the lines on it stay the same."""
    outlook.ids(min(outlook.count_until(days, removals=leaving), 100_000), removals=leaving)
    outlook.by_week(min(days, 35), removals=leaving)
    outlook.by_category(days, removals=leaving)


def _reading(path: Path, count: int) -> Result:
    import apsw

    opened = Workspace.open(path)
    raw = apsw.Connection(str(path))
    sql = "SELECT id, confidence, times_used, created_at, last_used_at, category FROM memories WHERE live = 1"
    ours = _least(lambda: opened.outlook(now=NOW), 3)
    plain = _least(lambda: raw.execute(sql).fetchall(), 3)
    raw.close()
    opened.close()
    return Result(f"the outlook of {count:,} read, beside six of its columns", ours, plain)


def _least(call: Callable[[], object], rounds: int) -> float:
    return min(timed(call) for _ in range(rounds))


def _ages(count: int) -> DecayInputs:
    chance = np.random.default_rng(7)

    def between(low: float, high: float) -> np.ndarray:
        return chance.uniform(low, high, count)

    def some(part: float, values: np.ndarray, otherwise: float) -> np.ndarray:
        return np.where(between(0, 1) < part, values, otherwise)

    never = np.full(count, np.nan)
    return DecayInputs(
        confidence=between(0, 1),
        importance=between(0, 1),
        used=chance.integers(0, 20, count).astype(float),
        confirmed=np.zeros(count),
        created=NOW - between(0, 400) * DAY,
        last_used=some(0.7, NOW - between(0, 300) * DAY, np.nan),
        last_confirmed=never,
        expires=some(0.2, NOW + between(-50, 500) * DAY, np.inf),
        valid_from=np.full(count, -np.inf),
        valid_to=some(0.2, NOW + between(-50, 500) * DAY, np.inf),
        since=np.full(count, NOW),
        demoted=never,
        live=between(0, 1) < 0.95,
        pinned=between(0, 1) < 0.05,
        lesson=between(0, 1) < 0.1,
        tier=chance.integers(-1, 5, count).astype(float),
        sessions=chance.integers(0, 8, count).astype(float),
        share=between(0, 1),
        category=chance.integers(0, 5, count),
        categories=("fact", "preference", "decision", "solution", "other"),
        xp=np,
    )


def _cut(ages: DecayInputs, part: slice) -> DecayInputs:
    from dataclasses import fields, replace

    names = [each.name for each in fields(ages) if each.name not in ("categories", "xp")]
    return replace(ages, **{name: getattr(ages, name)[part] for name in names})
