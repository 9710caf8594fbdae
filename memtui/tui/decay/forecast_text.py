"""What the Decay screen draws and says, worked out from an outlook: pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.memory import lifecycles
from memtui.memory.lifecycles.base import DAY
from memtui.text import safe_text
from memtui.tui.text.glyphs import counted, fit, grouped

if TYPE_CHECKING:
    from memtui.memory.lifecycles.base import Course
    from memtui.memory.lifecycles.outlook import Line, Outlook
    from memtui.tui.decay.chart import Curves

POINTS = 160


def curves(outlook: Outlook, id: int, days: int) -> Curves | None:
    """The three curves of a memory over so many days, a bit beyond where it leaves; None without a number."""
    from memtui.tui.decay.chart import Curves

    found = outlook.find(id)
    if found is None:
        return None
    lifecycle, ages = found
    now = outlook.now
    course = lifecycle.course(ages, now)
    if float(course.current) != float(course.current):
        return None
    at = [now + days * DAY * n / (POINTS - 1) for n in range(POINTS)]

    def heights(one: Course) -> tuple[float, ...]:
        return tuple(min(1.0, float(one.current if n == 0 else one.score(t))) for n, t in enumerate(at))

    gone = (float(course.leaving()[0]) - now) / DAY
    least = {one[0] for one in lifecycle.labels if 0 < one[0] < 1}
    return Curves(
        days=tuple((t - now) / DAY for t in at),
        as_is=heights(course),
        if_pinned=heights(lifecycle.course(ages.kept(), now)),
        if_used=heights(lifecycle.course(ages.used_once(now), now)),
        thresholds=tuple(sorted(least)),
        gone=max(gone, 0.0) if gone <= days else None,
    )


def nearest(outlook: Outlook, horizons: Sequence[int]) -> tuple[int, bool]:
    """The first of some horizons in which anything leaves, else in which anything changes; and which."""
    for leaving in (True, False):
        for days in horizons:
            if outlook.until(days, leaving=leaving):
                return days, leaving
    return horizons[0], True


def whole(
    outlook: Outlook,
    days: int,
    *,
    leaving: bool,
    tried: str,
    half_life: str,
    width: int,
    key: Callable[[str], str],
    line: Line | None,
    pin: str = "",
) -> Content:
    """Why the highlighted one goes, how many go by week and category, and by which rules."""
    parts: list[tuple[str, str]] = []
    if line is not None:
        keep = f"  {_keeping(line, pin, key('memory.pin'))}"
        parts += [
            (fit(f"Why: {safe_text(line.rule, one_line=True)}", max(10, width - len(keep))), "$foreground"),
            (keep, "$accent"),
            ("\n", ""),
        ]
    weeks = outlook.weeks(min(days, 35), leaving=leaving)
    what, soon = "leave" if leaving else "change", weeks[0] if weeks else 0
    told = f"{grouped(soon)} {what}{'s' if soon == 1 else ''} this week"
    if len(weeks) > 1:
        told += f", then {', '.join(grouped(each) for each in weeks[1:])} a week"
    told += f" · {grouped(outlook.until(days, leaving=leaving))} in {counted(days, 'day')}"
    named = [
        f"{safe_text(name, one_line=True, limit=16)} {grouped(count)}"
        for name, count in list(outlook.categories(days, leaving=leaving).items())[:5]
    ]
    kinds = f" · {', '.join(named)}" if named else ""
    parts += [(fit(told + kinds, width), "$foreground"), ("\n", "")]
    by = (
        f"what if all aged as in {lifecycles.by_name(tried).title}"
        if tried
        else "each store by its own lifecycle"
    )
    frozen = outlook.frozen
    pinned = f"{grouped(frozen)} pinned never leave{'s' if frozen == 1 else ''}" if frozen else ""
    rules = " · ".join(part for part in (by, half_life, pinned) if part)
    parts.append((fit(rules, width), "$warning" if tried else "$quiet"))
    return Content.assemble(*parts)


def _keeping(line: Line, pin: str, key: str) -> str:
    """What a pin would do for it; a store that knows no pin may let go of it all the same."""
    if line.if_pinned < float("inf"):
        return "no pin stops its expiry date"
    return f"{key} keeps it" + (", in memtui alone" if pin.startswith("is kept in memtui") else "")
