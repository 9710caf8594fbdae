"""From a change of fields to a plan of bytes: what the store itself holds, and what memtui keeps (SPEC 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.contract.adapter import Adapter, Support, SupportKind
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Record
from memtui.formats.media.files import atomic_write
from memtui.memory.lifecycles.confirmation import status_by_numbers
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import native_store, prior_writes, renames, wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.removal import FORGET, forget_support, removal_write
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import IN_STORE, PSEUDO_FIELDS, RELATION, decode_body, load_plan
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog

_LOCAL_ONLY = {"ties", "superseded_by"}  # fields that no store holds
INACTIVE = ("dismissed", "superseded", "expired")  # the statuses that restore ends

AdapterClass: TypeAlias = type[Adapter]
FieldChange: TypeAlias = Callable[[MirrorRow, AdapterClass | None], Mapping[str, FieldValue]]
"""Returns the fields that a verb sets in a memory, in a store of a format."""

# The newest entry that put a memory out of use and is in effect. One query over the journal of a memory.
_LEFT_BY = (
    "SELECT b.before FROM journal_items i JOIN bodies b ON b.item_id = i.id "
    "JOIN item_states st ON st.item_id = i.id JOIN journal j ON j.id = i.journal_id "
    "WHERE i.memory_id = ? AND st.state = 'done' AND st.undone_by IS NULL "
    "AND (j.kind IN ('dismissed', 'superseded', 'decayed') "
    "OR (j.kind = 'resolved' AND json_valid(b.after) AND json_type(b.after, '$.status') IS NOT NULL) "
    # An agent's addition that was undone, or a restoration.
    "OR (j.kind = 'undone' AND json_valid(b.after) AND b.after ->> '$.status' = 'dismissed')) "
    "ORDER BY i.id DESC LIMIT 1"
)


def blocked_reason(ctx: Context, action: str, row: MirrorRow, store: StoreRow) -> str:
    """Return why `action` cannot be done on this memory of `store` now; "" if it can."""
    memory = row.memory
    if ctx.read_only:
        return ctx.read_only
    # A snooze is a note of memtui's own, and says nothing about the memory.
    if action not in ("snooze", "wake") and (reason := catalog.locked_reason(store)):
        return reason
    if not row.shown:
        return wording.store_detached(memory.store)
    if action == "pin":
        return wording.ALREADY_PINNED if memory.pinned else ""
    if action in ("unpin", "reason"):
        return "" if memory.pinned else wording.NOT_PINNED
    if action == "wake":
        return "" if memory.snoozed_until is not None else wording.NOT_SNOOZED
    if action == "restore":
        restorable = memory.status in INACTIVE or row.removed_at is not None
        return "" if restorable else wording.NOTHING_TO_RESTORE
    if row.removed_at is not None:
        return wording.NOT_IN_STORE
    adapter_class = adapter_class_of(store)
    asked = "edit" if action == "split" else action
    if adapter_class is not None and (reason := adapter_class.refusal_reason(asked, memory.kind)):
        return reason
    if action == "dismiss":
        dismissed = memory.status in ("dismissed", dismissal_fields(adapter_class)["status"])
        return wording.already(memory.status) if dismissed else ""
    if row.moved is not None:
        return wording.TAKEN_OUT
    if action in ("confirm", "supersede", "copy", "split") and memory.status in INACTIVE:
        return wording.restore_first(memory.status)
    return ""


def support(adapter: Adapter | None, action: str, name: str = "", kind: str = "item") -> Support:
    """Return what `action` does to a memory of this kind and where (S-8)."""
    if adapter is None:
        return native_store.support_for(action, name)
    if action in ("snooze", "wake", "reason"):
        return Support.by_memtui(wording.KEPT_IN_MEMTUI)
    if action == FORGET:
        return forget_support(adapter)
    if action in ("pin", "unpin") and "pinned" not in adapter.fields_of(kind):
        if "pinned" in adapter.fields:
            return Support.by_memtui(wording.KEPT_IN_MEMTUI)
        return adapter.support_for(action)
    return adapter.support_for(action, name)


def adapter_class_of(store: StoreRow) -> AdapterClass | None:
    """Return the format of a store; None for memtui's own."""
    return None if store.format == NATIVE else registry.by_name(store.format)


