"""Carrying out what decay has due, as one change (S-27)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.media.files import atomic_write
from memtui.memory.memory import RECORD_FIELDS
from memtui.memory.results import Change, Skipped
from memtui.workspace.changes import outbox
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import group_by_store
from memtui.workspace.changes.preconditions import refuse_changed
from memtui.workspace.context import Context
from memtui.workspace.db import models, store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.decay import wording
from memtui.workspace.decay.forecast import DueStep, due_steps
from memtui.workspace.decay.owed import owed_since
from memtui.workspace.journal.items import IN_STORE
from memtui.workspace.stores import catalog

LEAVES_STORE = {IN_STORE: False}
# The fields by which a step is due: if one of them changes, the step is left for the next run.
JUDGED_BY = (
    *("confidence", "status", "tier", "pinned", "last_used_at", "last_confirmed_at"),
    *("expires_at", "valid_to", "times_used"),
)


@dataclass(frozen=True, slots=True)
class DecayResult:
    """What a run did, and why parts of it were not done; `change` is None if nothing was done."""

    change: Change | None
    due: tuple[DueStep, ...]
    skipped: tuple[Skipped, ...] = ()


def run(ctx: Context, now: float) -> DecayResult:
    """Carry out what is due as one change; what cannot be done now is left to a later run, even on the same
    day."""
    ctx.writable()
    stores = {store.id: store for store in store_rows.attached(ctx.db) if not catalog.locked_reason(store)}
    due = due_steps(ctx, now)
    items, leaving, skipped = _build_items(ctx, due, stores)
    for group in group_by_store(items):
        _plan(ctx, group, leaving, now)
    marks = {id: owed_since(ctx, store).until(now) for id, store in stores.items()}
    if not items:
        with ctx.db.atomic():
            _record_runs(ctx, {id: min(at, ctx.clock()) for id, at in marks.items()}, None)
        return DecayResult(None, tuple(due), tuple(skipped))

    def replan(group: Sequence[ChangeItem]) -> None:
        refuse_changed(ctx, group)
        live = [item for item in group if item.refused is None]
        if live:
            _plan(ctx, live, leaving, now)

    # How many of them were changed is known from the states of the items.
    summary = wording.requested(len(items), _store_names(items))
    outcome = outbox.run(
        ctx,
        "decayed",
        summary,
        items,
        replan=replan,
        on_begun=lambda entry_id: _record_runs(ctx, marks, entry_id),
    )
    skipped += [
        Skipped(item.row.memory.uid, item.row.label, item.refused.code, item.refused.message)
        for item in items
        if item.refused is not None and item.row is not None
    ]
    ctx.stale |= {item.store.id for item in items if item.refused is not None}
    if not outcome.done:
        return DecayResult(None, tuple(due), tuple(skipped))
    ids = tuple(item.memory_id for item in outcome.done)
    summary = _summary(outcome.done, leaving, len(due)) + outcome.pending_note
    change = Change("decayed", ids, summary, outcome.entry_id, tuple(skipped))
    return DecayResult(change, tuple(due), tuple(skipped))


def _build_items(
    ctx: Context, due: Sequence[DueStep], stores: dict[int, StoreRow]
) -> tuple[list[ChangeItem], set[int], list[Skipped]]:
    """Return an item for each step, the rows of the memories that leave their store, and the steps in stores
    that cannot be written."""
    items: list[ChangeItem] = []
    leaving: set[int] = set()
    skipped: list[Skipped] = []
    for step in due:
        store = stores.get(step.row.store_id)
        if store is None:
            reason = catalog.locked_reason(store_rows.get(ctx.db, step.row.store_id))
            skipped.append(Skipped(step.uid, step.label, "read-only", reason))
            continue
        before = {n: True if n == IN_STORE else getattr(step.row.memory, n) for n in step.fields}
        items.append(ChangeItem(step.row, store, before, dict(step.fields), depends_on_fields=JUDGED_BY))
        if step.leaves:
            leaving.add(step.id)
    return items, leaving, skipped


def _record_runs(ctx: Context, marks: dict[int, float], entry_id: int | None) -> None:
    """Record up to when stores were run, and by which entry: undoing that undoes these, too. Of marks without
    an entry only the newest counts. Runs in the caller's transaction."""
    table = models.DecayRun
    for store_id, at in marks.items():
        if entry_id is None:
            of_store = table.select().where(table.store_id == store_id)
            newest = ctx.db.first(of_store.order_by(table.id.desc()))
            if newest is not None and newest.entry_id is None:
                ctx.db.write(table.delete().where(table.id == newest.id))
        ctx.db.write(table.insert(store_id=store_id, entry_id=entry_id, at=at))


def _plan(ctx: Context, group: Sequence[ChangeItem], leaving: set[int], now: float) -> None:
    """Split the fields into the store's own and those that memtui keeps, and plan the store's."""
    store = group[0].store
    try:
        adapter = ctx.adapter(store)
        written: list[tuple[ChangeItem, Write]] = []
        for item in group:
            leaves = item.row is not None and item.row.id in leaving
            item.adapter, item.plan = adapter, None
            in_store = _store_fields(adapter, item, leaves)
            item.local_fields = {name: value for name, value in item.after.items() if name not in in_store}
            if in_store:
                assert adapter is not None
                written.append((item, _write(ctx, adapter, item, leaves, now)))
        if adapter is None or not written:
            return
        results: Sequence[Plan | Refused] = adapter.plan([write for _, write in written])
    except Refused as refusal:
        for item in group:
            item.refused = refusal
        return
    except OSError as error:
        for item in group:
            item.refused = atomic_write.refusal(error)
        return
    for (item, _), result in zip(written, results, strict=True):
        if isinstance(result, Refused):
            item.refused = result
        elif item.after == LEAVES_STORE:
            item.plan = replace(result, ref_after=None)
        else:
            item.plan = result


def _store_fields(adapter: Adapter | None, item: ChangeItem, leaves: bool) -> set[str]:
    if adapter is None or (leaves and adapter.expiry is None):
        return set()
    if leaves:
        return set(item.after)
    assert item.row is not None
    return set(item.after) & adapter.fields_of(item.row.memory.kind)


def _write(ctx: Context, adapter: Adapter, item: ChangeItem, leaves: bool, now: float) -> Write:
    assert item.row is not None
    memory, kept = item.row.memory, item.row.kept
    # A memory that leaves depends on all of its fields, a step on those by which it is due. What an agent
    # used or changed since is left for the next run.
    names = (adapter.fields | adapter.restorable_fields | {"status"}) & RECORD_FIELDS - kept.keys() - {
        "extra"
    }
    seen = {name: getattr(memory, name) for name in (names if leaves else names & set(JUDGED_BY))}
    fields = {n: v for n, v in item.after.items() if n not in item.local_fields}
    if item.after == LEAVES_STORE:
        fields = {}
    return Write("expire" if leaves else "edit", memory.ref, fields, seen, now, who=ctx.actor)


def _summary(items: Sequence[ChangeItem], leaving: set[int], due: int) -> str:
    left = sum(item.memory_id in leaving for item in items)
    moved = sum("tier" in item.after for item in items)
    lowered = len(items) - left - moved
    counts = ((lowered, wording.LOWERED), (moved, wording.MOVED), (left, wording.LEFT))
    return wording.done(counts, _store_names(items), len(items), due)


def _store_names(items: Sequence[ChangeItem]) -> list[str]:
    return list(dict.fromkeys(item.store.name for item in items))
