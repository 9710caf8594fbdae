"""Numbers, money, times, dates, sizes and versions in a text, in one base unit each."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memtui.memory.contradictions.language.units import MONTHS, NUMBER_WORDS, ORDINALS, SCALES, UNITS

# Words that make a number inexact.
_APPROXIMATORS = frozenset(
    """
    about around roughly approximately approx circa ca almost nearly over under above below least
    most than minimum maximum max min up within between exceed exceeds some or to ~ < > ≤ ≥ <= >= -
    – few several
    """.split()
)
_BEFORE_MAY = frozenset("in by since until of from early late mid on every last next".split())
_NUMBER_WITH_UNIT = re.compile(r"([$€£¥]?)(\d[\d,]*(?:\.\d+)?)([a-zµ°%/]*)(\+?)$")
_CLOCK = re.compile(r"(\d{1,2})[:.h](\d{2})(?::\d{2})?(am|pm|a\.m\.?|p\.m\.?)?$")
_HOUR = re.compile(r"(\d{1,2})(am|pm)$")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:t.*)?$")
_NTH = re.compile(r"(\d{1,3})(?:st|nd|rd|th)$")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+(?:[a-z][\w.-]*)?$|v\d+$")
_FREQUENCIES = {
    **{
        "hourly": 8766.0,
        "daily": 365.25,
        "nightly": 365.25,
        "weekly": 52.18,
        "biweekly": 26.09,
        "fortnightly": 26.09,
    },
    **{"monthly": 12.0, "quarterly": 4.0, "yearly": 1.0, "annually": 1.0},
}
_NIGHTS = ("night", "weekday")
_NO_NOUNS = frozenset("of is that which for in to on at by and or but who with can has was".split())
_POWER = re.compile(r"\d+(?:\.\d+)?e-?\d{1,3}$")
_RANGE = re.compile(r"[$€£]?\d[\d.,]*[-–]\d[\d.,]*[a-z%]*$")
_MULTIPLIERS = {"k": 1e3, "m": 1e6, "bn": 1e9, "b": 1e9}
_FRACTIONS = {
    ("half", "a", "million"): 500_000.0,
    ("quarter", "of", "a", "million"): 250_000.0,
    ("half", "a", "dozen"): 6.0,
}
_CURRENCIES = frozenset("usd eur gbp jpy chf sek nok dkk pln czk".split())
_MONEY = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with what it measures: number, ordinal, version, year, date, clock, money, time, size, …

    `value` is in the base unit; of a date (year, month, day), with None for what is not stated.
    """

    kind: str
    value: object
    approximate: bool  # "about 20", "at least 8", a range
    text: str
    bound: str = ""  # "<" for "under 500", ">" for "at least 8"

    @property
    def key(self) -> str:
        """A string that is equal for equal values."""
        return f"#{self.kind}:{self.value}"


def quantity_at(words: list[str], index: int) -> tuple[Quantity, int] | None:
    """Return the quantity that starts at a word (in lower case), and the number of its words."""
    found = _date(words, index) or _single(words, index)
    if found is None:
        return None
    kind, value, length = _rate(words, index, *found)
    # The words around it say whether it is exact.
    context = words[max(0, index - 2) : index] + words[index + length : index + length + 1]
    approximate = any(
        word in _APPROXIMATORS
        and not (
            word in ("to", "or", "over", "under", "up", "-", "–", "above", "below", "between")
            and not _is_range(words, index, length, word)
        )
        for word in context
    )
    if words[index + length : index + length + 2][:1] in (["or"], ["+"]):
        approximate = True
    text = " ".join(words[index : index + length])
    approximate = (approximate or text.endswith("+")) and kind not in ("ordinal", "date", "year")
    return Quantity(kind, value, approximate, text, _bound(words, index) if approximate else ""), length


def _bound(words: list[str], index: int) -> str:
    preceding = words[max(0, index - 2) : index]
    if not preceding:
        return ""
    phrase = " ".join(preceding)
    if phrase.endswith(_LOWER_BOUNDS):
        return ">"
    return "<" if phrase.endswith(_UPPER_BOUNDS) else ""


