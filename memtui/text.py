"""The only way stored text becomes showable (S-92).

Control characters, escape sequences, bidi overrides, zero-width characters and
lone surrogates are made visible. The result is for showing and is never written back.
"""

from __future__ import annotations

import re

# C0 but tab and newline, DEL and C1, bidi marks, zero-width, soft hyphen, line and
# paragraph separators, BOM, interlinear and tag characters, surrogates, noncharacters.
_HOSTILE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    # A joiner that joins nothing: kept only inside emoji sequences.
    "|(?<![\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f])\u200d|\u200d(?![\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff])"
)
_BREAKS = re.compile(r"[\t\n]+")
LIMIT = 20_000


def safe_text(text: str, *, one_line: bool = False, limit: int = LIMIT) -> str:
    """`text` with everything that could act on a terminal made visible, cut to `limit` characters.

    `one_line` folds tabs and line breaks into one space. Line breaks CRLF and CR read as LF.
    """
    cut = len(text) > limit
    if cut:
        text = text[:limit]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if one_line:
        text = _BREAKS.sub(" ", text)
    if not text.isascii() or _HOSTILE.search(text):
        text = _HOSTILE.sub(_visible, text)
    return text + "…" if cut else text


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group()[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return f"⟨{code:04X}⟩"


def is_clean(text: str) -> bool:
    """Whether `text` can stand in an editor as it is: no character that safe_text would change."""
    return not _HOSTILE.search(text.replace("\r\n", "\n"))
