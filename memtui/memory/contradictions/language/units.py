"""Number words, months, and units of measurement."""

from __future__ import annotations

_SMALL = {
    name: n
    for n, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty".split()
    )
}
_TENS = {name: 10 * n for n, name in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}
NUMBER_WORDS = _SMALL | _TENS
SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12}
ORDINALS = (
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
# What is measured: its units, each group followed by how many of the base unit they are.
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
    """Return unit → (what it measures, how many of the base unit it is)."""
    found: dict[str, tuple[str, float]] = {}
    for line in _UNITS.replace("\n    ", " ").strip().splitlines():
        kind, _, units = line.partition(": ")
        for part in units.split(","):
            *names, factor = part.split()
            found.update((name, (kind, float(factor))) for name in names)
    return found


UNITS = _units()
