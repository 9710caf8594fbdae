"""A fake embedding model that records, delays or fails its calls, and workspaces with given vectors."""

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
    """A hashing model that records the texts it embeds; `before` runs first and may raise."""

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


def open_with_model(path: Path, model: HashEmbedder | None = None, **options: Any) -> Workspace:
    """Open the workspace with a loaded model."""
    model = model or FakeModel()
    workspace = Workspace.open(path, opener=lambda: model, **options)
    assert workspace.load_model()
    return workspace


def stored_vectors(workspace: Workspace) -> dict[int, bytes]:
    """Return the stored vectors by memory id."""
    return dict(workspace._ctx.db.rows("SELECT memory_id, vector FROM vectors"))


def queued_ids(workspace: Workspace) -> set[int]:
    """Return the ids of the memories that wait for a vector."""
    return {id for (id,) in workspace._ctx.db.rows("SELECT memory_id FROM embedding_queue")}


def assert_vectors_current(workspace: Workspace, model: HashEmbedder | None = None) -> None:
    """Assert that each memory with a text has a vector and its bits or waits for one, and that no other does.

    With `model`, the vectors must also be those of the current texts.
    """
    from memtui.workspace.vectors.queue import TEXT

    db = workspace._ctx.db
    texts: dict[int, bytes] = dict(db.rows(f"SELECT m.id, {TEXT} FROM memories m WHERE m.content <> ''"))
    stored, waiting = stored_vectors(workspace), queued_ids(workspace)
    assert stored.keys() | waiting == texts.keys()
    assert stored.keys() & waiting == set()
    bits: dict[int, bytes] = dict(db.rows("SELECT memory_id, bits FROM vector_bits"))
    assert bits == {id: packed(vector) for id, vector in stored.items()}
    if model is not None and stored:
        embedded = HashEmbedder.embed(model, [texts[id].decode() for id in stored])
        assert dict(zip(stored, embedded, strict=True)) == stored


def clustered_vectors(count: int, dim: int, seed: int = 1, clusters: int = 200) -> NDArray[np.float32]:
    """Return unit vectors in clusters, as those of texts are."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(clusters, dim))
    points = centres[rng.integers(clusters, size=count)] + 0.6 * rng.normal(size=(count, dim))
    unit: NDArray[np.float32] = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype("<f4")
    return unit


def create_vector_workspace(path: Path, vectors: NDArray[np.float32]) -> Workspace:
    """Create a workspace whose memories 1, 2, … have these vectors; every hundredth is pinned."""
    workspace = Workspace.open(path)
    db = workspace._ctx.db
    count, dim = vectors.shape
    with db.atomic():
        db.run(
            "INSERT INTO memories (uid, store_id, ref, content, seen_at, pinned) "
            "SELECT 'u' || value, 1, 'r' || value, 'text ' || value, 1, value % 100 = 0 FROM json_each(?)",
            (json.dumps(list(range(1, count + 1))),),
        )
        db.run("INSERT INTO embedding_model (id, name, dim, generation) VALUES (1, 'own', ?, 1)", (dim,))
        put_vectors(db, range(1, count + 1), vectors)
    return workspace


def put_vectors(db: Database, ids: Sequence[int], vectors: NDArray[np.float32], generation: int = 1) -> None:
    """Store the vectors of memories as one batch of an embedding generation."""
    rows = [(id, vector.tobytes()) for id, vector in zip(ids, vectors, strict=True)]
    db.run_many("INSERT OR REPLACE INTO vectors (memory_id, vector) VALUES (?, ?)", rows)
    db.run_many(
        "INSERT OR REPLACE INTO vector_bits (memory_id, generation, bits) VALUES (?, ?, ?)",
        [(id, generation, packed(vector)) for id, vector in rows],
    )
    db.run(
        "DELETE FROM embedding_queue WHERE memory_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    db.run("UPDATE embedding_model SET generation = ?", (generation,))
