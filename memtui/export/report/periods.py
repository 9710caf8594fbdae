"""Moments counted by week or by month (UTC)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

WEEK, MONTH = "week", "month"
_WEEKS = 53  # more than these are counted by month
_MONTHS = 60  # drawn at most


@dataclass(frozen=True, slots=True)
class Periods:
    """The weeks or months that end with the one of now: the first day of each, as ISO dates. A month is named
    without its day."""

    unit: str
    names: tuple[str, ...]

    def count(self, moments: Iterable[float]) -> tuple[list[tuple[str, int]], int, int]:
        """Return how many moments are in each period, how many before the first, and after the last."""
        counts = Counter(_name(moment, self.unit) for moment in moments)
        first, last = self.names[0], self.names[-1]
        before = sum(count for name, count in counts.items() if name < first)
        after = sum(count for name, count in counts.items() if name > last)
        return [(name, counts[name]) for name in self.names], before, after


def periods(moments: Sequence[float], now: float) -> Periods:
    """Return the periods to count these moments by: weeks if they are within a year of `now`, else months."""
    past = [moment for moment in moments if moment <= now]
    oldest = min(past, default=now)
    if now - oldest <= _WEEKS * 7 * 86_400:
        monday, names = _monday(oldest), []
        while monday <= _day(now):
            names.append(monday.isoformat()[:10])
            monday += timedelta(days=7)
        return Periods(WEEK, tuple(names))
    return Periods(MONTH, tuple(_months(_day(oldest), _day(now))))


def _months(first: datetime, last: datetime) -> list[str]:
    number, end = first.year * 12 + first.month - 1, last.year * 12 + last.month - 1
    return [f"{each // 12:04}-{each % 12 + 1:02}" for each in range(max(number, end - _MONTHS + 1), end + 1)]


def _name(moment: float, unit: str) -> str:
    return _monday(moment).isoformat()[:10] if unit == WEEK else _day(moment).isoformat()[:7]


def _monday(moment: float) -> datetime:
    day = _day(moment)
    return day - timedelta(days=day.weekday()) if day.toordinal() > 7 else day


def _day(moment: float) -> datetime:
    """Return the day of a moment; one beyond the calendar is the calendar's first or last."""
    try:
        found = datetime.fromtimestamp(moment, UTC)
    except (OverflowError, ValueError, OSError):
        found = datetime.max if moment > 0 else datetime.min
    return found.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
