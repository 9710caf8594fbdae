"""Amounts and times as a person types them into a filter (S-31): `>0.8`, `0.5..0.8`, `2026-01`, `<30d`.

Whatever is typed becomes a span: from its first number (included) to its second (excluded), None
where it is open. Days are those of the person's own clock; `now` is given, never asked.
"""

from __future__ import annotations

import re
import time
from datetime import date, datetime

Span = tuple[float | None, float | None]

SHARES = 10_000  # confidence is compared to four places, so that 0.1 + 0.7 is 0.8

_SIGNED = "with >, <, >= or <= before it, or .. between two"
# What each form takes, in words.
FORMS = {
    "share": f"a number from 0 to 1 or a percentage, {_SIGNED}",
    "count": f"a whole number, {_SIGNED}",
    "past": f"a date, an age (12h, 7d, 2w, 3mo, 1y), today or yesterday, {_SIGNED}",
    "coming": f"a date, a time from now (12h, 7d, 2w, 3mo, 1y), today or tomorrow, {_SIGNED}",
}
# What each form may begin with, for completion.
SHOWN = {
    "share": (">0.8", "<0.3", "0.5..0.8", ">80%"),
    "count": ("0", "<3", ">10", "1..5"),
    "past": ("today", "yesterday", "7d", "30d", ">90d", "2026-01", ">2026-01-01"),
    "coming": ("today", "tomorrow", "<7d", "<30d", ">30d", "2026-01", "<2026-01-01"),
}

_DAY = 86_400.0
_UNITS = {"h": 3_600.0, "d": _DAY, "w": 7 * _DAY, "mo": 30 * _DAY, "y": 365 * _DAY}
_AGE = re.compile(r"([0-9]{1,6})(h|d|w|mo|y)")
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")
_SHARE = re.compile(r"([0-9]{1,9}\.?[0-9]{0,9}|\.[0-9]{1,9})(%?)")
_COUNT = re.compile(r"[0-9]{1,15}")
_NAMED = {"yesterday": -1, "today": 0, "tomorrow": 1}


def read(form: str, text: str, now: float) -> Span:
    """The span that `text` means; ValueError if it means none."""
    try:
        return _read(form, text.strip().lower(), now)
    except OverflowError as trouble:  # a year that this machine's clock cannot say
        raise ValueError(text) from trouble


def _read(form: str, text: str, now: float) -> Span:
    one, dots, two = text.partition("..")
    if dots and one and two:
        return _between(_one(form, one, now), _one(form, two, now))
    sign = next((each for each in (">=", "<=", ">", "<") if text.startswith(each)), "")
    if dots:
        if sign:
            raise ValueError(text)
        sign, text = (">=", one) if one else ("<=", two)
    else:
        text = text[len(sign) :]
    if age := _AGE.fullmatch(text):
        return _aged(form, sign, age, now)
    first, after = _one(form, text, now)
    return {
        "": (first, after),
        ">": (after, None),
        ">=": (first, None),
        "<": (None, first),
        "<=": (None, after),
    }[sign]


def _between(one: tuple[float, float], two: tuple[float, float]) -> Span:
    """From the first of both to the end of both, whichever was typed first."""
    return min(one[0], two[0]), max(one[1], two[1])


def _aged(form: str, sign: str, age: re.Match[str], now: float) -> Span:
    """Less than an age is nearer to now, more is farther off; an age alone is less."""
    then = _at(form, age, now)
    far = sign.startswith(">")
    if form == "coming":
        return (then, None) if far else (now, then)
    if form == "past":
        return (None, then) if far else (then, None)
    raise ValueError(age[0])


def _at(form: str, age: re.Match[str], now: float) -> float:
    seconds = int(age[1]) * _UNITS[age[2]]
    return now + seconds if form == "coming" else now - seconds


def _one(form: str, text: str, now: float) -> tuple[float, float]:
    """What one amount, day or age covers: an age is a moment, a day is 24 hours, 0.8 is 0.8."""
    if form == "share":
        return _share(text)
    if form == "count":
        if not _COUNT.fullmatch(text):
            raise ValueError(text)
        return int(text), int(text) + 1
    if age := _AGE.fullmatch(text):
        return (_at(form, age, now),) * 2
    return _days(text, now)


def _share(text: str) -> tuple[float, float]:
    typed = _SHARE.fullmatch(text)
    if typed is None:
        raise ValueError(text)
    share = round(float(typed[1]) * SHARES / (100 if typed[2] else 1))
    if share > SHARES:
        raise ValueError(text)
    return share, share + 1


def _days(text: str, now: float) -> tuple[float, float]:
    """The first moment of a day, month or year, and the first one after it."""
    if text in _NAMED:
        today = datetime.fromtimestamp(now)
        year, month, day = today.year, today.month, today.day + _NAMED[text]
        return _midnight(year, month, day), _midnight(year, month, day + 1)
    typed = _DATE.fullmatch(text)
    if typed is None:
        raise ValueError(text)
    year, month, day = (int(part or 1) for part in typed.groups())
    date(year, month, day)  # ValueError where there is no such day
    start = _midnight(year, month, day)
    if typed[3]:
        return start, _midnight(year, month, day + 1)
    return start, _midnight(year, month + 1, 1) if typed[2] else _midnight(year + 1, 1, 1)


def _midnight(year: int, month: int, day: int) -> float:
    """When a day begins; the day or month may lie one beyond the last."""
    return time.mktime((year, month, day, 0, 0, 0, 0, 0, -1))
