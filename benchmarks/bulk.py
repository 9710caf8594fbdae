"""One key on hundreds of marked memories, beside the plainest script that deserves the same trust.

Ours: plan, prove that nothing else moves, journal with what undo needs, write, mirror, words index.

Plain is what a good engineer writes in one sitting without memtui, no weaker and no stronger:

- it has a copy of all memories in SQLite, with a words index that triggers keep in step;
- it opens the store, reads what is to change, and makes all changes in one go;
- its journal has, memory by memory, the old value and the bytes that go (a file and its line, an
  observation with its place, a row's old columns), so that each could be put back alone;
- journal and copy are one transaction with a full sync, which is done before the store is touched;
- the store is written once: a changed file beside the old one, synced and renamed, its folder synced; a
  database in one transaction with a full sync.

It does not look whether somebody else wrote meanwhile, reads nothing back, and mends nothing after a crash.
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
AIM = 5.0
PINNED, TAGGED, DISMISSED = "pinned", "tags", "status"
VALUES = {PINNED: 1, TAGGED: '["a", "marked"]', DISMISSED: "dismissed"}
Marked = Sequence[Memory]
Old = Iterable[bytes | str]
"""What the store says of each marked memory before it changes."""


def measure(folder: Path, count: int, marked: int) -> list[Result]:
    """Dismiss, pin and retag in each kind of store, taken back after each; the best of three."""
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
        own = _own(folder / f"bulk-{make.__name__}-plain.db", workspace.memories(ids))
        workspace.pin(ids[-1:])  # the backup of the day is not what is measured
        workspace.dismiss(ids[-1:])
        ids = ids[:marked]
        what = workspace.memories(ids)
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
                os.sync()  # what never came to the disk is removed for nothing
                plain, ours = timed(partial(_plain, own, what, field, change, twin)), timed(partial(act, ids))
                pairs.append((ours, plain))
                workspace.undo()
                own.execute("UPDATE t SET pinned = 0, status = 'confirmed', tags = '[\"a\"]' WHERE 1")
            ours, plain = min(ours for ours, _ in pairs), min(plain for _, plain in pairs)
            out.append(Result(f"{verb} {marked:,} of {count:,} {name}", ours, plain, AIM))
        workspace.close()
        own.close()
    return out


def _own(path: Path, memories: Iterable[Memory]) -> apsw.Connection:
    """The script's own copies, with a words index."""
    own = apsw.Connection(str(path))
    own.execute("PRAGMA journal_mode=wal")
    own.execute("PRAGMA synchronous=full")
    own.execute(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, content TEXT, tags TEXT, pinned, status);"
        "CREATE TABLE journal (id INTEGER PRIMARY KEY, memory INTEGER, field TEXT, before, after, old);"
        "CREATE VIRTUAL TABLE w USING fts5(content, tags, content='t', content_rowid='id', prefix='1 2 3');"
        "CREATE TRIGGER i AFTER INSERT ON t BEGIN "
        "INSERT INTO w (rowid, content, tags) VALUES (new.id, new.content, new.tags); END;"
        "CREATE TRIGGER u AFTER UPDATE OF tags ON t WHEN old.tags <> new.tags BEGIN "
        "INSERT INTO w (w, rowid, content, tags) VALUES ('delete', old.id, old.content, old.tags);"
        "INSERT INTO w (rowid, content, tags) VALUES (new.id, new.content, new.tags); END;"
    )
    with own:
        own.executemany(
            "INSERT INTO t (name, content, tags, pinned, status) VALUES (?, ?, '[\"a\"]', 0, 'confirmed')",
            ((memory.ref, memory.content) for memory in memories),
        )
    return own


Change = Callable[[Path, Marked, str], tuple[Old, Callable[[], None]]]
"""Reads what changes in a store, and gives the write."""


def _plain(own: apsw.Connection, marked: Marked, field: str, change: Change, store: Path) -> None:
    value = VALUES[field]
    old, write = change(store, marked, field)
    with own:
        own.executemany(
            "INSERT INTO journal (memory, field, before, after, old) "
            f"SELECT id, '{field}', {field}, ?, ? FROM t WHERE name = ?",
            ((value, was, memory.ref) for memory, was in zip(marked, old, strict=True)),
        )
        own.executemany(f"UPDATE t SET {field} = ? WHERE name = ?", [(value, each.ref) for each in marked])
    write()


def _nothing(marked: Marked) -> tuple[Old, Callable[[], None]]:
    """The store has no place for it: what is kept is the script's alone."""
    return [""] * len(marked), lambda: None


def _files(folder: Path, marked: Marked, field: str) -> tuple[Old, Callable[[], None]]:
    """Files and their lines go."""
    if field != DISMISSED:
        return _nothing(marked)
    index = folder / "MEMORY.md"
    lines = {line.split("](")[1].split(")")[0]: line for line in index.read_text("utf-8").splitlines(True)}
    old = [(folder / each.ref).read_bytes() + lines.pop(each.ref).encode() for each in marked]

    def write() -> None:
        for each in marked:
            (folder / each.ref).unlink()
        _replace(index, "".join(lines.values()))

    return old, write


def _observations(file: Path, marked: Marked, field: str) -> tuple[Old, Callable[[], None]]:
    """Observations leave their entities."""
    if field != DISMISSED:
        return _nothing(marked)
    entities = {each["name"]: each for each in map(json.loads, file.read_text("utf-8").splitlines())}
    old = []
    for each in marked:
        said = entities[each.subject]["observations"]
        old.append(json.dumps([each.subject, said.index(each.content), each.content]))
        said.remove(each.content)
    return old, lambda: _replace(file, "\n".join(map(json.dumps, entities.values())))


def _rows(database: Path, marked: Marked, field: str) -> tuple[Old, Callable[[], None]]:
    """Columns of rows are set."""
    if field == PINNED:
        return _nothing(marked)
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
    fresh = path.with_name("fresh")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
