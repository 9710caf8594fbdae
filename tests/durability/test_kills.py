"""kill -9 at any moment: no acknowledged change is lost, duplicated or left half done (S-7, S-93)."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOREIGN,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    STORES,
    DemoWorkspace,
    all_contents,
    assert_in_sync,
    assert_word_index_intact,
    files_under,
    find_id,
    memory,
    rows,
)
from tests.support.kills.kill_harness import EXIT_REFUSED, KillHarness, call_verb, random_kill
from tests.support.sizes import log_rounds, rounds, sample_cases

NO_KILL = {"kind": "step", "at": 1000, "after": False, "early": False}


def random_call(chance: random.Random, workspace: Workspace) -> list[Any]:
    """Choose a verb to be interrupted, and do what has to be done before it."""
    store = chance.choice(STORES)
    live = list(workspace.search(f"store:{store}").ids)
    id = chance.choice(live)
    edit = ["edit", [id], {"content": f"A zebra was seen, {chance.random()}."}]
    match chance.choice(
        [
            "edit",
            "edit",
            "title",
            "dismiss",
            "restore",
            "undo",
            "redo",
            "pin",
            "confirm",
            "add",
            "batch",
            "subject",
        ]
    ):
        case "edit":
            return edit
        case "title":
            return ["edit", [id], {"title": "A zebra", "tags": ["zebra"], "content": "Zebra."}]
        case "subject":
            return [
                "edit",
                [find_id(workspace, SAMPLE[MCP])],
                {"subject": "Bo the Zebra", "content": "Saw it."},
            ]
        case "dismiss":
            return ["dismiss", chance.sample(live, 2)]
        case "restore":
            call_verb(workspace, ["dismiss", [id]])
            return ["restore", [id]]
        case "undo":
            call_verb(workspace, chance.choice([edit, ["dismiss", [id]]]))
            return ["undo"]
        case "redo":
            call_verb(workspace, chance.choice([edit, ["dismiss", [id]]]))
            workspace.undo()
            return ["redo"]
        case "add":
            return [
                "add",
                {"content": f"A zebra was seen, {chance.random()}.", "subject": "Bo Janssen"},
                store,
            ]
        case "batch":
            picks = [chance.choice([*workspace.search(f"store:{each}").ids]) for each in STORES]
            return [chance.choice(["dismiss", "confirm"]), picks]
        case verb:
            return [verb, [id]]


def rows_by_uid(workspace: Workspace) -> dict[str, dict[str, Any]]:
    """Return the rows by uid, without the id of the entry that moved one away and without the unit."""
    return {
        row["uid"]: row | {"moved": row["moved"] is not None, "id": 0, "unit": ""}
        for row in rows(workspace).values()
    }


def leftovers(demo_workspace: DemoWorkspace) -> set[Path]:
    """Return memtui's files next to the stores, and the leases of dead processes."""
    files = files_under(*(place.parent for place in demo_workspace.store_paths.values()))
    own = {file for file in files if "memtui" in file.name}
    return own | files_under(demo_workspace.path.with_name(demo_workspace.path.name + ".leases"))


