"""Making stored text safe to show (S-92), and the grammar of counts.

Control characters, escape sequences, bidi overrides, zero-width characters and lone surrogates are made
visible. The result is only for showing and is never written back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# A literal, because building it from unicodedata costs start-up time; a test compares the two.
# C0 except tab and newline, DEL and C1, all format characters, line and paragraph separators,
# surrogates, noncharacters, and other characters that a terminal may draw as nothing.
ALWAYS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_EMOJI = "\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff"
# Characters that may be drawn as text or as emoji: FE0F directly after one of them selects emoji.
_BASE = (
    f"0-9#*\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe"
    f"\u2934\u2935\u3030\u303d\u3297\u3299{_EMOJI}"
)
_UNSAFE = re.compile(
    f"[{ALWAYS}]"
    f"|(?<![{_BASE}])\ufe0f"
    # A joiner is kept only inside emoji sequences.
    f"|(?<![{_EMOJI}])(?<![{_EMOJI}]\ufe0f)\u200d|\u200d(?![{_EMOJI}])"
)
_UNSEEN = re.compile(f"[{ALWAYS}\ufe0f\u200d]")
_BREAKS = re.compile(r"[\t\n]+")
# Variation selectors, joiners and skin tones: terminals differ in the width that these lead to.
_VARYING_WIDTH = re.compile("[\ufe0e\ufe0f\u200d\u20e3\U0001f3fb-\U0001f3ff]")
_FLAGS = {0x1F1E6 + place: chr(ord("A") + place) for place in range(26)}
LIMIT = 20_000


def safe_text(text: str, *, one_line: bool = False, limit: int = LIMIT) -> str:
    """Return `text` with everything that could act on a terminal made visible, cut to `limit` characters.

    `one_line` folds tabs and line breaks into one space. CRLF and CR become LF.
    """
    cut = len(text) > limit
    if cut:
        text = text[:limit]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if one_line:
        text = _BREAKS.sub(" ", text)
    if not text.isascii() or _UNSAFE.search(text):
        text = _UNSAFE.sub(_visible, text)
    return text + "…" if cut else text


def screen_text(text: str, *, one_line: bool = False, limit: int = LIMIT) -> str:
    """Return safe text whose width in cells is the same in every terminal, for layouts in columns.

    Emoji sequences are reduced to their plain emoji, one after the other; a flag becomes the two letters of
    its country.
    """
    text = safe_text(text, one_line=one_line, limit=limit)
    return text if text.isascii() else _VARYING_WIDTH.sub("", text).translate(_FLAGS)


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group()[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return f"⟨{code:04X}⟩"


def is_clean(text: str) -> bool:
    """Return whether `text` has no character that safe_text would change, so that an editor can show it."""
    return not _UNSAFE.search(text.replace("\r\n", "\n"))


def clean_text(text: str, *, one_line: bool = False) -> str:
    """Return `text` without the characters that safe_text would make visible, for typed or pasted text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNSAFE.sub("", _BREAKS.sub(" ", text) if one_line else text)


def without_unseen(text: str) -> str:
    """Return `text` without any character that is drawn as nothing, for comparing what people see."""
    return _UNSEEN.sub("", text)


def plural(number: float, noun: str, many: str = "") -> str:
    """Return the noun for a number: memory or memories; `many` is the plural if it is not regular."""
    if number == 1:
        return noun
    ies = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return many or (f"{noun[:-1]}ies" if ies else f"{noun}s")


def counted(number: int, noun: str, many: str = "") -> str:
    """Return a number with its noun: "1 memory", "1,284 memories"."""
    return f"{number:,} {plural(number, noun, many)}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: A, B and C."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def size_text(size: int) -> str:
    """Return a size in bytes for reading: 1234567 as 1.2 MB."""
    amount = float(size)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 10 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def capitalized(clause: str) -> str:
    """Return a clause as the beginning of a sentence."""
    return clause[:1].upper() + clause[1:]


# With these a sentence begins in lower case in the middle of another. Any other first word may be a name,
# as A is of a memory on Review.
_OPENERS = frozenset(
    "Already An Another Both Can't Could Each It Its No None Not Nothing One Only Opened Some That The There "
    "These This Two You Your".split()
)


def one_after_another(first: str, second: str) -> str:
    """Return two sentences as one text; the first is ended where it is not, "" is left out.

    >>> one_after_another("Nothing was changed", "Try again."), one_after_another("What?", "")
    ('Nothing was changed. Try again.', 'What?')
    """
    if not first or not second:
        return first or second
    return f"{first}{'' if first.endswith(('.', '?', '!', ':')) else '.'} {second}"


def after_colon(reason: str) -> str:
    """Return a reason as it stands behind a colon: in lower case, unless it may begin with a name."""
    first = reason.partition(" ")[0]
    return reason[:1].lower() + reason[1:] if first in _OPENERS else reason


def masked(text: str) -> str:
    """Return `text` with a dot for each character that safe_text would make visible, at the same length."""
    return text if is_clean(text) else _UNSAFE.sub("·", text)
