"""What the journal says when a rule leaves what it set as it is now (S-60)."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING

from memtui.memory.rules import wording
from memtui.memory.secrets.masking import hidden
from memtui.workspace.db.models import JournalEntry
from memtui.workspace.journal.items import Item, next_item, write_items

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.rules.held import Held

KIND = "rule-left"  # of the journal's entries
LEFT = "left"  # the state of their items: nothing was changed, so that there is nothing to undo
_MEMORIES = "SELECT id, uid, store_id FROM memories WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"


def journal(ctx: Context, held: Collection[Held], *, confirmed: bool) -> None:
    """Journal, an entry for each rule, what it holds no more, within the caller's transaction: somebody
    changed it since, or a person `confirmed` the memory."""
    why = wording.CONFIRMED_SINCE if confirmed else wording.CHANGED_SINCE
    by_rule: dict[str, dict[int, list[str]]] = {}
    for each in held:
        by_rule.setdefault(each.rule, {}).setdefault(each.memory_id, []).append(each.action)
    for rule, actions in by_rule.items():
        summary = hidden(wording.left(rule, len(actions), why))
        entry = JournalEntry.insert(at=ctx.clock(), actor=f"rule:{rule}", kind=KIND, summary=summary)
        items = [
            Item(id, uid, store_id, {}, {}, LEFT, wording.left_why(actions[id], why))
            for id, uid, store_id in ctx.db.rows(_MEMORIES, (json.dumps(list(actions)),))
        ]
        write_items(ctx.db, ctx.db.write(entry), items, next_item(ctx.db))
