"""Attaching reads a store and leaves no trace in it; detaching forgets nothing (S-2, S-2a, S-4)."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOREIGN,
    FOUNDER,
    MCP,
    NATIVE,
    STORES,
    Clock,
    DemoWorkspace,
    agrees,
    contents,
    detail_of,
    files_under,
    memory,
    outcome,
    places,
    refusal,
    rows,
    stores_in,
    the,
    told,
)
from tests.support.empty_workspace import empty
from tests.support.stores import bytes_of, founder_os, restless


def uids(workspace: Workspace) -> set[tuple[str, str]]:
    """What each foreign memory is called, and what it says."""
    return {(row["uid"], row["content"]) for row in rows(workspace).values() if row["digest"]}


def traces(folder: Path) -> dict[str, object]:
    """The bytes of the three stores, as another process reads them."""
    there = places(folder)
    return {
        FOUNDER: bytes_of(there[FOUNDER]),
        CLAUDE: contents(there[CLAUDE]),
        MCP: contents(there[MCP]),
    }


def fresh(folder: Path, name: str = "fresh.db") -> Workspace:
    return Workspace.open(empty(folder / name), clock=Clock())


def test_attaching_brings_every_memory_once(workspace: Workspace) -> None:
    agrees(workspace)
    assert [info.count for info in workspace.stores()] == [5, 11, 8, 14]
    assert workspace.counts().all == 38


def test_attaching_changes_no_byte_and_leaves_no_file(tmp_path: Path) -> None:
    stores = stores_in(tmp_path)
    before, files = traces(tmp_path), files_under(*(place.parent for place in stores.values()))
    workspace = fresh(tmp_path)
    for place in stores.values():
        workspace.attach(place)
    workspace.pull()
    workspace.close()
    assert traces(tmp_path) == before
    assert files_under(*(place.parent for place in stores.values())) == files


def test_attaching_again_changes_nothing(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    before, journal = rows(workspace, removed=True), workspace.journal()
    for place in demo_workspace.places.values():
        workspace.attach(place)
    assert rows(workspace, removed=True) == before
    assert workspace.journal() == journal


def test_a_memory_has_the_same_uid_in_another_workspace(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    other = fresh(demo_workspace.folder)
    for place in reversed(demo_workspace.places.values()):
        other.attach(place)
    assert uids(other) == uids(workspace)
    other.close()


def test_a_memory_has_the_same_uid_where_its_folder_was_moved(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    shutil.copytree(demo_workspace.places[CLAUDE], demo_workspace.folder / "elsewhere" / "memory")
    other = fresh(demo_workspace.folder)
    other.attach(demo_workspace.folder / "elsewhere" / "memory")
    assert uids(other) <= uids(workspace)
    assert len(uids(other)) == 8
    other.close()


@pytest.mark.parametrize("name", [CLAUDE, MCP])
def test_two_copies_of_a_store_are_two_stores(
    demo_workspace: DemoWorkspace, workspace: Workspace, name: str
) -> None:
    place, copy = (
        demo_workspace.places[name],
        demo_workspace.folder / "copy" / demo_workspace.places[name].name,
    )
    (shutil.copytree if place.is_dir() else _copy)(place, copy)
    before = rows(workspace)
    (info,) = workspace.attach(copy)
    assert info.name == f"{name.partition(':')[0]}:copy"
    assert info.count == len(told(place))
    assert {id: row for id, row in rows(workspace).items() if id in before} == before
    assert len({row["uid"] for row in rows(workspace).values()}) == len(rows(workspace))
    taken = {row["uid"] for row in rows(workspace).values()}
    workspace.attach(copy)
    assert {row["uid"] for row in rows(workspace).values()} == taken
    agrees(workspace)


def _copy(place: Path, copy: Path) -> None:
    copy.parent.mkdir()
    shutil.copy(place, copy)


def test_a_folder_brings_the_stores_in_it(demo_workspace: DemoWorkspace) -> None:
    other = fresh(demo_workspace.folder)
    assert [info.name for info in other.attach(demo_workspace.folder / "larkfield")] == [FOUNDER]
    other.close()


def test_a_store_is_named_after_its_format_and_folder(workspace: Workspace) -> None:
    assert [info.name for info in workspace.stores()] == list(STORES)


def test_a_name_can_be_given_and_none_is_given_twice(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    first = stores_in(demo_workspace.folder / "more")
    second = stores_in(demo_workspace.folder / "yet" / "more")
    names = [workspace.attach(first[FOUNDER], "acme")[0].name, workspace.attach(second[FOUNDER])[0].name]
    assert names == ["acme", f"{FOUNDER}-2"]
    assert [info.name for info in workspace.stores()] == [*STORES, *names]


def test_where_nothing_is_the_refusal_tells_what_was_looked_for(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = rows(workspace), workspace.stores(), workspace.journal()
    (demo_workspace.folder / "list.txt").write_text("milk\nbread\n")
    for place in ("list.txt", "office"):
        told = refusal(partial(workspace.attach, demo_workspace.folder / place))
        assert "Looked for" in told.message
        assert "Founder OS" in told.message
    assert (rows(workspace), workspace.stores(), workspace.journal()) == before


# -- detaching


@pytest.mark.parametrize("name", FOREIGN)
def test_detaching_keeps_pins_and_history_for_the_next_time(
    demo_workspace: DemoWorkspace, workspace: Workspace, name: str
) -> None:
    id = next(id for id, row in rows(workspace).items() if workspace.rows([id])[0].store == name)
    workspace.pin([id], "on purpose")
    pinned, history = memory(workspace, id), detail_of(workspace, id).history
    before = contents(demo_workspace.places[name])
    workspace.detach(name)
    assert name not in [info.name for info in workspace.stores()]
    assert id not in workspace.search("", live=False).ids
    assert id not in workspace.search("is:pinned").ids
    assert contents(demo_workspace.places[name]) == before
    workspace.attach(demo_workspace.places[name])
    assert memory(workspace, id) == pinned
    assert detail_of(workspace, id).history == history
    assert workspace.journal()[0].summary == f"Attached {name} again"
    agrees(workspace)


@pytest.mark.parametrize("name", FOREIGN)
def test_a_detached_store_is_known_again_at_its_new_place(
    demo_workspace: DemoWorkspace, workspace: Workspace, name: str
) -> None:
    ids = [id for id in rows(workspace) if workspace.rows([id])[0].store == name]
    workspace.pin(ids)
    before = {id: memory(workspace, id).uid for id in ids}
    workspace.detach(name)
    place = demo_workspace.places[name]
    new = demo_workspace.folder / "new" / "home"
    shutil.move(place.parent, new)
    (info,) = workspace.attach(new / place.name)
    assert info.name == name
    assert info.path == str(new / place.name)
    assert {id: memory(workspace, id).uid for id in ids} == before
    assert all(memory(workspace, id).pinned for id in ids)
    workspace.edit(ids[:1], {"content": "Said anew at the new place."})
    agrees(workspace)


def test_what_changed_while_a_store_was_detached_is_news(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    workspace.detach(MCP)
    place = demo_workspace.places[MCP]
    place.write_text(place.read_text().replace('"Is allergic to nuts",', ""))
    workspace.attach(place)
    assert workspace.journal()[0].summary == f"{MCP}: 1 removed"
    agrees(workspace)


def test_a_memory_of_a_detached_store_cannot_be_changed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = the(workspace, "allergic")
    workspace.detach(MCP)
    before = contents(demo_workspace.places[MCP])
    detail = detail_of(workspace, id)
    for verb in (workspace.pin, workspace.dismiss, workspace.confirm):
        told = refusal(partial(verb, [id]))
        assert "detached" in told.message
    assert all("detached" in why for why in detail.blocked.values())
    assert "edit" in detail.blocked
    assert contents(demo_workspace.places[MCP]) == before


def test_an_edit_is_not_undone_in_a_detached_store(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    workspace.edit([the(workspace, "allergic")], {"content": "Is allergic to pollen"})
    workspace.detach(MCP)
    before = contents(demo_workspace.places[MCP])
    assert "detached" in refusal(workspace.undo).message
    assert contents(demo_workspace.places[MCP]) == before
    workspace.attach(demo_workspace.places[MCP])
    workspace.undo()
    assert the(workspace, "allergic nuts")


def test_our_own_store_stays(workspace: Workspace) -> None:
    assert refusal(lambda: workspace.detach(NATIVE)).code == "native"
    assert FOUNDER in refusal(lambda: workspace.detach("nobody")).hint


# -- a store that is gone


@pytest.mark.parametrize("name", FOREIGN)
def test_a_store_that_vanished_is_told_and_its_memories_stay(
    demo_workspace: DemoWorkspace, workspace: Workspace, name: str
) -> None:
    place = demo_workspace.places[name]
    ids = [id for id in rows(workspace) if workspace.rows([id])[0].store == name]
    before = rows(workspace)
    shutil.move(place, demo_workspace.folder / "away")
    pulled = workspace.pull()
    assert list(pulled.errors) == [name]
    assert str(place) in pulled.errors[name]
    (info,) = [info for info in workspace.stores() if info.name == name]
    assert str(place) in info.error
    assert str(place) in info.read_only
    assert rows(workspace) == before
    detail = detail_of(workspace, ids[0])
    assert set(detail.blocked) == {"pin", "unpin", "confirm", "edit", "dismiss", "restore"}
    assert all(str(place) in why for why in detail.blocked.values())
    for act in (
        lambda: workspace.edit(ids[:1], {"content": "Another text."}),
        lambda: workspace.pin(ids[:1]),
        lambda: workspace.dismiss(ids[:1]),
        lambda: workspace.add({"content": "One more.", "subject": "Bo Janssen"}, name),
    ):
        assert refusal(act).code == "missing"
    assert rows(workspace) == before
    shutil.move(demo_workspace.folder / "away", place)
    assert workspace.pull().total == 0
    (info,) = [info for info in workspace.stores() if info.name == name]
    assert info.error == ""
    assert detail_of(workspace, ids[0]).blocked.keys() == {"unpin", "restore"}


def test_a_vanished_store_holds_up_no_other(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    shutil.move(demo_workspace.places[FOUNDER], demo_workspace.folder / "away")
    place = demo_workspace.places[MCP]
    place.write_text(place.read_text().replace("Is allergic to nuts", "Is allergic to cats"))
    pulled = workspace.pull()
    assert list(pulled.changes) == [MCP]
    ids = [the(workspace, "allergic cats"), the(workspace, "Swiss francs")]
    change = workspace.pin(ids)
    assert change.ids == (ids[0],)
    assert [(left.code, memory(workspace, ids[1]).uid == left.uid) for left in change.skipped] == [
        ("missing", True)
    ]
    assert {state for state, _ in outcome(workspace, change.journal_id)} == {"done", "refused"}


def test_relations_come_along(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    detail = detail_of(workspace, the(workspace, "allergic"))
    said = [(each.source, each.kind, each.target) for each in detail.relations]
    assert ("Bo Janssen", "works_at", "Larkfield") in said
    place = demo_workspace.places[MCP]
    line = {"type": "relation", "from": "Bo Janssen", "to": "Utrecht market stall", "relationType": "minds"}
    place.write_text(place.read_text() + "\n" + json.dumps(line))
    workspace.pull()
    detail = detail_of(workspace, the(workspace, "allergic"))
    assert ("Bo Janssen", "minds", "Utrecht market stall") in [
        (each.source, each.kind, each.target) for each in detail.relations
    ]


def test_a_memory_may_be_called_as_our_own_marks_are(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """An entity is named by an agent: its name must not be taken for a mark of ours."""
    place = demo_workspace.places[MCP]
    for name in ("left:turn", "adding:up", "moved:house", "renaming:1"):
        line = {"type": "entity", "name": name, "entityType": "note", "observations": [f"About {name}"]}
        place.write_text(place.read_text() + "\n" + json.dumps(line))
    assert workspace.pull().changes == {MCP: (4, 0, 0)}
    assert workspace.pull().total == 0
    agrees(workspace)


def test_refused_is_what_is_raised(workspace: Workspace) -> None:
    with pytest.raises(Refused):
        workspace.attach("/nowhere/at/all")


def test_a_store_is_attached_beside_an_agent_that_never_rests(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a log beside it and with much to read, a copy is read."""
    rows = [
        founder_os.MEMORIES[0] | {"id": str(n), "key": str(n), "embedding": "x" * 20_000} for n in range(300)
    ]
    place = founder_os.make(
        demo_workspace.folder / "busy" / "memory.db", rows, adaptations=(), journal="delete"
    )
    monkeypatch.setattr("memtui.formats.media.sqlite.block_scan.FEW", 0)
    with restless(place, "UPDATE memories SET times_used = times_used + 1 WHERE id = '7'"):
        (info,) = workspace.attach(place)
    assert (info.count, info.error) == (300, "")


