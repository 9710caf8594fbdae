"""One key on hundreds of marked memories, beside a plain script that does the same to a copy of the store.

Ours: plan, prove that nothing else moves, journal with what undo needs, write, mirror, words index. Plain:
the texts that change go into a table of the script's own and its indexed copies are updated, in one
transaction with a full sync; then the store is changed in one go, synced as well, and nothing is checked.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import apsw

from benchmarks.attach import claude_code, founder_os, mcp
from benchmarks.measure import Result, timed
from memtui.workspace.workspace import Workspace

ROUNDS = 3
AIM = 5.0
PINNED, TAGGED, DISMISSED = "pinned", "tags", "status"
Marked = Sequence[tuple[str, str]]
"""What is marked: what the store calls each, and its text."""


def measure(folder: Path, count: int, marked: int) -> list[Result]:
    """Dismiss, pin and retag in each kind of store, taken back after each; the best of three."""
    out = []
    for name, make, change in (
        ("Claude Code files", claude_code, _files),
        ("MCP memory observations", mcp, _lines),
        ("Founder OS rows", founder_os, _rows),
    ):
        path, texts = make(folder / "bulk", count)
        twin = folder / "bulk-twin" / make.__name__ / path.name
        copy = shutil.copytree if path.is_dir() else shutil.copy
        twin.parent.mkdir(parents=True)
        own = _own(folder / f"bulk-{make.__name__}-plain.db", list(texts()))
        workspace = Workspace.open(folder / f"bulk-{make.__name__}.db")
        workspace.attach(path)
        ids = list(workspace.search("").ids)
        workspace.pin(ids[-1:])  # the backup of the day is not what is measured
        workspace.dismiss(ids[-1:])
        ids = ids[:marked]
        what = [(memory.ref, memory.content) for memory in workspace.memories(ids)]
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
                script = partial(_plain, own, what, field, partial(change, twin))
                plain, ours = timed(script), timed(partial(act, ids))
                pairs.append((ours, plain))
                workspace.undo()
            ours, plain = min(ours for ours, _ in pairs), min(plain for _, plain in pairs)
            out.append(Result(f"{verb} {marked:,} of {count:,} {name}", ours, plain, AIM))
        workspace.close()
        own.close()
    return out


def _own(path: Path, texts: Marked) -> apsw.Connection:
    """The script's own copies, with a words index."""
    own = apsw.Connection(str(path))
    own.execute("PRAGMA journal_mode=wal")
    own.execute("PRAGMA synchronous=full")
    own.execute(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, content TEXT, tags TEXT, pinned, status);"
        "CREATE INDEX of_content ON t (content);"
        "CREATE TABLE journal (id INTEGER PRIMARY KEY, name TEXT, field TEXT, before TEXT, after TEXT);"
        "CREATE VIRTUAL TABLE w USING fts5(content, tags, content='t', content_rowid='id', prefix='1 2 3');"
        "CREATE TRIGGER i AFTER INSERT ON t BEGIN "
        "INSERT INTO w (rowid, content, tags) VALUES (new.id, new.content, new.tags); END;"
        "CREATE TRIGGER u AFTER UPDATE OF tags ON t BEGIN "
        "INSERT INTO w (w, rowid, content, tags) VALUES ('delete', old.id, old.content, old.tags);"
        "INSERT INTO w (rowid, content, tags) VALUES (new.id, new.content, new.tags); END;"
    )
    with own:
        own.executemany("INSERT INTO t (name, content) VALUES (?, ?)", texts)
    return own


def _plain(own: apsw.Connection, what: Marked, field: str, change: Callable[[Marked, str], None]) -> None:
    with own:
        own.executemany(
            f"INSERT INTO journal (name, field, before, after) VALUES (?, '{field}', ?, 'marked')", what
        )
        own.executemany(f"UPDATE t SET {field} = 'marked' WHERE content = ?", [(text,) for _, text in what])
    change(what, field)


def _files(twin: Path, what: Marked, field: str) -> None:
    """Remove the files and their lines; pins and tags have no place there."""
    if field != DISMISSED:
        return
    gone = {name for name, _ in what}
    lines = (twin / "MEMORY.md").read_text("utf-8").splitlines(keepends=True)
    for name in gone:
        (twin / name).unlink()
    _replace(
        twin / "MEMORY.md", "".join(each for each in lines if each.split("](")[1].split(")")[0] not in gone)
    )


def _lines(twin: Path, what: Marked, field: str) -> None:
    """Take the observations out of their entities; pins and tags have no place there."""
    if field != DISMISSED:
        return
    gone = {text for _, text in what}
    entities = [json.loads(line) for line in twin.read_text("utf-8").splitlines()]
    for entity in entities:
        entity["observations"] = [text for text in entity["observations"] if text not in gone]
    _replace(twin, "\n".join(map(json.dumps, entities)))


def _rows(twin: Path, what: Marked, field: str) -> None:
    """Set the status or the tags; a pin has no place there."""
    if field == PINNED:
        return
    value = "status = 'dismissed'" if field == DISMISSED else 'tags = \'["a", "marked"]\''
    connection = apsw.Connection(str(twin))
    with connection:
        connection.executemany(
            f"UPDATE memories SET {value}, updated_at = 1 WHERE id = ?", [(ref,) for ref, _ in what]
        )
    connection.close()


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
