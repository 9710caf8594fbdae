"""Copying and moving memories between stores, in parts as all verbs on many (S-8, S-82).

A copy is added in the target as its format can hold it; the workspace keeps what the format cannot. A move
removes the original from its store once the copy is in the other one. What a rule has set stays behind: rules
look at the copy themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan
from memtui.formats.contract.records import unnumbered
from memtui.memory.results import Change, Skipped, StorePreview, TransferPreview, TransferResult
from memtui.workspace.background import JobControl
from memtui.workspace.changes import full_adds, native_store, parts, wording
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.full_adds import TRANSFERRED, fitted
from memtui.workspace.changes.planning import blocked_reason, group_by_store, plan_writes
from memtui.workspace.changes.removal import FORGET, forget_support, removal_write
from memtui.workspace.changes.summaries import require_done
from memtui.workspace.changes.transferring import wording_transfer
from memtui.workspace.changes.transferring.carried import compared, predicted, values
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import IN_STORE
from memtui.workspace.mirror import memory_rows, without_rules
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog


def preview(ctx: Context, ids: Sequence[int], store_name: str) -> list[TransferPreview]:
    """Return what the store would hold of each of these memories; changes nothing."""
    store = catalog.find_attached(ctx, store_name)
    adapter = ctx.adapter(store)
    stores = store_rows.by_id(ctx.db)
    previews: list[TransferPreview] = []
    for row in without_rules.bare(ctx.db, memory_rows.load(ctx.db, ids)):
        reason = _blocked_reason(ctx, row, stores[row.store_id], store, move=False)
        if reason and len(ids) == 1:
            raise wording.none_possible("blocked", [reason])
        each = predicted(ctx, row, adapter, fitted(adapter, values(row)))
        if reason:
            each = replace(each, changed={}, kept=(), lost=(wording_transfer.lost_entirely(reason),), left={})
        previews.append(each)
    return previews


def preview_stores(ctx: Context, ids: Sequence[int], store_name: str, *, move: bool) -> list[StorePreview]:
    """Return how many of these memories would be transferred out of which store, what a move does there, and
    why others would stay; changes nothing."""
    target = catalog.find_attached(ctx, store_name)
    stores = store_rows.by_id(ctx.db)
    counts: Counter[int] = Counter()
    blocked: dict[int, Counter[str]] = {}
    for row in memory_rows.load(ctx.db, ids):
        reason = _blocked_reason(ctx, row, stores[row.store_id], target, move)
        counts[row.store_id] += not reason
        reasons = blocked.setdefault(row.store_id, Counter())
        if reason:
            reasons[reason] += 1
    return [
        StorePreview(
            stores[id].name, count, _does(ctx, stores[id], move), False, dict(blocked[id].most_common())
        )
        for id, count in counts.items()
    ]


def _does(ctx: Context, source: StoreRow, move: bool) -> str:
    """Return what a transfer does in the store that it takes memories from."""
    if not move:
        return wording_transfer.STAYS
    try:
        adapter = ctx.adapter(source)
    except Refused as refusal:
        return refusal.message
    return (native_store.support_for(FORGET) if adapter is None else forget_support(adapter)).label


def transfer(
    ctx: Context, ids: Sequence[int], store_name: str, *, move: bool, control: JobControl | None = None
) -> TransferResult:
    """Copy (or move) memories into a store, as one change, with `control` in parts between which it can be
    stopped; raise Refused if none can be."""
    ctx.writable()
    store = catalog.find_attached(ctx, store_name)
    if reason := catalog.locked_reason(store):
        raise wording.locked(reason)
    found = memory_rows.load(ctx.db, ids)
    if not found:
        raise wording.no_such_memory()
    stores = store_rows.by_id(ctx.db)
    skipped: list[Skipped] = []
    originals: list[MirrorRow] = []
    for row in found:
        if reason := _blocked_reason(ctx, row, stores[row.store_id], store, move):
            skipped.append(Skipped(row.memory.uid, row.label, "blocked", reason))
        else:
            originals.append(row)
    if not originals:
        raise wording.none_possible(skipped[0].code, [each.reason for each in skipped])
    work = _Transfer(ctx, store, originals, move=move)
    verb = "moved" if move else "copied"
    summary = wording_transfer.transferred(verb, len(originals), store.name)
    steps = parts.Steps(verb, summary, work.plan, work.replan, work.reread)
    outcome, unreached = parts.carry_out(ctx, steps, work.units, control, work.bond)
    added = [item for item in outcome.items if item.row is None]
    good = require_done(Outcome(outcome.entry_id, added))
    previews = work.results(added, skipped)
    leaving = [item for item in outcome.items if item.depends_on is not None]
    for item in leaving:
        if item.refused is not None and item.depends_on is not None and item.depends_on.refused is None:
            assert item.row is not None
            reason = wording_transfer.only_copied(item.store.name, item.refused.message)
            skipped.append(Skipped(item.row.memory.uid, item.row.label, item.refused.code, reason))
    staying = {id(item.depends_on) for item in leaving if item.refused is not None}
    summary = wording_transfer.transfer_summary(
        verb,
        wording.count_of(sum(id(item) not in staying for item in good), len(found), stopped=unreached > 0),
        store.name,
        work.target_names([i.plan for i in good if i.plan is not None][:3]),
        outcome.pending_note,
    )
    ids_added = tuple(item.memory_id for item in good)
    change = Change(verb, ids_added, summary, outcome.entry_id, tuple(skipped), unreached)
    return TransferResult(change, tuple(previews), work.originals_of(good))


def _blocked_reason(ctx: Context, row: MirrorRow, source: StoreRow, target: StoreRow, move: bool) -> str:
    """Return why a memory cannot be transferred; "" if it can."""
    if source.id == target.id:
        return wording_transfer.already_in(target.name)
    reason = blocked_reason(ctx, "copy", row, source)
    # A store that is copied from need not be writable.
    return reason if move or not catalog.locked_reason(source) else ""


def _detached_reason(target: StoreRow) -> str:
    return wording.store_detached(target.name) if target.detached_at is not None else ""


class _Transfer:
    """The items of a transfer: for each original one that adds its copy, and if it is moved one that removes
    it, after its copy was added."""

    def __init__(self, ctx: Context, store: StoreRow, originals: Sequence[MirrorRow], *, move: bool) -> None:
        self._ctx, self._store_id, self._move = ctx, store.id, move
        self._adapter = ctx.adapter(store)
        self._originals: dict[int, MirrorRow] = {}  # by the identity of the item that adds the copy
        self.units: list[list[ChangeItem]] = []
        stores = store_rows.by_id(ctx.db)
        self._bare = {row.id: row for row in without_rules.bare(ctx.db, originals)}
        for row in sorted(originals, key=lambda row: row.store_id if move else 0):
            copy = full_adds.item(ctx, values(self._bare[row.id]), store, self._adapter)
            self._originals[id(copy)] = row
            unit = [copy, self._leaving(row, stores[row.store_id], copy)] if move else [copy]
            self.units.append(unit)

    def _leaving(self, row: MirrorRow, source: StoreRow, copy: ChangeItem) -> ChangeItem:
        item = ChangeItem(row, source, {IN_STORE: True}, {IN_STORE: False}, depends_on=copy, counterpart=copy)
        item.adapter = self._ctx.adapter(source)
        if item.adapter is None:
            item.local_fields = {IN_STORE: False}
        return item

    def bond(self, unit: parts.Unit) -> Hashable:
        """Return what is the same for memories that have to be transferred together: equal texts, which
        stores tell apart by numbering them."""
        row = self._originals[id(unit[0])]
        return (row.store_id, unnumbered(row.memory.ref) or row.id) if self._move else row.memory.content

    def plan(self, items: Sequence[ChangeItem]) -> None:
        """Plan both halves of each memory; what cannot be removed is not added either."""
        full_adds.plan(self._ctx, self._adapter, [item for item in items if item.row is None])
        leaving = [item for item in items if item.depends_on is not None]
        for item in leaving:
            if item.depends_on is not None and item.depends_on.refused is not None:
                item.refused = wording.dependency_refused(item.depends_on.refused.message)
        for group in group_by_store([i for i in leaving if i.adapter is not None and i.refused is None]):
            self._plan_leaving(group)
        for item in leaving:
            copy = item.depends_on
            if item.refused is not None and copy is not None and copy.refused is None:
                copy.refused = wording_transfer.not_moved(item.refused.message)

    def replan(self, group: Sequence[ChangeItem]) -> None:
        """Plan the items of one store again."""
        if adds := [item for item in group if item.row is None]:
            full_adds.plan(self._ctx, self._adapter, adds)
        else:
            self._plan_leaving(group)

    def reread(self, items: Sequence[ChangeItem]) -> None:
        """Refuse the memories that another memtui changed since the transfer began, or whose stores may no
        longer be read or written; the others get their row as it is now, since refs may have been
        renumbered."""
        added = [item for item in items if item.row is None]
        now = memory_rows.reload(self._ctx.db, [self._originals[id(item)] for item in added])
        rows = {id(item): now.get(self._originals[id(item)].id) for item in added}
        stores = store_rows.by_id(self._ctx.db)
        target = stores[self._store_id]
        for item in added:
            before, fresh = self._originals[id(item)], rows[id(item)]
            if fresh is None:
                item.refused = wording.memory_gone()
            elif _differs(before, fresh):
                item.refused = wording.changed_meanwhile()
            elif reason := catalog.locked_reason(target) or _detached_reason(target):
                item.refused = wording.locked(reason)
            elif reason := _blocked_reason(self._ctx, fresh, stores[fresh.store_id], target, self._move):
                item.refused = Refused("blocked", reason)
        for item in items:
            if item.depends_on is not None and item.depends_on.refused is not None:
                item.refused = item.depends_on.refused
            elif item.depends_on is not None:
                item.row = rows[id(item.depends_on)]

    def _plan_leaving(self, group: Sequence[ChangeItem]) -> None:
        adapter = group[0].adapter
        assert adapter is not None
        plan_writes(
            adapter, group, [removal_write(self._ctx, adapter, i.row) for i in group if i.row is not None]
        )

    def originals_of(self, added: Sequence[ChangeItem]) -> tuple[int, ...]:
        """Return the rows of the memories that these items are copies of."""
        return tuple(self._originals[id(item)].id for item in added)

    def target_names(self, plans: Sequence[Plan]) -> str:
        """Return the names of the files that these plans write in the target."""
        return "" if self._adapter is None else self._adapter.target_names(plans)

    def results(self, added: Sequence[ChangeItem], skipped: list[Skipped]) -> list[TransferPreview]:
        """Return what became of each copy; those that were refused are added to `skipped`."""
        ids = [item.memory_id for item in added if item.refused is None]
        rows = {row.id: row for row in memory_rows.load(self._ctx.db, ids)}
        results: list[TransferPreview] = []
        for item in added:
            original = self._originals[id(item)]
            if item.refused is not None:
                refusal = item.refused
                skipped.append(Skipped(original.memory.uid, original.label, refusal.code, refusal.message))
            elif item.memory_id in rows:
                copy = rows[item.memory_id]
                bare = self._bare[original.id]
                changed = fitted(self._adapter, values(bare)).changed
                result = compared(self._ctx, bare, copy, changed)
                results.append(replace(result, copy_uid=copy.memory.uid))
        return results


def _differs(before: MirrorRow, now: MirrorRow) -> bool:
    """Return whether a memory is no longer what would be copied, or where."""
    if (before.removed_at, before.moved, before.store_id) != (now.removed_at, now.moved, now.store_id):
        return True
    return any(getattr(before.memory, name) != getattr(now.memory, name) for name in TRANSFERRED)
