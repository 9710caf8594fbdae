"""Trusting the rules file of a project, and no longer doing so: each is one journal entry (S-63).

Its rules and policies are copied, so that nothing reads the file again until a person trusts its next
version.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.policies.policy import MOST as MOST_POLICIES
from memtui.memory.policies.policy import Policy
from memtui.memory.policies.wording import too_many as too_many_policies
from memtui.memory.results import Change
from memtui.memory.rules import wording
from memtui.memory.rules.file import trusting
from memtui.memory.rules.file import wording_project as said
from memtui.memory.rules.file.merging import RuleVerdict
from memtui.memory.rules.file.trusting import TrustedFile, TrustPlan
from memtui.memory.rules.rule import Rule
from memtui.values import Fields
from memtui.workspace.changes.own_records import rule_rows
from memtui.workspace.journal.items import POLICY, RULE_FILE
from memtui.workspace.policies import file_rows, rows
from memtui.workspace.rules import base
from memtui.workspace.rules.keeping import MOST, change

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def plan(
    ctx: Context, path: str, digest: str, rules: Sequence[Rule], policies: Sequence[Policy]
) -> TrustPlan:
    """Return what trusting a file would do that has these rules and policies, and this digest."""
    before, project = _before(ctx, path)
    file = TrustedFile(path, project, digest, ctx.clock(), trusting.names_on(rules, project))
    kept = [rule for rule in rule_rows.listed(ctx) if rule.source == path]
    stated = [policy for policy in rows.of_files(ctx) if policy.source == path]
    return trusting.planned(file, before, rules, policies, kept, stated)


def trust(ctx: Context, path: str, digest: str, rules: Sequence[Rule], policies: Sequence[Policy]) -> Change:
    """Keep what a file has, in place of what was trusted of it before; raise Refused if it is as it was
    then."""
    ctx.writable()
    found = plan(ctx, path, digest, rules, policies)
    kept = {rule.id: rule for rule in rule_rows.listed(ctx)}
    before, _ = _before(ctx, path)
    if before is not None and before.digest == digest and not found.changes:
        raise said.trusted_already(path)
    names = {rule.name.casefold() for rule in kept.values() if rule.source != path}
    next_id, changed = rule_rows.next_id(ctx), dict[int, Rule | None]()
    for item in found.rules:
        if item.rule.name.casefold() in names:
            raise wording.name_taken(item.rule.name)
        new = replace(item.rule, id=item.rule.id or next_id)
        next_id += not item.rule.id
        if kept.get(new.id) != new:
            changed[new.id] = new
    changed |= dict.fromkeys(rule.id for rule in found.gone_rules)
    if len(names) + len(found.rules) > MOST:
        raise wording.too_many(MOST)
    others_policies = [each for each in rows.of_files(ctx) if each.source != path]
    if len(others_policies) + len(found.policies) > MOST_POLICIES:
        raise too_many_policies(MOST_POLICIES)
    others: list[tuple[str, str, Fields]] = [(RULE_FILE, path, file_rows.fields_of(found.file))]
    others += [
        (POLICY, rows.key_of(each.policy), rows.journaled(each.policy))
        for each in found.policies
        if each.verdict is not RuleVerdict.SAME
    ]
    others += [(POLICY, rows.key_of(each), {}) for each in found.gone_policies]
    summary = said.trusted(found.file.project, len(found.rules), len(found.policies))
    return change(ctx, "rules-trusted", summary, changed, others)


def distrust(ctx: Context, path: str) -> Change:
    """Remove what was kept of a file; raise Refused if it is not trusted."""
    ctx.writable()
    before, project = _before(ctx, path)
    if before is None:
        raise said.not_trusted(path)
    gone = [rule.id for rule in rule_rows.listed(ctx) if rule.source == path]
    policies = [policy for policy in rows.of_files(ctx) if policy.source == path]
    others: list[tuple[str, str, Fields]] = [(RULE_FILE, path, {})]
    others += [(POLICY, rows.key_of(each), {}) for each in policies]
    summary = said.distrusted(project, len(gone), len(policies))
    return change(ctx, "rules-distrusted", summary, dict.fromkeys(gone), others)


def touched(ctx: Context, rules: Sequence[Rule]) -> list[int]:
    """Return how many memories each rule matches."""
    now = ctx.clock()
    return [len(base.matching(ctx, rule.when, None, now)) for rule in rules]


def _before(ctx: Context, path: str) -> tuple[TrustedFile | None, str]:
    """Return a file as it was trusted, None if it is not, and what its rules are named after."""
    files = file_rows.listed(ctx)
    for each in files:
        if each.path == path:
            return each, each.project
    return None, trusting.project_name(path, {each.project.casefold() for each in files})
