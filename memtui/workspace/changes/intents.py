"""The journal items and intents of a change, as recorded before anything is written (S-7).

Statements take many rows at once: a bulk verb has thousands of items.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.memory.encoding import plain
from memtui.values import JsonObject, SqlRow
from memtui.workspace.changes import wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import group_by_store
from memtui.workspace.changes.settlement import apply_local
from memtui.workspace.context import NATIVE
from memtui.workspace.db.models import ItemState, Memory, OutboxEntry
from memtui.workspace.journal.items import IN_STORE, PSEUDO_FIELDS, Item, next_item, write_bodies, write_items
from memtui.workspace.mirror import memory_rows, uids

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_INTENT = ("item_id", "store_id", "plan", "state", "lease", "token")  # the columns of an open intent


def record(
    ctx: Context,
    entry_id: int,
    items: Sequence[ChangeItem],
    lease: str,
    token: str,
    later: Sequence[ChangeItem] = (),
) -> None:
    """Journal the items, and do all that memtui alone keeps; runs in the first transaction.

    Those of `later` are failed in advance, so that a stop or an interruption leaves them as they are; of a
    memory that one would add, nothing is kept until it is reached."""
    db = ctx.db
    first = next_item(db)
    for id, item in enumerate([*items, *later], first):
        item.item_id = id
    _reserve(ctx, [item for item in items if item.row is None])
    _reserve(ctx, [item for item in later if item.row is None])
    _insert_placeholders(ctx, items)
    for relation, added in [end for item in items for end in item.ends_added]:
        relation["to"] = added.uid
    journaled: list[Item] = []
    intents: list[SqlRow] = []
    done: list[ChangeItem] = []
    for item in items:
        if item.row is not None:
            item.memory_id, item.uid = item.row.id, item.row.memory.uid
        state, reason = _initial_state(item)
        journaled.append(_journaled(item, state, reason))
        if state == "intended":
            waiting = item.plan is None
            plan = json.dumps(_local_json(item)) if waiting else _plan_text(item)
            intents.append((item.item_id, item.store.id, plan, "waiting" if waiting else state, lease, token))
        elif state == "done":
            done.append(item)
    for item in later:
        if item.row is not None:
            item.memory_id, item.uid = item.row.id, item.row.memory.uid
        journaled.append(_journaled(item, "failed", wording.NOT_REACHED, bodiless=item.row is None))
    write_items(db, entry_id, journaled, first)
    db.insert_many(OutboxEntry, _INTENT, intents)
    apply_local(ctx, entry_id, [item for item in done if not _is_whole(item)])


def _journaled(item: ChangeItem, state: str, reason: str, *, bodiless: bool = False) -> Item:
    pair = item.counterpart.item_id or None if item.counterpart is not None else None
    what = (item.memory_id, item.uid, item.store.id, item.before, item.after)
    return Item(*what, state, reason, pair, bodiless)


def reach(ctx: Context, entry_id: int, items: Sequence[ChangeItem], lease: str, token: str) -> None:
    """Begin items that were journaled as `later`; runs in the first transaction of their part."""
    _insert_placeholders(ctx, items)
    write_bodies(ctx.db, [(item.item_id, item.before, item.after) for item in items if item.row is None])
    states: list[SqlRow] = []
    intents: list[SqlRow] = []
    done: list[ChangeItem] = []
    for item in items:
        state, reason = _initial_state(item)
        states.append((state, reason, item.item_id))
        if state == "intended":
            intents.append((item.item_id, item.store.id, _plan_text(item), state, lease, token))
        elif state == "done":
            done.append(item)
    ctx.db.update_many(ItemState, ("state", "why"), ("item_id",), states)
    ctx.db.insert_many(OutboxEntry, _INTENT, intents)
    apply_local(ctx, entry_id, [item for item in done if not _is_whole(item)])


def replace_plans(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Store the new plans of intents, and close those that cannot be planned any more."""
    refused = [
        (item, item.refused.message) for item in items if item.refused is not None and not item.all_or_nothing
    ]
    close(ctx, "refused", refused)
    plans = [(_plan_text(item), item.item_id) for item in items if item.refused is None]
    ctx.db.update_many(OutboxEntry, ("plan",), ("item_id",), plans)


