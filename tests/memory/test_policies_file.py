"""Policies in the file of rules: what is read, what is wrong where, and what a project's file must not hold
(S-61, S-63)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memtui.memory.policies.policy import Limit, Policy
from memtui.memory.query.language import parse
from memtui.memory.rules.file.merging import RuleVerdict, merged
from memtui.memory.rules.file.reading import MOST, MOST_BYTES, RulesFile, read
from memtui.memory.rules.file.writing import text_of
from memtui.memory.rules.rule import Action, Rule
from tests.support.sizes import sample_cases

COMMENTED = """\
# Ours.

# For all of them.
[[policy]] # strict
agent = "*" # each
read = ["private", "fleet"]
expiry = "30d" # a month

[[rule]]
name = "Keep"
when = "final"
do = "pin"

# The scout.
[["policy"]]
agent = "scout"
read = "none"
write = "all"
most = [
  "private=100:weakest", # the weakest leave
  "fleet=20",
]
sensitive = ["password:*", '*token*']
categories = ["fact"]
"""
EVERY = Policy("*", read=("private", "fleet"), expiry=30.0)
SCOUT = Policy(
    "scout",
    read=(),
    limits=(Limit("private", 100, "weakest"), Limit("fleet", 20)),
    sensitive=("password:*", "*token*"),
    categories=("fact",),
)
KEEP = Rule(0, "Keep", "final", (Action("pin"),))


def problems(text: str, *, of_project: bool = False) -> list[tuple[int, int, str]]:
    return [
        (each.line, each.column, each.reason) for each in read(text, parse, of_project=of_project).problems
    ]


def test_policies_are_read_and_what_is_not_there_says_nothing() -> None:
    found = read(COMMENTED, parse)
    assert (found.problems, found.rules, found.policies) == ([], [KEEP], [EVERY, SCOUT])
    says_nothing = read('[[policy]]\nagent = "scout"\nread = "all"\nexpiry = "never"\n', parse)
    assert says_nothing.policies == [Policy("scout")]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_that_is_written_again_keeps_its_comments(newline: str) -> None:
    before = COMMENTED.replace("\n", newline)
    file = read(before, parse)
    assert text_of([KEEP], [SCOUT, EVERY], before, file) == before  # the order of policies says nothing
    changed = replace(SCOUT, read=None, categories=("fact", "decision"))
    made = text_of([KEEP], [EVERY, changed], before, file)
    assert read(made, parse) == RulesFile([KEEP], [EVERY, changed], [])
    assert made.count("\r\n") == (made.count("\n") if newline == "\r\n" else 0)
    parts = made.replace("\r\n", "\n").split("\n\n")
    assert parts[0] == "# Ours."
    assert parts[1].startswith("[[rule]]")
    assert parts[2] == COMMENTED.split("\n\n")[1]
    assert parts[3].startswith('# The scout.\n[["policy"]]\nagent = "scout"\nwrite = "all"\n')
    assert '"private=100:weakest", # the weakest leave' in parts[3]
    assert "The scout" not in text_of([KEEP], [EVERY], before, file)


def test_each_problem_has_its_line_and_column_and_what_is_allowed() -> None:
    text = "\n".join(
        [
            "[[policy]]",
            'read = ["private", "flet"]',
            "[[policy]]",
            'agent = "scout"',
            'write = ["all", "fleet"]',
            'most = ["fleet=1", "fleet=2", "x"]',
            'expiry = "soon"',
            'sensitive = ["ok", 3]',
            'categories = [""]',
            "reed = 1",
            "[[policy]]",
            'agent = ["scout"]',
            'most = ["fleet=1", "fleet=2"]',
            "[[policy]]",
            'agent = "twice"',
            'sensitive = ["••••••••"]',
            "[[policy]]",
            'agent = "tWICE"',
            "[[policy]]",
            'agent = "Twice"',
        ]
    )
    found = problems(text)
    assert [(line, column) for line, column, _ in found] == [
        *((1, 1), (2, 20), (5, 9), (6, 31), (7, 10), (8, 20), (9, 15), (10, 8)),
        *((12, 9), (13, 8), (16, 14), (20, 9)),
    ]
    reasons = " ".join(reason for *_, reason in found)
    for allowed in ("private, ", "or all, or none", "fleet=20:weakest", "30d", "agent, read, write"):
        assert allowed in reasons
    assert "line 17" in found[-1][2]


HOSTILE = {
    "one table": '[policy]\nagent = "x"',
    "tables by name": '[policy.scout]\nread = "none"\n[policy.other]\nread = "none"',
    "on one line": 'policy = [{agent = "x"}]',
    "an array below": '[[policy.x]]\nagent = "x"',
    "a number": "policy = 1",
    "too many": "".join(f'[[policy]]\nagent = "a{n}"\n' for n in range(MOST + 1)),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_policies_of_another_shape_are_one_problem(kind: str) -> None:
    ((line, _, reason),) = problems(HOSTILE[kind])
    assert "[[policy]]" in reason or "500" in reason
    assert line == (MOST * 2 + 1 if kind == "too many" else 1)


MANY = {
    "tables": "[[policy]]\n" * 80_000,
    "tables and others": "[[policy]]\n" + "".join(f"[a{n}]\n" for n in range(100_000)),
    "keys": "[[policy]]\n" + "".join(f"a{n}=1\n" for n in range(110_000)),
    "a list": '[[policy]]\nagent = "x"\nsensitive = [' + "".join(f'"{n}",' for n in range(100_000)) + "]",
    "an inline table": '[[policy]]\nagent = "x"\nread = {' + ",".join(f"a{n}=1" for n in range(80_000)) + "}",
}


@pytest.mark.parametrize("kind", sample_cases(MANY, 2))
def test_a_huge_file_has_problems_and_is_read(kind: str) -> None:
    assert len(MANY[kind]) < MOST_BYTES
    assert problems(MANY[kind])


def test_a_nul_is_refused_and_a_mixed_table_names_its_key() -> None:
    ((line, column, reason),) = problems('[[policy]]\nagent = "a\0"')
    assert (line, column, "isn't valid TOML" in reason) == (2, 11, True)
    ((line, _, reason),) = problems('[[policy]]\nagent = "x"\n[policy.scout]\nread = "none"')
    assert (line, "scout" in reason) == (1, True)


def test_a_project_can_only_be_stricter() -> None:
    rule = '[[rule]]\nname = "A"\nwhen = "x"\ndo = ["pin", "tag=a", "inbox", "scope=private"{}]\n'
    assert problems(rule.format(""), of_project=True) == []
    for action in ("dismiss", "expire=30d", "importance=0.9", "category=x", "scope=fleet"):
        do = f'[[rule]]\nname = "A"\nwhen = "x"\ndo = ["pin", "{action}"]\n'
        assert problems(do) == []
        ((line, column, reason),) = problems(do, of_project=True)
        assert (line, column) == (4, 14)
        assert reason.startswith("A project's file can't ")
        assert "it can pin, tag" in reason
    policy = '[[policy]]\nagent = "x"\nmost = ["fleet=1", "private=3:weakest"]\n'
    assert problems(policy) == []
    ((line, column, reason),) = problems(policy, of_project=True)
    assert (line, column) == (3, 20)
    assert "private=3." in reason


def test_an_import_tells_what_is_new_changed_and_the_same() -> None:
    stricter = replace(EVERY, read=())
    found = merged(
        [], [], [stricter, SCOUT, Policy("other")], [replace(SCOUT, agent="SCOUT"), EVERY, Policy("n")]
    )
    assert [each.verdict for each in found.policies] == [
        *(RuleVerdict.CHANGED, RuleVerdict.CHANGED, RuleVerdict.NEW)
    ]
    assert merged([], [], [EVERY, SCOUT], [SCOUT]).is_empty
