"""`memtui rules export`, `import` and `check`: the rules as one TOML file (S-63).

With --json, `check`: {"rules", "problems": [{"line", "column", "message"}]}. `import`: {"items":
[{"verdict", "name", "on", "when", "do", "note", "before"}], "reorders", "staying"}, with --yes also what all
changes print; its refusal has the problems. `export`: {"file", "rules"}; without a file, "toml" is the text.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli.commands.change.applying import apply
from memtui.cli.commands.read.export import STDOUT, print_text
from memtui.cli.commands.rules import wording
from memtui.cli.runtime.open_workspace import fresh, path_of, workspace
from memtui.cli.runtime.reveal import masking_of
from memtui.errors import Refused
from memtui.export.file_output import write_new
from memtui.importing.rules_file import read_rules_text, rules_text
from memtui.memory.rules.file.merging import ImportedRule, RulesImport, RuleVerdict, merged
from memtui.memory.rules.file.reading import MOST_BYTES, RulesFile, read, shown
from memtui.memory.rules.file.wording import has_problems
from memtui.memory.rules.file.writing import text_of
from memtui.serialization.rules import imported_as_json, problem_as_json
from memtui.workspace.search.lexical import parse_query

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from memtui.cli.runtime.output import Output
    from memtui.memory.rules.rule import Rule
    from memtui.values import JsonObject

STDIN = "-"
MOST_NAMED = 20  # problems that are printed; --json has 100


def export(args: Namespace, output: Output) -> None:
    """Print the rules as TOML, or write them to a file, which keeps its comments."""
    file = path_of(args.output) if args.output not in (None, STDOUT) else None
    with workspace(args, output) as opened:
        if file is not None:
            opened.require_outside_stores(file)
        masking, rules = masking_of(args, output), opened.rules()
    if masking is not None:
        rules = masking.of(rules)
    text = _text(rules, file if args.force else None)
    if file is not None:
        # A link stays one: dotfiles are often links.
        write_new(Path(os.path.realpath(file)) if args.force else file, text, replace=args.force)
    if output.json:
        where: JsonObject = {"file": None, "toml": text} if file is None else {"file": str(file)}
        output.data({**where, "rules": len(rules)})
        return
    if file is None:
        print_text(text)
    output.note(wording.exported(len(rules), "" if file is None else str(file)))


def _text(rules: Sequence[Rule], file: Path | None) -> str:
    """Return the text of a file with these rules, with the comments that it has; raise Refused if what is
    there is no rules file without problems."""
    if file is None or not os.path.isfile(file):
        return text_of(rules)
    try:
        before = read_rules_text(file)
        found = read(before, parse_query)
    except Refused as refused:
        raise wording.not_a_rules_file(str(file), refused.reason) from None
    if found.problems:
        raise wording.not_a_rules_file(str(file), next(shown(found.problems, str(file), 1)))
    return text_of(rules, before, found.rules)


def check(args: Namespace, output: Output) -> int:
    """Print what is wrong with a file; no workspace is needed."""
    found = _read(args.file)
    if output.json:
        output.data(
            {"rules": len(found.rules), "problems": [problem_as_json(each) for each in found.problems]}
        )
    elif not _print_problems(found, args.file, output):
        output.line(wording.fine(_name(args.file), len(found.rules)))
    return 1 if found.problems else 0


def import_(args: Namespace, output: Output) -> int:
    """Print what importing a file would do; with --yes, do it as one change, and apply the rules."""
    found = _read(args.file)
    if found.problems:
        if not output.json:
            _print_problems(found, args.file, output)
        raise has_problems([problem_as_json(each) for each in found.problems])
    with fresh(args, output) as opened:
        kept = opened.rules()
        plan = merged(kept, found.rules)
        staying = len(plan.order) - len(plan.items)
        as_json: JsonObject = {
            "items": [imported_as_json(each) for each in plan.items],
            "reorders": plan.reorders,
            "staying": staying,
        }
        if not output.json:
            _print(plan, staying, output)
        if plan.is_empty or not args.yes:
            if output.json:
                output.data(as_json)
            else:
                output.note(wording.NOTHING_TO_IMPORT if plan.is_empty else wording.how_to_import(_on(plan)))
            return 0
        change = opened.import_rules(found.rules)
        if not output.json:
            output.change(opened, change, ())
        code = apply(opened, output)
        if output.json:
            output.change(opened, change, (), as_json)
    return code


def _on(plan: RulesImport) -> int:
    """Return how many rules that are new or changed are on."""
    return sum(each.rule.on and each.verdict is not RuleVerdict.SAME for each in plan.items)


def _read(file: str) -> RulesFile:
    if file == STDIN:
        return read(rules_text(wording.STDIN, sys.stdin.buffer.read(MOST_BYTES + 1)), parse_query)
    return read(read_rules_text(path_of(file)), parse_query)


def _name(file: str) -> str:
    return wording.STDIN if file == STDIN else file


def _print_problems(found: RulesFile, file: str, output: Output) -> bool:
    for line in shown(found.problems, _name(file), MOST_NAMED):
        output.note(line)
    return bool(found.problems)


def _print(plan: RulesImport, staying: int, output: Output) -> None:
    output.table([_row(each) for each in plan.items if each.verdict is not RuleVerdict.SAME], whole=True)
    if plan.reorders:
        output.note(wording.REORDERED)
    for each in plan.items:
        if each.rule.begins_to_redact(each.before):
            output.note(wording.import_redacts(each.rule.name))
    new, changed, same = (plan.count(each) for each in RuleVerdict)
    output.note(wording.would_import(new, changed, same, staying))


def _row(item: ImportedRule) -> tuple[str, ...]:
    """Return what a rule of the file is, and of one that is kept already, what changes."""
    rule, before = item.rule, item.before
    if before is None:
        what = wording.when_and_do(rule.when, [each.text for each in rule.actions])
    else:
        what = "; ".join(
            wording.changed_field(name, old, new)
            for name, old, new in zip(wording.FIELDS, _texts(before), _texts(rule), strict=True)
            if old != new
        )
    return wording.verdict(item.verdict), rule.name, wording.switch(rule.on), what


def _texts(rule: Rule) -> tuple[str, ...]:
    """Return a rule's fields as they are shown, in the order of `wording.FIELDS`."""
    actions = wording.does([each.text for each in rule.actions])
    return rule.name, rule.when, actions, rule.note, wording.switch(rule.on)
