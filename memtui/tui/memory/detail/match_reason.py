"""Why a memory matches a search, and its text with the matching words marked (S-33)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.query.language import parse
from memtui.memory.ranking import WORD, stem, words_of
from memtui.memory.results import MatchReason
from memtui.text import safe_text
from memtui.tui.memory.detail import wording_detail as wording

Part = tuple[str, str]
MATCH_STYLE = "bold underline"  # not a colour, which some cannot see
NEARNESS = ((0.75, "very close"), (0.5, "close"), (0.3, "related"))  # least cosine


def match_rows(why: MatchReason | None) -> list[Part]:
    """Return pairs of name and value: words, meaning, score, filters."""
    if why is None:
        return []
    rows: list[Part] = []
    if why.terms or why.cosine is not None:
        rows.append(("words", _matched_words(why)))
    if why.cosine is not None:
        rows.append(("meaning", wording.by_meaning(why.cosine, nearness(why.cosine))))
    if why.score:
        rows.append(("score", wording.score(why.score, why.recency)))
    if why.filters:
        rows.append(("filters", safe_text("  ".join(why.filters), one_line=True, limit=300)))
    return rows


def _matched_words(why: MatchReason) -> str:
    words = safe_text(", ".join(why.terms), one_line=True, limit=300)
    return wording.matched_words(words, ordinal(why.rank) if why.rank else "")


def nearness(cosine: float) -> str:
    """Return what a cosine means: very close, close, related or far."""
    return next((text for least, text in NEARNESS if cosine >= least), "far")


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 11th, …"""
    end = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{end}"


def partial_word(text: str) -> str:
    """Return the last word of a query if it is matched as a beginning, else ""."""
    terms = parse(text).terms
    return words_of(terms[-1].text)[-1] if terms and terms[-1].prefix and words_of(terms[-1].text) else ""


def highlighted(text: str, matched: Sequence[str], typed: str = "", style: str = "") -> list[Part]:
    """Return a text with the matched words marked, whatever their endings.

    Of the word `typed`, if it is among them, the beginning is enough."""
    stems = {stem(word) for word in matched}
    beginning = typed if typed in matched else ""
    parts: list[Part] = []
    end = 0
    for found in WORD.finditer(text) if stems else ():
        word = found[0].casefold()
        if stem(word) in stems or (beginning and word.startswith(beginning)):
            parts += [(text[end : found.start()], style), (found[0], f"{style} {MATCH_STYLE}".strip())]
            end = found.end()
    return [*parts, (text[end:], style)]
