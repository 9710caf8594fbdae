"""A run of decay where something stands in its way: a store that is locked, gone or changed meanwhile, and
an end in the middle. What can be done is done, the rest is told, and a later run does it (S-27, S-90)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.decay.run import DecayResult
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import agent_executes, find_id
from tests.support.kills.kill_harness import KillHarness
from tests.support.lifecycle_stores import (
    COAT,
    DAY,
    FAINT,
    FOUNDER,
    MINIONS,
    ROWS,
    START,
    LifecycleStores,
    at_day,
    attach_all,
    coat,
    iso_day,
    item,
    make_base_coat,
    make_founder_os,
    make_minions,
    memory_by_id,
    row,
)
from tests.support.sizes import sample_cases
from tests.support.stores import Agent, changed_columns, founder_os, minions, rows_in
from tests.support.stores.databases import query


@pytest.fixture
def ageing(tmp_path: Path) -> LifecycleStores:
    return LifecycleStores(tmp_path)


def pair(ageing: LifecycleStores) -> LifecycleStores:
    """Two stores, and memtui's own, in each of which something is due on day 10 that would show if it were
    done twice."""
    make_founder_os(ageing, *ROWS)
    make_minions(ageing, item(FAINT, "faint", 0.25, -81), item(2, "gone", 0.1, -89), item(3, "solid", 0.9, 0))
    with ageing.opened() as workspace:
        workspace.attach(ageing.founder, FOUNDER)
        workspace.attach(ageing.minions, MINIONS)
        workspace.pin(workspace.search("keeper").ids)
        workspace.copy([find_id(workspace, "Founder brief")], "native")
    ageing.calendar.set_day(10)
    return ageing


# What stands there when all of it was done once.
NUMBERS = {"weekly": 40, "dismissed": 14, "keeper": 14, "fresh": 90}


def numbers(path: Path) -> dict[str, int]:
    """Founder OS's confidences by key."""
    return dict(query(path, "SELECT key, confidence FROM memories"))


def faint(ageing: LifecycleStores) -> float:
    return float(minions.read_minion(ageing.minions, FAINT)["fields"]["confidence"])


def expired(ageing: LifecycleStores) -> list[str]:
    """The minions of which an expiry is on record."""
    return sorted(each["fields"]["memoryId"] for each in minions.of_type(ageing.minions, "expiry"))


def is_done(ageing: LifecycleStores, workspace: Workspace) -> None:
    """Everything that was due on day 10 was done, once."""
    assert numbers(ageing.founder) == NUMBERS
    assert faint(ageing) == 0.15
    assert expired(ageing) == [minions.uid(2)]
    assert minions.read_minion(ageing.minions, 2)["deletedAt"]
    (copied,) = [id for id in workspace.search("Founder brief", live=False).ids if _native(workspace, id)]
    assert memory_by_id(workspace, copied).status == "expired"
    assert workspace.due() == []


def _native(workspace: Workspace, id: int) -> bool:
    return memory_by_id(workspace, id).store == "native"


def left(ran: DecayResult) -> set[tuple[str, str]]:
    """What was left undone, and why."""
    return {(each.label, each.code) for each in ran.skipped}


def test_what_one_run_does_here(ageing: LifecycleStores) -> None:
    with pair(ageing).opened() as workspace:
        before = ageing.snapshot()
        ran = workspace.run_decay()
        assert (len(ran.due), ran.skipped) == (6, ())
        is_done(ageing, workspace)
        workspace.undo()
        assert ageing.snapshot() == before


# -- a store that cannot be written now


@contextmanager
def held(ageing: LifecycleStores, workspace: Workspace) -> Iterator[None]:
    """Another program keeps everybody out."""
    with Agent(ageing.founder) as agent:
        agent.execute("BEGIN EXCLUSIVE")
        yield


@contextmanager
def named_twice(ageing: LifecycleStores, workspace: Workspace) -> Iterator[None]:
    """The database has a second name, by which a writer could damage it."""
    second = ageing.folder / "second.db"
    os.link(ageing.founder, second)
    yield
    second.unlink()