_LOWER_BOUNDS = (
    "at least",
    "more than",
    "over",
    "above",
    "minimum",
    "min",
    "no less than",
    "exceeds",
    "beyond",
)
_UPPER_BOUNDS = (
    "at most",
    "less than",
    "fewer than",
    "under",
    "below",
    "up to",
    "within",
    "maximum",
    "max",
    "no more than",
)


def _rate(words: list[str], index: int, kind: str, value: object, length: int) -> Match:
    """Convert "25 dollars a month" or "twice a week" to a value per year."""
    end = index + length
    end += end < len(words) and words[end] in ("times", "time")
    if (
        not isinstance(value, float)
        or end + 1 >= len(words)
        or words[end] not in ("a", "an", "per", "each", "every")
    ):
        return kind, value, length
    unit = UNITS.get(words[end + 1])
    if unit is None or unit[0] != "time":
        return kind, value, length
    return f"{kind} a year", value / unit[1] * 31557600.0, end + 2 - index


def _is_range(words: list[str], index: int, length: int, word: str) -> bool:
    """Whether an ambiguous word makes the adjacent number a range."""
    preceding = words[index - 1] if index else ""
    following = words[index + length] if index + length < len(words) else ""
    if word in ("over", "under", "above", "below"):
        return word == preceding
    if word == "up":
        return False
    if word == "between":
        return word == preceding and following == "and"
    other_end = (
        words[index + length + 1 : index + length + 2]
        if word == following
        else words[max(0, index - 2) : index - 1]
    )
    return word in (preceding, following) and any(
        each[:1].isdigit() or each in NUMBER_WORDS for each in other_end
    )


Match = tuple[str, object, int]


def _date(words: list[str], index: int) -> Match | None:
    word = words[index]
    if iso := _ISO.match(word):
        return "date", (int(iso[1]), int(iso[2]), int(iso[3])), 1
    if word in MONTHS and index + 1 < len(words):
        if (day := _day(words[index + 1])) is not None:
            return _with_year(words, index, 2, MONTHS[word], day)
        month = word != "may" or (index > 0 and words[index - 1] in _BEFORE_MAY)
        if month and (year := _year(words[index + 1])):
            return "date", (year, MONTHS[word], None), 2
    if (day := _day(word)) is not None and index + 1 < len(words):
        gap = 2 if words[index + 1] == "of" else 1
        if index + gap < len(words) and words[index + gap] in MONTHS:
            return _with_year(words, index, gap + 1, MONTHS[words[index + gap]], day)
    return None


def _with_year(words: list[str], index: int, length: int, month: int, day: int) -> Match:
    year = _year(words[index + length]) if index + length < len(words) else None
    return "date", (year, month, day), length + (year is not None)


def _day(word: str) -> int | None:
    nth = _NTH.match(word)
    text = nth[1] if nth else word
    return int(text) if text.isdigit() and text.isascii() and 1 <= int(text[:4]) <= 31 else None


def _year(word: str) -> int | None:
    return (
        int(word)
        if len(word) == 4 and word.isascii() and word.isdigit() and 1800 < int(word) < 2200
        else None
    )


