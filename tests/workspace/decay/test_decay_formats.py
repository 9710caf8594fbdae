"""What decay does in each format, and undo of it (S-20 … S-25)."""

from __future__ import annotations

from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    MCP,
    NATIVE,
    DemoWorkspace,
    all_contents,
    find_id,
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
    coat,
    iso_day,
    item,
    make_base_coat,
    make_cognitive,
    make_founder_os,
    make_mem_skill,
    make_minions,
    memory_by_id,
    pin_keepers,
)
from tests.support.stores import changed_columns, minions, rows_in
from tests.support.stores.base_coat import OLD_COLUMNS
from tests.support.stores.databases import query
from tests.support.stores.files import read_tree
from tests.workspace.decay.runs import (
    confidences,
    due_steps,
    forecasts_json,
    run_decay,
    tiers,
)

# -- Founder OS (S-20)


def test_founder_os_loses_five_a_week_and_deletes_below_ten(
    stores: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_founder_os(stores), FOUNDER)
    pin_keepers(workspace)
    before = rows_in(stores.founder)
    stores.calendar.set_day(1.99)
    assert due_steps(workspace) == {}
    stores.calendar.set_day(2)
    assert due_steps(workspace) == {"Founder weekly.": "0.50 → 0.45", "Founder weak.": "deleted"}
    assert run_decay(workspace) == "Decay in founder-os:acme: 1 weakened, 1 left the store"
    after = rows_in(stores.founder)
    assert changed_columns(before, after) == {
        ("memories", "*"),
        ("memories", "confidence"),
        ("memories", "updated_at"),
        ("adaptations", "reverted_at"),
    }
    assert confidences(stores.founder) == {
        "weekly": 45,
        "dismissed": 14,
        "keeper": 14,
        "brief": 90,
        "fresh": 90,
    }
    assert query(stores.founder, "SELECT id, memory_id, reverted_at FROM adaptations") == [
        ("ad01", "weak" * 8, int(at_day(2)))
    ]
    workspace.undo()
    assert rows_in(stores.founder) == before


def test_founder_os_with_daily_steps_loses_five_a_day(stores: LifecycleStores) -> None:
    with stores.opened(founder_os_daily=True) as workspace:
        workspace.attach(make_founder_os(stores), FOUNDER)
        pin_keepers(workspace)
        stores.calendar.set_day(0.99)
        assert due_steps(workspace) == {}
        stores.calendar.set_day(1)
        assert due_steps(workspace) == {"Founder weekly.": "0.50 → 0.45", "Founder weak.": "deleted"}
        assert run_decay(workspace)
        stores.calendar.set_day(8)
        assert due_steps(workspace) == {"Founder weekly.": "0.45 → 0.10", "Founder brief.": "deleted"}
        assert run_decay(workspace)
        stores.calendar.set_day(9)
        assert due_steps(workspace) == {"Founder weekly.": "deleted"}
        (rule,) = {each.rule for each in workspace.due()}
        assert "day" in rule


def test_founder_os_deletes_past_an_expiry(stores: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_founder_os(stores, ROWS[4], ROWS[5]), FOUNDER)
    stores.calendar.set_day(2.99)
    assert due_steps(workspace) == {}
    stores.calendar.set_day(3)
    (step,) = workspace.due()
    assert (step.label, step.what, step.rule, step.at) == (
        "Founder brief.",
        "deleted",
        "past its expiry date",
        at_day(3),
    )
    assert step.where == "deletes its row from memory.db and reverts its adaptations"
    assert run_decay(workspace) == "Decay in founder-os:acme: 1 left the store"
    assert confidences(stores.founder) == {"fresh": 90}


def test_dismissed_and_pinned_memories_do_not_decay(stores: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_founder_os(stores, ROWS[2], ROWS[3]), FOUNDER)
    pin_keepers(workspace)
    before = rows_in(stores.founder)
    for day in (3, 100, 1_000):
        stores.calendar.set_day(day)
        assert (due_steps(workspace), run_decay(workspace)) == ({}, "")
    assert rows_in(stores.founder) == before


