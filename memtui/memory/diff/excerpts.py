"""What a change did to a text, in the words that went and came and a few around them: pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from memtui.memory.diff.words import Piece, differing
from memtui.text import safe_text

TEXTS = (
    "content",
    "title",
    "subject",
    "key",
    "note",
    "steps",
    "preconditions",
    "postconditions",
    "key_facts",
)
AROUND = 24  # characters on either side of the words that differ
_MANY = 8 * AROUND  # characters of words that differ of which only the first and last are shown
MOST = 3  # lines of one change
_LONG = 2_000  # characters of a difference that are compared word by word
GONE, CAME = "−", "+"

Line = tuple[str, str, list[Piece]]
"""The field, a sign, and the words of one side."""


def lines(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> list[Line]:
    """What one change did to a memory's texts, safe to show, at most MOST lines: for each text the words
    that went and those that came. A memory that is new, or goes as a whole, is no change of its texts."""
    out: list[Line] = []
    before, after = before or {}, after or {}
    for name in (each for each in TEXTS if each in before and each in after):
        old, new = _said(before[name]), _said(after[name])
        if old == new:
            continue
        went, came = nearby(old, new)
        for sign, pieces in ((GONE, went), (CAME, came)):
            if any(only for _, only in pieces):
                out.append((name, sign, pieces))
    return out[:MOST]


@lru_cache(maxsize=256)
def nearby(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts on one line, where they differ: what is far from any difference is left out.

    >>> nearby("It runs Python 3.11.", "It runs Python 3.12.")[0]
    [('It runs Python ', False), ('3.11', True), ('.', False)]
    """
    old, new = (" ".join(text.split()) for text in (old, new))
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    start = _begin(old, start)
    went, came = (text[start : _end(text, len(text) - end)] for text in (old, new))
    cut = any(len(text) > _LONG for text in (went, came))
    sides = differing(went[:_LONG], came[:_LONG])
    whole = (old, went), (new, came)
    told = [
        _shortened(pieces, start > 0, cut or start + len(part) < len(text))
        for pieces, (text, part) in zip(sides, whole, strict=True)
    ]
    return told[0], told[1]


def _shared(one: str, other: str) -> int:
    """How many characters both begin with."""
    short = min(len(one), len(other))
    return next((at for at in range(short) if one[at] != other[at]), short)


def _begin(text: str, at: int) -> int:
    """Where to begin so that whole words stand before what differs, where there are any nearby."""
    if at <= AROUND:
        return 0
    least = max(0, at - 2 * AROUND)
    return text.rfind(" ", least, at - AROUND) + 1 or (least if least == 0 else at - AROUND)


def _end(text: str, at: int) -> int:
    if at + 2 * AROUND >= len(text):
        return len(text)
    found = text.find(" ", at + AROUND, at + 2 * AROUND)
    return found if found >= 0 else min(len(text), at + AROUND)


def _shortened(pieces: Sequence[Piece], cut_before: bool, cut_behind: bool) -> list[Piece]:
    """Long stretches between words that differ become an ellipsis."""
    out: list[Piece] = [("… ", False)] if cut_before else []
    for place, (text, only) in enumerate(pieces):
        if len(text) > (_MANY if only else 4 * AROUND):
            room = _MANY - 3 * AROUND if only else 0
            head = f"{text[: _end(text, room)]} " if place or only else ""
            last = f" {text[_begin(text, len(text)) :]}" if place < len(pieces) - 1 or only else ""
            text = f"{head}…{last}"
        out.append((text, only))
    return [*out, (" …", False)] if cut_behind else out


def _said(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        value = "; ".join(str(part) for part in value)
    return safe_text(value) if isinstance(value, str) else ""