def _single(words: list[str], index: int) -> Match | None:
    word = words[index]
    following = words[index + 1] if index + 1 < len(words) else ""
    if nth := _NTH.match(word):
        return "ordinal", int(nth[1]), 1
    if word in ORDINALS and not (word == "second" and words[max(0, index - 1)] in ("a", "per", "each")):
        return "ordinal", ORDINALS[word], 1
    clock = _CLOCK.match(word)
    if clock and (":" in word or clock[3] or following in ("am", "pm")):
        return _clock(int(clock[1]), int(clock[2]), clock[3] or "", following)
    if hour := _HOUR.match(word):
        return _clock(int(hour[1]), 0, hour[2], "")
    if (frequency := _frequency(words, index)) is not None:
        return frequency
    if word in ("once", "twice"):
        return "number", 1.0 if word == "once" else 2.0, 1
    if (clock_in_words := _clock_in_words(words, index)) is not None:
        return clock_in_words
    if word in ("noon", "midnight"):
        return "clock", 720 if word == "noon" else 0, 1
    if word.isascii() and word.isdigit() and len(word) <= 2 and following in ("am", "pm"):
        return _clock(int(word), 0, "", following)
    if len(word) == 2 and word[0] == "q" and word[1] in "1234":
        return "quarter", int(word[1]), 1
    if _RANGE.match(word):
        return "range", word, 1
    if _VERSION.match(word) and (word[0] == "v" or word.count(".") > 1):
        return "version", word.lstrip("v"), 1
    if word == "one" and (not following or following in _NO_NOUNS):
        return None  # "the current one", "one of them"
    number, length, unit, money = _number(words, index)
    if number is None:
        return None
    if money:
        return f"money {money}", number, length
    follows = words[index + length] if index + length < len(words) else ""
    if (
        not unit
        and follows in UNITS
        and not (follows in ("to", "in", "second") or (len(follows) == 1 and follows in "bdgl"))
    ):
        unit, length = follows, length + 1
    if unit in UNITS:
        kind, factor = UNITS[unit]
        base = number * factor if kind != "temperature" or factor == 1 else (number - 32) / 1.8
        return kind, round(base, 6), length
    if unit in _MULTIPLIERS:
        return "number", number * _MULTIPLIERS[unit], length
    if unit:
        return None
    if length == 1 and _year(word):
        return "year", int(word), 1
    if "." in word and length == 1:
        return "version", word, 1  # 3.10 is not 3.1
    return "number", number, length


def _frequency(words: list[str], index: int) -> Match | None:
    """Parse "daily", "every week", "every other day" as times a year."""
    word = words[index]
    following = words[index + 1] if index + 1 < len(words) else ""
    if word in _FREQUENCIES and following not in UNITS:
        return "number a year", _FREQUENCIES[word], 1
    if word in ("every", "each") and following in UNITS and UNITS[following][0] == "time":
        return "number a year", 31557600.0 / UNITS[following][1], 2
    if word in ("every", "each") and following in _NIGHTS:
        return "number a year", _FREQUENCIES["daily"], 2
    if word == "every" and index + 2 < len(words) and words[index + 2] in UNITS:
        count = 2.0 if following == "other" else float(NUMBER_WORDS.get(following, 0))
        measures, factor = UNITS[words[index + 2]]
        count = count or (
            float(following) if following.isascii() and following.isdigit() and len(following) < 4 else 0.0
        )
        if count and measures == "time":
            return "number a year", 31557600.0 / (count * factor), 3
    return None


def _number(words: list[str], index: int) -> tuple[float | None, int, str, str]:
    """Return a number in figures or words, the number of its words, a unit attached to it, and its
    currency."""
    word = words[index]
    if word in _CURRENCIES and index + 1 < len(words) and words[index + 1][:1].isdigit():
        number, length, unit, _ = _number(words, index + 1)
        number = None if number is None else number * _MULTIPLIERS.get(unit, 1.0)
        return number, length + 1, "", word
    if _POWER.match(word):
        return float(word), 1, "", ""
    glued = _NUMBER_WITH_UNIT.match(word)
    if glued and len(word) < 24:
        number, length = float(glued[2].replace(",", "")), 1
        following = words[index + 1] if index + 1 < len(words) else ""
        money = _MONEY.get(glued[1], "")
        unit = glued[3]
        if money and unit in _MULTIPLIERS:
            return number * _MULTIPLIERS[unit], 1, "", money
        if not unit and following in SCALES:
            number, length = number * SCALES[following], 2
            following = words[index + 2] if index + 2 < len(words) else ""
        if not unit and following in ("usd", "eur", "gbp", "dollars", "dollar", "euros", "euro", "bucks"):
            return number, length + 1, "", "usd" if following[0] in "udb" else following[:3]
        return number, length, unit, money
    for phrase, value in _FRACTIONS.items():
        if words[index : index + len(phrase)] == list(phrase):
            following = words[index + len(phrase)] if index + len(phrase) < len(words) else ""
            money = (
                following[:3]
                if following in ("euro", "euros")
                else "usd"
                if following.startswith("dollar")
                else ""
            )
            return value, len(phrase) + bool(money), "", money
    if (
        word == "a"
        and index + 1 < len(words)
        and words[index + 1] in ("dozen", "hundred", "thousand", "million")
    ):
        return float(SCALES[words[index + 1]]), 2, "", ""
    if "-" in word:
        ten, _, one = word.partition("-")
        if ten in NUMBER_WORDS and one in NUMBER_WORDS:
            return float(NUMBER_WORDS[ten] + NUMBER_WORDS[one]), 1, "", ""
        if ten in NUMBER_WORDS and one in UNITS:  # "two-year"
            return float(NUMBER_WORDS[ten]), 1, one, ""
        head = _NUMBER_WITH_UNIT.match(ten)
        if head and not head[3] and one in UNITS:  # "90-minute"
            return float(head[2].replace(",", "")), 1, one, ""
    if word not in NUMBER_WORDS:
        return None, 0, "", ""
    total, length = float(NUMBER_WORDS[word]), 1
    while index + length < len(words) and words[index + length] in SCALES:
        total, length = total * SCALES[words[index + length]], length + 1
    rest = words[index + length : index + length + 2]
    if total >= 100 and rest[:1] == ["and"] and rest[1:] and NUMBER_WORDS.get(rest[1], 100) < total:
        total, length = total + NUMBER_WORDS[rest[1]], length + 2
    return total, length, "", ""