def changed(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    return {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


@pytest.mark.kills
@pytest.mark.parametrize("seed", sample_cases(range(4), 2))
def test_a_killed_change_is_done_completely_or_not_at_all(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness, seed: int
) -> None:
    chance = random.Random(f"crash {seed}")
    killed = 0
    with demo_workspace.opened() as workspace:
        start = rows_by_uid(workspace), all_contents(demo_workspace.folder)
    count = rounds(3, 80)
    for _ in range(count):
        with demo_workspace.opened() as workspace:
            call = random_call(chance, workspace)
            workspace.pull()
            before, stores = rows_by_uid(workspace), all_contents(demo_workspace.folder)
            last = workspace.journal(1)[0].id
        kill = random_kill(chance)
        result = kill_harness.run(demo_workspace.path, call, kill)
        assert result["killed"] or result["code"] in (0, EXIT_REFUSED), (call, kill)
        killed += result["killed"]
        log_rounds("kills", 1, result["killed"])
        if chance.random() < 0.3:  # and again during the recovery
            second = kill_harness.run(demo_workspace.path, [], random_kill(chance) | {"early": True})
            assert second["killed"] or second["code"] == 0, (call, kill)
        with demo_workspace.opened() as workspace:
            _assert_consistent(demo_workspace, workspace, (call, kill))
            entry_id = _new_entry(workspace, last)
            assert entry_id or not result["acknowledged"], (call, kill)
            after = rows_by_uid(workspace)
            items = workspace.journal_items(entry_id) if entry_id else []
            states = {item.uid: item.state for item in items}
            assert set(states.values()) <= {"done", "failed", "refused"}, (call, kill)
            assert "failed" not in states.values() or not result["acknowledged"], (call, kill)
            done = {uid for uid, state in states.items() if state == "done"}
            others = changed(before, after) - done
            assert all(_may_change(uid, before, after) for uid in others), (call, kill)
            written = {item.store for item in items if item.state == "done"}
            assert changed(stores, all_contents(demo_workspace.folder)) <= written, (call, kill)
            if done:
                workspace.undo(entry_id)
                workspace.pull()
                assert rows_by_uid(workspace) == before, (call, kill)
                assert all_contents(demo_workspace.folder) == stores, (call, kill)
            with suppress(Refused):  # undo the preparation too, until nothing is left to undo
                while True:
                    workspace.undo()
            workspace.pull()
            assert (rows_by_uid(workspace), all_contents(demo_workspace.folder)) == start, (call, kill)
            _assert_consistent(demo_workspace, workspace, (call, kill))
    assert killed > count // 3


def _assert_consistent(demo_workspace: DemoWorkspace, workspace: Workspace, context: object) -> None:
    assert leftovers(demo_workspace) <= {
        *files_under(demo_workspace.path.with_name(demo_workspace.path.name + ".leases"))
    }, context
    assert_in_sync(workspace)
    assert_word_index_intact(workspace)
    assert [event.id for event in workspace.journal() if event.state == "intended"] == [], context
    assert workspace._ctx.db.one("PRAGMA integrity_check") == "ok"
    assert workspace.pull().total == 0, context


def _new_entry(workspace: Workspace, last: int) -> int | None:
    """Return the id of the entry that the killed process wrote, if it got that far."""
    new = [event.id for event in workspace.journal() if event.id > last]
    assert len(new) <= 1
    return new[0] if new else None


def _may_change(uid: str, before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Return whether another memory changed only as it may: its position in the file, and what the
    observations of an entity share; an entity without observations is a memory of its own."""
    old, new = before.get(uid), after.get(uid)
    if old is None or new is None:
        ref: str = (old or new or {})["ref"]
        return ref.startswith("entity:")
    of_entity = old["ref"].startswith(f"{old['subject']}#")
    shared = {"subject", "anchor", "ref", "digest", "hash"} if of_entity else set()
    return changed(old, new) <= {"place", *shared}


# -- each step of a write


@pytest.mark.parametrize("store", FOREIGN)
@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_kill_after_each_step_of_a_write(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness, store: str, step: int
) -> None:
    with demo_workspace.opened() as workspace:
        id, before = find_id(workspace, SAMPLE[store]), rows(workspace)
    stores = all_contents(demo_workspace.folder)
    kill = {"kind": "step", "at": step, "after": True, "early": False}
    assert kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], kill)["killed"]
    with demo_workspace.opened() as workspace:
        event = workspace.journal()[0]
        if step == 0:
            assert event.state == "failed"
            assert event.reason == "memtui exited before writing it; nothing was changed."
            assert workspace.reconciled == (
                f"Interrupted change not applied: {event.summary} ({event.reason})",
            )
            assert (rows(workspace), all_contents(demo_workspace.folder)) == (before, stores)
            assert not event.undoable
        else:
            assert event.state == "done"
            finished = (f"Finished an interrupted change: {event.summary}",) if step == 1 else ()
            assert workspace.reconciled == finished
            assert memory(workspace, id).content == "Zebra."
            workspace.undo()
            assert (rows(workspace), all_contents(demo_workspace.folder)) == (before, stores)
        assert_in_sync(workspace)
    with demo_workspace.opened() as workspace:
        assert workspace.reconciled == ()


def test_a_batch_killed_between_two_stores(demo_workspace: DemoWorkspace, kill_harness: KillHarness) -> None:
    with demo_workspace.opened() as workspace:
        ids = [find_id(workspace, SAMPLE[store]) for store in STORES]
        before = rows(workspace)
    stores = all_contents(demo_workspace.folder)
    kill = {
        "kind": "step",
        "at": 2,
        "after": True,
        "early": False,
    }  # the first store is done, the next not begun
    assert kill_harness.run(demo_workspace.path, ["dismiss", ids], kill)["killed"]
    with demo_workspace.opened() as workspace:
        states = {item.store: item.state for item in workspace.journal_items(workspace.journal()[0].id)}
        assert states == {NATIVE: "done", FOUNDER: "done", CLAUDE: "failed", MCP: "failed"}
        assert changed(stores, all_contents(demo_workspace.folder)) == {FOUNDER}
        assert_in_sync(workspace)
        assert len(workspace.undo().ids) == 2
        assert (rows(workspace), all_contents(demo_workspace.folder)) == (before, stores)


def test_a_write_by_an_agent_after_the_kill_is_kept(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness
) -> None:
    """The change was never written, and its part of the file is unchanged, so it is known to have failed even
    though the agent wrote elsewhere."""
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[MCP])
    kill = {"kind": "step", "at": 0, "after": True, "early": False}
    assert kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], kill)["killed"]
    place = demo_workspace.store_paths[MCP]
    place.write_text(place.read_text().replace("Runs the warehouse", "Ran the warehouse"))
    stores = all_contents(demo_workspace.folder)
    with demo_workspace.opened() as workspace:
        event = workspace.journal()[0]
        assert event.state == "failed"
        assert "exited before writing it" in event.reason
        assert all_contents(demo_workspace.folder) == stores
        assert workspace.pull().changes == {MCP: (0, 1, 0)}
        assert_in_sync(workspace)


def test_a_missing_store_is_reconciled_when_it_returns(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness
) -> None:
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[MCP])
    kill = {"kind": "step", "at": 1, "after": True, "early": False}
    assert kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], kill)["killed"]
    place = demo_workspace.store_paths[MCP]
    place.rename(demo_workspace.folder / "away")
    with demo_workspace.opened() as workspace:
        (message,) = workspace.reconciled
        assert message.startswith("Interrupted change still pending: Edited 1 memory")
        assert workspace.journal()[0].state == "intended"
        workspace.pin([find_id(workspace, SAMPLE[NATIVE])])
    (demo_workspace.folder / "away").rename(place)
    with demo_workspace.opened() as workspace:
        assert memory(workspace, id).content == "Zebra."
        assert {event.state for event in workspace.journal()} == {"done"}
        assert_in_sync(workspace)


# -- leases


def test_intents_of_a_living_process_are_left_alone(demo_workspace: DemoWorkspace) -> None:
    seen: list[tuple[str, tuple[str, ...]]] = []

    def open_another(name: str) -> None:
        if name in ("before the foreign write", "after the foreign write"):
            with demo_workspace.opened() as other:
                seen.append((other.journal()[0].state, other.reconciled))

    with demo_workspace.opened(on_step=open_another) as workspace:
        id = find_id(workspace, SAMPLE[MCP])
        workspace.edit([id], {"content": "Zebra."})
        assert seen == [("intended", ()), ("intended", ())]
        assert workspace.journal()[0].state == "done"
        assert_in_sync(workspace)


def test_the_lease_of_a_killed_process_is_removed(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness
) -> None:
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[MCP])
    leases = demo_workspace.path.with_name(demo_workspace.path.name + ".leases")
    kill = {"kind": "step", "at": 0, "after": True, "early": False}
    kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], kill)
    (lease,) = leases.iterdir()
    assert lease.stat().st_mode & 0o777 == 0o600
    with demo_workspace.opened() as workspace:
        assert len(workspace.reconciled) == 1
        assert not lease.exists()
    assert not leases.exists()


def test_a_process_that_exits_leaves_no_files(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness
) -> None:
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[MCP])
    result = kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], NO_KILL)
    assert (result["killed"], result["acknowledged"], result["code"]) == (False, True, 0)
    assert leftovers(demo_workspace) == set()
    backups = demo_workspace.path.with_name(demo_workspace.path.name + ".backups")
    assert files_under(demo_workspace.path.parent) == {demo_workspace.path, backups, *backups.iterdir()}
