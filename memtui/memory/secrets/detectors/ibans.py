"""International bank account numbers, by the length of their country and checksum (mod 97)."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.secrets.detector import Detector, compiled

# Country and length, by the IBAN registry.
_LENGTHS = {
    country: int(length)
    for length, countries in (
        line.split(" ", 1)
        for line in (
            "15 NO", "16 BE", "18 DK FI FK FO GL NL SD", "19 MK SI", "20 AT BA EE KZ LT LU MN XK",
            "21 CH HR LI LV", "22 BG BH CR DE GB GE IE ME RS VA", "23 AE GI IL IQ OM SO TL",
            "24 AD CZ ES MD PK RO SA SE SK TN VG", "25 LY PT ST", "26 IS TR",
            "27 BI DJ FR GR IT MC MR SM", "28 AL AZ BY CY DO GT HN HU LB NI PL SV", "29 BR EG PS QA UA",
            "30 JO KW MU YE", "31 MT SC", "32 LC", "33 RU",
        )
    )
    for country in countries.split()
}  # fmt: skip
# A set comes first, by which the search is fast.
_SHAPE = r"[A-Z](?<![A-Za-z0-9_-][A-Z])[A-Z][0-9]{2}(?:[ -]?[A-Z0-9]){11,30}"
_OWN = (
    r"[A-Z]{2}[0-9]{2}(?:[A-Z0-9]+|(?: [A-Z0-9]{4})+(?: [A-Z0-9]{1,3})?|(?:-[A-Z0-9]{4})+(?:-[A-Z0-9]{1,3})?)"
)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for match in compiled(_SHAPE).finditer(text):
        length = _LENGTHS.get(text[match.start() : match.start() + 2])
        end = length and _end(text, match.start(), match.end(), length)
        if not end or text[end : end + 1].isalnum():
            continue
        if compiled(_OWN).fullmatch(text, match.start(), end) and _is_valid(text[match.start() : end]):
            yield match.start(), end


def _end(text: str, start: int, limit: int, length: int) -> int:
    """Return where an account number of this length ends, 0 if the text is too short."""
    for place in range(start, limit):
        length -= text[place] not in " -"
        if not length:
            return place + 1
    return 0


def _is_valid(typed: str) -> bool:
    account = typed.replace(" ", "").replace("-", "")
    return int("".join(str(int(each, 36)) for each in account[4:] + account[:4])) % 97 == 1


DETECTORS = (Detector("iban", (), _spans, proven=True),)
