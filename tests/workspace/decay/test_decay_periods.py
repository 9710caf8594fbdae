"""No decay for the time in which a memory was detached, frozen or just used (S-27)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    agent_executes,
    find_id,
)
from tests.support.lifecycle_stores import (
    FOUNDER,
    MINIONS,
    ROWS,
    LifecycleStores,
    at_day,
    item,
    make_founder_os,
    make_minions,
    memory_by_id,
    row,
)
from tests.support.sizes import shard
from tests.workspace.decay.runs import (
    confidences,
    due_steps,
    run_decay,
)


def test_no_steps_are_due_for_the_time_before_attaching(
    stores: LifecycleStores, workspace: Workspace
) -> None:
    idle = [row("idle", 80, last=-300), row("older", 80, last=-3_000)]
    workspace.attach(make_founder_os(stores, *idle), FOUNDER)
    workspace.attach(make_minions(stores, item(1, "faint", 0.2, -900)), MINIONS)
    assert due_steps(workspace) == {}
    assert due_steps(workspace, at_day(-10)) == {}
    stores.calendar.set_day(7)  # one weekly step, and seven daily ones
    assert due_steps(workspace) == {
        "Founder idle.": "0.80 → 0.75",
        "Founder older.": "0.80 → 0.75",
        "faint": "expired",
    }


def test_no_steps_are_due_for_the_time_while_detached(stores: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_founder_os(stores, ROWS[0]), FOUNDER)
    stores.calendar.set_day(2)
    assert run_decay(workspace)
    workspace.detach(FOUNDER)
    stores.calendar.set_day(200)
    assert due_steps(workspace) == {}
    workspace.attach(stores.founder)
    assert due_steps(workspace) == {}
    stores.calendar.set_day(205)
    assert due_steps(workspace) == {"Founder weekly.": "0.45 → 0.40"}


def test_no_steps_are_due_for_the_time_before_a_memory_was_added(
    stores: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(stores, ROWS[5]), FOUNDER)
    stores.calendar.set_day(200)
    names = row("late", 50, last=-35)
    agent_executes(
        stores.founder,
        f"INSERT INTO memories ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
        *names.values(),
    )
    workspace.pull()
    assert "Founder late." not in due_steps(workspace)
    stores.calendar.set_day(205)
    assert due_steps(workspace)["Founder late."] == "0.50 → 0.45"


def test_a_confirmation_cancels_earlier_steps(stores: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_founder_os(stores, ROWS[0]), FOUNDER)
    stores.calendar.set_day(100)
    workspace.confirm([find_id(workspace, "Founder weekly")])
    assert confidences(stores.founder) == {"weekly": 65}
    assert due_steps(workspace) == {}


Action = Callable[[Workspace, int], object]
FREEZES: dict[str, tuple[Action, Action]] = {
    "pinned, then unpinned": (lambda w, id: w.pin([id]), lambda w, id: w.unpin([id])),
    "pinned, then undone": (lambda w, id: w.pin([id]), lambda w, _: w.undo()),
    "unpinned, undone, then redone": (
        lambda w, id: (w.pin([id]), w.unpin([id]), w.undo()),
        lambda w, _: w.redo(),
    ),
    "dismissed, then restored": (lambda w, id: w.dismiss([id]), lambda w, id: w.restore([id])),
    "dismissed, then undone": (lambda w, id: w.dismiss([id]), lambda w, _: w.undo()),
    "superseded, then restored": (
        lambda w, id: w.supersede([id], find_id(w, "Founder mate")),
        lambda w, id: w.restore([id]),
    ),
    "superseded, then undone": (
        lambda w, id: w.supersede([id], find_id(w, "Founder mate")),
        lambda w, _: w.undo(),
    ),
}


@pytest.mark.parametrize(
    ("how", "runs"),
    [
        (how, runs)
        for number, how in enumerate(FREEZES)
        for runs in shard(((), (50, 150)), number, 2)  # no run in between, or two
    ],
)
def test_no_steps_are_due_for_the_time_while_frozen(
    stores: LifecycleStores, workspace: Workspace, how: str, runs: tuple[int, ...]
) -> None:
    workspace.attach(make_founder_os(stores, ROWS[0], row("mate", 90, last=199)), FOUNDER)
    freeze, unfreeze = FREEZES[how]
    stores.calendar.set_day(1)
    id = find_id(workspace, "Founder weekly")
    freeze(workspace, id)
    for day in runs:
        stores.calendar.set_day(day)
        assert run_decay(workspace) == ""
    stores.calendar.set_day(200)
    assert due_steps(workspace) == {}
    unfreeze(workspace, id)
    assert (memory_by_id(workspace, id).status, memory_by_id(workspace, id).pinned) == ("confirmed", False)
    assert due_steps(workspace) == {}
    stores.calendar.set_day(205)
    assert due_steps(workspace) == {"Founder weekly.": "0.50 → 0.45"}


def test_no_steps_are_due_for_the_time_while_dismissed_by_an_agent(
    stores: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(stores, ROWS[0]), FOUNDER)
    stores.calendar.set_day(1)
    agent_executes(stores.founder, "UPDATE memories SET status = 'dismissed'")
    workspace.pull()
    stores.calendar.set_day(200)
    agent_executes(stores.founder, "UPDATE memories SET status = 'confirmed'")
    workspace.pull()
    assert due_steps(workspace) == {}
    stores.calendar.set_day(205)
    assert due_steps(workspace) == {"Founder weekly.": "0.50 → 0.45"}


def test_a_use_restarts_the_days(stores: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_founder_os(stores, ROWS[0]), FOUNDER)
    stores.calendar.set_day(100)
    assert workspace.recall('"Founder weekly"', Caller("scout"), strategy="keyword").memories
    assert due_steps(workspace) == {}
    stores.calendar.set_day(137)
    assert due_steps(workspace) == {"Founder weekly.": "0.50 → 0.45"}