# -- minions (S-21)


def test_weak_minions_lose_a_tenth_a_day_and_expire_with_a_record(
    stores: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_minions(stores), MINIONS)
    pin_keepers(workspace)
    before = read_tree(stores.minions)
    stores.calendar.set_day(1.99)
    assert due_steps(workspace) == {}
    stores.calendar.set_day(2)
    assert due_steps(workspace) == {"faint": "0.25 → 0.15", "lesson": "0.25 → 0.15"}
    assert run_decay(workspace) == "Decay in minions:scout: 2 weakened"
    expected = minions.item(FAINT, "faint", "Minion faint.", confidence=0.15, lastAccessedAt=iso_day(-89))
    now = minions.read_minion(stores.minions, FAINT)
    assert now == expected | {name: now[name] for name in ("updatedAt", "searchableText")}
    assert minions.read_minion(stores.minions, 100 + FAINT)["fields"]["memoryId"] == minions.uid(FAINT)
    stores.calendar.set_day(4)
    assert due_steps(workspace) == {"faint": "expired", "lesson": "expired", "brief": "expired"}
    assert run_decay(workspace) == "Decay in minions:scout: 3 left the store"
    records = [each["fields"] for each in minions.of_type(stores.minions, "expiry")]
    assert {(each["memoryId"], each["memoryType"]) for each in records} == {
        (minions.uid(FAINT), "memory-item"),
        (minions.uid(BRIEF), "memory-item"),
        (minions.uid(LESSON), "memory-lesson"),
    }
    assert {(each["reason"], each["expiredBy"]) for each in records} == {("ttl-elapsed", "person")}
    for number in (FAINT, BRIEF, LESSON):
        expired = minions.read_minion(stores.minions, number)
        assert (bool(expired["deletedAt"]), expired["deletedBy"]) == (True, "person")
    after = read_tree(stores.minions)
    for number in (SOLID, FROZEN, KEPT):
        name = minions.relative_path(minions.uid(number))
        assert after[name] == before[name]
    workspace.undo()
    workspace.undo()
    assert read_tree(stores.minions) == before


def test_minions_that_are_strong_or_recently_used_stay(stores: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_minions(stores, item(1, "solid", 0.3, -400), item(2, "asked", 0.1, 10)), MINIONS)
    stores.calendar.set_day(100)
    assert due_steps(workspace) == {}
    stores.calendar.set_day(101)
    assert due_steps(workspace) == {"asked": "expired"}


# -- mem-skill (S-22)


def test_a_fact_expires_at_the_end_of_its_validity_with_a_history_row(
    stores: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_mem_skill(stores), SKILL)
    pin_keepers(workspace)
    before = stores.snapshot()
    stores.calendar.set_day(2.99)
    assert due_steps(workspace) == {}
    stores.calendar.set_day(3)
    assert due_steps(workspace) == {"Fact task.": "expired"}
    assert run_decay(workspace) == "Decay in mem-skill:mira: 1 left the store"
    statuses = dict(query(stores.skill, "SELECT key, status FROM facts"))
    assert statuses == {
        "task": "expired",
        "keeper": "active",
        "later": "active",
        "old": "superseded",
        "always": "active",
    }
    assert query(stores.skill, "SELECT valid_to FROM facts WHERE key = 'task'") == [(iso_day(3),)]
    assert query(stores.skill, "SELECT fact_id, action FROM fact_history ORDER BY history_id")[1:] == [
        ("f-task", "expire")
    ]
    workspace.undo()
    assert stores.snapshot() == before


# -- Base Coat (S-23)


