"""Numbers, money, times, dates, sizes and versions in a text, brought to one base each."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SMALL = {
    name: n
    for n, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty".split()
    )
}
_TENS = {name: 10 * n for n, name in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}
WORDS = _SMALL | _TENS
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12}
_ORDINALS = (
    {
        name: n
        for n, name in enumerate(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
            "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
            1,
        )
    }
    | {"thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80}
    | {
        "ninetieth": 90,
        "hundredth": 100,
    }
)
MONTHS = {
    name: n
    for n, names in enumerate(
        "january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,"
        "september sep sept,october oct,november nov,december dec".split(","),
        1,
    )
    for name in names.split()
}
# What is measured: its units, and how many of the base unit they are.
_UNITS = """
time: ms millisecond milliseconds .001, s sec secs second seconds 1, min mins minute minutes 60, h hr
    hrs hour hours 3600, day days d 86400, week weeks wk wks 604800, month months 2629800, quarter
    quarters 7889400, year years yr yrs yo 31557600, decade decades 315576000
size: byte bytes b 1, kb kilobyte kilobytes 1e3, mb megabyte megabytes 1e6, gb gigabyte gigabytes gig
    gigs 1e9, tb terabyte terabytes 1e12, kib 1024, mib 1048576, gib 1073741824
length: mm millimeter millimeters .001, cm centimeter centimeters .01, m meter meters metre metres 1, km
    kilometer kilometers kilometre kilometres 1e3, mile miles mi 1609.34, ft foot feet .3048, inch
    inches .0254, yard yards .9144
weight: mg milligram milligrams .001, g gram grams 1, kg kilo kilos kilogram kilograms 1e3, lb lbs pound
    pounds 453.592, oz ounce ounces 28.35, ton tons tonne tonnes 1e6
volume: ml milliliter milliliters .001, l liter liters litre litres 1, gallon gallons 3.785, cup cups
    .24
temperature: c celsius °c degrees degree ° 1, fahrenheit °f 1.8
share: % percent pct 1
money: usd dollar dollars bucks 1, eur euro euros 1, gbp pound-sterling 1, cents cent .01
rate: rps qps req/s 1, mbps 1, gbps 1e3, gbit/s 1e3, mbit/s 1, mph 1.609, kmh km/h kph 1, rpm 1, hz 1,
    khz 1e3, mhz 1e6, ghz 1e9
pixels: px pixel pixels 1
"""


def _units() -> dict[str, tuple[str, float]]:
    """unit → (what it measures, how many of the base unit it is)"""
    found: dict[str, tuple[str, float]] = {}
    for line in _UNITS.replace("\n    ", " ").strip().splitlines():
        kind, _, told = line.partition(": ")
        for part in told.split(","):
            *names, factor = part.split()
            found.update((name, (kind, float(factor))) for name in names)
    return found


UNITS = _units()
# Words that make a number no exact one.
_ABOUT = frozenset(
    """
    about around roughly approximately approx circa ca almost nearly over under above below least
    most than minimum maximum max min up within between exceed exceeds some or to ~ < > ≤ ≥ <= >= -
    – few several
    """.split()
)
_BEFORE_MAY = frozenset("in by since until of from early late mid on every last next".split())
_GLUED = re.compile(r"([$€£¥]?)(\d[\d,]*(?:\.\d+)?)([a-zµ°%/]*)(\+?)$")
_CLOCK = re.compile(r"(\d{1,2})[:.h](\d{2})(?::\d{2})?(am|pm|a\.m\.?|p\.m\.?)?$")
_HOUR = re.compile(r"(\d{1,2})(am|pm)$")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:t.*)?$")
_NTH = re.compile(r"(\d{1,3})(?:st|nd|rd|th)$")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+(?:[a-z][\w.-]*)?$|v\d+$")
_OFTEN = {
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
_BIG = {"k": 1e3, "m": 1e6, "bn": 1e9, "b": 1e9}
_PARTS = {
    ("half", "a", "million"): 500_000.0,
    ("quarter", "of", "a", "million"): 250_000.0,
    ("half", "a", "dozen"): 6.0,
}
_CURRENCIES = frozenset("usd eur gbp jpy chf sek nok dkk pln czk".split())
_MONEY = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with what it measures: number, ordinal, version, year, date, clock, money, time, size, …

    `value` is in the base unit; of a date (year, month, day) with None for what is not said."""

    kind: str
    value: object
    approximate: bool  # "about 20", "at least 8", a range: excludes nothing
    text: str
    bound: str = ""  # "<" for "under 500", ">" for "at least 8"

    @property
    def key(self) -> str:
        """The same for equal values."""
        return f"#{self.kind}:{self.value}"


