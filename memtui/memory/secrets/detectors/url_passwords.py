"""Passwords and tokens in addresses: user:password@host, and parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.secrets.detector import Detector, shaped
from memtui.memory.secrets.randomness import is_random

_LONGEST = 300  # characters of a name and a password
_AUTHORITY = re.compile(r"[^\s/\"`<>?#\\]{0,300}")
_HOST = re.compile(r"@[\w.\[$\{%<-]")


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield what stands between the first colon and the last at sign of each authority. A name without a
    password is one where it is a token: https://ghp_…@github.com."""
    start = text.find("://")
    while start >= 0:
        start += 3
        authority = _AUTHORITY.match(text, start)
        end = authority.end() if authority else start
        at = text.rfind("@", start, end)
        if at > start and _HOST.match(text, at):
            colon = text.find(":", start, at)
            name = text[start : colon if colon >= 0 else at]
            password = text[colon + 1 : at] if colon >= 0 else ""
            if password and not _is_default(name, password):
                yield colon + 1, at
            elif len(name) >= 20 and is_random(name) and password in ("", "x-oauth-basic", "x"):
                yield start, start + len(name)
        start = text.find("://", start)


def _is_default(name: str, password: str) -> bool:
    """Return whether this is what a service has before anybody gives it a password."""
    return name == password and name.isalpha() and len(name) <= 10


DETECTORS = (
    Detector("url-password", ("://",), _spans),
    shaped(
        "url-token",
        "?key= &key= token= sig= signature= secret= password= pwd= pass= "
        "apikey= api_key= api-key= auth= code=",
        r"[?&](?:[\w-]{0,24}(?i:key|token|sig|signature|secret|auth|code))="
        r"(?P<secret>(?=[^\s&#\"'<>]{0,60}[0-9])[A-Za-z0-9_.~%+/=-]{20,600})",
        r"[?&](?i:password|passwd|pwd|pass)=(?P<secret>[^\s&#\"'`<>;)]{3,200})",
    ),
)
