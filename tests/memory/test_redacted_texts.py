"""What takes the place of secrets leaves no part of one behind, and loses nothing else (S-62)."""

from __future__ import annotations

from random import Random

import pytest

from memtui.memory.secrets import find
from memtui.memory.secrets.redaction import Replacements, values_in
from tests.support.secret_texts.tokens import BASE62, HEX, some

RNG = Random(9)
PASSWORD = f"Tr4k{some(RNG, BASE62, 8)}9!"
TOKENS = [f"ghp_{some(RNG, BASE62, 36)}" for _ in range(2)]


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ("mysql -u root -p", PASSWORD, " db"),
        ("API_KEY=", some(RNG, BASE62 + "+/", 5_000) + "9", " # rotated"),
        ("password: '", some(RNG, BASE62, 2_000), "'"),
        ("", "rubygems_" + some(RNG, HEX, 60), " is old"),
        ("", "ABSK" + some(RNG, BASE62, 400), " is old"),
    ],
)
def test_no_part_of_a_secret_is_left(before: str, secret: str, after: str) -> None:
    text = f"{before}{secret}{after}"
    redacted = Replacements(values_in([text]))
    assert list(redacted.values) == [secret]
    assert redacted.found_in(text)
    new = redacted.text(text)
    assert new.startswith(f"{before}[redacted: ")
    assert new.endswith(f"]{after}")
    assert not find(new)
    assert redacted.covered(text) == before + "•" * len(secret) + after


def test_a_short_value_is_left_where_it_is_a_part_of_a_word() -> None:
    redacted = Replacements(values_in(["curl -u bo:tea4me https://db.io"]))
    assert redacted.text("tea4me and tea4mer") == "[redacted: authorization header] and tea4mer"


def test_two_secrets_as_names_of_one_object_keep_both_members() -> None:
    redacted = Replacements(values_in(TOKENS))
    value = redacted.value({TOKENS[0]: 1, "x": 2, TOKENS[1]: 3})
    assert value == {"[redacted: GitHub token]": 1, "x": 2, "[redacted: GitHub token] 2": 3}


def test_without_values_nothing_is_replaced() -> None:
    nothing = Replacements({})
    assert not nothing.found_in("a text")
    assert nothing.text("a text") == "a text"
