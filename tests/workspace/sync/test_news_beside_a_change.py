"""What an agent wrote since the last look is news, also where a person's change met it first (S-5, S-53)."""

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
    agent_sets,
    agent_writes,
    agrees,
    memory,
    the,
)
from tests.support.stores import cognitive


@pytest.fixture(autouse=True)
def seen(workspace: Workspace) -> None:
    workspace.looked()


def told(workspace: Workspace) -> set[tuple[str, str]]:
    """What is new, before anybody pulls and after."""
    before = {(item.what, item.content) for item in workspace.since().items}
    workspace.pull()
    after = {(item.what, item.content) for item in workspace.since().items}
    assert before <= after
    agrees(workspace)
    return after


def test_what_an_agent_adds_beside_the_memory_that_a_person_edits(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = the(workspace, SAMPLE[MCP])
    agent_writes(demo_workspace.places[MCP], '"Is allergic to nuts"', '"Saw a zebra","Is allergic to nuts"')
    workspace.edit([id], {"content": "Is allergic to almonds."})
    assert [(item.what, item.content) for item in workspace.since().items] == [("added", "Saw a zebra")]
    assert told(workspace) == {("added", "Saw a zebra")}
    (line,) = [event for event in workspace.journal() if event.actor == f"sync:{MCP}"]
    workspace.undo(line.id)
    assert "zebra" not in demo_workspace.places[MCP].read_text()
    assert memory(workspace, id).content == "Is allergic to almonds."
    agrees(workspace)


def test_what_an_agent_takes_out_beside_it(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    place = demo_workspace.places[MCP]
    entity = next(
        json.loads(line)
        for line in place.read_text().splitlines()
        if "Is allergic to nuts" in json.loads(line).get("observations", ())
    )
    other = next(text for text in entity["observations"] if text != "Is allergic to nuts")
    text = place.read_text().replace(f"{json.dumps(other, ensure_ascii=False)},", "")
    assert text != place.read_text()
    place.write_text(text)
    workspace.edit([the(workspace, SAMPLE[MCP])], {"content": "Is allergic to almonds."})
    assert told(workspace) == {("removed", other)}


# How an agent changes another field of the sample memory of each store.
FIELDS = {
    FOUNDER: ("category", "pattern", {"content": "In euros."}),
    CLAUDE: ("content", "staging in May", {"category": "project"}),
}


@pytest.mark.parametrize("store", FIELDS)
def test_what_an_agent_changes_in_the_very_memory(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id, place = the(workspace, SAMPLE[store]), demo_workspace.places[store]
    name, value, ours = FIELDS[store]
    before = getattr(memory(workspace, id), name)
    if store == FOUNDER:
        agent_sets(place, "UPDATE memories SET category = 'pattern' WHERE key = 'offer-currency'")
    else:
        agent_writes(place / "feedback_tests.md", "production in March", value)
    workspace.edit([id], ours)
    (item,) = workspace.since().items
    assert (item.what, item.memory_id, item.before[name]) == ("changed", id, before)
    assert value in item.after[name]
    assert not item.after.keys() & ours.keys()
    workspace.pull()
    assert len(workspace.since().items) == 1
    workspace.undo()
    assert value in getattr(memory(workspace, id), name)
    agrees(workspace)


def test_bullets_beside_the_one_that_a_person_edits(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    index = demo_workspace.places[CLAUDE] / "MEMORY.md"
    index.write_text(index.read_text() + "\n- Tea is at four\n- Lunch is at noon\n")
    workspace.pull()
    workspace.looked()
    agent_writes(index, "- Tea is at four\n", "- Tea is at four\n- Coffee is at ten\n")
    agent_writes(index, "noon\n", "noon\n- Cake is on Fridays\n")
    workspace.edit([the(workspace, "tea four")], {"content": "Tea is at five"})
    assert told(workspace) == {("added", "Coffee is at ten"), ("added", "Cake is on Fridays")}


def test_our_own_changes_are_no_news(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    for store, words in SAMPLE.items():
        id = the(workspace, words)
        workspace.edit([id], {"content": f"Other words in {store}."})
        workspace.undo()
        workspace.redo()
        workspace.dismiss([id])
        workspace.restore([id])
    workspace.edit([the(workspace, f"words {MCP}")], {"category": "animal"})
    assert told(workspace) == set()


def test_fields_of_notes_with_a_head(tmp_path: Path) -> None:
    place = tmp_path / "notes"
    cognitive.make(place)
    workspace = Workspace.open(tmp_path / "w.db")
    workspace.attach(place, "notes")
    id = next(id for id in workspace.search("").ids if memory(workspace, id).ref == cognitive.SOCKETS)
    note = place / cognitive.SOCKETS_AT
    note.write_text(note.read_text().replace("tags: [", "tags: [zebra, "))
    workspace.edit([id], {"content": f"{memory(workspace, id).content}\n\nMore of it."})
    (item,) = workspace.since().items
    assert "zebra" in item.after["tags"]
    assert "content" not in item.after
    workspace.close()


def test_a_head_that_is_only_written_anew_is_no_news(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """Claude Code rewrites a file's head with each of its writes: time and session are those of now."""
    note = demo_workspace.places[CLAUDE] / "feedback_tests.md"
    body = note.read_text().split("---\n", 2)[2]
    head = "name: tests\ndescription: d\nmetadata:{}\n  node_type: memory\n  type: feedback\n"
    head += "  originSessionId: {}\n  modified: {}\n"
    note.write_text(f"---\n{head.format(' ', 's-1', '2026-03-04T05:06:07.123Z')}---\n{body}")
    workspace.pull()
    workspace.looked()
    note.write_text(f"---\n{head.format('', 's-2', '2026-11-23T05:06:07.123Z')}---\n{body}")
    assert workspace.pull().changes == {}
    assert memory(workspace, the(workspace, SAMPLE[CLAUDE])).session_id == "s-2"
    agent_writes(note, "production in March", "staging in May")
    assert workspace.pull().changes == {CLAUDE: (0, 1, 0)}
