"""Curves and texts of the Decay screen, calculated from an outlook: pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from memtui.memory import lifecycles
from memtui.memory.lifecycles.base import DAY
from memtui.text import safe_text
from memtui.tui.decay import wording
from memtui.tui.text.glyphs import fit, grouped

if TYPE_CHECKING:
    from memtui.memory.lifecycles.base import Projection
    from memtui.memory.lifecycles.outlook import Outlook, OutlookRow
    from memtui.tui.decay.chart import Curves

POINTS = 160  # of a curve
FEWEST_WEEKS, MOST_WEEKS = 4, 26  # shown one by one


def curves(outlook: Outlook, id: int, days: int) -> Curves | None:
    """Return a memory's curves over `days`; None if its lifecycle gives it no number."""
    from memtui.tui.decay.chart import Curves

    found = outlook.find(id)
    if found is None:
        return None
    lifecycle, inputs = found
    now = outlook.now
    projection = lifecycle.projection(inputs, now)
    if float(projection.current) != float(projection.current):
        return None
    moments = [now + days * DAY * n / (POINTS - 1) for n in range(POINTS)]

    def values(projection: Projection) -> tuple[float, ...]:
        scores = (projection.current if n == 0 else projection.score(t) for n, t in enumerate(moments))
        return tuple(min(1.0, float(score)) for score in scores)

    leaves_in = (float(projection.removal()[0]) - now) / DAY
    thresholds = {threshold for threshold, *_ in lifecycle.labels if 0 < threshold < 1}
    return Curves(
        days=tuple((t - now) / DAY for t in moments),
        as_is=values(projection),
        if_pinned=values(lifecycle.projection(inputs.as_pinned(), now)),
        if_used=values(lifecycle.projection(inputs.after_use(now), now)),
        thresholds=tuple(sorted(thresholds)),
        leaves_in=max(leaves_in, 0.0) if leaves_in <= days else None,
    )


def nearest_horizon(outlook: Outlook, horizons: Sequence[int]) -> tuple[int, bool]:
    """Return the first horizon within which anything leaves, and True; else anything changes, and False."""
    for leaving in (True, False):
        for days in horizons:
            if outlook.count_until(days, removals=leaving):
                return days, leaving
    return horizons[0], True


def summary_text(
    outlook: Outlook,
    days: int,
    *,
    leaving: bool,
    tried: str,
    half_life: str,
    width: int,
    key: Callable[[str], str],
    line: OutlookRow | None,
    pin_is_local: bool = False,
) -> Content:
    """Return three lines: why the highlighted memory leaves, how many leave, and by which rules.

    `tried` names the lifecycle tried on all memories, "" for each store's own; `line` is the highlighted row,
    and `pin_is_local` whether memtui alone would keep a pin of it.
    """
    parts: list[tuple[str, str]] = []
    if line is not None:
        keep = f"  {_pin_effect(line, pin_is_local, key('memory.pin'))}"
        parts += [
            (
                fit(wording.why(safe_text(line.rule, one_line=True)), max(10, width - len(keep))),
                "$foreground",
            ),
            (keep, "$accent"),
            ("\n", ""),
        ]
    categories = [
        f"{safe_text(name, one_line=True, limit=16)} {grouped(count)}"
        for name, count in list(outlook.by_category(days, removals=leaving).items())[:5]
    ]
    by_category = f" · {', '.join(categories)}" if categories else ""
    pace = _pace(outlook, days, leaving, width - cell_len(by_category))
    parts += [(fit(pace + by_category, width), "$foreground"), ("\n", "")]
    title = lifecycles.by_name(tried).title if tried else ""
    rules = wording.rules(title, half_life, outlook.frozen)
    parts.append((fit(rules, width), "$warning" if tried else "$quiet"))
    return Content.assemble(*parts)


def _pace(outlook: Outlook, days: int, leaving: bool, room: int) -> str:
    """Return how many leave, or change, in each week, of which as many are shown as fit, and in all."""
    weeks = outlook.by_week(min(days, 7 * MOST_WEEKS), removals=leaving)
    total = outlook.count_until(days, removals=leaving)
    for count in range(len(weeks), 0, -1):
        complete = count * 7 >= days
        text = wording.pace(weeks[:count], total, days, leaving=leaving, complete=complete)
        if count <= FEWEST_WEEKS or cell_len(text) <= room:
            break
    return text


def _pin_effect(line: OutlookRow, is_local: bool, key: str) -> str:
    """Return what a pin would do; a store without pins may remove the memory all the same."""
    if line.if_pinned < float("inf"):
        return wording.PIN_IS_NOT_ENOUGH
    return wording.pin_keeps(key, in_memtui=is_local)
