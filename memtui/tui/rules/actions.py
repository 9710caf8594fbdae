"""What the Rules screen asks of the workspace, in its threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memtui.memory.results import Change
from memtui.memory.rules.rule import Rule, parse_action
from memtui.memory.rules.trial import RuleCounts
from memtui.memory.rules.wording_recipes import Recipe
from memtui.tui.rules import wording

if TYPE_CHECKING:
    from memtui.importing.project_file import FileContent
    from memtui.memory.rules.file.trusting import TrustPlan
    from memtui.workspace.background import JobControl
    from memtui.workspace.workspace import Workspace

BLANK = Recipe("", "", (), "")


def read(workspace: Workspace) -> tuple[list[Rule], Mapping[int, RuleCounts]]:
    """Return the rules in their order, and what each holds."""
    return workspace.rules(), workspace.rule_counts()


class Touches(NamedTuple):
    """How many memories each rule of a file matches, and how many do not fit each of its policies."""

    rules: Sequence[int]
    policies: Sequence[int]


def trust_plan(workspace: Workspace, content: FileContent) -> tuple[TrustPlan, Touches]:
    """Return what trusting a project's file would do, and what its rules and policies touch."""
    rules, policies = content.file.rules, content.file.policies
    plan = workspace.trust_plan(content.path, content.digest, rules, policies)
    return plan, Touches(workspace.rule_matches(rules), workspace.policy_misfits(policies))


def names_of_file(workspace: Workspace, path: str) -> list[str]:
    """Return the names of the rules and policies that are kept of a project's file."""
    rules = [each.name for each in workspace.rules() if each.source == path]
    return rules + [each.name for each in workspace.policies() if each.source == path]


def new(rules: Sequence[Rule], recipe: Recipe = BLANK) -> Rule:
    """Return a rule that is not kept yet, after the others."""
    position = max((rule.position for rule in rules if not rule.source), default=0) + 1
    done = tuple(map(parse_action, recipe.actions))
    return Rule(0, recipe.name, recipe.when, done, recipe.note, position)


def applied(workspace: Workspace, verb: Callable[[], Change], control: JobControl) -> Change:
    """Change a rule and have the rules applied to all memories, until `control` stops it: what is left then
    is done in the background."""
    change = verb()
    workspace.apply_rules(control)
    return replace(change, summary=wording.unfinished(change.summary)) if control.stop() else change


def turned(workspace: Workspace, rule: Rule, control: JobControl) -> Change:
    """Switch a rule on or off, and apply it; the summary says how many memories it holds."""

    def turn() -> Change:
        return workspace.turn_rule(rule.name, on=not rule.on)

    change = applied(workspace, turn, control)
    counts = workspace.rule_counts().get(rule.id, RuleCounts())
    if rule.on or control.stop():
        return change
    told = wording.refuses(change.summary) if rule.only_refuses else wording.holds(change.summary, counts)
    return replace(change, summary=told)
