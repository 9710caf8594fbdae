"""Adding the memories of an import: part by part, as one journal entry, which one undo takes back (S-74)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from memtui.memory.imported import ImportItem
from memtui.memory.results import Change, Skipped
from memtui.workspace.background import JobControl
from memtui.workspace.changes import full_adds, parts, wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.importing import wording_import
from memtui.workspace.changes.importing.identity import Known
from memtui.workspace.changes.summaries import require_done
from memtui.workspace.mirror.uids import existing

if TYPE_CHECKING:
    from memtui.formats.contract.adapter import Adapter
    from memtui.workspace.context import Context
    from memtui.workspace.db.store_rows import StoreRow

IMPORTED = "imported"  # the kind of the journal entry


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
        return Change(IMPORTED, (), wording_import.imported(wording.count_of(0, 0), store.name))
    if adapter is None:
        _keep_uids(ctx, items, missing)

    def plan(group: Sequence[ChangeItem]) -> None:
        full_adds.plan(ctx, adapter, group)

    summary = wording_import.imported(wording.count_of(len(items), len(items)), store.name)
    steps = parts.Steps(IMPORTED, summary, plan, plan, _keep)
    outcome, unreached = parts.carry_out(ctx, steps, [[item] for item in items], control, _bond)
    done = require_done(outcome)
    labels = {id(item): each.label for each, item in zip(missing, items, strict=True)}
    skipped = tuple(
        Skipped("", labels[id(item)], item.refused.code, item.refused.message)
        for item in outcome.items
        if item.refused is not None
    )
    count = wording.count_of(len(done), len(items), stopped=unreached > 0)
    plans = [item.plan for item in done if item.plan is not None][:3]
    files = "" if adapter is None else adapter.target_names(plans)
    summary = wording_import.imported(count, store.name, files) + outcome.pending_note
    ids = tuple(item.memory_id for item in done)
    return Change(IMPORTED, ids, summary, outcome.entry_id, skipped, unreached)


def _keep_uids(ctx: Context, items: Sequence[ChangeItem], imported: Sequence[ImportItem]) -> None:
    """Give memories of memtui's own store the uids that they were exported with, unless these are taken, and
    what replaced them, if that is here or comes, too. Of other stores the uids follow from what they hold."""
    uids = {each.uid for each in imported if each.uid}
    replaced_by = {each.superseded_by for each in imported if each.superseded_by}
    taken = existing(ctx.db, sorted(uids | replaced_by))
    for item, each in zip(items, imported, strict=True):
        item.uid = "" if each.uid in taken else each.uid
        if each.superseded_by in taken or each.superseded_by in uids:
            item.after["superseded_by"] = item.local_fields["superseded_by"] = each.superseded_by


def _keep(items: Sequence[ChangeItem]) -> None:
    """Leave the items of a later part as they are: no row is read that another memtui could have changed."""


def _bond(unit: parts.Unit) -> Hashable:
    """Return what is the same for memories that have to be added together: equal texts, which stores tell
    apart by numbering them."""
    return unit[0].after.get("content") or id(unit[0])
