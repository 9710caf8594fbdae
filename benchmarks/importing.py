"""A JSONL file of memories imported into memtui's own store, compared with plain inserts of the same rows.

Baseline: json.loads line by line, and one transaction that inserts all fields into a table with a word index
kept by triggers. memtui: the preview, which validates each field, looks for secrets and for what is there
already, and the import, with a journal of which one undo takes all back. Without a model.
"""

from __future__ import annotations

import json
from pathlib import Path

import apsw

from benchmarks.measure import NOW, Result, sentences, timed
from memtui.importing import sources
from memtui.memory.memory import Memory
from memtui.workspace.workspace import Workspace

TARGET = 10.0


def measure(folder: Path, count: int) -> list[Result]:
    """Import `count` memories, and import the same again, which adds nothing."""
    file = folder / "import.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for number, text in enumerate(sentences(count)):
            out.write(json.dumps(_memory(number, text).to_json()) + "\n")
    baseline = timed(lambda: _plain(file, folder / "import-plain.db"))
    workspace = Workspace.open(folder / "import.db")
    try:
        whole = timed(lambda: _import(workspace, file))
        again = timed(lambda: _import(workspace, file))
    finally:
        workspace.close()
    return [
        Result(f"import of {count:,} JSONL memories", whole, baseline, TARGET),
        Result(f"the same {count:,} again, nothing new", again, baseline, TARGET),
    ]


def _import(workspace: Workspace, file: Path) -> None:
    preview = workspace.import_preview(sources.read(file))
    workspace.import_memories([each for each in preview.items if each.is_taken(())])


def _memory(number: int, text: str) -> Memory:
    return Memory(
        uid="",
        store="",
        ref=str(number),
        content=f"{text} ({number})",
        subject=f"subject {number % 997}",
        category="fact",
        tags=("a", "b"),
        confidence=0.5,
        created_at=NOW - number,
    )


def _plain(file: Path, database: Path) -> None:
    connection = apsw.Connection(str(database))
    connection.execute("PRAGMA journal_mode=wal; PRAGMA synchronous=full")
    names = list(_memory(0, "").to_json())
    connection.execute(
        f"CREATE TABLE t (id INTEGER PRIMARY KEY, {', '.join(names)});"
        "CREATE VIRTUAL TABLE w USING fts5(content, tags, content='t', content_rowid='id', prefix='1 2 3');"
        "CREATE TRIGGER i AFTER INSERT ON t BEGIN "
        "INSERT INTO w (rowid, content, tags) VALUES (new.id, new.content, new.tags); END;"
    )
    places = ", ".join("?" for _ in names)
    with connection, file.open(encoding="utf-8") as lines:
        connection.executemany(
            f"INSERT INTO t ({', '.join(names)}) VALUES ({places})",
            (
                [json.dumps(value) if isinstance(value, list | dict) else value for value in row.values()]
                for row in map(json.loads, lines)
            ),
        )
    connection.close()
