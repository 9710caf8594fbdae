"""What is suggested for a pair, and for which reason (S-21, S-22, S-43)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memtui.memory.contradictions.pairs import (
    CONTRADICTION,
    DUPLICATE,
    EXACT,
    KEEP_A,
    KEEP_B,
    MAYBE,
    MERGE,
    NEAR,
    Pair,
)
from memtui.memory.contradictions.suggestions import suggest
from memtui.memory.memory import Memory

DAY = 86_400.0
NOW = 1_763_000_000.0


def pair(family: str = CONTRADICTION, kind: str = "value") -> Pair:
    return Pair(1, 1, 2, family, kind, 0.9, ("", ""), "", "", NOW, "open")


def of(**fields: Any) -> Memory:
    return Memory(uid="u", store="s", ref="r", content="Says.", **fields)


def told(a: Memory, b: Memory, one: Pair | None = None, **more: Any) -> tuple[str, str]:
    said, why = suggest(one or pair(), a, b, **more)
    return ("", why) if said is None else (said.verdict, said.reason)


NEW = {"created_at": NOW, "last_confirmed_at": NOW}
OLD = {"created_at": NOW - 18 * DAY, "last_confirmed_at": NOW - 18 * DAY}


@pytest.mark.parametrize(
    ("a", "b", "verdict", "reason"),
    [
        ({"pinned": True}, {"source_type": "user", **NEW}, KEEP_A, "A is pinned."),
        ({}, {"pinned": True}, KEEP_B, "B is pinned."),
        ({"source_type": "user", **OLD}, NEW, KEEP_A, "A is a person's word."),
        (NEW, OLD, KEEP_A, "Newer by 18 days, and confirmed more recently."),
        (OLD, NEW, KEEP_B, "Newer by 18 days, and confirmed more recently."),
        ({"confidence": 0.9}, {"confidence": 0.5}, KEEP_A, "Held for much surer: 0.90 against 0.50."),
        ({"confidence": 0.8}, {"confidence": 0.5}, "", "A is surer by 0.30: too little"),
        # Newer, but the older one was confirmed since.
        (
            {"created_at": NOW},
            {"created_at": NOW - 9 * DAY, "last_confirmed_at": NOW + 1},
            "",
            "A is newer by 9 days",
        ),
        (
            {"created_at": NOW, "last_confirmed_at": NOW},
            {"created_at": NOW - 6 * DAY, "last_confirmed_at": NOW - 6 * DAY},
            "",
            "A is newer by 6 days",
        ),
        ({"pinned": True}, {"pinned": True}, "", "Neither"),
    ],
)
def test_what_speaks_for_one(a: dict[str, Any], b: dict[str, Any], verdict: str, reason: str) -> None:
    said = told(of(**a), of(**b))
    assert said[0] == verdict
    assert said[1].startswith(reason)


def test_what_a_person_confirmed_is_a_persons_word() -> None:
    assert told(of(**NEW), of(**OLD), by_user=(False, True)) == (KEEP_B, "B is a person's word.")


def test_what_changed_over_time_is_as_the_newer_says() -> None:
    said = told(of(created_at=NOW - DAY), of(created_at=NOW), pair(kind="change"))
    assert said == (KEEP_B, "It changed over time, and B is newer by 1 day.")


@pytest.mark.parametrize(
    ("clauses", "verdict", "reason"),
    [
        (
            ("Builds with Gradle", "Moved the builds from Gradle to Bazel"),
            KEEP_B,
            "B tells of the change (“Moved”).",
        ),
        (("No longer teaches", "Teaches on Saturdays"), KEEP_A, "A tells of the change (“No longer”)."),
        (("Rent is 870 in 2025", "Rent is 915 in 2026"), KEEP_B, "B names the later date."),
        (("Meets on Mondays", "Meets on Fridays"), "", "Neither is dated; B stands further down,"),
    ],
)
def test_what_the_text_tells_makes_one_the_newer(clauses: tuple[str, str], verdict: str, reason: str) -> None:
    """S-43: a change word or date in the text, before the times of records; a place says too little."""
    one = replace(pair(kind="number"), clauses=clauses)
    said = told(of(subject="Kite"), of(subject="Kite"), one)
    assert said[0] == verdict
    assert said[1].startswith(reason)
    assert told(of(key="bank_account"), of(key="bank_account"), one)[0] == ""


def test_what_was_seen_later_is_said_and_suggests_nothing() -> None:
    said = told(of(), of(), first_seen=(NOW, NOW + DAY))
    assert said == ("", "Neither is dated; memtui saw B later, which alone decides nothing.")


@pytest.mark.parametrize(
    "fields",
    [
        {"category": "health"},
        {"category": "identity"},
        {"key": "bank_account"},
        {"key": "user:legal-name"},
        {"key": "finance"},
    ],
)
def test_high_risk_is_never_suggested(fields: dict[str, Any]) -> None:
    for kind in (pair(), pair(DUPLICATE, EXACT)):
        verdict, why = told(of(pinned=True), of(**fields), kind)
        assert verdict == ""
        assert why.endswith("only a person decides that.")


def test_what_only_looks_like_risk_is_suggested() -> None:
    assert told(of(pinned=True), of(key="taxonomy"))[0] == KEEP_A


@pytest.mark.parametrize(
    ("a", "b", "verdict", "reason"),
    [
        ({"times_used": 3}, {}, MERGE, "used more"),
        ({}, {"times_confirmed": 3}, KEEP_B, "used more"),
        ({}, {"pinned": True}, KEEP_B, "pinned"),
        ({"created_at": NOW - DAY}, {"created_at": NOW}, MERGE, "older"),
    ],
)
def test_of_duplicates_the_better_one_stays(
    a: dict[str, Any], b: dict[str, Any], verdict: str, reason: str
) -> None:
    for kind in (EXACT, NEAR):
        said = told(of(**a), of(**b), pair(DUPLICATE, kind))
        assert said[0] == verdict
        assert reason in said[1]
    assert told(of(**a), of(**b), pair(DUPLICATE, MAYBE))[0] == ""


@pytest.mark.parametrize("times", [{}, {"created_at": NOW}])
def test_none_of_two_duplicates_is_called_older_where_none_is(times: dict[str, Any]) -> None:
    """An MCP memory dates nothing, and what was imported in one go is of one age."""
    said = told(of(**times), of(**times), pair(DUPLICATE, NEAR))
    assert said == (MERGE, "They say the same almost word for word.")
    said = told(of(), of(created_at=NOW), pair(DUPLICATE, EXACT))
    assert said == (KEEP_B, "They say the same word for word, and B alone is dated.")
