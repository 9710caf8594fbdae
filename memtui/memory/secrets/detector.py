"""What a detector of secrets is, and how one is made of a prefix or a pattern (S-62)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from memtui.memory.secrets.randomness import is_random

Spans: TypeAlias = Callable[[str], Iterator[tuple[int, int]]]

ANY, LONG, INSIDE = "any text", "texts with a long word", "long words"  # what a detector is asked about
LONG_WORD = re.compile(r"[A-Za-z0-9_+/%=.:$~-]{14,}")


@dataclass(frozen=True, slots=True)
class Detector:
    """Finds one kind of secret.

    `kind` is a code; `wording.py` has its name. `markers` are lower-case substrings of which each text with
    such a secret has one, in any case; a detector without markers is asked about every text, and must be
    cheap. `spans` yields the start and end of the secret parts of a text, in any order; its time is linear
    in the length of any text. Placeholders need not be excluded: `find` does that.
    `near` is what
    the detector needs to be asked about: with LONG or INSIDE, each text with such a secret has a `LONG_WORD`,
    as little prose has; with INSIDE, the marker is part of it. `proven`: a checksum tells placeholders apart.
    `personal` data is no secret unless the settings say so.
    """

    kind: str
    markers: tuple[str, ...]
    spans: Spans
    near: str = ANY
    proven: bool = False
    personal: bool = False


# Compiled at the first use: most kinds never occur.
compiled = cache(re.compile)


def prefixed(kind: str, prefixes: str, rest: str, *, composed: bool = False) -> Detector:
    """Return a detector of tokens that begin with one of these prefixes, separated by spaces.

    `rest` is the pattern of what follows. `composed`: words can be joined to such a token, too, so that it
    must look random. Nothing that could belong to the token may stand before it; so each character is read
    only once, however often the prefix is repeated.
    """
    joined = r"[\w-]" if "-" in rest or composed else r"\w"

    def spans(text: str) -> Iterator[tuple[int, int]]:
        for prefix in prefixes.split():
            if prefix not in text:
                continue
            literal = re.escape(prefix)
            # The prefix comes first, by which the search is fast. A newline written as \n ends a word.
            start = rf"{literal}(?:(?<!{joined}{literal})|(?<=\\[nrt]{literal}))"
            for match in compiled(f"{start}(?:{rest})").finditer(text):
                if not composed or is_random(text[match.start() + len(prefix) : match.end()]):
                    yield match.span()

    return Detector(kind, tuple(prefix.lower() for prefix in prefixes.split()), spans, INSIDE)


def shaped(kind: str, markers: str, *patterns: str, near: str = ANY) -> Detector:
    """Return a detector of patterns, whose group "secret" is secret, or all of them if there is none.

    `markers` are separated by spaces. Patterns that begin with a literal are searched fastest; each must
    bound its repetitions.
    """

    def spans(text: str) -> Iterator[tuple[int, int]]:
        for pattern in map(compiled, patterns):
            group = "secret" if "secret" in pattern.groupindex else 0
            for match in pattern.finditer(text):
                yield match.span(group)

    return Detector(kind, tuple(markers.split()), spans, near)
