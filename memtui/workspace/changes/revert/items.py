"""The change items that revert a journal entry, or why a memory's part cannot be reverted (S-51)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Plan
from memtui.formats.media.files import atomic_write
from memtui.memory.results import Skipped
from memtui.values import Fields
from memtui.workspace.changes import prior_writes, renames, verdict_rows, wording_undo
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.outbox import Replan
from memtui.workspace.changes.revert import checks
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.history import VERBS
from memtui.workspace.journal.items import (
    IN_STORE,
    PSEUDO_FIELDS,
    PURGED,
    REDACTED,
    RELATION,
    RELATION_OVERRIDES,
    RELATIONS,
    VERDICT,
    decode_body,
    load_plan,
    why_not_undoable,
)
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog

# No store holds these, so it may be locked.
_NOT_IN_STORES = {VERDICT, RELATIONS, RELATION_OVERRIDES, "snoozed_until"}

Reason: TypeAlias = tuple[str, str]
"""Why a part cannot be reverted: a code and a sentence."""

# Joins of the journal's tables, for all items of an entry: a bulk verb has thousands.
_IN_EFFECT = (
    "SELECT i.id, i.memory_id, st.effective_item, b.before, b.after FROM journal_items i "
    "JOIN item_states st ON st.item_id = i.id LEFT JOIN bodies b ON b.item_id = i.id "
    "WHERE i.journal_id = ? AND st.state = 'done' AND st.undone_by IS NULL ORDER BY i.id DESC"
)
_EFFECTIVE = (
    "SELECT item_id, effective_item FROM item_states WHERE item_id IN (SELECT value FROM json_each(?))"
)
# The other half of a move, and whether it is in effect.
_MOVE_PAIRS = """
SELECT i.id, st.state = 'done' AND st.undone_by IS NULL FROM journal_items i
JOIN item_states st ON st.item_id = i.id
WHERE i.pair = ?1 OR i.id = (SELECT pair FROM journal_items WHERE id = ?1)
"""
# The user's changes to a memory before an item that were undone since.
_UNDONE_BEFORE = (
    "SELECT b.before, b.after FROM journal_items i JOIN journal j ON j.id = i.journal_id "
    "JOIN item_states st ON st.item_id = i.id AND st.undone_by IS NOT NULL "
    "JOIN bodies b ON b.item_id = i.id AND b.before IS NOT NULL "
    f"WHERE i.memory_id = ? AND i.id < ? AND j.kind IN {VERBS} ORDER BY i.id DESC"
)
# One column per item, read for each: a model instance costs eight times as much.
_PLAN = "SELECT plan FROM outbox WHERE item_id = ?"
_WAS_WRITTEN = "SELECT 1 FROM outbox WHERE item_id = ?"


@dataclass(frozen=True, slots=True)
class ItemInEffect:
    """A journal item that is in effect, with its fields before and after as stored.

    `effective_item` is the item whose plan is in effect: a redo's, or itself.
    """

    item_id: int
    memory_id: int
    effective_item: int
    before: str | None
    after: str | None


def items_in_effect(ctx: Context, entry_id: int) -> list[ItemInEffect]:
    """Return the items of an entry that are in effect, last first."""
    return [ItemInEffect(*row) for row in ctx.db.rows(_IN_EFFECT, (entry_id,))]


def build_items(
    ctx: Context, in_effect: Sequence[ItemInEffect], kind: str
) -> tuple[list[ChangeItem], list[Skipped], Replan]:
    """Return the items that revert these of an entry of this kind, last first, those that cannot be reverted,
    and how to plan them again."""
    items: list[ChangeItem] = []
    skipped: list[Skipped] = []
    reasons: dict[int, str] = {}
    stores = store_rows.by_id(ctx.db)
    rows = {row.id: row for row in memory_rows.load(ctx.db, [each.memory_id for each in in_effect])}
    for each in in_effect:
        row = rows.get(each.memory_id)
        lost = why_not_undoable(each.before, each.after)
        result: ChangeItem | Reason
        if row is None or lost is not None:
            result = lost or PURGED
            row = None if lost == PURGED else row
        else:
            result = _build_item(ctx, each, row, stores[row.store_id], kind)
        if isinstance(result, ChangeItem):
            items.append(result)
            continue
        reasons[each.item_id] = result[1]
        uid, label = (row.memory.uid, row.label) if row is not None else ("", "")
        skipped.append(Skipped(uid, label, *result))
    if kind in VERBS:
        _add_prior_writes(ctx, items)
    written = {id(item): item.plan for item in items}
    _reverse_plans(ctx, items)
    _link_halves(ctx, items, reasons)

    def replan(group: Sequence[ChangeItem]) -> None:
        for item in group:
            item.plan = written[id(item)]
        _reverse_plans(ctx, group)

    return items, skipped, replan


def _build_item(
    ctx: Context, each: ItemInEffect, row: MirrorRow, store: StoreRow, kind: str
) -> ChangeItem | Reason:
    before, after = decode_body(each.after), decode_body(each.before)
    for side in (before, after):  # what is kept of a relation follows an entity's new name
        if side.get(RELATION_OVERRIDES):
            overrides = relation_overrides.with_current_names(ctx.db, store.id, side[RELATION_OVERRIDES])
            side[RELATION_OVERRIDES] = overrides
    if not before.keys() <= _NOT_IN_STORES and (reason := catalog.locked_reason(store)):
        return "read-only", reason
    item = ChangeItem(row, store, before, after, undoes_item=each.item_id)
    plan = ctx.db.one(_PLAN, (each.effective_item,))
    if plan is None and ctx.db.one(_WAS_WRITTEN, (each.effective_item,)):
        return REDACTED
    if IN_STORE not in before and before.get("updated_at") not in (None, row.memory.updated_at):
        # A later change of another field set the time of change: it stays.
        del before["updated_at"], after["updated_at"]
    if plan is None and kind in VERBS and after.get("updated_at") is not None:
        after["updated_at"] = _time_before(ctx, each, after["updated_at"])
    if reason := _changed_since(ctx, item, row, each, kind, in_store=plan is not None):
        return "changed-since", reason
    if store.detached_at is not None and plan is not None:
        return "detached", wording_undo.detached(store.name)
    item.local_fields = dict(after)
    if plan is None and after.get(IN_STORE) is False:  # another memtui's edit must not be lost with it
        item.depends_on_fields = tuple(name for name in before if name not in PSEUDO_FIELDS)
    if plan is not None:
        if reason := _load_store_part(ctx, item, row, each, plan):
            return "changed-since", reason
    elif store.format != NATIVE:
        item.adapter = checks.adapter_or_none(ctx, store)
    return item


def _changed_since(
    ctx: Context, item: ChangeItem, row: MirrorRow, each: ItemInEffect, kind: str, *, in_store: bool
) -> str:
    """Return why an item cannot be reverted: what changed since; "" if it can."""
    before, after, store = item.before, item.after, item.store
    # What is redone was checked when it was undone.
    removes = kind in VERBS and after.get(IN_STORE) is False
    reason = checks.later_edit(ctx, row, store, each.effective_item) if removes else ""
    if not reason:
        names = checks.stored_field_names(ctx, store)
        reason = checks.field_change(row, before, in_store=in_store, store_fields=names)
    if reason and row.moved is not None and row.moved > each.effective_item:
        reason = wording_undo.TAKEN_OUT  # what else changed of it can be undone only after that
    reason = reason or verdict_rows.conflict(ctx, after.get(VERDICT))
    overrides = before.get(RELATION_OVERRIDES) or (), after.get(RELATION_OVERRIDES) or ()
    reason = reason or relation_overrides.conflict(ctx.db, store.id, *overrides)
    if not in_store and RELATION in before:
        reason = reason or checks.relation_change(row, before[RELATION], after.get(RELATION))
    return reason


def _load_store_part(ctx: Context, item: ChangeItem, row: MirrorRow, each: ItemInEffect, plan: str) -> str:
    """Give an item the plan that was written, and the fields that memtui keeps; return why it cannot be
    reverted, or ""."""
    _load_plan(ctx, item, plan)
    kept: Fields = json.loads(plan).get("ours", {}) if item.plan is not None else {}
    item.local_fields = {name: value for name, value in item.after.items() if name in kept}
    if row.moved is not None and checks.wrote_to_memory(item):
        # An equal text may be in its place, which belongs to another memory.
        return wording_undo.TAKEN_OUT
    if item.plan is not None and item.plan.ref_after is None:
        if reason := checks.not_put_back(ctx, row, each.item_id, each.effective_item):
            return reason
        if row.moved != each.effective_item:
            # It was put back and taken out again in between: the newest plan has the place.
            newest = ctx.db.one(_PLAN, (row.moved,))
            if newest is None:
                return REDACTED[1]
            _load_plan(ctx, item, newest)
    return ""


def _load_plan(ctx: Context, item: ChangeItem, plan: str) -> None:
    try:
        item.adapter = ctx.adapter(item.store)
        assert item.adapter is not None
        item.plan = load_plan(item.adapter, plan)
    except Refused as refusal:
        item.refused = refusal


def _time_before(ctx: Context, each: ItemInEffect, at: float) -> float | None:
    """Return the time of change to put back: if the change that set it was undone since, the one before."""
    rows = ctx.db.rows(_UNDONE_BEFORE, (each.memory_id, each.item_id))
    time: float | None = at
    for before, after in rows:
        fields = decode_body(after) if time is not None else {}
        if time is not None and fields.get("updated_at") == time and IN_STORE not in fields:
            time = decode_body(before).get("updated_at")
    return time


def _add_prior_writes(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Give the plans of each store its newest writes, and which of them were undone."""
    for group in _planned_by_store(items):
        item_ids = [item.undoes_item for item in group]
        adapter = group[0].adapter
        assert adapter is not None
        effective: dict[int, int] = dict(ctx.db.rows(_EFFECTIVE, (json.dumps(item_ids),)))
        prior = prior_writes.load(ctx, group[0].store, adapter, effective)
        for item in group:
            assert item.plan is not None
            item.plan = adapter.with_prior_writes(item.plan, prior)


