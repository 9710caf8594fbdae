"""A change meets another hand: nothing of either is lost, and both are told (S-6)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.formats.media.files import atomic_write
from memtui.workspace.changes import outbox
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOREIGN,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    agent_executes,
    agent_replaces,
    all_contents,
    assert_in_sync,
    find_id,
    item_states,
    memory,
    refusal,
    rows,
)
from tests.support.stores import Agent

# How an agent changes the sample memory of each store, and what it says then.
OLD = {
    FOUNDER: "Offers to Swiss clients are written in francs, all others in euros.",
    CLAUDE: "a mocked migration passed and broke production in March",
    MCP: "Is allergic to nuts",
}
THEIRS = {
    FOUNDER: "Offers to Swiss clients are written in dollars.",
    CLAUDE: "a mocked migration passed and broke staging in May",
    MCP: "Is allergic to nuts and bees",
}


def agent_rewords(demo_workspace: DemoWorkspace, store: str) -> None:
    place = demo_workspace.store_paths[store]
    if store == FOUNDER:
        agent_executes(place, "UPDATE memories SET content = ? WHERE content = ?", THEIRS[store], OLD[store])
    else:
        agent_replaces(place / "feedback_tests.md" if place.is_dir() else place, OLD[store], THEIRS[store])


@pytest.mark.parametrize("store", FOREIGN)
def test_what_an_agent_changed_meanwhile_is_not_overwritten(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    lines = len(workspace.journal())
    agent_rewords(demo_workspace, store)
    before = all_contents(demo_workspace.folder)
    with pytest.raises(Conflict) as conflict:
        workspace.edit([id], {"content": "My own words."})
    assert all_contents(demo_workspace.folder) == before
    assert conflict.value.intended == {"content": "My own words."}
    assert THEIRS[store] in conflict.value.stored["content"]
    pulled, refused = workspace.journal()[-lines - 1 :: -1]
    assert (refused.kind, refused.state, refused.reason) == ("edited", "refused", conflict.value.message)
    assert (pulled.kind, pulled.actor) == ("pulled", f"sync:{store}")
    # What stands there now is what is shown now.
    shown = find_id(workspace, {FOUNDER: "dollars", CLAUDE: "staging May", MCP: "nuts bees"}[store])
    assert THEIRS[store] in memory(workspace, shown).content
    assert_in_sync(workspace)
    workspace.edit([shown], {"content": "My own words."})
    assert memory(workspace, shown).content == "My own words."
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", FOREIGN)
def test_a_memory_is_not_dismissed_as_something_else(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    agent_rewords(demo_workspace, store)
    before = all_contents(demo_workspace.folder)
    if store == FOUNDER:  # there, dismissing sets the status and leaves the text
        workspace.dismiss([id])
        assert memory(workspace, id).content == THEIRS[store]
        workspace.undo()
        return
    with pytest.raises(Conflict):
        workspace.dismiss([id])
    assert all_contents(demo_workspace.folder) == before
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", FOREIGN)
def test_what_an_agent_removed_meanwhile_is_a_conflict(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    place = demo_workspace.store_paths[store]
    if store == FOUNDER:
        agent_executes(place, "DELETE FROM memories WHERE key = 'offer-currency'")
    elif store == CLAUDE:
        (place / "feedback_tests.md").unlink()
    else:
        agent_replaces(place, '"Is allergic to nuts",', "")
    before = all_contents(demo_workspace.folder)
    with pytest.raises(Conflict):
        workspace.edit([id], {"content": "My own words."})
    assert all_contents(demo_workspace.folder) == before
    assert list(workspace.search("is:removed").ids) == [id]
    assert_in_sync(workspace)


def test_use_counts_block_nothing(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """An agent counts its reading all the time; that is no change of what a person means."""
    id = find_id(workspace, SAMPLE[FOUNDER])
    place = demo_workspace.store_paths[FOUNDER]
    count = "UPDATE memories SET times_used = times_used + 1, last_used_at = 1763000500"
    agent_executes(place, count)
    workspace.edit([id], {"content": "Offers are written in euros."})
    assert (memory(workspace, id).times_used, memory(workspace, id).content) == (
        6,
        "Offers are written in euros.",
    )
    agent_executes(place, count)
    workspace.undo()
    assert (memory(workspace, id).times_used, memory(workspace, id).content) == (7, OLD[FOUNDER])
    assert workspace.pull().total == 0
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", FOREIGN)
def test_another_record_of_the_store_blocks_nothing_and_survives(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    place = demo_workspace.store_paths[store]
    if store == FOUNDER:
        agent_executes(place, "UPDATE memories SET content = 'Said by an agent.' WHERE key = 'tomas-lead'")
    elif store == CLAUDE:
        agent_replaces(place / "feedback_commits.md", "the diff says what", "Said by an agent")
    else:
        agent_replaces(place, "Runs the warehouse", "Said by an agent")
    workspace.edit([id], {"content": "Said by a person."})
    workspace.pull()
    assert "Said by an agent" in memory(workspace, find_id(workspace, '"Said by an agent"')).content
    assert memory(workspace, id).content == "Said by a person."
    assert_in_sync(workspace)


def test_the_others_of_a_batch_are_not_held_up(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    ids = [find_id(workspace, SAMPLE[store]) for store in (NATIVE, FOUNDER, MCP)]
    agent_rewords(demo_workspace, MCP)
    change = workspace.edit(ids, {"category": "workflow", "content": "The same for all."})
    assert change.ids == tuple(ids[:2])
    assert [left.code for left in change.skipped] == ["conflict"]
    assert "2 of 3" in change.summary
    assert {state for state, _ in item_states(workspace, change.journal_id)} == {"done", "refused"}
    assert_in_sync(workspace)


def test_a_conflict_between_planning_and_writing_is_seen(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last moment before the rename: the file's own bytes decide; what was planned on older
    ones is planned anew, and then the memory itself is found to be another."""
    for store in (CLAUDE, MCP):
        id = find_id(workspace, SAMPLE[store])
        before = rows(workspace)
        with monkeypatch.context() as patch:
            patch.setattr(
                workspace._ctx, "on_step", lambda name, store=store: _between(name, demo_workspace, store)
            )
            told = refusal(partial(workspace.edit, [id], {"content": "My own words."}))
        assert told.code == "conflict"
        assert "My own words." not in str(rows(workspace))
        assert rows(workspace).keys() == before.keys() or store == MCP
        line = next(event for event in workspace.journal() if event.kind == "edited")
        assert (line.state, line.reason) == ("refused", told.message)
        workspace.pull()
        assert_in_sync(workspace)


