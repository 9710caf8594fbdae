"""The verbs on memories: each works out its items and carries them out as one change (SPEC 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Write
from memtui.memory.encoding import iso
from memtui.memory.memory import ADDABLE, EDITABLE, WRITTEN
from memtui.memory.results import Change, Skipped
from memtui.values import Fields, FieldValue
from memtui.workspace.background import JobControl
from memtui.workspace.changes import field_values, outbox, parts, wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.field_changes import Edit, Retag, confidence_note, of_verb, pinned, snoozed
from memtui.workspace.changes.planning import (
    FieldChange,
    adapter_class_of,
    blocked_reason,
    changed_fields,
    group_by_store,
    plan_writes,
    prepare,
)
from memtui.workspace.changes.removal import FORGET, has_relation_fate
from memtui.workspace.changes.summaries import KINDS, Describe, change_of, summary
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import IN_STORE, PSEUDO_FIELDS
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.relations import dismissal_effects, entities
from memtui.workspace.stores import catalog
from memtui.workspace.sync.pull import pull

READS = 3  # of a store that is written all the time, before a change is refused


def pin(ctx: Context, ids: Sequence[int], reason: str, control: JobControl | None = None) -> Change:
    """Pin memories: decay leaves them, and they come first. Of those that are pinned already, all of them, a
    `reason` replaces the one given before."""
    field_values.refuse_masks({"reason": reason}, {})
    again = bool(reason) and all(row.memory.pinned for row in memory_rows.load(ctx.db, ids))
    return _change(ctx, "reason" if again else "pin", ids, pinned(ctx, reason), control)


def run(ctx: Context, action: str, ids: Sequence[int], control: JobControl | None = None) -> Change:
    """Unpin, wake, confirm, forget or restore memories (`field_changes.of_verb`)."""
    return _change(ctx, action, ids, of_verb(ctx, action), control)


def snooze(
    ctx: Context, ids: Sequence[int], until: float | None, control: JobControl | None = None
) -> Change:
    """Hide memories from the Inbox and Review until a moment (Unix seconds); None shows them again."""
    if until is None:
        return run(ctx, "wake", ids, control)
    change = _change(ctx, "snooze", ids, snoozed(ctx, until), control)
    return replace(change, summary=wording.hidden_until((iso(until) or "")[:10], change.summary))


def take_out(
    ctx: Context,
    action: str,
    ids: Sequence[int],
    control: JobControl | None = None,
    *,
    with_entities: bool = False,
) -> Change:
    """Dismiss or forget memories as their format does; the summary says what becomes of their relations, and
    of the entities that have no memory left, which are forgotten `with_entities`, else stay."""
    rows = memory_rows.load(ctx.db, ids) if len(ids) <= dismissal_effects.MOST else []
    stores = store_rows.by_id(ctx.db)
    leaving = [row for row in rows if _loses_relations(ctx, action, row, stores[row.store_id])]
    going = entities.emptied(ctx, [row.id for row in leaving], stores) if with_entities else {}
    effects = dismissal_effects.describe(ctx, leaving, stores, going)
    change = _change(ctx, action, ids, of_verb(ctx, action), control, with_entities=with_entities)
    emptied = entities.emptied(ctx, change.ids, stores)
    notes = [
        entities.describe_fate([each for each, stays in emptied.items() if stays != gone], gone=gone)
        for gone in (True, False)
    ]
    if {row.id for row in leaving} <= set(change.ids) and not change.unreached:
        notes.append(effects)
    return replace(change, summary="; ".join(filter(None, (change.summary, *notes))))


def _loses_relations(ctx: Context, action: str, row: MirrorRow, store: StoreRow) -> bool:
    """Return whether an action takes a memory out of the store, with the effect on its relations that
    `dismissal_effects` describes."""
    try:
        adapter = ctx.adapter(store)
    except Refused:
        return False
    return has_relation_fate(action, adapter) and not blocked_reason(ctx, action, row, store)


def edit(
    ctx: Context,
    ids: Sequence[int],
    fields: Mapping[str, FieldValue],
    seen: Mapping[str, FieldValue] | None,
    retag: Retag | None = None,
    control: JobControl | None = None,
) -> Change:
    """Set fields; raise Conflict if the memory no longer has the values that the user had `seen`. `retag`
    maps each memory's tags to its new ones."""
    wanted = field_values.cleaned(fields, EDITABLE)
    known = next(iter(memory_rows.load(ctx.db, ids[:1])), None)
    field_values.refuse_masks(wanted, {n: getattr(known.memory, n) for n in wanted} if known else {})
    edited = Edit(ctx, wanted, retag, seen)
    limited = edited.limited
    change = _change(ctx, "edit", ids, edited, control, limited)
    skipped = {each.uid for each in change.skipped}
    notes = dict.fromkeys(note for uid, note in limited.items() if uid not in skipped)
    return replace(change, summary="; ".join((change.summary, *notes)))


