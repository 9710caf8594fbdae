"""What an agent's program writes over ours, and what it rewords, stays the memory that it is (S-6, S-53)."""

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
    agent_sets,
    agent_writes,
    agrees,
    memory,
    refusal,
    the,
)
from tests.support.stores import mcp_memory

OURS = "Is allergic to almonds."


@pytest.fixture(autouse=True)
def seen(workspace: Workspace) -> None:
    workspace.looked()


def overwritten(demo_workspace: DemoWorkspace, workspace: Workspace) -> int:
    """A memory that was pinned and edited, with the edit gone: the agent's program had read the file before
    and wrote it after, with an observation of its own."""
    place = demo_workspace.places[MCP]
    id = the(workspace, SAMPLE[MCP])
    workspace.pin([id], "ours")
    read = place.read_text()
    workspace.edit([id], {"content": OURS})
    place.write_text(read.replace('"Is allergic to nuts"', '"Is allergic to nuts","Saw a zebra"'))
    return id


def test_an_edit_that_the_agents_program_overwrote(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = overwritten(demo_workspace, workspace)
    uid = memory(workspace, id).uid
    assert workspace.pull().changes == {MCP: (1, 1, 0)}
    now = memory(workspace, id)
    assert (now.uid, now.content, now.pinned) == (uid, "Is allergic to nuts", True)
    line, added, edited, _ = workspace.journal()[:4]
    assert (line.kind, line.summary) == (
        "overwritten",
        f"{MCP}: 1 change was overwritten by the agent's program",
    )
    assert added.summary == f"{MCP}: 1 added"
    assert edited.state == "undone"
    told = {(item.what, item.overwritten, item.content) for item in workspace.since().items}
    assert told == {("changed", True, "Is allergic to nuts"), ("added", False, "Saw a zebra")}
    agrees(workspace)
    # One key makes it again, and it is undone and redone as ever.
    assert workspace.undo(line.id).summary.startswith("Redone: Edited 1 memory")
    text = demo_workspace.places[MCP].read_text()
    assert OURS in text
    assert "Saw a zebra" in text
    assert (memory(workspace, id).content, workspace.journal()[3].state) == (OURS, "done")
    assert [item.what for item in workspace.since().items] == ["added"]
    workspace.undo()
    assert demo_workspace.places[MCP].read_text() == text.replace(OURS, "Is allergic to nuts")
    agrees(workspace)


def test_it_is_met_by_the_next_change_before_any_pull(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = overwritten(demo_workspace, workspace)
    other = the(workspace, "Works four days")
    workspace.edit([other], {"category": "colleague"})
    workspace.pull()
    assert memory(workspace, id).content == "Is allergic to nuts"
    assert [item.memory_id for item in workspace.since().items if item.overwritten] == [id]
    agrees(workspace)


def test_undo_says_so_before_it_goes_on_to_an_older_change(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = overwritten(demo_workspace, workspace)
    workspace.pull()
    refused = refusal(lambda: workspace.undo(warn=True))
    assert "was overwritten by the agent's program" in refused.message
    assert memory(workspace, id).pinned
    workspace.undo(warn=True)
    assert not memory(workspace, id).pinned


@pytest.mark.parametrize(
    ("store", "ours", "theirs"),
    [
        (FOUNDER, {"content": "In euros."}, "UPDATE memories SET content = ? WHERE key = 'offer-currency'"),
        (FOUNDER, {"status": "dismissed"}, "UPDATE memories SET status = ? WHERE key = 'offer-currency'"),
    ],
)
def test_rows_too(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str, ours: dict[str, str], theirs: str
) -> None:
    id, (name, value) = the(workspace, SAMPLE[store]), *ours.items()
    was = getattr(memory(workspace, id), name)
    if name == "status":
        workspace.dismiss([id])
    else:
        workspace.edit([id], ours)
    agent_sets(demo_workspace.places[store], theirs, was)
    workspace.pull()
    (item,) = workspace.since().items
    assert item.overwritten
    workspace.undo(item.entry_id)
    assert getattr(memory(workspace, id), name) == value
    agrees(workspace)


def test_a_name_that_the_agents_program_overwrote(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.places[MCP]
    id, read = the(workspace, SAMPLE[MCP]), place.read_text()
    name = str(memory(workspace, id).subject)
    all_of_it = {i for i in workspace.search(f'store:"{MCP}"').ids if memory(workspace, i).subject == name}
    workspace.edit([id], {"subject": "Somebody Else"})
    place.write_text(read)
    workspace.pull()
    assert {memory(workspace, each).subject for each in all_of_it} == {name}
    assert set(workspace.search(f'store:"{MCP}"').ids) >= all_of_it
    (line,) = [event for event in workspace.journal() if event.kind == "overwritten"]
    workspace.undo(line.id)
    assert {memory(workspace, each).subject for each in all_of_it} == {"Somebody Else"}
    agrees(workspace)


def test_what_an_agent_rewords_is_the_same_memory(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = the(workspace, SAMPLE[MCP])
    workspace.pin([id], "ours")
    agent_writes(demo_workspace.places[MCP], "Is allergic to nuts", "Is allergic to nuts and bees")
    assert workspace.pull().changes == {MCP: (0, 1, 0)}
    (item,) = workspace.since().items
    assert (item.memory_id, item.what, item.overwritten) == (id, "changed", False)
    assert item.before == {"content": "Is allergic to nuts"}
    assert memory(workspace, id).pinned
    workspace.undo(item.entry_id)
    assert memory(workspace, id).content == "Is allergic to nuts"
    assert workspace.since().items == []
    agrees(workspace)


def test_bullets_are_followed_and_what_is_unlike_is_not(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    index = demo_workspace.places[CLAUDE] / "MEMORY.md"
    index.write_text(
        f"{index.read_text()}\n- Tea is at four\n- Ask before you force-push\n- The lift is slow\n- Ünïcode\n"
    )
    workspace.pull()
    workspace.looked()
    ids = {words: the(workspace, words) for words in ("tea four", "force push", "lift slow", "Ünïcode")}
    agent_writes(index, "- Tea is at four\n", "- Tea is at five\n")
    agent_writes(index, "- Ask before you force-push\n", "- Always ask before you force-push to main\n")
    agent_writes(index, "- The lift is slow\n", "- Printers jam on Mondays\n")
    agent_writes(index, "- Ünïcode\n", "- Ünïcodes\n")
    assert workspace.pull().changes == {CLAUDE: (1, 3, 1)}
    assert memory(workspace, ids["tea four"]).content == "Tea is at five"
    assert memory(workspace, ids["force push"]).content == "Always ask before you force-push to main"
    assert memory(workspace, ids["Ünïcode"]).content == "Ünïcodes"
    assert list(workspace.search("is:removed").ids) == [ids["lift slow"]]
    agrees(workspace)


def test_of_several_that_are_alike_none_is_taken_for_another(tmp_path: Path) -> None:
    place = tmp_path / "memory.jsonl"
    line = '{"type":"entity","name":"Bo","entityType":"person","observations":["%s"]}'
    place.write_text(line % '","'.join(f"Has key number {n} of the shed" for n in (1, 2)))
    workspace = Workspace.open(tmp_path / "w.db")
    workspace.attach(place, "m")
    place.write_text(line % '","'.join(f"Has key number {n} of the shed" for n in (3, 4)))
    assert workspace.pull().changes == {"m": (2, 0, 2)}
    workspace.close()


def test_of_two_entities_that_said_the_same_none_is_taken_for_the_one_that_comes(tmp_path: Path) -> None:
    def said(*names: str) -> bytes:
        entities = (mcp_memory.entity(name, "Works at home") for name in names)
        return "\n".join(mcp_memory.lines(*entities)).encode()

    mcp_memory.make(tmp_path / "memory.jsonl", said("Ana", "Bo", "Cy"))
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        (store,) = workspace.attach(tmp_path / "memory.jsonl")
        (tmp_path / "memory.jsonl").write_bytes(said("Cy", "Dee"))
        assert workspace.pull().changes == {store.name: (1, 0, 2)}
        (tmp_path / "memory.jsonl").write_bytes(said("Cy", "Eve"))
        assert workspace.pull().changes == {store.name: (0, 1, 0)}


def files_in(place: Path) -> dict[Path, bytes]:
    """What a store of files says."""
    files = [place] if place.is_file() else [file for file in place.rglob("*") if file.is_file()]
    return {file: file.read_bytes() for file in files}


@pytest.mark.parametrize("store", [MCP, CLAUDE])
def test_a_dismissed_memory_that_an_agent_writes_again_is_the_same_one(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    place = demo_workspace.places[store]
    id, before = the(workspace, SAMPLE[store]), files_in(place)
    workspace.pin([id], "ours")
    uid = memory(workspace, id).uid
    workspace.dismiss([id])
    dismissed = files_in(place)
    for file, data in before.items():
        file.write_bytes(data)
    assert workspace.pull().changes == {store: (0, 1, 0)}
    now = memory(workspace, id)
    assert (now.uid, now.status, now.pinned) == (uid, "confirmed", True)
    (item,) = workspace.since().items
    assert (item.uid, item.word, item.overwritten) == (uid, "restored", True)
    agrees(workspace)
    # One key dismisses it again, and it is undone and redone as ever.
    workspace.undo(item.entry_id)
    assert (memory(workspace, id).status, files_in(place)) == ("dismissed", dismissed)
    workspace.undo()
    assert files_in(place) == before
    agrees(workspace)


def test_a_dismissed_memory_that_an_agent_wrote_again_is_met_by_the_next_change(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.places[MCP]
    id, text = the(workspace, SAMPLE[MCP]), place.read_text()
    workspace.dismiss([id])
    place.write_text(text)
    workspace.edit([the(workspace, "Works four days")], {"category": "colleague"})
    assert memory(workspace, id).status == "confirmed"
    assert workspace.pull().total == 0
    agrees(workspace)


def test_a_dismissed_memory_that_an_agent_wrote_again_unseen_is_restored_beside_it(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """Both stand there side by side, told apart by number."""
    place = demo_workspace.places[MCP]
    id, text = the(workspace, SAMPLE[MCP]), place.read_text()
    workspace.dismiss([id])
    place.write_text(text)
    workspace.restore([id])
    assert len(workspace.search(SAMPLE[MCP]).ids) == 2
    assert workspace.pull().total == 0
    agrees(workspace)


def test_of_two_dismissed_memories_that_said_the_same_none_is_taken_for_the_one_that_comes(
    tmp_path: Path,
) -> None:
    place = tmp_path / "memory.jsonl"
    line = '{"type":"entity","name":"Bo","entityType":"person","observations":["Sails"%s]}'
    place.write_text(line % ',"Knits","Knits"')
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        workspace.attach(place, "m")
        workspace.dismiss(workspace.search("knits").ids)
        place.write_text(line % ',"Knits"')
        assert workspace.pull().changes == {"m": (1, 0, 0)}


def test_what_gave_way_to_another_is_a_new_memory_when_an_agent_writes_it_again(tmp_path: Path) -> None:
    """What was settled does not hold for what the agent insists on."""
    place = tmp_path / "memory.jsonl"
    line = '{"type":"entity","name":"Bo","entityType":"person","observations":["Drinks tea","Drinks coffee"]}'
    place.write_text(line)
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        workspace.attach(place, "m")
        loser = the(workspace, "coffee")
        workspace.supersede([loser], the(workspace, "tea"))
        place.write_text(line)
        assert workspace.pull().changes == {"m": (1, 0, 0)}
        assert memory(workspace, loser).status == "dismissed"
        (fresh,) = workspace.search("coffee").ids
        assert memory(workspace, fresh).superseded_by is None
