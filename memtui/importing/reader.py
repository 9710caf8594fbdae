"""The contract of readers: a declaration, and a pure function from a text to memories (S-74)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memtui.memory.imported import Imported, Unreadable

Found = Imported | Unreadable

MOST_LINE = 4_000_000  # characters of a line that is parsed; a memory holds a quarter of that


@dataclass(frozen=True, slots=True)
class Reader:
    """One way to read memories out of a text.

    `recognise` judges a file by its path and first characters. `read` never raises for any text: what is no
    memory becomes an Unreadable with its line. Of several that recognise a file, the one of the
    lowest `rank` reads it: lists are found in many texts, and any text has lines.
    """

    name: str  # of --as
    title: str
    recognise: Callable[[Path, str], bool]
    read: Callable[[str], Iterator[Found]]
    rank: int = 0


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield (number, line) without line ends; only LF and CRLF end a line, as in editors."""
    start, number = 0, 1
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield number, text[start:end].removesuffix("\r")
        start, number = end + 1, number + 1
