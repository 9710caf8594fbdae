"""Which sentences of two texts contradict each other: where to start reading a long text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

Span = tuple[int, int]
Spans = tuple[Span | None, Span | None]

# A line that goes on with a lower-case letter was only wrapped.
_END = re.compile(r"[.!?…][)\"'”’»\]]*\s+|[。！？]|\n+(?![ \t]*[a-z])")
_WORDS = re.compile(r"\w+")
MAX_OCCURRENCES = 12
"""Occurrences of a word in one text that are considered."""


def sentence_at(text: str, position: int) -> Span:
    """Return the span of the sentence or line that a position lies in.

    >>> sentence_at("It ships. CI is slow. Ana knows.", 15)
    (10, 21)
    """
    start, end = 0, len(text)
    for found in _END.finditer(text):
        if found.end() > position:
            end = found.end()
            break
        start = found.end()
    return start, start + len(text[start:end].rstrip())


def conflicting_sentences(a: str, b: str, words: tuple[str, str]) -> Spans:
    """Return the span of the sentence with the conflicting word in each of two texts, None where a text
    does not have its word.

    Where a word occurs in several sentences, the two sentences with most words in common are chosen.
    """
    spans_a, spans_b = _sentences_with(a, words[0]), _sentences_with(b, words[1])
    if not spans_a or not spans_b:
        return next(iter(spans_a), None), next(iter(spans_b), None)
    words_b = {span: _words(b[slice(*span)]) for span in spans_b}
    best: tuple[float, Span, Span] = (-1.0, spans_a[0], spans_b[0])
    for span_a in spans_a:
        words_a = _words(a[slice(*span_a)])
        for span_b in spans_b:
            if (similarity := _jaccard(words_a, words_b[span_b])) > best[0]:
                best = similarity, span_a, span_b
    return best[1:]


def occurrences(text: str, phrase: str) -> Iterable[Span]:
    """Find a word or phrase in a text, whatever its case and whitespace."""
    pattern = r"\s+".join(map(re.escape, phrase.split()))
    if not pattern:
        return ()
    return (found.span() for found in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE))


def _sentences_with(text: str, word: str) -> list[Span]:
    found = islice(occurrences(text, word), MAX_OCCURRENCES)
    spans = ((sentence_at(text, start)[0], sentence_at(text, end - 1)[1]) for start, end in found)
    return list(dict.fromkeys(spans))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.casefold()))


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a and b else 0.0
