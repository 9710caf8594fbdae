"""Setting again what rules took back since a change, as it was when that was made (S-51, S-60)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.memory.rules.rule import Action, Rule, fields_of
from memtui.values import Fields
from memtui.workspace.changes.own_records import rule_rows
from memtui.workspace.rules import held, kept, taking_back
from memtui.workspace.rules.writing import Wanted, as_rule

if TYPE_CHECKING:
    from memtui.workspace.changes.change_item import ChangeItem
    from memtui.workspace.context import Context

# What was set before an item of the journal and taken back after it, by entry, newest first.
_TAKEN_BACK = (
    "WITH since AS (SELECT CAST(key AS INTEGER) AS id, value AS item FROM json_each(?)) "
    "SELECT j.id, substr(j.actor, 6), json_group_array(i.id) FROM since "
    "JOIN memories m ON m.id = since.id AND m.live "
    "JOIN journal_items i ON i.memory_id = since.id AND i.id > since.item "
    "JOIN item_states st ON st.item_id = i.id AND st.state = 'done' AND st.undone_by IS NULL "
    "JOIN journal j ON j.id = i.journal_id AND j.actor GLOB 'rule:*' AND j.kind = 'undone' "
    "JOIN journal older ON older.id = j.undoes AND older.actor = j.actor "
    "AND older.kind IN ('pinned', 'edited', 'redone') "
    "JOIN journal_items o ON o.journal_id = older.id AND o.memory_id = i.memory_id AND o.id <= since.item "
    "GROUP BY j.id ORDER BY j.id DESC"
)


def is_due(ctx: Context, since: str) -> bool:
    """Return whether there is anything of that."""
    return bool(ctx.db.rows(_TAKEN_BACK, (since,)))


def set_again(ctx: Context, since: str) -> None:
    """Set again what rules took back of memories (JSON: their ids, each with an item), where nobody wrote
    since. It is held again, and taken back where it is still not wanted."""
    rules = {rule.name: rule for rule in rule_rows.listed(ctx)}
    for entry_id, name, item_ids in ctx.db.rows(_TAKEN_BACK, (since,)):
        rule = rules.get(name, Rule(0, name, "", ()))

        def begun(items: Sequence[ChangeItem], rule: Rule = rule) -> None:
            times = kept.since(ctx.db, [item.memory_id for item in items])
            wanted = [_wanted(item, rule, times[item.memory_id]) for item in items]
            held.note(ctx, wanted, [item.item_id for item in items])
            kept.begin(ctx.db, items, setting=True)

        taking_back.undo_entry(as_rule(ctx, name), entry_id, set(json.loads(item_ids)), begun)


def _wanted(item: ChangeItem, rule: Rule, created: float) -> Wanted:
    """Return what is held: an action of the rule, or what none sets any more."""
    kind = next(kind for kind, names in kept.COLUMNS.items() if names[0] in item.after)
    for action in rule.actions:
        if action.kind == kind and _sets(action, item, rule, created):
            return Wanted(item.memory_id, rule, action)
    return Wanted(item.memory_id, rule, Action(kind))


def _sets(action: Action, item: ChangeItem, rule: Rule, created: float) -> bool:
    fields: Fields = fields_of(action, item.before.get("tags") or (), created, rule.note or rule.name)
    return all(item.after.get(name, value) == value for name, value in fields.items())
