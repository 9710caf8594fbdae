"""Planning what a redaction writes to the stores (S-62)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Write
from memtui.formats.media.files import atomic_write
from memtui.memory.memory import MEMORY_FIELDS
from memtui.memory.secrets.redaction import Replacements
from memtui.values import Fields, FieldValue
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import adapter_class_of, group_by_store, set_results
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.maintenance.redact import names, wording
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.secrets.sweep import TEXTS
from memtui.workspace.stores import catalog


def item_of(ctx: Context, row: MirrorRow, store: StoreRow, redacted: Replacements) -> ChangeItem | Refused:
    """Return the part of a memory, or why it cannot be redacted. The journal never has the values."""
    fields = fields_of(ctx, row, store, redacted)
    in_store = store.format != NATIVE and row.removed_at is None and row.moved is None
    if reason := catalog.locked_reason(store):
        return wording.read_only(reason)
    if in_store and store.detached_at is not None:
        return wording.detached(store.name)
    if in_store and (refusal := _unwritable(row, store, fields, redacted)) is not None:
        return refusal
    before = {name: _covered(name, getattr(row.memory, name), redacted) for name in fields}
    item = ChangeItem(row, store, before, dict(fields))
    if in_store:
        try:
            item.adapter = ctx.adapter(store)
        except Refused as refusal:
            return refusal
    return item


def fields_of(ctx: Context, row: MirrorRow, store: StoreRow, redacted: Replacements) -> Fields:
    """Return the fields that have one of the values, without them. The name of an entity is one that no
    other has."""
    found = {name: getattr(row.memory, name) for name in TEXTS}
    out = {name: new for name, old in found.items() if (new := redacted.value(old)) != old}
    adapter_class = adapter_class_of(store)
    is_name = adapter_class is not None and (
        adapter_class.unique_subjects or "subject" in adapter_class.entity_fields
    )
    if "subject" in out and is_name:
        out["subject"] = names.free(ctx, store, "subject", str(out["subject"]), set())
    return out


def _unwritable(row: MirrorRow, store: StoreRow, fields: Fields, redacted: Replacements) -> Refused | None:
    adapter_class = adapter_class_of(store)
    assert adapter_class is not None
    can = adapter_class.redactable_fields
    if can is None:
        return wording.not_redacted_in(adapter_class.title)
    stuck = [name for name in fields if name not in can and name not in row.kept]
    if stuck:
        return wording.field_not_writable(stuck[0], store.name)
    if not adapter_class.redacts_names and "subject" not in can and redacted.plain.found_in(row.memory.ref):
        return wording.in_file_name(store.name)
    return None


def plan(ctx: Context, redactions: Mapping[int, Replacements], part: Sequence[ChangeItem]) -> None:
    """Plan the items whose memory is in a store, store by store; `redactions` are those of each memory."""
    for group in group_by_store([item for item in part if item.adapter is not None]):
        adapter = group[0].adapter
        assert adapter is not None
        writes = [_write(ctx, item, redactions) for item in group]
        pairs = zip(group, writes, strict=True)
        written = [(item, write) for item, write in pairs if write.fields or _is_repeated(adapter, write)]
        if not written:
            continue
        try:
            answers = adapter.plan([write for _, write in written])
        except Refused as refusal:
            answers = [refusal for _ in written]
        except OSError as error:
            answers = [atomic_write.refusal(error) for _ in written]
        for answer in answers:
            if isinstance(answer, Conflict):
                ctx.stale.add(group[0].store.id)
        set_results([item for item, _ in written], answers)


def _is_repeated(adapter: Adapter, write: Write) -> bool:
    return write.redacted is not None and adapter.repeats(write.ref, write.redacted)


def _write(ctx: Context, item: ChangeItem, redactions: Mapping[int, Replacements]) -> Write:
    assert item.row is not None
    row = item.row
    fields = {name: value for name, value in item.after.items() if name not in row.kept}
    seen = {name: getattr(row.memory, name) for name in fields}
    return Write(
        "redact", row.memory.ref, fields, seen, ctx.clock(), who=ctx.actor, redacted=redactions[row.id]
    )


def reread(ctx: Context, part: Sequence[ChangeItem]) -> None:
    """Give items their rows as they are now; refuse those that changed since they were judged."""
    now = memory_rows.reload(ctx.db, [item.row for item in part if item.row is not None])
    stores = store_rows.by_id(ctx.db)
    for item in part:
        assert item.row is not None
        fresh, store = now.get(item.row.id), stores[item.store.id]
        if fresh is None or _differs(item.row, fresh):
            item.refused = wording.changed_meanwhile(store.name)
        elif reason := catalog.locked_reason(store):
            item.refused = wording.read_only(reason)
        elif item.adapter is not None and store.detached_at is not None:
            item.refused = wording.detached(store.name)
        else:
            item.row = fresh


def _differs(before: MirrorRow, now: MirrorRow) -> bool:
    if (before.removed_at is None, before.moved) != (now.removed_at is None, now.moved):
        return True
    names = (name for name in MEMORY_FIELDS if name in TEXTS)
    return any(getattr(before.memory, name) != getattr(now.memory, name) for name in names)


def _covered(name: str, value: FieldValue, redacted: Replacements) -> FieldValue:
    """Return a field's value before a redaction, as the journal keeps it."""
    if name == "key":
        return redacted.name(str(value))
    if isinstance(value, str):
        return redacted.covered(value)
    if isinstance(value, tuple):
        return tuple(_covered("", each, redacted) for each in value)
    return redacted.value(value)
