"""Bringing what a write left in a store into the mirror and the journal (S-7).

Statements take many rows at once, and reads use `json_each`: a bulk verb has thousands of items.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.formats.contract.plans import Receipt
from memtui.values import FieldValue
from memtui.workspace.changes import verdict_rows, wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import NATIVE
from memtui.workspace.db.models import ItemState, Memory, OutboxEntry, Store
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries, removals
from memtui.workspace.journal.items import (
    IN_STORE,
    PSEUDO_FIELDS,
    RELATION,
    RELATION_OVERRIDES,
    RELATIONS,
    VERDICT,
)
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.sync import news

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def apply_local(ctx: Context, entry_id: int, items: Sequence[ChangeItem]) -> None:
    """Set what memtui alone keeps of these items in the mirror, once they are journaled as done."""
    kept = {item.memory_id: item.row.kept if item.row is not None else {} for item in items}
    _apply_local_fields(ctx, items, kept)
    removed = [
        (None if item.local_fields[IN_STORE] else ctx.clock(), item.memory_id)
        for item in items
        if IN_STORE in item.local_fields
    ]
    ctx.db.update_many(Memory, ("removed_at",), ("id",), removed)
    _mark_undone(ctx, entry_id, items)
    removals.set_times(ctx.db, [id for time, id in removed if time is not None])


def _mark_undone(ctx: Context, entry_id: int, items: Iterable[ChangeItem]) -> None:
    """Mark what these items of an entry undo as undone."""
    for item in items:
        if item.undoes_item is not None:
            toggle_undone(ctx, item.undoes_item, entry_id, item.item_id)


def _apply_local_fields(
    ctx: Context, items: Sequence[ChangeItem], kept: Mapping[int, Mapping[str, FieldValue]]
) -> None:
    """Set the local fields except whether a memory is in its store; `kept` are those of each so far."""
    db = ctx.db
    changes: list[memory_rows.LocalChange] = []
    for item in items:
        values = {name: value for name, value in item.local_fields.items() if name not in PSEUDO_FIELDS}
        if values:
            stored = None if item.store.format == NATIVE else item.stored_fields
            changes.append((item.memory_id, values, kept[item.memory_id], stored))
    memory_rows.set_local_fields(db, changes)
    for item in items:
        id, local = item.memory_id, item.local_fields
        if RELATION in local:
            memory_rows.swap_local_relation(db, id, item.before.get(RELATION), local[RELATION])
        if RELATIONS in local:
            for relation in item.before.get(RELATIONS) or ():
                memory_rows.swap_local_relation(db, id, relation, None)
            for relation in local[RELATIONS] or ():
                memory_rows.swap_local_relation(db, id, None, relation)
        if RELATION_OVERRIDES in local:
            removed, added = item.before.get(RELATION_OVERRIDES) or (), local[RELATION_OVERRIDES] or ()
            relation_overrides.swap(db, item.store.id, removed, added)
        if VERDICT in local:
            verdict_rows.swap(ctx, item.item_id, item.before.get(VERDICT), local[VERDICT])


def settle(ctx: Context, store_id: int, entry_id: int, group: Sequence[ChangeItem], receipt: Receipt) -> None:
    """Bring one store's receipt into the mirror and mark its items as done; the second transaction."""
    db, store = ctx.db, group[0].store
    db.write(Store.update(epoch=Store.epoch + 1).where(Store.id == store_id))
    news.absorb_concurrent(ctx, store, receipt, {item.memory_id for item in group})
    removed = _rows_removed_with(ctx, store_id, group, receipt)
    units = memory_rows.units_of(db, [*removed, *(item.memory_id for item in group)])
    units |= {record.unit for record in receipt.records}
    _mark_out_of_store(ctx, [i for i in group if i.plan is not None and i.plan.ref_after is None])
    displaced = memory_rows.rename_refs(db, store_id, receipt.renamed, ctx.clock())
    missing, more_displaced = _set_refs(ctx, store_id, group, receipt)
    displaced += more_displaced
    units_updated, renamed = _update_rows(ctx, store_id, store, receipt)
    units |= units_updated
    for item in missing:
        # Its entity exists again because an observation was added, or another program removed it.
        _drop_row(ctx, item.memory_id)
        if "content" in item.after:  # of the bare entity that gave way to that observation
            content = [(str(item.after["content"] or ""), item.memory_id)]
            ctx.db.update_many(Memory, ("content",), ("id",), content)
    for id in removed:
        _drop_row(ctx, id)
    removed_unseen = {item.memory_id for item in missing if _was_removed_before(item, receipt)}
    _journal_removed(ctx, store, removed_unseen | _without_ref(ctx, set(displaced) - removed))
    if receipt.links is not None:
        relation_overrides.follow_renames(db, store_id, receipt.links, renamed)
        units |= memory_rows.set_relations(db, store_id, None, receipt.links)
    if receipt.side_records is not None:
        units |= memory_rows.set_side_records(db, store_id, None, receipt.side_records)
    memory_rows.invalidate_units(db, store_id, units)
    _mark_done(ctx, entry_id, group)


