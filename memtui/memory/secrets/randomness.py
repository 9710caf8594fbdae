"""Whether a text looks like a random token rather than like words, a name or an identifier."""

from __future__ import annotations

import re
from itertools import pairwise

# The pairs of letters of which five in six of all pairs in English words and identifiers are, but only one in
# four in random letters: by first letter.
_PAIRS = {
    "a": "bcdgilmnprstuy", "b": "aeilor", "c": "aehiklort", "d": "aeios", "e": "acdeflmnprstvwx",
    "f": "aefio", "g": "aehir", "h": "aeio", "i": "acdeglmnoprstv", "k": "ei", "l": "adeilouy", "m": "aeiop",
    "n": "acdegiost", "o": "cdglmnoprstuvw", "p": "aeiloprt", "q": "u", "r": "acdeimorstuy",
    "s": "acehiopstu", "t": "aehiorstuy", "u": "elmnprst", "v": "aei", "w": "aei",
}  # fmt: skip
_COMMON = frozenset(first + second for first, seconds in _PAIRS.items() for second in seconds)
# Rows of the keyboard, the alphabet and the numerals: more than half of what documentation fills up with.
_ROWS = ("123456789", "987654321", "abcdefghij", "klmnopqrst", "qwertyuiop")
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_WORDLIKE = 0.6  # share of common pairs from which letters are words
_RESTLESS = 0.5  # share of neighbors of another class (lower, upper, digit) that no identifier has
_FEW = 5  # pairs of letters that say nothing
_ENOUGH = 12  # characters by which changes of class say something
_LONGEST = 400  # characters that are looked at

_HEX = re.compile(r"[0-9a-f]{16,}|[0-9A-F]{16,}")
_HEX_DIGITS = 4  # a hexadecimal number has at least as many digits; words such as "facade" have none
_WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}(?![a-z])")
# A moment, a version, an address: many digits, and no token.
_ORDERED = re.compile(
    r"v?\d+(?:[.-]\d+){1,5}\w{0,6}|\d{4}-?\d\d-?\d\d(?:[T_-]?\d\d[:-]?\d\d(?:[:-]?\d\d)?(?:\.\d+)?Z?)?"
)


def is_random(value: str) -> bool:
    """Return whether nobody would compose this of words, numbers and separators.

    It has letters and digits, or letters in mixed case of which hardly any make a word.
    """
    value = value[:_LONGEST]
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if not letters or _ORDERED.fullmatch(value):
        return False
    low = value.lower()
    if sum(len(row) * low.count(row) for row in _ROWS) * 2 > len(low):
        return False
    number = _HEX.search(value)
    if number and sum(map(str.isdigit, number.group())) >= _HEX_DIGITS:
        return True
    mixed = value.lower() != value != value.upper()
    if not digits and not (mixed and letters >= 16):
        return False
    if digits and len(value) >= _ENOUGH and _changes(value) >= _RESTLESS * (len(value) - 1):
        return True
    common, pairs = _pairs(value)
    if pairs >= _FEW and common >= _WORDLIKE * pairs:
        return False
    in_words = sum(len(word) for word in _WORD.findall(value) if _is_word(word))
    if in_words * 2 > letters:
        return False
    return digits >= 3 or (digits > 0 and mixed) or (mixed and pairs >= _FEW)


def _pairs(value: str) -> tuple[int, int]:
    """Return how many pairs of letters are common in words, and how many there are."""
    runs = [run.lower() for run in _LETTERS.findall(value)]
    pairs = [run[place : place + 2] for run in runs for place in range(len(run) - 1)]
    return sum(pair in _COMMON for pair in pairs), len(pairs)


def _changes(value: str) -> int:
    """Return how many neighbors are of different classes: lower case, upper case, digits."""
    classes = [char.isdigit() + 2 * char.isupper() for char in value if char.isalnum()]
    return sum(first != second for first, second in pairwise(classes))


def _is_word(word: str) -> bool:
    common, pairs = _pairs(word)
    return common >= 0.75 * pairs
