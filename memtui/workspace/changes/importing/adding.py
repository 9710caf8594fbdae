"""Adding the memories of an import: part by part, as one journal entry, which one undo takes back (S-74)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.formats.media.files import atomic_write
from memtui.memory.imported import ImportItem
from memtui.memory.results import Change, Skipped
from memtui.workspace.background import JobControl
from memtui.workspace.changes import full_adds, outbox, parts, wording
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.importing import wording_import
from memtui.workspace.changes.importing.identity import Known
from memtui.workspace.changes.summaries import require_done
from memtui.workspace.db.database import translate_errors
from memtui.workspace.journal.history import IMPORTED

if TYPE_CHECKING:
    from memtui.formats.contract.adapter import Adapter
    from memtui.workspace.context import Context
    from memtui.workspace.db.store_rows import StoreRow


def add(
    ctx: Context, chosen: Sequence[ImportItem], store: StoreRow, adapter: Adapter | None, control: JobControl
) -> Change:
    """Add these memories to a store until `control` stops it between two parts; raise Refused if none can be.

    What the store has got since the preview is left out.
    """
    known = Known(ctx, store.id, adapter)
    missing: list[ImportItem] = []
    for each in chosen:
        if each.fields and known.find(each.fields) is None:
            known.add(each.fields)
            missing.append(each)
    items = full_adds.items(ctx, (each.fields for each in missing), store, adapter)
    if not items:
        return Change(IMPORTED, (), wording_import.imported(0, 0, store.name, ""))
    outcome = _run(ctx, items, store, adapter, control)
    done = require_done(outcome)
    reached = len(outcome.items)
    skipped = tuple(
        Skipped("", each.label, item.refused.code, item.refused.message)
        for each, item in zip(missing[:reached], outcome.items, strict=True)
        if item.refused is not None
    )
    plans = [item.plan for item in done if item.plan is not None][:3]
    files = "" if adapter is None else adapter.target_names(plans)
    summary = wording_import.imported(len(done), len(items), store.name, files) + outcome.pending_note
    ids = tuple(item.memory_id for item in done)
    return Change(IMPORTED, ids, summary, outcome.entry_id, skipped, len(items) - reached)


def _run(
    ctx: Context,
    items: Sequence[ChangeItem],
    store: StoreRow,
    adapter: Adapter | None,
    control: JobControl,
) -> Outcome:
    """Carry the items out part by part; an error after the first part ends the import with what was added."""
    if control.stop():
        raise wording.stopped_first()

    def plan(group: Sequence[ChangeItem]) -> None:
        full_adds.plan(ctx, adapter, group)

    summary = wording_import.requested(store.name)
    size, reached, entry_id = parts.FIRST, 0, 0
    while reached < len(items) and not (reached and control.stop()):
        part, began = items[reached : reached + size], time.monotonic()
        try:
            with translate_errors(ctx.path):
                plan(part)
                if not entry_id:
                    entry_id = outbox.run(ctx, IMPORTED, summary, part, replan=plan).entry_id
                else:
                    outbox.add_more(ctx, entry_id, part, plan)
        except (Refused, OSError) as error:
            if not entry_id:
                raise
            refusal = error if isinstance(error, Refused) else atomic_write.refusal(error)
            for item in part:
                item.refused = item.refused or refusal
            reached += len(part)
            break
        reached += len(part)
        control.report(reached, len(items) - reached)
        size = parts.next_size(size, time.monotonic() - began, len(items))
    return Outcome(entry_id, items[:reached])