def _link_halves(ctx: Context, items: Sequence[ChangeItem], reasons: Mapping[int, str]) -> None:
    """Have both halves of a move reverted together: nothing is removed from one store that was not put back
    into the other.

    A half whose other half never took effect is reverted alone. `reasons` say why an item cannot be reverted.
    """
    by_undone = {item.undoes_item: item for item in items}
    position = {id(item): number for number, item in enumerate(items)}
    for item in items:
        for other_id, in_effect in ctx.db.rows(_MOVE_PAIRS, (item.undoes_item,)):
            other = by_undone.get(other_id)
            if other is not None and position[id(other)] < position[id(item)]:
                item.counterpart = other
            if in_effect and (other is None or other.refused is not None):
                refusal = other.refused if other is not None else None
                reason = reasons.get(other_id, "") if refusal is None else refusal.message
                item.refused = item.refused or wording_undo.half_stays(reason)
            elif in_effect and item.after.get(IN_STORE) is False:
                item.depends_on = other


def _reverse_plans(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Replace the plans that were written by those that revert them, store by store."""
    for group in _planned_by_store(items):
        adapter = group[0].adapter
        assert adapter is not None
        results: Sequence[Plan | Refused]
        try:
            results = adapter.reverse(_current_plans(ctx, adapter, group))
        except Refused as refusal:
            results = [refusal for _ in group]
        except OSError as error:
            results = [atomic_write.refusal(error) for _ in group]
        for item, result in zip(group, results, strict=True):
            if isinstance(result, Plan):
                item.plan = result
            else:
                item.refused = result
                item.plan = None


def _current_plans(ctx: Context, adapter: Adapter, group: Sequence[ChangeItem]) -> list[Plan]:
    """Return the plans with the current names of their entities, which may have been renamed since."""
    rows = [item.row for item in group if item.row is not None]
    plans = [item.plan for item in group if item.plan is not None]
    plans = renames.with_current_names(ctx.db, adapter, plans, rows)
    item_ids = [item.undoes_item for item in group if item.undoes_item is not None]
    plans = renames.with_current_ends(ctx.db, adapter, group[0].store.id, plans, item_ids)
    return [
        plan if plan.ref_after is None else replace(plan, ref_after=row.memory.ref or plan.ref_after)
        for plan, row in zip(plans, rows, strict=True)
    ]


def _planned_by_store(items: Sequence[ChangeItem]) -> list[list[ChangeItem]]:
    groups: dict[int, list[ChangeItem]] = {}
    for item in items:
        if item.plan is not None and item.refused is None:
            groups.setdefault(item.store.id, []).append(item)
    return list(groups.values())
