"""Sentences are split where another statement begins."""

from __future__ import annotations

import pytest

from memtui.memory.contradictions.language.sentences import MAX_SENTENCE, statements

SPLIT = [
    (
        "Moved into design in March, Ines took the lead over",
        "Moved into design in March|Ines took the lead over",
    ),
    ("Archived on 11 May, repo is read-only", "Archived on 11 May|repo is read-only"),
    ("On the free trial, hasn't paid anything yet", "On the free trial|hasn't paid anything yet"),
    ("Can't stand olives, leave it off", "Can't stand olives|leave it off"),
    ("In May, the team moved and nobody has asked", "In May, the team moved|nobody has asked"),
    ("Plays cello, gave up the trumpet", "Plays cello|gave up the trumpet"),
]
WHOLE = [
    "Keeps hens, the dog and two cats",
    "Alice, the lead, owns it",
    "Ana, Bo and Cy are members",
    "red, green and blue are used",
    "If it rains, the match is moved",
    "wears a dark tie and polished shoes",
    "Doesn't work, won't until it has a pump",
    "Never water it, January included",
]


@pytest.mark.parametrize(("sentence", "parts"), SPLIT)
def test_independent_statements_are_split(sentence: str, parts: str) -> None:
    assert [statement for statement, _ in statements(sentence)] == parts.split("|")


@pytest.mark.parametrize("sentence", WHOLE)
def test_one_statement_is_not_split(sentence: str) -> None:
    assert list(statements(sentence)) == [(sentence, False)]


@pytest.mark.parametrize("word", ["because", "since"])
def test_reasons_are_marked(word: str) -> None:
    found = list(statements(f"Runs on Postgres {word} the old one was slow"))
    assert found == [("Runs on Postgres", False), ("the old one was slow", True)]


def test_a_very_long_sentence_is_not_split() -> None:
    sentence = "a cat, the dog is here, " * MAX_SENTENCE
    assert list(statements(sentence)) == [(sentence, False)]
