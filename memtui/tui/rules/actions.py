"""What the Rules screen asks of the workspace, in its threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.results import Change
from memtui.memory.rules.rule import Rule, parse_action
from memtui.memory.rules.trial import RuleCounts
from memtui.memory.rules.wording_recipes import Recipe
from memtui.tui.rules import wording

if TYPE_CHECKING:
    from memtui.workspace.background import JobControl
    from memtui.workspace.workspace import Workspace

BLANK = Recipe("", "", (), "")


def read(workspace: Workspace) -> tuple[list[Rule], Mapping[int, RuleCounts]]:
    """Return the rules in their order, and what each holds."""
    return workspace.rules(), workspace.rule_counts()


def new(rules: Sequence[Rule], recipe: Recipe = BLANK) -> Rule:
    """Return a rule that is not kept yet, after the others."""
    position = max((rule.position for rule in rules), default=0) + 1
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
