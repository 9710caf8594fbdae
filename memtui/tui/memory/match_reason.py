"""Why a memory answers a search, in words, and the words of the question within its text (S-33)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.query.language import parse
from memtui.memory.ranking import WORD, stem, words_of
from memtui.memory.results import MatchReason
from memtui.text import safe_text

Part = tuple[str, str]
SAID = "bold underline"  # never by colour alone
NEAR = ((0.75, "very close"), (0.5, "close"), (0.3, "related"))  # cosines from which on


def reasons(why: MatchReason | None) -> list[Part]:
    """Pairs of name and value: words, meaning, score, filters."""
    if why is None:
        return []
    rows: list[Part] = []
    if why.terms or why.cosine is not None:
        rows.append(("words", _words(why)))
    if why.cosine is not None:
        rows.append(("meaning", f"{why.cosine:.2f}, {nearness(why.cosine)}"))
    if why.score:
        rows.append(("score", f"{why.score:.2f}, recency {why.recency:.2f} of it"))
    if why.filters:
        rows.append(("filters", safe_text("  ".join(why.filters), one_line=True, limit=300)))
    return rows


def _words(why: MatchReason) -> str:
    said = safe_text(", ".join(why.terms), one_line=True, limit=300) or "none of them"
    return f"{said}; {ordinal(why.rank)} by words" if why.rank else said


def nearness(cosine: float) -> str:
    """A cosine in words."""
    return next((words for least, words in NEAR if cosine >= least), "far")


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th."""
    end = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{end}"


def being_typed(text: str) -> str:
    """The last word of a query, of which only the beginning is there; "" where there is none."""
    terms = parse(text).terms
    return words_of(terms[-1].text)[-1] if terms and terms[-1].prefix and words_of(terms[-1].text) else ""


def told(text: str, matched: Sequence[str], typed: str = "", style: str = "") -> list[Part]:
    """A shown text with the words that were asked for marked, whatever their ending; of the one that is
    `typed` only the beginning has to be there."""
    stems = {stem(word) for word in matched}
    begun = typed if typed in matched else ""
    parts: list[Part] = []
    end = 0
    for found in WORD.finditer(text) if stems else ():
        word = found[0].casefold()
        if stem(word) in stems or (begun and word.startswith(begun)):
            parts += [(text[end : found.start()], style), (found[0], f"{style} {SAID}".strip())]
            end = found.end()
    return [*parts, (text[end:], style)]