def quantity_at(words: list[str], place: int) -> tuple[Quantity, int] | None:
    """The quantity that begins at a word (in lower case), and how many words it takes."""
    found = _date(words, place) or _plain(words, place)
    if found is None:
        return None
    kind, value, length = _rate(words, place, *found)
    # The words before and behind say whether it is exact.
    near = words[max(0, place - 2) : place] + words[place + length : place + length + 1]
    about = any(
        word in _ABOUT
        and not (
            word in ("to", "or", "over", "under", "up", "-", "–", "above", "below", "between")
            and not _is_range(words, place, length, word)
        )
        for word in near
    )
    if words[place + length : place + length + 2][:1] in (["or"], ["+"]):
        about = True
    text = " ".join(words[place : place + length])
    about = (about or text.endswith("+")) and kind not in ("ordinal", "date", "year")
    return Quantity(kind, value, about, text, _bound(words, place) if about else ""), length


def _bound(words: list[str], place: int) -> str:
    before = words[max(0, place - 2) : place]
    if not before:
        return ""
    near = " ".join(before)
    if near.endswith(_LEAST):
        return ">"
    return "<" if near.endswith(_MOST) else ""


_LEAST = ("at least", "more than", "over", "above", "minimum", "min", "no less than", "exceeds", "beyond")
_MOST = (
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


def _rate(words: list[str], place: int, kind: str, value: object, length: int) -> Found:
    """ "25 dollars a month", "twice a week": so much in a year."""
    at = place + length
    at += at < len(words) and words[at] in ("times", "time")
    if (
        not isinstance(value, float)
        or at + 1 >= len(words)
        or words[at] not in ("a", "an", "per", "each", "every")
    ):
        return kind, value, length
    unit = UNITS.get(words[at + 1])
    if unit is None or unit[0] != "time":
        return kind, value, length
    return f"{kind} a year", value / unit[1] * 31557600.0, at + 2 - place


def _is_range(words: list[str], place: int, length: int, word: str) -> bool:
    """Whether a word that has other uses, too, makes a range of the number beside it."""
    before = words[place - 1] if place else ""
    behind = words[place + length] if place + length < len(words) else ""
    if word in ("over", "under", "above", "below"):
        return word == before
    if word == "up":
        return False
    if word == "between":
        return word == before and behind == "and"
    beyond = (
        words[place + length + 1 : place + length + 2]
        if word == behind
        else words[max(0, place - 2) : place - 1]
    )
    return word in (before, behind) and any(each[:1].isdigit() or each in WORDS for each in beyond)


Found = tuple[str, object, int]


def _date(words: list[str], place: int) -> Found | None:
    word = words[place]
    if iso := _ISO.match(word):
        return "date", (int(iso[1]), int(iso[2]), int(iso[3])), 1
    if word in MONTHS and place + 1 < len(words):
        if (day := _day(words[place + 1])) is not None:
            return _with_year(words, place, 2, MONTHS[word], day)
        month = word != "may" or (place > 0 and words[place - 1] in _BEFORE_MAY)
        if month and (year := _year(words[place + 1])):
            return "date", (year, MONTHS[word], None), 2
    if (day := _day(word)) is not None and place + 1 < len(words):
        gap = 2 if words[place + 1] == "of" else 1
        if place + gap < len(words) and words[place + gap] in MONTHS:
            return _with_year(words, place, gap + 1, MONTHS[words[place + gap]], day)
    return None


def _with_year(words: list[str], place: int, length: int, month: int, day: int) -> Found:
    year = _year(words[place + length]) if place + length < len(words) else None
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


def _plain(words: list[str], place: int) -> Found | None:
    word = words[place]
    behind = words[place + 1] if place + 1 < len(words) else ""
    if nth := _NTH.match(word):
        return "ordinal", int(nth[1]), 1
    if word in _ORDINALS and not (word == "second" and words[max(0, place - 1)] in ("a", "per", "each")):
        return "ordinal", _ORDINALS[word], 1
    clock = _CLOCK.match(word)
    if clock and (":" in word or clock[3] or behind in ("am", "pm")):
        return _clock(int(clock[1]), int(clock[2]), clock[3] or "", behind)
    if hour := _HOUR.match(word):
        return _clock(int(hour[1]), 0, hour[2], "")
    if word in _OFTEN and behind not in UNITS:
        return "number a year", _OFTEN[word], 1
    if word in ("every", "each") and behind in UNITS and UNITS[behind][0] == "time":
        return "number a year", 31557600.0 / UNITS[behind][1], 2
    if word in ("every", "each") and behind in _NIGHTS:
        return "number a year", _OFTEN["daily"], 2
    if word == "every" and place + 2 < len(words) and words[place + 2] in UNITS:
        count = 2.0 if behind == "other" else float(WORDS.get(behind, 0))
        measures, factor = UNITS[words[place + 2]]
        count = count or (float(behind) if behind.isascii() and behind.isdigit() and len(behind) < 4 else 0.0)
        if count and measures == "time":
            return "number a year", 31557600.0 / (count * factor), 3
    if word in ("once", "twice"):
        return "number", 1.0 if word == "once" else 2.0, 1
    if (told := _told_clock(words, place)) is not None:
        return told
    if word in ("noon", "midnight"):
        return "clock", 720 if word == "noon" else 0, 1
    if word.isascii() and word.isdigit() and len(word) <= 2 and behind in ("am", "pm"):
        return _clock(int(word), 0, "", behind)
    if len(word) == 2 and word[0] == "q" and word[1] in "1234":
        return "quarter", int(word[1]), 1
    if _RANGE.match(word):
        return "range", word, 1
    if _VERSION.match(word) and (word[0] == "v" or word.count(".") > 1):
        return "version", word.lstrip("v"), 1
    if word == "one" and (not behind or behind in _NO_NOUNS):
        return None  # "the current one", "one of them"
    number, length, unit, money = _number(words, place)
    if number is None:
        return None
    if money:
        return f"money {money}", number, length
    follows = words[place + length] if place + length < len(words) else ""
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
    if unit in _BIG:
        return "number", number * _BIG[unit], length
    if unit:
        return None
    if length == 1 and _year(word):
        return "year", int(word), 1
    if "." in word and length == 1:
        return "version", word, 1  # 3.10 is not 3.1
    return "number", number, length


def _number(words: list[str], place: int) -> tuple[float | None, int, str, str]:
    """A number in figures or words, how many words it takes, a unit glued to it, and its money."""
    word = words[place]
    if word in _CURRENCIES and place + 1 < len(words) and words[place + 1][:1].isdigit():
        number, length, unit, _ = _number(words, place + 1)
        number = None if number is None else number * _BIG.get(unit, 1.0)
        return number, length + 1, "", word
    if _POWER.match(word):
        return float(word), 1, "", ""
    glued = _GLUED.match(word)
    if glued and len(word) < 24:
        number, length = float(glued[2].replace(",", "")), 1
        behind = words[place + 1] if place + 1 < len(words) else ""
        money = _MONEY.get(glued[1], "")
        unit = glued[3]
        if money and unit in _BIG:
            return number * _BIG[unit], 1, "", money
        if not unit and behind in _SCALES:
            number, length = number * _SCALES[behind], 2
            behind = words[place + 2] if place + 2 < len(words) else ""
        if not unit and behind in ("usd", "eur", "gbp", "dollars", "dollar", "euros", "euro", "bucks"):
            return number, length + 1, "", "usd" if behind[0] in "udb" else behind[:3]
        return number, length, unit, money
    for said, part in _PARTS.items():
        if words[place : place + len(said)] == list(said):
            behind = words[place + len(said)] if place + len(said) < len(words) else ""
            money = (
                behind[:3] if behind in ("euro", "euros") else "usd" if behind.startswith("dollar") else ""
            )
            return part, len(said) + bool(money), "", money
    if (
        word == "a"
        and place + 1 < len(words)
        and words[place + 1] in ("dozen", "hundred", "thousand", "million")
    ):
        return float(_SCALES[words[place + 1]]), 2, "", ""
    if "-" in word:
        ten, _, one = word.partition("-")
        if ten in WORDS and one in WORDS:
            return float(WORDS[ten] + WORDS[one]), 1, "", ""
        if ten in WORDS and one in UNITS:  # "two-year"
            return float(WORDS[ten]), 1, one, ""
        head = _GLUED.match(ten)
        if head and not head[3] and one in UNITS:  # "90-minute"
            return float(head[2].replace(",", "")), 1, one, ""
    if word not in WORDS:
        return None, 0, "", ""
    total, length = float(WORDS[word]), 1
    while place + length < len(words) and words[place + length] in _SCALES:
        total, length = total * _SCALES[words[place + length]], length + 1
    rest = words[place + length : place + length + 2]
    if total >= 100 and rest[:1] == ["and"] and rest[1:] and WORDS.get(rest[1], 100) < total:
        total, length = total + WORDS[rest[1]], length + 2
    return total, length, "", ""


def _told_clock(words: list[str], place: int) -> Found | None:
    """A time of day in words: "half past seven in the evening", "quarter to nine"."""
    word, turn, hour = (*words[place : place + 3], "", "", "")[:3]
    minutes = {"half": 30, "quarter": 15}.get(word)
    number = WORDS.get(hour, int(hour) if hour.isascii() and hour.isdigit() and len(hour) < 3 else 0)
    if minutes is None or turn not in ("past", "to") or not 0 < number < 13:
        return None
    rest = words[place + 3 : place + 6]
    late = rest[:1] == ["pm"] or (rest[:2] == ["in", "the"] and rest[2:] in (["evening"], ["afternoon"]))
    total = 60 * (number % 12 + 12 * late) + (minutes if turn == "past" else -minutes)
    return "clock", total % 1_440, 3


def _clock(hour: int, minute: int, half: str, behind: str) -> Found | None:
    told = half.replace(".", "") or (behind if behind in ("am", "pm") else "")
    if hour > 24 or minute > 59:
        return None
    if told:
        hour = hour % 12 + (12 if told == "pm" else 0)
    return "clock", 60 * hour + minute, 2 if behind in ("am", "pm") and not half else 1


def bounds_exclude(one: Quantity, two: Quantity) -> bool:
    """Whether two values of which one or both have a bound cannot be the same: under 500, at least 2,000."""
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
            return True if _text(one) == _text(two) else None
        return None
    if one.kind == "date":
        pairs = zip(_parts(one), _parts(two), strict=True)
        return all(a is None or b is None or a == b for a, b in pairs)
    if isinstance(one.value, float) and isinstance(two.value, float):
        slack = 1e-9 if one.kind == "number" or one.kind.startswith("money") else 0.01
        slack = 0.08 if one.kind == "size" else slack  # 1 MB and 1,024 KB
        slack = 0.03 if one.kind.endswith("a year") else slack
        return abs(one.value - two.value) <= slack * max(abs(one.value), abs(two.value))
    return one.value == two.value


def _text(one: Quantity) -> str:
    value = one.value
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


def _parts(one: Quantity) -> tuple[object, ...]:
    assert isinstance(one.value, tuple)
    return one.value