def close(ctx: Context, state: str, closed: Sequence[tuple[ChangeItem, str]]) -> None:
    """Give items that were not carried out their final state, each with the reason; the rows that were made
    for added memories are deleted. Runs in the caller's transaction."""
    db = ctx.db
    db.update_many(
        ItemState, ("state", "why"), ("item_id",), [(state, reason, item.item_id) for item, reason in closed]
    )
    db.update_many(OutboxEntry, ("state",), ("item_id",), [(state, item.item_id) for item, _ in closed])
    added = [item.memory_id for item, _ in closed if item.row is None]
    if added:
        sql = (
            "SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?)) "
            "AND ref IS NULL AND moved IS NULL"
        )
        db.delete_many(Memory, ("id",), db.rows(sql, (json.dumps(added),)))


def _initial_state(item: ChangeItem) -> tuple[str, str]:
    """Return the state of an item before anything is written to a store, and why."""
    if item.is_waiting and item.depends_on is not None and item.depends_on.plan is not None:
        # Failed in advance, so that an interruption removes nothing that is not yet in the other store.
        # What is all or nothing is settled by reconcile.
        return ("intended", "") if item.all_or_nothing else ("failed", wording.ENDED_BEFORE)
    state = "refused" if item.refused else "intended" if item.plan else "done"
    return state, item.refused.message if item.refused else ""


def _reserve(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Give memories that are to be added the ids and uids that their rows get once they are: the journal
    names them, and no other memtui may take them meanwhile."""
    if not items:
        return
    db = ctx.db
    last = (
        db.one(
            "SELECT max(last) FROM (SELECT seq AS last FROM sqlite_sequence WHERE name = 'memories' "
            "UNION ALL SELECT max(id) FROM memories)"
        )
        or 0
    )
    for id, item in enumerate(items, last + 1):
        item.memory_id = id
    # SQLite's own table, with a row once there was a memory; it has no model.
    db.run(
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'memories', 0 "
        "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'memories')"
    )
    db.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'memories'", (last + len(items),))
    for group in group_by_store(items):
        store = group[0].store
        refs = [item.plan.ref_after if item.plan is not None else None for item in group]
        names = [ref if ref is not None else ctx.new_id() for ref in refs]
        wanted = [item.uid for item in group]
        free = uids.free_uids(db, store.format, names, store.path, wanted if any(wanted) else ())
        for item, uid in zip(group, free, strict=True):
            item.uid = uid


def _insert_placeholders(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Insert the rows of memories that are being added, marked as removed until they are in their store."""
    added = [item for item in items if item.row is None and item.refused is None]
    rows: list[SqlRow] = []
    whole: list[memory_rows.OwnRow] = []
    for item in added:
        now, ref = ctx.clock(), ctx.new_id() if item.plan is None else None
        if _is_whole(item):
            fields = {name: value for name, value in item.local_fields.items() if name != IN_STORE}
            whole.append(memory_rows.OwnRow(item.memory_id, item.uid, item.store.id, str(ref), now, fields))
            continue
        content = item.after.get("content", "")
        rows.append((item.memory_id, item.uid, item.store.id, ref, now, now, content))
    names = ("id", "uid", "store_id", "ref", "seen_at", "removed_at", "content")
    ctx.db.insert_many(Memory, names, rows)
    memory_rows.insert_own(ctx.db, whole)
    for item in added:
        if not _is_whole(item):
            memory_rows.rehash(ctx.db, item.memory_id)


def _is_whole(item: ChangeItem) -> bool:
    """Return whether an added memory is in memtui's own store with all that is said of it once its row is
    inserted: thousands come in at once."""
    return (
        (item.row is None and item.adapter is None and item.store.format == NATIVE)
        and (item.refused is None and item.depends_on is None and item.undoes_item is None)
        and item.local_fields.get(IN_STORE) is True
        and item.local_fields.keys() & PSEUDO_FIELDS == {IN_STORE}
    )


def _plan_text(item: ChangeItem) -> str:
    assert item.adapter is not None
    assert item.plan is not None
    return json.dumps(item.adapter.dump_plan(item.plan) | _local_json(item))


def _local_json(item: ChangeItem) -> JsonObject:
    """Return what `reconcile` needs of an item in addition to its plan; the keys are on disk."""
    return {
        "ours": plain(item.local_fields),
        "said": plain(item.stored_fields),
        "whole": item.all_or_nothing,
    }
