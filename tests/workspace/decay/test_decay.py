"""What decay takes, store by store, as one batch that one undo takes back, once a day (S-20 … S-27)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.lifecycles import NAMES
from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    MCP,
    NATIVE,
    DemoWorkspace,
    agent_executes,
    all_contents,
    find_id,
    refusal,
)
from tests.support.demo_workspace import FOUNDER as LARKFIELD
from tests.support.lifecycle_stores import (
    BRIEF,
    COAT,
    DAY,
    FAINT,
    FOUNDER,
    FROZEN,
    KEPT,
    LESSON,
    MINIONS,
    ROWS,
    SKILL,
    SOLID,
    LifecycleStores,
    at_day,
    attach_all,
    coat,
    copy_stores,
    iso_day,
    item,
    make_base_coat,
    make_cognitive,
    make_founder_os,
    make_mem_skill,
    make_minions,
    memory_by_id,
    pin_keepers,
    row,
)
from tests.support.sizes import shard
from tests.support.stores import changed_columns, file_hashes, minions, rows_in
from tests.support.stores.base_coat import OLD_COLUMNS
from tests.support.stores.databases import query
from tests.support.stores.files import read_tree


@pytest.fixture
def ageing(tmp_path: Path) -> LifecycleStores:
    return LifecycleStores(tmp_path)


@pytest.fixture(scope="module")
def ageing_template(tmp_path_factory: pytest.TempPathFactory) -> LifecycleStores:
    return attach_all(LifecycleStores(tmp_path_factory.mktemp("ageing_template")))


@pytest.fixture
def stock(ageing_template: LifecycleStores, tmp_path: Path) -> LifecycleStores:
    """Stores of all kinds in which something is near its end, attached."""
    return copy_stores(ageing_template, tmp_path / "stock")


@pytest.fixture
def workspace(ageing: LifecycleStores) -> Iterator[Workspace]:
    with ageing.opened() as workspace:
        yield workspace


def due(workspace: Workspace, now: float | None = None) -> dict[str, str]:
    """What a run would do, by the memory's label."""
    return {each.label: each.what for each in workspace.due(now=now)}


def done(workspace: Workspace) -> str:
    """What a run did, in its own words; nothing may have been left."""
    ran = workspace.run_decay()
    assert ran.skipped == ()
    return ran.change.summary if ran.change is not None else ""


def forecasts(workspace: Workspace, days: float = 60, **more: Any) -> list[dict[str, Any]]:
    """All that is foretold, memory by memory."""
    return [told.to_json() | {"uid": memory.uid} for memory, told in workspace.forecasts(days=days, **more)]


def lines(workspace: Workspace) -> list[int]:
    return [event.id for event in workspace.journal()]


def numbers(path: Path) -> dict[str, int]:
    """Founder OS's confidences by key."""
    return dict(query(path, "SELECT key, confidence FROM memories"))


def tiers(path: Path) -> dict[str, str]:
    return dict(query(path, "SELECT id, tier FROM memories"))


def everything(ageing: LifecycleStores) -> dict[str, Any]:
    """The very bytes of all stores, their logs too."""
    bases = [path for path in (ageing.founder, ageing.skill, ageing.coat) if path.exists()]
    trees = [root for root in (ageing.minions, ageing.cognitive) if root.exists()]
    return {str(path): file_hashes(path) for path in bases} | {str(root): read_tree(root) for root in trees}


# -- Founder OS (S-20)


def test_founder_os_loses_five_a_week_and_lets_go_below_ten(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(ageing), FOUNDER)
    pin_keepers(workspace)
    before = rows_in(ageing.founder)
    ageing.calendar.set_day(1.99)
    assert due(workspace) == {}
    ageing.calendar.set_day(2)
    assert due(workspace) == {"Founder weekly.": "0.50 → 0.45", "Founder weak.": "deleted"}
    assert done(workspace) == "Decay: 1 lowered, 1 left in founder-os:acme"
    after = rows_in(ageing.founder)
    assert changed_columns(before, after) == {
        ("memories", "*"),
        ("memories", "confidence"),
        ("memories", "updated_at"),
        ("adaptations", "reverted_at"),
    }
    assert numbers(ageing.founder) == {"weekly": 45, "dismissed": 14, "keeper": 14, "brief": 90, "fresh": 90}
    assert query(ageing.founder, "SELECT id, memory_id, reverted_at FROM adaptations") == [
        ("ad01", "weak" * 8, int(at_day(2)))
    ]
    workspace.undo()
    assert rows_in(ageing.founder) == before