def add(ctx: Context, fields: Mapping[str, FieldValue], store_name: str, status: str = "") -> Change:
    """Add a memory, whose source is the actor; in memtui's own store it is confirmed from the start, with
    confidence 0.5. With `status` it begins with that, where its format has it."""
    item, wanted, note = planned_add(ctx, fields, store_name, status)
    outcome = outbox.run(
        ctx,
        KINDS["add"],
        summary("add", [item]),
        [item],
        replan=lambda group: _plan_add(ctx, group, wanted),
    )
    change = change_of("add", outcome, [])
    return replace(change, summary=f"{change.summary}; {note}") if note else change


def planned_add(
    ctx: Context, fields: Mapping[str, FieldValue], store_name: str, status: str
) -> tuple[ChangeItem, Fields, str]:
    """Return the item of an addition, what its store is to hold of it, and a note about its confidence; raise
    Refused if it cannot be added."""
    item, wanted, note = prepared_add(ctx, fields, store_name, status)
    if item.adapter is not None:
        _plan_add(ctx, [item], wanted)
        if item.refused is not None:
            raise item.refused
    return item, wanted, note


def prepared_add(
    ctx: Context, fields: Mapping[str, FieldValue], store_name: str, status: str
) -> tuple[ChangeItem, Fields, str]:
    """Do the same, but for the plan of what the store is to hold."""
    ctx.writable()
    wanted = field_values.cleaned(fields, ADDABLE)
    if not str(wanted.get("content") or "").strip():
        raise wording.nothing_to_add()
    field_values.refuse_masks(wanted, {})
    store = catalog.find_attached(ctx, store_name)
    if reason := catalog.locked_reason(store):
        raise wording.add_locked(reason)
    field_values.check_order({"created_at": ctx.clock()}, wanted)
    settable = field_values.settable_confidence(adapter_class_of(store), wanted)
    note = confidence_note(wanted, settable, store.name) if settable else ""
    wanted |= settable
    adapter = ctx.adapter(store)
    item = ChangeItem(None, store, {IN_STORE: False}, {IN_STORE: True, **wanted}, adapter=adapter)
    if adapter is None:
        now = ctx.clock()
        item.after = {
            "status": "confirmed",
            "confidence": 0.5,
            "source_type": "user" if ctx.actor == "person" else ctx.actor.partition(":")[0],
            "created_at": now,
            "updated_at": now,
            **item.after,
        }
        item.local_fields = dict(item.after)
    else:
        can = _addable_fields(ctx, store, adapter, wanted)
        item.local_fields = {n: v for n, v in wanted.items() if n not in can and v not in (None, ())}
        # Formats name a new memory by what it says, where they lack a field for that, too.
        wanted = {name: value for name, value in wanted.items() if name in can or name in WRITTEN}
        if ctx.actor == "person":
            wanted = {**adapter.user_source, **wanted}
        if status and "status" in adapter.fields:
            wanted["status"] = status
    return item, wanted, note


def _addable_fields(
    ctx: Context, store: StoreRow, adapter: Adapter, wanted: Mapping[str, FieldValue]
) -> frozenset[str]:
    """Return what the store itself can hold of a new memory.

    Raise Refused if it cannot hold one of this kind, or has several owners of whom none is named.
    """
    kind = wanted.get("kind") or "item"
    if kind not in adapter.kinds:
        raise wording.kind_not_addable(store.name, kind, adapter.kinds)
    can = adapter.addable_fields(kind)
    if "owner" in can and not wanted.get("owner"):
        owners = memory_rows.owners(ctx.db, store.id)
        if len(owners) > 1:
            raise wording.owner_needed(store.name, owners)
    return can | {"kind"}


def _plan_add(ctx: Context, group: Sequence[ChangeItem], wanted: Mapping[str, FieldValue]) -> None:
    (item,) = group
    assert item.adapter is not None
    plan_writes(item.adapter, group, [Write("add", "", wanted, {}, ctx.clock(), who=ctx.actor)])


