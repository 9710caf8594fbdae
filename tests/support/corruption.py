"""Damage a closed workspace file on purpose, at known pages and bytes."""

from __future__ import annotations

import os
from pathlib import Path

import apsw

PAGE_SIZE = 8192


def page_numbers(path: Path, tree: str, kind: str = "leaf") -> list[int]:
    """Return the page numbers of a table or an index."""
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


def overwrite_pages(path: Path, *numbers: int) -> None:
    """Overwrite whole pages with random bytes, as a failing disk does. The file must be closed."""
    with path.open("r+b") as file:
        for number in numbers:
            file.seek((number - 1) * PAGE_SIZE)
            file.write(os.urandom(PAGE_SIZE))


def replace_bytes(path: Path, text: str, to: str) -> None:
    """Replace bytes of a stored text wherever they occur. The file must be closed."""
    old, new = text.encode(), to.encode("utf-8", "surrogateescape")
    assert len(old) == len(new)
    data = path.read_bytes()
    assert data.count(old) >= 1
    path.write_bytes(data.replace(old, new))


def replace_in_memories(path: Path, text: str, to: str) -> None:
    """Replace bytes of a text once, in the table of memories only."""
    old, new = text.encode(), to.encode("utf-8", "surrogateescape")
    assert len(old) == len(new)
    data = bytearray(path.read_bytes())
    done = 0
    for number in page_numbers(path, "memories"):
        start = (number - 1) * PAGE_SIZE
        page = bytes(data[start : start + PAGE_SIZE])
        done += page.count(old)
        data[start : start + PAGE_SIZE] = page.replace(old, new)
    assert done == 1, f"{text!r} occurs {done} times in the table"
    path.write_bytes(data)
