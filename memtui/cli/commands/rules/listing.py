"""`memtui rules list` and `rules show`: the rules, and what each holds (S-60).

Both apply first what is due, as the screen does. With --json: [{"name", "on", "when", "do", "note", "place",
"held", "today", "refused", "source"}], one of them for `show`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.change.applying import apply
from memtui.cli.commands.rules import wording
from memtui.cli.runtime.open_workspace import fresh
from memtui.importing import project_file
from memtui.memory.rules.rule import ACTIONS, REFUSE
from memtui.memory.rules.wording import no_rule
from memtui.serialization.rules import rule_as_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from memtui.cli.runtime.output import Output
    from memtui.memory.rules.file.trusting import TrustedFile
    from memtui.memory.rules.rule import Rule
    from memtui.workspace.workspace import Workspace


def list_(args: Namespace, output: Output) -> int:
    """Print the rules in their order."""
    with fresh(args, output) as opened:
        code = apply(opened, output)
        rules, counts, files = opened.rules(), opened.rule_counts(), opened.rule_files()
    _tell_of(files, output)
    if output.json:
        output.array(rule_as_json(rule, place, counts[rule.id]) for place, rule in enumerate(rules, 1))
        return code
    output.table(
        (
            rule.name,
            wording.switch(rule.on),
            wording.held(counts[rule.id].held),
            wording.today(counts[rule.id].today),
            wording.refused(counts[rule.id].refused) if rule.does(REFUSE) else "",
            wording.when_and_do(rule.when, [each.text for each in rule.actions]),
        )
        for rule in rules
    )
    if not rules:
        output.note(wording.NO_RULES)
    return code


def _tell_of(trusted: Sequence[TrustedFile], output: Output) -> None:
    """Print how projects' files stand that are not as they were trusted."""
    here = project_file.find([each.path for each in trusted])
    for each in project_file.states(trusted):
        if said := wording.standing(each, here=each.path == here):
            output.note(said)


def show(args: Namespace, output: Output) -> int:
    """Print everything about one rule."""
    with fresh(args, output) as opened:
        code = apply(opened, output)
        place, rule = find(opened, args.name)
        counts = opened.rule_counts()[rule.id]
    if output.json:
        output.data(rule_as_json(rule, place, counts))
        return code
    rows = [
        ("name", rule.name),
        ("place", f"{place} · {wording.switch(rule.on)}"),
        ("when", rule.when),
        *(("do", f"{each.text} · {ACTIONS[each.kind].help}") for each in rule.actions),
        *([("note", rule.note)] if rule.note else []),
        *([("from", rule.source)] if rule.source else []),
        ("memories", f"{wording.held(counts.held)} · {wording.today(counts.today)}"),
        *([("writes", wording.refused(counts.refused))] if rule.does(REFUSE) else []),
    ]
    output.table(rows, whole=True)
    return code


def find(opened: Workspace, name: str) -> tuple[int, Rule]:
    """Return the rule of a name, in any case, with its place from 1; raise Refused if there is none."""
    rules = opened.rules()
    for place, rule in enumerate(rules, 1):
        if rule.name.casefold() == " ".join(name.split()).casefold():
            return place, rule
    raise no_rule(name, [rule.name for rule in rules])
