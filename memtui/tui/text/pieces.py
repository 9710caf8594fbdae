"""Pieces of styled text, some of them links, and how they are wrapped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style

MIN_WIDTH = 12  # cells that text gets in the narrowest pane
LINK_SIGN = "›"  # stands before each link
SELECTED_SIGN = "❯"
_TOKEN = re.compile(r"[ ]+|[^ ]+")


@dataclass(frozen=True, eq=False, slots=True)
class Link:
    """A link to a memory; each one is another stop of the cursor.

    `id` is the row of the memory, None if there is none, and then `reason` says why it cannot be followed.
    """

    id: int | None
    name: str
    reason: str = ""

    def leads_as(self, other: Link) -> bool:
        """Whether both lead to the same memory by the same name."""
        return (self.id, self.name) == (other.id, other.name)


class Piece(NamedTuple):
    """A text with its style, and the link that it is a part of."""

    text: str
    style: str = ""
    link: Link | None = None


NEWLINE = Piece("\n")


def linked(link: Link, text: str, style: str) -> list[Piece]:
    """Return a link as pieces, with the sign by which it is known."""
    return [Piece(LINK_SIGN, "$accent", link), Piece(text, f"{style} underline".strip(), link)]


def links_in(pieces: Iterable[Piece]) -> list[Link]:
    """Return the links, each once, in their order."""
    return list(dict.fromkeys(piece.link for piece in pieces if piece.link is not None))


def wrapped(pieces: list[Piece], width: int, hanging: int = 0) -> list[Piece]:
    """Return a line of text with its end, wrapped at `width` cells; further rows begin with spaces.

    Only spaces where a row ends are dropped. Words that are longer than a row are cut."""
    width = max(width, MIN_WIDTH)
    if sum(cell_len(piece.text) for piece in pieces) <= width:
        return [*pieces, NEWLINE]
    indent = Piece(" " * min(hanging, width // 2))
    out: list[Piece] = []
    used, row_is_empty = 0, True
    gap: list[Piece] = []
    for word in _words(pieces):
        if word[0].text[0] == " ":
            gap = word
            continue
        room = sum(cell_len(piece.text) for piece in word)
        space = sum(cell_len(piece.text) for piece in gap)
        if used + space + room > width and not row_is_empty:
            out += [NEWLINE, indent]
            used, space, gap = len(indent.text), 0, []
        elif used + space >= width:  # nothing but spaces, which would leave no room
            space, gap = 0, []
        out += gap
        used, gap = used + space, []
        for piece in word:
            for number, part in enumerate(_cut(piece.text, width - used, width - len(indent.text))):
                if number:
                    out += [NEWLINE, indent]
                    used = len(indent.text)
                out.append(piece._replace(text=part))
                used += cell_len(part)
        row_is_empty = False
    return [*out, NEWLINE]


def _words(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Yield the words of a line, each in pieces, and the spaces between them."""
    word: list[Piece] = []
    for piece in pieces:
        for token in _TOKEN.findall(piece.text):
            if word and (token[0] == " " or word[0].text[0] == " "):
                yield word
                word = []
            word.append(piece._replace(text=token))
    if word:
        yield word


def _cut(text: str, first: int, further: int) -> list[str]:
    """Return a word in parts: the first one of at most `first` cells, the others of `further` cells."""
    if cell_len(text) <= first:
        return [text]
    parts: list[str] = []
    part: list[str] = []
    used, room = 0, first
    for character in text:
        cells = cell_len(character)
        if used + cells > room:
            parts.append("".join(part))
            part, used, room = [], 0, further
        part.append(character)
        used += cells
    return [*parts, "".join(part)]


def assembled(
    pieces: Iterable[Piece], selected: Link | None = None, cursor: str | Style = "reverse"
) -> Content:
    """Return pieces as content; the selected link has the style of the cursor, and a sign of its own."""
    parts: list[tuple[str, str | Style]] = []
    for text, style, link in pieces:
        if link is None or link is not selected:
            parts.append((text, style))
        else:
            parts.append((SELECTED_SIGN if text == LINK_SIGN else text, cursor))
    return Content.assemble(*parts)


def place_of(pieces: Iterable[Piece], link: Link) -> tuple[int, int]:
    """Return where a link starts and ends, in characters; (0, 0) if it is not there."""
    start, end, at = -1, 0, 0
    for piece in pieces:
        if piece.link is link:
            start = at if start < 0 else start
            end = at + len(piece.text)
        at += len(piece.text)
    return max(start, 0), end