def _change(
    ctx: Context,
    action: str,
    ids: Sequence[int],
    change: FieldChange,
    control: JobControl | None = None,
    limited: Mapping[str, str] = MappingProxyType({}),
    *,
    with_entities: bool = False,
) -> Change:
    """Do one action on each of these memories, with the fields that `change` gives for it; `limited` has, by
    uid, why a memory whose fields are all the same stays so. Entities go `with_entities` that lose their last
    memory."""
    ctx.writable()
    found = memory_rows.load(ctx.db, ids)
    if not found:
        raise wording.no_such_memory()
    stores = store_rows.by_id(ctx.db)
    items: list[ChangeItem] = []
    skipped: list[Skipped] = []
    for row in found:
        item = item_of(ctx, action, row, stores[row.store_id], change)
        if isinstance(item, Skipped):
            if row.memory.uid in limited:  # it has that value already
                item = replace(item, reason=limited[row.memory.uid])
            skipped.append(item)
        else:
            item.with_entity = with_entities
            items.append(item)
    return carry_out(ctx, action, items, skipped, control=control)


def item_of(
    ctx: Context, action: str, row: MirrorRow, store: StoreRow, change: FieldChange
) -> ChangeItem | Skipped:
    """Return the part of a memory of `store` in a change, with the fields that `change` gives for it; or why
    it is left out."""
    reason = blocked_reason(ctx, action, row, store)
    fields = {} if reason else changed_fields(row, change(row, adapter_class_of(store)))
    if reason or not fields:
        return Skipped(row.memory.uid, row.label, "blocked", reason or wording.NOTHING_DIFFERENT)
    before = {name: not fields[name] if name == IN_STORE else getattr(row.memory, name) for name in fields}
    return ChangeItem(row, store, before, dict(fields))


def plan(ctx: Context, action: str, items: Sequence[ChangeItem]) -> None:
    """Plan the items of one action, store by store."""
    for group in group_by_store(items):
        prepare(ctx, [action] * len(group), group)


def carry_out(
    ctx: Context,
    action: str,
    items: Sequence[ChangeItem],
    skipped: Sequence[Skipped],
    describe: Describe | None = None,
    control: JobControl | None = None,
    called: str = "",
) -> Change:
    """Plan the items of one action and carry them out as one change, with `control` in parts between which it
    can be stopped; raise Refused if none can be done.

    `describe` says what was done to those that were, where its action alone does not say it; `called` is the
    action as the journal names it, if not so."""
    if not items:
        raise wording.none_possible(skipped[0].code, [each.reason for each in skipped])

    def replan(group: Sequence[ChangeItem]) -> None:
        prepare(ctx, [action] * len(group), group)

    def plan_all(group: Sequence[ChangeItem]) -> None:
        for reads_left in reversed(range(READS)):
            plan(ctx, action, group)
            if not read_conflicting(ctx, action, group, retry=reads_left > 0):
                break

    unreached = 0
    if control is not None:
        outcome, unreached = parts.run(ctx, action, items, control, plan_all, replan, called)
    else:
        plan_all(items)
        outcome = outbox.run(ctx, KINDS[action], summary(called or action, items), items, replan=replan)
    read_conflicting(ctx, action, outcome.items, retry=False)
    return change_of(action, outcome, skipped, unreached, describe)


def read_conflicting(ctx: Context, action: str, items: Sequence[ChangeItem], *, retry: bool) -> bool:
    """Pull the stores of items in conflict, so that the conflicts have the current values of the memories.

    With `retry`, an item whose memory has the same values as before is no conflict; return whether there are
    such items, to be planned again.
    """
    conflicting = [item for item in items if isinstance(item.refused, Conflict) and item.row is not None]
    for store in {item.store.id: item.store for item in conflicting}.values():
        with suppress(Refused):  # the conflict is what to report
            pull(ctx, store)
    ids = [item.row.id for item in conflicting if item.row is not None]
    now = {row.id: row for row in memory_rows.load(ctx.db, ids)}
    plan_again = False
    for item in conflicting:
        assert item.row is not None
        assert isinstance(item.refused, Conflict)
        fresh, known = now.get(item.row.id), item.row
        if fresh is None or fresh.removed_at is not None:
            continue
        names = {*item.before} | ({"content", "title"} if action in ("dismiss", FORGET) else set())
        stored = {
            name: value
            for name in names - PSEUDO_FIELDS
            if (value := getattr(fresh.memory, name)) != getattr(known.memory, name)
        }
        if stored:
            intended = {name: item.after.get(name) for name in stored}
            item.refused = Conflict(item.refused.reason, intended, stored)
        elif retry and fresh != known:
            item.row, item.refused, plan_again = fresh, None, True
    return plan_again