def _between(name: str, demo_workspace: DemoWorkspace, store: str) -> None:
    if name == "before the foreign write":
        agent_rewords(demo_workspace, store)


# -- a write that the store refuses


def test_a_busy_store_is_told_and_nothing_is_lost(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id, before = find_id(workspace, SAMPLE[FOUNDER]), rows(workspace)
    with Agent(demo_workspace.store_paths[FOUNDER]) as agent:
        agent.execute("BEGIN IMMEDIATE")
        told = refusal(lambda: workspace.edit([id], {"content": "My own words."}))
        assert told.code == "busy"
        assert "Nothing was changed" in told.hint
        assert rows(workspace) == before
        event = workspace.journal()[0]
        assert (event.state, event.reason, event.undoable) == ("refused", told.message, False)
        assert workspace.search("francs").ids
        agent.execute("ROLLBACK")
    assert refusal(workspace.undo).code == "nothing"
    workspace.edit([id], {"content": "My own words."})
    assert_in_sync(workspace)


def test_a_full_disk_is_told_and_nothing_is_half_done(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second file of a change cannot be written: the first is put back."""
    id, before, stands = (
        find_id(workspace, SAMPLE[CLAUDE]),
        rows(workspace),
        all_contents(demo_workspace.folder),
    )
    calls = []
    write = atomic_write._write

    def full(*args: Any, **more: Any) -> None:
        calls.append(args)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        write(*args, **more)

    monkeypatch.setattr(atomic_write, "_write", full)
    told = refusal(lambda: workspace.edit([id], {"title": "Zebra"}))
    assert told.code == "disk-full"
    assert rows(workspace) == before
    assert all_contents(demo_workspace.folder) == stands
    assert workspace.journal()[0].state == "refused"
    assert_in_sync(workspace)


def test_a_store_that_vanishes_at_the_last_moment_is_told(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for store in FOREIGN:
        id, before, place = (
            find_id(workspace, SAMPLE[store]),
            rows(workspace),
            demo_workspace.store_paths[store],
        )

        def vanish(name: str, place: Path = place) -> None:
            if name == "before the foreign write":
                place.rename(demo_workspace.folder / "away")

        with monkeypatch.context() as patch:
            patch.setattr(workspace._ctx, "on_step", vanish)
            told = refusal(partial(workspace.edit, [id], {"content": "My own words."}))
        assert rows(workspace) == before
        assert (workspace.journal()[0].state, workspace.journal()[0].reason) == ("refused", told.message)
        (demo_workspace.folder / "away").rename(place)
        assert_in_sync(workspace)


_AS_NOBODY = """
import os, sys
from pathlib import Path
from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from memtui.formats import registry
registry.formats()
os.setgid(65534); os.setuid(65534)
workspace = Workspace.open(Path(sys.argv[1]))
for words in sys.argv[2:]:
    (id,) = workspace.search(words, live=False).ids
    before = workspace.memories([id])
    blocked = workspace.detail(id).blocked
    for act in (lambda: workspace.edit([id], {"content": "My own words."}), lambda: workspace.dismiss([id])):
        try:
            act()
            print("written")
        except Refused as refused:
            print(refused.code, "|", refused.message)
    assert workspace.memories([id]) == before
    assert workspace.journal()[0].state == "refused"
    workspace.pin([id])
    workspace.undo()
print(*(info.read_only for info in workspace.stores()), sep="\\n")
"""


def test_what_this_user_may_not_write_is_refused_with_the_reason(demo_workspace: DemoWorkspace) -> None:
    """In another process: root may write everything."""
    for folder in (demo_workspace.folder, *demo_workspace.folder.parents):
        if folder != Path("/") and folder.stat().st_mode & 0o005 != 0o005:
            folder.chmod(folder.stat().st_mode | 0o005)
    for file in (demo_workspace.path.parent, *demo_workspace.path.parent.rglob("*")):
        os.chown(file, 65534, 65534)
    for place in demo_workspace.store_paths.values():
        for file in (place.parent, *place.parent.rglob("*")):
            file.chmod(0o555 if file.is_dir() else 0o444)
    before = all_contents(demo_workspace.folder)
    child = subprocess.run(
        [sys.executable, "-c", _AS_NOBODY, str(demo_workspace.path), *(SAMPLE[store] for store in FOREIGN)],
        capture_output=True,
        text=True,
        check=True,
    )
    told = child.stdout.splitlines()
    assert "written" not in told
    assert [line.split(" | ")[0] for line in told[:6]] == ["read-only"] * 6
    for name in ("memory.db", "memory", "memory.jsonl"):
        assert any(f"{name} may not be written by this user" in line for line in told[6:]), told
    assert all_contents(demo_workspace.folder) == before


# -- an agent that writes all the time


def test_a_conflict_never_names_another_memory(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    place = demo_workspace.store_paths[MCP]
    agent_replaces(place, '"Is allergic to nuts",', '"Is allergic to nuts","Is allergic to nettles",')
    workspace.pull()
    id = find_id(workspace, "nuts")
    agent_replaces(place, '"Is allergic to nuts",', "")
    with pytest.raises(Conflict) as conflict:
        workspace.edit([id], {"content": "My own words."})
    assert conflict.value.stored == {}
    assert_in_sync(workspace)


def test_what_still_says_the_same_is_written_though_it_has_another_place(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.store_paths[MCP]
    agent_replaces(
        place, '"Is allergic to nuts",', '"Is allergic to nuts","Has a cat","Is allergic to nuts",'
    )
    workspace.pull()
    second = workspace.search("nuts").ids[-1]
    workspace.mark_seen()
    # An agent gives the entity another name: each of its memories is called anew.
    name = str(memory(workspace, second).subject)
    place.write_text(place.read_text().replace(f'"{name}"', '"Somebody Else"'))
    workspace.edit([second], {"content": "My own words."})
    assert "My own words." in place.read_text()
    assert {item.kind for item in workspace.agent_activity().items} == {"changed"}
    assert_in_sync(workspace)


def test_a_change_gets_its_turn_beside_an_agent_that_never_rests(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, plan, left = demo_workspace.store_paths[MCP], McpMemory.plan, list(range(12))

    def overtaken(store: McpMemory, writes: Sequence[Write]) -> list[Plan | Refused]:
        answers = plan(store, writes)
        if left:
            agent_replaces(place, '"Is allergic to nuts"', f'"Saw {left.pop()} zebras","Is allergic to nuts"')
        return answers

    monkeypatch.setattr(outbox, "PAUSE", 0)
    monkeypatch.setattr(McpMemory, "plan", overtaken)
    workspace.mark_seen()
    workspace.edit([find_id(workspace, SAMPLE[MCP])], {"content": "My own words."})
    assert "My own words." in place.read_text()
    workspace.pull()
    assert len(workspace.agent_activity().items) == 12
    assert_in_sync(workspace)
