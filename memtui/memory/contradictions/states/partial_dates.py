"""Dates as people write them: a day, a month, a quarter, a season."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.units import MONTHS

_SEASONS = {
    "spring": (3, 4, 5),
    "summer": (6, 7, 8),
    "autumn": (9, 10, 11),
    "fall": (9, 10, 11),
    "winter": (12, 1, 2),
}


@dataclass(frozen=True, slots=True)
class PartialDate:
    """As much of a date as is stated."""

    year: int | None
    months: frozenset[int]
    day: int | None

    def differs(self, other: PartialDate) -> bool:
        """Whether the two cannot be one date: "in the autumn" and "in September" can."""
        years = self.year is not None and other.year is not None and self.year != other.year
        months = bool(self.months) and bool(other.months) and not self.months & other.months
        days = self.months == other.months and None not in (self.day, other.day) and self.day != other.day
        return years or months or days


def partial_date(token: Token) -> PartialDate | None:
    """Return the date that a token states, or None; "since May" states none."""
    quantity = token.quantity
    if token.marker in ("since", "from", "after", "before"):
        return None
    if quantity is not None and quantity.kind == "date" and isinstance(quantity.value, tuple):
        year, month, day = quantity.value
        return PartialDate(year, frozenset((month,)) if month else frozenset(), day)
    if quantity is not None and quantity.kind == "quarter" and isinstance(quantity.value, int):
        first = 3 * quantity.value - 2
        return PartialDate(None, frozenset(range(first, first + 3)), None)
    last = token.low.split()[-1] if token.low else ""
    if (token.quantity is None and last in MONTHS and last != "may") or token.text == "May":
        return PartialDate(None, frozenset((MONTHS[last],)), None)
    if last in _SEASONS:
        return PartialDate(None, frozenset(_SEASONS[last]), None)
    return None
