"""Policies: what is typed, what is judged, and what holds where several meet (S-61)."""

from __future__ import annotations

import pytest

from memtui.errors import Refused
from memtui.memory.policies import judging, policy, stated
from memtui.memory.policies.policy import EVERY, Limit, Policy

DAY = 86_400.0


def test_a_policy_is_kept_as_it_is_typed() -> None:
    typed = Policy(
        "scout",
        policy.scopes(["fleet", "private", "fleet"]),
        policy.scopes(["none"]),
        policy.limits(["fleet=20:weakest", "private=3"]),
        policy.expiry("30d"),
        policy.patterns(["password:*", "password:*", "[z-a]"]),
        policy.categories(["fact"]),
    )
    assert (typed.read, typed.write) == (("private", "fleet"), ())
    assert typed.limits == (Limit("private", 3), Limit("fleet", 20, "weakest"))
    assert policy.from_fields(policy.fields_of(typed)) == typed
    assert policy.from_fields(policy.fields_of(Policy("ada"))) == Policy("ada")


@pytest.mark.parametrize(
    "text", ["", " ", "\u200b", "*", "a" * 61, "a\x1b[31m", "a\u202eb", "a\0", "AKIA" + "IOSFODNN7EXAMQQE"]
)
def test_what_cannot_be_seen_is_no_agent(text: str) -> None:
    with pytest.raises(Refused):
        policy.agent_name(text)


@pytest.mark.parametrize("text", ["", "fleet", "fleet=", "fleet=-1", "fleet=1.5", "fleet=²", "else=3"])
def test_no_limit(text: str) -> None:
    with pytest.raises(Refused):
        policy.limits([text])


@pytest.mark.parametrize("text", ["fleet=3:strongest", "fleet=9999999999", "fleet=3:", "=3"])
def test_no_limit_either(text: str) -> None:
    with pytest.raises(Refused):
        policy.limits(["private=1", text])


def test_what_else_cannot_be_set() -> None:
    for text in ("0d", "-3d", "1.5d", "soon", "", "99999d"):
        with pytest.raises(Refused):
            policy.expiry(text)
    for pattern in ("", "\u200b", "a" * 201, "a\x1bb"):
        with pytest.raises(Refused):
            policy.patterns([pattern])
    for names in ([], ["private", "all"], ["everything"]):
        with pytest.raises(Refused):
            policy.scopes(names)


@pytest.mark.parametrize(
    ("pattern", "key", "is_sensitive"),
    [
        ("password:*", "password:db", True),
        ("password:*", "PassWord:DB", True),
        ("password:*", "pass\u200bword:db", True),
        ("password:*", "ｐａｓｓｗｏｒｄ:db", True),
        *(
            ("password:*", f"pass{unseen}word:db", True)
            for unseen in "\u034f\ufe0f\u200d\u115f\u3164\uffa0\x07"
        ),
        ("clé:*", "cle\u00ad\u0301:db", True),  # what cannot be seen keeps the accent from its letter
        ("password:*", "passwords", False),
        ("*[0-9]", "pin 4", True),
        ("[", "[", True),
        ("[z-a]", "z", False),
        ("*a" * 50 + "b", "a" * 5_000, False),  # would not end if stars were tried one by one
    ],
)
def test_patterns_of_sensitive_keys(pattern: str, key: str, is_sensitive: bool) -> None:
    policies = [Policy("scout", sensitive=(pattern,))]
    assert (judging.against_names(policies, ["", key]) is not None) is is_sensitive


def test_a_policy_is_that_of_any_spelling_or_of_all() -> None:
    policies = [Policy("Scout"), Policy("ada"), Policy(EVERY)]
    assert [each.agent for each in judging.for_agent(policies, "sc\u200bOUT ")] == ["Scout", EVERY]


def test_the_stricter_holds_part_by_part() -> None:
    here = Policy("scout", ("private", "fleet"), None, (Limit("fleet", 9),), 90.0, ("a*",), ("fact",))
    there = Policy("scout", ("fleet",), ("fleet",), (Limit("fleet", 3),), 30.0, ("b*",), None, "team")
    held = {name: (part.value, part.policy) for name, part in judging.holding([here, there]).items()}
    assert held == {
        "read": (("fleet",), "scout@team"),
        "write": (("fleet",), "scout@team"),
        "writes_to": ((), ""),
        "most": (("fleet=3",), "scout@team"),
        "expiry": (30.0, "scout@team"),
        "sensitive": (("a*", "b*"), "scout, scout@team"),
        "categories": (("fact",), "scout"),
    }
    assert judging.expires_at([here, there], None, 0.0) == 30 * DAY
    assert judging.expires_at([here, there], DAY, 0.0) == DAY
    assert judging.expires_at([here, there], 99 * DAY, 0.0) == 30 * DAY
    assert judging.expires_at([Policy("scout")], None, 0.0) is None


def test_categories_meet_in_any_spelling() -> None:
    policies = [Policy("scout", categories=("Fact", "rule")), Policy(EVERY, categories=("fact", "joke"))]
    held = judging.holding(policies)["categories"]
    assert (held.value, held.policies) == (("Fact",), ("scout", EVERY))
    assert judging.against_category(policies, "fact") is None


def test_what_a_store_states_and_what_of_it_cannot_be_read() -> None:
    read = stated.load("scout", "team", stated.dump(["fleet"], "3", "30d", ["password:*"]))
    limits = tuple(Limit(scope, 3) for scope in ("private", "fleet", "session"))
    assert read == Policy("scout", ("fleet",), ("fleet",), limits, 30.0, ("password:*",), None, "team")
    odd = stated.load("scout", "team", stated.dump(None, "many", "soon", ["ok", "\x1b"]))
    assert odd == Policy("scout", sensitive=("ok",), store="team", unread=("most", "expiry", "patterns"))


def test_who_says_anything_on_a_part() -> None:
    laxer, stricter = Policy(EVERY, read=("fleet", "private")), Policy("scout", read=("fleet",), expiry=3.0)
    assert judging.stating([laxer, stricter], "read") == [EVERY, "scout"]
    assert judging.stating([laxer, stricter], "expiry") == ["scout"]
    assert judging.stating([laxer, stricter], "most") == []
    assert judging.holding([laxer, stricter])["read"].policies == ("scout",)
