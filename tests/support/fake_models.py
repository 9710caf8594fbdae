"""Models for tests: words as hashes, watched, slowed or broken; and workspaces with vectors of our own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memtui.embedding.hashed import HashEmbedder
from memtui.workspace.db.database import Database
from memtui.workspace.vectors.binary_index import packed
from memtui.workspace.workspace import Workspace


class FakeModel(HashEmbedder):
    """Remembers what it was asked; `before` runs first, and may raise."""

    def __init__(
        self, dim: int = 64, name: str = "hashes", before: Callable[[Sequence[str]], Any] | None = None
    ) -> None:
        super().__init__(dim, name)
        self.texts: list[str] = []
        self.before = before

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        if self.before is not None:
            self.before(texts)
        self.texts += texts
        return super().embed(texts)


def minded(path: Path, mind: HashEmbedder | None = None, **more: Any) -> Workspace:
    """The workspace with a model that stands ready."""
    mind = mind or FakeModel()
    workspace = Workspace.open(path, opener=lambda: mind, **more)
    assert workspace.load_model()
    return workspace


def said(workspace: Workspace) -> dict[int, bytes]:
    """The vectors by memory."""
    return dict(workspace._ctx.db.rows("SELECT memory_id, vector FROM vectors"))


def queued(workspace: Workspace) -> set[int]:
    """What waits for a vector."""
    return {id for (id,) in workspace._ctx.db.rows("SELECT memory_id FROM embedding_queue")}


def in_step(workspace: Workspace, mind: HashEmbedder | None = None) -> None:
    """Each memory with a text has the vector of what it says now, with its bits, or waits for it; no
    other has one."""
    from memtui.workspace.vectors.queue import TEXT

    db = workspace._ctx.db
    texts = dict(db.rows(f"SELECT m.id, {TEXT} FROM memories m WHERE m.content <> ''"))
    have, waiting = said(workspace), queued(workspace)
    assert have.keys() | waiting == texts.keys()
    assert have.keys() & waiting == set()
    bits = dict(db.rows("SELECT memory_id, bits FROM vector_bits"))
    assert bits == {id: packed(vector) for id, vector in have.items()}
    if mind is not None and have:
        made = HashEmbedder.embed(mind, [texts[id].decode() for id in have])
        assert dict(zip(have, made, strict=True)) == have


def clustered(count: int, dim: int, seed: int = 1, clusters: int = 200) -> NDArray[np.float32]:
    """Unit vectors that lie in clumps, as those of texts do."""
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(clusters, dim))
    points = centres[chance.integers(clusters, size=count)] + 0.6 * chance.normal(size=(count, dim))
    unit: NDArray[np.float32] = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype("<f4")
    return unit


def stocked(path: Path, table: NDArray[np.float32]) -> Workspace:
    """A workspace of memories 1, 2, … with these vectors; every hundredth is pinned."""
    workspace = Workspace.open(path)
    db = workspace._ctx.db
    count, dim = table.shape
    with db.atomic():
        db.run(
            "INSERT INTO memories (uid, store_id, ref, content, seen_at, pinned) "
            "SELECT 'u' || value, 1, 'r' || value, 'text ' || value, 1, value % 100 = 0 FROM json_each(?)",
            (json.dumps(list(range(1, count + 1))),),
        )
        db.run("INSERT INTO embedding_model (id, name, dim, generation) VALUES (1, 'own', ?, 1)", (dim,))
        put(db, range(1, count + 1), table)
    return workspace


def put(db: Database, ids: Sequence[int], table: NDArray[np.float32], turn: int = 1) -> None:
    """Vectors for memories, as one batch."""
    rows = [(id, line.tobytes()) for id, line in zip(ids, table, strict=True)]
    db.run_many("INSERT OR REPLACE INTO vectors (memory_id, vector) VALUES (?, ?)", rows)
    db.run_many(
        "INSERT OR REPLACE INTO vector_bits (memory_id, generation, bits) VALUES (?, ?, ?)",
        [(id, turn, packed(vector)) for id, vector in rows],
    )
    db.run(
        "DELETE FROM embedding_queue WHERE memory_id IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),)
    )
    db.run("UPDATE embedding_model SET generation = ?", (turn,))
