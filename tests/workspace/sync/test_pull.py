"""A pull reports and journals what agents changed, and keeps what is local (S-5)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from memtui.formats.media.sqlite.store import SqliteStore
from memtui.memory.results import Change
from memtui.workspace.changes import outbox
from memtui.workspace.sync.pull import _EpochGuard
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOREIGN,
    FOUNDER,
    MCP,
    SAMPLE,
    DemoWorkspace,
    agent_executes,
    agent_replaces,
    assert_in_sync,
    detail_of,
    find_id,
    memory,
    refusal,
    rows,
)

NEW = "INSERT INTO memories (id, key, category, content, source_plugin, confidence, status) VALUES "


def change_every_store(demo_workspace: DemoWorkspace) -> None:
    """Add, change and remove one memory in each store, as agents would."""
    founder, claude, mcp = (demo_workspace.store_paths[store] for store in FOREIGN)
    agent_executes(
        founder, NEW + "('n1', 'new-one', 'fact', 'A zebra in the database.', 'P1', 50, 'candidate')"
    )
    agent_executes(founder, "UPDATE memories SET content = 'Tomas left.' WHERE key = 'tomas-lead'")
    agent_executes(founder, "DELETE FROM memories WHERE key = 'old-warehouse'")
    (claude / "zebra.md").write_text(
        "---\nname: Zebra\ndescription: z\ntype: user\n---\n\nA zebra in a file.\n"
    )
    agent_replaces(claude / "user_ana.md", "over a coffee", "over a tea")
    (claude / "reference_dashboards.md").unlink()
    agent_replaces(mcp, '"Works four days a week"', '"Works four days a week","Saw a zebra"')
    agent_replaces(mcp, '"Has eleven employees",', "")


def test_pull_counts_changes_per_store(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    change_every_store(demo_workspace)
    pulled = workspace.pull()
    assert pulled.changes == {FOUNDER: (1, 1, 1), CLAUDE: (1, 1, 1), MCP: (1, 0, 1)}
    assert pulled.errors == {}
    assert len(workspace.search("zebra").ids) == 3
    assert len(workspace.search("is:removed").ids) == 3
    assert_in_sync(workspace)
    assert workspace.pull().total == 0


def test_pulled_changes_are_journaled_with_before_and_after(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    entries = len(workspace.journal())
    change_every_store(demo_workspace)
    workspace.pull()
    events = workspace.journal()[:-entries]
    assert {event.actor for event in events} == {f"sync:{store}" for store in FOREIGN}
    assert {event.kind for event in events} == {"pulled"}
    entry = next(event for event in events if event.store == FOUNDER)
    assert entry.summary == f"{FOUNDER}: 1 added, 1 changed, 1 removed"
    items = {}
    for item in workspace.journal_items(entry.id):
        assert item.after is not None
        items[tuple(sorted(item.after))] = item
    assert (items[("content",)].before, items[("content",)].after) == (
        {"content": "Tomas leads hiring; he wants two references before a second interview."},
        {"content": "Tomas left."},
    )
    removed = [item for item in workspace.journal_items(entry.id) if item.after == {"here": False}]
    assert [item.label for item in removed] == ["Parcels are picked up at the Dock Street warehouse."]
    assert detail_of(workspace, find_id(workspace, "Tomas left")).history[0].kind == "pulled"


def test_a_memory_removed_by_an_agent_stays_readable(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    before = memory(workspace, id)
    path = demo_workspace.store_paths[MCP]
    text = path.read_text()
    agent_replaces(path, '"Is allergic to nuts",', "")
    workspace.pull()
    assert memory(workspace, id) == before
    assert detail_of(workspace, id).removed_at
    assert id not in workspace.search("").ids
    path.write_text(text)
    assert workspace.pull().changes == {MCP: (0, 1, 0)}
    assert find_id(workspace, SAMPLE[MCP]) == id


def test_usage_counters_are_not_reported_as_changes(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    entries = len(workspace.journal())
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "UPDATE memories SET times_used = times_used + 1, last_used_at = 1763000500",
    )
    assert workspace.pull().total == 0
    assert len(workspace.journal()) == entries
    assert memory(workspace, find_id(workspace, SAMPLE[FOUNDER])).times_used == 6
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", FOREIGN)
def test_a_pull_keeps_pins_and_local_fields(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    ids = [id for id in rows(workspace) if workspace.rows([id])[0].store == store]
    workspace.pin(ids, "ours")
    workspace.edit(ids, {"title" if store != CLAUDE else "tags": "zebra" if store != CLAUDE else ("zebra",)})
    change_every_store(demo_workspace)
    workspace.pull()
    kept = [memory(workspace, id) for id in ids]
    assert all((each.pinned, each.pinned_why) == (True, "ours") for each in kept)
    assert all(each.title == "zebra" or each.tags == ("zebra",) for each in kept)
    assert_in_sync(workspace)


def test_a_changed_relation_alone_is_pulled(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    path = demo_workspace.store_paths[MCP]
    agent_replaces(path, '"relationType":"leads"', '"relationType":"follows"')
    workspace.pull()
    kinds = {each.kind for each in detail_of(workspace, find_id(workspace, "Runs warehouse")).relations}
    assert kinds == {"works_at", "follows"}


def test_a_damaged_store_is_reported_and_the_mirror_kept(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = rows(workspace)
    path = demo_workspace.store_paths[FOUNDER]
    whole = path.read_bytes()
    path.write_bytes(whole[:50] + b"\0" * 3000)
    assert list(workspace.pull().errors) == [FOUNDER]
    assert rows(workspace) == before
    path.write_bytes(whole)
    assert workspace.pull().errors == {}
    assert_in_sync(workspace)


# -- at the same time


def test_an_own_write_during_a_pull_is_not_taken_for_an_agents_change(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is read, then written by another memtui, then compared with the outdated snapshot."""
    id = find_id(workspace, SAMPLE[FOUNDER])
    snapshot, other = SqliteStore.snapshot, demo_workspace.open()
    written: list[Change] = []

    @contextmanager
    def write_during_snapshot(self: SqliteStore) -> Iterator[object]:
        with snapshot(self) as found:
            if not written:
                written.append(other.edit([id], {"content": "Written by us meanwhile."}))
            yield found

    monkeypatch.setattr(SqliteStore, "snapshot", write_during_snapshot)
    agent_executes(demo_workspace.store_paths[FOUNDER], "UPDATE memories SET times_used = times_used + 1")
    assert workspace.pull().changes == {}
    assert written
    assert memory(workspace, id).content == "Written by us meanwhile."
    assert [event.kind for event in workspace.journal()[:2]] == ["edited", "attached"]
    other.undo()
    other.close()
    assert_in_sync(workspace)


