"""Reverting what an agent changed: as changes by the user, each as its store allows (S-51)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.memory.memory import TIMES
from memtui.memory.results import Skipped
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import planning, wording_undo
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.outbox import Replan
from memtui.workspace.changes.revert.items import ItemInEffect
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import IN_STORE, PURGED, decode_body, why_not_undoable
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog


def build_items(
    ctx: Context, in_effect: Sequence[ItemInEffect]
) -> tuple[list[ChangeItem], list[Skipped], Replan]:
    """Return the items that revert what was pulled, those that cannot be reverted, and how to plan them
    again."""
    stores = store_rows.by_id(ctx.db)
    rows = {row.id: row for row in memory_rows.load(ctx.db, [each.memory_id for each in in_effect])}
    groups: dict[int, list[ChangeItem]] = {}
    actions: dict[int, str] = {}
    skipped: list[Skipped] = []
    for each in in_effect:
        row = rows.get(each.memory_id)
        lost = why_not_undoable(each.before, each.after)
        if row is None or lost is not None:
            skipped.append(Skipped("", "", *(lost or PURGED)))
            continue
        store = stores[row.store_id]
        agents = decode_body(each.after)
        action, before, after = _reversal(ctx, store, row, agents, decode_body(each.before))
        if reason := _blocked_reason(ctx, store, row, action, before, after):
            skipped.append(Skipped(row.memory.uid, row.label, "blocked", reason))
            continue
        left = [name for name in agents if name not in (*after, *TIMES, IN_STORE)]
        if left and action != "dismiss":
            reason = wording_undo.left_by_agent(left)
            skipped.append(Skipped(row.memory.uid, row.label, "partly", reason))
        item = ChangeItem(row, store, before, after, undoes_item=each.item_id)
        groups.setdefault(store.id, []).append(item)
        actions[id(item)] = action

    def prepare(group: Sequence[ChangeItem]) -> None:
        planning.prepare(ctx, [actions[id(item)] for item in group], group)

    for group in groups.values():
        prepare(group)
    return [item for group in groups.values() for item in group], skipped, prepare


def _blocked_reason(
    ctx: Context, store: StoreRow, row: MirrorRow, action: str, before: Fields, after: Fields
) -> str:
    """Return why an agent's change cannot be reverted; "" if it can."""
    reason = catalog.locked_reason(store) or planning.blocked_reason(ctx, action, row, store)
    if not reason and not after:
        reason = wording_undo.not_writable_fields(list(before))
    changed = (name for name, v in before.items() if name != IN_STORE and getattr(row.memory, name) != v)
    if not reason and any(changed):
        reason = wording_undo.CHANGED_AGAIN
    return reason


def _reversal(
    ctx: Context,
    store: StoreRow,
    row: MirrorRow,
    left: Mapping[str, FieldValue],
    original: Mapping[str, FieldValue],
) -> tuple[str, Fields, Fields]:
    """Return the action that reverts an agent's change, with fields before and after it; the agent `left` the
    fields as given, and they were `original` before."""
    if left.get(IN_STORE) is False:
        return "restore", {IN_STORE: False}, {IN_STORE: True}
    if left.get(IN_STORE) or (original.get("status") in planning.INACTIVE and "status" in left):
        after = planning.dismissal_fields(planning.adapter_class_of(store))
        return "dismiss", {name: getattr(row.memory, name) for name in after}, after
    adapter = ctx.adapter(store)
    names = [name for name in left if adapter is None or name in adapter.fields]
    if not names:
        return "edit", dict(left), {}
    return "edit", {name: left[name] for name in names}, {name: original.get(name) for name in names}
