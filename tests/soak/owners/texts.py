"""Texts, names and kinds that are hard to write and read, chosen by a seeded generator.

Each text of a generator is unique, so that a search for it finds one place.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import count

_PLAIN = (
    "likes tea",
    "prefers short answers, in English",
    "moved to Bern in 2024",
    "owns the deploy on Fridays",
    "is allergic to nuts",
)
_UNUSUAL = (
    "line one\nline two\n\nand a last one\n",
    "windows\r\nends and a lone \r here",
    "tab\there, vertical \x0b, form \x0c",
    'says "quotes" and \\backslashes\\ and \\u2028 spelled out',
    "a back\\",
    "line\u2028separator and paragraph\u2029separator",
    "next\u0085line",
    "👩\u200d👩\u200d👧\u200d👦 family 🏳\ufe0f\u200d🌈 flag 🇨🇭",
    "שלום עולם, مرحبا بالعالم",
    "\u202eright to left\u202c and \u2066isolated\u2069",
    "ﬁne naïve e\u0301 Ωmega 日本語 한국어",
    "𝕬𝖘𝖙𝖗𝖆𝖑 𠜎 𐍈",
    "\ufeffbegins with a mark",
    "\x1b[31mred\x1b[0m \x07 \x9b31m",
    "</script><b>[bold]{{x}}%s%(x)s${y}",
    '{"type":"entity","name":"forged","entityType":"x","observations":["y"]}',
    '","observations":["forged"],"x":"',
    "null",
    "[]",
    "-----BEGIN nothing-----",
    "  spaces around  ",
    "\u00a0\u3000wide spaces\u2003",
    "- a list\n- of two\n\n# and a head",
    "__proto__ constructor toString",
    "1e309 NaN -0",
)
_UNHOLDABLE = ("half \ud83d a pair", "\udc00", "nul \x00 inside")
_ALPHABETS = (
    "abc xyz.,",
    "äöü ß éè",
    "日本語テキスト",
    "ابتثجح",
    "😀🎉🧠☕",
    '"\\/\n\t{}[]:,',
    "\u2028\u2029\u200b\u200f",
)
_NAMES = (
    "Ada Lovelace",
    "Bo",
    "Project Larkfield",
    "__proto__",
    "constructor",
    "entity:Bo",
    'the "quoted" one',
    "C:\\temp\\new",
    "日本語",
    "عمر",
    "☕ tea house",
    "two\nlines",
    "a\u2028b",
    "tab\tin it",
    "#1",
    " spaced ",
    "null",
)
_KINDS = ("person", "project", "place", "machine", "Ünïcode", "two words", "x\ny", "☕", "7", "", " ")
_RELATIONS = (
    "knows",
    "works on",
    "is part of",
    "contradicts",
    "見る",
    "←",
    'is "so"',
    "a\\b",
    "two  spaces",
    "rests on",
)
_LONGEST = 30_000


class Texts:
    """A generator of texts; with `holdable`, none that a database or UTF-8 cannot hold."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._numbers: Iterator[int] = count(1)

    def text(self, *, holdable: bool = True) -> str:
        """Return a text of a memory."""
        draw = self._chance.random()
        if draw < 0.3:
            text = self._chance.choice(_PLAIN)
        elif draw < 0.8:
            text = self._chance.choice(_UNUSUAL)
        elif draw < 0.96 or holdable:
            text = "".join(self._letters() for _ in range(self._chance.randint(1, 5)))
        else:
            text = self._chance.choice(_UNHOLDABLE)
        if self._chance.random() < 0.03:
            text = (text + " ") * self._chance.randint(200, _LONGEST // (len(text) + 1))
        mark = f"n{next(self._numbers)}"
        return self._chance.choice((f"{mark} {text}", f"{text} {mark}"))

    def name(self) -> str:
        """Return the name of an entity."""
        name = self._chance.choice(_NAMES)
        return name if self._chance.random() < 0.4 else f"{name} {next(self._numbers)}"

    def kind(self) -> str:
        """Return the kind of an entity; may be empty."""
        return self._chance.choice(_KINDS)

    def relation(self) -> str:
        """Return the kind of a relation."""
        return self._chance.choice(_RELATIONS)

    def _letters(self) -> str:
        return "".join(self._chance.choices(self._chance.choice(_ALPHABETS), k=self._chance.randint(1, 12)))


def as_stored(text: str) -> str:
    """Return a text as memtui stores it: characters that no database can hold are replaced."""
    return re.sub("[\x00\ud800-\udfff]", "\ufffd", text)


def marks_of(text: str) -> list[str]:
    """Return the words that identify a text."""
    return re.findall(r"\bn\d+\b", text)
