"""A JSONL file of memories imported into memtui's own store, compared with plain inserts of the same rows.

Baseline: json.loads line by line, and one transaction that inserts all fields into a table with a word index
kept by triggers. memtui: the preview, which validates each field, looks for secrets and for what is there
already, and the import, with a journal of which one undo takes all back: without a model, and
with one that has the vectors at hand, which are indexed, too; its baseline inserts the same vectors.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import apsw
import numpy as np

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
    with_vectors = timed(lambda: _plain(file, folder / "import-plain-vectors.db", _GivenVectors()))
    workspace = Workspace.open(folder / "import-vectors.db", opener=_GivenVectors)
    try:
        indexed = timed(lambda: _import_and_embed(workspace, file))
    finally:
        workspace.close()
    return [
        _result(f"import of {count:,} JSONL memories", count, whole, baseline),
        _result(f"the same {count:,} again, nothing new", count, again, baseline),
        _result(f"import of {count:,} JSONL memories whose vectors are given", count, indexed, with_vectors),
    ]


def _result(name: str, count: int, memtui: float, plain: float) -> Result:
    return Result(name, memtui, plain, TARGET, f"({count / memtui:,.0f} and {count / plain:,.0f} a second)")


class _GivenVectors:
    """A model that only looks vectors up."""

    name, dim, tokens_per_word = "given", 384, 1.0

    def __init__(self) -> None:
        random = np.random.default_rng(5)
        vectors = random.standard_normal((1_000, self.dim), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        self._vectors = [row.tobytes() for row in vectors]

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [self._vectors[len(text) * 31 % 1_000] for text in texts]


def _import_and_embed(workspace: Workspace, file: Path) -> None:
    _import(workspace, file)
    workspace.load_model()
    workspace.embed()


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


def _plain(file: Path, database: Path, model: _GivenVectors | None = None) -> None:
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
    if model is not None:
        connection.execute("CREATE TABLE v (id INTEGER PRIMARY KEY, vector BLOB)")
        with connection:
            contents = connection.execute("SELECT id, content FROM t").fetchall()
            rows = ((id, model.embed([text])[0]) for id, text in contents)
            connection.executemany("INSERT INTO v VALUES (?, ?)", rows)
    connection.close()
