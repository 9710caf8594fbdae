"""What was changed since a change, so that it cannot be reverted now (S-51)."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.memory.memory import WRITTEN
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import prior_writes, wording_undo
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.history import VERBS
from memtui.workspace.journal.items import IN_STORE, PSEUDO_FIELDS
from memtui.workspace.mirror.memory_rows import MirrorRow

# What took the memory out of its store after an item, and after the one that carried it out last: not a merge
# that changed its text.
_REMOVED_LATER = (
    "SELECT j.kind FROM journal_items i JOIN journal j ON j.id = i.journal_id "
    "JOIN item_states st ON st.item_id = i.id JOIN outbox o ON o.item_id = st.effective_item "
    "WHERE i.memory_id = ? AND i.id > ? AND st.effective_item > ? AND st.state = 'done' "
    f"AND st.undone_by IS NULL AND j.kind IN {VERBS} "
    "AND o.plan ->> '$.ref' IS NOT NULL AND o.plan ->> '$.ref_after' IS NULL ORDER BY i.id DESC LIMIT 1"
)


def field_change(
    row: MirrorRow, left: Mapping[str, FieldValue], *, in_store: bool, store_fields: frozenset[str]
) -> str:
    """Return what differs from how a change `left` these fields; "" if nothing does.

    If the change was written to the store (`in_store`), its adapter judges the `store_fields`.
    """
    for name, value in left.items():
        if name == IN_STORE:
            if value != (row.removed_at is None):
                return wording_undo.MOVED_SINCE if value else wording_undo.IN_STORE_AGAIN
            continue
        if name in PSEUDO_FIELDS or (in_store and (name in store_fields or name == "status")):
            continue
        now = getattr(row.memory, name)
        if now != value and not (isinstance(now, dict) or isinstance(value, dict)):
            return wording_undo.field_changed(name)
    return ""


def later_edit(ctx: Context, row: MirrorRow, store: StoreRow, item_id: int) -> str:
    """Return why the memory cannot be removed again with `item_id`, which added it; the name of its entity
    does not count."""
    adapter = adapter_or_none(ctx, store)
    own = [name for name in WRITTEN if adapter is None or name not in adapter.entity_fields]
    later = prior_writes.values_before_later(ctx, row.id, item_id)
    return prior_writes.later_edit_reason(row.memory, later, own)


def relation_change(row: MirrorRow, left: Fields | None, wanted: Fields | None) -> str:
    """Return why a relation that memtui keeps cannot become as `wanted`; "" if it can.

    Either it is not as the change `left` it, or another change made the same one.
    """
    relations = row.memory.ties
    if left is not None and left not in relations:
        return wording_undo.RELATION_CHANGED
    others = [(relation["kind"], relation["to"]) for relation in relations if relation != left]
    if wanted is not None and (wanted["kind"], wanted["to"]) in others:
        return wording_undo.RELATED_OTHERWISE
    return ""


def not_put_back(ctx: Context, row: MirrorRow, item_id: int, effective_item: int) -> str:
    """Return why a memory that `item_id` removed from its store, carried out last by `effective_item`, cannot
    be put back now; "" if it can."""
    if row.moved is None:
        return wording_undo.IN_STORE_AGAIN
    kind = ctx.db.one(_REMOVED_LATER, (row.id, item_id, effective_item))
    if kind is None:
        return ""
    return wording_undo.TAKEN_OUT if kind in ("moved", "forgotten") else wording_undo.DISMISSED_AGAIN


def wrote_to_memory(item: ChangeItem) -> bool:
    """Return whether a change wrote to the memory itself, which stayed in the store, and not only to its
    entity."""
    plan, adapter = item.plan, item.adapter
    if plan is None or adapter is None or plan.ref_after is None:
        return False
    return plan.ref is None or not set(plan.changed_fields) <= set(adapter.entity_fields)


def stored_field_names(ctx: Context, store: StoreRow) -> frozenset[str]:
    """Return the fields that a store itself holds; none if it cannot be reached."""
    adapter = adapter_or_none(ctx, store)
    return frozenset() if adapter is None else adapter.fields | adapter.restorable_fields


def adapter_or_none(ctx: Context, store: StoreRow) -> Adapter | None:
    """Return the store's adapter; None for memtui's own store, and for one that cannot be reached."""
    try:
        return ctx.adapter(store)
    except Refused:
        return None
