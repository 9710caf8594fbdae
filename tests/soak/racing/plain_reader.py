"""Reads stores with nothing but Python's own json and sqlite3, in a process of its own.

Run as a program, it answers a line of JSON with another: which texts stand in a store, or what is
broken in it. Nobody writes meanwhile.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

from tests.support.kills.line_server import LineServer


class PlainReader(LineServer):
    """A client of the process that reads."""

    def __init__(self) -> None:
        super().__init__("tests.soak.racing.plain_reader")

    def texts(self, format: str, place: Path) -> list[str]:
        """The texts of a store; where a dismissed memory stays in it also `live:` and the first word of
        each that is not. Raises ValueError if it is not whole."""
        told = self.ask([format, str(place)])
        if "broken" in told:
            raise ValueError(told["broken"])
        return list(told["texts"])


def _lines(place: Path) -> list[str]:
    objects = [json.loads(line) for line in place.read_bytes().decode().splitlines() if line.strip()]
    assert all(each["type"] in ("entity", "relation") for each in objects), "a line of another kind"
    names = [each["name"] for each in objects if each["type"] == "entity"]
    assert len(names) == len(set(names)), "an entity twice"
    return [text for each in objects if each["type"] == "entity" for text in each["observations"]]


def _notes(place: Path) -> list[str]:
    out = []
    for file in sorted(place.glob("*.md")):
        if file.name != "MEMORY.md":
            head, end, body = file.read_bytes().decode().partition("\n---\n\n")
            assert head.startswith("---\n"), f"{file.name} has no front matter"
            assert end, f"the front matter of {file.name} has no end"
            out.append(body.strip())
    return out


def _database(place: Path, sql: str) -> list[str]:
    """The texts of all rows, and for each that is live its first word behind `live:`."""
    connection = sqlite3.connect(place)
    try:
        (sound,) = connection.execute("PRAGMA integrity_check").fetchone()
        assert sound == "ok", sound
        rows = connection.execute(sql).fetchall()
    finally:
        connection.close()
    texts = [text for text, _ in rows]
    return texts + [f"live:{text.split()[0]}" for text, status in rows if status != "dismissed"]


def _founder(place: Path) -> list[str]:
    return _database(place, "SELECT content, status FROM memories")


def _native(place: Path) -> list[str]:
    return _database(
        place,
        "SELECT m.content, m.status FROM memories m JOIN stores s ON s.id = m.store_id "
        "WHERE s.format = 'native' AND m.removed_at IS NULL",
    )


_READERS = {"mcp-memory": _lines, "claude-code": _notes, "founder-os": _founder, "native": _native}


def _answer(format: str, place: str) -> dict[str, Any]:
    try:
        return {"texts": _READERS[format](Path(place))}
    except Exception as trouble:
        return {"broken": f"{type(trouble).__name__}: {trouble}"}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(_answer(*json.loads(line))), flush=True)
