"""Changes that conflict with those of another program lose nothing of either (S-6)."""

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

# The sample memory of each store, before and after an agent changes it.
ORIGINAL = {
    FOUNDER: "Offers to Swiss clients are written in francs, all others in euros.",
    CLAUDE: "a mocked migration passed and broke production in March",
    MCP: "Is allergic to nuts",
}
CHANGED = {
    FOUNDER: "Offers to Swiss clients are written in dollars.",
    CLAUDE: "a mocked migration passed and broke staging in May",
    MCP: "Is allergic to nuts and bees",
}


def change_as_agent(demo_workspace: DemoWorkspace, store: str) -> None:
    path = demo_workspace.store_paths[store]
    if store == FOUNDER:
        agent_executes(
            path, "UPDATE memories SET content = ? WHERE content = ?", CHANGED[store], ORIGINAL[store]
        )
    else:
        agent_replaces(path / "feedback_tests.md" if path.is_dir() else path, ORIGINAL[store], CHANGED[store])


@pytest.mark.parametrize("store", FOREIGN)
def test_a_memory_changed_meanwhile_is_not_overwritten(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    entries = len(workspace.journal())
    change_as_agent(demo_workspace, store)
    before = all_contents(demo_workspace.folder)
    with pytest.raises(Conflict) as conflict:
        workspace.edit([id], {"content": "My own words."})
    assert all_contents(demo_workspace.folder) == before
    assert conflict.value.intended == {"content": "My own words."}
    assert CHANGED[store] in conflict.value.stored["content"]
    pulled, refused = workspace.journal()[-entries - 1 :: -1]
    assert (refused.kind, refused.state, refused.reason) == ("edited", "refused", conflict.value.message)
    assert (pulled.kind, pulled.actor) == ("pulled", f"sync:{store}")
    # The current text is shown.
    shown = find_id(workspace, {FOUNDER: "dollars", CLAUDE: "staging May", MCP: "nuts bees"}[store])
    assert CHANGED[store] in memory(workspace, shown).content
    assert_in_sync(workspace)
    workspace.edit([shown], {"content": "My own words."})
    assert memory(workspace, shown).content == "My own words."
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", FOREIGN)
def test_a_memory_changed_meanwhile_is_not_dismissed(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    change_as_agent(demo_workspace, store)
    before = all_contents(demo_workspace.folder)
    if store == FOUNDER:  # dismissing only sets the status
        workspace.dismiss([id])
        assert memory(workspace, id).content == CHANGED[store]
        workspace.undo()
        return
    with pytest.raises(Conflict):
        workspace.dismiss([id])
    assert all_contents(demo_workspace.folder) == before
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", FOREIGN)
def test_a_memory_removed_meanwhile_is_a_conflict(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    path = demo_workspace.store_paths[store]
    if store == FOUNDER:
        agent_executes(path, "DELETE FROM memories WHERE key = 'offer-currency'")
    elif store == CLAUDE:
        (path / "feedback_tests.md").unlink()
    else:
        agent_replaces(path, '"Is allergic to nuts",', "")
    before = all_contents(demo_workspace.folder)
    with pytest.raises(Conflict):
        workspace.edit([id], {"content": "My own words."})
    assert all_contents(demo_workspace.folder) == before
    assert list(workspace.search("is:removed").ids) == [id]
    assert_in_sync(workspace)


def test_usage_counters_are_no_conflict(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """Agents count their reads all the time, which does not change what the user edits."""
    id = find_id(workspace, SAMPLE[FOUNDER])
    path = demo_workspace.store_paths[FOUNDER]
    sql = "UPDATE memories SET times_used = times_used + 1, last_used_at = 1763000500"
    agent_executes(path, sql)
    workspace.edit([id], {"content": "Offers are written in euros."})
    assert (memory(workspace, id).times_used, memory(workspace, id).content) == (
        6,
        "Offers are written in euros.",
    )
    agent_executes(path, sql)
    workspace.undo()
    assert (memory(workspace, id).times_used, memory(workspace, id).content) == (7, ORIGINAL[FOUNDER])
    assert workspace.pull().total == 0
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", FOREIGN)
def test_another_memory_changed_meanwhile_is_no_conflict(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    path = demo_workspace.store_paths[store]
    if store == FOUNDER:
        agent_executes(path, "UPDATE memories SET content = 'Said by an agent.' WHERE key = 'tomas-lead'")
    elif store == CLAUDE:
        agent_replaces(path / "feedback_commits.md", "the diff says what", "Said by an agent")
    else:
        agent_replaces(path, "Runs the warehouse", "Said by an agent")
    workspace.edit([id], {"content": "Said by a person."})
    workspace.pull()
    assert "Said by an agent" in memory(workspace, find_id(workspace, '"Said by an agent"')).content
    assert memory(workspace, id).content == "Said by a person."
    assert_in_sync(workspace)


def test_a_conflict_does_not_block_the_rest_of_a_batch(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    ids = [find_id(workspace, SAMPLE[store]) for store in (NATIVE, FOUNDER, MCP)]
    change_as_agent(demo_workspace, MCP)
    change = workspace.edit(ids, {"category": "workflow", "content": "The same for all."})
    assert change.ids == tuple(ids[:2])
    assert [skipped.code for skipped in change.skipped] == ["conflict"]
    assert "2 of 3" in change.summary
    assert {state for state, _ in item_states(workspace, change.journal_id)} == {"done", "refused"}
    assert_in_sync(workspace)


def test_a_change_between_planning_and_writing_is_a_conflict(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Just before the rename the bytes of the file are compared with those that were planned for; the change
    is planned again, and the memory has another text."""
    for store in (CLAUDE, MCP):
        id = find_id(workspace, SAMPLE[store])
        before = rows(workspace)
        with monkeypatch.context() as patch:
            patch.setattr(
                workspace._ctx,
                "on_step",
                lambda name, store=store: _change_before_write(name, demo_workspace, store),
            )
            refused = refusal(partial(workspace.edit, [id], {"content": "My own words."}))
        assert refused.code == "conflict"
        assert "My own words." not in str(rows(workspace))
        assert rows(workspace).keys() == before.keys() or store == MCP
        entry = next(event for event in workspace.journal() if event.kind == "edited")
        assert (entry.state, entry.reason) == ("refused", refused.message)
        workspace.pull()
        assert_in_sync(workspace)


def _change_before_write(name: str, demo_workspace: DemoWorkspace, store: str) -> None:
    if name == "before the foreign write":
        change_as_agent(demo_workspace, store)


# -- failed writes


def test_a_locked_store_is_busy_and_unchanged(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id, before = find_id(workspace, SAMPLE[FOUNDER]), rows(workspace)
    with Agent(demo_workspace.store_paths[FOUNDER]) as agent:
        agent.execute("BEGIN IMMEDIATE")
        refused = refusal(lambda: workspace.edit([id], {"content": "My own words."}))
        assert refused.code == "busy"
        assert "Nothing was changed" in refused.hint
        assert rows(workspace) == before
        event = workspace.journal()[0]
        assert (event.state, event.reason, event.undoable) == ("refused", refused.message, False)
        assert workspace.search("francs").ids
        agent.execute("ROLLBACK")
    assert refusal(workspace.undo).code == "nothing"
    workspace.edit([id], {"content": "My own words."})
    assert_in_sync(workspace)


def test_a_full_disk_rolls_back_every_file(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second of two files cannot be written, and the first is restored."""
    id, before, contents_before = (
        find_id(workspace, SAMPLE[CLAUDE]),
        rows(workspace),
        all_contents(demo_workspace.folder),
    )
    calls = []
    write = atomic_write._write

    def fail_at_second(*args: Any, **options: Any) -> None:
        calls.append(args)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        write(*args, **options)

    monkeypatch.setattr(atomic_write, "_write", fail_at_second)
    refused = refusal(lambda: workspace.edit([id], {"title": "Zebra"}))
    assert refused.code == "disk-full"
    assert rows(workspace) == before
    assert all_contents(demo_workspace.folder) == contents_before
    assert workspace.journal()[0].state == "refused"
    assert_in_sync(workspace)


def test_a_store_that_disappears_before_the_write_is_refused(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for store in FOREIGN:
        id, before, path = (
            find_id(workspace, SAMPLE[store]),
            rows(workspace),
            demo_workspace.store_paths[store],
        )

        def vanish(name: str, path: Path = path) -> None:
            if name == "before the foreign write":
                path.rename(demo_workspace.folder / "away")

        with monkeypatch.context() as patch:
            patch.setattr(workspace._ctx, "on_step", vanish)
            refused = refusal(partial(workspace.edit, [id], {"content": "My own words."}))
        assert rows(workspace) == before
        assert (workspace.journal()[0].state, workspace.journal()[0].reason) == ("refused", refused.message)
        (demo_workspace.folder / "away").rename(path)
        assert_in_sync(workspace)


_NOBODY_PROGRAM = """
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
    edit = lambda: workspace.edit([id], {"content": "My own words."})
    for action in (edit, lambda: workspace.dismiss([id])):
        try:
            action()
            print("written")
        except Refused as refused:
            print(refused.code, "|", refused.message)
    assert workspace.memories([id]) == before
    assert workspace.journal()[0].state == "refused"
    workspace.pin([id])
    workspace.undo()
print(*(info.read_only for info in workspace.stores()), sep="\\n")
"""


def test_stores_without_write_permission_are_read_only(demo_workspace: DemoWorkspace) -> None:
    """In a process of another user: root can write everything."""
    for folder in (demo_workspace.folder, *demo_workspace.folder.parents):
        if folder != Path("/") and folder.stat().st_mode & 0o005 != 0o005:
            folder.chmod(folder.stat().st_mode | 0o005)
    for file in (demo_workspace.path.parent, *demo_workspace.path.parent.rglob("*")):
        os.chown(file, 65534, 65534)
    for path in demo_workspace.store_paths.values():
        for file in (path.parent, *path.parent.rglob("*")):
            file.chmod(0o555 if file.is_dir() else 0o444)
    before = all_contents(demo_workspace.folder)
    child = subprocess.run(
        [
            sys.executable,
            "-c",
            _NOBODY_PROGRAM,
            str(demo_workspace.path),
            *(SAMPLE[store] for store in FOREIGN),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    output = child.stdout.splitlines()
    assert "written" not in output
    assert [line.split(" | ")[0] for line in output[:6]] == ["read-only"] * 6
    for name in ("memory.db", "memory", "memory.jsonl"):
        assert any(f"o write permission for {name}" in line for line in output[6:]), output
    assert all_contents(demo_workspace.folder) == before


# -- agents that write all the time


def test_a_conflict_does_not_show_a_similar_memory(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[MCP]
    agent_replaces(path, '"Is allergic to nuts",', '"Is allergic to nuts","Is allergic to nettles",')
    workspace.pull()
    id = find_id(workspace, "nuts")
    agent_replaces(path, '"Is allergic to nuts",', "")
    with pytest.raises(Conflict) as conflict:
        workspace.edit([id], {"content": "My own words."})
    assert conflict.value.stored == {}
    assert_in_sync(workspace)


def test_an_unchanged_memory_is_edited_though_its_ref_changed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[MCP]
    agent_replaces(path, '"Is allergic to nuts",', '"Is allergic to nuts","Has a cat","Is allergic to nuts",')
    workspace.pull()
    second = workspace.search("nuts").ids[-1]
    workspace.mark_seen()
    # An agent renames the entity, which changes the refs of its memories.
    name = str(memory(workspace, second).subject)
    path.write_text(path.read_text().replace(f'"{name}"', '"Somebody Else"'))
    workspace.edit([second], {"content": "My own words."})
    assert "My own words." in path.read_text()
    assert {item.kind for item in workspace.agent_activity().items} == {"changed"}
    assert_in_sync(workspace)


def test_a_change_succeeds_while_an_agent_keeps_writing(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, plan, numbers = demo_workspace.store_paths[MCP], McpMemory.plan, list(range(12))

    def plan_then_write(store: McpMemory, writes: Sequence[Write]) -> list[Plan | Refused]:
        answers = plan(store, writes)
        if numbers:
            agent_replaces(
                path, '"Is allergic to nuts"', f'"Saw {numbers.pop()} zebras","Is allergic to nuts"'
            )
        return answers

    monkeypatch.setattr(outbox, "PAUSE", 0)
    monkeypatch.setattr(McpMemory, "plan", plan_then_write)
    workspace.mark_seen()
    workspace.edit([find_id(workspace, SAMPLE[MCP])], {"content": "My own words."})
    assert "My own words." in path.read_text()
    workspace.pull()
    assert len(workspace.agent_activity().items) == 12
    assert_in_sync(workspace)
