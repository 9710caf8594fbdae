"""Two texts with the words in which they differ, as styled parts (S-53)."""

from __future__ import annotations

from memtui.memory.diff.words import differing

Part = tuple[str, str]


def word_diff(old: str, new: str) -> tuple[list[Part], list[Part]]:
    """Both texts as (text, style); what only one of them says is struck out, or underlined.

    The styles are attributes: they are seen without colour too."""
    if not old or not new:
        return [(old, "$quiet")], [(new, "")]
    before, after = differing(old, new)
    return (
        [(text, "$warning strike" if only else "$quiet") for text, only in before],
        [(text, "bold underline" if only else "") for text, only in after],
    )


def signed(sign: str, parts: list[Part]) -> list[Part]:
    """The parts as lines, each behind a sign."""
    out: list[Part] = []
    begins = True
    for text, style in parts:
        for place, line in enumerate(text.split("\n")):
            if place:
                out.append(("\n", ""))
                begins = True
            if begins and (line or place):
                out.append((f"  {sign} ", "$accent"))
                begins = False
            out.append((line, style))
    return [*out, ("\n", "")]
