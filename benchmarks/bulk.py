"""One key on hundreds of marked memories, compared with the simplest script that is equally safe.

memtui: plan, verify that nothing else changes, journal with what undo needs, write, mirror, word index.

The baseline is what a good engineer writes in one session without memtui:

- it has a copy of all memories in SQLite, with a word index kept by triggers;
- it opens the store, reads what is to change, and makes all changes at once;
- its journal has for each memory the old value and the removed bytes (a file and its line, an observation
with its position, a row's old columns), so that each could be restored alone;
- journal and copy are one transaction with a full sync, before the store is written;
- the store is written once: a new file next to the old one, synced and renamed, its folder synced; a database
in one transaction with a full sync.

It does not check for concurrent writes, reads nothing back, and does not recover from a crash.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import apsw

from benchmarks.attach import claude_code, founder_os, mcp
from benchmarks.measure import Result, timed
from memtui.memory.memory import Memory
from memtui.workspace.workspace import Workspace

ROUNDS = 3
TARGET = 5.0
PINNED, TAGGED, DISMISSED = "pinned", "tags", "status"
VALUES = {PINNED: 1, TAGGED: '["a", "marked"]', DISMISSED: "dismissed"}
Marked = Sequence[Memory]
Old = Iterable[bytes | str]
"""The stored value of each marked memory before the change."""


def measure(folder: Path, count: int, marked: int) -> list[Result]:
    """Dismiss, pin and retag in each kind of store, with an undo after each; the best of three."""
    out = []
    for name, make, change in (
        ("Claude Code files", claude_code, _files),
        ("MCP memory observations", mcp, _observations),
        ("Founder OS rows", founder_os, _rows),
    ):
        path, _ = make(folder / "bulk", count)
        twin = folder / "bulk-twin" / make.__name__ / path.name
        copy = shutil.copytree if path.is_dir() else shutil.copy
        twin.parent.mkdir(parents=True)
        workspace = Workspace.open(folder / f"bulk-{make.__name__}.db")
        workspace.attach(path)
        ids = list(workspace.search("").ids)
        copy_db = _make_copy(folder / f"bulk-{make.__name__}-plain.db", workspace.memories(ids))
        workspace.pin(ids[-1:])  # makes the backup of the day, which is not measured
        workspace.dismiss(ids[-1:])
        ids = ids[:marked]
        memories = workspace.memories(ids)
        for verb, act, field in (
            ("dismiss", workspace.dismiss, DISMISSED),
            ("pin", workspace.pin, PINNED),
            ("retag", partial(workspace.edit, fields={}, retag=lambda tags: (*tags, "marked")), TAGGED),
        ):
            pairs = []
            for _ in range(ROUNDS):
                if twin.exists():
                    shutil.rmtree(twin) if twin.is_dir() else twin.unlink()
                copy(path, twin)
                os.sync()  # data that was never written would be removed at no cost
                baseline, memtui = (
                    timed(partial(_baseline, copy_db, memories, field, change, twin)),
                    timed(partial(act, ids)),
                )
                pairs.append((memtui, baseline))
                workspace.undo()
                copy_db.execute("UPDATE t SET pinned = 0, status = 'confirmed', tags = '[\"a\"]' WHERE 1")
            memtui, baseline = min(memtui for memtui, _ in pairs), min(baseline for _, baseline in pairs)
            out.append(Result(f"{verb} {marked:,} of {count:,} {name}", memtui, baseline, TARGET))
        workspace.close()
        copy_db.close()
    return out


def _make_copy(path: Path, memories: Iterable[Memory]) -> apsw.Connection:
    """Make the script's own copy of the memories, with a word index."""
    copy_db = apsw.Connection(str(path))
    copy_db.execute("PRAGMA journal_mode=wal")
    copy_db.execute("PRAGMA synchronous=full")
    copy_db.execute(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, content TEXT, tags TEXT, pinned, status);"
        "CREATE TABLE journal (id INTEGER PRIMARY KEY, memory INTEGER, field TEXT, before, after, old);"
        "CREATE VIRTUAL TABLE w USING fts5(content, tags, content='t', content_rowid='id', prefix='1 2 3');"
        "CREATE TRIGGER i AFTER INSERT ON t BEGIN "
        "INSERT INTO w (rowid, content, tags) VALUES (new.id, new.content, new.tags); END;"
        "CREATE TRIGGER u AFTER UPDATE OF tags ON t WHEN old.tags <> new.tags BEGIN "
        "INSERT INTO w (w, rowid, content, tags) VALUES ('delete', old.id, old.content, old.tags);"
        "INSERT INTO w (rowid, content, tags) VALUES (new.id, new.content, new.tags); END;"
    )
    with copy_db:
        copy_db.executemany(
            "INSERT INTO t (name, content, tags, pinned, status) VALUES (?, ?, '[\"a\"]', 0, 'confirmed')",
            ((memory.ref, memory.content) for memory in memories),
        )
    return copy_db


