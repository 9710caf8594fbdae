"""Importing the rules and policies of a file, as one journal entry (S-63)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.policies.policy import MOST as MOST_POLICIES
from memtui.memory.policies.policy import Policy
from memtui.memory.policies.wording import too_many as too_many_policies
from memtui.memory.results import Change
from memtui.memory.rules import wording
from memtui.memory.rules.file.merging import RuleVerdict, merged
from memtui.memory.rules.rule import Rule
from memtui.workspace.changes.own_records import rule_rows
from memtui.workspace.journal.items import POLICY
from memtui.workspace.policies import rows
from memtui.workspace.rules.keeping import MOST, change, refuse_unknown_store
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def import_(ctx: Context, rules: Sequence[Rule], policies: Sequence[Policy]) -> Change:
    """Add and change rules and policies as a file has them; raise Refused if nothing would be changed."""
    ctx.writable()
    everything = rule_rows.listed(ctx)
    kept, kept_policies = [rule for rule in everything if not rule.source], rows.kept(ctx)
    found = merged(kept, rules, kept_policies, policies)
    if found.is_empty:
        raise wording.nothing_imported()
    if len(found.order) + len(everything) - len(kept) > MOST:
        raise wording.too_many(MOST)
    if len(kept_policies) + found.count_policies(RuleVerdict.NEW) > MOST_POLICIES:
        raise too_many_policies(MOST_POLICIES)
    theirs = {rule.name.casefold() for rule in everything if rule.source}
    next_id, now = rule_rows.next_id(ctx), {rule.id: rule for rule in kept}
    changed: dict[int, Rule | None] = {}
    for place, rule in enumerate(found.order, 1):
        if rule.name.casefold() in theirs:
            raise wording.name_taken(rule.name)
        new = replace(rule, id=rule.id or next_id, position=place)
        next_id += not rule.id
        if now.get(new.id) != new:
            refuse_unknown_store(ctx, new.actions)
            changed[new.id] = new
    for each in found.policies:
        if each.policy.writes_to and each.verdict is not RuleVerdict.SAME:
            catalog.find_attached(ctx, each.policy.writes_to)  # refused if it is not
    set_ = [
        (POLICY, rows.key_of(each.policy), rows.journaled(each.policy))
        for each in found.policies
        if each.verdict is not RuleVerdict.SAME
    ]
    counts = [
        (found.count(each), found.count_policies(each)) for each in (RuleVerdict.NEW, RuleVerdict.CHANGED)
    ]
    return change(ctx, "rules-imported", wording.imported(*counts), changed, set_)
