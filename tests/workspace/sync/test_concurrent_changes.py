"""Changes of agents are reported also when an edit in memtui read them before a pull did (S-5, S-53)."""

from __future__ import annotations

import json
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
)
from tests.support.stores import cognitive


@pytest.fixture(autouse=True)
def seen(workspace: Workspace) -> None:
    workspace.mark_seen()


def news_before_and_after_pull(workspace: Workspace) -> set[tuple[str, str]]:
    """Pull, and return the (kind, content) pairs that are reported; those from before must be among them."""
    before = {(item.kind, item.content) for item in workspace.agent_activity().items}
    workspace.pull()
    after = {(item.kind, item.content) for item in workspace.agent_activity().items}
    assert before <= after
    assert_in_sync(workspace)
    return after


def test_a_memory_added_next_to_an_edited_one_is_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    agent_replaces(
        demo_workspace.store_paths[MCP], '"Is allergic to nuts"', '"Saw a zebra","Is allergic to nuts"'
    )
    workspace.edit([id], {"content": "Is allergic to almonds."})
    assert [(item.kind, item.content) for item in workspace.agent_activity().items] == [
        ("added", "Saw a zebra")
    ]
    assert news_before_and_after_pull(workspace) == {("added", "Saw a zebra")}
    (entry,) = [event for event in workspace.journal() if event.actor == f"sync:{MCP}"]
    workspace.undo(entry.id)
    assert "zebra" not in demo_workspace.store_paths[MCP].read_text()
    assert memory(workspace, id).content == "Is allergic to almonds."
    assert_in_sync(workspace)


def test_a_memory_removed_next_to_an_edited_one_is_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[MCP]
    entity = next(
        json.loads(line)
        for line in path.read_text().splitlines()
        if "Is allergic to nuts" in json.loads(line).get("observations", ())
    )
    other = next(text for text in entity["observations"] if text != "Is allergic to nuts")
    text = path.read_text().replace(f"{json.dumps(other, ensure_ascii=False)},", "")
    assert text != path.read_text()
    path.write_text(text)
    workspace.edit([find_id(workspace, SAMPLE[MCP])], {"content": "Is allergic to almonds."})
    assert news_before_and_after_pull(workspace) == {("removed", other)}


# How an agent changes another field of the sample memory of each store.
FIELDS = {
    FOUNDER: ("category", "pattern", {"content": "In euros."}),
    CLAUDE: ("content", "staging in May", {"category": "project"}),
}


@pytest.mark.parametrize("store", FIELDS)
def test_another_field_changed_in_the_edited_memory_is_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id, path = find_id(workspace, SAMPLE[store]), demo_workspace.store_paths[store]
    name, value, edited = FIELDS[store]
    before = getattr(memory(workspace, id), name)
    if store == FOUNDER:
        agent_executes(path, "UPDATE memories SET category = 'pattern' WHERE key = 'offer-currency'")
    else:
        agent_replaces(path / "feedback_tests.md", "production in March", value)
    workspace.edit([id], edited)
    (item,) = workspace.agent_activity().items
    assert (item.kind, item.memory_id, item.before[name]) == ("changed", id, before)
    assert value in item.after[name]
    assert not item.after.keys() & edited.keys()
    workspace.pull()
    assert len(workspace.agent_activity().items) == 1
    workspace.undo()
    assert value in getattr(memory(workspace, id), name)
    assert_in_sync(workspace)


def test_bullets_added_next_to_an_edited_one_are_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    index = demo_workspace.store_paths[CLAUDE] / "MEMORY.md"
    index.write_text(index.read_text() + "\n- Tea is at four\n- Lunch is at noon\n")
    workspace.pull()
    workspace.mark_seen()
    agent_replaces(index, "- Tea is at four\n", "- Tea is at four\n- Coffee is at ten\n")
    agent_replaces(index, "noon\n", "noon\n- Cake is on Fridays\n")
    workspace.edit([find_id(workspace, "tea four")], {"content": "Tea is at five"})
    assert news_before_and_after_pull(workspace) == {
        ("added", "Coffee is at ten"),
        ("added", "Cake is on Fridays"),
    }


def test_own_changes_are_not_reported(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    for store, words in SAMPLE.items():
        id = find_id(workspace, words)
        workspace.edit([id], {"content": f"Other words in {store}."})
        workspace.undo()
        workspace.redo()
        workspace.dismiss([id])
        workspace.restore([id])
    workspace.edit([find_id(workspace, f"words {MCP}")], {"category": "animal"})
    assert news_before_and_after_pull(workspace) == set()


def test_a_changed_frontmatter_field_is_reported_without_the_edited_body(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    cognitive.make(path)
    workspace = Workspace.open(tmp_path / "w.db")
    workspace.attach(path, "notes")
    id = next(id for id in workspace.search("").ids if memory(workspace, id).ref == cognitive.SOCKETS)
    note = path / cognitive.SOCKETS_AT
    note.write_text(note.read_text().replace("tags: [", "tags: [zebra, "))
    workspace.edit([id], {"content": f"{memory(workspace, id).content}\n\nMore of it."})
    (item,) = workspace.agent_activity().items
    assert "zebra" in item.after["tags"]
    assert "content" not in item.after
    workspace.close()


def test_a_rewritten_frontmatter_with_equal_fields_is_not_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """Claude Code rewrites the frontmatter at each write, with the current time and session."""
    note = demo_workspace.store_paths[CLAUDE] / "feedback_tests.md"
    body = note.read_text().split("---\n", 2)[2]
    head = "name: tests\ndescription: d\nmetadata:{}\n  node_type: memory\n  type: feedback\n"
    head += "  originSessionId: {}\n  modified: {}\n"
    note.write_text(f"---\n{head.format(' ', 's-1', '2026-03-04T05:06:07.123Z')}---\n{body}")
    workspace.pull()
    workspace.mark_seen()
    note.write_text(f"---\n{head.format('', 's-2', '2026-11-23T05:06:07.123Z')}---\n{body}")
    assert workspace.pull().changes == {}
    assert memory(workspace, find_id(workspace, SAMPLE[CLAUDE])).session_id == "s-2"
    agent_replaces(note, "production in March", "staging in May")
    assert workspace.pull().changes == {CLAUDE: (0, 1, 0)}
