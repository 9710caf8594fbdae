"""A change of many memories, carried out part by part, with its progress reported and a stop between two of
them: one journal entry, one undo, whatever it reached (S-7, S-50)."""

from __future__ import annotations

import time
from collections.abc import Sequence

from memtui.errors import Refused
from memtui.formats.media.files import atomic_write
from memtui.workspace.background import JobControl
from memtui.workspace.changes import outbox
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.outbox import Replan
from memtui.workspace.changes.planning import group_by_store, split_fields
from memtui.workspace.changes.summaries import KINDS, summary
from memtui.workspace.context import Context

FIRST = 10  # memories of the first part
# Parts double while one takes less than this, and halve when it takes more than twice as long: seconds.
GOAL = 0.3


def run(
    ctx: Context, action: str, items: Sequence[ChangeItem], control: JobControl, plan: Replan, replan: Replan
) -> tuple[Outcome, int]:
    """Carry out the items of one action, store by store, until `control` stops it between two parts; return
    the outcome of those reached, and how many were not.

    `plan` plans a part before it is written, `replan` again where another program changed a store meanwhile.
    An error in the workspace itself after the first part ends the change with what was done.
    """
    left = [item for group in group_by_store(items) for item in group]
    for group in group_by_store(left):  # where each will be kept is part of the entry's summary
        split_fields(ctx, [action] * len(group), group)
    size, reached, entry_id = FIRST, 0, 0
    while reached < len(left) and not (reached and control.stop()):
        part, began = left[reached : reached + size], time.monotonic()
        try:
            plan(part)
            if not entry_id:
                outcome = outbox.run(
                    ctx, KINDS[action], summary(action, left), part, replan=replan, later=left[len(part) :]
                )
                entry_id = outcome.entry_id
            else:
                outbox.carry_on(ctx, entry_id, part, replan)
        except (Refused, OSError) as error:
            if not entry_id:
                raise
            _refuse(part, error if isinstance(error, Refused) else atomic_write.refusal(error))
            return Outcome(entry_id, left[: reached + len(part)]), len(left) - reached - len(part)
        reached += len(part)
        control.report(reached, len(left) - reached)
        took = time.monotonic() - began
        size = size * 2 if took < GOAL else max(1, size // 2) if took > 2 * GOAL else size
    return Outcome(entry_id, left[:reached]), len(left) - reached


def _refuse(part: Sequence[ChangeItem], refusal: Refused) -> None:
    for item in part:
        item.refused = item.refused or refusal