def dismissal_fields(adapter_class: AdapterClass | None) -> Fields:
    """Return the fields of a dismissed memory in a store of this format."""
    return {"status": "dismissed"} if adapter_class is None else dict(adapter_class.dismissal)


def restored_fields(ctx: Context, row: MirrorRow, adapter_class: AdapterClass | None) -> Fields:
    """Return the fields of a memory before it was dismissed or superseded, with the status that its numbers
    give if that is not known."""
    memory = row.memory
    found = ctx.db.rows(_LEFT_BY, (row.id,))
    fields = decode_body(found[0][0]) if found else {}
    fields = {name: value for name, value in fields.items() if name not in PSEUDO_FIELDS}
    if not fields.get("status"):
        # In a format without a status, all that is not dismissed counts as confirmed.
        status = status_by_numbers(memory.confidence, memory.times_confirmed)
        known = adapter_class is None or status in adapter_class.statuses
        fields["status"] = status if known else "confirmed"
    if memory.superseded_by is not None:
        fields["superseded_by"] = None
    if adapter_class is None and memory.status == "expired":  # else the next decay run would expire it again
        fields["last_confirmed_at"] = ctx.clock()
        if memory.expires_at is not None and memory.expires_at <= ctx.clock():
            fields["expires_at"] = None
    return fields


def changed_fields(row: MirrorRow, fields: Mapping[str, FieldValue]) -> Fields:
    """Return those of `fields` that differ from the memory's."""
    return {n: v for n, v in fields.items() if n == IN_STORE or getattr(row.memory, n) != v}


def group_by_store(items: Sequence[ChangeItem]) -> list[list[ChangeItem]]:
    """Return the items of each store, in order of first appearance."""
    groups: dict[int, list[ChangeItem]] = {}
    for item in items:
        groups.setdefault(item.store.id, []).append(item)
    return list(groups.values())


def prepare(ctx: Context, actions: Sequence[str], group: Sequence[ChangeItem]) -> None:
    """Split the fields of one store's items into the store's own and those that memtui keeps, and plan the
    store's."""
    written = split_fields(ctx, actions, group)
    adapter = group[0].adapter
    if adapter is None or not written:
        return
    returning = [i for action, i in written if action == "restore" and i.row and i.row.moved is not None]
    ids_returning = set(map(id, returning))
    planned = [(action, item) for action, item in written if id(item) not in ids_returning]
    results: list[Plan | Refused] = []
    try:
        refs = [item.row.memory.ref for _, item in planned if item.row and IN_STORE in item.after]
        existing = adapter.read_refs(refs) if refs else {}
        if planned:
            writes = [build_write(ctx, adapter, action, item, existing) for action, item in planned]
            results += adapter.plan(writes)
        if returning:
            results += adapter.reverse(_removal_plans(ctx, adapter, returning))
    except Refused as refusal:
        results = [refusal for _ in written]
    except OSError as error:
        results = [atomic_write.refusal(error) for _ in written]
    set_results([*(item for _, item in planned), *returning], results)


def split_fields(
    ctx: Context, actions: Sequence[str], group: Sequence[ChangeItem]
) -> list[tuple[str, ChangeItem]]:
    """Give one store's items their adapter and the fields that memtui keeps; return those that the store is
    to hold more of, each with the action as the store does it."""
    try:
        adapter = ctx.adapter(group[0].store)
    except Refused as refusal:
        for item in group:
            item.refused = refusal
        return []
    written: list[tuple[str, ChangeItem]] = []
    for action, item in zip(actions, group, strict=True):
        item.adapter = adapter
        action = effective_action(adapter, action, item)
        in_store = store_fields(adapter, action, item)
        item.local_fields = {name: value for name, value in item.after.items() if name not in in_store}
        if in_store:
            written.append((action, item))
    return written


