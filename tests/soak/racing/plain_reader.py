"""Reads stores with only Python's own json and sqlite3, in a process of its own.

Run as a program, it answers each line of JSON with another: the texts of a store, or what is broken in it.
Nothing writes meanwhile.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

from tests.support.kills.line_server import LineServer


class PlainReader(LineServer):
    """Client of the process that reads."""

    def __init__(self) -> None:
        super().__init__("tests.soak.racing.plain_reader")

    def texts(self, format: str, path: Path) -> list[str]:
        """Return the texts of a store; if dismissed memories stay in it, also `live:` and the first word of
        each live one. Raise ValueError if the store is damaged."""
        answer = self.ask([format, str(path)])
        if "broken" in answer:
            raise ValueError(answer["broken"])
        return list(answer["texts"])


def _lines(path: Path) -> list[str]:
    objects = [json.loads(line) for line in path.read_bytes().decode().splitlines() if line.strip()]
    assert all(each["type"] in ("entity", "relation") for each in objects), "a line of another kind"
    names = [each["name"] for each in objects if each["type"] == "entity"]
    assert len(names) == len(set(names)), "an entity twice"
    return [text for each in objects if each["type"] == "entity" for text in each["observations"]]


def _notes(path: Path) -> list[str]:
    out = []
    for file in sorted(path.glob("*.md")):
        if file.name != "MEMORY.md":
            head, end, body = file.read_bytes().decode().partition("\n---\n\n")
            assert head.startswith("---\n"), f"{file.name} has no front matter"
            assert end, f"the front matter of {file.name} has no end"
            out.append(body.strip())
    return out


def _database(path: Path, sql: str) -> list[str]:
    """Return the texts of all rows, and for each live one `live:` and its first word."""
    connection = sqlite3.connect(path)
    try:
        (result,) = connection.execute("PRAGMA integrity_check").fetchone()
        assert result == "ok", result
        rows = connection.execute(sql).fetchall()
    finally:
        connection.close()
    texts = [text for text, _ in rows]
    return texts + [f"live:{text.split()[0]}" for text, status in rows if status != "dismissed"]


def _founder(path: Path) -> list[str]:
    return _database(path, "SELECT content, status FROM memories")


def _native(path: Path) -> list[str]:
    return _database(
        path,
        "SELECT m.content, m.status FROM memories m JOIN stores s ON s.id = m.store_id "
        "WHERE s.format = 'native' AND m.removed_at IS NULL",
    )


_READERS = {"mcp-memory": _lines, "claude-code": _notes, "founder-os": _founder, "native": _native}


def _answer(format: str, path: str) -> dict[str, Any]:
    try:
        return {"texts": _READERS[format](Path(path))}
    except Exception as error:
        return {"broken": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(_answer(*json.loads(line))), flush=True)
