"""`memtui rules test`: what a rule would do; nothing is changed (S-60).

With --json: {"total", "stores": {name: count}, "settles", "memories": [{"uid", "store", "label", "changes":
[{"field", "before", "after"}], "other", "pairs": [{"uid", "label", "stays"}], "cannot"}], "near": [{"uid",
"store", "label", "part"}], "overlaps": [{"rule", "action", "count", "differs", "first"}], "secret",
"only_refuses"}. Only those with a secret count for a rule that only redacts; "redact" has how many secrets
there are, never one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.cli.commands.rules import wording
from memtui.cli.commands.rules.listing import find
from memtui.cli.parser.wording import rule_not_given
from memtui.cli.runtime.open_workspace import fresh
from memtui.errors import Refused
from memtui.memory.field_text import value_text
from memtui.memory.rules.checks import checked_actions
from memtui.memory.rules.rule import Rule
from memtui.memory.rules.wording import no_query
from memtui.memory.rules.wording_actions import cannot, field, settled
from memtui.serialization.rules import trial_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.cli.runtime.output import Output
    from memtui.memory.rules.trial import Touched
    from memtui.workspace.workspace import Workspace


def test(args: Namespace, output: Output) -> None:
    """Print what a rule would touch, what it nearly matches, and which other rules meet it."""
    if args.name is None and args.when is None:
        raise rule_not_given()
    with fresh(args, output) as opened:
        try:
            rule = _rule(opened, args)
        except Refused as refused:
            raise wording.cannot_be_tried(refused) from None
        trial = opened.try_rule(rule)
    if output.json:
        output.data(trial_as_json(trial))
        return
    output.note(wording.would_touch(trial.total, trial.by_store))
    if trial.settles:
        output.note(wording.would_settle(trial.settles))
    if trial.secret:
        output.note(wording.would_redact(trial.secret))
    if trial.only_refuses:
        output.note(wording.REFUSES)
    shown = trial.touched[: args.limit]
    output.table([(each.uid, each.store, _changes(each), each.label) for each in shown])
    if len(shown) < trial.total:
        output.note(wording.more(len(shown), trial.total))
    if trial.near:
        output.note(wording.NEARLY)
        output.table([(each.uid, each.store, wording.lacks(each.part), each.label) for each in trial.near])
    for each in trial.overlaps:
        output.note(wording.overlap(each))


def _rule(opened: Workspace, args: Namespace) -> Rule:
    """Return the rule of the name with what is given instead, or one that is not kept."""
    if args.name is not None:
        _, rule = find(opened, args.name)
    else:
        rule = Rule(0, "", "", (), position=len(opened.rules()) + 1)
    if args.when is not None:
        if not args.when.strip():
            raise no_query()
        rule = replace(rule, when=args.when)
    return replace(rule, actions=checked_actions(args.do)) if args.do else rule


def _changes(touched: Touched) -> str:
    """Return what a memory is and would be."""
    parts = [
        wording.changed_field(field(name), value_text(name, before, {}), value_text(name, after, {}))
        for name, before, after in touched.changes
    ]
    parts += [settled(pair.label, stays=pair.stays) for pair in touched.pairs]
    parts = parts or [cannot(kind) for kind in touched.cannot]
    parts += [wording.done_before(touched.other)] if touched.other else []
    return "; ".join(parts) or wording.EMPTY
