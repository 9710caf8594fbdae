"""Names that are nearly the same: which one a wrong name means, and where that cannot be told."""

from __future__ import annotations

import time

import pytest

from memtui.formats.checkup.similar_names import Names

NAMES = Names((each, each) for each in ("release-freeze", "User Role", "order service", "order book", "tea"))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("release_freeze", "release-freeze"),
        ("Release Freeze", "release-freeze"),
        ("release-freeze.md", "release-freeze"),
        ("release-freezes", "release-freeze"),
        ("project-release-freeze", "release-freeze"),
        ("userrole", "User Role"),
        ("service", "order service"),
        ("order", ""),  # of two
        ("freight", ""),
        ("te", ""),  # too short to be a part
        ("", ""),
        ("-_-", ""),
    ],
)
def test_the_name_that_is_meant(said: str, meant: str) -> None:
    assert NAMES.meant(said) == meant


def test_names_that_fold_alike_cannot_be_told_apart() -> None:
    assert Names([("a b", "1"), ("a-b", "2")]).meant("A_B") == ""


def test_a_name_of_a_million_letters_takes_no_time() -> None:
    assert NAMES.meant("release" * 150_000) == ""


def test_many_names_that_begin_alike_take_no_time() -> None:
    names = Names((f"project-{number}-notes", str(number)) for number in range(20_000))
    begun = time.process_time()
    assert {names.meant(f"project-{number}-note") for number in range(0, 20_000, 20)} == {
        str(number) for number in range(0, 20_000, 20)
    }
    assert names.meant("proj") == ""
    assert time.process_time() - begun < 1
