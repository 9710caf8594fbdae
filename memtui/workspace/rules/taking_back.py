"""Taking back what rules have set by undoing it where nobody wrote since, so that a store has its exact bytes
again (S-60)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.workspace.changes import outbox, wording_undo
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.revert.entry import summary_of_change
from memtui.workspace.changes.revert.items import build_items, items_in_effect
from memtui.workspace.db.models import JournalEntry
from memtui.workspace.journal.history import REDO, UNDO
from memtui.workspace.rules import kept

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.rules.held import Held

_ENTRIES = (
    "SELECT DISTINCT i.journal_id FROM journal_items i JOIN journal j ON j.id = i.journal_id "
    "WHERE i.id IN (SELECT value FROM json_each(?)) AND j.kind IN ('pinned', 'edited', 'redone') "
    "ORDER BY 1 DESC"
)


def undo(ctx: Context, held: Sequence[Held], begun: Callable[[Sequence[ChangeItem]], None]) -> set[int]:
    """Undo what set these, as far as it is in effect and nobody wrote since; return the memories that are as
    before. `ctx` has the rule as its actor."""
    wanted = {each.item_id for each in held if each.item_id is not None}
    done: set[int] = set()
    for (entry_id,) in ctx.db.rows(_ENTRIES, (json.dumps(list(wanted)),)):
        done |= undo_entry(ctx, entry_id, wanted, begun)
    return done


def undo_entry(
    ctx: Context, entry_id: int, wanted: set[int], begun: Callable[[Sequence[ChangeItem]], None]
) -> set[int]:
    """Undo these items of an entry, or redo those of an undo, as far as they are in effect and nobody wrote
    since; return the memories that are as before."""
    in_effect = [each for each in items_in_effect(ctx, entry_id) if each.item_id in wanted]
    entry = ctx.db.get(JournalEntry, entry_id)
    try:
        built, _, replan = build_items(ctx, in_effect, entry.kind)
    except (Refused, OSError):
        return set()
    items = [item for item in built if item.refused is None]
    if not items:
        return set()
    kind, verb = (REDO, wording_undo.REDONE) if entry.kind == UNDO else (UNDO, wording_undo.UNDONE)
    summary, total = summary_of_change(ctx, entry_id), len(items_in_effect(ctx, entry_id))
    if len(items) < total:
        summary = wording_undo.only_done_part(summary, len(items), total)
    try:
        outbox.run(
            ctx, kind, wording_undo.undo_summary(verb, summary), items, entry_id, replan,
            on_begun=lambda _: begun([item for item in items if item.refused is None]),
        )  # fmt: skip
    except (Refused, OSError):  # nothing was begun
        return set()
    kept.finish(ctx.db, [item.memory_id for item in items])
    return {item.memory_id for item in items if item.refused is None}
