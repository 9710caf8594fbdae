"""What an agent stated in so many words: decisions, discoveries and open blockers (S-81).

Only a line that begins with the word for it counts, as in "Decision: use SQLite". No model guesses, and what
stands in code or is quoted is not the agent's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

DECISION, DISCOVERY, BLOCKER = "decision", "discovery", "blocker"
_KINDS = {
    "decision": DECISION,
    "decided": DECISION,
    "discovery": DISCOVERY,
    "discovered": DISCOVERY,
    "learned": DISCOVERY,
    "blocker": BLOCKER,
    "open blocker": BLOCKER,
    "blocked": BLOCKER,
}
_LINE = re.compile(
    r"\s{0,8}(?:[-*+•]\s+|\d{1,3}[.)]\s+|#{1,6}\s+)?[*_]{0,3}"
    rf"(?P<word>{'|'.join(sorted(_KINDS, key=len, reverse=True))})"
    r"[*_]{0,3}\s?:[*_]{0,3}\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_SHORTEST, _LONGEST, _MOST = 12, 500, 10  # characters of a statement, and statements of a text


@dataclass(frozen=True, slots=True)
class Statement:
    """What was stated, and of which kind."""

    kind: str
    text: str


def statements(text: str) -> list[Statement]:
    """Return what a text states, each once, the last ones if there are many.

    >>> statements("Done.\\n- **Decision:** we keep SQLite for now\\n> Decision: this is quoted")
    [Statement(kind='decision', text='we keep SQLite for now')]
    """
    found = dict.fromkeys(
        Statement(_KINDS[match["word"].casefold()], said)
        for line in _spoken(text)
        if (match := _LINE.fullmatch(line))
        and _SHORTEST <= len(said := match["text"].strip(" *_")) <= _LONGEST
    )
    return list(found)[-_MOST:]


def _spoken(text: str) -> Iterator[str]:
    """Yield the lines that are not in a block of code."""
    fence = ""
    for line in text.splitlines():
        if mark := _FENCE.match(line):
            fence = "" if mark[1] == fence else fence or mark[1]
        elif not fence:
            yield line
