"""Headers with credentials: Authorization, API keys, cookies; and users of curl."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator

from memtui.memory.secrets.detector import LONG, Detector, compiled, shaped
from memtui.memory.secrets.randomness import is_random

_SCHEME = r"[bBtT](?:(?i:earer)|(?i:oken)|(?i:asic))[ \t]{1,3}[\"']?(?P<secret>[A-Za-z0-9_.~+/=-]{8,4000})"
_AUTHORIZATION = (
    r"(?i:authorization[\"'`*]{0,3}\s{0,2}[:=,]\s{0,2}[\"'`*f]{0,3}(?:[a-z-]{1,20} )?)"
    r"(?P<secret>[A-Za-z0-9_.~+/=-]{16,4000})"
)
_SESSION = r"[sSaAtTjJrR](?:(?i:ess|uth|oken|id|wt|emember))[\w.-]{0,24}=(?P<secret>[\w%.+/-]{20,1000}={0,2})"
_LINE = 300  # characters before a cookie's name in which the header's stands
_LEAST = 20


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for match in compiled(_SCHEME).finditer(text):
        before = text[max(0, match.start() - 1) : match.start()]
        value = match["secret"].rstrip(".")
        if before.isalnum() or before in ("_", "-"):
            continue
        scheme = text[match.start()].lower()
        if text[match.start() : match.start() + 5].lower() == "basic":
            found = _is_login(value)
        elif scheme == "t":  # the word is common
            line = text[max(0, match.start() - 40) : match.start()].lower()
            found = "authorization" in line and len(value) >= _LEAST and is_random(value)
        else:
            found = len(value) >= _LEAST and is_random(value)
        if found:
            yield match.start("secret"), match.start("secret") + len(value)


def _is_login(value: str) -> bool:
    """Return whether a value is a name and a password in base 64."""
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded and all(32 <= byte < 127 or byte >= 0xC2 for byte in decoded)


def _bare(text: str) -> Iterator[tuple[int, int]]:
    for match in compiled(_AUTHORIZATION).finditer(text):
        if is_random(match["secret"]):
            yield match.span("secret")


def _cookies(text: str) -> Iterator[tuple[int, int]]:
    for match in compiled(_SESSION).finditer(text):
        line = text[max(0, match.start() - _LINE) : match.start()].rpartition("\n")[2]
        if "cookie" in line.lower() and is_random(match["secret"]):
            yield match.span("secret")


DETECTORS = (
    Detector("authorization", ("bearer", "basic", "token "), _spans, LONG),
    Detector("authorization", ("authorization",), _bare, LONG),
    shaped(
        "authorization",
        "curl wget http",
        r"(?:curl|wget|http)[^\n]{0,200}?(?: -u ?| --user[ =])[\"']?[\w.@+-]{1,64}:"
        r"(?P<secret>[^\s\"']{3,200})",
    ),
    Detector("cookie", ("cookie",), _cookies, LONG),
)
