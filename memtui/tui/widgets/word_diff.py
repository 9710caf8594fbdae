"""Two texts and the words in which they differ: a pure function (S-53)."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

Part = tuple[str, str]
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
MOST = 3_000
"""Words beyond which texts are shown without a comparison."""


def word_diff(old: str, new: str) -> tuple[list[Part], list[Part]]:
    """Both texts as (text, style); what only one of them says is struck out, or underlined.

    The styles are attributes: they are seen without colour too."""
    words = _WORD.findall(old), _WORD.findall(new)
    if max(map(len, words)) > MOST or not all(words):
        return [(old, "$quiet")], [(new, "")]
    before: list[Part] = []
    after: list[Part] = []
    for tag, a, b, c, d in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        same = tag == "equal"
        before.append(("".join(words[0][a:b]), "$quiet" if same else "$warning strike"))
        after.append(("".join(words[1][c:d]), "" if same else "bold underline"))
    return [part for part in before if part[0]], [part for part in after if part[0]]


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
