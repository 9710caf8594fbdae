"""What a verb would do to many memories, store by store, before it is asked for or done (S-8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, SupportKind
from memtui.formats.contract.plans import Write
from memtui.memory.memory import EDITABLE
from memtui.memory.results import Skipped, StorePreview
from memtui.values import FieldValue
from memtui.workspace.changes import field_values, verbs
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.field_changes import Edit, Retag, of_verb, pinned, snoozed
from memtui.workspace.changes.planning import FieldChange, support
from memtui.workspace.changes.removal import has_relation_fate
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import PSEUDO_FIELDS
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.relations import dismissal_effects, entities

_OF_ITSELF = frozenset({"updated_at"})  # set by every edit: not worth a word


@dataclass(slots=True)
class _Part:
    """One store's memories while they are counted; `labels` say what is done to them, in order."""

    adapter: Adapter | None = None
    refused: str = ""
    count: int = 0
    labels: dict[str, bool] = field(default_factory=dict)  # label → whether memtui alone keeps it
    blocked: Counter[str] = field(default_factory=Counter)
    leaving: list[MirrorRow] = field(default_factory=list)  # what a dismissal or a forgetting takes out


def preview(
    ctx: Context,
    action: str,
    ids: Sequence[int],
    fields: Mapping[str, FieldValue],
    retag: Retag | None = None,
    *,
    with_entities: bool = False,
) -> list[StorePreview]:
    """Return what a verb would do to these memories, by store in order of appearance; changes nothing.

    `action` is pin, reason, unpin, snooze, wake, confirm, dismiss, forget, restore or edit. `fields` are what
    an edit sets, and the moment of a snooze; what is forgotten goes `with_entities` or without. Raise Refused
    if a value can be set nowhere.
    """
    change = _change_of(ctx, action, fields, retag)
    stores = store_rows.by_id(ctx.db)
    parts: dict[int, _Part] = {}
    for row in memory_rows.load(ctx.db, ids):
        store = stores[row.store_id]
        part = parts.get(row.store_id)
        if part is None:
            part = parts[row.store_id] = _Part()
            try:
                part.adapter = ctx.adapter(store)
            except Refused as refusal:
                part.refused = refusal.message
        if part.refused:
            part.blocked[part.refused] += 1
            continue
        try:
            item = verbs.item_of(ctx, action, row, store, change)
            if isinstance(item, ChangeItem):
                _check(part.adapter, action, row, item)
        except Refused as refusal:  # a value that this memory or its format cannot have
            part.blocked[refusal.message] += 1
            continue
        if isinstance(item, Skipped):
            part.blocked[item.reason] += 1
            continue
        part.count += 1
        if has_relation_fate(action, part.adapter):
            part.leaving.append(row)
        for name in _names(action, item):
            found = support(part.adapter, action, name, row.memory.kind)
            part.labels.setdefault(found.label, found.kind is SupportKind.WORKSPACE)
    return [
        StorePreview(
            stores[id].name,
            part.count,
            "; ".join(filter(None, (*part.labels, *_effects(ctx, part.leaving, stores, with_entities)))),
            bool(part.labels) and all(part.labels.values()),
            dict(part.blocked.most_common()),
        )
        for id, part in parts.items()
    ]


def _effects(
    ctx: Context, leaving: Sequence[MirrorRow], stores: dict[int, StoreRow], with_entities: bool
) -> tuple[str, str]:
    """Return what becomes of the entities that lose their last memory, and of relations."""
    emptied = entities.emptied(ctx, [row.id for row in leaving], stores)
    fate = entities.describe_fate(emptied, gone=with_entities)
    return fate, dismissal_effects.describe(ctx, leaving, stores, emptied if with_entities else ())


def _change_of(
    ctx: Context, action: str, fields: Mapping[str, FieldValue], retag: Retag | None
) -> FieldChange:
    if action == "edit":
        return Edit(ctx, field_values.cleaned(fields, EDITABLE), retag)
    if action == "snooze":
        return lambda *each: snoozed(ctx, fields["snoozed_until"])(*each) if fields else {}
    return pinned(ctx, str(fields.get("pinned_why") or "")) if action == "reason" else of_verb(ctx, action)


def _check(adapter: Adapter | None, action: str, row: MirrorRow, item: ChangeItem) -> None:
    """Raise Refused where the format forbids a value that an edit sets in the store."""
    if action != "edit" or adapter is None:
        return
    can = adapter.fields_of(row.memory.kind)
    held = {name: value for name, value in item.after.items() if name in can}
    if held:
        adapter.check(Write(action, row.memory.ref, held, {}, 0.0))


def _names(action: str, item: ChangeItem) -> list[str]:
    """Return the fields of an edit to be described; of other actions the action itself, without a field."""
    if action != "edit":
        return [""]
    return [name for name in item.after if name not in PSEUDO_FIELDS | _OF_ITSELF]
