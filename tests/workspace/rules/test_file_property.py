"""Whatever rules and policies a person has, a file takes all of them to an empty workspace (S-63)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from memtui.errors import QueryError, Refused
from memtui.memory.memory import SCOPES
from memtui.memory.rules.file.reading import read
from memtui.memory.rules.file.writing import text_of
from memtui.memory.rules.rule import ACTIONS, Rule
from memtui.workspace.search.lexical import parse_query
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import NOW
from tests.support.empty_workspace import create_empty
from tests.support.sizes import examples

# What TOML has its own signs for, next to any letter; most of it can be kept.
SIGNS = st.text(st.sampled_from("\"'\\#=[]{} ab1💡é"), min_size=2, max_size=12)
TEXT = st.one_of(
    SIGNS, SIGNS, SIGNS, st.text(max_size=12), st.sampled_from(("a\nb", "a\tb", "\x1b[1m", "\u202eab"))
)
QUERIES = ("tag:x updated:>9d", 'say "it" -that', "category:'a b'", "two\nlines", "c:\\\\x #1")
VALUES = {
    "tag": TEXT,
    "scope": st.sampled_from(SCOPES),
    "category": TEXT,
    "importance": st.floats(0, 1).map(str),
}
VALUES |= {"expire": st.integers(1, 36_500).map("{}d".format)}
VALUES |= {"half-life": VALUES["expire"], "settle": st.sampled_from(("newer", "store:native", "store:none"))}


def action(kind: str) -> st.SearchStrategy[str]:
    return VALUES[kind].map(lambda value: f"{kind}={value}") if ACTIONS[kind].example else st.just(kind)


RULE = st.tuples(
    TEXT,
    st.sampled_from(QUERIES) | TEXT,
    st.lists(st.sampled_from(sorted(ACTIONS)), min_size=1, max_size=4, unique=True).flatmap(
        lambda kinds: st.tuples(*map(action, kinds))
    ),
    TEXT,
    st.booleans(),
)
ALLOWED = st.none() | st.just(["all"]) | st.just(["none"]) | st.lists(st.sampled_from(SCOPES), min_size=1)
LIMIT = st.builds(
    "{}={}{}".format,
    st.sampled_from(SCOPES),
    st.integers(0, 10**6),
    st.sampled_from(("", ":weakest", ":refuse")),
)
POLICY = st.tuples(
    st.just("*") | TEXT,
    st.fixed_dictionaries(
        {
            **{"read": ALLOWED, "write": ALLOWED, "most": st.none() | st.lists(LIMIT, max_size=3)},
            "expiry": st.none() | st.just("never") | st.integers(1, 36_500).map("{}d".format),
            "sensitive": st.none() | st.lists(TEXT, max_size=3),
            "categories": st.none() | st.lists(TEXT, min_size=1, max_size=3),
        }
    ),
)


def keep(work: Workspace, rules: Sequence[tuple[Any, ...]], policies: Sequence[tuple[str, Any]]) -> None:
    """Keep what can be kept."""
    for name, when, actions, note, on in rules:
        with suppress(Refused, QueryError):
            work.add_rule(name, when, actions, note)
            if on:
                work.turn_rule(name, on=True)
    for agent, parts in policies:
        with suppress(Refused):
            work.set_policy(agent, **parts)


def without_ids(work: Workspace) -> list[Rule]:
    return [replace(each, id=0) for each in work.rules()]


@given(st.lists(RULE, min_size=2, max_size=8), st.lists(POLICY, min_size=1, max_size=5))
@examples(20)
def test_a_file_takes_all_rules_and_policies_to_an_empty_workspace(
    rules: Sequence[tuple[Any, ...]], policies: Sequence[tuple[str, Mapping[str, Any]]]
) -> None:
    with TemporaryDirectory() as folder:
        one, other = (
            Workspace.open(create_empty(Path(folder, name)), clock=lambda: NOW) for name in ("a.db", "b.db")
        )
        with closing(one), closing(other):
            keep(one, rules, policies)
            event(f"{len(one.rules())} rules, {len(one.policies())} policies")
            text = text_of(one.rules(), one.policies())
            file = read(text, parse_query)
            assert not file.problems
            if file.rules or file.policies:
                other.import_rules(file.rules, file.policies)
            assert without_ids(other) == without_ids(one)
            assert other.policies() == one.policies()
            assert text_of(other.rules(), other.policies()) == text
            with pytest.raises(Refused) as again:
                other.import_rules(file.rules, file.policies)
            assert again.value.code == "no-change"
            if file.rules or file.policies:
                other.undo()
            assert (other.rules(), other.policies()) == ([], [])
