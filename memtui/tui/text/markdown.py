"""Markdown rendered gently, line by line: no word is lost or moved, and what is not known stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from memtui.tui.text.markdown_inline import CODE_STYLE, Resolve, inline
from memtui.tui.text.pieces import Piece, wrapped

TAB = 8  # cells
HEADING_STYLE = "bold"
_HEADING = re.compile(r" {0,3}#{1,6} +(?=\S)")
# A sign of a list, a number or a quote, with the space behind it, under which further rows are indented.
_ITEM = re.compile(r"(?P<indent> *)(?P<sign>[-*+•>]|\d{1,9}[.)]) +(?=\S)")
_BOX = re.compile(r"\[(?P<done>[ xX])\](?= +\S)")
_RULE = re.compile(r" *(?:[-*_] *)+")
_FENCE = re.compile(r" {0,3}(?P<ticks>`{3,}|~{3,}) *(?P<name>[^`]*)$")
_BULLETS = {"-": "•", "*": "•"}  # a plus stays: with minus signs it marks what was added

Mark = Callable[[Piece], Iterable[Piece]]
"""Splits a piece, to mark words in it."""


def markdown(text: str, width: int, resolve: Resolve, mark: Mark) -> list[Piece]:
    """Return a safe text of several lines, wrapped at `width` cells; every line has its end."""
    lines = [line.expandtabs(TAB).rstrip() for line in text.split("\n")]
    pieces: list[Piece] = []
    for line, in_code in _with_code(lines):
        found, hanging = _code(line) if in_code else _line(line, resolve)
        pieces += wrapped([part for piece in found for part in mark(piece)], width, hanging)
    return pieces


def _with_code(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield the lines and whether each is code; of the fences around it, only the name of its language."""
    end = -1  # the line of the closing fence
    unclosed: dict[str, int] = {}  # by sign, the shortest fence that nothing closes from here on
    for number, line in enumerate(lines):
        if number < end:
            yield line, True
        elif number > end:
            fence = _FENCE.match(line)
            ticks = fence["ticks"] if fence else ""
            if fence and len(ticks) < unclosed.get(ticks[0], len(line) + 1):
                end = _closing(lines, number + 1, ticks)
                if end < 0:
                    unclosed[ticks[0]] = len(ticks)
            if fence and end > number:
                if fence["name"]:
                    yield fence["name"], True
            else:
                yield line, False


def _closing(lines: list[str], start: int, ticks: str) -> int:
    """Return the line of the fence that closes one of `ticks`; -1 if there is none."""
    for number in range(start, len(lines)):
        line = lines[number].strip(" ")
        if len(line) >= len(ticks) and line == ticks[0] * len(line):
            return number
    return -1


def _code(line: str) -> tuple[list[Piece], int]:
    return [Piece(line, CODE_STYLE)], _indent(line)


def _line(line: str, resolve: Resolve) -> tuple[list[Piece], int]:
    """Return the pieces of a line and how far its further rows are indented."""
    if heading := _HEADING.match(line):
        return inline(line[heading.end() :], HEADING_STYLE, resolve), 0
    if (item := _ITEM.match(line)) and not _RULE.fullmatch(line):
        sign = _BULLETS.get(item["sign"], item["sign"])
        if sign == "•" and (box := _BOX.match(line, item.end())):
            text = line[box.end() :].lstrip(" ")
            sign, hanging = "☐" if box["done"] == " " else "☑", len(item["indent"]) + 2
            return [
                Piece(item["indent"]), Piece(sign, "$accent"), Piece(" "), *inline(text, "", resolve)
            ], hanging  # fmt: skip
        space = line[item.end("sign") : item.end()]
        body = inline(line[item.end() :], "", resolve)
        return [Piece(item["indent"]), Piece(sign, "$accent"), Piece(space), *body], item.end()
    return inline(line, "", resolve), _indent(line)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