def test_founder_os_may_be_read_as_five_a_day(ageing: LifecycleStores) -> None:
    with ageing.opened(founder_os_daily=True) as workspace:
        workspace.attach(make_founder_os(ageing), FOUNDER)
        pin_keepers(workspace)
        ageing.calendar.set_day(0.99)
        assert due(workspace) == {}
        ageing.calendar.set_day(1)
        assert due(workspace) == {"Founder weekly.": "0.50 → 0.45", "Founder weak.": "deleted"}
        assert done(workspace)
        ageing.calendar.set_day(8)
        assert due(workspace) == {"Founder weekly.": "0.45 → 0.10", "Founder brief.": "deleted"}
        assert done(workspace)
        ageing.calendar.set_day(9)
        assert due(workspace) == {"Founder weekly.": "deleted"}
        (rule,) = {each.rule for each in workspace.due()}
        assert "day" in rule


def test_founder_os_lets_go_past_an_expiry(ageing: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_founder_os(ageing, ROWS[4], ROWS[5]), FOUNDER)
    ageing.calendar.set_day(2.99)
    assert due(workspace) == {}
    ageing.calendar.set_day(3)
    (told,) = workspace.due()
    assert (told.label, told.what, told.rule, told.at) == (
        "Founder brief.",
        "deleted",
        "past its expiry",
        at_day(3),
    )
    assert told.where == "deletes its row in memory.db and reverts its adaptations"
    assert done(workspace) == "Decay: 1 left in founder-os:acme"
    assert numbers(ageing.founder) == {"fresh": 90}


def test_what_is_dismissed_or_pinned_stays_whatever_its_numbers(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(ageing, ROWS[2], ROWS[3]), FOUNDER)
    pin_keepers(workspace)
    before = rows_in(ageing.founder)
    for day in (3, 100, 1_000):
        ageing.calendar.set_day(day)
        assert (due(workspace), done(workspace)) == ({}, "")
    assert rows_in(ageing.founder) == before


# -- minions (S-21)


def test_weak_minions_lose_a_tenth_a_day_and_expire_with_a_record(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_minions(ageing), MINIONS)
    pin_keepers(workspace)
    before = read_tree(ageing.minions)
    ageing.calendar.set_day(1.99)
    assert due(workspace) == {}
    ageing.calendar.set_day(2)
    assert due(workspace) == {"faint": "0.25 → 0.15", "lesson": "0.25 → 0.15"}
    assert done(workspace) == "Decay: 2 lowered in minions:scout"
    was = minions.item(FAINT, "faint", "Minion faint.", confidence=0.15, lastAccessedAt=iso_day(-89))
    now = minions.read_minion(ageing.minions, FAINT)
    assert now == was | {name: now[name] for name in ("updatedAt", "searchableText")}
    assert minions.read_minion(ageing.minions, 100 + FAINT)["fields"]["memoryId"] == minions.uid(FAINT)
    ageing.calendar.set_day(4)
    assert due(workspace) == {"faint": "expired", "lesson": "expired", "brief": "expired"}
    assert done(workspace) == "Decay: 3 left in minions:scout"
    records = [each["fields"] for each in minions.of_type(ageing.minions, "expiry")]
    assert {(each["memoryId"], each["memoryType"]) for each in records} == {
        (minions.uid(FAINT), "memory-item"),
        (minions.uid(BRIEF), "memory-item"),
        (minions.uid(LESSON), "memory-lesson"),
    }
    assert {(each["reason"], each["expiredBy"]) for each in records} == {("ttl-elapsed", "person")}
    for number in (FAINT, BRIEF, LESSON):
        gone = minions.read_minion(ageing.minions, number)
        assert (bool(gone["deletedAt"]), gone["deletedBy"]) == (True, "person")
    after = read_tree(ageing.minions)
    for number in (SOLID, FROZEN, KEPT):
        name = minions.relative_path(minions.uid(number))
        assert after[name] == before[name]
    workspace.undo()
    workspace.undo()
    assert read_tree(ageing.minions) == before


def test_a_minion_that_is_not_weak_or_was_asked_for_stays(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_minions(ageing, item(1, "solid", 0.3, -400), item(2, "asked", 0.1, 10)), MINIONS)
    ageing.calendar.set_day(100)
    assert due(workspace) == {}
    ageing.calendar.set_day(101)
    assert due(workspace) == {"asked": "expired"}


