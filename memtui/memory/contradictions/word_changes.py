"""Whether the few words in which two texts differ change the meaning: a name, a negation, a sign, a code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.vocabulary import QUALIFIERS

_MAX_OWN_WORDS = 2  # words of each text that the other lacks
_WORDS = re.compile(r"[^\s,;:()\[\]\"“”]+")
# A minus sign, "not equal", a ticked box, a question mark, C++ and C#.
_SIGNS = re.compile(r"!=|≠|<=|>=|[<>≤≥=?]|\[[ xX]\]|(?<![\w.)])[-+−±](?=\s?\d)|\b[A-Z]\+\+|\b[A-Z]#|~~")
_NUMBER = re.compile(r"[^\W\d_]?\d[\d.,:/-]*(?:st|nd|rd|th|%|k|am|pm|h)?$", re.I)  # its value is compared
_UNIT = re.compile(r"(?:[kmgt]i?b|ms|s|h|min|[kmc]?m|k?g|m?l|k?w|v|a|[kmg]?hz)$", re.I)
_NEGATORS = frozenset("not no never none nobody nothing neither nor without cannot".split())
_QUALIFIERS = QUALIFIERS | frozenset("all each always usually must should can could from at".split())
_NEGATING_PREFIX = re.compile(r"(?:dis|un|non-?|mis|im|in|ir|de)$")


def differ_in_meaning(a: str, b: str) -> bool:
    """Whether two texts cannot say the same however similar they are: they have different signs, or differ in
    little but names, codes or words that change the meaning."""
    if Counter(_SIGNS.findall(a)) != Counter(_SIGNS.findall(b)):
        return True
    words = [list(_words(text)) for text in (a, b)]
    own_a, own_b = list(_only_in_first(*words)), list(_only_in_first(*reversed(words)))
    synonyms = lexicon().are_synonyms
    synonym_pairs = [(x, y) for x in own_a for y in own_b if synonyms(x.casefold(), y.casefold())]
    own_a = [word for word in own_a if not any(word == x for x, _ in synonym_pairs)]
    own_b = [word for word in own_b if not any(word == y for _, y in synonym_pairs)]
    if not own_a and not own_b and not synonym_pairs:
        return _names(words[0]) != _names(words[1])  # "Alice reports to Bob", "Bob reports to Alice"
    if max(len(own_a), len(own_b)) > _MAX_OWN_WORDS:
        return False
    if any(word.casefold() in _NEGATORS or word.casefold().endswith("n't") for word in (*own_a, *own_b)):
        return True
    if all(any(word.casefold() in _QUALIFIERS for word in own) for own in (own_a, own_b)):
        return True  # "must", "may"; "until 6", "from 6"
    if any(map(is_code, (*own_a, *own_b))):
        return True
    names = [set(_names(each)) & set(own) for each, own in zip(words, (own_a, own_b), strict=True)]
    if any(names) and all(any(word[:1].isupper() for word in own) for own in (own_a, own_b)):
        return True
    return any(_is_negation_of(x, y) or _is_negation_of(y, x) for x in own_a for y in own_b)


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text without units behind numbers: quantities are compared by value elsewhere."""
    previous = ""
    for word in _WORDS.findall(text):
        word = word.rstrip(".!?…").removesuffix("'s")
        if not (_NUMBER.match(previous) and _UNIT.match(word)):
            yield word
        previous = word


def _only_in_first(first: Iterable[str], second: Iterable[str]) -> Iterable[str]:
    """Yield the words that the second text lacks; case alone does not make a plain word another one."""
    remaining = Counter(map(_fold, second))
    for word in first:
        if remaining[_fold(word)]:
            remaining[_fold(word)] -= 1
        else:
            yield word


def _fold(word: str) -> str:
    return word if is_code(word) else word.casefold()


def is_code(word: str) -> bool:
    """Whether case and every character of a word are significant: "/A/b", "aBc7", "C#", "US"."""
    if _NUMBER.match(word):
        return False
    if any(char.isdigit() or char in "/_\\@#.=+" for char in word):
        return True
    return word.isalpha() and not (word.islower() or word.istitle() or (word.isupper() and len(word) > 3))


def _names(words: Sequence[str]) -> list[str]:
    """Return the capitalised words, except a verb at the start."""
    found = [word for word in words[1:] if word[:1].isupper()]
    first = words[0] if words else ""
    is_verb = lexicon().has_word(first.casefold()) and lexicon().can_be(first.casefold(), "v")
    return [first, *found] if first[:1].isupper() and not is_verb else found


def _is_negation_of(one: str, other: str) -> bool:
    """Whether the first word is the second with a negating prefix: "disowns", "owns"."""
    one, other = one.casefold(), other.casefold()
    return len(other) > 3 and one.endswith(other) and _NEGATING_PREFIX.match(one[: -len(other)]) is not None
