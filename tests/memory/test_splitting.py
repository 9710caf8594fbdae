"""Where a text is cut, the parts that somebody writes, and the cuts that are proposed."""

from __future__ import annotations

import pytest

from memtui.errors import Refused
from memtui.memory.splitting import (
    CUT,
    check,
    cut,
    edited_parts,
    gap_between,
    given_parts,
    is_reworded,
    problem_of,
    proposed,
)
from tests.support.planted.plants import SECRET

NOTE = "Mail is kept.\n\n**Why:** Bo asked.\n\n**How to apply:** ask Bo. See a.\n\n## Steps\n\n1. stop\n2. go"
TEXT = "## Rules\nOne.\n\n## Places\nTwo.\n\n## People\nThree."


def test_a_text_is_cut_before_each_mark_in_their_order() -> None:
    assert cut(TEXT, ["## Places", "## People"]) == ["## Rules\nOne.", "## Places\nTwo.", "## People\nThree."]
    assert cut(TEXT, ["## ", "## "]) == cut(TEXT, ["## Places", "## People"]), "not at the start"
    assert cut("One, two", ["two"]) == ["One,", "two"]


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        (["Nowhere"], "“Nowhere” isn't in the text."),
        (["## People", "## Places"], "“## Places” isn't in the text after “## People”."),
        (["## Rules"], "“## Rules” is at the start; the part before it would be empty."),
        (["## "], "“## ” occurs 2 times.".replace("## ”", "##”")),
        ([" "], "--at is empty"),
    ],
)
def test_a_mark_that_is_missing_at_the_start_or_ambiguous_is_refused(marks: list[str], words: str) -> None:
    with pytest.raises(Refused) as refused:
        cut(TEXT, marks)
    assert words in refused.value.message
    assert refused.value.code == "at"


def test_given_parts_are_divided_by_blank_lines_or_else_by_cut_lines_alone() -> None:
    assert given_parts("\nOne.\r\n\r\n \nTwo,\nstill two.\n\n\n") == ["One.", "Two,\nstill two."]
    assert given_parts(f"One.\n\nMore of it.\n{CUT}\nTwo.\n") == ["One.\n\nMore of it.", "Two."]
    assert given_parts("") == []
    assert edited_parts("One.\n\nMore of it.") == ["One.\n\nMore of it."]
    assert edited_parts(f"One.\n  ----8<---- \n{CUT}\nTwo.") == ["One.", "", "Two."]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (TEXT, ["## Rules\nOne.", "## Places\nTwo.", "## People\nThree."]),
        ("Rules:\n- one\n- two\n  - of two\n- three", ["Rules:\n- one", "- two\n  - of two", "- three"]),
        ("1. one\n2. two", ["1. one", "2. two"]),
        ("One.\nMore of one.\n\nTwo.", ["One.\nMore of one.", "Two."]),
        ("Likes tea. Lives in Sneek! Plays?", ["Likes tea.", "Lives in Sneek!", "Plays?"]),
        ("See Dr. no one, e.g. at 3.5 km", ["See Dr. no one, e.g. at 3.5 km"]),
        ("A. " * 40, [("A. " * 40).rstrip()]),
        (NOTE, [NOTE]),
        (f"One thing.\n\n{NOTE}", ["One thing.", NOTE]),
        (
            "Kept.\n\n## Why\nBo asked.\n\n## Steps\n\n1. stop\n2. go",
            ["Kept.\n\n## Why\nBo asked.\n\n## Steps\n\n1. stop\n2. go"],
        ),
        (
            "# All\n\n## A\none\n\n### Steps\ntwo\n\n## B\nthree",
            ["# All\n\n## A\none\n\n### Steps\ntwo", "## B\nthree"],
        ),
        ("# Rules\n\nOne.\n\nTwo.", ["# Rules\n\nOne.", "Two."]),
    ],
)
def test_cuts_are_proposed_where_a_text_evidently_consists_of_parts(text: str, parts: list[str]) -> None:
    assert edited_parts(proposed(text)) == parts


def test_what_a_removed_cut_stood_for_is_found_in_the_text() -> None:
    assert gap_between("One. Two.\n\nThree.", "One.", "Two.") == " "
    assert gap_between("One. Two.\n\nThree.", "Two.", "Three.") == "\n\n"
    assert gap_between("One. Two.", "One", "Three") == ""


def test_parts_that_are_too_few_empty_or_equal_are_named() -> None:
    assert problem_of(["One"]) == "there is only one part; at least two are needed"
    assert problem_of(["One", " "]) == "part 2 is empty"
    assert problem_of(["One", "Two", "One"]) == "parts 1 and 3 are the same"
    assert problem_of([str(number) for number in range(51)]) == "too many parts: 51 (at most 50)"
    assert not problem_of(["One", "Two"])
    assert not is_reworded("One\ntwo  three", ["One", "two three"])
    assert is_reworded("One two", ["two", "One"])


def test_parts_may_hold_a_secret_of_the_memory_but_no_new_one() -> None:
    check(f"One. {SECRET}", ["One.", SECRET])
    with pytest.raises(Refused) as refused:
        check("One. Two.", ["One.", SECRET])
    assert refused.value.code == "secret"
    assert SECRET.split()[-1] not in refused.value.message
    for text, words in (("", "the memory has no text."), ("One.", "the first part is the whole text.")):
        with pytest.raises(Refused, match=words):
            check(text, ["One.", "Two."])
