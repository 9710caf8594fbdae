"""Vectors are in step with memories whatever happens, and making them is in nobody's way (S-35, S-93)."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw
import pytest

from memtui.embedding.hashed import HashEmbedder
from memtui.embedding.opening import Loading, opener
from memtui.workspace.background import JobControl
from memtui.workspace.db import migrations
from memtui.workspace.vectors import model, queue
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    STORES,
    DemoWorkspace,
    agent_sets,
    agent_writes,
    memory,
    the,
)
from tests.support.fake_models import FakeModel, in_step, minded, queued, said


@pytest.fixture
def mind() -> FakeModel:
    return FakeModel()


@pytest.fixture
def workspace(demo_workspace: DemoWorkspace, mind: FakeModel) -> Iterator[Workspace]:
    """The office, where all have their vectors."""
    workspace = minded(demo_workspace.path, mind, clock=demo_workspace.clock)
    workspace.embed()
    assert not queued(workspace)
    mind.texts.clear()
    yield workspace
    in_step(workspace, mind)
    workspace.embed()
    assert not queued(workspace)
    in_step(workspace, mind)
    workspace.close()


# -- in step with what is written


def test_what_is_new_waits_the_newest_first(workspace: Workspace, mind: FakeModel) -> None:
    first = workspace.add({"content": "A first zebra."}).ids[0]
    last = workspace.add({"content": "A second zebra.", "title": "Stripes"}).ids[0]
    assert queued(workspace) == {first, last}
    state = workspace.meaning()
    assert (state.phase, state.pending, state.embedded) == ("ready", 2, len(said(workspace)))
    assert workspace.embed() == 2
    assert sorted(mind.texts) == ["A first zebra.", "Stripes. A second zebra."]
    assert workspace.embed() == 0
    sql = workspace._ctx.db.rows("EXPLAIN QUERY PLAN " + queue._TAKE, (0, 1))
    assert "unembedded_due" in str(sql)
    assert "TEMP B-TREE" not in str(sql)


@pytest.mark.parametrize("store", STORES)
def test_an_edited_text_has_no_vector_until_the_next(
    workspace: Workspace, mind: FakeModel, store: str
) -> None:
    id = the(workspace, SAMPLE[store])
    before = said(workspace)[id]
    workspace.edit([id], {"content": "Zebra."})
    assert id in queued(workspace)
    assert id not in said(workspace)
    workspace.embed()
    now = said(workspace)[id]
    assert now != before
    workspace.undo()
    workspace.embed()
    assert said(workspace)[id] == before
    workspace.redo()
    workspace.embed()
    assert said(workspace)[id] == now


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("verb", ["pin", "confirm", "dismiss"])
def test_what_is_not_embedded_makes_nothing_wait(
    workspace: Workspace, mind: FakeModel, store: str, verb: str
) -> None:
    id = the(workspace, SAMPLE[store])
    before = said(workspace)
    getattr(workspace, verb)([id])
    assert said(workspace)[id] == before[id]
    if verb == "dismiss":
        workspace.restore([id])
    workspace.undo()
    workspace.redo()
    assert said(workspace) == before
    assert workspace.embed() == 0
    assert mind.texts == []


def test_counts_of_use_and_other_fields_make_nothing_wait(
    demo_workspace: DemoWorkspace, workspace: Workspace, mind: FakeModel
) -> None:
    before = said(workspace)
    agent_sets(demo_workspace.places[FOUNDER], "UPDATE memories SET times_used = times_used + 3")
    workspace.pull()
    id = the(workspace, SAMPLE[NATIVE])
    workspace.edit([id], {"tags": ["zebra"], "category": "fact", "key": "zebra"})
    workspace.rename_store(MCP, "helper")
    assert said(workspace) == before
    assert workspace.embed() == 0
    assert mind.texts == []


def test_what_agents_write_waits_and_nothing_else(
    demo_workspace: DemoWorkspace, workspace: Workspace, mind: FakeModel
) -> None:
    before = said(workspace)
    agent_sets(
        demo_workspace.places[FOUNDER], "UPDATE memories SET content = 'Tomas left.' WHERE key = 'tomas-lead'"
    )
    agent_writes(demo_workspace.places[MCP], "Runs the warehouse", "Ran the warehouse")
    assert workspace.pull().total
    waiting = queued(workspace)
    assert waiting
    assert before.keys() - said(workspace).keys() <= waiting
    workspace.embed()
    assert any("Tomas left." in text for text in mind.texts)
    assert any("Ran the warehouse" in text for text in mind.texts)
    assert len(mind.texts) == len(waiting)


def test_a_store_that_is_detached_keeps_its_vectors(
    demo_workspace: DemoWorkspace, workspace: Workspace, mind: FakeModel
) -> None:
    before = said(workspace)
    workspace.detach(CLAUDE)
    assert said(workspace) == before
    workspace.attach(demo_workspace.places[CLAUDE])
    assert said(workspace) == before
    assert workspace.embed() == 0


def test_a_purged_memory_leaves_no_vector_and_no_bytes_of_it(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = workspace.add({"content": "The quagga grazes at Xanadu."}).ids[0]
    workspace.embed()
    vector = said(workspace)[id]
    assert holding(demo_workspace.folder, vector)
    workspace.purge([id])
    assert id not in said(workspace)
    assert holding(demo_workspace.folder, vector) == set()


def test_a_text_that_was_purged_while_it_was_embedded_gets_no_vector(demo_workspace: DemoWorkspace) -> None:
    workspace = Workspace.open(demo_workspace.path, clock=demo_workspace.clock)
    id = workspace.add({"content": "The quagga grazes at Xanadu."}).ids[0]
    workspace.close()

    def purge(texts: Sequence[str]) -> None:
        if any("quagga" in text for text in texts):
            with demo_workspace.opened() as other:
                other.purge([id])

    workspace = minded(demo_workspace.path, FakeModel(before=purge), clock=demo_workspace.clock)
    workspace.embed()
    assert id not in said(workspace)
    assert holding(demo_workspace.folder, HashEmbedder().embed(["The quagga grazes at Xanadu."])[0]) == set()
    in_step(workspace)
    workspace.close()


def holding(folder: Path, vector: bytes) -> set[Path]:
    """The files that hold a vector; asked of another process."""
    program = (
        "import sys; from pathlib import Path; vector = bytes.fromhex(sys.argv[2]); "
        "[print(file) for file in Path(sys.argv[1]).rglob('*') "
        "if file.is_file() and vector in file.read_bytes()]"
    )
    asked = [sys.executable, "-c", program, str(folder), vector[8:].hex()]
    out = subprocess.run(asked, capture_output=True, text=True, check=True)
    return {Path(line) for line in out.stdout.splitlines()}


def test_empty_and_huge_texts(workspace: Workspace, mind: FakeModel) -> None:
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
    assert len(queued(workspace)) == 3
    workspace.embed()
    assert huge in said(workspace)
    assert max(map(len, mind.texts)) == 2_000
    assert "Zebra\ufffd" in mind.texts
    db.run("DELETE FROM memories WHERE uid IN ('odd', 'nul')")


# -- another model


def test_another_model_embeds_all_anew_in_small_steps(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = said(workspace)
    for other in (FakeModel(name="others"), FakeModel(dim=100)):

        def load(model: FakeModel = other) -> FakeModel:
            return model

        second = Workspace.open(demo_workspace.path, opener=load, clock=demo_workspace.clock)
        assert second.load_model()
        assert said(second) == {}
        assert second.meaning().pending == len(before)
        assert second.fused("staging host", []) is not None
        told: list[tuple[int, int]] = []

        def tell(done: int, left: int, told: list[tuple[int, int]] = told) -> None:
            told.append((done, left))

        assert second.embed(JobControl(tell=tell)) == len(before)
        assert told[-1] == (len(before), 0)
        assert all(done + left == len(before) for done, left in told)
        assert {len(vector) for vector in said(second).values()} == {4 * other.dim}
        in_step(second, other)
        second.close()
    back = minded(demo_workspace.path, clock=demo_workspace.clock)
    back.embed()
    assert said(back) == before
    back.close()


def test_the_one_who_has_the_old_model_stops_using_it(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    assert workspace.fused("staging host", []) is not None
    other = minded(demo_workspace.path, FakeModel(name="others"), clock=demo_workspace.clock)
    assert workspace.fused("staging host", []) is None
    state = workspace.meaning()
    assert (state.phase, state.error) == ("failed", model.OTHER)
    assert state.hint
    assert workspace.search("staging host").ids
    assert workspace.embed() == 0
    other.embed()
    in_step(other, FakeModel(name="others"))
    other.close()
    again = minded(demo_workspace.path, clock=demo_workspace.clock)
    again.embed()
    again.close()


def test_it_stops_between_two_batches_too(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    second: list[Workspace] = []

    def other_begins(texts: Sequence[str]) -> None:
        if not second:
            second.append(minded(demo_workspace.path, FakeModel(name="others"), clock=demo_workspace.clock))

    slow = minded(
        demo_workspace.path, FakeModel(name="slow", before=other_begins), clock=demo_workspace.clock
    )
    assert slow.embed() == 0
    assert slow.meaning().phase == "failed"
    assert slow.meaning().error == model.OTHER
    slow.close()
    second[0].close()
    again = minded(demo_workspace.path, clock=demo_workspace.clock)
    again.embed()
    again.close()


def test_a_changed_setting_is_work_to_be_done(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """Nothing waits, but the vectors are of another model than the setting means."""
    count = len(said(workspace))
    with demo_workspace.opened(opener=opener("")) as second:
        assert second.meaning().pending == count
        assert second.meaning().embedded == 0


@pytest.mark.parametrize(
    ("setting", "name", "is_it"),
    [
        ("", "all-MiniLM-L6-v2-int8", True),
        ("", "hashes", False),
        ("BAAI/bge-small-en-v1.5", "BAAI/bge-small-en-v1.5", True),
        ("BAAI/bge-small-en-v1.5", "all-MiniLM-L6-v2-int8", False),
        ("FOLDER", "mine@0123456789ab", True),
        ("FOLDER", "yours@0123456789ab", False),
    ],
)
def test_a_setting_knows_the_names_of_its_vectors(
    tmp_path: Path, setting: str, name: str, is_it: bool
) -> None:
    (tmp_path / "mine").mkdir()
    assert Loading(setting.replace("FOLDER", str(tmp_path / "mine"))).made(name) is is_it


def test_off_is_off(demo_workspace: DemoWorkspace) -> None:
    assert opener(" OFF ") is None
    with demo_workspace.opened(opener=opener("off")) as workspace:
        assert not workspace.load_model()
        assert workspace.embed() == 0
        assert workspace.fused("staging host", []) is None
        state = workspace.meaning()
        assert (state.phase, state.embedded) == ("off", 0)
        assert "switched off" in state.error
        assert state.pending


# -- together


def test_two_processes_share_the_work(demo_workspace: DemoWorkspace) -> None:
    one, two = (
        minded(demo_workspace.path, clock=demo_workspace.clock),
        minded(demo_workspace.path, clock=demo_workspace.clock),
    )
    troubles: list[BaseException] = []
    done: list[int] = []

    def work(workspace: Workspace) -> None:
        try:
            done.append(workspace.embed())
        except BaseException as trouble:
            troubles.append(trouble)
        finally:
            workspace.close_thread()

    threads = [threading.Thread(target=work, args=(each,)) for each in (one, two, one)]
    for thread in threads:
        thread.start()
    for number in range(5):
        one.add({"content": f"Meanwhile {number}"})
    for thread in threads:
        thread.join()
    assert troubles == []
    one.embed()
    assert not queued(two)
    in_step(two, FakeModel())
    assert two._ctx.db.one("SELECT generation FROM embedding_model") >= 1
    one.close()
    two.close()


def test_verbs_go_through_while_the_model_runs(demo_workspace: DemoWorkspace) -> None:
    """The model holds no lock: a change is done within the batch, which then drops what was changed."""
    inside, go_on = threading.Event(), threading.Event()
    asked: list[str] = []

    def wait(texts: Sequence[str]) -> None:
        asked.extend(texts)
        inside.set()
        assert go_on.wait(60)

    workspace = minded(demo_workspace.path, FakeModel(before=wait), clock=demo_workspace.clock)

    def embed() -> None:
        workspace.embed()
        workspace.close_thread()

    thread = threading.Thread(target=embed)
    thread.start()
    assert inside.wait(60)
    id = next(
        id
        for id in workspace.search(f"store:{NATIVE}").ids
        if memory(workspace, id).content in "\n".join(asked)
    )
    workspace.edit([id], {"content": "Zebra."})
    workspace.add({"content": "A new one."})
    with demo_workspace.opened() as other:
        other.pin([id])
    assert said(workspace) == {}
    assert workspace.search("zebra").ids
    go_on.set()
    thread.join()
    assert "Zebra." in asked
    assert not queued(workspace)
    in_step(workspace, FakeModel())
    workspace.close()


def test_it_waits_for_a_busy_person_and_ends_when_told(demo_workspace: DemoWorkspace) -> None:
    workspace = minded(demo_workspace.path, clock=demo_workspace.clock)
    naps: list[float] = []
    manners = JobControl(busy=lambda: len(naps) < 7, nap=naps.append)
    assert workspace.embed(manners)
    assert len(naps) == 7
    workspace._ctx.db.run("UPDATE memories SET content = content || '.'")
    forever = JobControl(busy=lambda: True, nap=naps.append, patience=0.5)
    naps.clear()
    done = workspace.embed(forever)  # as long as patience lasts, batch by batch
    assert len(naps) >= 10 * (done // queue.BATCH)
    workspace._ctx.db.run("UPDATE memories SET content = content || '.'")
    told: list[int] = []
    stopping = JobControl(stop=lambda: bool(told), tell=lambda done, left: told.append(done))
    assert workspace.embed(stopping) == queue.BATCH
    assert told == [queue.BATCH]
    workspace.close()


def test_a_question_is_embedded_once(workspace: Workspace, mind: FakeModel) -> None:
    for _ in range(3):
        assert workspace.fused("where is the staging host", []) is not None
    assert len(mind.texts) == len(set(mind.texts))


def test_a_model_is_loaded_once_by_many_threads(demo_workspace: DemoWorkspace) -> None:
    opened: list[int] = []

    def load() -> HashEmbedder:
        opened.append(1)
        return HashEmbedder()

    with demo_workspace.opened(opener=load) as workspace:
        assert workspace.meaning().phase == "waiting"

        def load_model() -> None:
            workspace.load_model()
            workspace.close_thread()

        threads = [threading.Thread(target=load_model) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert opened == [1]
        assert workspace.meaning().phase == "ready"


def test_nothing_to_do_loads_no_model(tmp_path: Path) -> None:
    def never() -> HashEmbedder:
        raise AssertionError("nothing waits")

    workspace = Workspace.open(tmp_path / "w.db", opener=never)
    assert workspace.embed() == 0
    assert workspace.meaning().phase == "waiting"
    workspace.close()


# -- workspaces of before


def old(path: Path, version: int) -> None:
    """A workspace as an earlier memtui left it."""
    connection = apsw.Connection(str(path))
    for number, sql in migrations.versions():
        if number <= version:
            for statement in migrations._statements(sql):
                connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {migrations.APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute(
        "INSERT INTO stores (id, name, format, path, attached_at) VALUES (1, 'native', 'native', '', 1)"
    )
    for number in range(40):
        connection.execute(
            "INSERT INTO memories (uid, store_id, ref, content, seen_at) VALUES (?1, 1, ?1, ?2, 1)",
            (f"u{number}", f"Zebra {number}" if number else ""),
        )
    connection.close()


def test_a_workspace_of_before_gets_its_vectors(tmp_path: Path) -> None:
    old(tmp_path / "w.db", 4)
    workspace = minded(tmp_path / "w.db")
    assert workspace.meaning().pending == 39
    assert workspace.embed() == 39
    in_step(workspace, FakeModel())
    workspace.close()


def test_a_workspace_of_before_that_is_only_read_says_so(tmp_path: Path) -> None:
    old(tmp_path / "w.db", 4)
    workspace = Workspace.open(tmp_path / "w.db", read_only=True, opener=HashEmbedder)
    assert not workspace.load_model()
    state = workspace.meaning()
    assert state.phase == "failed"
    assert "holds no vectors" in state.error
    assert state.hint
    assert workspace.embed() == 0
    assert len(workspace.search("zebra").ids) == 39
    assert workspace.fused("zebra", []) is None
    assert not [each for each in workspace.doctor() if each.code == "unchecked"]
    workspace.close()


def each_verb() -> dict[str, Callable[[Workspace, int], object]]:
    return {
        "edit": lambda workspace, id: workspace.edit([id], {"content": "Zebra."}),
        "dismiss": lambda workspace, id: workspace.dismiss([id]),
    }


@pytest.mark.parametrize("verb", each_verb())
@pytest.mark.parametrize("store", STORES)
def test_undo_brings_the_vector_back_without_the_model_where_the_text_stayed(
    workspace: Workspace, mind: FakeModel, store: str, verb: str
) -> None:
    id = the(workspace, SAMPLE[store])
    before = said(workspace)[id]
    each_verb()[verb](workspace, id)
    workspace.embed()
    workspace.undo()
    workspace.embed()
    assert said(workspace)[id] == before
    assert (mind.texts == []) is (verb == "dismiss")
