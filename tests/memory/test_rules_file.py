"""The file of rules: what is read, what is wrong where, and what stays when it is written again (S-63)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memtui.errors import Refused
from memtui.memory.query.language import parse
from memtui.memory.rules.file import problems as file_problems
from memtui.memory.rules.file import reading
from memtui.memory.rules.file.merging import RuleVerdict, merged
from memtui.memory.rules.file.reading import read
from memtui.memory.rules.file.writing import text_of
from memtui.memory.rules.rule import Action, Rule

COMMENTED = """\
# Ours.

# Final means final.
[[rule]] # the first
name = "Keep" # its name
when = 'tag:final "in writing"'
do = [
  "pin", # forever
  "tag=kept",
]
on = true

# Noise,
# mostly.
[[ "rule" ]]
name = "Chat"
when = \"\"\"lunch
[[rule]] # is text
# so is this\"\"\"
do = "dismiss"
"""


def problems(text: str) -> list[tuple[int, int, str]]:
    return [(each.line, each.column, each.reason) for each in read(text, parse).problems]


def test_rules_are_read_with_what_they_leave_out() -> None:
    found = read(COMMENTED, parse)
    assert not found.problems
    assert list(found.rules) == [
        Rule(0, "Keep", 'tag:final "in writing"', (Action("pin"), Action("tag", "kept")), on=True),
        Rule(0, "Chat", "lunch\n[[rule]] # is text\n# so is this", (Action("dismiss"),)),
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_that_is_written_again_keeps_its_comments(newline: str) -> None:
    before = COMMENTED.replace("\n", newline)
    file = read(before, parse)
    keep, chat = file.rules
    assert text_of([keep, chat], (), before, file) == before
    edited = replace(keep, when="tag:final", note="They said so.")
    new = replace(keep, name="New")
    made = text_of([chat, edited, new], (), before, file)
    assert list(read(made, parse).rules) == [chat, edited, new]
    assert made.count("\r\n") == (made.count("\n") if newline == "\r\n" else 0)
    lines = made.replace("\r\n", "\n").split("\n\n")
    assert lines[0] == "# Ours."
    assert lines[1].startswith('# Noise,\n# mostly.\n[[ "rule" ]]\n')
    assert lines[2].startswith('# Final means final.\n[[rule]] # the first\nname = "Keep" # its name\n')
    assert '  "pin", # forever\n' in lines[2]
    assert "#" not in lines[3]
    assert "Chat" not in text_of([edited], (), before, file)
    assert "Noise" not in text_of([edited], (), before, file)


HARD = ['"quoted" \\ and more', "it's", "'''", '"""', "tag:ä·😀", "two\nlines\tand a tab"]


@pytest.mark.parametrize("text", HARD)
def test_every_text_comes_back_and_the_same_rules_make_the_same_bytes(text: str) -> None:
    rules = [
        Rule(0, " ".join(text.split()), text, (Action("importance", 0.9), Action("expire", 30.0)), "a note"),
        Rule(0, "Other", "x", (Action("pin"),), on=True),
    ]
    made = text_of(rules)
    found = read(made, parse)
    assert (list(found.rules), list(found.problems)) == (rules, [])
    assert text_of(found.rules) == made == text_of(rules, (), made, found)
    assert list(read(text_of([]), parse).rules) == []


def test_each_problem_has_its_line_and_column_and_what_is_allowed() -> None:
    text = "\n".join(
        [
            'policies = "later"',
            "[[rule]]",
            "name = 3",
            'when = "lunch status:foo"',
            'do = ["pin", "pinn", 7]',
            "on = 1",
            'whn = "x"',
            "[[rule]]",
            'name = "Same"',
            'when = "\\u0061 status:foo"',
            'do = ["tag=a,b"]',
            "[[rule]]",
            'note = "no more"',
            "[[rule]]",
            'name = "Twice"',
            'when = "x"',
            'do = "pin"',
            "[[rule]]",
            'name = "tWICE"',
            'when = "password ••••••••"',
            'do = ["pin", "pin"]',
            "[[rule]]",
            'name = "tWICE"',
            'when = "x"',
            'do = ["pin"]',
            "[rule.extra]",
            "key = 1",
        ]
    )
    found = problems(text)
    assert [(line, column) for line, column, _ in found] == [
        *((1, 1), (3, 8), (4, 22), (5, 14), (5, 22), (6, 6), (7, 7)),
        *((10, 8), (11, 7), (12, 1), (12, 1), (12, 1), (20, 8), (21, 6), (22, 1)),
    ]
    reasons = " ".join(reason for *_, reason in found)
    for allowed in ("name, when, do, note, on", "pin, tag, scope", "candidate, pending", "true or false"):
        assert allowed in reasons


