"""`memtui rules export` and `import`: rules and policies as one TOML file (S-63).

With --json, `import`: {"items": [{"verdict", "name", "on", "when", "do", "note", "before"}], "reorders",
"staying", "policies": [{"verdict", "agent", …, "before"}], "policies_staying"}, with --yes also what all
changes print; its refusal has the problems. `export`: {"file", "rules", "policies"}; without a file, "toml"
is the text.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli.commands.change.applying import apply
from memtui.cli.commands.read.export import STDOUT, print_text
from memtui.cli.commands.rules import wording
from memtui.cli.commands.rules.previews import policy_rows, rule_rows
from memtui.cli.runtime.open_workspace import fresh, path_of, workspace
from memtui.cli.runtime.reveal import masking_of
from memtui.errors import Refused
from memtui.export.file_output import write_new
from memtui.importing.rules_file import read_rules_text, rules_text
from memtui.memory.rules.file.merging import RulesImport, RuleVerdict, merged
from memtui.memory.rules.file.problems import shown
from memtui.memory.rules.file.reading import MOST_BYTES, RulesFile, read
from memtui.memory.rules.file.wording import has_problems
from memtui.memory.rules.file.writing import text_of
from memtui.serialization.rules import imported_as_json, imported_policy_as_json, problem_as_json
from memtui.workspace.search.lexical import parse_query

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from memtui.cli.runtime.output import Output
    from memtui.memory.policies.policy import Policy
    from memtui.memory.rules.rule import Rule
    from memtui.values import JsonObject
    from memtui.workspace.workspace import Workspace

STDIN = "-"
MOST_NAMED = 20  # problems that are printed; --json has 100


def export(args: Namespace, output: Output) -> None:
    """Print the rules and policies as TOML, or write them to a file, which keeps its comments. Those that
    come from projects' files or from stores stay there."""
    file = path_of(args.output) if args.output not in (None, STDOUT) else None
    with workspace(args, output) as opened:
        if file is not None:
            opened.require_outside_stores(file)
        masking, rules, policies = masking_of(args, output), _own_rules(opened), _own_policies(opened)
    if masking is not None:
        rules, policies = masking.of(rules), masking.of(policies)
    text = _text(rules, policies, file if args.force else None)
    if file is not None:
        # A link stays one: dotfiles are often links.
        write_new(Path(os.path.realpath(file)) if args.force else file, text, replace=args.force)
    if output.json:
        where: JsonObject = {"file": None, "toml": text} if file is None else {"file": str(file)}
        output.data({**where, "rules": len(rules), "policies": len(policies)})
        return
    if file is None:
        print_text(text)
    output.note(wording.exported(len(rules), len(policies), "" if file is None else str(file)))


def _own_rules(opened: Workspace) -> list[Rule]:
    return [rule for rule in opened.rules() if not rule.source]


def _own_policies(opened: Workspace) -> list[Policy]:
    return [policy for policy in opened.policies() if not policy.store and not policy.source]


def _text(rules: Sequence[Rule], policies: Sequence[Policy], file: Path | None) -> str:
    """Return the text of a file with these rules and policies, with the comments that it has; raise Refused
    if what is there is no rules file without problems."""
    if file is None or not os.path.isfile(file):
        return text_of(rules, policies)
    try:
        before = read_rules_text(file)
        found = read(before, parse_query)
    except Refused as refused:
        raise wording.not_a_rules_file(str(file), refused.reason) from None
    if found.problems:
        raise wording.not_a_rules_file(str(file), next(shown(found.problems, str(file), 1)))
    return text_of(rules, policies, before, found)


def import_(args: Namespace, output: Output) -> int:
    """Print what importing a file would do; with --yes, do it as one change, and apply the rules."""
    found = read_file(args.file)
    if found.problems:
        if not output.json:
            print_problems(found, name_of(args.file), output)
        raise has_problems([problem_as_json(each) for each in found.problems])
    with fresh(args, output) as opened:
        kept, policies = _own_rules(opened), _own_policies(opened)
        plan = merged(kept, found.rules, policies, found.policies)
        known = sum(each.before is not None for each in plan.policies)
        staying = len(plan.order) - len(plan.items), len(policies) - known
        as_json: JsonObject = {
            "items": [imported_as_json(each) for each in plan.items],
            "reorders": plan.reorders,
            "staying": staying[0],
            "policies": [imported_policy_as_json(each) for each in plan.policies],
            "policies_staying": staying[1],
        }
        if not output.json:
            _print(plan, staying, output)
        if plan.is_empty or not args.yes:
            if output.json:
                output.data(as_json)
            else:
                output.note(wording.NOTHING_TO_IMPORT if plan.is_empty else wording.how_to_import(_on(plan)))
            return 0
        change = opened.import_rules(found.rules, found.policies)
        if not output.json:
            output.change(opened, change, ())
        code = apply(opened, output)
        if output.json:
            output.change(opened, change, (), as_json)
    return code


def _on(plan: RulesImport) -> int:
    """Return how many rules that are new or changed are on."""
    return sum(each.rule.on and each.verdict is not RuleVerdict.SAME for each in plan.items)


def read_file(file: str) -> RulesFile:
    """Return what a file of the command line holds, - for standard input."""
    if file == STDIN:
        return read(rules_text(wording.STDIN, sys.stdin.buffer.read(MOST_BYTES + 1)), parse_query)
    return read(read_rules_text(path_of(file)), parse_query)


def name_of(file: str) -> str:
    """Return what messages call it."""
    return wording.STDIN if file == STDIN else file


def print_problems(found: RulesFile, name: str, output: Output) -> None:
    """Print the first problems of a file."""
    for line in shown(found.problems, name, MOST_NAMED):
        output.note(line)


def _print(plan: RulesImport, staying: tuple[int, int], output: Output) -> None:
    output.table([*rule_rows(plan.items), *policy_rows(plan.policies)], whole=True)
    if plan.reorders:
        output.note(wording.REORDERED)
    for each in plan.items:
        if each.rule.begins_to_redact(each.before):
            output.note(wording.import_redacts(each.rule.name))
    new, changed, same = (plan.count(each) for each in RuleVerdict)
    output.note(wording.would_import("rule", new, changed, same, staying[0]))
    if plan.policies or staying[1]:
        new, changed, same = (plan.count_policies(each) for each in RuleVerdict)
        output.note(wording.would_import("policy", new, changed, same, staying[1]))
