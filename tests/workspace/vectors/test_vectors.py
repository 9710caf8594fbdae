"""The nearest vectors are the nearest, however they are looked for (S-30; LIMITS 9)."""

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
from tests.support.empty_workspace import empty
from tests.support.fake_models import clustered, put, stocked
from tests.support.sizes import rounds, share
from tests.support.stores import Agent

COUNT, DIM = rounds(8_000, 20_000), 384
ASKED = rounds(10, 50)  # questions


@pytest.fixture(scope="module")
def table() -> NDArray[np.float32]:
    return clustered(COUNT + ASKED, DIM)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory, table: NDArray[np.float32]) -> Iterator[Workspace]:
    workspace = stocked(tmp_path_factory.mktemp("large") / "w.db", table[:COUNT])
    yield workspace
    workspace.close()


def truth(table: NDArray[np.float32], asked: NDArray[np.float32], count: int, step: int = 1) -> list[int]:
    """The nearest of memories step, 2·step, …, by brute force."""
    ids = np.arange(step, len(table) + 1, step)
    cosines = table[step - 1 :: step] @ asked
    return [int(id) for id in ids[np.argsort(-cosines, kind="stable")][:count]]


def found(workspace: Workspace, asked: NDArray[np.float32], count: int, where: str = "1") -> list[int]:
    near = vector_store.nearest(
        workspace._ctx.db, workspace._ctx.meaning.bits, asked.tobytes(), count, where, ()
    )
    assert [cosine for _, cosine in near] == sorted((cosine for _, cosine in near), reverse=True)
    return [id for id, _ in near]


def test_a_small_set_is_measured_whole(tmp_path: Path, table: NDArray[np.float32]) -> None:
    workspace = stocked(tmp_path / "w.db", table[: vector_store.SMALL])
    for asked in table[COUNT:]:
        assert found(workspace, asked, 20) == truth(table[: vector_store.SMALL], asked, 20)
        assert found(workspace, asked, 20, "m.pinned") == truth(table[: vector_store.SMALL], asked, 20, 100)
    assert workspace._ctx.meaning.bits._ids is None
    workspace.close()


def test_over_many_the_bits_miss_next_to_nothing(large: Workspace, table: NDArray[np.float32]) -> None:
    hits = 0
    for asked in table[COUNT:]:
        right = truth(table[:COUNT], asked, 20)
        near = found(large, asked, 20)
        assert len(near) == 20
        hits += len(set(near) & set(right))
    assert hits / (20 * ASKED) >= 0.98


def test_a_filter_that_passes_few_is_exact(large: Workspace, table: NDArray[np.float32]) -> None:
    for asked in table[COUNT : COUNT + 10]:
        assert found(large, asked, 20, "m.pinned") == truth(table[:COUNT], asked, 20, 100)
        nearer = sorted((7, 8), key=lambda id: -float(table[id - 1] @ asked))
        assert found(large, asked, 20, "m.id IN (7, 8)") == nearer
        assert found(large, asked, 20, "m.id < 0") == []


def test_a_filter_that_passes_half_misses_next_to_nothing(
    large: Workspace, table: NDArray[np.float32]
) -> None:
    hits = sum(
        len(set(found(large, asked, 20, "m.id % 2 = 0")) & set(truth(table[:COUNT], asked, 20, 2)))
        for asked in table[COUNT:]
    )
    assert hits / (20 * ASKED) >= 0.98


@pytest.mark.parametrize("dim", share([1, 7, 8, 12, 63, 65, 100, 384], 4))
def test_any_dimension_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dim: int) -> None:
    monkeypatch.setattr(vector_store, "SMALL", 10)
    monkeypatch.setattr(vector_store, "REACH", (400,))  # so few bits tell little
    made = clustered(510, dim, clusters=20)
    workspace = stocked(tmp_path / "w.db", made[:500])
    assert workspace._ctx.db.one("SELECT max(length(bits)) FROM vector_bits") == -(-dim // 8)
    near = found(workspace, made[505], 5)
    if dim > 1:  # of one number there are but two vectors
        assert near == truth(made[:500], made[505], 5)
    assert len(near) == 5
    workspace.close()


def test_the_bits_are_those_of_sqlite_vec(large: Workspace) -> None:
    both = "FROM vectors JOIN vector_bits USING (memory_id)"
    assert large._ctx.db.one(f"SELECT count(*) {both} WHERE bits <> vec_quantize_binary(vector)") == 0


def test_an_empty_workspace_has_nothing_near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace.open(empty(tmp_path / "w.db"))
    (asked,) = clustered(1, 64)
    assert found(workspace, asked, 20) == []
    monkeypatch.setattr(vector_store, "SMALL", -1)
    assert found(workspace, asked, 20) == []
    assert vector_store.likeness(workspace._ctx.db, []) == []
    assert vector_store.likeness(workspace._ctx.db, [1, 2]) == [[0, 0], [0, 0]]
    workspace.close()


# -- what is held in memory catches up


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, NDArray[np.float32]]:
    path, made = tmp_path_factory.mktemp("clustered") / "w.db", clustered(400, 64)
    stocked(path, made[:300]).close()
    return path, made


@pytest.fixture
def clustered_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made_once: tuple[Path, NDArray[np.float32]]
) -> Iterator[tuple[Workspace, NDArray[np.float32]]]:
    """300 memories that are looked for by their bits, of 400 vectors."""
    monkeypatch.setattr(vector_store, "SMALL", 10)
    monkeypatch.setattr(vector_store, "REACH", (400,))
    path, made = made_once
    workspace = Workspace.open(Path(shutil.copy(path, tmp_path / "w.db")))
    yield workspace, made
    workspace.close()


