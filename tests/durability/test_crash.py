"""kill -9 at any moment: nothing acknowledged is lost, nothing is doubled or half done (S-7, S-93)."""

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
    agrees,
    everything,
    files_under,
    memory,
    rows,
    the,
    words_agree,
)
from tests.support.kills.kill_harness import REFUSED, KillHarness, an_end, do
from tests.support.sizes import count, rounds, share

NEVER = {"kind": "step", "at": 1000, "after": False, "early": False}


def a_verb(chance: random.Random, workspace: Workspace) -> list[Any]:
    """Something to be cut off, after what has to be done before it."""
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
            return ["edit", [the(workspace, SAMPLE[MCP])], {"subject": "Bo the Zebra", "content": "Saw it."}]
        case "dismiss":
            return ["dismiss", chance.sample(live, 2)]
        case "restore":
            do(workspace, ["dismiss", [id]])
            return ["restore", [id]]
        case "undo":
            do(workspace, chance.choice([edit, ["dismiss", [id]]]))
            return ["undo"]
        case "redo":
            do(workspace, chance.choice([edit, ["dismiss", [id]]]))
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


def stands(workspace: Workspace) -> dict[str, dict[str, Any]]:
    """What the rows say: not the number of the line that took one out, nor the part of a file that
    it stands in."""
    return {
        row["uid"]: row | {"moved": row["moved"] is not None, "id": 0, "unit": ""}
        for row in rows(workspace).values()
    }


def leftovers(demo_workspace: DemoWorkspace) -> set[Path]:
    """Files of ours beside the stores, and leases of processes that are gone."""
    around = files_under(*(place.parent for place in demo_workspace.places.values()))
    hidden = {file for file in around if "memtui" in file.name}
    return hidden | files_under(demo_workspace.path.with_name(demo_workspace.path.name + ".leases"))


def changed(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    return {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


@pytest.mark.kills
@pytest.mark.parametrize("seed", share(range(4), 2))
def test_killed_at_any_moment_all_is_done_or_nothing(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness, seed: int
) -> None:
    chance = random.Random(f"crash {seed}")
    killed = 0
    with demo_workspace.opened() as workspace:
        start = stands(workspace), everything(demo_workspace.folder)
    times = rounds(3, 80)
    for _ in range(times):
        with demo_workspace.opened() as workspace:
            act = a_verb(chance, workspace)
            workspace.pull()
            before, stores = stands(workspace), everything(demo_workspace.folder)
            last = workspace.journal(1)[0].id
        end = an_end(chance)
        ended = kill_harness.run(demo_workspace.path, act, end)
        assert ended["killed"] or ended["code"] in (0, REFUSED), (act, end)
        killed += ended["killed"]
        count("kills", 1, ended["killed"])
        if chance.random() < 0.3:  # and again, while it is being settled
            again = kill_harness.run(demo_workspace.path, [], an_end(chance) | {"early": True})
            assert again["killed"] or again["code"] == 0, (act, end)
        with demo_workspace.opened() as workspace:
            _as_it_should_be(demo_workspace, workspace, (act, end))
            line = _the_line(workspace, last)
            assert line or not ended["acknowledged"], (act, end)
            after = stands(workspace)
            items = workspace.journal_items(line) if line else []
            states = {item.uid: item.state for item in items}
            assert set(states.values()) <= {"done", "failed", "refused"}, (act, end)
            assert "failed" not in states.values() or not ended["acknowledged"], (act, end)
            done = {uid for uid, state in states.items() if state == "done"}
            strangers = changed(before, after) - done
            assert all(_goes_along(uid, before, after) for uid in strangers), (act, end)
            wrote = {item.store for item in items if item.state == "done"}
            assert changed(stores, everything(demo_workspace.folder)) <= wrote, (act, end)
            if done:
                workspace.undo(line)
                workspace.pull()
                assert stands(workspace) == before, (act, end)
                assert everything(demo_workspace.folder) == stores, (act, end)
            with suppress(Refused):  # what had been done before goes too, down to "nothing to undo"
                while True:
                    workspace.undo()
            workspace.pull()
            assert (stands(workspace), everything(demo_workspace.folder)) == start, (act, end)
            _as_it_should_be(demo_workspace, workspace, (act, end))
    assert killed > times // 3


def _as_it_should_be(demo_workspace: DemoWorkspace, workspace: Workspace, context: object) -> None:
    assert leftovers(demo_workspace) <= {
        *files_under(demo_workspace.path.with_name(demo_workspace.path.name + ".leases"))
    }, context
    agrees(workspace)
    words_agree(workspace)
    assert [event.id for event in workspace.journal() if event.state == "intended"] == [], context
    assert workspace._ctx.db.one("PRAGMA integrity_check") == "ok"
    assert workspace.pull().total == 0, context


def _the_line(workspace: Workspace, last: int) -> int | None:
    """The journal line that the killed process wrote, if it came that far."""
    fresh = [event.id for event in workspace.journal() if event.id > last]
    assert len(fresh) <= 1
    return fresh[0] if fresh else None


def _goes_along(uid: str, before: dict[str, Any], after: dict[str, Any]) -> bool:
    """What may change of a memory that nobody meant: the number of its line, and what an entity's
    observations have in common; an entity stands by itself where it has none."""
    old, new = before.get(uid), after.get(uid)
    if old is None or new is None:
        ref: str = (old or new or {})["ref"]
        return ref.startswith("entity:")
    of_entity = old["ref"].startswith(f"{old['subject']}#")
    shared = {"subject", "anchor", "ref", "digest", "hash"} if of_entity else set()
    return changed(old, new) <= {"place", *shared}


# -- the steps of a unit, one by one


@pytest.mark.parametrize("store", FOREIGN)
@pytest.mark.parametrize("step", [0, 1, 2])
def test_each_step_of_a_unit_can_be_the_last(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness, store: str, step: int
) -> None:
    with demo_workspace.opened() as workspace:
        id, before = the(workspace, SAMPLE[store]), rows(workspace)
    stores = everything(demo_workspace.folder)
    end = {"kind": "step", "at": step, "after": True, "early": False}
    assert kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], end)["killed"]
    with demo_workspace.opened() as workspace:
        event = workspace.journal()[0]
        if step == 0:
            assert event.state == "failed"
            assert event.why == "memtui ended before it was written; nothing was changed."
            assert workspace.reconciled == (f"Not done: {event.summary} ({event.why})",)
            assert (rows(workspace), everything(demo_workspace.folder)) == (before, stores)
            assert not event.undoable
        else:
            assert event.state == "done"
            finished = (f"Finished after an interruption: {event.summary}",) if step == 1 else ()
            assert workspace.reconciled == finished
            assert memory(workspace, id).content == "Zebra."
            workspace.undo()
            assert (rows(workspace), everything(demo_workspace.folder)) == (before, stores)
        agrees(workspace)
    with demo_workspace.opened() as workspace:
        assert workspace.reconciled == ()


