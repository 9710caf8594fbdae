"""Runs across all stores, their forecasts, and several runs a day (S-20 … S-27)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.memory.lifecycles import NAMES
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    refusal,
)
from tests.support.lifecycle_stores import (
    COAT,
    DAY,
    FAINT,
    FOUNDER,
    LESSON,
    MINIONS,
    ROWS,
    SKILL,
    LifecycleStores,
    at_day,
    make_founder_os,
    make_minions,
    memory_by_id,
    row,
)
from tests.support.stores import minions
from tests.workspace.decay.runs import (
    confidences,
    due_steps,
    entry_ids,
    forecasts_json,
    run_decay,
    store_bytes,
)

# -- all stores at once


DAY_TEN = {
    ("native", "Founder brief.", "expired"),
    (FOUNDER, "Founder weekly.", "0.50 → 0.40"),
    (FOUNDER, "Founder weak.", "deleted"),
    (FOUNDER, "Founder brief.", "deleted"),
    (MINIONS, "faint", "expired"),
    (MINIONS, "lesson", "expired"),
    (MINIONS, "brief", "expired"),
    (SKILL, "Fact task.", "expired"),
    (COAT, "Coat top.", "l1 → l2"),
    (COAT, "Coat middle.", "l2 → l3"),
    (COAT, "Coat brief.", "deleted"),
}


def test_one_run_changes_all_stores_and_one_undo_restores_them(all_stores: LifecycleStores) -> None:
    before = all_stores.snapshot()
    all_stores.calendar.set_day(10)
    with all_stores.opened() as workspace:
        steps, forecasts = workspace.due(), forecasts_json(workspace)
        listed = workspace.outlook().rows(0, 100, removals=False)
        assert {(each.store, each.label, each.what) for each in steps} == DAY_TEN
        assert len(steps) == len(DAY_TEN)
        last = entry_ids(workspace)
        result = workspace.run_decay()
        assert result.change is not None
        assert (len(result.change.ids), result.skipped, list(result.due)) == (len(DAY_TEN), (), steps)
        assert len(entry_ids(workspace)) == len(last) + 1
        assert workspace.journal()[0].kind == "decayed"
        after = all_stores.snapshot()
        assert after[str(all_stores.cognitive)] == before[str(all_stores.cognitive)]
        assert {path for path in before if after[path] != before[path]} == before.keys() - {
            str(all_stores.cognitive)
        }
    with all_stores.opened() as workspace:  # also in another memtui
        assert len(workspace.undo().ids) == len(DAY_TEN)
        assert all_stores.snapshot() == before
        assert workspace.due() == steps
        assert forecasts_json(workspace) == forecasts
        assert workspace.outlook().rows(0, 100, removals=False) == listed
        assert workspace.pull().total == 0
        assert len(workspace.redo().ids) == len(DAY_TEN)
        assert all_stores.snapshot() == after
        assert (workspace.due(), workspace.pull().total) == ([], 0)
        workspace.undo()
        assert all_stores.snapshot() == before


def test_due_steps_are_listed_soonest_first(all_stores: LifecycleStores) -> None:
    with all_stores.opened() as workspace:
        times = [each.at for each in workspace.due(now=at_day(10))]
    assert times == sorted(times)


@pytest.mark.parametrize("days", [(10,), (2, 3, 4, 9, 16, 23, 62, 69)])
def test_a_run_applies_exactly_the_due_steps(all_stores: LifecycleStores, days: tuple[float, ...]) -> None:
    with all_stores.opened() as workspace:
        for day in days:
            all_stores.calendar.set_day(day)
            steps = {each.id: each for each in workspace.due()}
            memories_before = {id: memory_by_id(workspace, id) for id in workspace.search("", live=False).ids}
            result = workspace.run_decay()
            assert {each.id: each for each in result.due} == steps
            assert set(result.change.ids if result.change else ()) == steps.keys()
            now = {memory.uid: memory for memory in workspace.memories(list(memories_before))}
            for id, before in memories_before.items():
                after = now[before.uid]
                if id not in steps:
                    assert after == before
                    continue
                step = steps[id]
                if not step.leaves:
                    ((name, value),) = (each for each in step.fields.items() if each[0] != "promotion_count")
                    assert getattr(after, name) == pytest.approx(value)
                    shown = f"{value:.2f}" if name == "confidence" else value
                    assert step.what.endswith(f" → {shown}")
                else:
                    assert step.what in ("deleted", "expired")
                    assert id not in workspace.search("").ids


def test_forecasts_come_true(all_stores: LifecycleStores) -> None:
    lifecycles = ("founder-os", "minions", "mem-skill", "base-coat", "memtui")
    with all_stores.opened() as workspace:
        for day in (2, 9, 30, 64):
            forecasts = {
                memory.uid: forecast
                for memory, forecast in workspace.forecasts(days=day - _current_day(all_stores))
                if forecast
            }
            for each in range(int(_current_day(all_stores)) + 1, day + 1):
                all_stores.calendar.set_day(each)
                run_decay(workspace)
            live = {memory.uid: memory for memory in workspace.memories(workspace.search("").ids)}
            for uid, forecast in forecasts.items():
                if forecast.lifecycle not in lifecycles or forecast.frozen:
                    continue
                assert (forecast.as_is.label == "gone") == (uid not in live), (uid, forecast)
                if uid in live and forecast.lifecycle in ("founder-os", "minions", "mem-skill"):
                    assert live[uid].confidence == pytest.approx(forecast.as_is.score, abs=1e-9)
                if uid in live and forecast.lifecycle == "base-coat":
                    assert live[uid].tier == forecast.as_is.tier


def _current_day(stores: LifecycleStores) -> float:
    return (stores.calendar.now - at_day(0)) / DAY


@pytest.mark.parametrize("name", ["", *NAMES])
def test_a_single_forecast_equals_the_one_in_the_list(all_stores: LifecycleStores, name: str) -> None:
    with all_stores.opened() as workspace:
        all_stores.calendar.set_day(40)
        assert len(forecasts_json(workspace, lifecycle=name)) > 30
        for memory, forecast in workspace.forecasts(days=90, lifecycle=name):
            assert forecast_json(workspace, memory.uid, lifecycle=name) == forecast.to_json(), memory.content


def forecast_json(workspace: Workspace, uid: str, **options: Any) -> dict[str, Any]:
    """Return the forecast of a single memory as JSON."""
    forecast = workspace.forecast(workspace.find(uid), days=90, **options)
    assert forecast is not None
    return forecast.to_json()


def test_half_lives_ignore_the_case_of_the_category(stores: LifecycleStores) -> None:
    with stores.opened(half_lives={"übung": 5.0}) as workspace:
        workspace.add({"content": "An exercise.", "category": "Übung"})
        stores.calendar.set_day(5)
        ((memory, forecast),) = workspace.forecasts(days=90)
        assert forecast.score == pytest.approx(0.25)
        assert forecast_json(workspace, memory.uid) == forecast.to_json()


def test_a_memory_without_timestamps_decays_from_when_it_was_first_seen(
    stores: LifecycleStores, workspace: Workspace
) -> None:
    timeless = row("timeless", 50, last=0, last_used_at=None, created_at="", updated_at="")
    workspace.attach(make_founder_os(stores, timeless), FOUNDER)
    stores.calendar.set_day(40)
    ((memory, forecast),) = workspace.forecasts(days=90)
    assert forecast_json(workspace, memory.uid) == forecast.to_json()
    assert due_steps(workspace) == {"Founder timeless.": "0.50 → 0.45"}


def test_an_outlook_counts_live_and_pinned_memories(all_stores: LifecycleStores) -> None:
    with all_stores.opened() as workspace:
        outlook = workspace.outlook()
        assert outlook.count == len(workspace.search("").ids)
        assert outlook.frozen == len(workspace.search("is:pinned").ids) > 5
        assert set(outlook.ids(1_000)) <= set(workspace.search("").ids)


def test_forecasts_and_outlooks_write_nothing(all_stores: LifecycleStores) -> None:
    with all_stores.opened() as workspace:
        before, last = store_bytes(all_stores), entry_ids(workspace)
        for day in (0, 10, 1_000):
            workspace.due(now=at_day(day))
            workspace.outlook(now=at_day(day)).rows(0, 100)
            for name in NAMES:
                list(workspace.forecasts(now=at_day(day), days=1_826, lifecycle=name))
        assert (store_bytes(all_stores), entry_ids(workspace)) == (before, last)
    with all_stores.opened(read_only=True) as workspace:
        assert len(workspace.due(now=at_day(10))) == len(DAY_TEN)
        assert refusal(lambda: workspace.run_decay(now=at_day(10))).code == "read-only"
        assert store_bytes(all_stores) == before


@pytest.mark.parametrize("name", [FOUNDER, "acme", "path"])
def test_a_store_is_selected_by_its_short_name_or_path(all_stores: LifecycleStores, name: str) -> None:
    selector = str(all_stores.founder) if name == "path" else name
    with all_stores.opened() as workspace:
        assert {memory.store for memory, _ in workspace.forecasts(store=selector)} == {FOUNDER}
        assert workspace.outlook(store=selector).count == len(ROWS) - 1  # one is dismissed


def test_unknown_lifecycles_and_stores_are_refused(stores: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_founder_os(stores), FOUNDER)
    assert "nowhere" in refusal(lambda: workspace.outlook(store="nowhere")).message
    assert "nowhere" in refusal(lambda: list(workspace.forecasts(store="nowhere"))).message
    assert "/nowhere/at" in refusal(lambda: workspace.outlook(store="/nowhere/at")).message
    assert refusal(lambda: workspace.forecasts(days=1_827)).code == "days"
    assert "nonsense" in refusal(lambda: workspace.outlook(lifecycle="nonsense")).message


# -- once a day


def test_a_second_run_on_the_same_day_changes_no_byte(all_stores: LifecycleStores) -> None:
    with all_stores.opened() as workspace:
        all_stores.calendar.set_day(3)
        assert run_decay(workspace)
        before, last, mirror = store_bytes(all_stores), entry_ids(workspace), forecasts_json(workspace)
        assert (due_steps(workspace), run_decay(workspace)) == ({}, "")
        assert (store_bytes(all_stores), entry_ids(workspace), forecasts_json(workspace)) == (
            before,
            last,
            mirror,
        )
    with all_stores.opened() as workspace:
        assert (due_steps(workspace), run_decay(workspace)) == ({}, "")
        assert (store_bytes(all_stores), entry_ids(workspace)) == (before, last)


@pytest.mark.parametrize("first", ["something", "nothing"])
def test_a_step_due_later_on_the_same_day_waits_for_the_next(
    stores: LifecycleStores, workspace: Workspace, first: str
) -> None:
    rows = [row("afternoon", 50, last=-34.75)]  # its step falls on 14:00 of day 2
    if first == "something":
        rows.append(ROWS[0])
    workspace.attach(make_founder_os(stores, *rows), FOUNDER)
    stores.calendar.set_day(2)  # 8:00
    assert bool(run_decay(workspace)) is (first == "something")
    before, last = store_bytes(stores), entry_ids(workspace)
    stores.calendar.set_day(2.5)  # 20:00
    assert (due_steps(workspace), run_decay(workspace)) == ({}, "")
    assert (store_bytes(stores), entry_ids(workspace)) == (before, last)
    stores.calendar.set_day(2 + 15.9 / 24)  # before midnight in UTC
    assert run_decay(workspace) == ""
    stores.calendar.set_day(2 + 16.1 / 24)
    assert due_steps(workspace) == {"Founder afternoon.": "0.50 → 0.45"}
    assert run_decay(workspace)
    assert confidences(stores.founder)["afternoon"] == 45


def test_a_run_with_nothing_due_leaves_no_trace(all_stores: LifecycleStores) -> None:
    all_stores.calendar.set_day(1)
    with all_stores.opened() as workspace:
        before, last = store_bytes(all_stores), entry_ids(workspace)
        result = workspace.run_decay()
        assert (result.change, result.due, result.skipped) == (None, (), ())
        assert (store_bytes(all_stores), entry_ids(workspace)) == (before, last)
        all_stores.calendar.set_day(2)
        assert len(due_steps(workspace)) == 6


@pytest.mark.parametrize("runs", [1, 2])
def test_undone_steps_are_due_again_on_the_same_day(all_stores: LifecycleStores, runs: int) -> None:
    with all_stores.opened() as workspace:
        before = all_stores.snapshot()
        all_stores.calendar.set_day(2)
        steps = due_steps(workspace)
        first = run_decay(workspace)
        assert [run_decay(workspace) for _ in range(1, runs)] == [""] * (runs - 1)
        workspace.undo()
        assert (due_steps(workspace), run_decay(workspace)) == (steps, first)
        assert due_steps(workspace) == {}
        assert confidences(all_stores.founder)["weekly"] == 45
        workspace.undo()
        assert all_stores.snapshot() == before


def test_undone_steps_are_due_later_together_with_newer_ones(all_stores: LifecycleStores) -> None:
    with all_stores.opened() as workspace:
        all_stores.calendar.set_day(2)
        run_decay(workspace)
        workspace.undo()
        all_stores.calendar.set_day(9)
        assert due_steps(workspace)["Founder weekly."] == "0.50 → 0.40"
        run_decay(workspace)
        assert confidences(all_stores.founder)["weekly"] == 40


def test_undo_of_an_older_run_makes_its_steps_due_again(
    stores: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(stores, ROWS[0], ROWS[1]), FOUNDER)
    stores.calendar.set_day(2)
    first = workspace.run_decay().change
    assert first is not None
    stores.calendar.set_day(9)
    assert run_decay(workspace)
    assert confidences(stores.founder) == {"weekly": 40}
    assert len(workspace.undo(first.journal_id).ids) == 1  # the other memory changed since
    assert confidences(stores.founder) == {"weekly": 40, "weak": 14}
    assert due_steps(workspace) == {"Founder weak.": "deleted"}


def test_daily_runs_give_the_same_result_as_one_run(stores: LifecycleStores, tmp_path: Path) -> None:
    other = LifecycleStores(tmp_path / "other")
    for each in (stores, other):
        with each.opened() as workspace:
            workspace.attach(make_founder_os(each, *ROWS, row("slow", 77, last=-12.3)), FOUNDER)
            workspace.attach(make_minions(each), MINIONS)
    with other.opened() as workspace:
        for day in range(1, 31):
            other.calendar.set_day(day)
            run_decay(workspace)
    with stores.opened() as workspace:
        stores.calendar.set_day(30)
        run_decay(workspace)
    assert confidences(stores.founder) == confidences(other.founder)
    for number in range(FAINT, LESSON + 1):
        first, second = (minions.read_minion(each.minions, number) for each in (stores, other))
        assert ("deletedAt" in first) == ("deletedAt" in second)
    assert len(minions.of_type(stores.minions, "expiry")) == len(minions.of_type(other.minions, "expiry"))