def nearest_one(workspace: Workspace, asked: NDArray[np.float32]) -> int:
    return found(workspace, asked, 1)[0]


def test_what_another_process_embeds_edits_and_deletes_is_seen(
    clustered_workspace: tuple[Workspace, NDArray[np.float32]],
) -> None:
    workspace, made = clustered_workspace
    assert nearest_one(workspace, made[4]) == 5
    other = Workspace.open(workspace.path)
    with other._ctx.db.atomic():  # 5 says what 390 says, 6 what 5 said
        put(other._ctx.db, [5, 6], made[[389, 4]], turn=2)
    assert nearest_one(workspace, made[389]) == 5
    assert nearest_one(workspace, made[4]) == 6
    other._ctx.db.run("DELETE FROM memories WHERE id = 6")
    assert 6 not in found(workspace, made[4], 300)
    other._ctx.db.run("UPDATE memories SET content = 'Another.' WHERE id = 5")
    assert 5 not in found(workspace, made[389], 300)
    with other._ctx.db.atomic():
        put(other._ctx.db, [5], made[[388]], turn=3)
    assert nearest_one(workspace, made[388]) == 5
    other.close()


def test_new_memories_come_to_the_end_until_there_is_no_room(
    clustered_workspace: tuple[Workspace, NDArray[np.float32]], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, made = clustered_workspace
    monkeypatch.setattr(binary_index, "_SPARE", 20)
    db = workspace._ctx.db
    mine = BinaryIndex()
    assert mine.nearest(db, made[0].tobytes(), 1) == [1]
    for number in range(300, 400):  # the last first, as the queue is worked off
        id = 700 - number
        with db.atomic():
            db.run("INSERT INTO memories (id, uid, store_id, ref, seen_at) VALUES (?1, ?1, 1, ?1, 1)", (id,))
            put(db, [id, id // 2], made[[number, number - 200]], turn=number)
        assert mine.nearest(db, made[number].tobytes(), 1) == [id]
        assert mine.nearest(db, made[number - 200].tobytes(), 1) in ([id // 2], [number - 199])
    assert sorted(mine.nearest(db, made[0].tobytes(), 1000)) == list(range(1, 401))


def test_another_model_is_read_anew_and_an_older_copy_too(
    clustered_workspace: tuple[Workspace, NDArray[np.float32]],
) -> None:
    workspace, made = clustered_workspace
    db = workspace._ctx.db
    mine = BinaryIndex()
    assert len(mine.nearest(db, made[0].tobytes(), 1000)) == 300
    vector_store.begin(db, "other", 128)
    assert mine.nearest(db, made[0].tobytes(), 1000) == []
    with db.atomic():
        put(db, [3], clustered(1, 128), turn=9)
    assert mine.nearest(db, clustered(1, 128)[0].tobytes(), 1000) == [3]
    assert mine.nearest(db, made[0].tobytes(), 1000) == []  # a question to the old model
    with db.atomic():
        put(db, [4], clustered(1, 128), turn=2)
    assert sorted(mine.nearest(db, clustered(1, 128)[0].tobytes(), 1000)) == [3, 4]


# -- what is no vector


@pytest.mark.parametrize(
    "bad",
    [b"", b"abc", b"\0" * 256, b"\0" * 252, b"\0" * 260, np.full(64, np.nan, "<f4").tobytes(),
     np.full(64, np.inf, "<f4").tobytes(), "text"],
    ids=["empty", "odd", "zeros", "short", "long", "nan", "inf", "text"],
)  # fmt: skip
@pytest.mark.parametrize("small", [10, 2_000])
def test_a_vector_that_is_none_hides_no_other(
    clustered_workspace: tuple[Workspace, NDArray[np.float32]],
    monkeypatch: pytest.MonkeyPatch,
    bad: object,
    small: int,
) -> None:
    workspace, made = clustered_workspace
    monkeypatch.setattr(vector_store, "SMALL", small)
    db = workspace._ctx.db
    db.run("UPDATE vectors SET vector = ? WHERE memory_id = 5", (bad,))
    assert found(workspace, made[4], 300) == [id for id in truth(made[:300], made[4], 300) if id != 5]
    alike = np.array(vector_store.likeness(db, [1, 5, 2]))
    assert alike[1].tolist() == [0, 0, 0]
    assert alike[0][2] == pytest.approx(float(made[0] @ made[1]), abs=1e-5)


def test_a_question_may_lie_between_two() -> None:
    one, other = clustered(2, 64)
    between = np.frombuffer(vector_store.mixed(one.tobytes(), other.tobytes(), 0.25), "<f4")
    assert np.allclose(between, 0.75 * one + 0.25 * other)


def test_the_stand_in_gives_unit_vectors_and_always_the_same() -> None:
    mind = HashEmbedder(100)
    texts = ["", "coffee", "the Coffee machine", "x" * 100_000]
    made = mind.embed(texts)
    assert all(vector_store.sound(vector, 100) for vector in made)
    assert [mind.embed([text])[0] for text in texts] == made
    coffee, machine = np.frombuffer(made[1], "<f4"), np.frombuffer(made[2], "<f4")
    assert float(coffee @ machine) > 0.3


def test_a_locked_workspace_is_read_all_the_same(
    clustered_workspace: tuple[Workspace, NDArray[np.float32]],
) -> None:
    workspace, made = clustered_workspace
    with Agent(workspace.path) as other:
        other.do("BEGIN IMMEDIATE")
        other.do("DELETE FROM vectors")
        assert nearest_one(workspace, made[4]) == 5
        other.do("ROLLBACK")
