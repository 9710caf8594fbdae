"""After a crash: settling orphaned intents (S-7)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Plan, WriteState
from memtui.workspace.changes import intents, wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.revert import entry
from memtui.workspace.changes.settlement import settle, settle_waiting
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import translate_errors, unwritable
from memtui.workspace.db.models import ItemBody, JournalEntry, OutboxEntry, Store
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import decode_body
from memtui.workspace.journal.wording import partly_done
from memtui.workspace.mirror import memory_rows

# Joins of the outbox with the journal: a bulk verb that was cut off has thousands of intents.
_INTENDED = (
    "SELECT o.item_id, o.store_id, o.plan, o.lease, o.token, i.journal_id, i.memory_id "
    "FROM outbox o JOIN journal_items i ON i.id = o.item_id WHERE o.state = 'intended' ORDER BY o.item_id"
)
_OPEN = (
    "SELECT o.item_id, o.store_id, o.plan, o.lease, o.token, i.journal_id, i.memory_id, o.state "
    "FROM outbox o JOIN journal_items i ON i.id = o.item_id "
    "WHERE i.journal_id = ? AND o.state IN ('waiting', 'intended') ORDER BY o.item_id"
)
# Another store has its part of an all-or-nothing entry already.
_BEGUN = (
    "SELECT 1 FROM outbox o JOIN journal_items i ON i.id = o.item_id JOIN item_states st "
    "ON st.item_id = i.id WHERE i.journal_id = ? AND o.state = 'done' AND st.undone_by IS NULL "
    "AND json_extract(o.plan, '$.whole') LIMIT 1"
)
# How many of these items remove the original of a move whose copy is in its store.
_COPIED = (
    "SELECT count(*) FROM journal_items i JOIN item_states copy ON copy.item_id = i.pair "
    "WHERE i.id IN (SELECT value FROM json_each(?)) AND copy.state = 'done' AND copy.undone_by IS NULL"
)
# A store that comes before this one in the entry is not settled yet.
_BLOCKED = (
    "SELECT 1 FROM outbox o JOIN journal_items i ON i.id = o.item_id WHERE i.journal_id = ? "
    "AND o.state = 'intended' AND o.store_id <> ? AND o.item_id < ? LIMIT 1"
)
_UNDOES = (
    "SELECT older.id FROM journal j JOIN journal_items older "
    "ON older.journal_id = j.undoes AND older.memory_id = ? WHERE j.id = ?"
)
# How many memories were done, and of how many: a move has two items, and its second one is the last.
_DONE = (
    "SELECT coalesce(sum(st.state = 'done' AND (i.pair IS NOT NULL OR NOT EXISTS "
    "(SELECT 1 FROM journal_items p WHERE p.pair = i.id))), 0), count(*) - count(i.pair) "
    "FROM journal_items i JOIN item_states st ON st.item_id = i.id WHERE i.journal_id = ?"
)
_DAMAGED = "damaged-entry"
# The store cannot be read now: its intents stay open.
_RETRYABLE = ("missing", "busy", "io", "read-only", "unreadable", "damaged", "changed")

_Report: TypeAlias = Callable[[str], str]
"""Returns the sentence about a change that was cut off, given its summary."""


@dataclass(frozen=True, slots=True)
class _Intent:
    """An open row of the outbox, with the entry and the memory of its journal item."""

    item_id: int
    store_id: int
    plan: str
    lease: str
    token: str
    entry_id: int
    memory_id: int
    state: str = "intended"


def reconcile(ctx: Context) -> list[str]:
    """Settle orphaned intents: finish what was written, report what was not (S-7).

    These are the intents of dead processes, and of this one: the caller holds `ctx.writing`, so none is under
    way. Return a sentence for each change.
    """
    if not ctx.db.rows(_INTENDED):
        return []
    groups: dict[tuple[int, str], list[_Intent]] = {}
    try:
        with translate_errors(ctx.path):
            orphans = _take_over(ctx)
    except (Refused, OSError) as error:  # the workspace can still be read
        return [wording.none_settled_yet(unwritable(error))]
    for intent in orphans:
        groups.setdefault((intent.store_id, intent.token), []).append(intent)
    reports = [
        (group[0].entry_id, _reconcile_store(ctx, store_id, token, group))
        for (store_id, token), group in groups.items()
    ]
    ctx.leases.sweep()
    # Several stores of one change may have the same to tell.
    return list(dict.fromkeys(report(_summary(ctx, entry_id)) for entry_id, report in reports))


def _summary(ctx: Context, entry_id: int) -> str:
    """Return what an entry says was requested, and how much of it was done if that is a part."""
    entry = ctx.db.find(JournalEntry, entry_id)
    if entry is None:
        return wording.A_CHANGE
    ((done, total),) = ctx.db.rows(_DONE, (entry_id,))
    return partly_done(entry.summary, done, total) if 0 < done < total else str(entry.summary)


def _take_over(ctx: Context) -> list[_Intent]:
    """Return the intents without a living owner, after putting them under this process's lease, so that
    another memtui that starts now leaves them alone."""
    own = ctx.leases.own()
    with ctx.db.atomic():
        intended = [_Intent(*row) for row in ctx.db.rows(_INTENDED)]
        orphans = [each for each in intended if each.lease == own or not ctx.leases.is_held(each.lease)]
        ctx.db.update_many(OutboxEntry, ("lease",), ("item_id",), [(own, each.item_id) for each in orphans])
    return orphans


def _reconcile_store(ctx: Context, store_id: int, token: str, group: Sequence[_Intent]) -> _Report:
    entry_id = group[0].entry_id
    found = store_rows.find(ctx.db, store_id)
    store = found or _lost_store(store_id)
    items = [ChangeItem(None, store, {}, {}, item_id=x.item_id, memory_id=x.memory_id) for x in group]
    resumed = False
    try:
        adapter = ctx.adapter(store) if found is not None else None
        items, plans = _load_items(ctx, adapter, store, group)
        if adapter is None or not plans:
            raise wording.entry_damaged(_DAMAGED)
        state = adapter.write_state(plans, token)
        if items[0].all_or_nothing and state is WriteState.BEFORE and _is_blocked(ctx, group[0]):
            return partial(wording.not_settled_yet, reason=wording.OTHER_STORE_FIRST)
        resumed = state is WriteState.BEFORE and _follows(ctx, entry_id, group)
        if state in (WriteState.AFTER, WriteState.PARTLY) or resumed:
            receipt = adapter.apply(plans, token) if resumed else adapter.finish(plans, token)
            with ctx.db.atomic():
                settle(ctx, store_id, entry_id, items, receipt)
                settle_waiting(ctx, entry_id, _waiting_items(ctx, entry_id))
            return wording.finished
        reason = wording.NOT_WRITTEN if state is WriteState.BEFORE else wording.CHANGED_AFTER_CRASH
    except Exception as error:  # an error in one store must not keep the workspace from opening
        stale = resumed and isinstance(error, Refused) and error.code == "changed"
        if not stale and (not isinstance(error, Refused) or error.code in _RETRYABLE):
            return partial(wording.not_settled_yet, reason=str(error))
        reason = wording.store_unreadable(str(error))
        if isinstance(error, Refused) and error.code == _DAMAGED:
            reason = wording.write_undeterminable(str(error))
    if items[0].all_or_nothing:
        try:
            entry.roll_back(ctx, entry_id)
        except (Refused, OSError) as error:
            reason = wording.not_rolled_back(reason, str(error))
    others = _open_items(ctx, entry_id) if items[0].all_or_nothing else []
    with ctx.db.atomic():
        intents.close(ctx, "failed", [(item, reason) for item in (*items, *others)])
    if not items[0].all_or_nothing and ctx.db.rows(_DONE, (entry_id,))[0][0]:
        return wording.done_in_part
    return partial(wording.not_done, reason=reason)


def _follows(ctx: Context, entry_id: int, group: Sequence[_Intent]) -> bool:
    """Return whether a write that did not begin is done now: another store has its part of an all-or-nothing
    entry, or the copies of a move, whose originals would else be in both stores."""
    ids = json.dumps([each.item_id for each in group])
    return ctx.db.one(_BEGUN, (entry_id,)) is not None or ctx.db.one(_COPIED, (ids,)) == len(group)


def _load_items(
    ctx: Context, adapter: Adapter | None, store: StoreRow, group: Sequence[_Intent]
) -> tuple[list[ChangeItem], list[Plan]]:
    """Return the items of one store with their plans; raise Refused if the entry is damaged."""
    try:
        items = [_load_item(ctx, adapter, store, intent) for intent in group]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise wording.entry_damaged(_DAMAGED) from error
    return items, [item.plan for item in items if item.plan is not None]


def _is_blocked(ctx: Context, intent: _Intent) -> bool:
    found: object = ctx.db.one(_BLOCKED, (intent.entry_id, intent.store_id, intent.item_id))
    return found is not None


def _waiting_items(ctx: Context, entry_id: int) -> list[ChangeItem]:
    """Return what memtui alone keeps of an all-or-nothing entry, once all its stores have their part."""
    found = [_Intent(*row) for row in ctx.db.rows(_OPEN, (entry_id,))]
    if any(intent.state == "intended" for intent in found):
        return []
    stores = {intent.store_id: store_rows.get(ctx.db, intent.store_id) for intent in found}
    return [
        _load_item(ctx, _adapter_or_none(ctx, stores[intent.store_id]), stores[intent.store_id], intent)
        for intent in found
    ]


def _open_items(ctx: Context, entry_id: int) -> list[ChangeItem]:
    """Return the open items of an all-or-nothing entry of which one store refused its part, only as far as is
    needed to close them, whatever their entries contain."""
    stores = store_rows.by_id(ctx.db)
    found = [_Intent(*row) for row in ctx.db.rows(_OPEN, (entry_id,))]
    return [
        ChangeItem(
            None,
            stores.get(each.store_id) or _lost_store(each.store_id),
            {},
            {},
            item_id=each.item_id,
            memory_id=each.memory_id,
        )
        for each in found
    ]


def _lost_store(id: int) -> StoreRow:
    """Return a stand-in for a store whose row is lost, so that its open items can be closed."""
    return Store(id=id, name=f"lost-{id}", format="lost", path="")


def _adapter_or_none(ctx: Context, store: StoreRow) -> Adapter | None:
    try:
        return ctx.adapter(store)
    except Refused:
        return None


def _load_item(ctx: Context, adapter: Adapter | None, store: StoreRow, intent: _Intent) -> ChangeItem:
    body = ctx.db.find(ItemBody, intent.item_id)
    data = json.loads(intent.plan)
    rows = memory_rows.load(ctx.db, [intent.memory_id])
    exists = bool(rows) and (bool(rows[0].memory.ref) or rows[0].moved is not None)
    undoes = ctx.db.one(_UNDOES, (intent.memory_id, intent.entry_id))
    return ChangeItem(
        row=rows[0] if exists else None,
        store=store,
        before=decode_body(body.before) if body else {},
        after=decode_body(body.after) if body else {},
        local_fields=decode_body(json.dumps(data["ours"])),
        stored_fields=decode_body(json.dumps(data["said"])),
        adapter=adapter,
        plan=adapter.load_plan(data) if adapter is not None and "ref" in data else None,
        all_or_nothing=bool(data.get("whole")),
        undoes_item=undoes,
        item_id=intent.item_id,
        memory_id=intent.memory_id,
    )
