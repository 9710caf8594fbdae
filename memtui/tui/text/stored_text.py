"""A stored text as it is, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.text import screen_text
from memtui.tui.text.pieces import Piece, wrapped


def stored_lines(text: str, width: int, style: str, limit: int) -> Iterator[list[Piece]]:
    """Yield a stored text line by line, inert and with its own line breaks, wrapped at `width` cells and cut
    to `limit` characters."""
    for line in screen_text(text, limit=limit).expandtabs(8).split("\n"):
        yield wrapped([Piece(line, style)], width, len(line) - len(line.lstrip(" ")))
