"""Memories keep their identity when an agent's program overwrites edits or rewords them (S-6, S-53)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    SAMPLE,
    DemoWorkspace,
    agent_executes,
    agent_replaces,
    assert_in_sync,
    find_id,
    memory,
    refusal,
)
from tests.support.stores import mcp_memory

EDITED = "Is allergic to almonds."


@pytest.fixture(autouse=True)
def seen(workspace: Workspace) -> None:
    workspace.mark_seen()


def overwrite_an_edit(demo_workspace: DemoWorkspace, workspace: Workspace) -> int:
    """Pin and edit a memory, let the agent's program overwrite the edit, and return the memory's id.

    The program read the file before the edit and writes it afterwards, with an observation added.
    """
    path = demo_workspace.store_paths[MCP]
    id = find_id(workspace, SAMPLE[MCP])
    workspace.pin([id], "ours")
    read = path.read_text()
    workspace.edit([id], {"content": EDITED})
    path.write_text(read.replace('"Is allergic to nuts"', '"Is allergic to nuts","Saw a zebra"'))
    return id


def test_an_overwritten_edit_can_be_redone(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = overwrite_an_edit(demo_workspace, workspace)
    uid = memory(workspace, id).uid
    assert workspace.pull().changes == {MCP: (1, 1, 0)}
    now = memory(workspace, id)
    assert (now.uid, now.content, now.pinned) == (uid, "Is allergic to nuts", True)
    entry, added, edited, _ = workspace.journal()[:4]
    assert (entry.kind, entry.summary) == (
        "overwritten",
        f"{MCP}: 1 change was overwritten by the agent's program",
    )
    assert added.summary == f"{MCP}: 1 added"
    assert edited.state == "undone"
    activity = {(item.kind, item.overwritten, item.content) for item in workspace.agent_activity().items}
    assert activity == {("changed", True, "Is allergic to nuts"), ("added", False, "Saw a zebra")}
    assert_in_sync(workspace)
    # Undoing the entry redoes the edit, which can be undone and redone as usual.
    assert workspace.undo(entry.id).summary.startswith("Redone: Edited 1 memory")
    text = demo_workspace.store_paths[MCP].read_text()
    assert EDITED in text
    assert "Saw a zebra" in text
    assert (memory(workspace, id).content, workspace.journal()[3].state) == (EDITED, "done")
    assert [item.kind for item in workspace.agent_activity().items] == ["added"]
    workspace.undo()
    assert demo_workspace.store_paths[MCP].read_text() == text.replace(EDITED, "Is allergic to nuts")
    assert_in_sync(workspace)


def test_the_next_change_finds_an_overwritten_edit_before_any_pull(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = overwrite_an_edit(demo_workspace, workspace)
    other = find_id(workspace, "Works four days")
    workspace.edit([other], {"category": "colleague"})
    workspace.pull()
    assert memory(workspace, id).content == "Is allergic to nuts"
    assert [item.memory_id for item in workspace.agent_activity().items if item.overwritten] == [id]
    assert_in_sync(workspace)


def test_undo_warns_before_it_reverts_an_older_change(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = overwrite_an_edit(demo_workspace, workspace)
    workspace.pull()
    refused = refusal(lambda: workspace.undo(warn=True))
    assert "was overwritten by the agent's program" in refused.message
    assert memory(workspace, id).pinned
    workspace.undo(warn=True)
    assert not memory(workspace, id).pinned


@pytest.mark.parametrize(
    ("store", "fields", "sql"),
    [
        (FOUNDER, {"content": "In euros."}, "UPDATE memories SET content = ? WHERE key = 'offer-currency'"),
        (FOUNDER, {"status": "dismissed"}, "UPDATE memories SET status = ? WHERE key = 'offer-currency'"),
    ],
)
def test_an_overwritten_row_can_be_redone(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str, fields: dict[str, str], sql: str
) -> None:
    id, (name, value) = find_id(workspace, SAMPLE[store]), *fields.items()
    original = getattr(memory(workspace, id), name)
    if name == "status":
        workspace.dismiss([id])
    else:
        workspace.edit([id], fields)
    agent_executes(demo_workspace.store_paths[store], sql, original)
    workspace.pull()
    (item,) = workspace.agent_activity().items
    assert item.overwritten
    workspace.undo(item.entry_id)
    assert getattr(memory(workspace, id), name) == value
    assert_in_sync(workspace)


def test_an_overwritten_entity_name_can_be_redone(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[MCP]
    id, read = find_id(workspace, SAMPLE[MCP]), path.read_text()
    name = str(memory(workspace, id).subject)
    observation_ids = {
        i for i in workspace.search(f'store:"{MCP}"').ids if memory(workspace, i).subject == name
    }
    workspace.edit([id], {"subject": "Somebody Else"})
    path.write_text(read)
    workspace.pull()
    assert {memory(workspace, each).subject for each in observation_ids} == {name}
    assert set(workspace.search(f'store:"{MCP}"').ids) >= observation_ids
    (entry,) = [event for event in workspace.journal() if event.kind == "overwritten"]
    workspace.undo(entry.id)
    assert {memory(workspace, each).subject for each in observation_ids} == {"Somebody Else"}
    assert_in_sync(workspace)


def test_a_memory_reworded_by_an_agent_keeps_its_identity(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    workspace.pin([id], "ours")
    agent_replaces(demo_workspace.store_paths[MCP], "Is allergic to nuts", "Is allergic to nuts and bees")
    assert workspace.pull().changes == {MCP: (0, 1, 0)}
    (item,) = workspace.agent_activity().items
    assert (item.memory_id, item.kind, item.overwritten) == (id, "changed", False)
    assert item.before == {"content": "Is allergic to nuts"}
    assert memory(workspace, id).pinned
    workspace.undo(item.entry_id)
    assert memory(workspace, id).content == "Is allergic to nuts"
    assert workspace.agent_activity().items == []
    assert_in_sync(workspace)


def test_reworded_bullets_keep_their_identity_and_replaced_ones_do_not(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    index = demo_workspace.store_paths[CLAUDE] / "MEMORY.md"
    index.write_text(
        f"{index.read_text()}\n- Tea is at four\n- Ask before you force-push\n- The lift is slow\n- Ünïcode\n"
    )
    workspace.pull()
    workspace.mark_seen()
    ids = {words: find_id(workspace, words) for words in ("tea four", "force push", "lift slow", "Ünïcode")}
    agent_replaces(index, "- Tea is at four\n", "- Tea is at five\n")
    agent_replaces(index, "- Ask before you force-push\n", "- Always ask before you force-push to main\n")
    agent_replaces(index, "- The lift is slow\n", "- Printers jam on Mondays\n")
    agent_replaces(index, "- Ünïcode\n", "- Ünïcodes\n")
    assert workspace.pull().changes == {CLAUDE: (1, 3, 1)}
    assert memory(workspace, ids["tea four"]).content == "Tea is at five"
    assert memory(workspace, ids["force push"]).content == "Always ask before you force-push to main"
    assert memory(workspace, ids["Ünïcode"]).content == "Ünïcodes"
    assert list(workspace.search("is:removed").ids) == [ids["lift slow"]]
    assert_in_sync(workspace)


def test_ambiguous_rewordings_are_not_matched(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    line = '{"type":"entity","name":"Bo","entityType":"person","observations":["%s"]}'
    path.write_text(line % '","'.join(f"Has key number {n} of the shed" for n in (1, 2)))
    workspace = Workspace.open(tmp_path / "w.db")
    workspace.attach(path, "m")
    path.write_text(line % '","'.join(f"Has key number {n} of the shed" for n in (3, 4)))
    assert workspace.pull().changes == {"m": (2, 0, 2)}
    workspace.close()


def test_a_new_entity_is_not_matched_to_one_of_several_removed_ones(tmp_path: Path) -> None:
    def entities_named(*names: str) -> bytes:
        entities = (mcp_memory.entity(name, "Works at home") for name in names)
        return "\n".join(mcp_memory.lines(*entities)).encode()

    mcp_memory.make(tmp_path / "memory.jsonl", entities_named("Ana", "Bo", "Cy"))
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        (store,) = workspace.attach(tmp_path / "memory.jsonl")
        (tmp_path / "memory.jsonl").write_bytes(entities_named("Cy", "Dee"))
        assert workspace.pull().changes == {store.name: (1, 0, 2)}
        (tmp_path / "memory.jsonl").write_bytes(entities_named("Cy", "Eve"))
        assert workspace.pull().changes == {store.name: (0, 1, 0)}


def files_in(path: Path) -> dict[Path, bytes]:
    """Return the bytes of each file of a store."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return {file: file.read_bytes() for file in files}