def settle_waiting(ctx: Context, entry_id: int, items: Sequence[ChangeItem]) -> None:
    """Carry out what memtui alone keeps, once the write that it depends on was settled."""
    waiting = [(item.item_id, "waiting") for item in items]
    ctx.db.delete_many(OutboxEntry, ("item_id", "state"), waiting)
    done = [("done", "", item.item_id) for item in items]
    ctx.db.update_many(ItemState, ("state", "why"), ("item_id",), done)
    apply_local(ctx, entry_id, items)


def _rows_removed_with(
    ctx: Context, store_id: int, group: Sequence[ChangeItem], receipt: Receipt
) -> set[int]:
    """Return the rows whose records left the store although no item is about them.

    Read before a row takes another's ref, since equal texts are renumbered.
    """
    rows = ctx.db.rows(
        "SELECT id FROM memories WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))",
        (store_id, json.dumps(receipt.removed_refs)),
    )
    return {row[0] for row in rows} - {item.memory_id for item in group}


def _mark_out_of_store(ctx: Context, leaving: Sequence[ChangeItem]) -> None:
    """Mark the rows of memories that left their store."""
    db = ctx.db
    moved = [(None, item.item_id, item.memory_id) for item in leaving]
    db.update_many(Memory, ("ref", "moved"), ("id",), moved)
    gone = [(ctx.clock(), item.memory_id) for item in leaving if _is_removed_by(item)]
    db.update_many(Memory, ("removed_at",), ("id",), gone)
    dismissed = [("dismissed", item.memory_id) for item in leaving if item.after.get(IN_STORE) is not False]
    db.update_many(Memory, ("status",), ("id",), dismissed)


def _set_refs(
    ctx: Context, store_id: int, group: Sequence[ChangeItem], receipt: Receipt
) -> tuple[list[ChangeItem], list[int]]:
    """Give rows the refs that their plans predict.

    Return the items whose memory is not in the store, although their entity was changed, and the rows that
    lost their ref to another.
    """
    db = ctx.db
    present = {record.ref for record in receipt.records}
    missing: list[ChangeItem] = []
    displaced: list[int] = []
    staying = [
        (item, item.plan.ref_after)
        for item in group
        if item.plan is not None and not _stays_out_of_store(item)
    ]
    refs = memory_rows.refs_of(db, [item.memory_id for item, ref in staying if ref is not None])
    reassigned: set[str] = set()
    for item, ref in staying:
        if ref is None:
            continue
        current = refs[item.memory_id] if refs[item.memory_id] not in reassigned else None
        if ref not in present:
            if current in present:
                continue  # another program reworded it meanwhile, and its row continues as that
            missing.append(item)
        if current != ref:
            displaced += memory_rows.free_ref(db, store_id, ref, ctx.clock())
            db.update_many(Memory, ("ref",), ("id",), [(ref, item.memory_id)])
            reassigned.add(ref)
    return missing, displaced


def _update_rows(
    ctx: Context, store_id: int, store: StoreRow, receipt: Receipt
) -> tuple[set[str], dict[str, str]]:
    """Update and insert the rows of the receipt's records; return the units of those that existed, and the
    anchors that changed (old → new)."""
    db = ctx.db
    sql = (
        "SELECT ref, id, kept, anchor, unit FROM memories "
        "WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))"
    )
    refs = json.dumps(list({record.ref for record in receipt.records}))
    rows = {row[0]: row[1:] for row in db.rows(sql, (store_id, refs))}
    units: set[str] = {row[-1] for row in rows.values()}
    known = [record for record in receipt.records if record.ref in rows]
    renamed = {rows[r.ref][2]: r.anchor for r in known if rows[r.ref][2] != r.anchor}
    memory_rows.update(db, [(rows[r.ref][0], r, json.loads(rows[r.ref][1])) for r in known])
    added = [record for record in receipt.records if record.ref not in rows]
    memory_rows.insert(db, store_id, store.format, store.path, added, ctx.clock())
    return units, renamed


