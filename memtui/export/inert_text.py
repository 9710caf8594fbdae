"""Stored text in an export that a terminal may show: control characters are escaped, and can be read back.

A control character, or one that changes the direction of text, is written as `\\uXXXX`. Backslashes before
what looks like or becomes such an escape are doubled, so that `decoded` returns every text unchanged.
"""

from __future__ import annotations

import re

# C0 without tab and line feed, DEL, C1, line separators, and characters that reorder or hide text.
_UNSAFE = (
    "\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\ud800-\udfff"
)
# A run of backslashes is tried once, from its first: a text may be nothing else.
_TO_ESCAPE = re.compile(rf"(?<!\\)(\\*+)([{_UNSAFE}])|(?<!\\)(\\++)(?=u[0-9a-f]{{4}})")
_ESCAPED = re.compile(r"(?<!\\)(\\++)u([0-9a-f]{4})")


def encoded(text: str) -> str:
    """Return the text with unsafe characters escaped.

    >>> encoded("red \\x1b[31m, and C:\\\\dir")
    'red \\\\u001b[31m, and C:\\\\dir'
    """
    return _TO_ESCAPE.sub(_escape, text)


def decoded(text: str) -> str:
    """Return the text that `encoded` was given."""
    return _ESCAPED.sub(_unescape, text)


def _escape(match: re.Match[str]) -> str:
    before, unsafe, literal = match.groups()
    return literal * 2 if literal else f"{before * 2}\\u{ord(unsafe):04x}"


def _unescape(match: re.Match[str]) -> str:
    slashes, code = len(match[1]), match[2]
    return "\\" * (slashes // 2) + (chr(int(code, 16)) if slashes % 2 else f"u{code}")