# -- mem-skill (S-22)


def test_a_fact_expires_where_its_validity_ends_with_a_line_of_history(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_mem_skill(ageing), SKILL)
    pin_keepers(workspace)
    before = ageing.snapshot()
    ageing.calendar.set_day(2.99)
    assert due(workspace) == {}
    ageing.calendar.set_day(3)
    assert due(workspace) == {"Fact task.": "expired"}
    assert done(workspace) == "Decay: 1 left in mem-skill:mira"
    standing = dict(query(ageing.skill, "SELECT key, status FROM facts"))
    assert standing == {
        "task": "expired",
        "keeper": "active",
        "later": "active",
        "old": "superseded",
        "always": "active",
    }
    assert query(ageing.skill, "SELECT valid_to FROM facts WHERE key = 'task'") == [(iso_day(3),)]
    assert query(ageing.skill, "SELECT fact_id, action FROM fact_history ORDER BY history_id")[1:] == [
        ("f-task", "expire")
    ]
    workspace.undo()
    assert ageing.snapshot() == before


# -- Base Coat (S-23)


def test_base_coat_moves_down_what_lies_unused(ageing: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_base_coat(ageing), COAT)
    before = rows_in(ageing.coat)
    ageing.calendar.set_day(1.99)
    assert due(workspace) == {}
    ageing.calendar.set_day(2)
    assert due(workspace) == {"Coat top.": "l1 → l2", "Coat middle.": "l2 → l3"}
    assert done(workspace) == "Decay: 2 moved between tiers in base-coat:team"
    assert changed_columns(before, rows_in(ageing.coat)) == {("memories", "tier")}
    assert tiers(ageing.coat) == {
        **{"top": "l2", "middle": "l3", "keeper": "l1", "brief": "l4", "hushed": "l4", "fresh": "l4"}
    }
    # In its new tier it has that tier's days, from when memtui moved it.
    ageing.calendar.set_day(61.99)
    assert due(workspace) == {"Coat brief.": "deleted"}
    ageing.calendar.set_day(62)
    assert due(workspace) == {"Coat brief.": "deleted", "Coat top.": "l2 → l3"}