@pytest.mark.parametrize("store", [MCP, CLAUDE])
def test_a_dismissed_memory_written_again_by_an_agent_is_restored(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    path = demo_workspace.store_paths[store]
    id, before = find_id(workspace, SAMPLE[store]), files_in(path)
    workspace.pin([id], "ours")
    uid = memory(workspace, id).uid
    workspace.dismiss([id])
    dismissed = files_in(path)
    for file, data in before.items():
        file.write_bytes(data)
    assert workspace.pull().changes == {store: (0, 1, 0)}
    now = memory(workspace, id)
    assert (now.uid, now.status, now.pinned) == (uid, "confirmed", True)
    (item,) = workspace.agent_activity().items
    assert (item.uid, item.effective_kind, item.overwritten) == (uid, "restored", True)
    assert_in_sync(workspace)
    # Undoing the entry dismisses it again, which can be undone and redone as usual.
    workspace.undo(item.entry_id)
    assert (memory(workspace, id).status, files_in(path)) == ("dismissed", dismissed)
    workspace.undo()
    assert files_in(path) == before
    assert_in_sync(workspace)


def test_the_next_change_finds_a_dismissed_memory_written_again(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[MCP]
    id, text = find_id(workspace, SAMPLE[MCP]), path.read_text()
    workspace.dismiss([id])
    path.write_text(text)
    workspace.edit([find_id(workspace, "Works four days")], {"category": "colleague"})
    assert memory(workspace, id).status == "confirmed"
    assert workspace.pull().total == 0
    assert_in_sync(workspace)


def test_restoring_a_dismissed_memory_written_again_keeps_both(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """The refs of the two equal texts differ by a number."""
    path = demo_workspace.store_paths[MCP]
    id, text = find_id(workspace, SAMPLE[MCP]), path.read_text()
    workspace.dismiss([id])
    path.write_text(text)
    workspace.restore([id])
    assert len(workspace.search(SAMPLE[MCP]).ids) == 2
    assert workspace.pull().total == 0
    assert_in_sync(workspace)


def test_a_new_memory_is_not_matched_to_one_of_several_dismissed_ones(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.jsonl"
    line = '{"type":"entity","name":"Bo","entityType":"person","observations":["Sails"%s]}'
    path.write_text(line % ',"Knits","Knits"')
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        workspace.attach(path, "m")
        workspace.dismiss(workspace.search("knits").ids)
        path.write_text(line % ',"Knits"')
        assert workspace.pull().changes == {"m": (1, 0, 0)}


def test_a_superseded_memory_written_again_by_an_agent_is_a_new_memory(tmp_path: Path) -> None:
    """A verdict does not apply to a text that an agent writes later."""
    path = tmp_path / "memory.jsonl"
    line = '{"type":"entity","name":"Bo","entityType":"person","observations":["Drinks tea","Drinks coffee"]}'
    path.write_text(line)
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        workspace.attach(path, "m")
        loser = find_id(workspace, "coffee")
        workspace.supersede([loser], find_id(workspace, "tea"))
        path.write_text(line)
        assert workspace.pull().changes == {"m": (1, 0, 0)}
        assert memory(workspace, loser).status == "dismissed"
        (fresh,) = workspace.search("coffee").ids
        assert memory(workspace, fresh).superseded_by is None