def plan_writes(adapter: Adapter, items: Sequence[ChangeItem], writes: Sequence[Write]) -> None:
    """Plan one store's items, each by its write; if the store cannot be read, all are refused."""
    results: Sequence[Plan | Refused]
    try:
        results = adapter.plan(writes)
    except Refused as refusal:
        results = [refusal for _ in items]
    except OSError as error:
        results = [atomic_write.refusal(error) for _ in items]
    set_results(items, results)


def set_results(items: Sequence[ChangeItem], results: Sequence[Plan | Refused]) -> None:
    """Give each item its plan, or why there is none."""
    for item, result in zip(items, results, strict=True):
        if isinstance(result, Plan):
            leaves = item.row is not None and item.after.get(IN_STORE) is False
            item.plan = replace(result, ref_after=None) if leaves else result
        else:
            item.refused = result


def store_fields(adapter: Adapter | None, action: str, item: ChangeItem) -> set[str]:
    """Return the names of the fields that the change sets in the store itself."""
    fields = item.after
    if adapter is None:
        return set()
    if RELATION in fields:  # without a link, memtui keeps it
        return {RELATION} if item.link is not None else set()
    if action in ("dismiss", "restore", "supersede", FORGET):
        in_store = IN_STORE in fields or _is_supported(adapter, action)
        return set(fields) - _LOCAL_ONLY if in_store else set()
    can = adapter.fields_of(item.row.memory.kind if item.row is not None else "item")
    return {name for name in fields if name in can}


def effective_action(adapter: Adapter | None, action: str, item: ChangeItem) -> str:
    """Return the action as the store does it: a superseded memory is dismissed where the format has no
    supersession, or the store does not have the memory that supersedes it."""
    supported = adapter is None or (item.link is not None and _is_supported(adapter, action))
    return "dismiss" if action == "supersede" and not supported else action


def _is_supported(adapter: Adapter, action: str) -> bool:
    return adapter.support_for(action).kind is not SupportKind.WORKSPACE


def build_write(
    ctx: Context, adapter: Adapter, action: str, item: ChangeItem, existing: Mapping[str, Record]
) -> Write:
    """Return what to request of the store; `existing` are its records, by ref, of memories to be put back."""
    assert item.row is not None
    memory = item.row.memory
    if item.after.get(IN_STORE) is False:
        return removal_write(ctx, adapter, item.row, action, with_entity=item.with_entity)
    if IN_STORE in item.after and memory.ref not in existing:
        # Another program removed it as a whole: it is added again.
        names = adapter.fields | adapter.restorable_fields
        values = {name: getattr(memory, name) for name in names if getattr(memory, name) is not None}
        return Write("add", "", {"title": memory.title, **values}, {}, ctx.clock())
    skipped = {*item.local_fields, IN_STORE, RELATION}
    fields = {name: value for name, value in item.after.items() if name not in skipped}
    seen = {name: item.before[name] for name in fields}
    if action == "dismiss" and adapter.support_for(action).kind is SupportKind.MOVED:
        # The whole memory is removed, so all of its text must be as it was read.
        seen = {name: getattr(memory, name) for name in adapter.fields & {"content", "title"}}
    return Write(
        action,
        memory.ref,
        fields,
        seen,
        ctx.clock(),
        item.link,
        ctx.actor,
        previous_link=item.previous_link,
    )


def _removal_plans(ctx: Context, adapter: Adapter, items: Sequence[ChangeItem]) -> list[Plan]:
    """Return the plans that took these memories out of their store, by today's names of their entities."""
    rows = [item.row for item in items if item.row is not None]
    item_ids = [row.moved for row in rows if row.moved is not None]
    prior = prior_writes.load(ctx, items[0].store, adapter, {item_id: item_id for item_id in item_ids})
    plans: list[Plan] = []
    for item_id in item_ids:  # a read per item: a bulk restore has thousands, and each returns one column
        text = ctx.db.one("SELECT plan FROM outbox WHERE item_id = ?", (item_id,))
        if text is None:
            raise wording.text_purged()
        plans.append(adapter.with_prior_writes(load_plan(adapter, text), prior))
    return renames.with_current_names(ctx.db, adapter, plans, rows)
