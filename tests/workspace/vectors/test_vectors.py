"""Nearest-vector search, exact and with the binary index (S-30; LIMITS 9)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memtui.embedding.hashed import HashEmbedder
from memtui.workspace.vectors import binary_index, vector_store
from memtui.workspace.vectors.binary_index import BinaryIndex
from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import create_empty
from tests.support.fake_models import clustered_vectors, create_vector_workspace, put_vectors
from tests.support.sizes import rounds, sample_cases
from tests.support.stores import Agent

COUNT, DIM = rounds(8_000, 20_000), 384
QUERIES = rounds(10, 50)


@pytest.fixture(scope="module")
def vectors() -> NDArray[np.float32]:
    return clustered_vectors(COUNT + QUERIES, DIM)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory, vectors: NDArray[np.float32]) -> Iterator[Workspace]:
    workspace = create_vector_workspace(tmp_path_factory.mktemp("large") / "w.db", vectors[:COUNT])
    yield workspace
    workspace.close()


def exact_nearest(
    vectors: NDArray[np.float32], query: NDArray[np.float32], count: int, step: int = 1
) -> list[int]:
    """Return the nearest of memories step, 2·step, … by brute force."""
    ids = np.arange(step, len(vectors) + 1, step)
    cosines = vectors[step - 1 :: step] @ query
    return [int(id) for id in ids[np.argsort(-cosines, kind="stable")][:count]]


def nearest_ids(workspace: Workspace, query: NDArray[np.float32], count: int, where: str = "1") -> list[int]:
    near = vector_store.nearest(
        workspace._ctx.db, workspace._ctx.model.bits, query.tobytes(), count, where, ()
    )
    assert [cosine for _, cosine in near] == sorted((cosine for _, cosine in near), reverse=True)
    return [id for id, _ in near]


def test_a_small_set_is_compared_exactly(tmp_path: Path, vectors: NDArray[np.float32]) -> None:
    workspace = create_vector_workspace(tmp_path / "w.db", vectors[: vector_store.MAX_EXHAUSTIVE])
    for query in vectors[COUNT:]:
        assert nearest_ids(workspace, query, 20) == exact_nearest(
            vectors[: vector_store.MAX_EXHAUSTIVE], query, 20
        )
        assert nearest_ids(workspace, query, 20, "m.pinned") == exact_nearest(
            vectors[: vector_store.MAX_EXHAUSTIVE], query, 20, 100
        )
    assert workspace._ctx.model.bits._ids is None
    workspace.close()


def test_the_binary_index_has_a_high_recall(large: Workspace, vectors: NDArray[np.float32]) -> None:
    hits = 0
    for query in vectors[COUNT:]:
        expected = exact_nearest(vectors[:COUNT], query, 20)
        near = nearest_ids(large, query, 20)
        assert len(near) == 20
        hits += len(set(near) & set(expected))
    assert hits / (20 * QUERIES) >= 0.98


def test_a_narrow_filter_is_exact(large: Workspace, vectors: NDArray[np.float32]) -> None:
    for query in vectors[COUNT : COUNT + 10]:
        assert nearest_ids(large, query, 20, "m.pinned") == exact_nearest(vectors[:COUNT], query, 20, 100)
        nearer = sorted((7, 8), key=lambda id: -float(vectors[id - 1] @ query))
        assert nearest_ids(large, query, 20, "m.id IN (7, 8)") == nearer
        assert nearest_ids(large, query, 20, "m.id < 0") == []


def test_a_wide_filter_has_a_high_recall(large: Workspace, vectors: NDArray[np.float32]) -> None:
    hits = sum(
        len(
            set(nearest_ids(large, query, 20, "m.id % 2 = 0"))
            & set(exact_nearest(vectors[:COUNT], query, 20, 2))
        )
        for query in vectors[COUNT:]
    )
    assert hits / (20 * QUERIES) >= 0.98


@pytest.mark.parametrize("dim", sample_cases([1, 7, 8, 12, 63, 65, 100, 384], 4))
def test_any_dimension_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dim: int) -> None:
    monkeypatch.setattr(vector_store, "MAX_EXHAUSTIVE", 10)
    monkeypatch.setattr(vector_store, "CANDIDATE_COUNTS", (400,))  # short bit vectors are inaccurate
    vectors = clustered_vectors(510, dim, clusters=20)
    workspace = create_vector_workspace(tmp_path / "w.db", vectors[:500])
    assert workspace._ctx.db.one("SELECT max(length(bits)) FROM vector_bits") == -(-dim // 8)
    near = nearest_ids(workspace, vectors[505], 5)
    if dim > 1:  # in one dimension there are only two unit vectors
        assert near == exact_nearest(vectors[:500], vectors[505], 5)
    assert len(near) == 5
    workspace.close()


def test_the_bits_are_those_of_sqlite_vec(large: Workspace) -> None:
    both = "FROM vectors JOIN vector_bits USING (memory_id)"
    assert large._ctx.db.one(f"SELECT count(*) {both} WHERE bits <> vec_quantize_binary(vector)") == 0


def test_an_empty_workspace_has_no_nearest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"))
    (query,) = clustered_vectors(1, 64)
    assert nearest_ids(workspace, query, 20) == []
    monkeypatch.setattr(vector_store, "MAX_EXHAUSTIVE", -1)
    assert nearest_ids(workspace, query, 20) == []
    assert vector_store.similarities(workspace._ctx.db, []) == []
    assert vector_store.similarities(workspace._ctx.db, [1, 2]) == [[0, 0], [0, 0]]
    workspace.close()


# -- updates of the index in memory


@pytest.fixture(scope="module")
def clustered_template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, NDArray[np.float32]]:
    path, vectors = tmp_path_factory.mktemp("clustered") / "w.db", clustered_vectors(400, 64)
    create_vector_workspace(path, vectors[:300]).close()
    return path, vectors


@pytest.fixture
def clustered_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clustered_template: tuple[Path, NDArray[np.float32]]
) -> Iterator[tuple[Workspace, NDArray[np.float32]]]:
    """A workspace of 300 memories that uses the binary index, and 400 vectors, which begin with theirs."""
    monkeypatch.setattr(vector_store, "MAX_EXHAUSTIVE", 10)
    monkeypatch.setattr(vector_store, "CANDIDATE_COUNTS", (400,))
    path, vectors = clustered_template
    workspace = Workspace.open(Path(shutil.copy(path, tmp_path / "w.db")))
    yield workspace, vectors
    workspace.close()


def nearest_one(workspace: Workspace, query: NDArray[np.float32]) -> int:
    return nearest_ids(workspace, query, 1)[0]


def test_changes_of_another_process_are_seen(
    clustered_workspace: tuple[Workspace, NDArray[np.float32]],
) -> None:
    workspace, vectors = clustered_workspace
    assert nearest_one(workspace, vectors[4]) == 5
    other = Workspace.open(workspace.path)
    with other._ctx.db.atomic():  # 5 gets the vector of 390, 6 the former one of 5
        put_vectors(other._ctx.db, [5, 6], vectors[[389, 4]], generation=2)
    assert nearest_one(workspace, vectors[389]) == 5
    assert nearest_one(workspace, vectors[4]) == 6
    other._ctx.db.run("DELETE FROM memories WHERE id = 6")
    assert 6 not in nearest_ids(workspace, vectors[4], 300)
    other._ctx.db.run("UPDATE memories SET content = 'Another.' WHERE id = 5")
    assert 5 not in nearest_ids(workspace, vectors[389], 300)
    with other._ctx.db.atomic():
        put_vectors(other._ctx.db, [5], vectors[[388]], generation=3)
    assert nearest_one(workspace, vectors[388]) == 5
    other.close()


def test_new_memories_are_appended_until_the_index_is_rebuilt(
    clustered_workspace: tuple[Workspace, NDArray[np.float32]], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, vectors = clustered_workspace
    monkeypatch.setattr(binary_index, "_SPARE", 20)
    db = workspace._ctx.db
    index = BinaryIndex()
    assert index.nearest(db, vectors[0].tobytes(), 1) == [1]
    for number in range(300, 400):  # in descending order, as the queue is processed
        id = 700 - number
        with db.atomic():
            db.run("INSERT INTO memories (id, uid, store_id, ref, seen_at) VALUES (?1, ?1, 1, ?1, 1)", (id,))
            put_vectors(db, [id, id // 2], vectors[[number, number - 200]], generation=number)
        assert index.nearest(db, vectors[number].tobytes(), 1) == [id]
        assert index.nearest(db, vectors[number - 200].tobytes(), 1) in ([id // 2], [number - 199])
    assert sorted(index.nearest(db, vectors[0].tobytes(), 1000)) == list(range(1, 401))


def test_the_index_is_rebuilt_for_another_model_or_an_older_generation(
    clustered_workspace: tuple[Workspace, NDArray[np.float32]],
) -> None:
    workspace, vectors = clustered_workspace
    db = workspace._ctx.db
    index = BinaryIndex()
    assert len(index.nearest(db, vectors[0].tobytes(), 1000)) == 300
    vector_store.begin(db, "other", 128)
    assert index.nearest(db, vectors[0].tobytes(), 1000) == []
    with db.atomic():
        put_vectors(db, [3], clustered_vectors(1, 128), generation=9)
    assert index.nearest(db, clustered_vectors(1, 128)[0].tobytes(), 1000) == [3]
    assert index.nearest(db, vectors[0].tobytes(), 1000) == []  # a query vector of the old model
    with db.atomic():
        put_vectors(db, [4], clustered_vectors(1, 128), generation=2)
    assert sorted(index.nearest(db, clustered_vectors(1, 128)[0].tobytes(), 1000)) == [3, 4]


# -- invalid vectors


@pytest.mark.parametrize(
    "bad",
    [b"", b"abc", b"\0" * 256, b"\0" * 252, b"\0" * 260, np.full(64, np.nan, "<f4").tobytes(),
     np.full(64, np.inf, "<f4").tobytes(), "text"],
    ids=["empty", "odd", "zeros", "short", "long", "nan", "inf", "text"],
)  # fmt: skip
@pytest.mark.parametrize("small", [10, 2_000])
def test_an_invalid_vector_is_skipped(
    clustered_workspace: tuple[Workspace, NDArray[np.float32]],
    monkeypatch: pytest.MonkeyPatch,
    bad: object,
    small: int,
) -> None:
    workspace, vectors = clustered_workspace
    monkeypatch.setattr(vector_store, "MAX_EXHAUSTIVE", small)
    db = workspace._ctx.db
    db.run("UPDATE vectors SET vector = ? WHERE memory_id = 5", (bad,))
    assert nearest_ids(workspace, vectors[4], 300) == [
        id for id in exact_nearest(vectors[:300], vectors[4], 300) if id != 5
    ]
    similarities = np.array(vector_store.similarities(db, [1, 5, 2]))
    assert similarities[1].tolist() == [0, 0, 0]
    assert similarities[0][2] == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-5)


def test_interpolation_between_two_vectors() -> None:
    one, other = clustered_vectors(2, 64)
    between = np.frombuffer(vector_store.interpolated(one.tobytes(), other.tobytes(), 0.25), "<f4")
    assert np.allclose(between, 0.75 * one + 0.25 * other)


def test_the_hashing_model_returns_the_same_unit_vectors_each_time() -> None:
    model = HashEmbedder(100)
    texts = ["", "coffee", "the Coffee machine", "x" * 100_000]
    vectors = model.embed(texts)
    assert all(vector_store.is_valid(vector, 100) for vector in vectors)
    assert [model.embed([text])[0] for text in texts] == vectors
    coffee, machine = np.frombuffer(vectors[1], "<f4"), np.frombuffer(vectors[2], "<f4")
    assert float(coffee @ machine) > 0.3


def test_a_locked_workspace_can_be_searched(
    clustered_workspace: tuple[Workspace, NDArray[np.float32]],
) -> None:
    workspace, vectors = clustered_workspace
    with Agent(workspace.path) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM vectors")
        assert nearest_one(workspace, vectors[4]) == 5
        other.execute("ROLLBACK")
