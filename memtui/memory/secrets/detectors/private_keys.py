"""Private keys: PEM, OpenSSH and PGP blocks, also cut off ones, and PuTTY's files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.secrets.detector import LONG, Detector, compiled, shaped

_HEADER = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 [A-Z ]{0,20}PRIVATE KEY ----"
)
_FOOTER = r"----[- ]END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?[- ]----"
_LONGEST = 20_000  # characters of a key
_BODY = r"[A-Za-z0-9+/]{16}"
# Lines of base 64 and what stands before them; a line feed may be written as \n.
_LINES = (
    r"(?:(?:\s|\\[nr]|[>|#*] ?){1,20}+"
    r"(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject):? [^\n\\]{0,100}"
    r"|[A-Za-z0-9+/]{16,}+={0,2}))*+"
    r"(?:(?:\s|\\[nr]){1,9}[A-Za-z0-9+/]{1,75}={1,2})?"
)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    header, footer = compiled(_HEADER), compiled(_FOOTER)
    body, lines = compiled(_BODY), compiled(_LINES)
    at = header.search(text)
    while at is not None:
        following = header.search(text, at.end())
        limit = min(at.end() + _LONGEST, following.start() if following else len(text))
        end = footer.search(text, at.end(), limit)
        stop = end.start() if end else _end(lines, text, at.end(), limit)
        if body.search(text, at.end(), stop):
            yield at.start(), end.end() if end else stop
        at = following


def _end(lines: re.Pattern[str], text: str, start: int, limit: int) -> int:
    match = lines.match(text, start, limit)
    return match.end() if match else start


DETECTORS = (
    Detector("private-key", ("private key",), _spans, LONG),
    shaped(
        "private-key",
        "private-lines:",
        r"Private-Lines: \d{1,4}\s{1,4}"
        r"(?P<secret>(?:(?!Private-)[A-Za-z0-9+/]{4,64}+={0,2}\s{0,4}){1,400}+"
        r"(?:Private-MAC: [0-9a-f]{40,64})?)",
        near=LONG,
    ),
)