def test_a_name_that_is_there_twice_names_the_first() -> None:
    first, again = (f'[[rule]]\nname = "{name}"\nwhen = "x"\ndo = "pin"\n' for name in ("Keep", "kEEP"))
    ((line, column, reason),) = problems(first + again)
    assert (line, column) == (6, 8)
    assert "line 1" in reason


NO_TOML = {
    "no TOML": ("name = ", (1, 8)),
    "cut off": ('[[rule]]\nname = "x', (2, 10)),
    "a header cut off": ("# mine\n[[rule]\n", (2, 7)),
    "a key twice": ('[[rule]]\nname = "x"\nname = "y"', (3, 11)),
    "CRLF": ("a = 1\r\nb = \r\n", (2, 5)),
    "a NUL": ("\0", (1, 1)),
    "quotes without end": ('a = "' + '\\"' * 400_000, (1, 800_006)),
}


@pytest.mark.parametrize("kind", NO_TOML)
def test_what_is_no_toml_has_one_problem_with_its_place(kind: str) -> None:
    text, place = NO_TOML[kind]
    ((line, column, reason),) = problems(text)
    assert (line, column) == place
    assert reason.startswith("This isn't valid TOML: ")
    assert "(at " not in reason
    assert "\n" not in reason
    assert len(reason) < 200


HOSTILE = {
    "deep lists": "a = " + "[" * 200_000,
    "deep tables": "a = " + "{a=" * 200_000,
    "deep keys": "a" + ".a" * 400_000 + " = 1",
    "a deep header": "[" + "a." * 400_000 + "a]",
    "endless digits": "a = " + "9" * 900_000,
    "huge": "#" * (reading.MOST_BYTES + 1),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_refused_in_one_line(kind: str) -> None:
    with pytest.raises(Refused) as refused:
        read(HOSTILE[kind], parse)
    assert "\n" not in refused.value.message
    assert len(refused.value.message) < 200


BROKEN = {
    "too many rules": "[[rule]]\n" * (reading.MOST + 1),
    "rules on one line": 'rule = [{name = "x", when = "y", do = "pin"}]',
    "one table": '[rule]\nname = "x"',
    "not a table": "rule = 1",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_rules_of_another_shape_are_one_problem(kind: str) -> None:
    found = read(BROKEN[kind], parse)
    assert (len(found.rules), len(found.problems)) == (0, 1)


def test_many_problems_are_cut() -> None:
    assert (
        len(read("\n".join(f"key{n} = 1" for n in range(1_000)), parse).problems)
        == file_problems.MOST_PROBLEMS
    )


def test_an_import_takes_the_order_of_the_file_and_a_second_one_changes_nothing() -> None:
    kept = [
        Rule(id, name, "x", (Action("pin"),), position=id) for id, name in enumerate(("A", "B", "C", "D"), 1)
    ]
    file = [
        Rule(0, name, "y" if name == "A" else "x", (Action("pin"),)) for name in ("New", "c", "A", "Last")
    ]
    found = merged(kept, file)
    assert [each.verdict for each in found.items] == [
        *(RuleVerdict.NEW, RuleVerdict.CHANGED, RuleVerdict.CHANGED, RuleVerdict.NEW)
    ]
    assert [rule.name for rule in found.order] == ["New", "c", "B", "A", "D", "Last"]
    assert found.reorders
    placed = [replace(rule, id=id, position=id) for id, rule in enumerate(found.order, 1)]
    assert merged(placed, file).is_empty