def test_base_coat_prunes_past_an_expiry_and_the_relations_with_it(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    brief = coat("brief", last=0, expires_at=iso_day(3))
    hushed = coat("hushed", last=0, confidence=0.0, expires_at=iso_day(3))
    workspace.attach(
        make_base_coat(ageing, coat("top", last=0, tier="l1"), brief, hushed, coat("fresh", last=0)), COAT
    )
    before = rows_in(ageing.coat)
    ageing.calendar.set_day(3)
    assert due(workspace) == {"Coat brief.": "deleted"}
    assert done(workspace) == "Decay: 1 left in base-coat:team"
    assert set(tiers(ageing.coat)) == {"top", "hushed", "fresh"}
    assert query(ageing.coat, "SELECT * FROM memory_relations") == [("top", "fresh", "refines")]
    workspace.undo()
    assert rows_in(ageing.coat) == before


def test_an_older_base_coat_without_tiers_is_only_pruned(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_base_coat(ageing, columns=OLD_COLUMNS), COAT)
    ageing.calendar.set_day(100)
    assert due(workspace) == {"Coat brief.": "deleted"}
    assert done(workspace)
    assert len(query(ageing.coat, "SELECT id FROM memories")) == 5


def asks(workspace: Workspace, ageing: LifecycleStores, words: str, day: float) -> None:
    """An agent asks on a day; half an hour after the last time it is another session."""
    ageing.calendar.set_day(day)
    assert workspace.recall(words, Caller("scout"), strategy="keyword", limit=1).memories


def test_base_coat_moves_up_what_agents_ask_for_in_many_sessions(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    busy = coat("busy", last=0, access_count=50, heat="hot")  # by its own count alone
    asked_for = coat("asked", last=0, access_count=1, heat="cold", created_at=iso_day(-30))
    workspace.attach(make_base_coat(ageing, busy, asked_for, relations=()), COAT)
    assert due(workspace) == {}
    asks(workspace, ageing, '"Coat asked"', 0.1)
    asks(workspace, ageing, '"Coat asked"', 0.11)  # the same session
    assert due(workspace) == {}
    asks(workspace, ageing, '"Coat asked"', 0.2)
    (told,) = workspace.due()
    assert (told.label, told.what, told.rule) == ("Coat asked.", "l4 → l2", "3 uses across sessions")
    before = rows_in(ageing.coat)
    assert done(workspace) == "Decay: 1 moved between tiers in base-coat:team"
    promoted = "SELECT tier, promotion_count, last_promoted_at FROM memories WHERE id = 'asked'"
    assert query(ageing.coat, promoted) == [("l2", 1, iso_day(0.2))]
    assert changed_columns(before, rows_in(ageing.coat)) == {
        ("memories", "tier"),
        ("memories", "promotion_count"),
        ("memories", "last_promoted_at"),
    }
    for day in (1.1, 1.2, 1.3):
        asks(workspace, ageing, '"Coat asked"', day)
    assert due(workspace) == {"Coat asked.": "l2 → l1"}
    assert done(workspace)
    assert query(ageing.coat, promoted) == [("l1", 2, iso_day(1.3))]
    ageing.calendar.set_day(2)
    assert due(workspace) == {"Coat asked.": "l1 → l0"}
    assert done(workspace)
    assert query(ageing.coat, promoted) == [("l0", 3, iso_day(2))]
    for tier, count, when in (("l1", 2, iso_day(1.3)), ("l2", 1, iso_day(0.2)), ("l4", 0, None)):
        workspace.undo()
        assert query(ageing.coat, promoted) == [(tier, count, when)]


# -- Cognitive (S-24) and memtui's own (S-25)


def test_cognitive_memory_is_foretold_and_never_written(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_cognitive(ageing))
    before = read_tree(ageing.cognitive)
    labels = set()
    for day in (0, 100, 1_000):
        ageing.calendar.set_day(day)
        assert (due(workspace), done(workspace)) == ({}, "")
        labels |= {each["now"]["label"] for each in forecasts(workspace)}
    assert {"archived"} < labels
    assert read_tree(ageing.cognitive) == before


def test_what_memtui_keeps_itself_expires_below_a_tenth(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    ids = workspace.add({"content": "An episode.", "category": "episode"}).ids
    workspace.add({"content": "A preference.", "category": "preference"})
    ageing.calendar.set_day(32)  # half of it in 14 days: a fifth of 0.5 after 32 and a half
    assert due(workspace) == {}
    ageing.calendar.set_day(33)
    assert due(workspace) == {"An episode.": "expired"}
    assert done(workspace) == "Decay: 1 left in native"
    assert (memory_by_id(workspace, ids[0]).status, memory_by_id(workspace, ids[0]).confidence) == (
        "expired",
        0.5,
    )
    assert len(workspace.search("episode").ids) == 0


def test_what_expired_in_memtui_is_restored_as_it_was_and_stays(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    ids = workspace.add({"content": "An episode.", "category": "episode"}).ids
    ageing.calendar.set_day(33)
    assert done(workspace)
    workspace.restore(ids)
    assert memory_by_id(workspace, ids[0]).status == "confirmed"
    ageing.calendar.set_day(34)
    assert due(workspace) == {}  # a person said so


def test_a_person_says_how_long_half_of_a_memory_lasts(ageing: LifecycleStores) -> None:
    with ageing.opened(half_lives={"episode": 1.0, "other": 2.0}) as workspace:
        workspace.add({"content": "An episode.", "category": "episode"})
        workspace.add({"content": "A recipe.", "category": "recipe"})
        ageing.calendar.set_day(3)
        assert due(workspace) == {"An episode.": "expired"}
        ageing.calendar.set_day(5)
        assert due(workspace) == {"An episode.": "expired", "A recipe.": "expired"}


def test_an_expiry_counts_in_memtuis_own_store_too(ageing: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_founder_os(ageing, ROWS[4]), FOUNDER)
    transfer = workspace.copy([find_id(workspace, "Founder brief")], "native")
    workspace.detach(FOUNDER)
    ageing.calendar.set_day(2.99)
    assert due(workspace) == {}
    ageing.calendar.set_day(3)
    assert done(workspace) == "Decay: 1 left in native"
    (id,) = [id for id in transfer.change.ids if memory_by_id(workspace, id).store == "native"]
    assert memory_by_id(workspace, id).status == "expired"


def test_stores_that_keep_no_numbers_lose_nothing(demo_workspace: DemoWorkspace) -> None:
    before = all_contents(demo_workspace.folder)
    demo_workspace.clock.now += 3_000 * DAY
    with demo_workspace.opened() as workspace:
        ran = workspace.run_decay()
        assert ran.change is not None
        assert {each.store for each in ran.due} == {NATIVE, LARKFIELD}
        after = all_contents(demo_workspace.folder)
        assert (after[CLAUDE], after[MCP]) == (before[CLAUDE], before[MCP])
        workspace.undo()
        assert all_contents(demo_workspace.folder) == before


# -- all of them at once


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


def test_one_run_goes_through_all_stores_and_one_undo_brings_all_back(stock: LifecycleStores) -> None:
    before = stock.snapshot()
    stock.calendar.set_day(10)
    with stock.opened() as workspace:
        told, foretold = workspace.due(), forecasts(workspace)
        listed = workspace.outlook().rows(0, 100, removals=False)
        assert {(each.store, each.label, each.what) for each in told} == DAY_TEN
        assert len(told) == len(DAY_TEN)
        last = lines(workspace)
        ran = workspace.run_decay()
        assert ran.change is not None
        assert (len(ran.change.ids), ran.skipped, list(ran.due)) == (len(DAY_TEN), (), told)
        assert len(lines(workspace)) == len(last) + 1
        assert workspace.journal()[0].kind == "decayed"
        after = stock.snapshot()
        assert after[str(stock.cognitive)] == before[str(stock.cognitive)]
        assert {place for place in before if after[place] != before[place]} == before.keys() - {
            str(stock.cognitive)
        }
    with stock.opened() as workspace:  # also tomorrow, by another memtui
        assert len(workspace.undo().ids) == len(DAY_TEN)
        assert stock.snapshot() == before
        assert workspace.due() == told
        assert forecasts(workspace) == foretold
        assert workspace.outlook().rows(0, 100, removals=False) == listed
        assert workspace.pull().total == 0
        assert len(workspace.redo().ids) == len(DAY_TEN)
        assert stock.snapshot() == after
        assert (workspace.due(), workspace.pull().total) == ([], 0)
        workspace.undo()
        assert stock.snapshot() == before


def test_what_is_due_is_told_soonest_first(stock: LifecycleStores) -> None:
    with stock.opened() as workspace:
        times = [each.at for each in workspace.due(now=at_day(10))]
    assert times == sorted(times)


@pytest.mark.parametrize("days", [(10,), (2, 3, 4, 9, 16, 23, 62, 69)])
def test_a_run_does_just_what_was_told_and_touches_nothing_else(
    stock: LifecycleStores, days: tuple[float, ...]
) -> None:
    with stock.opened() as workspace:
        for day in days:
            stock.calendar.set_day(day)
            told = {each.id: each for each in workspace.due()}
            was = {id: memory_by_id(workspace, id) for id in workspace.search("", live=False).ids}
            ran = workspace.run_decay()
            assert {each.id: each for each in ran.due} == told
            assert set(ran.change.ids if ran.change else ()) == told.keys()
            now = {memory.uid: memory for memory in workspace.memories(list(was))}
            for id, before in was.items():
                after = now[before.uid]
                if id not in told:
                    assert after == before
                    continue
                one = told[id]
                if not one.leaves:
                    ((name, value),) = (each for each in one.fields.items() if each[0] != "promotion_count")
                    assert getattr(after, name) == pytest.approx(value)
                    shown = f"{value:.2f}" if name == "confidence" else value
                    assert one.what.endswith(f" → {shown}")
                else:
                    left = id not in workspace.search("").ids
                    assert (one.what in ("deleted", "expired"), left) == (True, True)


def test_what_was_foretold_is_what_stands_there_then(stock: LifecycleStores) -> None:
    steps = ("founder-os", "minions", "mem-skill", "base-coat", "memtui")
    with stock.opened() as workspace:
        for day in (2, 9, 30, 64):
            foretold = {
                memory.uid: told for memory, told in workspace.forecasts(days=day - _today(stock)) if told
            }
            for each in range(int(_today(stock)) + 1, day + 1):
                stock.calendar.set_day(each)
                done(workspace)
            live = {memory.uid: memory for memory in workspace.memories(workspace.search("").ids)}
            for uid, told in foretold.items():
                if told.lifecycle not in steps or told.frozen:
                    continue
                assert (told.as_is.label == "gone") == (uid not in live), (uid, told)
                if uid in live and told.lifecycle in ("founder-os", "minions", "mem-skill"):
                    assert live[uid].confidence == pytest.approx(told.as_is.score, abs=1e-9)
                if uid in live and told.lifecycle == "base-coat":
                    assert live[uid].tier == told.as_is.tier


def _today(ageing: LifecycleStores) -> float:
    return (ageing.calendar.now - at_day(0)) / DAY


@pytest.mark.parametrize("name", ["", *NAMES])
def test_one_memory_is_foretold_as_it_is_among_all(stock: LifecycleStores, name: str) -> None:
    with stock.opened() as workspace:
        stock.calendar.set_day(40)
        assert len(forecasts(workspace, lifecycle=name)) > 30
        for memory, told in workspace.forecasts(days=90, lifecycle=name):
            assert alone(workspace, memory.uid, lifecycle=name) == told.to_json(), memory.content


def alone(workspace: Workspace, uid: str, **more: Any) -> dict[str, Any]:
    """What is foretold of one memory that is asked for by itself."""
    told = workspace.forecast(workspace.find(uid), days=90, **more)
    assert told is not None
    return told.to_json()


def test_a_half_life_is_found_whatever_the_case_of_its_category(ageing: LifecycleStores) -> None:
    with ageing.opened(half_lives={"übung": 5.0}) as workspace:
        workspace.add({"content": "An exercise.", "category": "Übung"})
        ageing.calendar.set_day(5)
        ((memory, told),) = workspace.forecasts(days=90)
        assert told.score == pytest.approx(0.25)
        assert alone(workspace, memory.uid) == told.to_json()


def test_a_memory_without_any_time_ages_from_when_it_was_first_seen(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    timeless = row("timeless", 50, last=0, last_used_at=None, created_at="", updated_at="")
    workspace.attach(make_founder_os(ageing, timeless), FOUNDER)
    ageing.calendar.set_day(40)
    ((memory, told),) = workspace.forecasts(days=90)
    assert alone(workspace, memory.uid) == told.to_json()
    assert due(workspace) == {"Founder timeless.": "0.50 → 0.45"}


def test_an_outlook_counts_what_is_live_and_what_is_pinned(stock: LifecycleStores) -> None:
    with stock.opened() as workspace:
        outlook = workspace.outlook()
        assert outlook.count == len(workspace.search("").ids)
        assert outlook.frozen == len(workspace.search("is:pinned").ids) > 5
        assert set(outlook.ids(1_000)) <= set(workspace.search("").ids)


def test_looking_ahead_changes_nothing(stock: LifecycleStores) -> None:
    with stock.opened() as workspace:
        before, last = everything(stock), lines(workspace)
        for day in (0, 10, 1_000):
            workspace.due(now=at_day(day))
            workspace.outlook(now=at_day(day)).rows(0, 100)
            for name in NAMES:
                list(workspace.forecasts(now=at_day(day), days=1_826, lifecycle=name))
        assert (everything(stock), lines(workspace)) == (before, last)
    with stock.opened(read_only=True) as workspace:
        assert len(workspace.due(now=at_day(10))) == len(DAY_TEN)
        assert refusal(lambda: workspace.run_decay(now=at_day(10))).code == "read-only"
        assert everything(stock) == before


@pytest.mark.parametrize("name", [FOUNDER, "acme", "place"])
def test_a_store_may_be_named_in_short_or_by_its_path(stock: LifecycleStores, name: str) -> None:
    named = str(stock.founder) if name == "place" else name
    with stock.opened() as workspace:
        assert {memory.store for memory, _ in workspace.forecasts(store=named)} == {FOUNDER}
        assert workspace.outlook(store=named).count == len(ROWS) - 1  # one is dismissed


def test_a_lifecycle_or_a_store_that_there_is_not_is_refused(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(ageing), FOUNDER)
    assert "nowhere" in refusal(lambda: workspace.outlook(store="nowhere")).message
    assert "nowhere" in refusal(lambda: list(workspace.forecasts(store="nowhere"))).message
    assert "/nowhere/at" in refusal(lambda: workspace.outlook(store="/nowhere/at")).message
    assert refusal(lambda: workspace.forecasts(days=1_827)).code == "days"
    assert "nonsense" in refusal(lambda: workspace.outlook(lifecycle="nonsense")).message


# -- once a day


def test_a_second_run_on_one_day_changes_not_a_byte(stock: LifecycleStores) -> None:
    with stock.opened() as workspace:
        stock.calendar.set_day(3)
        assert done(workspace)
        before, last, mirror = everything(stock), lines(workspace), forecasts(workspace)
        assert (due(workspace), done(workspace)) == ({}, "")
        assert (everything(stock), lines(workspace), forecasts(workspace)) == (before, last, mirror)
    with stock.opened() as workspace:
        assert (due(workspace), done(workspace)) == ({}, "")
        assert (everything(stock), lines(workspace)) == (before, last)


@pytest.mark.parametrize("first", ["something", "nothing"])
def test_what_falls_due_later_on_a_day_waits_for_the_next(
    ageing: LifecycleStores, workspace: Workspace, first: str
) -> None:
    rows = [row("afternoon", 50, last=-34.75)]  # its step falls on 14:00 of day 2
    if first == "something":
        rows.append(ROWS[0])
    workspace.attach(make_founder_os(ageing, *rows), FOUNDER)
    ageing.calendar.set_day(2)  # 8:00
    assert bool(done(workspace)) is (first == "something")
    before, last = everything(ageing), lines(workspace)
    ageing.calendar.set_day(2.5)  # 20:00
    assert (due(workspace), done(workspace)) == ({}, "")
    assert (everything(ageing), lines(workspace)) == (before, last)
    ageing.calendar.set_day(2 + 15.9 / 24)  # before midnight in UTC
    assert done(workspace) == ""
    ageing.calendar.set_day(2 + 16.1 / 24)
    assert due(workspace) == {"Founder afternoon.": "0.50 → 0.45"}
    assert done(workspace)
    assert numbers(ageing.founder)["afternoon"] == 45


def test_a_day_with_nothing_due_leaves_no_trace(stock: LifecycleStores) -> None:
    stock.calendar.set_day(1)
    with stock.opened() as workspace:
        before, last = everything(stock), lines(workspace)
        ran = workspace.run_decay()
        assert (ran.change, ran.due, ran.skipped) == (None, (), ())
        assert (everything(stock), lines(workspace)) == (before, last)
        stock.calendar.set_day(2)
        assert len(due(workspace)) == 6


@pytest.mark.parametrize("runs", [1, 2])
def test_what_was_undone_is_due_again_on_the_same_day(stock: LifecycleStores, runs: int) -> None:
    with stock.opened() as workspace:
        before = stock.snapshot()
        stock.calendar.set_day(2)
        told = due(workspace)
        first = done(workspace)
        assert [done(workspace) for _ in range(1, runs)] == [""] * (runs - 1)
        workspace.undo()
        assert (due(workspace), done(workspace)) == (told, first)
        assert due(workspace) == {}
        assert numbers(stock.founder)["weekly"] == 45
        workspace.undo()
        assert stock.snapshot() == before


def test_what_was_undone_is_due_on_a_later_day_with_what_came_since(stock: LifecycleStores) -> None:
    with stock.opened() as workspace:
        stock.calendar.set_day(2)
        done(workspace)
        workspace.undo()
        stock.calendar.set_day(9)
        assert due(workspace)["Founder weekly."] == "0.50 → 0.40"
        done(workspace)
        assert numbers(stock.founder)["weekly"] == 40


def test_an_undo_of_an_older_run_is_taken_for_what_it_is(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(ageing, ROWS[0], ROWS[1]), FOUNDER)
    ageing.calendar.set_day(2)
    first = workspace.run_decay().change
    assert first is not None
    ageing.calendar.set_day(9)
    assert done(workspace)
    assert numbers(ageing.founder) == {"weekly": 40}
    assert len(workspace.undo(first.journal_id).ids) == 1  # the other one changed since
    assert numbers(ageing.founder) == {"weekly": 40, "weak": 14}
    assert due(workspace) == {"Founder weak.": "deleted"}


def test_days_one_by_one_come_to_the_same_as_all_at_once(ageing: LifecycleStores, tmp_path: Path) -> None:
    other = LifecycleStores(tmp_path / "other")
    for each in (ageing, other):
        with each.opened() as workspace:
            workspace.attach(make_founder_os(each, *ROWS, row("slow", 77, last=-12.3)), FOUNDER)
            workspace.attach(make_minions(each), MINIONS)
    with other.opened() as workspace:
        for day in range(1, 31):
            other.calendar.set_day(day)
            done(workspace)
    with ageing.opened() as workspace:
        ageing.calendar.set_day(30)
        done(workspace)
    assert numbers(ageing.founder) == numbers(other.founder)
    for number in range(FAINT, LESSON + 1):
        one, two = (minions.read_minion(each.minions, number) for each in (ageing, other))
        assert ("deletedAt" in one) == ("deletedAt" in two)
    assert len(minions.of_type(ageing.minions, "expiry")) == len(minions.of_type(other.minions, "expiry"))


# -- what is not owed


def test_nothing_is_owed_from_before_a_store_was_attached(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    idle = [row("idle", 80, last=-300), row("older", 80, last=-3_000)]
    workspace.attach(make_founder_os(ageing, *idle), FOUNDER)
    workspace.attach(make_minions(ageing, item(1, "faint", 0.2, -900)), MINIONS)
    assert due(workspace) == {}
    assert due(workspace, at_day(-10)) == {}
    ageing.calendar.set_day(7)  # a week, whenever it began; and seven days
    assert due(workspace) == {
        "Founder idle.": "0.80 → 0.75",
        "Founder older.": "0.80 → 0.75",
        "faint": "expired",
    }


def test_nothing_is_owed_from_while_a_store_was_detached(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(ageing, ROWS[0]), FOUNDER)
    ageing.calendar.set_day(2)
    assert done(workspace)
    workspace.detach(FOUNDER)
    ageing.calendar.set_day(200)
    assert due(workspace) == {}
    workspace.attach(ageing.founder)
    assert due(workspace) == {}
    ageing.calendar.set_day(205)
    assert due(workspace) == {"Founder weekly.": "0.45 → 0.40"}


def test_nothing_is_owed_from_before_a_memory_stood_in_its_store(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(ageing, ROWS[5]), FOUNDER)
    ageing.calendar.set_day(200)
    names = row("late", 50, last=-35)
    agent_executes(
        ageing.founder,
        f"INSERT INTO memories ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
        *names.values(),
    )
    workspace.pull()
    assert "Founder late." not in due(workspace)
    ageing.calendar.set_day(205)
    assert due(workspace)["Founder late."] == "0.50 → 0.45"


def test_a_persons_word_is_not_taken_back_for_the_days_before_it(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(ageing, ROWS[0]), FOUNDER)
    ageing.calendar.set_day(100)
    workspace.confirm([find_id(workspace, "Founder weekly")])
    assert numbers(ageing.founder) == {"weekly": 65}
    assert due(workspace) == {}


Act = Callable[[Workspace, int], object]
FROZEN_FOR_A_WHILE: dict[str, tuple[Act, Act]] = {
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
        for number, how in enumerate(FROZEN_FOR_A_WHILE)
        for runs in shard(((), (50, 150)), number, 2)  # no run meanwhile, or two
    ],
)
def test_nothing_is_owed_from_while_a_memory_was_frozen(
    ageing: LifecycleStores, workspace: Workspace, how: str, runs: tuple[int, ...]
) -> None:
    workspace.attach(make_founder_os(ageing, ROWS[0], row("mate", 90, last=199)), FOUNDER)
    away, back = FROZEN_FOR_A_WHILE[how]
    ageing.calendar.set_day(1)
    id = find_id(workspace, "Founder weekly")
    away(workspace, id)
    for day in runs:
        ageing.calendar.set_day(day)
        assert done(workspace) == ""
    ageing.calendar.set_day(200)
    assert due(workspace) == {}
    back(workspace, id)
    assert (memory_by_id(workspace, id).status, memory_by_id(workspace, id).pinned) == ("confirmed", False)
    assert due(workspace) == {}
    ageing.calendar.set_day(205)
    assert due(workspace) == {"Founder weekly.": "0.50 → 0.45"}


def test_nothing_is_owed_from_while_an_agent_had_it_dismissed(
    ageing: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(ageing, ROWS[0]), FOUNDER)
    ageing.calendar.set_day(1)
    agent_executes(ageing.founder, "UPDATE memories SET status = 'dismissed'")
    workspace.pull()
    ageing.calendar.set_day(200)
    agent_executes(ageing.founder, "UPDATE memories SET status = 'confirmed'")
    workspace.pull()
    assert due(workspace) == {}
    ageing.calendar.set_day(205)
    assert due(workspace) == {"Founder weekly.": "0.50 → 0.45"}


def test_a_use_begins_the_days_anew(ageing: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_founder_os(ageing, ROWS[0]), FOUNDER)
    ageing.calendar.set_day(100)
    assert workspace.recall('"Founder weekly"', Caller("scout"), strategy="keyword").memories
    assert due(workspace) == {}
    ageing.calendar.set_day(137)
    assert due(workspace) == {"Founder weekly.": "0.50 → 0.45"}
