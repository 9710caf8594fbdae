"""Attaching stores, compared with reading the same bytes and inserting the same texts into a plain table.

memtui: recognise, read, hash, assign uids, mirror all fields, word index, journal. Baseline: read the source
with apsw, json or open, and one executemany into a table with an FTS5 index kept by triggers, in one
transaction.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import apsw

from benchmarks.measure import NOW, Result, sentences, timed
from memtui.workspace.workspace import Workspace

Rows = Iterable[tuple[str, str]]


def founder_os(folder: Path, count: int) -> tuple[Path, Callable[[], Rows]]:
    """Make a database of `count` rows; return it with a function that reads its texts directly."""
    path = folder / "founder" / "memory.db"
    path.parent.mkdir(parents=True)
    connection = apsw.Connection(str(path))
    connection.execute(
        "CREATE TABLE memories (id TEXT PRIMARY KEY, key TEXT UNIQUE NOT NULL, category TEXT NOT NULL, "
        "content TEXT NOT NULL, source_plugin TEXT, company_id TEXT, tags TEXT, embedding TEXT, "
        "confidence INTEGER, status TEXT, times_used INTEGER, times_confirmed INTEGER, created_at INTEGER, "
        "updated_at INTEGER, last_used_at INTEGER)"
    )
    with connection:
        connection.executemany(
            "INSERT INTO memories (id, key, category, content, source_plugin, tags, confidence, status, "
            "times_used, times_confirmed, created_at, updated_at) "
            "VALUES (?, ?, 'fact', ?, 'P11', '[\"a\"]', 60, 'confirmed', 1, 1, ?, ?)",
            (
                (
                    hashlib.md5(str(n).encode(), usedforsecurity=False).hexdigest(),
                    f"key-{n}",
                    text,
                    int(NOW),
                    int(NOW),
                )
                for n, text in enumerate(sentences(count, 1))
            ),
        )
    connection.close()

    def rows() -> Rows:
        connection = apsw.Connection(str(path))
        yield from connection.execute("SELECT key, content FROM memories")
        connection.close()

    return path, rows


def mcp(folder: Path, count: int) -> tuple[Path, Callable[[], Rows]]:
    """Make a JSONL graph with `count` observations, ten for each entity."""
    path = folder / "mcp" / "memory.jsonl"
    path.parent.mkdir(parents=True)
    texts = sentences(count, 2)
    lines = [
        {"type": "entity", "name": f"Entity {n}", "entityType": "thing", "observations": texts[n : n + 10]}
        for n in range(0, count, 10)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")

    def rows() -> Rows:
        for line in path.read_text("utf-8").splitlines():
            entity = json.loads(line)
            yield from ((entity["name"], text) for text in entity["observations"])

    return path, rows


def claude_code(folder: Path, count: int) -> tuple[Path, Callable[[], Rows]]:
    """Make a folder of `count` memory files with their index."""
    path = folder / "claude" / "memory"
    path.mkdir(parents=True)
    index = []
    for n, text in enumerate(sentences(count, 3)):
        head = f"---\nname: note {n}\ndescription: note {n}\ntype: project\n---\n\n"
        (path / f"project_{n}.md").write_text(head + text + "\n", "utf-8")
        index.append(f"- [note {n}](project_{n}.md) — note {n}\n")
    (path / "MEMORY.md").write_text("".join(index), "utf-8")

    def rows() -> Rows:
        return ((file.name, file.read_text("utf-8")) for file in path.glob("*.md"))

    return path, rows


def _baseline(folder: Path, rows: Callable[[], Rows]) -> None:
    connection = apsw.Connection(str(folder))
    connection.execute("PRAGMA journal_mode=wal")
    connection.execute("PRAGMA synchronous=full")
    for statement in (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, content TEXT)",
        "CREATE VIRTUAL TABLE w USING fts5(name, content, content='t', content_rowid='id', prefix='1 2 3')",
        "CREATE TRIGGER i AFTER INSERT ON t BEGIN "
        "INSERT INTO w (rowid, name, content) VALUES (new.id, new.name, new.content); END",
    ):
        connection.execute(statement)
    with connection:
        connection.executemany("INSERT INTO t (name, content) VALUES (?, ?)", rows())
    connection.close()


def measure(folder: Path, sizes: tuple[int, int, int]) -> list[Result]:
    """Attach a store of each kind to an empty workspace, and pull when nothing has changed."""
    out = []
    makers = (
        ("Founder OS", founder_os, sizes[0]),
        ("MCP memory", mcp, sizes[1]),
        ("Claude Code", claude_code, sizes[2]),
    )
    for name, make, count in makers:
        path, rows = make(folder, count)
        time.sleep(0.1)  # a file that was just written is read again by the next pull
        workspace = Workspace.open(folder / f"{make.__name__}.db")
        memtui = timed(lambda workspace=workspace, path=path: workspace.attach(path))
        baseline = timed(lambda rows=rows, make=make: _baseline(folder / f"{make.__name__}-plain.db", rows))
        out.append(
            Result(f"attach {name}, {count:,}", memtui, baseline, rate=f"({count / memtui:,.0f} a second)")
        )
        pull = timed(workspace.pull)
        reading = timed(lambda rows=rows: sum(1 for _ in rows()))
        out.append(Result(f"look again at {name}, {count:,}, vs reading it", pull, reading))
        workspace.close()
    return out