@contextmanager
def forbidden(ageing: LifecycleStores, workspace: Workspace) -> Iterator[None]:
    """A person said that nothing may be changed in it."""
    workspace.lock_store(FOUNDER, True)
    yield
    workspace.lock_store(FOUNDER, False)


@contextmanager
def away(ageing: LifecycleStores, workspace: Workspace) -> Iterator[None]:
    """It is not where it was."""
    ageing.founder.parent.rename(ageing.folder / "elsewhere")
    yield
    (ageing.folder / "elsewhere").rename(ageing.founder.parent)


Trouble = Callable[[LifecycleStores, Workspace], AbstractContextManager[None]]
TROUBLES: dict[str, tuple[Trouble, str]] = {
    "held": (held, "busy"),
    "named twice": (named_twice, "read-only"),
    "forbidden": (forbidden, "read-only"),
    "away": (away, "missing"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_the_other_stores_are_done_and_a_later_run_does_the_rest(
    ageing: LifecycleStores, trouble: str
) -> None:
    happens, code = TROUBLES[trouble]
    with pair(ageing).opened() as workspace:
        before = ageing.snapshot()
        of_founder = rows_in(ageing.founder)
        with happens(ageing, workspace):
            ran = workspace.run_decay()
            assert ran.change is not None
            assert left(ran) == {(f"Founder {name}.", code) for name in ("weekly", "weak", "brief")}
            assert all(each.reason for each in ran.skipped)
            assert ran.change.skipped == ran.skipped
            assert {memory_by_id(workspace, id).store for id in ran.change.ids} == {MINIONS, "native"}
            assert ran.change.summary == "Decay: 1 lowered, 2 left in minions:scout, native (3 of 6)"
        assert rows_in(ageing.founder) == of_founder
        assert faint(ageing) == 0.15
        assert {each.store for each in workspace.due()} == {FOUNDER}
        ageing.calendar.set_day(10.5)  # the same day
        ran = workspace.run_decay()
        assert ran.change is not None
        assert ({each.store for each in ran.due}, ran.skipped) == ({FOUNDER}, ())
        is_done(ageing, workspace)
        last = workspace.journal()[0].id
        assert workspace.run_decay().change is None
        assert workspace.journal()[0].id == last
        workspace.undo()
        workspace.undo()
        assert ageing.snapshot() == before


@pytest.mark.parametrize("trouble", TROUBLES)
def test_where_nothing_could_be_done_nothing_counts_as_done(ageing: LifecycleStores, trouble: str) -> None:
    happens, code = TROUBLES[trouble]
    make_founder_os(ageing, ROWS[0], ROWS[1])
    with ageing.opened() as workspace:
        workspace.attach(ageing.founder, FOUNDER)
        ageing.calendar.set_day(10)
        told = [(each.label, each.what) for each in workspace.due()]
        with happens(ageing, workspace):
            for _ in range(2):
                ran = workspace.run_decay()
                assert ran.change is None
                assert left(ran) == {("Founder weekly.", code), ("Founder weak.", code)}
        assert numbers(ageing.founder) == {"weekly": 50, "weak": 14}
        assert [(each.label, each.what) for each in workspace.due()] == told
        assert workspace.run_decay().skipped == ()
        assert numbers(ageing.founder) == {"weekly": 40}
        workspace.undo()
        assert numbers(ageing.founder) == {"weekly": 50, "weak": 14}


def test_a_database_without_a_log_that_another_program_reads_and_writes(ageing: LifecycleStores) -> None:
    make_base_coat(ageing, coat("top", last=-88, tier="l1"), relations=(), journal="delete")
    with ageing.opened() as workspace:
        workspace.attach(ageing.coat, COAT)
        ageing.calendar.set_day(2)
        with Agent(ageing.coat) as agent:
            agent.execute("BEGIN EXCLUSIVE")
            ran = workspace.run_decay()
            assert (ran.change, left(ran)) == (None, {("Coat top.", "busy")})
        assert workspace.run_decay().change is not None
        assert query(ageing.coat, "SELECT tier FROM memories") == [("l2",)]


def test_days_later_what_was_left_is_done_with_what_came_since(ageing: LifecycleStores) -> None:
    with pair(ageing).opened() as workspace:
        with forbidden(ageing, workspace):
            workspace.run_decay()
        ageing.calendar.set_day(17)
        assert workspace.run_decay().skipped == ()
        assert numbers(ageing.founder)["weekly"] == 35  # days 2, 9 and 16
        assert expired(ageing) == sorted([minions.uid(2), minions.uid(FAINT)])


# -- what an agent did since it was read


def test_what_an_agent_used_meanwhile_stays_as_it_is(ageing: LifecycleStores) -> None:
    with pair(ageing).opened() as workspace:
        agent_executes(
            ageing.founder,
            "UPDATE memories SET times_used = 9, last_used_at = ? WHERE key IN ('weekly', 'weak')",
            int(at_day(10)),
        )
        before = rows_in(ageing.founder)
        ran = workspace.run_decay()
        assert {each.label for each in ran.skipped} == {"Founder weekly.", "Founder weak."}
        assert all("changed in the store since it was read" in each.reason for each in ran.skipped)
        assert numbers(ageing.founder) == {**NUMBERS, "weekly": 50, "weak": 14}
        assert changed_columns(before, rows_in(ageing.founder)) == {
            ("memories", "*")
        }  # the one past its expiry
        assert faint(ageing) == 0.15
        # The store was read again: as they were used, they are not due any more.
        assert workspace.due() == []
        ageing.calendar.set_day(10.5)
        ran = workspace.run_decay()
        assert (ran.change, ran.skipped) == (None, ())
        ageing.calendar.set_day(47)
        assert {each.label: each.what for each in workspace.due() if each.store == FOUNDER} == {
            "Founder weekly.": "0.50 → 0.45",
            "Founder weak.": "deleted",
            "Founder fresh.": "0.90 → 0.80",
        }


def test_what_an_agent_set_meanwhile_is_lowered_by_the_next_run(ageing: LifecycleStores) -> None:
    with pair(ageing).opened() as workspace:
        agent_executes(ageing.founder, "UPDATE memories SET confidence = 80 WHERE key = 'weekly'")
        ran = workspace.run_decay()
        assert {each.label for each in ran.skipped} == {"Founder weekly."}
        assert numbers(ageing.founder) == {**NUMBERS, "weekly": 80}
        assert {each.label for each in workspace.due()} <= {"Founder weekly."}
        assert faint(ageing) == 0.15


def test_a_file_that_an_agent_wrote_meanwhile_stays_as_it_is(ageing: LifecycleStores) -> None:
    with pair(ageing).opened() as workspace:
        theirs = minions.read_minion(ageing.minions, FAINT)
        theirs["fields"] |= {"confidence": 0.6, "value": "Theirs."}
        file = minions.put(ageing.minions, theirs)
        before = file.read_bytes()
        ran = workspace.run_decay()
        assert {each.label for each in ran.skipped} == {"faint"}
        assert file.read_bytes() == before
        assert expired(ageing) == [minions.uid(2)]
        assert numbers(ageing.founder) == NUMBERS
        assert workspace.due() == []


def test_a_minion_that_an_agent_deleted_meanwhile_is_not_expired_again(ageing: LifecycleStores) -> None:
    with pair(ageing).opened() as workspace:
        theirs = minions.read_minion(ageing.minions, 2) | {"deletedAt": iso_day(9), "deletedBy": "janitor"}
        file = minions.put(ageing.minions, theirs)
        before = file.read_bytes()
        ran = workspace.run_decay()
        assert {each.label for each in ran.skipped} == {"gone"}
        assert (file.read_bytes(), expired(ageing)) == (before, [])
        assert workspace.due() == []


def test_a_text_that_an_agent_wrote_meanwhile_is_not_deleted_unread(ageing: LifecycleStores) -> None:
    with pair(ageing).opened() as workspace:
        agent_executes(
            ageing.founder, "UPDATE memories SET content = 'News.' WHERE key IN ('weekly', 'weak')"
        )
        ran = workspace.run_decay()
        assert {each.label for each in ran.skipped} == {"Founder weak."}
        assert numbers(ageing.founder) == {**NUMBERS, "weak": 14}  # a number is lowered all the same
        contents = "SELECT content FROM memories WHERE key IN ('weekly', 'weak')"
        assert query(ageing.founder, contents) == [("News.",), ("News.",)]


def test_what_an_agent_removed_meanwhile_is_no_trouble(ageing: LifecycleStores) -> None:
    with pair(ageing).opened() as workspace:
        agent_executes(ageing.founder, "DELETE FROM memories WHERE key IN ('weekly', 'weak')")
        ran = workspace.run_decay()
        assert {each.label for each in ran.skipped} == {"Founder weekly.", "Founder weak."}
        assert numbers(ageing.founder) == {name: NUMBERS[name] for name in ("dismissed", "keeper", "fresh")}
        assert workspace.due() == []


def test_two_memtuis_that_run_at_once_do_it_once(ageing: LifecycleStores) -> None:
    pair(ageing)
    others: list[DecayResult] = []

    def look(name: str) -> None:
        if name == "before the foreign write" and not others:
            others.append(_run_beside(ageing))

    with ageing.opened(on_step=look) as workspace:
        before = ageing.snapshot()
        ran = workspace.run_decay()
        (other,) = others
        assert other.change is not None
        is_done(ageing, workspace)
        assert {each.code for each in ran.skipped} <= {"changed", "changed-since", "conflict"}
        for event in workspace.journal():
            if event.kind == "decayed" and event.undoable:
                workspace.undo(event.id)
        assert ageing.snapshot() == before


def _run_beside(ageing: LifecycleStores) -> DecayResult:
    with ageing.opened() as workspace:
        return workspace.run_decay()


# -- an end in the middle


STEPS = 6  # two stores: before, after, and settled


def is_killed(ageing: LifecycleStores, kill_harness: KillHarness, step: int) -> bool:
    """Another process runs decay and is killed at a step, if it comes that far; it ends well else."""
    end = {"kind": "step", "at": step, "after": False, "early": False, "clock": ageing.calendar.now}
    ended = kill_harness.run(ageing.path, ["run_decay"], end)
    assert ended["killed"] or (ended["acknowledged"], ended["code"]) == (True, 0)
    return bool(ended["killed"])


@pytest.mark.parametrize("step", sample_cases(range(STEPS), 4))
def test_killed_at_any_step_the_next_run_finishes(
    ageing: LifecycleStores, kill_harness: KillHarness, step: int
) -> None:
    with pair(ageing).opened():
        before = ageing.snapshot()
    assert is_killed(ageing, kill_harness, step)
    with ageing.opened() as workspace:
        assert [event for event in workspace.journal() if event.state == "intended"] == []
        assert workspace.pull().total == 0
        lowered = numbers(ageing.founder)["weekly"], faint(ageing)
        assert lowered == (50 if step < 1 else 40, 0.25 if step < 4 else 0.15)
        ran = workspace.run_decay()
        assert ran.skipped == ()
        is_done(ageing, workspace)
        assert workspace.run_decay().change is None
        for event in workspace.journal():
            if event.kind == "decayed" and event.undoable:
                workspace.undo(event.id)
        assert ageing.snapshot() == before


def test_a_run_that_ended_well_is_not_done_again(ageing: LifecycleStores, kill_harness: KillHarness) -> None:
    pair(ageing)
    assert not is_killed(ageing, kill_harness, STEPS)
    with ageing.opened() as workspace:
        assert (workspace.reconciled, workspace.due()) == ((), [])
        is_done(ageing, workspace)


def test_killed_in_a_run_through_all_stores_nothing_is_torn(
    ageing: LifecycleStores, kill_harness: KillHarness
) -> None:
    attach_all(ageing)
    before = ageing.snapshot()
    ageing.calendar.set_day(10)
    assert is_killed(ageing, kill_harness, 7)  # in the third store, once it was written
    with ageing.opened() as workspace:
        (event,) = [each for each in workspace.journal() if each.kind == "decayed"]
        states = {item.store: item.state for item in workspace.journal_items(event.id)}
        assert sorted(states.values()) == ["done"] * 4 + ["failed"]
        assert workspace.pull().total == 0
        workspace.undo()
        assert ageing.snapshot() == before
        assert len(workspace.due()) == 11
        assert workspace.run_decay().skipped == ()
        workspace.undo()
        assert ageing.snapshot() == before


# -- odd stores


def test_one_memory_that_cannot_be_written_does_not_keep_the_others(ageing: LifecycleStores) -> None:
    make_minions(ageing, item(1, "faint", 0.25, -81), item(2, "linked", 0.25, -81))
    target = ageing.folder / "linked.json"
    place = ageing.minions / minions.relative_path(minions.uid(2))
    place.rename(target)
    place.symlink_to(target)
    with ageing.opened() as workspace:
        workspace.attach(ageing.minions, MINIONS)
        ageing.calendar.set_day(10)
        told = target.read_bytes()
        ran = workspace.run_decay()
        assert {each.label for each in ran.skipped} <= {"linked"}
        assert target.read_bytes() == told
        assert faint(ageing) == 0.15


@pytest.mark.parametrize(
    "number", [0.05, 9, 14.6, "50", "strong", None, -3, 250, 1e308, b"\x01"], ids=lambda each: repr(each)[:12]
)
@pytest.mark.filterwarnings("error")
def test_whatever_stands_where_a_number_should_a_run_ends_well(ageing: LifecycleStores, number: Any) -> None:
    odd = row("odd", 0, last=-35, confidence=number)
    founder_os.make(ageing.founder, (odd, ROWS[0]), columns=founder_os.UNTYPED_COLUMNS)
    with ageing.opened() as workspace:
        workspace.attach(ageing.founder, FOUNDER)
        before = rows_in(ageing.founder)
        ageing.calendar.set_day(10)
        told = {each.label: each for each in workspace.due()}
        ran = workspace.run_decay()
        assert "Founder weekly." not in {each.label for each in ran.skipped}
        after = dict(query(ageing.founder, "SELECT key, confidence FROM memories"))
        assert after["weekly"] == 40
        if "Founder odd." in told and told["Founder odd."].leaves:
            assert "odd" not in after
        elif "Founder odd." in told:
            assert float(after["odd"]) / 100 == pytest.approx(told["Founder odd."].fields["confidence"])
        else:
            assert after["odd"] == number
        workspace.undo()
        assert rows_in(ageing.founder) == before


def test_a_clock_that_was_set_back_does_nothing_twice(ageing: LifecycleStores) -> None:
    with pair(ageing).opened() as workspace:
        assert workspace.run_decay().change is not None
        for day in (9, 5, -3):
            ageing.calendar.now = START + day * DAY
            assert (workspace.due(), workspace.run_decay().change) == ([], None)
        ageing.calendar.set_day(10.2)
        is_done(ageing, workspace)
        ageing.calendar.set_day(16)
        workspace.run_decay()
        assert numbers(ageing.founder)["weekly"] == 35


def test_a_store_that_is_detached_is_left_alone(ageing: LifecycleStores) -> None:
    with pair(ageing).opened() as workspace:
        workspace.detach(FOUNDER)
        before = rows_in(ageing.founder)
        ran = workspace.run_decay()
        assert (FOUNDER in {each.store for each in ran.due}, ran.skipped) == (False, ())
        assert rows_in(ageing.founder) == before


def test_an_undo_says_what_an_agent_changed_since(ageing: LifecycleStores) -> None:
    with pair(ageing).opened() as workspace:
        line = workspace.run_decay().change
        assert line is not None
        agent_executes(ageing.founder, "UPDATE memories SET confidence = 77 WHERE key = 'weekly'")
        change = workspace.undo()
        assert len(change.ids) == len(line.ids) - 1
        assert len(change.skipped) == 1
        assert numbers(ageing.founder) == {**NUMBERS, "weekly": 77, "weak": 14, "brief": 90}
        assert workspace.journal()[0].summary.endswith("(5 of 6; the rest changed since)")
