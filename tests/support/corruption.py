"""Breaking a workspace's file on purpose: real pages of a closed file, real bytes."""

from __future__ import annotations

import os
from pathlib import Path

import apsw

PAGE = 8192


def pages(path: Path, tree: str, kind: str = "leaf") -> list[int]:
    """The numbers of the pages of a table or an index."""
    connection = apsw.Connection(str(path))
    found = connection.execute(
        "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY path", (tree, kind)
    ).fetchall()
    connection.close()
    numbers = []
    for (number,) in found:
        assert isinstance(number, int)
        numbers.append(number)
    return numbers


def spoil(path: Path, *numbers: int) -> None:
    """Overwrite whole pages with noise, as a dying disk does; everything is closed."""
    with path.open("r+b") as file:
        for number in numbers:
            file.seek((number - 1) * PAGE)
            file.write(os.urandom(PAGE))


def flip(path: Path, text: str, to: str) -> None:
    """Change bytes inside a stored text, wherever it stands in tables; everything is closed."""
    old, new = text.encode(), to.encode("utf-8", "surrogateescape")
    assert len(old) == len(new)
    data = path.read_bytes()
    assert data.count(old) >= 1
    path.write_bytes(data.replace(old, new))


def flip_row(path: Path, text: str, to: str) -> None:
    """The same in the table of memories alone: what else holds the text keeps it."""
    old, new = text.encode(), to.encode("utf-8", "surrogateescape")
    assert len(old) == len(new)
    data = bytearray(path.read_bytes())
    done = 0
    for number in pages(path, "memories"):
        start = (number - 1) * PAGE
        page = bytes(data[start : start + PAGE])
        done += page.count(old)
        data[start : start + PAGE] = page.replace(old, new)
    assert done == 1, f"{text!r} stands {done} times in the table"
    path.write_bytes(data)
