"""Which memories a budget includes, in which order, and why others are left out (S-71)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memtui.memory.memory import Memory
from memtui.memory.selection.budget import MARK, Choice, Ranking, Reason
from memtui.memory.selection.candidate import DAY, HALF_LIFE, Candidate

NOW = 1_763_000_000.0


def candidate(
    uid: str, relevance: float | None = None, against: str = "", twin: str = "", **fields: Any
) -> Candidate:
    known: dict[str, Any] = {"content": f"text of {uid}", "confidence": 0.8}
    memory = Memory(uid=uid, store="s", ref=uid, **known | fields)
    return Candidate(memory, relevance, None, frozenset(against.split()), frozenset(twin.split()))


def chosen(*candidates: Candidate, budget: int | None = None, cost: int = 10, **options: Any) -> Choice:
    costs = {each.memory.uid: cost for each in candidates} | options.pop("costs", {})
    return Ranking(candidates, NOW).choose(costs, budget, **options)


def uids(choice: Choice) -> list[str]:
    return [each.uid for each in choice.included]


def reasons(choice: Choice) -> dict[str, tuple[Reason, str]]:
    return {each.uid: (each.reason, each.other) for each in choice.left_out}


def test_pinned_come_first_then_constraints_tasks_decisions_preferences_and_the_rest() -> None:
    choice = chosen(
        candidate("fact", category="fact", confidence=1.0),
        candidate("taste", category="soft_preference"),
        candidate("plan", category="decision"),
        candidate("work", category="task_context"),
        candidate("rule", category="hard-preference"),
        candidate("pin", category="fact", pinned=True, confidence=0.1),
    )
    assert uids(choice) == ["pin", "rule", "work", "plan", "taste", "fact"]


def test_within_a_class_the_stale_and_weak_are_left_out_first() -> None:
    old = NOW - 2 * HALF_LIFE * DAY
    choice = chosen(
        candidate("weak", confidence=0.3, updated_at=NOW),
        candidate("stale", confidence=0.9, updated_at=old),
        candidate("good", confidence=0.9, updated_at=NOW),
        budget=20,
    )
    assert uids(choice) == ["good", "weak"]
    assert reasons(choice) == {"stale": (Reason.NO_ROOM, "")}


def test_two_small_memories_are_taken_instead_of_a_large_one_if_they_are_worth_more() -> None:
    choice = chosen(
        candidate("large", confidence=0.9),
        candidate("one", confidence=0.6),
        candidate("two", confidence=0.6),
        budget=20,
        costs={"large": 20},
    )
    assert uids(choice) == ["one", "two"]


def test_pinned_memories_that_exceed_the_budget_are_named_with_their_tokens() -> None:
    choice = chosen(
        candidate("a", pinned=True), candidate("b", pinned=True), budget=15, costs={"a": 12, "b": 14}
    )
    assert len(choice.included) == 1
    assert [(each.reason, each.tokens > 10) for each in choice.left_out] == [(Reason.NO_ROOM, True)]


def test_what_contradicts_an_included_memory_is_left_out_or_both_are_kept_to_be_marked() -> None:
    both = (candidate("a", against="b", confidence=0.9), candidate("b", against="a"))
    assert reasons(chosen(*both)) == {"b": (Reason.CONTRADICTS, "a")}
    assert uids(chosen(*both, contradictions=MARK)) == ["a", "b"]


def test_the_other_of_a_pair_is_taken_if_the_better_one_finds_no_room() -> None:
    both = (candidate("a", against="b", confidence=0.9), candidate("b", against="a"))
    choice = chosen(*both, budget=15, costs={"a": 20})
    assert uids(choice) == ["b"]
    assert reasons(choice) == {"a": (Reason.NO_ROOM, "")}


def test_duplicates_are_included_once() -> None:
    choice = chosen(
        candidate("a", content="Tea, not  coffee.", confidence=0.9),
        candidate("b", content="tea, not coffee."),
        candidate("c", twin="a"),
    )
    assert uids(choice) == ["a"]
    assert reasons(choice) == {"b": (Reason.DUPLICATE, "a"), "c": (Reason.DUPLICATE, "a")}


def test_what_is_not_valid_now_is_left_out_unless_the_user_includes_it() -> None:
    ended = candidate("ended", valid_to=NOW - 1)
    assert reasons(chosen(ended)) == {"ended": (Reason.NOT_VALID, "")}
    assert uids(chosen(ended, overrides={"ended": True})) == ["ended"]


def test_the_user_takes_one_out_and_puts_one_in_whatever_the_budget() -> None:
    both = (candidate("a", confidence=0.9), candidate("b", confidence=0.2))
    choice = chosen(*both, budget=10, overrides={"b": True})
    assert uids(choice) == ["b"]
    choice = chosen(*both, budget=10, overrides={"a": False})
    assert uids(choice) == ["b"]
    assert reasons(choice) == {"a": (Reason.TAKEN_OUT, "")}


def test_equals_stand_as_in_their_stores() -> None:
    equals = [replace(candidate(uid), place=place) for uid, place in (("a", 3), ("b", 1), ("c", 2))]
    assert uids(chosen(*equals)) == ["b", "c", "a"]


def test_the_order_of_the_candidates_does_not_matter() -> None:
    every = [candidate(f"m{n}", confidence=0.5, updated_at=NOW - n) for n in range(20)]
    assert uids(chosen(*every, budget=95)) == uids(chosen(*reversed(every), budget=95))