def test_a_batch_that_was_cut_off_between_two_stores(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness
) -> None:
    with demo_workspace.opened() as workspace:
        ids = [the(workspace, SAMPLE[store]) for store in STORES]
        before = rows(workspace)
    stores = everything(demo_workspace.folder)
    end = {
        "kind": "step",
        "at": 2,
        "after": True,
        "early": False,
    }  # the first store is settled, the next not begun
    assert kill_harness.run(demo_workspace.path, ["dismiss", ids], end)["killed"]
    with demo_workspace.opened() as workspace:
        states = {item.store: item.state for item in workspace.journal_items(workspace.journal()[0].id)}
        assert states == {NATIVE: "done", FOUNDER: "done", CLAUDE: "failed", MCP: "failed"}
        assert changed(stores, everything(demo_workspace.folder)) == {FOUNDER}
        agrees(workspace)
        assert len(workspace.undo().ids) == 2
        assert (rows(workspace), everything(demo_workspace.folder)) == (before, stores)


def test_what_an_agent_wrote_after_the_crash_is_left(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness
) -> None:
    """The change was never written, and its place is as it was: that can be told beside the agent's."""
    with demo_workspace.opened() as workspace:
        id = the(workspace, SAMPLE[MCP])
    end = {"kind": "step", "at": 0, "after": True, "early": False}
    assert kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], end)["killed"]
    place = demo_workspace.places[MCP]
    place.write_text(place.read_text().replace("Runs the warehouse", "Ran the warehouse"))
    stores = everything(demo_workspace.folder)
    with demo_workspace.opened() as workspace:
        event = workspace.journal()[0]
        assert event.state == "failed"
        assert "before it was written" in event.why
        assert everything(demo_workspace.folder) == stores
        assert workspace.pull().changes == {MCP: (0, 1, 0)}
        agrees(workspace)


def test_a_store_that_is_away_is_settled_when_it_is_back(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness
) -> None:
    with demo_workspace.opened() as workspace:
        id = the(workspace, SAMPLE[MCP])
    end = {"kind": "step", "at": 1, "after": True, "early": False}
    assert kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], end)["killed"]
    place = demo_workspace.places[MCP]
    place.rename(demo_workspace.folder / "away")
    with demo_workspace.opened() as workspace:
        (told,) = workspace.reconciled
        assert told.startswith("Not settled yet: Edited 1 memory")
        assert workspace.journal()[0].state == "intended"
        workspace.pin([the(workspace, SAMPLE[NATIVE])])
    (demo_workspace.folder / "away").rename(place)
    with demo_workspace.opened() as workspace:
        assert memory(workspace, id).content == "Zebra."
        assert {event.state for event in workspace.journal()} == {"done"}
        agrees(workspace)


# -- leases


def test_what_a_living_process_intends_is_left_to_it(demo_workspace: DemoWorkspace) -> None:
    looked: list[tuple[str, tuple[str, ...]]] = []

    def look(name: str) -> None:
        if name in ("before the foreign write", "after the foreign write"):
            with demo_workspace.opened() as other:
                looked.append((other.journal()[0].state, other.reconciled))

    with demo_workspace.opened(on_step=look) as workspace:
        id = the(workspace, SAMPLE[MCP])
        workspace.edit([id], {"content": "Zebra."})
        assert looked == [("intended", ()), ("intended", ())]
        assert workspace.journal()[0].state == "done"
        agrees(workspace)


def test_a_lease_dies_with_its_process_and_its_file_is_swept(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness
) -> None:
    with demo_workspace.opened() as workspace:
        id = the(workspace, SAMPLE[MCP])
    leases = demo_workspace.path.with_name(demo_workspace.path.name + ".leases")
    end = {"kind": "step", "at": 0, "after": True, "early": False}
    kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], end)
    (left,) = leases.iterdir()
    assert left.stat().st_mode & 0o777 == 0o600
    with demo_workspace.opened() as workspace:
        assert len(workspace.reconciled) == 1
        assert not left.exists()
    assert not leases.exists()


def test_a_process_that_ends_well_leaves_nothing(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness
) -> None:
    with demo_workspace.opened() as workspace:
        id = the(workspace, SAMPLE[MCP])
    ended = kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], NEVER)
    assert (ended["killed"], ended["acknowledged"], ended["code"]) == (False, True, 0)
    assert leftovers(demo_workspace) == set()
    backups = demo_workspace.path.with_name(demo_workspace.path.name + ".backups")
    assert files_under(demo_workspace.path.parent) == {demo_workspace.path, backups, *backups.iterdir()}
