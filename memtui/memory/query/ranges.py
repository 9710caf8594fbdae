"""Amounts and times as they are typed into a filter (S-31): `>0.8`, `0.5..0.8`, `2026-01`, `<30d`.

Each becomes a span: from its first number (included) to its second (excluded), None where it is open. Days
are those of the local time zone; `now` is always passed in.
"""

from __future__ import annotations

import re
import time
from datetime import UTC, date, datetime

from memtui.memory.encoding import iso

Span = tuple[float | None, float | None]

SHARES = 10_000  # confidence is compared to four places, so that 0.1 + 0.7 equals 0.8

# Examples of each form, for completion.
EXAMPLES = {
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


def parse(form: str, text: str, now: float) -> Span:
    """Return the span that `text` means; raise ValueError if it means none."""
    try:
        return _parse(form, text.strip().lower(), now)
    except OverflowError as error:  # a year beyond the range of the platform's clock
        raise ValueError(text) from error


def _parse(form: str, text: str, now: float) -> Span:
    low, dots, high = text.partition("..")
    if dots and low and high:
        return _between(_single(form, low, now), _single(form, high, now))
    sign = next((each for each in (">=", "<=", ">", "<") if text.startswith(each)), "")
    if dots:
        if sign:
            raise ValueError(text)
        sign, text = (">=", low) if low else ("<=", high)
    else:
        text = text[len(sign) :]
    if age := _AGE.fullmatch(text):
        return _age_span(form, sign, age, now)
    first, after = _single(form, text, now)
    return {
        "": (first, after),
        ">": (after, None),
        ">=": (first, None),
        "<": (None, first),
        "<=": (None, after),
    }[sign]


def ahead(text: str, now: float) -> float | None:
    """Return the moment that is an age such as 30d after `now`; None if `text` is no age."""
    age = _AGE.fullmatch(text.strip().lower())
    return _moment("coming", age, now) if age else None


def moment_ahead(text: str, now: float) -> float | None:
    """Return the moment that an age such as 30d, "tomorrow", or an ISO date or time means; None for others.

    A day is its first moment, tomorrow is 24 hours away, and without a zone it is UTC.
    """
    if text.strip().lower() == "tomorrow":
        return now + _DAY
    moment = ahead(text, now)
    if moment is None:
        try:
            parsed = datetime.fromisoformat(text.strip())
            moment = parsed.replace(tzinfo=parsed.tzinfo or UTC).timestamp()
        except (OverflowError, ValueError):
            return None
    return moment if iso(moment) is not None else None


def share(text: str) -> float:
    """Return an amount such as 0.8 or 80% as a number from 0 to 1; raise ValueError if it is none."""
    return _share(text.strip())[0] / SHARES


def _between(a: tuple[float, float], b: tuple[float, float]) -> Span:
    """Return the span that covers both, whichever was typed first."""
    return min(a[0], b[0]), max(a[1], b[1])


def _age_span(form: str, sign: str, age: re.Match[str], now: float) -> Span:
    """Return the span of an age: less than it is nearer to now, more is farther; an age alone means less."""
    moment = _moment(form, age, now)
    farther = sign.startswith(">")
    if form == "coming":
        return (moment, None) if farther else (now, moment)
    if form == "past":
        return (None, moment) if farther else (moment, None)
    raise ValueError(age[0])


def _moment(form: str, age: re.Match[str], now: float) -> float:
    seconds = int(age[1]) * _UNITS[age[2]]
    return now + seconds if form == "coming" else now - seconds


def _single(form: str, text: str, now: float) -> tuple[float, float]:
    """Return the span of one amount, day or age: an age is a moment, a day is 24 hours, 0.8 is 0.8."""
    if form == "share":
        return _share(text)
    if form == "count":
        if not _COUNT.fullmatch(text):
            raise ValueError(text)
        return int(text), int(text) + 1
    if age := _AGE.fullmatch(text):
        return (_moment(form, age, now),) * 2
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
    """Return the first moment of a day, month or year, and the first one after it."""
    if text in _NAMED:
        today = datetime.fromtimestamp(now)
        year, month, day = today.year, today.month, today.day + _NAMED[text]
        return _midnight(year, month, day), _midnight(year, month, day + 1)
    typed = _DATE.fullmatch(text)
    if typed is None:
        raise ValueError(text)
    year, month, day = (int(part or 1) for part in typed.groups())
    date(year, month, day)  # raises ValueError if there is no such day
    start = _midnight(year, month, day)
    if typed[3]:
        return start, _midnight(year, month, day + 1)
    return start, _midnight(year, month + 1, 1) if typed[2] else _midnight(year + 1, 1, 1)


def _midnight(year: int, month: int, day: int) -> float:
    """Return when a day begins; the day or month may be one beyond the last."""
    return time.mktime((year, month, day, 0, 0, 0, 0, 0, -1))
