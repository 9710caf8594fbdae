"""Planning a purge's first step: which memories are in their stores, and how they leave them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from memtui.errors import Conflict, Refused
from memtui.formats import registry
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Plan
from memtui.formats.contract.records import Record
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import group_by_store, set_results
from memtui.workspace.changes.removal import removal_write
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import IN_STORE
from memtui.workspace.maintenance.purge import wording
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog

# One statement for all memories: a bulk purge has thousands of items.
_UNFINISHED = (
    "SELECT 1 FROM outbox WHERE state IN ('intended', 'waiting') AND item_id IN "
    "(SELECT id FROM journal_items WHERE memory_id IN (SELECT value FROM json_each(?))) LIMIT 1"
)


def ensure_settled(ctx: Context, rows: Sequence[MirrorRow]) -> None:
    """Raise Refused if a change to one of these memories is not settled yet."""
    if ctx.db.one(_UNFINISHED, (json.dumps([row.id for row in rows]),)):
        raise wording.busy()


def ensure_writable(reason: str) -> None:
    """Raise Refused if there is a reason why a store cannot be written."""
    if reason:
        raise wording.read_only(reason)


def plan_items(ctx: Context, rows: Sequence[MirrorRow]) -> list[ChangeItem]:
    """Return a planned item for each memory; raise Refused if a store cannot be written, or if a memory
    differs from what was read."""
    stores = store_rows.by_id(ctx.db)
    groups: dict[int, list[MirrorRow]] = {}
    for row in rows:
        groups.setdefault(row.store_id, []).append(row)
    return [item for id, group in groups.items() for item in _items_of_store(ctx, stores[id], group)]


def _items_of_store(ctx: Context, store: StoreRow, group: Sequence[MirrorRow]) -> list[ChangeItem]:
    """Return the items of one store, with a plan for each memory that is in it."""
    adapter, records = _present_records(ctx, store, group)
    items: list[ChangeItem] = []
    leaving: list[tuple[ChangeItem, MirrorRow]] = []
    for row in group:
        item = ChangeItem(row, store, {IN_STORE: row.removed_at is None}, {IN_STORE: False}, adapter=adapter)
        if adapter is None or row.memory.ref not in records:
            if adapter is not None and row.memory.ref and row.removed_at is None:
                raise _changed(ctx, store)
            item.adapter, item.local_fields = None, {IN_STORE: False}
        else:
            leaving.append((item, row))
        items.append(item)
    if adapter is None or not leaving:
        return items
    try:
        answers = adapter.plan([removal_write(ctx, adapter, row) for _, row in leaving])
    except OSError as error:
        raise wording.not_planned(error.strerror) from error
    for (item, _), answer in zip(leaving, answers, strict=True):
        if isinstance(answer, Conflict):
            raise _changed(ctx, store, answer)
        if isinstance(answer, Refused):
            raise answer
        item.plan = replace(answer, ref_after=None)
    return items


def reread(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Plan items again with their rows as they are now, since what was purged before may have renumbered
    refs; refuse those that cannot be erased any more."""
    now = memory_rows.reload(ctx.db, [item.row for item in items if item.row is not None])
    for item in items:
        assert item.row is not None
        fresh = now.get(item.row.id)
        if fresh is None:
            item.refused = wording.no_such_memory()
        else:
            item.row = fresh
    leaving = [item for item in items if item.plan is not None and item.refused is None]
    for group in group_by_store(leaving):
        adapter = group[0].adapter
        assert adapter is not None
        answers: Sequence[Plan | Refused]
        try:
            answers = adapter.plan([removal_write(ctx, adapter, item.row) for item in group if item.row])
        except Refused as refusal:
            answers = [refusal for _ in group]
        except OSError as error:
            answers = [wording.not_planned(error.strerror) for _ in group]
        for item, answer in zip(group, answers, strict=True):
            item.plan = None
            conflict = answer if isinstance(answer, Conflict) else None
            set_results([item], [_changed(ctx, item.store, conflict) if conflict else answer])


def _changed(ctx: Context, store: StoreRow, conflict: Conflict | None = None) -> Refused:
    """Return the refusal for a text that nobody has read yet, and have the store read again at once."""
    ctx.stale.add(store.id)
    intended, stored = (conflict.intended, conflict.stored) if conflict is not None else ({}, {})
    return wording.changed_meanwhile(store.name, intended, stored)


def _present_records(
    ctx: Context, store: StoreRow, group: Sequence[MirrorRow]
) -> tuple[Adapter | None, Mapping[str, Record]]:
    """Return the store's adapter and its current records of these memories, None if it has none of them;
    raise Refused if there are some and they cannot be erased."""
    refs = [row.memory.ref for row in group if row.memory.ref]
    if store.format == NATIVE:
        ensure_writable(catalog.locked_reason(store))
    if store.format == NATIVE or not refs:
        return None, {}
    if store.detached_at is not None:
        _ensure_gone(store, refs)
        return None, {}
    try:
        adapter = ctx.adapter(store)
        assert adapter is not None
        records = adapter.read_refs(refs)
        ensure_writable((catalog.locked_reason(store) or adapter.locked_reason()) if records else "")
    except Refused as refusal:
        any_present = any(row.memory.ref and row.removed_at is None for row in group)
        if any_present or refusal.code != "missing":
            raise
        return None, {}
    except OSError as error:
        raise wording.unreadable(store.name, error.strerror) from error
    return adapter, records


def _ensure_gone(store: StoreRow, refs: Sequence[str]) -> None:
    """Raise Refused if a detached store still has one of these records, or cannot be read."""
    records: Mapping[str, Record] = {}
    try:
        records = registry.by_name(store.format)(Path(store.path)).read_refs(refs)
    except Refused as refusal:
        if refusal.code != "missing":
            raise
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise wording.detached_unreadable(store.name, error.strerror) from error
    if records:
        raise wording.detached(store.name, store.path)
