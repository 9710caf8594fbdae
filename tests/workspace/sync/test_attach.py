"""Attaching leaves a store unchanged, and detaching keeps its history (S-2, S-2a, S-4)."""

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
    assert_in_sync,
    contents,
    create_foreign_stores,
    detail_of,
    files_under,
    find_id,
    item_states,
    memory,
    read_records,
    refusal,
    rows,
    store_paths,
)
from tests.support.empty_workspace import create_empty
from tests.support.stores import busy_writer, file_hashes, founder_os


def uids(workspace: Workspace) -> set[tuple[str, str]]:
    """Return the uid and content of each foreign memory."""
    return {(row["uid"], row["content"]) for row in rows(workspace).values() if row["digest"]}


def store_bytes(folder: Path) -> dict[str, object]:
    """Return the bytes of the three stores; another process reads the database's."""
    paths = store_paths(folder)
    return {
        FOUNDER: file_hashes(paths[FOUNDER]),
        CLAUDE: contents(paths[CLAUDE]),
        MCP: contents(paths[MCP]),
    }


def open_fresh(folder: Path, name: str = "fresh.db") -> Workspace:
    return Workspace.open(create_empty(folder / name), clock=Clock())


def test_attaching_reads_every_memory_once(workspace: Workspace) -> None:
    assert_in_sync(workspace)
    assert [info.count for info in workspace.stores()] == [5, 11, 8, 14]
    assert workspace.counts().all == 38


def test_attaching_changes_no_byte_and_leaves_no_file(tmp_path: Path) -> None:
    stores = create_foreign_stores(tmp_path)
    before, files = store_bytes(tmp_path), files_under(*(path.parent for path in stores.values()))
    workspace = open_fresh(tmp_path)
    for path in stores.values():
        workspace.attach(path)
    workspace.pull()
    workspace.close()
    assert store_bytes(tmp_path) == before
    assert files_under(*(path.parent for path in stores.values())) == files