Change = Callable[[Path, Marked, str], tuple[Old, Callable[[], None]]]
"""Reads what changes in a store; returns it with a function that writes the change."""


def _baseline(copy_db: apsw.Connection, marked: Marked, field: str, change: Change, store: Path) -> None:
    value = VALUES[field]
    old, write = change(store, marked, field)
    with copy_db:
        copy_db.executemany(
            "INSERT INTO journal (memory, field, before, after, old) "
            f"SELECT id, '{field}', {field}, ?, ? FROM t WHERE name = ?",
            ((value, old_value, memory.ref) for memory, old_value in zip(marked, old, strict=True)),
        )
        copy_db.executemany(
            f"UPDATE t SET {field} = ? WHERE name = ?", [(value, each.ref) for each in marked]
        )
    write()


def _no_change(marked: Marked) -> tuple[Old, Callable[[], None]]:
    """Change nothing in the store, which cannot hold the value."""
    return [""] * len(marked), lambda: None


def _files(folder: Path, marked: Marked, field: str) -> tuple[Old, Callable[[], None]]:
    """Remove files and their index lines."""
    if field != DISMISSED:
        return _no_change(marked)
    index = folder / "MEMORY.md"
    lines = {line.split("](")[1].split(")")[0]: line for line in index.read_text("utf-8").splitlines(True)}
    old = [(folder / each.ref).read_bytes() + lines.pop(each.ref).encode() for each in marked]

    def write() -> None:
        for each in marked:
            (folder / each.ref).unlink()
        _replace(index, "".join(lines.values()))

    return old, write


def _observations(file: Path, marked: Marked, field: str) -> tuple[Old, Callable[[], None]]:
    """Remove observations from their entities."""
    if field != DISMISSED:
        return _no_change(marked)
    entities = {each["name"]: each for each in map(json.loads, file.read_text("utf-8").splitlines())}
    old = []
    for each in marked:
        observations = entities[each.subject]["observations"]
        old.append(json.dumps([each.subject, observations.index(each.content), each.content]))
        observations.remove(each.content)
    return old, lambda: _replace(file, "\n".join(map(json.dumps, entities.values())))


def _rows(database: Path, marked: Marked, field: str) -> tuple[Old, Callable[[], None]]:
    """Set a column of rows."""
    if field == PINNED:
        return _no_change(marked)
    connection = apsw.Connection(str(database))
    connection.execute("PRAGMA synchronous=full")
    sql = f"SELECT {field}, updated_at FROM memories WHERE id = ?"
    old = [json.dumps(connection.execute(sql, (each.ref,)).fetchone()) for each in marked]

    def write() -> None:
        with connection:
            connection.executemany(
                f"UPDATE memories SET {field} = ?, updated_at = 1 WHERE id = ?",
                [(VALUES[field], each.ref) for each in marked],
            )
        connection.close()

    return old, write


def _replace(path: Path, text: str) -> None:
    new_file = path.with_name("fresh")
    with new_file.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new_file.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
