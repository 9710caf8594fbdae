"""The only way stored text becomes showable (S-92).

Control characters, escape sequences, bidi overrides, zero-width characters and
lone surrogates are made visible. The result is for showing and is never written back.
"""

from __future__ import annotations

import re

# Written out, since building it from unicodedata costs start-up time; a test compares the two.
# C0 but tab and newline, DEL and C1, all format characters, line and paragraph separators,
# surrogates, noncharacters, and whatever else a terminal may draw as nothing at all.
ALWAYS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_EMOJI = "\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff"
# What may be drawn as text or as a picture: FE0F directly behind one of them chooses the picture.
_BASE = (
    f"0-9#*\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe"
    f"\u2934\u2935\u3030\u303d\u3297\u3299{_EMOJI}"
)
_HOSTILE = re.compile(
    f"[{ALWAYS}]"
    f"|(?<![{_BASE}])\ufe0f"
    # A joiner that joins nothing: kept only inside emoji sequences.
    f"|(?<![{_EMOJI}])(?<![{_EMOJI}]\ufe0f)\u200d|\u200d(?![{_EMOJI}])"
)
_BREAKS = re.compile(r"[\t\n]+")
# Selectors of text or picture, joiners, skin colours: terminals differ in what these make of the width.
_UNSTEADY = re.compile("[\ufe0e\ufe0f\u200d\u20e3\U0001f3fb-\U0001f3ff]")
_FLAGS = {0x1F1E6 + place: chr(ord("A") + place) for place in range(26)}
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


def screen_text(text: str, *, one_line: bool = False, limit: int = LIMIT) -> str:
    """The same, in cells that every terminal counts alike: beside what is drawn in columns, a picture that
    is one cell wide here and two there would push the border. Pictures that are joined, coloured or chosen
    by what follows them stand apart, plain; a flag is its country's two letters."""
    text = safe_text(text, one_line=one_line, limit=limit)
    return text if text.isascii() else _UNSTEADY.sub("", text).translate(_FLAGS)


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


def clean_text(text: str, *, one_line: bool = False) -> str:
    """`text` without what safe_text would make visible: for what a person types or pastes."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _HOSTILE.sub("", _BREAKS.sub(" ", text) if one_line else text)


def plural(number: float, noun: str, many: str = "") -> str:
    """The word for so many: memory or memories; `many` where -s and -ies do not make it."""
    if number == 1:
        return noun
    ies = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return many or (f"{noun[:-1]}ies" if ies else f"{noun}s")


def counted(number: int, noun: str, many: str = "") -> str:
    """1 memory, 1,284 memories."""
    return f"{number:,} {plural(number, noun, many)}"


def capital(clause: str) -> str:
    """A clause as the beginning of a sentence."""
    return clause[:1].upper() + clause[1:]


def stand_in(text: str) -> str:
    """As many characters as `text`, with a dot for each that safe_text would make visible."""
    return text if is_clean(text) else _HOSTILE.sub("·", text)
