"""Which words of two texts differ: a pure function, bounded however long the texts are (S-53, section 9)."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from typing import NamedTuple

Piece = tuple[str, bool]
"""A part of a text as it stands there, and whether only this one of the two says it."""

# Where no blanks part words, each sign is one.
_ALONE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(f"[{_ALONE}]|[^\\s{_ALONE}]+")
_EDGES = ".,;:!?()[]{}\"'`“”‘’„«»…*_"
_FILLERS = frozenset("a an and as at by for in of on or the to".split())
_DENIALS = frozenset("not no never none nor neither nothing without cannot".split())
MOST = 1_000_000
"""Words of one times words of the other, beyond which their order is not looked at."""


class _Word(NamedTuple):
    start: int
    end: int
    said: str


def differing(a: str, b: str, *, moved: bool = True) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces, which together are each text again.

    Case, blanks and punctuation around a word make no difference; what stands between two words that
    differ belongs to them. A word that only stands at another place differs if `moved`.

    >>> differing("runs Python 3.12.", "runs Python 3.11")
    ([('runs Python ', False), ('3.12', True), ('.', False)], [('runs Python ', False), ('3.11', True)])
    """
    words = _words(a), _words(b)
    said = [word.said for word in words[0]], [word.said for word in words[1]]
    only = _only(*said)
    if not moved:
        only = _lacking(said[0], only[0], said[1], only[1])
    return _pieces(a, words[0], only[0]), _pieces(b, words[1], only[1])


def all_differs(pieces: list[Piece]) -> bool:
    """Whether no word of a text stands in the other one."""
    return not any(not only and any(map(str.isalnum, text)) for text, only in pieces)


def _words(text: str) -> list[_Word]:
    found = []
    for match in _WORD.finditer(text):
        whole = match[0]
        bare = whole.strip(_EDGES) or whole
        start = match.start() + whole.index(bare)
        found.append(_Word(start, start + len(bare), bare.casefold()))
    return found


def _only(a: list[str], b: list[str]) -> tuple[list[bool], list[bool]]:
    """For each word whether the other text lacks it at that place."""
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    mid_a, mid_b = a[head : len(a) - tail], b[head : len(b) - tail]
    middle = (
        (_missing(mid_a, mid_b), _missing(mid_b, mid_a))
        if len(mid_a) * len(mid_b) > MOST
        else _aligned(mid_a, mid_b)
    )
    same = [False] * head, [False] * tail
    return [*same[0], *middle[0], *same[1]], [*same[0], *middle[1], *same[1]]


def _aligned(a: list[str], b: list[str]) -> tuple[list[bool], list[bool]]:
    only_a, only_b = [True] * len(a), [True] * len(b)
    for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
        between = block.a > 0 and block.a + block.size < len(a)
        if block.size == 1 and between and a[block.a] in _FILLERS:
            continue  # a lone "the" between words that differ tells nothing
        only_a[block.a : block.a + block.size] = [False] * block.size
        only_b[block.b : block.b + block.size] = [False] * block.size
    return only_a, only_b


def _missing(words: list[str], others: list[str]) -> list[bool]:
    left = Counter(others)
    only = []
    for word in words:
        only.append(not left[word])
        left[word] -= left[word] > 0
    return only


def _lacking(
    a: list[str], only_a: list[bool], b: list[str], only_b: list[bool]
) -> tuple[list[bool], list[bool]]:
    """The same without words that the other text says elsewhere. Numbers, denials and the like must have
    moved with a neighbour: "3, not 5" and "5, not 3" hold the same words."""
    together = _neighbours(a, only_a) & _neighbours(b, only_b)
    stuck = {word for pair in together for word in pair}
    counts = [
        Counter(word for word, only in zip(each, marks, strict=True) if only)
        for each, marks in ((a, only_a), (b, only_b))
    ]
    both = counts[0] & counts[1]
    kept = {word for word in both if word not in stuck and _weighs(word)}
    return _without(a, only_a, both, kept), _without(b, only_b, both, kept)


def _without(words: list[str], only: list[bool], both: Counter[str], kept: set[str]) -> list[bool]:
    left = both.copy()
    marks = []
    for word, marked in zip(words, only, strict=True):
        elsewhere = marked and left[word] > 0 and word not in kept
        left[word] -= elsewhere
        marks.append(marked and not elsewhere)
    return marks


def _neighbours(words: list[str], only: list[bool]) -> set[tuple[str, str]]:
    return {
        (words[place], words[place + 1]) for place in range(len(words) - 1) if only[place] and only[place + 1]
    }


def _weighs(word: str) -> bool:
    denies = word in _DENIALS or word.endswith(("n't", "n’t"))
    return denies or word in _FILLERS or any(map(str.isdigit, word))


def _pieces(text: str, words: list[_Word], only: list[bool]) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    place = 0
    while place < len(words):
        if not only[place]:
            place += 1
            continue
        last = place
        while last + 1 < len(words) and only[last + 1]:
            last += 1
        start, end = words[place].start, words[last].end
        pieces += [(text[at:start], False), (text[start:end], True)]
        at, place = end, last + 1
    pieces.append((text[at:], False))
    return [piece for piece in pieces if piece[0]]
