"""A change of many memories, carried out part by part, with its progress reported and a stop between two of
them: one journal entry, one undo, whatever it reached (S-7, S-50)."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence

from memtui.errors import Refused
from memtui.formats.contract.records import unnumbered
from memtui.formats.media.files import atomic_write
from memtui.workspace.background import JobControl
from memtui.workspace.changes import outbox, wording
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.outbox import Replan
from memtui.workspace.changes.planning import blocked_reason, group_by_store, split_fields
from memtui.workspace.changes.summaries import KINDS, summary
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import translate_errors
from memtui.workspace.mirror import memory_rows

FIRST = 10  # memories of the first part
# Parts double while one takes less than this, and halve when it takes more than twice as long: seconds. Each
# write costs something of its own, however few memories it has, so there are not many more than MOST parts.
GOAL, MOST = 0.3, 50


def run(
    ctx: Context, action: str, items: Sequence[ChangeItem], control: JobControl, plan: Replan, replan: Replan
) -> tuple[Outcome, int]:
    """Carry out the items of one action, store by store, until `control` stops it between two parts; return
    the outcome of those reached, and how many were not.

    `plan` plans a part before it is written, `replan` again where another program changed a store meanwhile.
    An error in the workspace itself after the first part ends the change with what was done. Raise Refused if
    it is stopped before the first part.
    """
    if control.stop():
        raise wording.stopped_first()
    left = [item for group in group_by_store(items) for item in group]
    for group in group_by_store(left):  # where each will be kept is part of the entry's summary
        split_fields(ctx, [action] * len(group), group)
    left = _adjoining(left)
    size, reached, entry_id = FIRST, 0, 0
    while reached < len(left) and not (reached and control.stop()):
        part, began = left[reached : _end(left, reached + size)], time.monotonic()
        try:
            with translate_errors(ctx.path):
                if not entry_id:
                    plan(part)
                    outcome = outbox.run(
                        ctx,
                        KINDS[action],
                        summary(action, left),
                        part,
                        replan=replan,
                        later=left[len(part) :],
                    )
                    entry_id = outcome.entry_id
                else:
                    _reread(ctx, action, part)
                    plan([item for item in part if item.refused is None])
                    outbox.carry_on(ctx, entry_id, part, replan)
        except (Refused, OSError) as error:
            if not entry_id:
                raise
            _refuse(part, error if isinstance(error, Refused) else atomic_write.refusal(error))
            return Outcome(entry_id, left[: reached + len(part)]), len(left) - reached - len(part)
        reached += len(part)
        control.report(reached, len(left) - reached)
        size = next_size(size, time.monotonic() - began, len(left))
    return Outcome(entry_id, left[:reached]), len(left) - reached


def next_size(size: int, took: float, total: int) -> int:
    """Return the size of the next part of a change of `total` memories, after one that `took` seconds."""
    size = size * 2 if took < GOAL else size // 2 if took > 2 * GOAL else size
    return max(FIRST, total // MOST, size)


def _adjoining(items: Sequence[ChangeItem]) -> list[ChangeItem]:
    """Return the items of each store with those next to each other that belong into one part."""
    groups: dict[Hashable, list[ChangeItem]] = {}
    for item in items:
        groups.setdefault(_bond(item), []).append(item)
    return [item for group in group_by_store([i for each in groups.values() for i in each]) for item in group]


def _end(items: Sequence[ChangeItem], end: int) -> int:
    """Return where a part ends that would end here: not between two items that belong into one part."""
    while end < len(items) and _bond(items[end]) == _bond(items[end - 1]):
        end += 1
    return end


def _bond(item: ChangeItem) -> Hashable:
    """Return what is the same for items that can only be carried out together: what an entity has is changed
    for all of its memories at once, keys may be swapped, and one undo has to tell equal texts apart, which
    are numbered anew when one of them is removed."""
    if item.adapter is None or item.row is None:
        return id(item)
    if not item.after.keys().isdisjoint(item.adapter.entity_fields):
        return item.store.id, "entity", item.row.anchor
    if item.adapter.unique_keys and "key" in item.after:
        return item.store.id, "keys"
    return item.store.id, "text", unnumbered(item.row.memory.ref) or id(item)


def _reread(ctx: Context, action: str, part: Sequence[ChangeItem]) -> None:
    """Give items their rows as they are now: the parts before may have renumbered their refs. Refuse those
    whose memory or store another memtui has changed so that the action can no longer be done."""
    stores = store_rows.by_id(ctx.db)
    now = memory_rows.reload(ctx.db, [item.row for item in part if item.row is not None])
    for item in part:
        assert item.row is not None
        fresh = now.get(item.row.id)
        if fresh is None:
            item.refused = wording.memory_gone()
        elif (fresh.removed_at is None) != (item.row.removed_at is None):
            item.refused = wording.changed_meanwhile()
        elif reason := blocked_reason(ctx, action, fresh, stores[fresh.store_id]):
            item.refused = Refused("blocked", reason)
        else:
            item.row, item.store = fresh, stores[fresh.store_id]


def _refuse(part: Sequence[ChangeItem], refusal: Refused) -> None:
    for item in part:
        item.refused = item.refused or refusal
