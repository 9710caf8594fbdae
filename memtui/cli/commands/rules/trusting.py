"""`memtui rules trust` and `distrust`: the rules file of a project, which does nothing until then (S-63).

With --json, `trust`: {"file", "project", "rules": [{"verdict", "name", "on", "when", "do", "note", "before",
"matches"}], "policies": [{"verdict", "agent", …, "before", "misfits"}], "gone": {"rules", "policies"}}, with
--yes also what all changes print; `distrust` prints what all changes do.
"""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from memtui.cli.commands.change.applying import apply
from memtui.cli.commands.change.erasing import can_ask
from memtui.cli.commands.rules import wording
from memtui.cli.commands.rules.files import print_problems
from memtui.cli.commands.rules.previews import policy_rows, rule_rows
from memtui.cli.runtime.open_workspace import fresh, path_of, workspace
from memtui.importing import project_file
from memtui.memory.rules.file import wording_project
from memtui.memory.rules.file.wording import has_problems
from memtui.serialization.rules import imported_as_json, imported_policy_as_json, problem_as_json
from memtui.workspace.search.lexical import parse_query

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from memtui.cli.runtime.output import Output
    from memtui.memory.rules.file.trusting import TrustPlan
    from memtui.values import JsonObject


_YES = "trust"  # what is typed to confirm


def trust(args: Namespace, output: Output) -> int:
    """Print what trusting a project's file would do, and do it where that is confirmed."""
    path = project_file.find() if args.file is None else project_file.path_of(path_of(args.file))
    if path is None:
        raise wording_project.no_project_file()
    content = project_file.content(path, parse_query)
    found = content.file
    if found.problems:
        if not output.json:
            print_problems(found, path, output)
        raise has_problems([problem_as_json(each) for each in found.problems])
    parts = (path, content.digest, found.rules, found.policies)
    with fresh(args, output) as opened:
        before = next((each for each in opened.rule_files() if each.path == path), None)
        plan = opened.trust_plan(*parts)
        matches, misfits = opened.rule_matches(found.rules), opened.policy_misfits(found.policies)
        as_json = _as_json(plan, matches, misfits)
        if before is not None and before.digest == content.digest and not plan.changes:
            if output.json:
                output.data(as_json)
            else:
                output.note(wording.TRUSTED_ALREADY)
            return 0
        if not output.json:
            _print(plan, matches, misfits, output)
        if not args.yes and (output.json or not _is_confirmed(output)):
            if output.json:
                output.data(as_json)
            else:
                again = "" if args.file is None else f" {shlex.quote(args.file)}"
                output.note(wording.how_to_trust(again))
            return 0
        change = opened.trust_rules(*parts)
        if not output.json:
            output.change(opened, change, ())
        code = apply(opened, output)
        if output.json:
            output.change(opened, change, (), as_json)
    return code


def distrust(args: Namespace, output: Output) -> int:
    """Remove what is kept of a project's file."""
    with workspace(args, output) as opened:
        if args.file is not None:
            path: str | None = project_file.path_of(path_of(args.file))
        else:
            path = project_file.find([each.path for each in opened.rule_files()])
        if path is None:
            raise wording_project.no_project_file()
        change = opened.distrust_rules(path)
        if not output.json:
            output.change(opened, change, ())
        code = apply(opened, output)
        if output.json:
            output.change(opened, change, ())
    return code


def _is_confirmed(output: Output) -> bool:
    """Ask whether to trust a file; a script cannot answer."""
    if not can_ask():
        return False
    output.note(wording.ask_to_trust(_YES))
    return sys.stdin.readline().strip() == _YES


def _print(plan: TrustPlan, matches: Sequence[int], misfits: Sequence[int], output: Output) -> None:
    touches = {each.rule.name: wording.matches(n) for each, n in zip(plan.rules, matches, strict=True)}
    refuses = {each.policy.name: wording.misfits(n) for each, n in zip(plan.policies, misfits, strict=True)}
    gone = [*(each.name for each in plan.gone_rules), *map(wording.policy_of, _names(plan))]
    output.line(wording.of_project(plan.file.path))
    output.table(
        [
            *rule_rows(plan.rules, touches),
            *policy_rows(plan.policies, refuses),
            *((wording.GONE, name, "", "", "") for name in gone),
        ],
        whole=True,
    )
    if not plan.changes:
        output.note(wording.SAME_CONTENT)


def _names(plan: TrustPlan) -> list[str]:
    return [each.name for each in plan.gone_policies]


def _as_json(plan: TrustPlan, matches: Sequence[int], misfits: Sequence[int]) -> JsonObject:
    return {
        "file": plan.file.path,
        "project": plan.file.project,
        "rules": [
            {**imported_as_json(each), "matches": count}
            for each, count in zip(plan.rules, matches, strict=True)
        ],
        "policies": [
            {**imported_policy_as_json(each), "misfits": count}
            for each, count in zip(plan.policies, misfits, strict=True)
        ],
        "gone": {
            "rules": [each.name for each in plan.gone_rules],
            "policies": [each.agent for each in plan.gone_policies],
        },
    }
