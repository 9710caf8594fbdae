"""Two texts as styled parts, with the words marked in which they differ (S-53)."""

from __future__ import annotations

from memtui.memory.diff.words import compare_words
from memtui.tui.text.text_layout import Part


def word_diff(old: str, new: str) -> tuple[list[Part], list[Part]]:
    """Return both texts as (text, style) parts: words only in `old` struck out, only in `new` underlined.

    The styles are text attributes, so the difference is visible without colour too.
    """
    if not old or not new:
        return [(old, "$quiet")], [(new, "")]
    before, after = compare_words(old, new)
    return (
        [(text, "$warning strike" if only else "$quiet") for text, only in before],
        [(text, "bold underline" if only else "") for text, only in after],
    )


def signed(sign: str, parts: list[Part]) -> list[Part]:
    """Return the parts with `sign` in front of each line."""
    lines: list[Part] = []
    at_line_start = True
    for text, style in parts:
        for index, line in enumerate(text.split("\n")):
            if index:
                lines.append(("\n", ""))
                at_line_start = True
            if at_line_start and (line or index):
                lines.append((f"  {sign} ", "$accent"))
                at_line_start = False
            lines.append((line, style))
    return [*lines, ("\n", "")]
