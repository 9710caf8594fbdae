"""Importing the rules of a file, as one journal entry (S-63)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.results import Change
from memtui.memory.rules import wording
from memtui.memory.rules.file.merging import RuleVerdict, merged
from memtui.memory.rules.rule import Rule
from memtui.workspace.changes import rule_rows
from memtui.workspace.rules.keeping import MOST, change, refuse_unknown_store

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def import_(ctx: Context, rules: Sequence[Rule]) -> Change:
    """Add and change rules as a file has them; raise Refused if nothing would be changed."""
    ctx.writable()
    kept = rule_rows.listed(ctx)
    found = merged(kept, rules)
    if found.is_empty:
        raise wording.nothing_imported()
    if len(found.order) > MOST:
        raise wording.too_many(MOST)
    next_id, now = rule_rows.next_id(ctx), {rule.id: rule for rule in kept}
    changed: dict[int, Rule | None] = {}
    for place, rule in enumerate(found.order, 1):
        new = replace(rule, id=rule.id or next_id, position=place)
        next_id += not rule.id
        if now.get(new.id) != new:
            refuse_unknown_store(ctx, new.actions)
            changed[new.id] = new
    summary = wording.imported(found.count(RuleVerdict.NEW), found.count(RuleVerdict.CHANGED))
    return change(ctx, "rules-imported", summary, changed)
