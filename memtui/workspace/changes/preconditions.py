"""What is checked just before a change: whether another program changed the memories since they were read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memtui.errors import Conflict, Refused
from memtui.memory.memory import RECORD_FIELDS
from memtui.workspace.changes import wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.journal.items import PSEUDO_FIELDS, RELATION_OVERRIDES
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def refuse_changed(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Refuse items whose local fields another memtui changed since they were read; the others get their row
    as it is now."""
    now = memory_rows.reload(ctx.db, [item.row for item in items if item.row is not None])
    for item in items:
        if item.row is None or item.refused is not None:
            continue
        fresh = now.get(item.row.id)
        if fresh is None:
            item.refused = wording.memory_gone()
            continue
        came_or_went = (fresh.removed_at is None) != (item.row.removed_at is None)
        if came_or_went or (item.depends_on_fields and _has_changed(fresh, item.row, item.depends_on_fields)):
            item.refused = wording.changed_meanwhile()
            continue
        overrides = item.before.get(RELATION_OVERRIDES) or (), item.after.get(RELATION_OVERRIDES) or ()
        if any(overrides) and relation_overrides.conflict(ctx.db, item.store.id, *overrides):
            item.refused = wording.overrides_changed()
            continue
        local = [name for name in item.local_fields if name not in PSEUDO_FIELDS and name in item.before]
        stored = {n: getattr(fresh.memory, n) for n in local if getattr(fresh.memory, n) != item.before[n]}
        if stored:
            intended = {name: item.after.get(name) for name in stored}
            item.refused = Conflict(wording.CHANGED_BY_OTHER_MEMTUI, intended, stored)
        item.row = fresh


def _has_changed(fresh: MirrorRow, row: MirrorRow, names: Sequence[str]) -> bool:
    differs = any(getattr(fresh.memory, name) != getattr(row.memory, name) for name in names)
    return differs or (fresh.removed_at, fresh.moved) != (row.removed_at, row.moved)


def read_stored_fields(items: Iterable[ChangeItem]) -> None:
    """Find the stores' own values of the local fields: the mirror has them, unless the workspace overlays a
    field; then the store is read."""
    overlaid: dict[int, list[ChangeItem]] = {}
    for item in items:
        if item.row is None or item.adapter is None or item.refused is not None:
            continue
        names = item.local_fields.keys() & RECORD_FIELDS
        item.stored_fields = {n: getattr(item.row.memory, n) for n in names - item.row.kept.keys()}
        if names & item.row.kept.keys():
            overlaid.setdefault(item.store.id, []).append(item)
    for group in overlaid.values():
        adapter = group[0].adapter
        assert adapter is not None
        try:
            records = adapter.read_refs([item.row.memory.ref for item in group if item.row is not None])
        except (Refused, OSError):
            continue
        for item in group:
            record = records.get(item.row.memory.ref) if item.row is not None else None
            if record is not None:
                item.stored_fields = {n: record.fields[n] for n in item.local_fields if n in record.fields}