def test_base_coat_moves_unused_memories_down_a_tier(stores: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_base_coat(stores), COAT)
    before = rows_in(stores.coat)
    stores.calendar.set_day(1.99)
    assert due_steps(workspace) == {}
    stores.calendar.set_day(2)
    assert due_steps(workspace) == {"Coat top.": "l1 → l2", "Coat middle.": "l2 → l3"}
    assert run_decay(workspace) == "Decay in base-coat:team: 2 moved between tiers"
    assert changed_columns(before, rows_in(stores.coat)) == {("memories", "tier")}
    assert tiers(stores.coat) == {
        **{"top": "l2", "middle": "l3", "keeper": "l1", "brief": "l4", "hushed": "l4", "fresh": "l4"}
    }
    # In the new tier the days count from the move.
    stores.calendar.set_day(61.99)
    assert due_steps(workspace) == {"Coat brief.": "deleted"}
    stores.calendar.set_day(62)
    assert due_steps(workspace) == {"Coat brief.": "deleted", "Coat top.": "l2 → l3"}


def test_base_coat_deletes_past_an_expiry_with_the_relations(
    stores: LifecycleStores, workspace: Workspace
) -> None:
    brief = coat("brief", last=0, expires_at=iso_day(3))
    hushed = coat("hushed", last=0, confidence=0.0, expires_at=iso_day(3))
    workspace.attach(
        make_base_coat(stores, coat("top", last=0, tier="l1"), brief, hushed, coat("fresh", last=0)), COAT
    )
    before = rows_in(stores.coat)
    stores.calendar.set_day(3)
    assert due_steps(workspace) == {"Coat brief.": "deleted"}
    assert run_decay(workspace) == "Decay in base-coat:team: 1 left the store"
    assert set(tiers(stores.coat)) == {"top", "hushed", "fresh"}
    assert query(stores.coat, "SELECT * FROM memory_relations") == [("top", "fresh", "refines")]
    workspace.undo()
    assert rows_in(stores.coat) == before


def test_an_older_base_coat_without_tiers_only_deletes(stores: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_base_coat(stores, columns=OLD_COLUMNS), COAT)
    stores.calendar.set_day(100)
    assert due_steps(workspace) == {"Coat brief.": "deleted"}
    assert run_decay(workspace)
    assert len(query(stores.coat, "SELECT id FROM memories")) == 5


def recall_on(workspace: Workspace, stores: LifecycleStores, words: str, day: float) -> None:
    """Recall a memory as an agent on a day; a call over half an hour after the last is another session."""
    stores.calendar.set_day(day)
    assert workspace.recall(words, Caller("scout"), strategy="keyword", limit=1).memories


def test_base_coat_promotes_memories_used_in_several_sessions(
    stores: LifecycleStores, workspace: Workspace
) -> None:
    busy = coat("busy", last=0, access_count=50, heat="hot")  # only in the store's own counter
    asked_for = coat("asked", last=0, access_count=1, heat="cold", created_at=iso_day(-30))
    workspace.attach(make_base_coat(stores, busy, asked_for, relations=()), COAT)
    assert due_steps(workspace) == {}
    recall_on(workspace, stores, '"Coat asked"', 0.1)
    recall_on(workspace, stores, '"Coat asked"', 0.11)  # the same session
    assert due_steps(workspace) == {}
    recall_on(workspace, stores, '"Coat asked"', 0.2)
    (step,) = workspace.due()
    assert (step.label, step.what, step.rule) == ("Coat asked.", "l4 → l2", "used 3 times across sessions")
    before = rows_in(stores.coat)
    assert run_decay(workspace) == "Decay in base-coat:team: 1 moved between tiers"
    promoted = "SELECT tier, promotion_count, last_promoted_at FROM memories WHERE id = 'asked'"
    assert query(stores.coat, promoted) == [("l2", 1, iso_day(0.2))]
    assert changed_columns(before, rows_in(stores.coat)) == {
        ("memories", "tier"),
        ("memories", "promotion_count"),
        ("memories", "last_promoted_at"),
    }
    for day in (1.1, 1.2, 1.3):
        recall_on(workspace, stores, '"Coat asked"', day)
    assert due_steps(workspace) == {"Coat asked.": "l2 → l1"}
    assert run_decay(workspace)
    assert query(stores.coat, promoted) == [("l1", 2, iso_day(1.3))]
    stores.calendar.set_day(2)
    assert due_steps(workspace) == {"Coat asked.": "l1 → l0"}
    assert run_decay(workspace)
    assert query(stores.coat, promoted) == [("l0", 3, iso_day(2))]
    for tier, count, when in (("l1", 2, iso_day(1.3)), ("l2", 1, iso_day(0.2)), ("l4", 0, None)):
        workspace.undo()
        assert query(stores.coat, promoted) == [(tier, count, when)]


