"""Whether the few words in which two texts differ turn what is said: a name, a negation, a sign, a code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.vocabulary import QUALIFIERS

_FEW = 2  # words of each text that the other has not
_WORDS = re.compile(r"[^\s,;:()\[\]\"“”]+")
# A minus, "not equal", a ticked box, a question, C++ and C#.
_SIGNS = re.compile(r"!=|≠|<=|>=|[<>≤≥=?]|\[[ xX]\]|(?<![\w.)])[-+−±](?=\s?\d)|\b[A-Z]\+\+|\b[A-Z]#|~~")
_NUMBER = re.compile(r"[^\W\d_]?\d[\d.,:/-]*(?:st|nd|rd|th|%|k|am|pm|h)?$", re.I)  # its value is compared
_UNIT = re.compile(r"(?:[kmgt]i?b|ms|s|h|min|[kmc]?m|k?g|m?l|k?w|v|a|[kmg]?hz)$", re.I)
_NEGATORS = frozenset("not no never none nobody nothing neither nor without cannot".split())
_LIMITS = QUALIFIERS | frozenset("all each always usually must should can could from at".split())
_AGAINST = re.compile(r"(?:dis|un|non-?|mis|im|in|ir|de)$")


def turned(one: str, other: str) -> bool:
    """Whether two texts cannot say the same, however alike they are: other signs, or hardly another word
    beside names, codes or words that turn a sentence."""
    if Counter(_SIGNS.findall(one)) != Counter(_SIGNS.findall(other)):
        return True
    words = [list(_said(text)) for text in (one, other)]
    mine, theirs = list(_beyond(*words)), list(_beyond(*reversed(words)))
    same = lexicon().are_synonyms
    alike = [(x, y) for x in mine for y in theirs if same(x.casefold(), y.casefold())]
    mine = [word for word in mine if not any(word == x for x, _ in alike)]
    theirs = [word for word in theirs if not any(word == y for _, y in alike)]
    if not mine and not theirs and not alike:
        return _names(words[0]) != _names(words[1])  # "Alice reports to Bob", "Bob reports to Alice"
    if max(len(mine), len(theirs)) > _FEW:
        return False
    if any(word.casefold() in _NEGATORS or word.casefold().endswith("n't") for word in (*mine, *theirs)):
        return True
    if all(any(word.casefold() in _LIMITS for word in left) for left in (mine, theirs)):
        return True  # "must", "may"; "until 6", "from 6"
    if any(map(is_code, (*mine, *theirs))):
        return True
    names = [set(_names(each)) & set(left) for each, left in zip(words, (mine, theirs), strict=True)]
    if any(names) and all(any(word[:1].isupper() for word in left) for left in (mine, theirs)):
        return True
    return any(_denies(x, y) or _denies(y, x) for x in mine for y in theirs)


def _said(text: str) -> Iterator[str]:
    """The words of a text without the units behind numbers, which are compared by what they amount to."""
    before = ""
    for word in _WORDS.findall(text):
        word = word.rstrip(".!?…").removesuffix("'s")
        if not (_NUMBER.match(before) and _UNIT.match(word)):
            yield word
        before = word


def _beyond(mine: Iterable[str], theirs: Iterable[str]) -> Iterable[str]:
    """The words of one text that the other has not; a capital alone makes no other word of a plain one."""
    there = Counter(map(_folded, theirs))
    for word in mine:
        if there[_folded(word)]:
            there[_folded(word)] -= 1
        else:
            yield word


def _folded(word: str) -> str:
    return word if is_code(word) else word.casefold()


def is_code(word: str) -> bool:
    """Whether each letter of a word counts: "/A/b", "aBc7", "C#", "US"."""
    if _NUMBER.match(word):
        return False
    if any(char.isdigit() or char in "/_\\@#.=+" for char in word):
        return True
    return word.isalpha() and not (word.islower() or word.istitle() or (word.isupper() and len(word) > 3))


def _names(words: Sequence[str]) -> list[str]:
    """The words in capitals, but for a verb with which a sentence begins."""
    found = [word for word in words[1:] if word[:1].isupper()]
    first = words[0] if words else ""
    plain = lexicon().has_word(first.casefold()) and lexicon().can_be(first.casefold(), "v")
    return [first, *found] if first[:1].isupper() and not plain else found


def _denies(one: str, other: str) -> bool:
    """Whether a word is the other with a prefix that denies it: "owns", "disowns"."""
    one, other = one.casefold(), other.casefold()
    return len(other) > 3 and one.endswith(other) and _AGAINST.match(one[: -len(other)]) is not None
