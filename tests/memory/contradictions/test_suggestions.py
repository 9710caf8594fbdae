"""Suggested verdicts for a pair, and their reasons (S-21, S-22, S-43)."""

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


def memory(**fields: Any) -> Memory:
    return Memory(uid="u", store="s", ref="r", content="Says.", **fields)


def suggested(a: Memory, b: Memory, subject_pair: Pair | None = None, **more: Any) -> tuple[str, str]:
    suggestion, reason = suggest(subject_pair or pair(), a, b, **more)
    return ("", reason) if suggestion is None else (suggestion.verdict, suggestion.reason)


NEW = {"created_at": NOW, "last_confirmed_at": NOW}
OLD = {"created_at": NOW - 18 * DAY, "last_confirmed_at": NOW - 18 * DAY}


@pytest.mark.parametrize(
    ("a", "b", "verdict", "reason"),
    [
        ({"pinned": True}, {"source_type": "user", **NEW}, KEEP_A, "A is pinned."),
        ({}, {"pinned": True}, KEEP_B, "B is pinned."),
        ({"source_type": "user", **OLD}, NEW, KEEP_A, "A was written by a person."),
        (NEW, OLD, KEEP_A, "18 days newer, and confirmed more recently."),
        (OLD, NEW, KEEP_B, "18 days newer, and confirmed more recently."),
        ({"confidence": 0.9}, {"confidence": 0.5}, KEEP_A, "Much higher confidence: 0.90 vs 0.50."),
        (
            {"confidence": 0.8},
            {"confidence": 0.5},
            "",
            "A's confidence is 0.30 higher, but that is not enough",
        ),
        # Newer, but the older one was confirmed later.
        (
            {"created_at": NOW},
            {"created_at": NOW - 9 * DAY, "last_confirmed_at": NOW + 1},
            "",
            "A is 9 days newer",
        ),
        (
            {"created_at": NOW, "last_confirmed_at": NOW},
            {"created_at": NOW - 6 * DAY, "last_confirmed_at": NOW - 6 * DAY},
            "",
            "A is 6 days newer",
        ),
        ({"pinned": True}, {"pinned": True}, "", "Neither"),
    ],
)
def test_a_contradiction_suggests_the_stronger_memory(
    a: dict[str, Any], b: dict[str, Any], verdict: str, reason: str
) -> None:
    result = suggested(memory(**a), memory(**b))
    assert result[0] == verdict
    assert result[1].startswith(reason)


def test_a_confirmation_by_the_user_counts() -> None:
    assert suggested(memory(**NEW), memory(**OLD), by_user=(False, True)) == (
        KEEP_B,
        "B was written or confirmed by you.",
    )


def test_a_state_change_suggests_the_newer_memory() -> None:
    result = suggested(memory(created_at=NOW - DAY), memory(created_at=NOW), pair(kind="change"))
    assert result == (KEEP_B, "This changed over time, and B is 1 day newer.")


@pytest.mark.parametrize(
    ("clauses", "verdict", "reason"),
    [
        (
            ("Builds with Gradle", "Moved the builds from Gradle to Bazel"),
            KEEP_B,
            "B describes a later state (“Moved”).",
        ),
        (("No longer teaches", "Teaches on Saturdays"), KEEP_A, "A describes a later state (“No longer”)."),
        (("Rent is 870 in 2025", "Rent is 915 in 2026"), KEEP_B, "B has the later date."),
        (("Meets on Mondays", "Meets on Fridays"), "", "Neither has a date. B is further down the list,"),
    ],
)
def test_change_words_and_dates_in_the_text_decide_which_is_newer(
    clauses: tuple[str, str], verdict: str, reason: str
) -> None:
    """S-43: a change word or date in the text comes before the times of records; the position decides
    nothing."""
    with_clauses = replace(pair(kind="number"), clauses=clauses)
    result = suggested(memory(subject="Kite"), memory(subject="Kite"), with_clauses)
    assert result[0] == verdict
    assert result[1].startswith(reason)
    assert suggested(memory(key="bank_account"), memory(key="bank_account"), with_clauses)[0] == ""


def test_being_seen_later_is_mentioned_but_suggests_nothing() -> None:
    result = suggested(memory(), memory(), first_seen=(NOW, NOW + DAY))
    reason = "Neither has a date. memtui first saw B later, but that is not enough to suggest a verdict."
    assert result == ("", reason)


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
def test_high_risk_memories_get_no_suggestion(fields: dict[str, Any]) -> None:
    for kind in (pair(), pair(DUPLICATE, EXACT)):
        verdict, reason = suggested(memory(pinned=True), memory(**fields), kind)
        assert verdict == ""
        assert reason.endswith("this one is up to you.")


def test_keys_that_only_look_risky_get_a_suggestion() -> None:
    assert suggested(memory(pinned=True), memory(key="taxonomy"))[0] == KEEP_A


@pytest.mark.parametrize(
    ("a", "b", "verdict", "reason"),
    [
        ({"times_used": 3}, {}, MERGE, "used more"),
        ({}, {"times_confirmed": 3}, KEEP_B, "used more"),
        ({}, {"pinned": True}, KEEP_B, "pinned"),
        ({"created_at": NOW - DAY}, {"created_at": NOW}, MERGE, "older"),
    ],
)
def test_of_duplicates_the_better_one_is_kept(
    a: dict[str, Any], b: dict[str, Any], verdict: str, reason: str
) -> None:
    for kind in (EXACT, NEAR):
        result = suggested(memory(**a), memory(**b), pair(DUPLICATE, kind))
        assert result[0] == verdict
        assert reason in result[1]
    assert suggested(memory(**a), memory(**b), pair(DUPLICATE, MAYBE))[0] == ""


@pytest.mark.parametrize("times", [{}, {"created_at": NOW}])
def test_neither_duplicate_is_called_older_without_different_dates(times: dict[str, Any]) -> None:
    """MCP memory has no dates, and memories imported together have the same."""
    result = suggested(memory(**times), memory(**times), pair(DUPLICATE, NEAR))
    assert result == (MERGE, "The texts are nearly identical.")
    result = suggested(memory(), memory(created_at=NOW), pair(DUPLICATE, EXACT))
    assert result == (KEEP_B, "The texts are identical, and B is the only one with a date.")