def test_attaching_an_attached_store_changes_nothing(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before, journal = rows(workspace, removed=True), workspace.journal()
    for path in demo_workspace.store_paths.values():
        workspace.attach(path)
    assert rows(workspace, removed=True) == before
    assert workspace.journal() == journal


def test_a_memory_has_the_same_uid_in_another_workspace(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    other = open_fresh(demo_workspace.folder)
    for path in reversed(demo_workspace.store_paths.values()):
        other.attach(path)
    assert uids(other) == uids(workspace)
    other.close()


def test_a_memory_keeps_its_uid_when_its_folder_moves(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    shutil.copytree(demo_workspace.store_paths[CLAUDE], demo_workspace.folder / "elsewhere" / "memory")
    other = open_fresh(demo_workspace.folder)
    other.attach(demo_workspace.folder / "elsewhere" / "memory")
    assert uids(other) <= uids(workspace)
    assert len(uids(other)) == 8
    other.close()


@pytest.mark.parametrize("name", [CLAUDE, MCP])
def test_two_copies_of_a_store_are_two_stores(
    demo_workspace: DemoWorkspace, workspace: Workspace, name: str
) -> None:
    path, copy = (
        demo_workspace.store_paths[name],
        demo_workspace.folder / "copy" / demo_workspace.store_paths[name].name,
    )
    (shutil.copytree if path.is_dir() else _copy)(path, copy)
    before = rows(workspace)
    (info,) = workspace.attach(copy)
    assert info.name == f"{name.partition(':')[0]}:copy"
    assert info.count == len(read_records(path))
    assert {id: row for id, row in rows(workspace).items() if id in before} == before
    assert len({row["uid"] for row in rows(workspace).values()}) == len(rows(workspace))
    before_uids = {row["uid"] for row in rows(workspace).values()}
    workspace.attach(copy)
    assert {row["uid"] for row in rows(workspace).values()} == before_uids
    assert_in_sync(workspace)


def _copy(path: Path, copy: Path) -> None:
    copy.parent.mkdir()
    shutil.copy(path, copy)


def test_a_folder_attaches_the_stores_in_it(demo_workspace: DemoWorkspace) -> None:
    other = open_fresh(demo_workspace.folder)
    assert [info.name for info in other.attach(demo_workspace.folder / "larkfield")] == [FOUNDER]
    other.close()


def test_a_store_is_named_after_its_format_and_folder(workspace: Workspace) -> None:
    assert [info.name for info in workspace.stores()] == list(STORES)


def test_a_name_can_be_given_and_names_are_unique(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    first = create_foreign_stores(demo_workspace.folder / "more")
    second = create_foreign_stores(demo_workspace.folder / "yet" / "more")
    names = [workspace.attach(first[FOUNDER], "acme")[0].name, workspace.attach(second[FOUNDER])[0].name]
    assert names == ["acme", f"{FOUNDER}-2"]
    assert [info.name for info in workspace.stores()] == [*STORES, *names]


def test_a_path_without_a_store_is_refused_with_the_formats_tried(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = rows(workspace), workspace.stores(), workspace.journal()
    (demo_workspace.folder / "list.txt").write_text("milk\nbread\n")
    for path in ("list.txt", "workspace"):
        refused = refusal(partial(workspace.attach, demo_workspace.folder / path))
        assert "Looked for" in refused.message
        assert "Founder OS" in refused.message
    assert (rows(workspace), workspace.stores(), workspace.journal()) == before


# -- detaching


@pytest.mark.parametrize("name", FOREIGN)
def test_reattaching_restores_pins_and_history(
    demo_workspace: DemoWorkspace, workspace: Workspace, name: str
) -> None:
    id = next(id for id, row in rows(workspace).items() if workspace.rows([id])[0].store == name)
    workspace.pin([id], "on purpose")
    pinned, history = memory(workspace, id), detail_of(workspace, id).history
    before = contents(demo_workspace.store_paths[name])
    workspace.detach(name)
    assert name not in [info.name for info in workspace.stores()]
    assert id not in workspace.search("", live=False).ids
    assert id not in workspace.search("is:pinned").ids
    assert contents(demo_workspace.store_paths[name]) == before
    workspace.attach(demo_workspace.store_paths[name])
    assert memory(workspace, id) == pinned
    assert detail_of(workspace, id).history == history
    assert workspace.journal()[0].summary == f"Attached {name} again"
    assert_in_sync(workspace)


@pytest.mark.parametrize("name", FOREIGN)
def test_a_detached_store_is_recognised_at_its_new_path(
    demo_workspace: DemoWorkspace, workspace: Workspace, name: str
) -> None:
    ids = [id for id in rows(workspace) if workspace.rows([id])[0].store == name]
    workspace.pin(ids)
    before = {id: memory(workspace, id).uid for id in ids}
    workspace.detach(name)
    path = demo_workspace.store_paths[name]
    new = demo_workspace.folder / "new" / "home"
    shutil.move(path.parent, new)
    (info,) = workspace.attach(new / path.name)
    assert info.name == name
    assert info.path == str(new / path.name)
    assert {id: memory(workspace, id).uid for id in ids} == before
    assert all(memory(workspace, id).pinned for id in ids)
    workspace.edit(ids[:1], {"content": "Said anew at the new place."})
    assert_in_sync(workspace)


def test_changes_made_while_detached_are_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    workspace.detach(MCP)
    path = demo_workspace.store_paths[MCP]
    path.write_text(path.read_text().replace('"Is allergic to nuts",', ""))
    workspace.attach(path)
    assert workspace.journal()[0].summary == f"{MCP}: 1 removed"
    assert_in_sync(workspace)


def test_a_memory_of_a_detached_store_cannot_be_changed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, "allergic")
    workspace.detach(MCP)
    before = contents(demo_workspace.store_paths[MCP])
    detail = detail_of(workspace, id)
    for verb in (workspace.pin, workspace.dismiss, workspace.confirm):
        refused = refusal(partial(verb, [id]))
        assert "detached" in refused.message
    assert all("detached" in why for why in detail.blocked.values())
    assert "edit" in detail.blocked
    assert contents(demo_workspace.store_paths[MCP]) == before


def test_an_edit_is_not_undone_in_a_detached_store(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    workspace.edit([find_id(workspace, "allergic")], {"content": "Is allergic to pollen"})
    workspace.detach(MCP)
    before = contents(demo_workspace.store_paths[MCP])
    assert "detached" in refusal(workspace.undo).message
    assert contents(demo_workspace.store_paths[MCP]) == before
    workspace.attach(demo_workspace.store_paths[MCP])
    workspace.undo()
    assert find_id(workspace, "allergic nuts")


def test_the_own_store_cannot_be_detached(workspace: Workspace) -> None:
    assert refusal(lambda: workspace.detach(NATIVE)).code == "native"
    assert FOUNDER in refusal(lambda: workspace.detach("nobody")).hint


# -- a store that is gone


@pytest.mark.parametrize("name", FOREIGN)
def test_a_missing_store_is_reported_and_its_memories_stay(
    demo_workspace: DemoWorkspace, workspace: Workspace, name: str
) -> None:
    path = demo_workspace.store_paths[name]
    ids = [id for id in rows(workspace) if workspace.rows([id])[0].store == name]
    before = rows(workspace)
    shutil.move(path, demo_workspace.folder / "away")
    pulled = workspace.pull()
    assert list(pulled.errors) == [name]
    assert str(path) in pulled.errors[name]
    (info,) = [info for info in workspace.stores() if info.name == name]
    assert str(path) in info.error
    assert str(path) in info.read_only
    assert rows(workspace) == before
    detail = detail_of(workspace, ids[0])
    assert set(detail.blocked) == {"pin", "unpin", "confirm", "edit", "split", "dismiss", "restore"}
    assert all(str(path) in why for why in detail.blocked.values())
    for action in (
        lambda: workspace.edit(ids[:1], {"content": "Another text."}),
        lambda: workspace.pin(ids[:1]),
        lambda: workspace.dismiss(ids[:1]),
        lambda: workspace.add({"content": "One more.", "subject": "Bo Janssen"}, name),
    ):
        assert refusal(action).code == "missing"
    assert rows(workspace) == before
    shutil.move(demo_workspace.folder / "away", path)
    assert workspace.pull().total == 0
    (info,) = [info for info in workspace.stores() if info.name == name]
    assert info.error == ""
    assert detail_of(workspace, ids[0]).blocked.keys() == {"unpin", "restore"}


def test_a_missing_store_does_not_block_others(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    shutil.move(demo_workspace.store_paths[FOUNDER], demo_workspace.folder / "away")
    path = demo_workspace.store_paths[MCP]
    path.write_text(path.read_text().replace("Is allergic to nuts", "Is allergic to cats"))
    pulled = workspace.pull()
    assert list(pulled.changes) == [MCP]
    ids = [find_id(workspace, "allergic cats"), find_id(workspace, "Swiss francs")]
    change = workspace.pin(ids)
    assert change.ids == (ids[0],)
    assert [(skipped.code, memory(workspace, ids[1]).uid == skipped.uid) for skipped in change.skipped] == [
        ("missing", True)
    ]
    assert {state for state, _ in item_states(workspace, change.journal_id)} == {"done", "refused"}


def test_relations_are_read_with_memories(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    detail = detail_of(workspace, find_id(workspace, "allergic"))
    relations = [(each.source, each.kind, each.target) for each in detail.relations]
    assert ("Bo Janssen", "works_at", "Larkfield") in relations
    path = demo_workspace.store_paths[MCP]
    line = {"type": "relation", "from": "Bo Janssen", "to": "Utrecht market stall", "relationType": "minds"}
    path.write_text(path.read_text() + "\n" + json.dumps(line))
    workspace.pull()
    detail = detail_of(workspace, find_id(workspace, "allergic"))
    assert ("Bo Janssen", "minds", "Utrecht market stall") in [
        (each.source, each.kind, each.target) for each in detail.relations
    ]


def test_entity_names_may_look_like_internal_markers(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """Agents name entities: such a name must not be read as one of memtui's own markers."""
    path = demo_workspace.store_paths[MCP]
    for name in ("left:turn", "adding:up", "moved:house", "renaming:1"):
        line = {"type": "entity", "name": name, "entityType": "note", "observations": [f"About {name}"]}
        path.write_text(path.read_text() + "\n" + json.dumps(line))
    assert workspace.pull().changes == {MCP: (4, 0, 0)}
    assert workspace.pull().total == 0
    assert_in_sync(workspace)


def test_a_missing_path_is_refused(workspace: Workspace) -> None:
    with pytest.raises(Refused):
        workspace.attach("/nowhere/at/all")


def test_a_store_is_attached_while_an_agent_keeps_writing(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large database without a WAL is read from a copy."""
    rows = [
        founder_os.MEMORIES[0] | {"id": str(n), "key": str(n), "embedding": "x" * 20_000} for n in range(300)
    ]
    path = founder_os.make(
        demo_workspace.folder / "busy" / "memory.db", rows, adaptations=(), journal="delete"
    )
    monkeypatch.setattr("memtui.formats.media.sqlite.block_scan.FEW", 0)
    with busy_writer(path, "UPDATE memories SET times_used = times_used + 1 WHERE id = '7'"):
        (info,) = workspace.attach(path)
    assert (info.count, info.error) == (300, "")


def make_large_entity(folder: Path) -> Path:
    """Create an MCP memory with one entity that has 25 observations, and return its path."""
    path = folder / "many" / "memory.jsonl"
    path.parent.mkdir()
    facts = [f"Fact {n}" for n in range(25)]
    path.write_text(json.dumps({"type": "entity", "name": "E", "entityType": "x", "observations": facts}))
    return path


def test_a_failed_first_read_leaves_nothing_behind(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.workspace.sync.pull.CHUNK", 10)
    path = make_large_entity(demo_workspace.folder)
    before, stores = rows(workspace), workspace.stores()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    workspace.report_progress(interrupted)
    with pytest.raises(KeyboardInterrupt):
        workspace.attach(path)
    assert (rows(workspace), workspace.stores()) == (before, stores)
    assert_in_sync(workspace)
    workspace.report_progress(lambda *_: None)
    (info,) = workspace.attach(path)
    assert (info.name, info.count) == ("mcp-memory:many", 25)
    assert_in_sync(workspace)


def test_an_interrupted_first_read_is_journaled_once_complete(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.workspace.sync.pull.CHUNK", 10)
    path = make_large_entity(demo_workspace.folder)
    workspace.report_progress(lambda *_: workspace.stop_reading())
    assert refusal(lambda: workspace.attach(path)).code == "closing"
    workspace.close()
    with demo_workspace.opened() as reopened:
        reopened.pull()
        assert reopened.journal()[0].summary == "Attached mcp-memory:many: 25 memories"
        assert_in_sync(reopened)


def test_a_url_is_refused(workspace: Workspace) -> None:
    url = "postgresql://ana:hunter2@db.example/memories"
    for refused in (
        refusal(lambda: workspace.attach(url)),
        refusal(lambda: workspace.create_store("cognitive", url)),
    ):
        assert str(refused).startswith("Can't open postgresql:// URLs")
