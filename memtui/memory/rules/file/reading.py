"""Reading a rules file: its rules, its policies, and what is wrong with it (S-63)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from memtui.memory.policies.policy import Policy, folded
from memtui.memory.rules.file import policy_table, rule_table, wording
from memtui.memory.rules.file.places import POLICY, RULE, TABLES, Block, Places, dots, places
from memtui.memory.rules.file.problems import MOST_PROBLEMS, Problem, Problems, not_toml
from memtui.memory.rules.file.rule_table import CheckQuery
from memtui.memory.rules.rule import Rule
from memtui.values import JsonObject

T = TypeVar("T")
MOST = 500  # rules, and as many policies
MOST_BYTES = 1 << 20
MOST_DOTS = 1_000  # outside of strings


@dataclass(frozen=True, slots=True)
class RulesFile:
    """The rules of a file in their order, without ids, its policies, and its problems; with any, it is not
    imported."""

    rules: Sequence[Rule]
    policies: Sequence[Policy]
    problems: Sequence[Problem]


def read(text: str, check_query: CheckQuery, *, of_project: bool = False) -> RulesFile:
    """Return what a text holds, of a project's file with what it must not hold as problems; where it is no
    TOML, that is its one problem. Raise Refused if it is too large or nested too deeply."""
    if len(text) > MOST_BYTES:
        raise wording.too_large(MOST_BYTES)
    text = text.replace("\r\n", "\n")
    if dots(text) > MOST_DOTS:
        raise wording.too_deep()
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return RulesFile((), (), [not_toml(text, str(error))])
    except RecursionError:
        raise wording.too_deep() from None
    except ValueError:  # Python's limit on digits
        raise wording.number_too_long() from None
    where, problems = places(text), Problems(text)
    for name, at in where.others[:MOST_PROBLEMS]:  # the first ones; each takes time
        problems.add(at, wording.begins_with(name) if name in TABLES else wording.not_in_file(name))

    def rule(block: Block, table: JsonObject) -> Rule | None:
        return rule_table.read(block, table, problems, check_query, of_project=of_project)

    def policy(block: Block, table: JsonObject) -> Policy | None:
        return policy_table.read(block, table, problems, of_project=of_project)

    rules = _read_all(found, RULE, where, problems, rule)
    policies = _read_all(found, POLICY, where, problems, policy)
    problems.refuse_twice([(b, each.name, each.name.casefold()) for b, each in rules], rule_table.NAME)
    problems.refuse_twice([(b, each.agent, folded(each.agent)) for b, each in policies], policy_table.AGENT)
    return RulesFile([each for _, each in rules], [each for _, each in policies], problems.first())


def _read_all(
    found: JsonObject,
    name: str,
    where: Places,
    problems: Problems,
    one: Callable[[Block, JsonObject], T | None],
) -> list[tuple[Block, T]]:
    """Return what the tables of a name hold, each with its block, without those that have a problem."""
    blocks, tables = where.of(name), found.get(name, [])
    if len(blocks) > MOST:
        problems.add(blocks[MOST].header, wording.too_many(name, MOST))
    elif isinstance(tables, list) and len(tables) == len(blocks):
        read = [(block, one(block, table)) for block, table in zip(blocks, tables, strict=True)]
        return [(block, each) for block, each in read if each is not None]
    elif not problems:
        problems.add(0, wording.begins_with(name))
    return []