# -- Cognitive (S-24) and the own store (S-25)


def test_cognitive_memories_are_forecast_and_never_written(
    stores: LifecycleStores, workspace: Workspace
) -> None:
    workspace.attach(make_cognitive(stores))
    before = read_tree(stores.cognitive)
    labels = set()
    for day in (0, 100, 1_000):
        stores.calendar.set_day(day)
        assert (due_steps(workspace), run_decay(workspace)) == ({}, "")
        labels |= {each["now"]["label"] for each in forecasts_json(workspace)}
    assert {"archived"} < labels
    assert read_tree(stores.cognitive) == before


def test_own_memories_expire_below_a_tenth(stores: LifecycleStores, workspace: Workspace) -> None:
    ids = workspace.add({"content": "An episode.", "category": "episode"}).ids
    workspace.add({"content": "A preference.", "category": "preference"})
    stores.calendar.set_day(32)  # the half-life is 14 days: 0.1 of 0.5 is left after 32.5
    assert due_steps(workspace) == {}
    stores.calendar.set_day(33)
    assert due_steps(workspace) == {"An episode.": "expired"}
    assert run_decay(workspace) == "Decay in native: 1 left the store"
    assert (memory_by_id(workspace, ids[0]).status, memory_by_id(workspace, ids[0]).confidence) == (
        "expired",
        0.5,
    )
    assert len(workspace.search("episode").ids) == 0


def test_a_restored_own_memory_does_not_expire_again(stores: LifecycleStores, workspace: Workspace) -> None:
    ids = workspace.add({"content": "An episode.", "category": "episode"}).ids
    stores.calendar.set_day(33)
    assert run_decay(workspace)
    workspace.restore(ids)
    assert memory_by_id(workspace, ids[0]).status == "confirmed"
    stores.calendar.set_day(34)
    assert due_steps(workspace) == {}  # the user restored it


def test_half_lives_are_configurable_by_category(stores: LifecycleStores) -> None:
    with stores.opened(half_lives={"episode": 1.0, "other": 2.0}) as workspace:
        workspace.add({"content": "An episode.", "category": "episode"})
        workspace.add({"content": "A recipe.", "category": "recipe"})
        stores.calendar.set_day(3)
        assert due_steps(workspace) == {"An episode.": "expired"}
        stores.calendar.set_day(5)
        assert due_steps(workspace) == {"An episode.": "expired", "A recipe.": "expired"}


def test_an_expiry_date_applies_in_the_own_store(stores: LifecycleStores, workspace: Workspace) -> None:
    workspace.attach(make_founder_os(stores, ROWS[4]), FOUNDER)
    transfer = workspace.copy([find_id(workspace, "Founder brief")], "native")
    workspace.detach(FOUNDER)
    stores.calendar.set_day(2.99)
    assert due_steps(workspace) == {}
    stores.calendar.set_day(3)
    assert run_decay(workspace) == "Decay in native: 1 left the store"
    (id,) = [id for id in transfer.change.ids if memory_by_id(workspace, id).store == "native"]
    assert memory_by_id(workspace, id).status == "expired"


def test_stores_without_scores_do_not_decay(demo_workspace: DemoWorkspace) -> None:
    before = all_contents(demo_workspace.folder)
    demo_workspace.clock.now += 3_000 * DAY
    with demo_workspace.opened() as workspace:
        result = workspace.run_decay()
        assert result.change is not None
        assert {each.store for each in result.due} == {NATIVE, LARKFIELD}
        after = all_contents(demo_workspace.folder)
        assert (after[CLAUDE], after[MCP]) == (before[CLAUDE], before[MCP])
        workspace.undo()
        assert all_contents(demo_workspace.folder) == before
