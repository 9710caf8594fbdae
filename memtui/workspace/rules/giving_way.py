"""Taking back what rules did to memories since a change, so that it never stands in the way of undoing that
(S-51, S-60). They do it again by themselves where they still want it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.workspace.changes.own_records import rule_rows
from memtui.workspace.changes.revert.entry import revert_entry
from memtui.workspace.journal.items import next_item
from memtui.workspace.rules import held, setting_again, taking_back
from memtui.workspace.rules.writing import as_rule, remove

if TYPE_CHECKING:
    from memtui.workspace.changes.change_item import ChangeItem
    from memtui.workspace.context import Context

_SINCE = "SELECT CAST(key AS INTEGER) AS id, value AS item FROM json_each(?)"
# What rules did once and for all, newest first. A pair that they settled is journaled with the one that left.
_ACTS = (
    f"WITH since AS ({_SINCE}), ours AS (SELECT i.id, i.journal_id FROM since "
    "JOIN journal_items i ON i.memory_id = since.id AND i.id > since.item UNION SELECT i.id, i.journal_id "
    "FROM since JOIN verdicts v ON since.id IN (v.a, v.b) AND v.actor GLOB 'rule:*' "
    "JOIN journal_items i ON i.journal_id = v.entry_id AND i.id > since.item) "
    "SELECT j.id, substr(j.actor, 6), j.kind, json_group_array(ours.id) FROM ours "
    "JOIN item_states st ON st.item_id = ours.id AND st.state = 'done' AND st.undone_by IS NULL "
    "JOIN journal j ON j.id = ours.journal_id AND j.actor GLOB 'rule:*' "
    "AND j.kind IN ('dismissed', 'resolved') GROUP BY j.id ORDER BY j.id DESC"
)
_LIVE = (
    f"WITH since AS ({_SINCE}) SELECT m.id FROM since JOIN memories m ON m.id = since.id AND m.live "
    "WHERE EXISTS (SELECT 1 FROM rule_settings WHERE memory_id = m.id AND item_id > since.item) "
    "OR EXISTS (SELECT 1 FROM rule_exceptions WHERE memory_id = m.id AND held IS NOT NULL)"
)


def give_way(ctx: Context, since: Mapping[int, int]) -> bool:
    """Take back what rules did to these memories, each after an item of the journal, as far as their stores
    let it; return whether that was anything. Raise Refused if another memtui applies rules now."""
    first, wanted = next_item(ctx.db), json.dumps(since)
    acts = ctx.db.rows(_ACTS, (wanted,))
    if not acts and not _live(ctx, wanted) and not setting_again.is_due(ctx, wanted):
        return False
    with ctx.leases.alone():
        for entry_id, rule, kind, item_ids in acts:
            _undo_act(as_rule(ctx, rule), entry_id, kind, set(json.loads(item_ids)))
        ids = _live(ctx, wanted)  # what was dismissed is back
        changed = held.changed(ctx, ids)
        held.hold_again(ctx, ids)
        gone = [
            each
            for each in held.of(ctx, ids)
            if (each.item_id or 0) > since[each.memory_id] and each not in changed
        ]
        remove(ctx, gone, {rule.id: rule.name for rule in rule_rows.listed(ctx)})
        setting_again.set_again(ctx, wanted)
    return next_item(ctx.db) > first


def _live(ctx: Context, wanted: str) -> list[int]:
    return [row[0] for row in ctx.db.rows(_LIVE, (wanted,))]


def _undo_act(ctx: Context, entry_id: int, kind: str, wanted: set[int]) -> None:
    if kind == "dismissed":
        taking_back.undo_entry(ctx, entry_id, wanted, _nothing_begun)
        return
    with suppress(Refused, OSError):
        revert_entry(ctx, entry_id)


def _nothing_begun(items: Sequence[ChangeItem]) -> None:
    """A rule notes nothing of an act that it takes back."""
