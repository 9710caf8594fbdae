"""Stored text in an export that a terminal may show: control characters are escaped, and can be read back.

A control character, or one that hides text or changes its direction, is written as `\\uXXXX` or
`\\UXXXXXXXX`. Backslashes before what looks like or becomes such an escape are doubled, so that `decoded`
returns every text unchanged.
"""

from __future__ import annotations

import re

# C0 without tab and line feed, DEL, C1, line separators, characters that reorder or hide text or are drawn as
# nothing (tags and variation selectors are whole hidden alphabets), and those that XML forbids. Joiners and
# the selectors of emoji stay: scripts and emoji need them.
_UNSAFE = (
    "\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f"
    "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\ud800-\udfff"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff"
)
_ESCAPE = r"u[0-9a-f]{4}|U000[0-9a-f]{5}"
# A run of backslashes is tried once, from its first: a text may be nothing else.
_TO_ESCAPE = re.compile(rf"(?<!\\)(\\*+)([{_UNSAFE}])|(?<!\\)(\\++)(?={_ESCAPE})")
_ESCAPED = re.compile(rf"(?<!\\)(\\++)({_ESCAPE})")


def encoded(text: str) -> str:
    """Return the text with unsafe characters escaped.

    >>> encoded("red \\x1b[31m, and C:\\\\dir")
    'red \\\\u001b[31m, and C:\\\\dir'
    """
    if text.isascii() and text.isprintable() and "\\" not in text:  # a fast test that most texts pass
        return text
    return _TO_ESCAPE.sub(_escape, text)


def decoded(text: str) -> str:
    """Return the text that `encoded` was given."""
    return _ESCAPED.sub(_unescape, text)


def _escape(match: re.Match[str]) -> str:
    before, unsafe, literal = match.groups()
    if literal:
        return literal * 2
    code = ord(unsafe)
    return before * 2 + (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _unescape(match: re.Match[str]) -> str:
    slashes, code = len(match[1]), match[2]
    return "\\" * (slashes // 2) + (chr(int(code[1:], 16)) if slashes % 2 else code)
