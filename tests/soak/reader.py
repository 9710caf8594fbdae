"""Reads stores in a process that does not use memtui: plain files, Python's own `json` and `sqlite3`. A
database is read from a private copy, so that reading changes nothing.

As a program it answers each line, the path of a store, with its contents and what is damaged.
"""

from __future__ import annotations

import base64
import json
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.kills.line_server import LineServer

Contents = dict[str, Any]


class Reader(LineServer):
    """Client of the process that reads."""

    def __init__(self) -> None:
        super().__init__("tests.soak.reader")

    def read(self, store: Path) -> tuple[Contents, list[str]]:
        """Return the contents of a store (rows of a database, or files by name), and what is damaged."""
        contents, damage = self.ask(str(store))
        return contents, damage


# The rows of a workspace that matter: without times of reading and indexes. Rows are identified by uid.
_UID = "(SELECT uid FROM memories WHERE id = {})"
_MEMORIES = (
    "SELECT uid, ref, kept, moved IS NULL, status, category, title, subject, key, content, tags, confidence,"
    " pinned, valid_to, superseded_by FROM memories WHERE removed_at IS NULL AND store_id {} 1"
)
OWN_MEMORIES = "its own memories"
_WORKSPACE = {
    OWN_MEMORIES: _MEMORIES.format("="),
    "memories of the store": _MEMORIES.format("<>"),
    "relations": "SELECT store_id, source, kind, target, strength, context, body FROM relations",
    "ties": f"SELECT {_UID.format('source_id')}, target, kind, strength, context, body FROM local_relations",
    "notes": "SELECT store_id, source, kind, target, strength, context, body FROM relation_overrides",
    "verdicts": f"SELECT {_UID.format('a')}, {_UID.format('b')}, verdict FROM verdicts",
}


def _read(store: Path) -> tuple[Contents, list[str]]:
    damage: list[str] = []
    try:
        if not store.exists():
            return {}, []
        if store.suffix == ".db":
            return _rows(store, damage), damage
        return _files(store, damage), damage
    except (OSError, ValueError, sqlite3.Error) as error:
        return {}, [f"{store.name}: {error!r}"]


def _rows(store: Path, damage: list[str]) -> Contents:
    with tempfile.TemporaryDirectory(prefix="memtui-soak-") as folder:
        for suffix in ("", "-wal", "-journal"):
            if (file := store.with_name(store.name + suffix)).exists():
                shutil.copy(file, folder)
        with closing(sqlite3.connect(Path(folder, store.name))) as connection:
            connection.text_factory = lambda raw: raw.decode("utf-8", "backslashreplace")
            damage += [
                f"{store.name}: {line}"
                for (line,) in connection.execute("PRAGMA integrity_check")
                if line != "ok"
            ]
            if store.name == "workspace.db":
                return _workspace(connection)
            tables = connection.execute(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')"
                " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            ).fetchall()
            return {name: _table(connection, f'SELECT * FROM "{name}"') for (name,) in tables}


def _workspace(connection: sqlite3.Connection) -> Contents:
    """Return the contents; nothing if the schema is incomplete, because the workspace was interrupted while
    it was created."""
    try:
        return {table: _table(connection, sql) for table, sql in _WORKSPACE.items()}
    except sqlite3.OperationalError as error:
        if "no such" not in str(error):
            raise
        return {}


def _table(connection: sqlite3.Connection, sql: str) -> list[str]:
    return sorted(repr(row) for row in connection.execute(sql))


def _files(store: Path, damage: list[str]) -> Contents:
    folder = store if store.is_dir() else store.parent
    contents: Contents = {}
    for file in sorted(folder.rglob("*")):
        name = str(file.relative_to(folder))
        if file.is_dir():
            contents[f"{name}/"] = oct(file.stat().st_mode)
            continue
        data = file.read_bytes()
        contents[name] = [oct(file.stat().st_mode), base64.b64encode(data).decode()]
        if not file.name.startswith(".") or file.suffix in (".json", ".jsonl", ".md"):
            damage += _damage(name, data)
    return contents


def _damage(name: str, data: bytes) -> list[str]:
    try:
        text = data.decode("utf-8")
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith(".jsonl"):
            for line in filter(str.strip, text.splitlines()):
                json.loads(line)
        elif text.startswith("---") and "\n---" not in text.replace("\r\n", "\n")[3:]:
            return [f"{name}: its frontmatter has no end"]
        if not text.strip():
            return [f"{name}: it is empty"]
        if "\0" in text:
            return [f"{name}: it holds NUL"]
    except ValueError as error:
        return [f"{name}: {error}"]
    return []


def _serve() -> None:
    for line in sys.stdin:
        print(json.dumps(_read(Path(json.loads(line)))), flush=True)


if __name__ == "__main__":
    _serve()
