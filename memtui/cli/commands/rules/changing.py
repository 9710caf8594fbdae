"""`memtui rules add`, `edit`, `remove`, `on`, `off` and `move`: each is one change, with one undo (S-60).

A change of a rule that is on is applied at once. One by which it begins to redact is asked for, once, unless
--yes is given. With --json: as for all changes, with "rule" as `rules show`
prints it, null for one that was removed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.cli.commands.change.applying import apply
from memtui.cli.commands.rules import wording
from memtui.cli.commands.rules.listing import find
from memtui.cli.commands.rules.redacting import confirm
from memtui.cli.parser.wording import nothing_to_edit
from memtui.cli.runtime.open_workspace import fresh
from memtui.memory.rules.checks import checked_actions
from memtui.memory.rules.trial import RuleCounts
from memtui.serialization.rules import rule_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.cli.runtime.output import Output
    from memtui.memory.results import Change
    from memtui.memory.rules.rule import Rule
    from memtui.workspace.workspace import Workspace

_STEPS = {"up": -1, "down": 1}


def add(args: Namespace, output: Output) -> int:
    """Add a rule, off at first, after the others."""
    with fresh(args, output) as opened:
        change = opened.add_rule(args.name, args.when, args.do, args.note)
        _, rule = find(opened, args.name)
        code = _finish(opened, output, change, rule)
    if not output.json:
        output.note(wording.what_next(rule.name))
    return code


def edit(args: Namespace, output: Output) -> int:
    """Change a rule; what is not given stays."""
    if all(each is None for each in (args.new_name, args.when, args.do, args.note)):
        raise nothing_to_edit()
    with fresh(args, output) as opened:
        if not args.yes:
            _, before = find(opened, args.name)
            when, do = before.when if args.when is None else args.when, args.do
            actions = before.actions if do is None else checked_actions(do)
            confirm(opened, before, replace(before, when=when, actions=actions), output)
        change = opened.edit_rule(
            args.name, new_name=args.new_name, when=args.when, actions=args.do, note=args.note
        )
        _, rule = find(opened, args.name if args.new_name is None else args.new_name)
        return _finish(opened, output, change, rule)


def remove(args: Namespace, output: Output) -> int:
    """Remove a rule; what it set goes with it."""
    with fresh(args, output) as opened:
        _, rule = find(opened, args.name)
        held = _counts(opened, rule).held
        change = opened.remove_rule(rule.name)
        return _finish(opened, output, change, None, held)


def turn(args: Namespace, output: Output) -> int:
    """Switch a rule on, and apply it; or off, which takes back what it set."""
    on = args.verb == "rules on"
    with fresh(args, output) as opened:
        _, rule = find(opened, args.name)
        if on and not args.yes:
            confirm(opened, rule, replace(rule, on=True), output)
        held = 0 if on else _counts(opened, rule).held
        change = opened.turn_rule(rule.name, on=on)
        return _finish(opened, output, change, find(opened, rule.name)[1], held)


def move(args: Namespace, output: Output) -> int:
    """Move a rule to a place, or one place up or down."""
    with fresh(args, output) as opened:
        place, rule = find(opened, args.name)
        by = _STEPS.get(args.place) or int(args.place) - place
        if not by:
            raise wording.is_at_place(rule.name, place)
        change = opened.move_rule(rule.name, by)
        return _finish(opened, output, change, rule)


def _finish(opened: Workspace, output: Output, change: Change, rule: Rule | None, held: int = 0) -> int:
    """Apply the rules, and print what was done; `held` is how many memories the rule held before it went."""
    if not output.json:
        output.change(opened, change, ())
    code = apply(opened, output)
    place, counts = (0, RuleCounts()) if rule is None else (find(opened, rule.name)[0], _counts(opened, rule))
    if output.json:
        output.change(
            opened, change, (), {"rule": rule_as_json(rule, place, counts) if rule is not None else None}
        )
    elif rule is not None and rule.on:
        output.line(wording.REFUSES if rule.only_refuses else wording.holds(counts.held, counts.today))
    elif held > counts.held:
        output.line(wording.let_go(held - counts.held))
    return code


def _counts(opened: Workspace, rule: Rule) -> RuleCounts:
    return opened.rule_counts().get(rule.id, RuleCounts())