def test_a_store_with_a_write_in_progress_is_postponed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    reached, go_on = threading.Event(), threading.Event()

    def pause(name: str) -> None:
        if name == "after the foreign write":
            reached.set()
            go_on.wait(20)

    def write() -> None:
        with demo_workspace.opened(on_step=pause) as other:
            other.edit([id], {"content": "Is allergic to zebras"})

    writer = threading.Thread(target=write)
    writer.start()
    assert reached.wait(20)
    # The file has the new text and the mirror the old one, but no agent changed it.
    pulled = workspace.pull()
    assert pulled.changes == {}
    assert pulled.errors == {}  # the store is fine, and read again later
    assert pulled.postponed == (MCP,)
    assert find_id(workspace, SAMPLE[MCP]) == id
    go_on.set()
    writer.join()
    assert workspace.pull().total == 0
    assert find_id(workspace, "allergic zebras") == id
    assert "pulled" not in [event.kind for event in workspace.journal()]
    assert_in_sync(workspace)


def test_concurrent_pulls_report_each_change_once(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    change_every_store(demo_workspace)
    entries = len(workspace.journal())
    pulled, errors = [], []
    start = threading.Barrier(3)

    def pull() -> None:
        try:
            with demo_workspace.opened() as other:
                start.wait(20)
                pulled.append(other.pull())
        except BaseException as error:
            errors.append(error)

    pullers = [threading.Thread(target=pull) for _ in range(3)]
    for each in pullers:
        each.start()
    for each in pullers:
        each.join()
    assert errors == []
    assert [each.errors for each in pulled] == [{}, {}, {}]
    assert sum(each.total for each in pulled) == 8
    assert len(workspace.journal()) == entries + 3
    assert_in_sync(workspace)


def test_many_new_memories_are_pulled_in_several_transactions(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """Edits get in between the transactions."""
    entities = [
        json.dumps(
            {"type": "entity", "name": f"Zebra {n}", "entityType": "z", "observations": [f"Stripes {n}"]}
        )
        for n in range(2_500)
    ]
    path = demo_workspace.store_paths[MCP]
    path.write_text(path.read_text() + "\n" + "\n".join(entities))
    id = find_id(workspace, SAMPLE[FOUNDER])
    with demo_workspace.opened() as other:
        pulled: list[int] = []
        puller = threading.Thread(target=lambda: pulled.append(_pull(demo_workspace)))
        puller.start()
        for number in range(5):
            other.edit([id], {"content": f"Said {number}."})
        puller.join()
    assert pulled == [2_500]
    assert_in_sync(workspace)


def _pull(demo_workspace: DemoWorkspace) -> int:
    with demo_workspace.opened() as workspace:
        return workspace.pull().total


@pytest.mark.parametrize("next_action", ["pull", "pin"])
def test_an_unsettled_change_is_settled_before_the_next_actionion(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, next_action: str
) -> None:
    """No crash: the second transaction failed and the process goes on."""
    id = find_id(workspace, SAMPLE[MCP])

    def fail(*_: object) -> None:
        raise OSError("the disk is gone for a moment")

    with monkeypatch.context() as patch:
        patch.setattr(outbox, "settle", fail)
        change = workspace.edit([id], {"content": "Is allergic to zebras"})
    assert "the journal entry will be completed on the next start" in change.summary
    assert workspace.journal()[0].state == "intended"
    if next_action == "pull":
        assert workspace.pull().total == 0
    else:
        workspace.undo(workspace.pin([find_id(workspace, SAMPLE[FOUNDER])]).journal_id)
    assert "intended" not in {event.state for event in workspace.journal()}
    assert memory(workspace, id).content == "Is allergic to zebras"
    assert_in_sync(workspace)
    workspace.undo()
    assert find_id(workspace, SAMPLE[MCP]) == id
    assert refusal(workspace.undo).code == "nothing"
    assert_in_sync(workspace)


def test_a_check_without_changes_blocks_no_writer(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading a database without a WAL blocks writers: its lock is released before the pull waits."""
    path, real = demo_workspace.store_paths[FOUNDER], _EpochGuard.transaction
    agent_executes(path, "PRAGMA journal_mode=DELETE")
    workspace.pull()
    todo = ["UPDATE memories SET content = 'Tomas left.' WHERE key = 'tomas-lead'"]

    def write_meanwhile(guard: _EpochGuard, *, writes: bool) -> AbstractContextManager[None]:
        if todo:
            agent_executes(path, todo.pop())
        return real(guard, writes=writes)

    monkeypatch.setattr(_EpochGuard, "transaction", write_meanwhile)
    agent_executes(path, "PRAGMA user_version = 7")  # the file changes, its memories do not
    pulled = workspace.pull()
    assert (pulled.changes, pulled.errors, todo) == ({}, {}, [])
    assert workspace.pull().changes == {FOUNDER: (0, 1, 0)}
    assert_in_sync(workspace)