def _clock_in_words(words: list[str], index: int) -> Match | None:
    """Parse a time of day in words: "half past seven in the evening", "quarter to nine"."""
    word, direction, hour = (*words[index : index + 3], "", "", "")[:3]
    minutes = {"half": 30, "quarter": 15}.get(word)
    number = NUMBER_WORDS.get(hour, int(hour) if hour.isascii() and hour.isdigit() and len(hour) < 3 else 0)
    if minutes is None or direction not in ("past", "to") or not 0 < number < 13:
        return None
    rest = words[index + 3 : index + 6]
    afternoon = rest[:1] == ["pm"] or (rest[:2] == ["in", "the"] and rest[2:] in (["evening"], ["afternoon"]))
    total = 60 * (number % 12 + 12 * afternoon) + (minutes if direction == "past" else -minutes)
    return "clock", total % 1_440, 3


def _clock(hour: int, minute: int, half: str, following: str) -> Match | None:
    half_of_day = half.replace(".", "") or (following if following in ("am", "pm") else "")
    if hour > 24 or minute > 59:
        return None
    if half_of_day:
        hour = hour % 12 + (12 if half_of_day == "pm" else 0)
    return "clock", 60 * hour + minute, 2 if following in ("am", "pm") and not half else 1


def bounds_exclude(one: Quantity, two: Quantity) -> bool:
    """Whether two values with bounds cannot be equal: "under 500", "at least 2,000"."""
    if one.kind != two.kind or not isinstance(one.value, float) or not isinstance(two.value, float):
        return False
    low, high = (one, two) if one.value <= two.value else (two, one)
    if not (low.bound or high.bound) or low.value == high.value:
        return False
    return low.bound != ">" and high.bound != "<" and all(not q.approximate or q.bound for q in (low, high))


def equal(one: Quantity, two: Quantity) -> bool | None:
    """Whether two values are equal; None where they measure different things and cannot be compared."""
    if one.kind != two.kind:
        pair = {one.kind, two.kind}
        if pair == {"number", "version"} or pair == {"number", "year"}:
            return True if _as_text(one) == _as_text(two) else None
        return None
    if one.kind == "date":
        pairs = zip(_date_parts(one), _date_parts(two), strict=True)
        return all(a is None or b is None or a == b for a, b in pairs)
    if isinstance(one.value, float) and isinstance(two.value, float):
        tolerance = 1e-9 if one.kind == "number" or one.kind.startswith("money") else 0.01
        tolerance = 0.08 if one.kind == "size" else tolerance  # 1 MB and 1,024 KB
        tolerance = 0.03 if one.kind.endswith("a year") else tolerance
        return abs(one.value - two.value) <= tolerance * max(abs(one.value), abs(two.value))
    return one.value == two.value


def _as_text(one: Quantity) -> str:
    value = one.value
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


def _date_parts(one: Quantity) -> tuple[object, ...]:
    assert isinstance(one.value, tuple)
    return one.value
