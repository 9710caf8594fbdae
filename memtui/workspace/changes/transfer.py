"""Copying and moving memories between stores, and what the target cannot hold (S-8, S-82).

A copy is added in the target as its format can hold it; the workspace keeps what the format cannot. A move
removes the original from its store once the copy is in the other one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Fitted, Plan
from memtui.formats.media.files import atomic_write
from memtui.memory.memory import DEFAULTS, TIMES
from memtui.memory.results import Change, Skipped, TransferPreview, TransferResult
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import full_adds, outbox, wording, wording_transfer
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.full_adds import LEFT_OUT, TRANSFERRED
from memtui.workspace.changes.planning import blocked_reason, group_by_store, set_results
from memtui.workspace.changes.removal import removal_write
from memtui.workspace.changes.summaries import require_done
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import IN_STORE
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog


def preview(ctx: Context, ids: Sequence[int], store_name: str) -> list[TransferPreview]:
    """Return what the store would hold of each of these memories; changes nothing."""
    store = catalog.find_attached(ctx, store_name)
    adapter = ctx.adapter(store)
    stores = store_rows.by_id(ctx.db)
    previews: list[TransferPreview] = []
    for row in memory_rows.load(ctx.db, ids):
        reason = _blocked_reason(ctx, row, stores[row.store_id], store, move=False)
        if reason and len(ids) == 1:
            raise wording.none_possible("blocked", [reason])
        each = _predicted(ctx, row, adapter, _fitted(adapter, row))
        if reason:
            each = replace(each, changed={}, kept=(), lost=(wording_transfer.lost_entirely(reason),))
        previews.append(each)
    return previews


def transfer(ctx: Context, ids: Sequence[int], store_name: str, *, move: bool) -> TransferResult:
    """Copy (or move) memories into a store, as one change; raise Refused if none can be."""
    ctx.writable()
    store = catalog.find_attached(ctx, store_name)
    if reason := catalog.locked_reason(store):
        raise wording.locked(reason)
    adapter = ctx.adapter(store)
    found = memory_rows.load(ctx.db, ids)
    if not found:
        raise wording.no_such_memory()
    stores = store_rows.by_id(ctx.db)
    skipped: list[Skipped] = []
    added: list[ChangeItem] = []
    originals: list[MirrorRow] = []
    for row in found:
        reason = _blocked_reason(ctx, row, stores[row.store_id], store, move)
        if reason:
            skipped.append(Skipped(row.memory.uid, row.label, "blocked", reason))
        else:
            originals.append(row)
            added.append(full_adds.item(ctx, _values(row), store, adapter))
    if not added:
        raise wording.none_possible(skipped[0].code, [each.reason for each in skipped])
    full_adds.plan(ctx, adapter, added)
    leaving = _leaving_items(ctx, originals, stores, added) if move else []
    copies = set(map(id, added))

    def replan(group: Sequence[ChangeItem]) -> None:
        adds = [item for item in group if id(item) in copies]
        if adds:
            full_adds.plan(ctx, adapter, adds)
        else:
            _plan_leaving(ctx, group)

    verb = "moved" if move else "copied"
    summary = wording_transfer.transferred(verb, len(added), store.name)
    outcome = outbox.run(ctx, verb, summary, [*added, *leaving], replan=replan)
    good = require_done(Outcome(outcome.entry_id, added))
    previews = _results(ctx, adapter, added, originals, skipped)
    for item in outcome.items:
        if item.depends_on is not None and item.refused is not None and item.depends_on.refused is None:
            assert item.row is not None
            reason = wording_transfer.only_copied(item.store.name, item.refused.message)
            skipped.append(Skipped(item.row.memory.uid, item.row.label, item.refused.code, reason))
    staying = {id(item.depends_on) for item in leaving if item.refused is not None}
    summary = wording_transfer.transfer_summary(
        verb,
        sum(id(item) not in staying for item in good),
        len(added) + sum(each.code == "blocked" for each in skipped) if skipped else None,
        store.name,
        "" if adapter is None else adapter.target_names([i.plan for i in good if i.plan is not None][:3]),
        outcome.pending_note,
    )
    ids_added = tuple(item.memory_id for item in good)
    return TransferResult(Change(verb, ids_added, summary, outcome.entry_id, tuple(skipped)), tuple(previews))


def _blocked_reason(ctx: Context, row: MirrorRow, source: StoreRow, target: StoreRow, move: bool) -> str:
    """Return why a memory cannot be transferred; "" if it can."""
    if source.id == target.id:
        return wording_transfer.already_in(target.name)
    reason = blocked_reason(ctx, "copy", row, source)
    # A store that is copied from need not be writable.
    return reason if move or not catalog.locked_reason(source) else ""


# -- into the target store


def _values(row: MirrorRow) -> Fields:
    return {name: getattr(row.memory, name) for name in TRANSFERRED}


def _fitted(adapter: Adapter | None, row: MirrorRow) -> Fitted:
    return full_adds.fitted(adapter, _values(row))


# -- out of the source store


def _leaving_items(
    ctx: Context, originals: Sequence[MirrorRow], stores: Mapping[int, StoreRow], added: Sequence[ChangeItem]
) -> list[ChangeItem]:
    """Return the items that remove the originals, each after its copy was added."""
    items: list[ChangeItem] = []
    for row, copy in zip(originals, added, strict=True):
        source = stores[row.store_id]
        item = ChangeItem(row, source, {IN_STORE: True}, {IN_STORE: False}, depends_on=copy, counterpart=copy)
        item.adapter = ctx.adapter(source)
        if item.adapter is None:
            item.local_fields = {IN_STORE: False}
        if copy.refused is not None:
            item.refused = wording.dependency_refused(copy.refused.message)
        items.append(item)
    for group in group_by_store([i for i in items if i.adapter is not None and i.refused is None]):
        _plan_leaving(ctx, group)
    for item, copy in zip(items, added, strict=True):
        if item.refused is not None and copy.refused is None:
            # What cannot be removed is not added either.
            copy.refused = wording_transfer.not_moved(item.refused.message)
    return items


def _plan_leaving(ctx: Context, group: Sequence[ChangeItem]) -> None:
    adapter = group[0].adapter
    assert adapter is not None
    writes = [removal_write(ctx, adapter, item.row) for item in group if item.row is not None]
    results: Sequence[Plan | Refused]
    try:
        results = adapter.plan(writes)
    except Refused as refusal:
        results = [refusal for _ in group]
    except OSError as error:
        results = [atomic_write.refusal(error) for _ in group]
    set_results(group, results)


# -- what a copy keeps and loses


def _results(
    ctx: Context,
    adapter: Adapter | None,
    added: Sequence[ChangeItem],
    originals: Sequence[MirrorRow],
    skipped: list[Skipped],
) -> list[TransferPreview]:
    """Return what became of each copy; those that were refused are added to `skipped`."""
    ids = [item.memory_id for item in added if item.refused is None]
    rows = {row.id: row for row in memory_rows.load(ctx.db, ids)}
    results: list[TransferPreview] = []
    for item, original in zip(added, originals, strict=True):
        if item.refused is not None:
            refusal = item.refused
            skipped.append(Skipped(original.memory.uid, original.label, refusal.code, refusal.message))
        elif item.memory_id in rows:
            copy = rows[item.memory_id]
            changed = _fitted(adapter, original).changed
            results.append(replace(_compared(ctx, original, copy, changed), copy_uid=copy.memory.uid))
    return results


def _predicted(ctx: Context, row: MirrorRow, adapter: Adapter | None, fitted: Fitted) -> TransferPreview:
    """Return how a copy would differ, before it is made."""
    kept = tuple(full_adds.local_fields(adapter, _values(row), fitted))
    lost = () if adapter is None else _lost(row, fitted.fields)
    return TransferPreview(row.memory.uid, row.label, fitted.changed, kept, (*lost, *_left_behind(ctx, row)))


def _compared(
    ctx: Context, original: MirrorRow, copy: MirrorRow, changed_by_format: Mapping[str, object]
) -> TransferPreview:
    """Return how a copy differs, as read from the other store."""
    changed: dict[str, tuple[FieldValue, FieldValue]] = {}
    lost: list[str] = []
    for name in TRANSFERRED:
        before, after = getattr(original.memory, name), getattr(copy.memory, name)
        unset = before == DEFAULTS[name] and name not in changed_by_format
        if name in copy.kept or before == after or unset:
            continue
        if name in TIMES and before is not None and after is not None and abs(before - after) < 1:
            continue  # a store may keep whole seconds
        if after == DEFAULTS[name]:
            lost.append(name)
        else:
            changed[name] = (before, after)
    lost += [wording_transfer.extra_field(name) for name in original.memory.extra]
    kept = tuple(name for name in TRANSFERRED if name in copy.kept)
    lost += _left_behind(ctx, original)
    return TransferPreview(original.memory.uid, original.label, changed, kept, tuple(lost))


def _lost(row: MirrorRow, fields: Mapping[str, FieldValue]) -> list[str]:
    lost = [n for n in LEFT_OUT if n not in fields and getattr(row.memory, n) != DEFAULTS[n]]
    return [*sorted(lost), *(wording_transfer.extra_field(name) for name in row.memory.extra)]


def _left_behind(ctx: Context, row: MirrorRow) -> list[str]:
    """Return what belongs to a memory in its store and is not transferred."""
    left = []
    # Counts over an OR of two indexed columns, once per memory.
    for table, where, describe in (
        ("relations", "source = ?2 OR target = ?2", wording_transfer.relations_left),
        ("side_records", "via = '' AND about = ?2", wording_transfer.records_left),
    ):
        sql = f"SELECT count(*) FROM {table} WHERE store_id = ?1 AND ({where})"
        number = ctx.db.one(sql, (row.store_id, row.anchor)) if row.anchor else 0
        if number:
            left.append(describe(number))
    local = ctx.db.one(
        "SELECT count(*) FROM local_relations WHERE source_id = ? OR target = ?", (row.id, row.memory.uid)
    )
    if local:
        left.append(wording_transfer.local_relations_left(local))
    return left
