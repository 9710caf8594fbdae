"""Indexes of Claude Code (MEMORY.md) around each limit, and random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

_EMOJI = "\U0001f600"
_PIECES = (
    "- item {n}\n",
    "* star {n}\n",
    "1. number {n}\n",
    "  - below {n}\n",
    "text {n}\n",
    "text {n}",
    "\n",
    "\n\n",
    "# head {n}\n",
    "<!-- c{n} -->\n",
    "<!-- m{n}\nmore\n-->\n",
    "   <!-- three {n} -->\n",
    "    <!-- four {n} -->\n",
    "```\n<!-- code {n} -->\n```\n",
    "- a <!-- in {n} -->\n",
    "- [T{n}](f.md) — hook\n",
    "  continued {n}\n",
    "<br>\n",
    "***\n",
    "| a | b |\n|--|--|\n| {n} |\n",
)


def at_limits() -> Iterator[tuple[str, bytes]]:
    """Yield indexes around the limits by name."""
    for count in (199, 200, 201):
        yield f"{count} lines", _lines(count).encode()
        yield f"{count} lines, CRLF", _lines(count).replace("\n", "\r\n").encode()
        yield f"{count} lines, no end", _lines(count)[:-1].encode()
    for units in (24_999, 25_000, 25_001, 26_000):
        yield f"{units} units", _units(units).encode()
        yield f"{units} units, CRLF", _units(units).replace("\n", "\r\n").encode()
    yield "both limits", _lines(260, 140).encode()
    for before in (24_997, 24_998, 24_999):
        yield f"emoji after {before} units", f"{_units(before)}{_EMOJI}z\n- next\n".encode()
        yield f"emoji on a line after {before}", f"{_units(before - 1)}\n{_EMOJI}zz\n- next\n".encode()
    yield "emoji alone", (_EMOJI * 12_499 + "ab\n").encode()
    yield "one line", b"q" * 30_000
    yield "one line of emoji", ("q" + _EMOJI * 15_000).encode()
    yield "long second line", b"- first\n- " + b"w" * 30_000 + b"\n- last\n"
    yield "space around", f"\n\n  {_lines(199)}\n\n\n".encode()
    yield "byte order mark", f"\ufeff{_lines(3)}".encode()
    yield "not UTF-8", b"- a\xff b\n"
    yield "comment", b"- a\n<!-- hidden -->\n- b\n"
    yield "front matter", b"---\nname: x\n---\n- a\n"
    yield "front matter, then 201 lines", f"---\nname: x\n---\n{_lines(201)}".encode()


def at_random(chance: random.Random) -> bytes:
    """Return an index of some pieces in random order."""
    pieces = chance.choices(_PIECES, k=chance.randint(2, 14))
    text = "".join(piece.format(n=number) for number, piece in enumerate(pieces))
    if chance.random() < 0.2:
        text = f"---\na: b\n---\n{text}"
    return (text.replace("\n", "\r\n") if chance.random() < 0.15 else text).encode()


def _lines(count: int, width: int = 30) -> str:
    return "".join(f"- line {number:04d} ".ljust(width - 1, "x") + "\n" for number in range(1, count + 1))


def _units(count: int) -> str:
    return _lines(count // 200 + 1, 200)[:count]
