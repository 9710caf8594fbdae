"""What stands in a store, read by a process that knows nothing of memtui: plain files, Python's own
`json` and `sqlite3`. A database is read in a private copy, so that looking changes nothing.

As a program it answers a line with a line: the store's path → what it holds, and what is torn.
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
    """A client of the process that reads."""

    def __init__(self) -> None:
        super().__init__("tests.soak.reader")

    def read(self, store: Path) -> tuple[Contents, list[str]]:
        """All that stands in a store (rows of a database, else files by name), and what is wrong with it."""
        holds, wrong = self.ask(str(store))
        return holds, wrong


# What a workspace says of memories: nothing of when it was read, and no index. Rows go by their uids.
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
    wrong: list[str] = []
    try:
        if not store.exists():
            return {}, []
        if store.suffix == ".db":
            return _rows(store, wrong), wrong
        return _files(store, wrong), wrong
    except (OSError, ValueError, sqlite3.Error) as trouble:
        return {}, [f"{store.name}: {trouble!r}"]


def _rows(store: Path, wrong: list[str]) -> Contents:
    with tempfile.TemporaryDirectory(prefix="memtui-soak-") as folder:
        for end in ("", "-wal", "-journal"):
            if (file := store.with_name(store.name + end)).exists():
                shutil.copy(file, folder)
        with closing(sqlite3.connect(Path(folder, store.name))) as connection:
            connection.text_factory = lambda raw: raw.decode("utf-8", "backslashreplace")
            wrong += [
                f"{store.name}: {said}"
                for (said,) in connection.execute("PRAGMA integrity_check")
                if said != "ok"
            ]
            if store.name == "workspace.db":
                return _workspace(connection)
            tables = connection.execute(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')"
                " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            ).fetchall()
            return {name: _table(connection, f'SELECT * FROM "{name}"') for (name,) in tables}


def _workspace(connection: sqlite3.Connection) -> Contents:
    """Nothing where its schema is not whole yet: it was cut off while it was made."""
    try:
        return {table: _table(connection, sql) for table, sql in _WORKSPACE.items()}
    except sqlite3.OperationalError as trouble:
        if "no such" not in str(trouble):
            raise
        return {}


def _table(connection: sqlite3.Connection, sql: str) -> list[str]:
    return sorted(repr(row) for row in connection.execute(sql))


def _files(store: Path, wrong: list[str]) -> Contents:
    folder = store if store.is_dir() else store.parent
    holds: Contents = {}
    for file in sorted(folder.rglob("*")):
        name = str(file.relative_to(folder))
        if file.is_dir():
            holds[f"{name}/"] = oct(file.stat().st_mode)
            continue
        data = file.read_bytes()
        holds[name] = [oct(file.stat().st_mode), base64.b64encode(data).decode()]
        if not file.name.startswith(".") or file.suffix in (".json", ".jsonl", ".md"):
            wrong += _damage(name, data)
    return holds


def _damage(name: str, data: bytes) -> list[str]:
    try:
        text = data.decode("utf-8")
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith(".jsonl"):
            for line in filter(str.strip, text.splitlines()):
                json.loads(line)
        elif text.startswith("---") and "\n---" not in text.replace("\r\n", "\n")[3:]:
            return [f"{name}: its head has no end"]
        if not text.strip():
            return [f"{name}: it is empty"]
        if "\0" in text:
            return [f"{name}: it holds NUL"]
    except ValueError as trouble:
        return [f"{name}: {trouble}"]
    return []


def _serve() -> None:
    for line in sys.stdin:
        print(json.dumps(_read(Path(json.loads(line)))), flush=True)


if __name__ == "__main__":
    _serve()
