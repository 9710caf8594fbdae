"""What agents change becomes news, with its history; what is ours stays (S-5)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from memtui.formats.media.sqlite.store import SqliteStore
from memtui.memory.results import Change
from memtui.workspace.changes import outbox
from memtui.workspace.sync.pull import _Turn
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOREIGN,
    FOUNDER,
    MCP,
    SAMPLE,
    DemoWorkspace,
    agent_sets,
    agent_writes,
    agrees,
    detail_of,
    memory,
    refusal,
    rows,
    the,
)

NEW = "INSERT INTO memories (id, key, category, content, source_plugin, confidence, status) VALUES "


def an_agent_works(demo_workspace: DemoWorkspace) -> None:
    """One memory more, one changed and one less in each store."""
    founder, claude, mcp = (demo_workspace.places[store] for store in FOREIGN)
    agent_sets(founder, NEW + "('n1', 'new-one', 'fact', 'A zebra in the database.', 'P1', 50, 'candidate')")
    agent_sets(founder, "UPDATE memories SET content = 'Tomas left.' WHERE key = 'tomas-lead'")
    agent_sets(founder, "DELETE FROM memories WHERE key = 'old-warehouse'")
    (claude / "zebra.md").write_text(
        "---\nname: Zebra\ndescription: z\ntype: user\n---\n\nA zebra in a file.\n"
    )
    agent_writes(claude / "user_ana.md", "over a coffee", "over a tea")
    (claude / "reference_dashboards.md").unlink()
    agent_writes(mcp, '"Works four days a week"', '"Works four days a week","Saw a zebra"')
    agent_writes(mcp, '"Has eleven employees",', "")


def test_news_are_told_store_by_store(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    an_agent_works(demo_workspace)
    pulled = workspace.pull()
    assert pulled.changes == {FOUNDER: (1, 1, 1), CLAUDE: (1, 1, 1), MCP: (1, 0, 1)}
    assert pulled.errors == {}
    assert len(workspace.search("zebra").ids) == 3
    assert len(workspace.search("is:removed").ids) == 3
    agrees(workspace)
    assert workspace.pull().total == 0


def test_news_are_in_the_journal_with_before_and_after(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    lines = len(workspace.journal())
    an_agent_works(demo_workspace)
    workspace.pull()
    events = workspace.journal()[:-lines]
    assert {event.actor for event in events} == {f"sync:{store}" for store in FOREIGN}
    assert {event.kind for event in events} == {"pulled"}
    line = next(event for event in events if event.store == FOUNDER)
    assert line.summary == f"{FOUNDER}: 1 added, 1 changed, 1 removed"
    items = {}
    for item in workspace.journal_items(line.id):
        assert item.after is not None
        items[tuple(sorted(item.after))] = item
    assert (items[("content",)].before, items[("content",)].after) == (
        {"content": "Tomas leads hiring; he wants two references before a second interview."},
        {"content": "Tomas left."},
    )
    gone = [item for item in workspace.journal_items(line.id) if item.after == {"here": False}]
    assert [item.label for item in gone] == ["Parcels are picked up at the Dock Street warehouse."]
    assert detail_of(workspace, the(workspace, "Tomas left")).history[0].kind == "pulled"


def test_what_an_agent_removed_can_be_read_on(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = the(workspace, SAMPLE[MCP])
    before = memory(workspace, id)
    place = demo_workspace.places[MCP]
    text = place.read_text()
    agent_writes(place, '"Is allergic to nuts",', "")
    workspace.pull()
    assert memory(workspace, id) == before
    assert detail_of(workspace, id).removed_at
    assert id not in workspace.search("").ids
    place.write_text(text)
    assert workspace.pull().changes == {MCP: (0, 1, 0)}
    assert the(workspace, SAMPLE[MCP]) == id


def test_reading_is_no_news(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    lines = len(workspace.journal())
    agent_sets(
        demo_workspace.places[FOUNDER],
        "UPDATE memories SET times_used = times_used + 1, last_used_at = 1763000500",
    )
    assert workspace.pull().total == 0
    assert len(workspace.journal()) == lines
    assert memory(workspace, the(workspace, SAMPLE[FOUNDER])).times_used == 6
    agrees(workspace)


@pytest.mark.parametrize("store", FOREIGN)
def test_what_we_keep_is_never_touched(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    ids = [id for id in rows(workspace) if workspace.rows([id])[0].store == store]
    workspace.pin(ids, "ours")
    workspace.edit(ids, {"title" if store != CLAUDE else "tags": "zebra" if store != CLAUDE else ("zebra",)})
    an_agent_works(demo_workspace)
    workspace.pull()
    kept = [memory(workspace, id) for id in ids]
    assert all((each.pinned, each.pinned_why) == (True, "ours") for each in kept)
    assert all(each.title == "zebra" or each.tags == ("zebra",) for each in kept)
    agrees(workspace)


def test_a_relation_alone_is_pulled_too(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    place = demo_workspace.places[MCP]
    agent_writes(place, '"relationType":"leads"', '"relationType":"follows"')
    workspace.pull()
    kinds = {each.kind for each in detail_of(workspace, the(workspace, "Runs warehouse")).relations}
    assert kinds == {"works_at", "follows"}


def test_a_damaged_store_is_told_and_the_mirror_stays(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = rows(workspace)
    place = demo_workspace.places[FOUNDER]
    whole = place.read_bytes()
    place.write_bytes(whole[:50] + b"\0" * 3000)
    assert list(workspace.pull().errors) == [FOUNDER]
    assert rows(workspace) == before
    place.write_bytes(whole)
    assert workspace.pull().errors == {}
    agrees(workspace)


# -- at the same time


def test_a_pull_that_overlaps_our_own_write_is_not_mistaken(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store was read, then changed by us, then compared: what was read is old."""
    id = the(workspace, SAMPLE[FOUNDER])
    look, other = SqliteStore.look, demo_workspace.open()
    written: list[Change] = []

    @contextmanager
    def looked_then_written(self: SqliteStore) -> Iterator[object]:
        with look(self) as found:
            if not written:
                written.append(other.edit([id], {"content": "Written by us meanwhile."}))
            yield found

    monkeypatch.setattr(SqliteStore, "look", looked_then_written)
    agent_sets(demo_workspace.places[FOUNDER], "UPDATE memories SET times_used = times_used + 1")
    assert workspace.pull().changes == {}
    assert written
    assert memory(workspace, id).content == "Written by us meanwhile."
    assert [event.kind for event in workspace.journal()[:2]] == ["edited", "attached"]
    other.undo()
    other.close()
    agrees(workspace)