def many_facts(folder: Path) -> Path:
    """An MCP memory in which one entity has 25 observations."""
    place = folder / "many" / "memory.jsonl"
    place.parent.mkdir()
    facts = [f"Fact {n}" for n in range(25)]
    place.write_text(json.dumps({"type": "entity", "name": "E", "entityType": "x", "observations": facts}))
    return place


def test_a_first_reading_that_fails_leaves_nothing_behind(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.workspace.sync.pull.CHUNK", 10)
    place = many_facts(demo_workspace.folder)
    before, stores = rows(workspace), workspace.stores()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    workspace.tell_progress(interrupted)
    with pytest.raises(KeyboardInterrupt):
        workspace.attach(place)
    assert (rows(workspace), workspace.stores()) == (before, stores)
    agrees(workspace)
    workspace.tell_progress(lambda *_: None)
    (info,) = workspace.attach(place)
    assert (info.name, info.count) == ("mcp-memory:many", 25)
    agrees(workspace)


def test_a_first_reading_that_was_broken_off_is_told_whole_once_it_is_done(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.workspace.sync.pull.CHUNK", 10)
    place = many_facts(demo_workspace.folder)
    workspace.tell_progress(lambda *_: workspace.end())
    assert refusal(lambda: workspace.attach(place)).code == "closing"
    workspace.close()
    with demo_workspace.opened() as again:
        again.pull()
        assert again.journal()[0].summary == "Attached mcp-memory:many: 25 memories"
        agrees(again)


def test_a_url_is_no_place_of_a_store(workspace: Workspace) -> None:
    url = "postgresql://ana:hunter2@db.example/memories"
    for refused in (
        refusal(lambda: workspace.attach(url)),
        refusal(lambda: workspace.create_store("cognitive", url)),
    ):
        assert str(refused).startswith("memtui cannot open postgresql:// URLs")
