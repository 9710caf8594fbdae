"""A change of many memories, carried out part by part, with its progress reported and a stop between two of
them: one journal entry, one undo, whatever it reached (S-7, S-50)."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

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


Unit: TypeAlias = Sequence[ChangeItem]
"""The items of one memory: a move has two, in two stores."""


@dataclass(frozen=True, slots=True)
class Steps:
    """How a change is carried out in parts: its journal entry, and what is done with the items of each part.

    `plan` plans them before they are written, `replan` again where another program changed a store meanwhile.
    `reread` brings the items of any part but the first up to date, and refuses those that changed.
    """

    kind: str
    summary: str
    plan: Replan
    replan: Replan | None
    reread: Replan


def run(
    ctx: Context,
    action: str,
    items: Sequence[ChangeItem],
    control: JobControl,
    plan: Replan,
    replan: Replan,
    called: str = "",
) -> tuple[Outcome, int]:
    """Carry out the items of one action as `carry_out` does, store by store."""
    for group in group_by_store(items):  # where each will be kept is part of the entry's summary
        split_fields(ctx, [action] * len(group), group)
    left = [item for group in group_by_store(items) for item in group]
    reread = partial(_reread, ctx, action)
    steps = Steps(KINDS[action], summary(called or action, left), plan, replan, reread)
    return carry_out(ctx, steps, [[item] for item in left], control, lambda unit: _bond(unit[0]))


def carry_out(
    ctx: Context,
    steps: Steps,
    units: Sequence[Unit],
    control: JobControl | None,
    bond: Callable[[Unit], Hashable],
) -> tuple[Outcome, int]:
    """Carry out units, store by store, until `control` stops it between two parts, or all at once without
    one; return the outcome of those reached, and how many were not. Those with the same `bond` stay together.

    An error in the workspace itself after the first part ends the change with what was done. Raise Refused if
    it is stopped before the first part.
    """
    if control is None:
        return _begin(ctx, steps, [item for unit in units for item in unit], ()), 0
    if control.stop():
        raise wording.stopped_first()
    left = _adjoining(units, bond)
    bonds = [bond(unit) for unit in left]
    least = max(FIRST, len(left) // MOST)
    size, reached, entry_id, items = FIRST, 0, 0, list[ChangeItem]()
    while reached < len(left) and not (reached and control.stop()):
        end, began = _end(bonds, reached + size), time.monotonic()
        part = [item for unit in left[reached:end] for item in unit]
        items += part
        try:
            with translate_errors(ctx.path):
                if not entry_id:
                    entry_id = _begin(ctx, steps, part, [i for unit in left[end:] for i in unit]).entry_id
                else:
                    steps.reread(part)
                    steps.plan([item for item in part if item.refused is None])
                    outbox.carry_on(ctx, entry_id, part, steps.replan)
        except (Refused, OSError) as error:
            if not entry_id:
                raise
            _refuse(part, error if isinstance(error, Refused) else atomic_write.refusal(error))
            return Outcome(entry_id, items), len(left) - end
        reached = end
        control.report(reached, len(left) - reached)
        took = time.monotonic() - began
        size = size * 2 if took < GOAL else size // 2 if took > 2 * GOAL else size
        size = max(least, size)
    return Outcome(entry_id, items), len(left) - reached


def _begin(ctx: Context, steps: Steps, part: Sequence[ChangeItem], later: Sequence[ChangeItem]) -> Outcome:
    steps.plan(part)
    return outbox.run(ctx, steps.kind, steps.summary, part, replan=steps.replan, later=later)


def _adjoining(units: Sequence[Unit], bond: Callable[[Unit], Hashable]) -> list[Unit]:
    """Return the units with those next to each other that belong into one part."""
    groups: dict[Hashable, list[Unit]] = {}
    for unit in units:
        groups.setdefault(bond(unit), []).append(unit)
    return [unit for group in groups.values() for unit in group]


def _end(bonds: Sequence[Hashable], end: int) -> int:
    """Return where a part ends that would end here: not between two units that belong into one part."""
    while end < len(bonds) and bonds[end] == bonds[end - 1]:
        end += 1
    return min(end, len(bonds))


def text_bond(unit: Unit) -> Hashable:
    """Return what is the same for memories of equal texts, which are numbered anew when one is removed."""
    (item,) = unit
    ref = unnumbered(item.row.memory.ref) if item.row is not None else None
    return item.store.id, ref or id(item)


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