def _mark_done(ctx: Context, entry_id: int, group: Sequence[ChangeItem]) -> None:
    db = ctx.db
    done = [("done", item.item_id) for item in group]
    db.update_many(ItemState, ("state",), ("item_id",), done)
    db.update_many(OutboxEntry, ("state",), ("item_id",), done)
    by_id = {item.memory_id: item for item in group}
    sql = "SELECT id, kept FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    kept = {id: json.loads(text) for id, text in db.rows(sql, (json.dumps(list(by_id)),))}
    _apply_local_fields(ctx, list(by_id.values()), kept)
    _mark_undone(ctx, entry_id, by_id.values())
    removals.set_times(db, [item.memory_id for item in group if _is_removed_by(item)])


def _is_removed_by(item: ChangeItem) -> bool:
    """Return whether a write took a memory out of its store other than by a dismissal."""
    return item.plan is not None and item.plan.ref_after is None and item.after.get(IN_STORE) is False


def _stays_out_of_store(item: ChangeItem) -> bool:
    """Return whether an item changes only the entity of a memory that is out of the store, and leaves the
    memory out."""
    out = item.row is not None and item.row.moved is not None
    return out and item.plan is not None and item.plan.ref is not None


def _was_removed_before(item: ChangeItem, receipt: Receipt) -> bool:
    """Return whether another program had removed a memory before this change of its entity, unseen by any
    pull."""
    if item.row is None or item.plan is None or item.row.removed_at is not None:
        return False
    ref = item.plan.ref or item.plan.ref_after
    return receipt.refs_before is not None and ref not in receipt.refs_before


def _without_ref(ctx: Context, displaced: Iterable[int]) -> set[int]:
    """Return those of these rows that got no other ref."""
    sql = (
        "SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?)) "
        "AND ref IS NULL AND moved IS NULL"
    )
    return {row[0] for row in ctx.db.rows(sql, (json.dumps(list(displaced)),))}


def _journal_removed(ctx: Context, store: StoreRow, ids: Iterable[int]) -> None:
    """Journal what another program had removed, which was found only by this change."""
    items = [(id, {IN_STORE: True}, {IN_STORE: False}) for id in sorted(ids)]
    if items:
        summary = wording.removed_by_others(store.name, len(items))
        entries.add(ctx, f"sync:{store.name}", entries.PULLED, summary, items)
        removals.set_times(ctx.db, [id for id, _, _ in items])


def _drop_row(ctx: Context, id: int) -> None:
    """Delete the row of a record that left along with others (an entity's bare line). One with a history
    keeps its ref, by which it is recognized if the record returns."""
    # Two columns of one row each, without a model instance: it runs once per removed record.
    journaled = ctx.db.one("SELECT 1 FROM journal_items WHERE memory_id = ?", (id,))
    if journaled or ctx.db.one("SELECT kept FROM memories WHERE id = ?", (id,)) != "{}":
        ctx.db.update_many(Memory, ("removed_at",), ("id",), [(ctx.clock(), id)])
    else:
        ctx.db.delete_many(Memory, ("id",), [(id,)])


# The item that an item undid, if any: a join over the journal, run once per item.
_OLDER = (
    "SELECT older.id FROM journal_items i JOIN journal j ON j.id = i.journal_id "
    "JOIN journal_items older ON older.journal_id = j.undoes AND older.memory_id = i.memory_id "
    "WHERE i.id = ?"
)


def toggle_undone(ctx: Context, item_id: int, entry_id: int, by: int) -> None:
    """Mark an item as undone by an entry, by its item `by`.

    What the item had undone is in effect again, and so on along the chain.
    """
    db = ctx.db
    undone = True
    current: int | None = item_id
    while current is not None:
        if undone:
            # A redo that had carried it out is undone with it.
            effective = db.one("SELECT effective_item FROM item_states WHERE item_id = ?", (current,))
            ids = dict.fromkeys(id for id in (current, effective) if id is not None)
            db.update_many(ItemState, ("undone_by",), ("item_id",), [(entry_id, id) for id in ids])
        else:
            values = [(None, by, current)]
            db.update_many(ItemState, ("undone_by", "effective_item"), ("item_id",), values)
        undone = not undone
        current = db.one(_OLDER, (current,))
