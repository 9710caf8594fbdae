"""Numbers of payment cards, by network and checksum (Luhn)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.secrets.detector import Detector, compiled

# A set comes first, by which the search is fast.
_DIGITS = r"[2-6](?<![\w.+/-][2-6])[0-9]{3}[ -]?[0-9]{2}(?:[ -]?[0-9]){8,13}(?![\w-]|[.,][0-9])"
# The first digits of each network, and the number of digits.
_NETWORKS = re.compile(
    r"4[0-9]{15}|4[0-9]{18}|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}"
    r"|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|6(?:011|5[0-9]{2}|4[4-9][0-9])[0-9]{12}"
    r"|35(?:2[89]|[3-8][0-9])[0-9]{12}|62[0-9]{14,17}"
)
# How cards are printed and typed: in one piece or in the groups of their network.
_GROUPS = re.compile(
    r"\d+|\d{4}(?P<by>[ -])\d{4}(?P=by)\d{4}(?P=by)\d{4}(?:(?P=by)\d{3})?|\d{4}([ -])\d{6}\2\d{4,5}"
)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for match in compiled(_DIGITS).finditer(text):
        if _is_card(match.group()):
            yield match.span()


def _is_card(typed: str) -> bool:
    digits = typed.replace(" ", "").replace("-", "")
    if not _GROUPS.fullmatch(typed) or not _NETWORKS.fullmatch(digits) or len(set(digits)) < 2:
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 * (number > 9) for number in doubled) % 10 == 0


DETECTORS = (Detector("card-number", (), _spans, proven=True),)
