"""What a copy in another store keeps, changes and loses (S-82)."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Fitted
from memtui.memory.memory import DEFAULTS, TIMES
from memtui.memory.results import TransferPreview
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import full_adds
from memtui.workspace.changes.full_adds import LEFT_OUT, TRANSFERRED
from memtui.workspace.changes.transferring import wording_transfer
from memtui.workspace.context import Context
from memtui.workspace.mirror.memory_rows import MirrorRow


def values(row: MirrorRow) -> Fields:
    """Return the fields that a copy of a memory has."""
    return {name: getattr(row.memory, name) for name in TRANSFERRED}


def predicted(ctx: Context, row: MirrorRow, adapter: Adapter | None, as_fitted: Fitted) -> TransferPreview:
    """Return how a copy would differ, before it is made."""
    kept = tuple(full_adds.local_fields(adapter, values(row), as_fitted))
    lost = () if adapter is None else _lost(row, as_fitted.fields)
    return TransferPreview(
        row.memory.uid, row.label, as_fitted.changed, kept, tuple(lost), left=_left_behind(ctx, row)
    )


def compared(
    ctx: Context, original: MirrorRow, copy: MirrorRow, changed_by_format: Mapping[str, object]
) -> TransferPreview:
    """Return how a copy differs, as read from the other store."""
    changed: dict[str, tuple[FieldValue, FieldValue]] = {}
    lost: list[str] = []
    for name in TRANSFERRED:
        before, after = getattr(original.memory, name), getattr(copy.memory, name)
        unset = before == DEFAULTS[name] and name not in changed_by_format
        if name in copy.kept or before == after or unset:
            continue
        if name in TIMES and before is not None and after is not None and abs(before - after) < 1:
            continue  # a store may keep whole seconds
        if after == DEFAULTS[name]:
            lost.append(name)
        else:
            changed[name] = (before, after)
    lost += [wording_transfer.extra_field(name) for name in original.memory.extra]
    kept = tuple(name for name in TRANSFERRED if name in copy.kept)
    left = _left_behind(ctx, original)
    return TransferPreview(original.memory.uid, original.label, changed, kept, tuple(lost), left=left)


def _lost(row: MirrorRow, fields: Mapping[str, FieldValue]) -> list[str]:
    lost = [n for n in LEFT_OUT if n not in fields and getattr(row.memory, n) != DEFAULTS[n]]
    return [*sorted(lost), *(wording_transfer.extra_field(name) for name in row.memory.extra)]


def _left_behind(ctx: Context, row: MirrorRow) -> dict[str, int]:
    """Return how much belongs to a memory in its store and is not transferred, by kind."""
    left = {}
    # Counts over an OR of two indexed columns, once per memory.
    for kind, table, where in (
        (wording_transfer.RELATIONS, "relations", "source = ?2 OR target = ?2"),
        (wording_transfer.RECORDS, "side_records", "via = '' AND about = ?2"),
    ):
        sql = f"SELECT count(*) FROM {table} WHERE store_id = ?1 AND ({where})"
        left[kind] = ctx.db.one(sql, (row.store_id, row.anchor)) if row.anchor else 0
    left[wording_transfer.LOCAL_RELATIONS] = ctx.db.one(
        "SELECT count(*) FROM local_relations WHERE source_id = ? OR target = ?", (row.id, row.memory.uid)
    )
    return {kind: count for kind, count in left.items() if count}
