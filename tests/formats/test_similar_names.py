"""Similar names: which one a misspelled name means, or none if that is ambiguous."""

from __future__ import annotations

import time

import pytest

from memtui.formats.checkup.similar_names import Names

NAMES = Names((name, name) for name in ("release-freeze", "User Role", "order service", "order book", "tea"))


@pytest.mark.parametrize(
    ("misspelled", "expected"),
    [
        ("release_freeze", "release-freeze"),
        ("Release Freeze", "release-freeze"),
        ("release-freeze.md", "release-freeze"),
        ("release-freezes", "release-freeze"),
        ("project-release-freeze", "release-freeze"),
        ("userrole", "User Role"),
        ("service", "order service"),
        ("order", ""),  # two match
        ("freight", ""),
        ("te", ""),  # too short to be a part
        ("", ""),
        ("-_-", ""),
    ],
)
def test_best_match(misspelled: str, expected: str) -> None:
    assert NAMES.best_match(misspelled) == expected


def test_names_that_normalise_equally_are_ambiguous() -> None:
    assert Names([("a b", "1"), ("a-b", "2")]).best_match("A_B") == ""


def test_a_name_of_a_million_letters_is_matched_fast() -> None:
    assert NAMES.best_match("release" * 150_000) == ""


def test_many_names_with_one_prefix_are_matched_fast() -> None:
    names = Names((f"project-{number}-notes", str(number)) for number in range(20_000))
    start = time.process_time()
    assert {names.best_match(f"project-{number}-note") for number in range(0, 20_000, 20)} == {
        str(number) for number in range(0, 20_000, 20)
    }
    assert names.best_match("proj") == ""
    assert time.process_time() - start < 1
