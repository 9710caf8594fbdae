"""Vectors follow the texts of memories, and embedding blocks nobody (S-35, S-93)."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from memtui.embedding.factory import ModelLoader, opener
from memtui.embedding.hashed import HashEmbedder
from memtui.workspace.background import JobControl
from memtui.workspace.vectors import queue, wording
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    STORES,
    DemoWorkspace,
    agent_executes,
    agent_replaces,
    find_id,
    memory,
)
from tests.support.fake_models import (
    FakeModel,
    assert_vectors_current,
    open_with_model,
    queued_ids,
    stored_vectors,
)
from tests.support.older_workspace import create_workspace


@pytest.fixture
def model() -> FakeModel:
    return FakeModel()


@pytest.fixture
def workspace(demo_workspace: DemoWorkspace, model: FakeModel) -> Iterator[Workspace]:
    """The demo workspace with a vector for every memory."""
    workspace = open_with_model(demo_workspace.path, model, clock=demo_workspace.clock)
    workspace.embed()
    assert not queued_ids(workspace)
    model.texts.clear()
    yield workspace
    assert_vectors_current(workspace, model)
    workspace.embed()
    assert not queued_ids(workspace)
    assert_vectors_current(workspace, model)
    workspace.close()


# -- texts that change


def test_new_memories_are_queued_newest_first(workspace: Workspace, model: FakeModel) -> None:
    first = workspace.add({"content": "A first zebra."}).ids[0]
    last = workspace.add({"content": "A second zebra.", "title": "Stripes"}).ids[0]
    assert queued_ids(workspace) == {first, last}
    state = workspace.embedding_state()
    assert (state.phase, state.pending, state.embedded) == ("ready", 2, len(stored_vectors(workspace)))
    assert workspace.embed() == 2
    assert sorted(model.texts) == ["A first zebra.", "Stripes. A second zebra."]
    assert workspace.embed() == 0
    sql = workspace._ctx.db.rows("EXPLAIN QUERY PLAN " + queue._TAKE, (0, 1))
    assert "unembedded_due" in str(sql)
    assert "TEMP B-TREE" not in str(sql)


@pytest.mark.parametrize("store", STORES)
def test_an_edited_text_has_no_vector_until_it_is_embedded(
    workspace: Workspace, model: FakeModel, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    before = stored_vectors(workspace)[id]
    workspace.edit([id], {"content": "Zebra."})
    assert id in queued_ids(workspace)
    assert id not in stored_vectors(workspace)
    workspace.embed()
    after = stored_vectors(workspace)[id]
    assert after != before
    workspace.undo()
    workspace.embed()
    assert stored_vectors(workspace)[id] == before
    workspace.redo()
    workspace.embed()
    assert stored_vectors(workspace)[id] == after


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("verb", ["pin", "confirm", "dismiss"])
def test_verbs_that_keep_the_text_queue_nothing(
    workspace: Workspace, model: FakeModel, store: str, verb: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    before = stored_vectors(workspace)
    getattr(workspace, verb)([id])
    assert stored_vectors(workspace)[id] == before[id]
    if verb == "dismiss":
        workspace.restore([id])
    workspace.undo()
    workspace.redo()
    assert stored_vectors(workspace) == before
    assert workspace.embed() == 0
    assert model.texts == []


def test_usage_counters_and_other_fields_queue_nothing(
    demo_workspace: DemoWorkspace, workspace: Workspace, model: FakeModel
) -> None:
    before = stored_vectors(workspace)
    agent_executes(demo_workspace.store_paths[FOUNDER], "UPDATE memories SET times_used = times_used + 3")
    workspace.pull()
    id = find_id(workspace, SAMPLE[NATIVE])
    workspace.edit([id], {"tags": ["zebra"], "category": "fact", "key": "zebra"})
    workspace.rename_store(MCP, "helper")
    assert stored_vectors(workspace) == before
    assert workspace.embed() == 0
    assert model.texts == []


def test_only_texts_changed_by_agents_are_queued(
    demo_workspace: DemoWorkspace, workspace: Workspace, model: FakeModel
) -> None:
    before = stored_vectors(workspace)
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "UPDATE memories SET content = 'Tomas left.' WHERE key = 'tomas-lead'",
    )
    agent_replaces(demo_workspace.store_paths[MCP], "Runs the warehouse", "Ran the warehouse")
    assert workspace.pull().total
    waiting = queued_ids(workspace)
    assert waiting
    assert before.keys() - stored_vectors(workspace).keys() <= waiting
    workspace.embed()
    assert any("Tomas left." in text for text in model.texts)
    assert any("Ran the warehouse" in text for text in model.texts)
    assert len(model.texts) == len(waiting)


def test_a_detached_store_keeps_its_vectors(
    demo_workspace: DemoWorkspace, workspace: Workspace, model: FakeModel
) -> None:
    before = stored_vectors(workspace)
    workspace.detach(CLAUDE)
    assert stored_vectors(workspace) == before
    workspace.attach(demo_workspace.store_paths[CLAUDE])
    assert stored_vectors(workspace) == before
    assert workspace.embed() == 0


def test_a_purge_erases_the_bytes_of_the_vector(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = workspace.add({"content": "The quagga grazes at Xanadu."}).ids[0]
    workspace.embed()
    vector = stored_vectors(workspace)[id]
    assert files_containing(demo_workspace.folder, vector)
    workspace.purge([id])
    assert id not in stored_vectors(workspace)
    assert files_containing(demo_workspace.folder, vector) == set()


def test_a_text_purged_while_it_is_embedded_gets_no_vector(demo_workspace: DemoWorkspace) -> None:
    workspace = Workspace.open(demo_workspace.path, clock=demo_workspace.clock)
    id = workspace.add({"content": "The quagga grazes at Xanadu."}).ids[0]
    workspace.close()

    def purge(texts: Sequence[str]) -> None:
        if any("quagga" in text for text in texts):
            with demo_workspace.opened() as other:
                other.purge([id])

    workspace = open_with_model(demo_workspace.path, FakeModel(before=purge), clock=demo_workspace.clock)
    workspace.embed()
    assert id not in stored_vectors(workspace)
    assert (
        files_containing(demo_workspace.folder, HashEmbedder().embed(["The quagga grazes at Xanadu."])[0])
        == set()
    )
    assert_vectors_current(workspace)
    workspace.close()


def files_containing(folder: Path, vector: bytes) -> set[Path]:
    """Return the files that contain a vector; another process reads them."""
    program = (
        "import sys; from pathlib import Path; vector = bytes.fromhex(sys.argv[2]); "
        "[print(file) for file in Path(sys.argv[1]).rglob('*') "
        "if file.is_file() and vector in file.read_bytes()]"
    )
    command = [sys.executable, "-c", program, str(folder), vector[8:].hex()]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    return {Path(line) for line in out.stdout.splitlines()}


def test_empty_huge_and_invalid_texts(workspace: Workspace, model: FakeModel) -> None:
    huge = workspace.add({"content": "zebra " * 16_667}).ids[0]
    db = workspace._ctx.db
    db.run("INSERT INTO memories (uid, store_id, ref, seen_at) VALUES ('empty', 1, 'empty', 1)")
    db.run(
        "INSERT INTO memories (uid, store_id, ref, seen_at, content) VALUES ('nul', 1, 'nul', 1, ?)", ("\0x",)
    )
    db.run(
        "INSERT INTO memories (uid, store_id, ref, seen_at, content) VALUES ('odd', 1, 'odd', 1, "
        "CAST(x'5a65627261ff' AS TEXT))"
    )
    assert len(queued_ids(workspace)) == 3
    workspace.embed()
    assert huge in stored_vectors(workspace)
    assert max(map(len, model.texts)) == 2_000
    assert "Zebra\ufffd" in model.texts
    db.run("DELETE FROM memories WHERE uid IN ('odd', 'nul')")


# -- another model


def test_another_model_embeds_everything_again_in_batches(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = stored_vectors(workspace)
    for other in (FakeModel(name="others"), FakeModel(dim=100)):

        def load(model: FakeModel = other) -> FakeModel:
            return model

        second = Workspace.open(demo_workspace.path, opener=load, clock=demo_workspace.clock)
        assert second.load_model()
        assert stored_vectors(second) == {}
        assert second.embedding_state().pending == len(before)
        assert second.fused("staging host", []) is not None
        progress: list[tuple[int, int]] = []

        def report(done: int, left: int, progress: list[tuple[int, int]] = progress) -> None:
            progress.append((done, left))

        assert second.embed(JobControl(report=report)) == len(before)
        assert progress[-1] == (len(before), 0)
        assert all(done + left == len(before) for done, left in progress)
        assert {len(vector) for vector in stored_vectors(second).values()} == {4 * other.dim}
        assert_vectors_current(second, other)
        second.close()
    original = open_with_model(demo_workspace.path, clock=demo_workspace.clock)
    original.embed()
    assert stored_vectors(original) == before
    original.close()


def test_a_memtui_with_the_replaced_model_stops_using_it(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    assert workspace.fused("staging host", []) is not None
    other = open_with_model(demo_workspace.path, FakeModel(name="others"), clock=demo_workspace.clock)
    assert workspace.fused("staging host", []) is None
    state = workspace.embedding_state()
    assert (state.phase, state.error) == ("failed", wording.OTHER_MODEL)
    assert state.hint
    assert workspace.search("staging host").ids
    assert workspace.embed() == 0
    other.embed()
    assert_vectors_current(other, FakeModel(name="others"))
    other.close()
    reopened = open_with_model(demo_workspace.path, clock=demo_workspace.clock)
    reopened.embed()
    reopened.close()


def test_a_model_replaced_between_batches_stops_embedding(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    second: list[Workspace] = []

    def open_other_model(texts: Sequence[str]) -> None:
        if not second:
            second.append(
                open_with_model(demo_workspace.path, FakeModel(name="others"), clock=demo_workspace.clock)
            )

    slow = open_with_model(
        demo_workspace.path, FakeModel(name="slow", before=open_other_model), clock=demo_workspace.clock
    )
    assert slow.embed() == 0
    assert slow.embedding_state().phase == "failed"
    assert slow.embedding_state().error == wording.OTHER_MODEL
    slow.close()
    second[0].close()
    reopened = open_with_model(demo_workspace.path, clock=demo_workspace.clock)
    reopened.embed()
    reopened.close()


def test_a_changed_model_setting_makes_all_vectors_pending(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """The queue is empty, but the vectors are from another model than the configured one."""
    count = len(stored_vectors(workspace))
    with demo_workspace.opened(opener=opener("")) as second:
        assert second.embedding_state().pending == count
        assert second.embedding_state().embedded == 0


@pytest.mark.parametrize(
    ("setting", "name", "matches"),
    [
        ("", "all-MiniLM-L6-v2-int8", True),
        ("", "hashes", False),
        ("BAAI/bge-small-en-v1.5", "BAAI/bge-small-en-v1.5", True),
        ("BAAI/bge-small-en-v1.5", "all-MiniLM-L6-v2-int8", False),
        ("FOLDER", "mine@0123456789ab", True),
        ("FOLDER", "yours@0123456789ab", False),
    ],
)
def test_a_setting_matches_the_model_names_of_its_vectors(
    tmp_path: Path, setting: str, name: str, matches: bool
) -> None:
    (tmp_path / "mine").mkdir()
    assert ModelLoader(setting.replace("FOLDER", str(tmp_path / "mine"))).matches(name) is matches


def test_embedding_can_be_switched_off(demo_workspace: DemoWorkspace) -> None:
    assert opener(" OFF ") is None
    with demo_workspace.opened(opener=opener("off")) as workspace:
        assert not workspace.load_model()
        assert workspace.embed() == 0
        assert workspace.fused("staging host", []) is None
        state = workspace.embedding_state()
        assert (state.phase, state.embedded) == ("off", 0)
        assert "is off" in state.error
        assert state.pending


# -- concurrency


def test_two_processes_share_the_work(demo_workspace: DemoWorkspace) -> None:
    one, two = (
        open_with_model(demo_workspace.path, clock=demo_workspace.clock),
        open_with_model(demo_workspace.path, clock=demo_workspace.clock),
    )
    errors: list[BaseException] = []
    done: list[int] = []

    def work(workspace: Workspace) -> None:
        try:
            done.append(workspace.embed())
        except BaseException as error:
            errors.append(error)
        finally:
            workspace.close_thread()

    threads = [threading.Thread(target=work, args=(each,)) for each in (one, two, one)]
    for thread in threads:
        thread.start()
    for number in range(5):
        one.add({"content": f"Meanwhile {number}"})
    for thread in threads:
        thread.join()
    assert errors == []
    one.embed()
    assert not queued_ids(two)
    assert_vectors_current(two, FakeModel())
    assert two._ctx.db.one("SELECT generation FROM embedding_model") >= 1
    one.close()
    two.close()


def test_verbs_are_not_blocked_while_the_model_runs(demo_workspace: DemoWorkspace) -> None:
    """The model holds no lock: changes go through during a batch, which then drops the changed texts."""
    inside, go_on = threading.Event(), threading.Event()
    embedded: list[str] = []

    def wait(texts: Sequence[str]) -> None:
        embedded.extend(texts)
        inside.set()
        assert go_on.wait(60)

    workspace = open_with_model(demo_workspace.path, FakeModel(before=wait), clock=demo_workspace.clock)

    def embed() -> None:
        workspace.embed()
        workspace.close_thread()

    thread = threading.Thread(target=embed)
    thread.start()
    assert inside.wait(60)
    id = next(
        id
        for id in workspace.search(f"store:{NATIVE}").ids
        if memory(workspace, id).content in "\n".join(embedded)
    )
    workspace.edit([id], {"content": "Zebra."})
    workspace.add({"content": "A new one."})
    with demo_workspace.opened() as other:
        other.pin([id])
    assert stored_vectors(workspace) == {}
    assert workspace.search("zebra").ids
    go_on.set()
    thread.join()
    assert "Zebra." in embedded
    assert not queued_ids(workspace)
    assert_vectors_current(workspace, FakeModel())
    workspace.close()


def test_embedding_yields_to_a_busy_user_and_can_be_stopped(demo_workspace: DemoWorkspace) -> None:
    workspace = open_with_model(demo_workspace.path, clock=demo_workspace.clock)
    naps: list[float] = []
    control = JobControl(busy=lambda: len(naps) < 7, nap=naps.append)
    assert workspace.embed(control)
    assert len(naps) == 7
    workspace._ctx.db.run("UPDATE memories SET content = content || '.'")
    always_busy = JobControl(busy=lambda: True, nap=naps.append, patience=0.5)
    naps.clear()
    done = workspace.embed(always_busy)  # each batch waits as long as the patience lasts
    assert len(naps) >= 10 * (done // queue.BATCH)
    workspace._ctx.db.run("UPDATE memories SET content = content || '.'")
    progress: list[int] = []
    stopping = JobControl(stop=lambda: bool(progress), report=lambda done, left: progress.append(done))
    assert workspace.embed(stopping) == queue.BATCH
    assert progress == [queue.BATCH]
    workspace.close()


def test_a_query_is_embedded_once(workspace: Workspace, model: FakeModel) -> None:
    for _ in range(3):
        assert workspace.fused("where is the staging host", []) is not None
    assert len(model.texts) == len(set(model.texts))


def test_concurrent_threads_load_the_model_once(demo_workspace: DemoWorkspace) -> None:
    loads: list[int] = []

    def load() -> HashEmbedder:
        loads.append(1)
        return HashEmbedder()

    with demo_workspace.opened(opener=load) as workspace:
        assert workspace.embedding_state().phase == "waiting"

        def load_model() -> None:
            workspace.load_model()
            workspace.close_thread()

        threads = [threading.Thread(target=load_model) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert loads == [1]
        assert workspace.embedding_state().phase == "ready"


def test_a_model_that_the_workspace_cannot_record_is_reported_as_failed(
    demo_workspace: DemoWorkspace,
) -> None:
    with demo_workspace.opened(opener=HashEmbedder) as workspace:
        workspace._ctx.db.run(
            "CREATE TRIGGER full BEFORE INSERT ON embedding_model BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        assert not workspace.load_model()
        assert workspace.embedding_state().phase == "failed"


def test_an_empty_queue_loads_no_model(tmp_path: Path) -> None:
    def fail() -> HashEmbedder:
        raise AssertionError("the queue is empty")

    workspace = Workspace.open(tmp_path / "w.db", opener=fail)
    assert workspace.embed() == 0
    assert workspace.embedding_state().phase == "waiting"
    workspace.close()


# -- older workspaces


def test_an_older_workspace_gets_vectors(tmp_path: Path) -> None:
    create_workspace(tmp_path / "w.db", 4)
    workspace = open_with_model(tmp_path / "w.db")
    assert workspace.embedding_state().pending == 39
    assert workspace.embed() == 39
    assert_vectors_current(workspace, FakeModel())
    workspace.close()


def test_an_older_workspace_opened_read_only_reports_missing_vectors(tmp_path: Path) -> None:
    create_workspace(tmp_path / "w.db", 4)
    workspace = Workspace.open(tmp_path / "w.db", read_only=True, opener=HashEmbedder)
    assert not workspace.load_model()
    state = workspace.embedding_state()
    assert state.phase == "failed"
    assert "no semantic search index" in state.error
    assert state.hint
    assert workspace.embed() == 0
    assert len(workspace.search("zebra").ids) == 39
    assert workspace.fused("zebra", []) is None
    assert not [each for each in workspace.doctor() if each.code == "unchecked"]
    workspace.close()


def verbs() -> dict[str, Callable[[Workspace, int], object]]:
    return {
        "edit": lambda workspace, id: workspace.edit([id], {"content": "Zebra."}),
        "dismiss": lambda workspace, id: workspace.dismiss([id]),
    }


@pytest.mark.parametrize("verb", verbs())
@pytest.mark.parametrize("store", STORES)
def test_undo_of_a_verb_that_keeps_the_text_needs_no_model(
    workspace: Workspace, model: FakeModel, store: str, verb: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    before = stored_vectors(workspace)[id]
    verbs()[verb](workspace, id)
    workspace.embed()
    workspace.undo()
    workspace.embed()
    assert stored_vectors(workspace)[id] == before
    assert (model.texts == []) is (verb == "dismiss")