def test_a_pull_waits_for_a_write_that_is_under_way(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = the(workspace, SAMPLE[MCP])
    reached, go_on = threading.Event(), threading.Event()

    def stop(name: str) -> None:
        if name == "after the foreign write":
            reached.set()
            go_on.wait(20)

    def write() -> None:
        with demo_workspace.opened(on_step=stop) as other:
            other.edit([id], {"content": "Is allergic to zebras"})

    writer = threading.Thread(target=write)
    writer.start()
    assert reached.wait(20)
    # The file says the new text, the mirror the old one: that is not an agent's doing.
    told = workspace.pull()
    assert told.changes == {}
    assert told.errors == {}  # nothing is wrong with the store: it is read again in a moment
    assert told.postponed == (MCP,)
    assert the(workspace, SAMPLE[MCP]) == id
    go_on.set()
    writer.join()
    assert workspace.pull().total == 0
    assert the(workspace, "allergic zebras") == id
    assert "pulled" not in [event.kind for event in workspace.journal()]
    agrees(workspace)


def test_two_memtuis_that_pull_at_once_tell_each_thing_once(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    an_agent_works(demo_workspace)
    lines = len(workspace.journal())
    told, troubles = [], []
    start = threading.Barrier(3)

    def pull() -> None:
        try:
            with demo_workspace.opened() as other:
                start.wait(20)
                told.append(other.pull())
        except BaseException as trouble:
            troubles.append(trouble)

    pullers = [threading.Thread(target=pull) for _ in range(3)]
    for each in pullers:
        each.start()
    for each in pullers:
        each.join()
    assert troubles == []
    assert [each.errors for each in told] == [{}, {}, {}]
    assert sum(each.total for each in told) == 8
    assert len(workspace.journal()) == lines + 3
    agrees(workspace)


def test_a_long_memory_comes_in_pieces(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """Many new ones are taken in by several transactions; a person's change gets in between."""
    lines = [
        json.dumps(
            {"type": "entity", "name": f"Zebra {n}", "entityType": "z", "observations": [f"Stripes {n}"]}
        )
        for n in range(2_500)
    ]
    place = demo_workspace.places[MCP]
    place.write_text(place.read_text() + "\n" + "\n".join(lines))
    id = the(workspace, SAMPLE[FOUNDER])
    with demo_workspace.opened() as other:
        puller = threading.Thread(target=lambda: told.append(_pull(demo_workspace)))
        told: list[int] = []
        puller.start()
        for number in range(5):
            other.edit([id], {"content": f"Said {number}."})
        puller.join()
    assert told == [2_500]
    agrees(workspace)


def _pull(demo_workspace: DemoWorkspace) -> int:
    with demo_workspace.opened() as workspace:
        return workspace.pull().total


@pytest.mark.parametrize("next_act", ["pull", "pin"])
def test_a_change_that_was_cut_off_is_settled_before_the_next(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, next_act: str
) -> None:
    """Not by a crash: the second transaction failed, and this process lives on."""
    id = the(workspace, SAMPLE[MCP])

    def fail(*_: object) -> None:
        raise OSError("the disk is gone for a moment")

    with monkeypatch.context() as patch:
        patch.setattr(outbox, "settle", fail)
        change = workspace.edit([id], {"content": "Is allergic to zebras"})
    assert "the journal entry is finished at the next start" in change.summary
    assert workspace.journal()[0].state == "intended"
    if next_act == "pull":
        assert workspace.pull().total == 0
    else:
        workspace.undo(workspace.pin([the(workspace, SAMPLE[FOUNDER])]).journal_id)
    assert "intended" not in {event.state for event in workspace.journal()}
    assert memory(workspace, id).content == "Is allergic to zebras"
    agrees(workspace)
    workspace.undo()
    assert the(workspace, SAMPLE[MCP]) == id
    assert refusal(workspace.undo).code == "nothing"
    agrees(workspace)


def test_a_look_that_finds_nothing_to_read_keeps_no_writer_out(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database without a log lets nobody write while it is read: that is over before we wait."""
    place, real = demo_workspace.places[FOUNDER], _Turn.transaction
    agent_sets(place, "PRAGMA journal_mode=DELETE")
    workspace.pull()
    todo = ["UPDATE memories SET content = 'Tomas left.' WHERE key = 'tomas-lead'"]

    def meanwhile(turn: _Turn, *, writes: bool) -> AbstractContextManager[None]:
        if todo:
            agent_sets(place, todo.pop())
        return real(turn, writes=writes)

    monkeypatch.setattr(_Turn, "transaction", meanwhile)
    agent_sets(place, "PRAGMA user_version = 7")  # the file is another one, its memories are the same
    pulled = workspace.pull()
    assert (pulled.changes, pulled.errors, todo) == ({}, {}, [])
    assert workspace.pull().changes == {FOUNDER: (0, 1, 0)}
    agrees(workspace)
