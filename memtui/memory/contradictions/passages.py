"""Which sentences of two texts clash: where to begin reading a long one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

Span = tuple[int, int]
Spans = tuple[Span | None, Span | None]

# A line that goes on with a small letter was only wrapped.
_END = re.compile(r"[.!?…][)\"'”’»\]]*\s+|[。！？]|\n+(?![ \t]*[a-z])")
_WORDS = re.compile(r"\w+")
MOST = 12
"""Places of a word in one text that are looked at."""


def sentence(text: str, at: int) -> Span:
    """The sentence or line that a place lies in.

    >>> sentence("It ships. CI is slow. Ana knows.", 15)
    (10, 21)
    """
    start, end = 0, len(text)
    for found in _END.finditer(text):
        if found.end() > at:
            end = found.end()
            break
        start = found.end()
    return start, start + len(text[start:end].rstrip())


def conflicts(a: str, b: str, words: tuple[str, str]) -> Spans:
    """The sentence with the word that clashes in each of two texts. Where a word stands in several, the two
    sentences that have most in common; None where a text doesn't hold its word."""
    in_a, in_b = _holding(a, words[0]), _holding(b, words[1])
    if not in_a or not in_b:
        return next(iter(in_a), None), next(iter(in_b), None)
    said_b = {span: _words(b[slice(*span)]) for span in in_b}
    best: tuple[float, Span, Span] = (-1.0, in_a[0], in_b[0])
    for span in in_a:
        said = _words(a[slice(*span)])
        for other in in_b:
            if (alike := _alike(said, said_b[other])) > best[0]:
                best = alike, span, other
    return best[1:]


def places(text: str, word: str) -> Iterable[Span]:
    """Where a word or phrase stands in a text, whatever its case and its blanks."""
    phrase = r"\s+".join(map(re.escape, word.split()))
    if not phrase:
        return ()
    return (found.span() for found in re.finditer(rf"(?<!\w){phrase}(?!\w)", text, re.IGNORECASE))


def _holding(text: str, word: str) -> list[Span]:
    found = islice(places(text, word), MOST)
    return list(dict.fromkeys((sentence(text, at)[0], sentence(text, end - 1)[1]) for at, end in found))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.casefold()))


def _alike(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a and b else 0.0
