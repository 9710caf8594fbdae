"""The memories that a split adds: what they take over from the first part, their keys, their origin."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memtui.formats.contract.adapter import Adapter
from memtui.memory.memory import DEFAULTS
from memtui.memory.splitting import heading_of
from memtui.values import Fields
from memtui.workspace.changes import wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.splitting import wording_split
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import IN_STORE, RELATIONS
from memtui.workspace.mirror import without_rules
from memtui.workspace.mirror.memory_rows import MirrorRow

# What is true of each part as it was of the whole. A pin, uses and confirmations were the whole's.
TAKEN_OVER = (
    *("kind", "category", "subject", "tags", "importance", "confidence", "status", "owner", "scope"),
    *("session_id", "tier", "company_id", "event_time", "valid_from", "valid_to", "expires_at"),
    *("source_type", "source_ref", "source_excerpt"),
)
SPLIT = "split"  # the source of the new memories, next to the memory that they come from
KEY_LENGTH = 60  # characters; the least that a format allows
# One query over the names of a store's memories, by a column that is named here only.
_TAKEN = (
    "SELECT {} FROM memories WHERE store_id = ? AND removed_at IS NULL "
    "AND {} IN (SELECT value FROM json_each(?))"
)


def items(
    ctx: Context, row: MirrorRow, store: StoreRow, adapter: Adapter | None, parts: Sequence[str]
) -> list[ChangeItem]:
    """Return the items that add these parts of a memory to its store. Raise Refused if it cannot hold more
    memories of its kind."""
    (row,) = without_rules.bare(ctx.db, [row])
    memory = row.memory
    kinds = () if adapter is None else (*adapter.kinds, *adapter.categories)
    if adapter is not None and memory.kind not in kinds:
        raise wording.kind_not_addable(store.name, memory.kind, adapter.kinds)
    fields = {name: getattr(memory, name) for name in TAKEN_OVER}
    fields = {name: value for name, value in fields.items() if value != DEFAULTS[name] or name == "status"}
    holds_key = adapter is None or "key" in row.kept or "key" in adapter.addable_fields(memory.kind)
    keys = _numbered(ctx, row, "key", len(parts)) if memory.key and holds_key else []
    subjects: list[str] = []
    if adapter is not None and adapter.unique_subjects and memory.subject:
        subjects = _numbered(ctx, row, "subject", len(parts))
    out = []
    for number, part in enumerate(parts):
        own = fields | {"content": part}
        own |= (
            {"title": wording_split.title_of_part(memory.title, heading_of(part), number + 2)}
            if memory.title
            else {}
        )
        own |= {"key": _fitting(adapter, keys[number])} if keys else {}
        own |= {"subject": subjects[number]} if subjects else {}
        out.append(_item(ctx, row, store, adapter, own))
    return out


def _item(
    ctx: Context, row: MirrorRow, store: StoreRow, adapter: Adapter | None, fields: Fields
) -> ChangeItem:
    origin: Fields = {"source_type": SPLIT, "source_ref": row.memory.uid}
    item = ChangeItem(None, store, {IN_STORE: False, RELATIONS: None}, {}, adapter=adapter)
    item.all_or_nothing = True
    if adapter is None:
        now = ctx.clock()
        fields = {**fields, **origin, "created_at": now, "updated_at": now}
        item.after = {IN_STORE: True, RELATIONS: None, **fields}
        item.local_fields = dict(item.after)
        return item
    kind = row.memory.kind
    can = adapter.addable_fields(kind) | ({"kind"} if kind in adapter.kinds else set())
    if {"source_type", "source_ref"} <= can:
        origin["source_ref"] = row.memory.ref
        fields, origin = {**fields, **origin}, {}
    item.added_fields = {name: value for name, value in fields.items() if name in can or name == "content"}
    local = {
        name: value
        for name, value in fields.items()
        # What memtui does not keep of the first part either, the format gives its memories itself.
        if name not in item.added_fields and name in row.kept
    }
    item.local_fields = {**local, **origin, RELATIONS: None}
    item.after = {IN_STORE: True, **item.added_fields, **item.local_fields}
    return item


def _numbered(ctx: Context, row: MirrorRow, name: str, count: int) -> list[str]:
    """Return this many names like a memory's key or subject that none in its store has: name-2, name-3 …"""
    value = str(getattr(row.memory, name))
    mark = "_" if "_" in value and "-" not in value else "-"
    names: list[str] = []
    number = 2
    while len(names) < count:
        wanted = [_with_suffix(value, f"{mark}{each}") for each in range(number, number + count)]
        rows = ctx.db.rows(_TAKEN.format(name, name), (row.store_id, json.dumps(wanted)))
        taken = {found for (found,) in rows}
        names += [each for each in wanted if each not in taken]
        number += count
    return names[:count]


def _fitting(adapter: Adapter | None, key: str) -> str:
    """Return a key as the format spells keys: that of the whole may be one that only its program made."""
    return key if adapter is None else str(adapter.fit({"key": key}).fields.get("key") or key)


def _with_suffix(value: str, suffix: str) -> str:
    longest = max(KEY_LENGTH, len(value)) - len(suffix)
    return value[:longest].rstrip("-_") + suffix
