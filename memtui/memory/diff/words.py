"""Which words of two texts differ: a pure function of bounded cost (S-53, section 9)."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from typing import NamedTuple

Segment = tuple[str, bool]
"""A part of a text, and whether it differs from the other text."""

# In scripts without blanks between words, each character is a word.
_CHARACTER_WORDS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(f"[{_CHARACTER_WORDS}]|[^\\s{_CHARACTER_WORDS}]+")
_EDGES = ".,;:!?()[]{}\"'`“”‘’„«»…*_"
_FILLERS = frozenset("a an and as at by for in of on or the to".split())
_NEGATIONS = frozenset("not no never none nor neither nothing without cannot".split())
MAX_ALIGNED = 1_000_000
"""The product of both word counts beyond which the order of words is ignored."""


class _Word(NamedTuple):
    start: int
    end: int
    folded: str


def compare_words(a: str, b: str, *, moved: bool = True) -> tuple[list[Segment], list[Segment]]:
    """Return both texts in segments, which joined are the texts again.

    Case, blanks and punctuation around a word make no difference; blanks between two words that differ
    belong to the difference. `moved` says whether a word in another position differs.

    >>> compare_words("runs Python 3.12.", "runs Python 3.11")
    ([('runs Python ', False), ('3.12', True), ('.', False)], [('runs Python ', False), ('3.11', True)])
    """
    words = _words(a), _words(b)
    folded = [word.folded for word in words[0]], [word.folded for word in words[1]]
    differs = _differing(*folded)
    if not moved:
        differs = _without_moved(folded[0], differs[0], folded[1], differs[1])
    return _segments(a, words[0], differs[0]), _segments(b, words[1], differs[1])


def differs_completely(segments: list[Segment]) -> bool:
    """Return whether the text has no word of the other one."""
    return not any(not differs and any(map(str.isalnum, text)) for text, differs in segments)


def _words(text: str) -> list[_Word]:
    found = []
    for match in _WORD.finditer(text):
        whole = match[0]
        bare = whole.strip(_EDGES) or whole
        start = match.start() + whole.index(bare)
        found.append(_Word(start, start + len(bare), bare.casefold()))
    return found


def _differing(a: list[str], b: list[str]) -> tuple[list[bool], list[bool]]:
    """Return for each word whether the other text lacks it in that position."""
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    mid_a, mid_b = a[head : len(a) - tail], b[head : len(b) - tail]
    middle = (
        (_missing(mid_a, mid_b), _missing(mid_b, mid_a))
        if len(mid_a) * len(mid_b) > MAX_ALIGNED
        else _aligned(mid_a, mid_b)
    )
    same = [False] * head, [False] * tail
    return [*same[0], *middle[0], *same[1]], [*same[0], *middle[1], *same[1]]


def _aligned(a: list[str], b: list[str]) -> tuple[list[bool], list[bool]]:
    differs_a, differs_b = [True] * len(a), [True] * len(b)
    for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
        between = block.a > 0 and block.a + block.size < len(a)
        if block.size == 1 and between and a[block.a] in _FILLERS:
            continue  # a single "the" between words that differ is no match
        differs_a[block.a : block.a + block.size] = [False] * block.size
        differs_b[block.b : block.b + block.size] = [False] * block.size
    return differs_a, differs_b


def _missing(words: list[str], others: list[str]) -> list[bool]:
    left = Counter(others)
    missing = []
    for word in words:
        missing.append(not left[word])
        left[word] -= left[word] > 0
    return missing


def _without_moved(
    a: list[str], differs_a: list[bool], b: list[str], differs_b: list[bool]
) -> tuple[list[bool], list[bool]]:
    """Return the marks without words that the other text has elsewhere.

    Numbers, negations and the like must have moved with a neighbor: "3, not 5" and "5, not 3" have the
    same words.
    """
    moved_pairs = _neighbors(a, differs_a) & _neighbors(b, differs_b)
    moved_together = {word for pair in moved_pairs for word in pair}
    counts = [
        Counter(word for word, differs in zip(words, marks, strict=True) if differs)
        for words, marks in ((a, differs_a), (b, differs_b))
    ]
    both = counts[0] & counts[1]
    kept = {word for word in both if word not in moved_together and _needs_neighbor(word)}
    return _unmark(a, differs_a, both, kept), _unmark(b, differs_b, both, kept)


def _unmark(words: list[str], differs: list[bool], both: Counter[str], kept: set[str]) -> list[bool]:
    left = both.copy()
    marks = []
    for word, marked in zip(words, differs, strict=True):
        elsewhere = marked and left[word] > 0 and word not in kept
        left[word] -= elsewhere
        marks.append(marked and not elsewhere)
    return marks


def _neighbors(words: list[str], differs: list[bool]) -> set[tuple[str, str]]:
    return {
        (words[place], words[place + 1])
        for place in range(len(words) - 1)
        if differs[place] and differs[place + 1]
    }


def _needs_neighbor(word: str) -> bool:
    negation = word in _NEGATIONS or word.endswith(("n't", "n’t"))
    return negation or word in _FILLERS or any(map(str.isdigit, word))


def _segments(text: str, words: list[_Word], differs: list[bool]) -> list[Segment]:
    segments: list[Segment] = []
    at = 0
    place = 0
    while place < len(words):
        if not differs[place]:
            place += 1
            continue
        last = place
        while last + 1 < len(words) and differs[last + 1]:
            last += 1
        start, end = words[place].start, words[last].end
        segments += [(text[at:start], False), (text[start:end], True)]
        at, place = end, last + 1
    segments.append((text[at:], False))
    return [segment for segment in segments if segment[0]]
