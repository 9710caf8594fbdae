"""What rules set goes with them, what people change stays (S-60)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memtui.errors import NotUndone, PolicyRefused
from memtui.memory.rules.wording_recipes import RECIPES
from memtui.workspace.rules import held, sweep
from memtui.workspace.workspace import Workspace
from tests.support.stores import mcp_memory

NOW = 1_763_000_000.0
DAY = 86_400.0


class Ruled:
    """A workspace with memories of its own and of a graph."""

    def __init__(self, folder: Path) -> None:
        self.now, self.path = NOW, folder / "w.db"
        entities = [mcp_memory.entity("Cart", "Decision: Bo owns it", "Owner: Jan", kind="service")]
        self.graph = mcp_memory.make(
            folder / "memory.jsonl", "\n".join(mcp_memory.lines(*entities)).encode()
        ).root
        self.work = self.opened()
        self.work.attach(self.graph, "graph")
        for text in ("Decision: tokens expire after a day", "Lunch is at noon", "Security: rotate keys"):
            self.work.add({"content": text})

    def opened(self) -> Workspace:
        return Workspace.open(self.path, clock=lambda: self.now)

    def texts(self, query: str) -> set[str]:
        return {each.content for each in self.work.memories(list(self.work.search(query).ids))}

    def apply(self) -> None:
        self.work.apply_rules()


@pytest.fixture
def ruled(tmp_path: Path) -> Iterator[Ruled]:
    found = Ruled(tmp_path)
    with closing(found.work):
        yield found


DECISIONS = {"Decision: tokens expire after a day", "Decision: Bo owns it"}


def test_what_a_rule_sets_comes_and_goes_with_it(ruled: Ruled) -> None:
    work, before = ruled.work, ruled.graph.read_bytes()
    work.add_rule("Keep decisions", "decision", ["pin", "tag=decision"], "they are final")
    ruled.apply()
    assert ruled.texts("is:pinned") == set()  # it is off at first
    work.turn_rule("keep decisions", on=True)
    ruled.apply()
    assert ruled.texts("is:pinned") == ruled.texts("tag:decision") == DECISIONS
    pinned = work.memories(list(work.search("is:pinned").ids))[0]
    assert (pinned.pinned_by, pinned.pinned_why) == ("rule:Keep decisions", "they are final")
    event = next(each for each in work.journal() if each.kind == "pinned")
    assert (event.actor, event.count, event.undoable) == ("rule:Keep decisions", 2, True)
    ruled.apply()
    assert sum(each.actor.startswith("rule:") for each in work.journal()) == 2
    work.turn_rule("Keep decisions", on=False)
    ruled.apply()
    assert ruled.texts("is:pinned") == ruled.texts("tag:decision") == set()
    assert ruled.graph.read_bytes() == before


def test_a_memory_that_no_longer_matches_is_let_go(ruled: Ruled) -> None:
    work = ruled.work
    work.add_rule("Lunch", "lunch", ["importance=0.9", "category=habit"])
    work.turn_rule("Lunch", on=True)
    ruled.apply()
    (id,) = work.search("lunch").ids
    assert (work.memories([id])[0].importance, work.memories([id])[0].category) == (0.9, "habit")
    work.edit([id], {"content": "Dinner is at eight"})
    ruled.apply()
    assert (work.memories([id])[0].importance, work.memories([id])[0].category) == (None, None)


def test_what_a_person_changes_stays_and_is_not_set_again(ruled: Ruled) -> None:
    work = ruled.work
    work.add_rule("Lunch", "lunch", ["category=habit"])
    work.turn_rule("Lunch", on=True)
    ruled.apply()
    (id,) = work.search("lunch").ids
    work.edit([id], {"category": "food"})
    ruled.apply()
    work.turn_rule("Lunch", on=False)
    ruled.apply()
    assert work.memories([id])[0].category == "food"


def test_duplicates_are_what_a_search_finds_whichever_way_they_are_judged(
    ruled: Ruled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "BATCH", 2)
    work = ruled.work
    work.add({"content": "lunch is  at noon."})
    queries = {
        "tag:twice": "is:duplicate",
        "tag:once": "-is:duplicate -tokens",
        "category:l": "at is:duplicate",
    }
    for number, (sets, when) in enumerate(queries.items()):
        work.add_rule(f"Rule {number}", when, [sets.replace(":", "=")])
        work.turn_rule(f"Rule {number}", on=True)
    ruled.apply()
    assert len(ruled.texts("category:l")) == 2
    for sets, when in queries.items():
        assert ruled.texts(sets) == ruled.texts(when) != set()
    (id,) = work.add({"content": "Dinner is at eight"}).ids
    assert work.memories([id])[0].tags == ("once",)  # judged at once
    work.edit([id], {"content": "Security: rotate keys"})
    assert work.memories([id])[0].tags == ("twice",)
    ruled.now += 3_601
    ruled.apply()
    for sets, when in queries.items():
        assert ruled.texts(sets) == ruled.texts(when)


def test_what_a_person_undid_is_not_done_again(ruled: Ruled) -> None:
    work = ruled.work
    work.add_rule("Keep", "decision", ["pin"])
    work.turn_rule("Keep", on=True)
    ruled.apply()
    line = next(each.id for each in work.journal() if each.kind == "pinned")
    work.undo(line)
    ruled.apply()
    assert ruled.texts("is:pinned") == set()


def test_the_first_rule_of_a_kind_wins_and_rules_do_not_see_one_another(ruled: Ruled) -> None:
    work = ruled.work
    work.add_rule("First", "decision", ["category=decision"])
    work.add_rule("Second", "decision", ["category=other", "tag=late"])
    work.add_rule("Third", "category:decision", ["tag=seen"])
    for name in ("First", "Second", "Third"):
        work.turn_rule(name, on=True)
    ruled.apply()
    own = {"Decision: tokens expire after a day"}
    assert ruled.texts("category:decision") == own  # in a graph it belongs to the entity, so it stays
    assert ruled.texts("tag:late") == DECISIONS
    assert ruled.texts("tag:seen") == set()
    work.move_rule("Second", -1)
    ruled.apply()
    assert ruled.texts("category:other") == own


def test_a_condition_comes_true_in_time(ruled: Ruled) -> None:
    work = ruled.work
    work.add_rule("Old", "updated:>30d", ["tag=old"])
    work.turn_rule("Old", on=True)
    ruled.apply()
    assert ruled.texts("tag:old") == set()
    ruled.now += 31 * DAY
    ruled.apply()
    assert "Lunch is at noon" in ruled.texts("tag:old")
    ruled.now += DAY
    ruled.apply()
    assert "Lunch is at noon" in ruled.texts("tag:old")  # its own tag makes it no younger


def test_an_act_is_done_once(ruled: Ruled) -> None:
    work = ruled.work
    work.add_rule("No chat", "lunch", ["dismiss"])
    (id,) = work.search("lunch").ids
    work.turn_rule("No chat", on=True)  # few memories are judged at once
    assert ruled.texts("lunch") == set()
    work.restore([id])
    ruled.apply()
    assert ruled.texts("lunch") == {"Lunch is at noon"}
    stays = "; what it dismissed stays"
    assert work.turn_rule("No chat", on=False).summary == "Switched the rule “No chat” off" + stays
    assert work.turn_rule("No chat", on=True).summary == "Switched the rule “No chat” on"
    assert work.undo(work.journal()[0].id).summary == "Undone: Switched the rule “No chat” on" + stays
    assert work.remove_rule("No chat").summary == "Removed the rule “No chat”"  # it was off


def test_what_is_told_of_a_rule_is_what_it_says_now(ruled: Ruled) -> None:
    work = ruled.work
    (id,) = work.search("lunch").ids
    work.add_rule("Old", "lunch", ["pin", "tag=food", "inbox"], "why")
    work.turn_rule("Old", on=True)
    assert work.memories([id])[0].pinned_by == "rule:Old"
    work.confirm([id])

    def told() -> tuple[str | None, str | None]:
        (memory,) = work.memories([id])
        return memory.pinned_by, memory.pinned_why

    work.edit_rule("Old", new_name="New")
    assert told() == ("rule:New", "why")
    work.edit_rule("New", note="because")
    assert told() == ("rule:New", "because")
    assert {each.rule for each in held.of(work._ctx, [id])} == {"New"}
    count = len(work.journal())
    ruled.apply()
    assert len(work.journal()) == count  # once
    work.undo()
    work.undo()
    assert told() == ("rule:Old", "why")
    work.remove_rule("Old")
    (memory,) = work.memories([id])
    # A person confirmed it before it was pinned anew.
    assert (memory.pinned, memory.pinned_by, memory.tags) == (True, "rule:Old", ("food",))
    assert {each.actor for each in work.journal()[:2]} == {"rule:Old", "person"}


def test_changes_of_rules_are_undone_and_redone(ruled: Ruled) -> None:
    work = ruled.work
    work.add_rule("One", "decision", ["pin"])
    work.add_rule("Two", "lunch", ["pin"])
    work.move_rule("Two", -1)
    work.edit_rule("One", when="security", note="why")
    work.remove_rule("Two")
    assert [rule.name for rule in work.rules()] == ["One"]
    work.undo()
    assert [rule.name for rule in work.rules()] == ["Two", "One"]
    work.undo()
    assert [rule.when for rule in work.rules()] == ["lunch", "decision"]
    work.undo()
    assert [rule.name for rule in work.rules()] == ["One", "Two"]
    work.redo()
    assert [rule.name for rule in work.rules()] == ["Two", "One"]
    for _ in range(3):
        work.undo()
    assert work.rules() == []


def test_no_undo_brings_a_rule_back_under_a_name_that_another_has(ruled: Ruled) -> None:
    work = ruled.work
    work.add_rule("One", "decision", ["pin"])
    removed = work.remove_rule("One").journal_id
    work.add_rule("one", "lunch", ["pin"])
    with pytest.raises(NotUndone):
        work.undo(removed)
    assert [(rule.name, rule.when) for rule in work.rules()] == [("one", "lunch")]
    work.edit_rule("one", new_name="Two")
    work.undo(removed)
    assert sorted(rule.name for rule in work.rules()) == ["One", "Two"]


def test_a_rule_holds_what_is_in_use(ruled: Ruled) -> None:
    work = ruled.work

    def held() -> int:
        return work.rule_counts()[work.rules()[0].id].held

    work.add_rule("Each", "-tag:none is:live", ["importance=0.8"])
    work.turn_rule("Each", on=True)
    (id,) = work.search("lunch").ids
    count = held()
    work.dismiss([id])
    assert held() == count - 1
    work.turn_rule("Each", on=False)
    assert held() == 0
    work.restore([id])
    assert (held(), work.memories([id])[0].importance) == (0, None)


def test_a_read_only_store_is_left_until_it_can_be_written(ruled: Ruled) -> None:
    work = ruled.work
    work.lock_store("graph", locked=True)
    work.add_rule("Pins", "decision", ["pin", "tag=x", "dismiss"])
    found = {each.store: (bool(each.changes), each.cannot) for each in work.try_rule(work.rules()[0]).touched}
    assert found == {"native": (True, []), "graph": (False, ["read-only"])}
    work.edit_rule("Pins", actions=["pin"])
    work.turn_rule("Pins", on=True)
    ruled.apply()
    assert work.rule_counts()[work.rules()[0].id].held == 1
    work.lock_store("graph", locked=False)
    assert work.rule_counts()[work.rules()[0].id].held == 2


def test_a_trial_tells_what_would_be_done_and_changes_nothing(ruled: Ruled) -> None:
    work = ruled.work
    work.add_rule("Keep", "decision", ["pin"])
    work.turn_rule("Keep", on=True)
    work.add_rule("Mine", "decision store:native", ["tag=mine", "pin"])
    trial = work.try_rule(work.rules()[1])
    assert (trial.total, list(trial.by_store)) == (1, [("native", 1)])
    (touched,) = trial.touched
    assert ("tags", (), ("mine",)) in touched.changes
    assert touched.other == "Keep"
    assert {(near.label, near.part) for near in trial.near} >= {("Lunch is at noon", "decision")}
    assert [(each.rule, each.action, each.first, each.differs) for each in trial.overlaps] == [
        ("Keep", "pin", True, False)
    ]
    assert ruled.texts("tag:mine") == set()


def test_a_rule_holds_on_every_write(ruled: Ruled) -> None:
    work = ruled.work
    work.add_rule("Keep", "decision", ["pin", "inbox"])
    work.turn_rule("Keep", on=True)
    (id,) = work.add({"content": "A late decision"}).ids
    assert "A late decision" in ruled.texts("is:pinned")
    sent = [each.label for each in work.inbox().items if each.kind == "rule"]
    assert "A late decision" in sent
    work.confirm([id])
    assert "A late decision" not in [each.label for each in work.inbox().items if each.kind == "rule"]
    assert "A late decision" in ruled.texts("is:pinned")
    assert work.undo().summary.startswith(
        "Undone: Confirmed"
    )  # the rule's own lines are none of the person's


def test_each_recipe_can_be_added_and_switched_on_as_it_is(ruled: Ruled) -> None:
    work = ruled.work
    for recipe in RECIPES:
        work.add_rule(recipe.name, recipe.when, recipe.actions, recipe.note)
        work.turn_rule(recipe.name, on=True)
    ruled.apply()
    assert ruled.texts("is:pinned") == {"Security: rotate keys"}
    agents = {"category": "contact", "content": "Ada: 555 0100"}
    with pytest.raises(PolicyRefused, match="One agent's contacts"):
        work.remember("scout", {**agents, "owner": "scout"})
    assert work.remember("bot", {**agents, "owner": "bot"}).outcome == "added"
