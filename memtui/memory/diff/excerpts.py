"""Excerpts of what a change did to a text: the words removed and added, with some context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from memtui.memory.diff.words import Segment, compare_words
from memtui.text import safe_text
from memtui.values import FieldValue

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
CONTEXT = 24  # characters on either side of a difference
_MAX_DIFFERENCE = 8 * CONTEXT  # characters of a difference; of a longer one only both ends are shown
MAX_EXCERPTS = 3  # of one change
_MAX_COMPARED = 2_000  # characters of a difference that are compared word by word
REMOVED, ADDED = "−", "+"

Excerpt = tuple[str, str, list[Segment]]
"""The field, a sign (REMOVED or ADDED), and the segments of that side."""


def change_excerpts(
    before: Mapping[str, FieldValue] | None, after: Mapping[str, FieldValue] | None
) -> list[Excerpt]:
    """Return what one change did to a memory's texts, safe to show, at most MAX_EXCERPTS.

    Only texts on both sides count: a memory that is added or removed changes no text.
    """
    out: list[Excerpt] = []
    before, after = before or {}, after or {}
    for name in (each for each in TEXTS if each in before and each in after):
        old, new = _text(before[name]), _text(after[name])
        if old == new:
            continue
        removed, added = excerpts(old, new)
        for sign, segments in ((REMOVED, removed), (ADDED, added)):
            if any(differs for _, differs in segments):
                out.append((name, sign, segments))
    return out[:MAX_EXCERPTS]


@lru_cache(maxsize=256)
def excerpts(old: str, new: str) -> tuple[list[Segment], list[Segment]]:
    """Return both texts on one line, around their differences; the rest is left out.

    >>> excerpts("It runs Python 3.11.", "It runs Python 3.12.")[0]
    [('It runs Python ', False), ('3.11', True), ('.', False)]
    """
    old, new = (" ".join(text.split()) for text in (old, new))
    start = _common_prefix(old, new)
    end = _common_prefix(old[start:][::-1], new[start:][::-1])
    start = _start(old, start)
    removed, added = (text[start : _end(text, len(text) - end)] for text in (old, new))
    cut = any(len(text) > _MAX_COMPARED for text in (removed, added))
    sides = compare_words(removed[:_MAX_COMPARED], added[:_MAX_COMPARED])
    parts = (old, removed), (new, added)
    shortened = [
        _shortened(segments, start > 0, cut or start + len(part) < len(text))
        for segments, (text, part) in zip(sides, parts, strict=True)
    ]
    return shortened[0], shortened[1]


def _common_prefix(a: str, b: str) -> int:
    """Return the length of the common prefix."""
    shorter = min(len(a), len(b))
    return next((at for at in range(shorter) if a[at] != b[at]), shorter)


def _start(text: str, at: int) -> int:
    """Return where the context before a difference begins: at a word, if one begins nearby."""
    if at <= CONTEXT:
        return 0
    least = max(0, at - 2 * CONTEXT)
    return text.rfind(" ", least, at - CONTEXT) + 1 or (least if least == 0 else at - CONTEXT)


def _end(text: str, at: int) -> int:
    if at + 2 * CONTEXT >= len(text):
        return len(text)
    found = text.find(" ", at + CONTEXT, at + 2 * CONTEXT)
    return found if found >= 0 else min(len(text), at + CONTEXT)


def _shortened(segments: Sequence[Segment], cut_before: bool, cut_after: bool) -> list[Segment]:
    """Return the segments with an ellipsis in place of long stretches."""
    out: list[Segment] = [("… ", False)] if cut_before else []
    for place, (text, differs) in enumerate(segments):
        if len(text) > (_MAX_DIFFERENCE if differs else 4 * CONTEXT):
            room = _MAX_DIFFERENCE - 3 * CONTEXT if differs else 0
            head = f"{text[: _end(text, room)]} " if place or differs else ""
            last = f" {text[_start(text, len(text)) :]}" if place < len(segments) - 1 or differs else ""
            text = f"{head}…{last}"
        out.append((text, differs))
    return [*out, (" …", False)] if cut_after else out


def _text(value: FieldValue) -> str:
    if isinstance(value, (list, tuple)):
        value = "; ".join(str(part) for part in value)
    return safe_text(value) if isinstance(value, str) else ""
