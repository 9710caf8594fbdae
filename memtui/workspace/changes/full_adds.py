"""Adding whole memories to a store, with all their fields: what its format can hold, as it can hold it; the
workspace keeps the rest (S-8, S-74)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Fitted, Write
from memtui.memory.memory import DEFAULTS
from memtui.values import Fields, FieldValue
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import plan_writes
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import IN_STORE

# The fields that are about the memory itself. Its location, what its store counts, and when memtui read it
# belong to the store.
TRANSFERRED = (
    *("kind", "category", "key", "subject", "title", "content", "value", "tags", "importance", "confidence"),
    *("status", "pinned", "owner", "scope", "session_id", "tier", "times_used", "times_confirmed"),
    *("source_type", "source_ref", "source_excerpt", "company_id", "event_time", "valid_from", "valid_to"),
    *("expires_at", "created_at", "last_used_at", "last_confirmed_at"),
    *("steps", "preconditions", "postconditions", "key_facts", "tone", "token_count"),
    *("note", "pinned_by", "pinned_why"),
)
# The workspace does not keep these for a store that has no such field: there every memory counts as
# confirmed, and provenance is not copied.
LEFT_OUT = frozenset({"status", "kind"})


def fitted(adapter: Adapter | None, values: Mapping[str, FieldValue]) -> Fitted:
    """Return which of these fields the store can hold, and how; fields without a value are left out."""
    given = {name: value for name, value in values.items() if value != DEFAULTS[name] or name == "status"}
    return Fitted(given) if adapter is None else adapter.fit(given)


def local_fields(adapter: Adapter | None, values: Mapping[str, FieldValue], fitted: Fitted) -> Fields:
    """Return what the workspace keeps in addition to what the store holds."""
    if adapter is None:
        return {}
    return {
        name: value
        for name, value in values.items()
        if name not in fitted.fields
        and name not in fitted.changed
        and name not in LEFT_OUT
        and value != DEFAULTS[name]
    }


def item(
    ctx: Context, values: Mapping[str, FieldValue], store: StoreRow, adapter: Adapter | None
) -> ChangeItem:
    """Return the item that adds a memory with these fields to a store; `plan` plans it."""
    fits = fitted(adapter, values)
    fields = dict(fits.fields)
    local = local_fields(adapter, values, fits)
    after = {IN_STORE: True, **fields, **local}
    added = ChangeItem(None, store, {IN_STORE: False}, after, adapter=adapter)
    if adapter is None:
        added.after["updated_at"] = values["updated_at"] if "updated_at" in values else ctx.clock()
        added.local_fields = dict(added.after)
    else:
        added.local_fields = local
        added.added_fields = fields
    return added


def items(
    ctx: Context, memories: Iterable[Mapping[str, FieldValue]], store: StoreRow, adapter: Adapter | None
) -> list[ChangeItem]:
    """Return the items that add these memories, each also as those before it allow: where keys or subjects
    are unique, an equal one is numbered; of several in one new entity, the first decides what the entity
    has."""
    added: list[ChangeItem] = []
    met: dict[FieldValue, int] = {}  # how many have a name
    unique = _unique_name(adapter)
    entities: set[FieldValue] = set()
    for values in memories:
        each = item(ctx, values, store, adapter)
        if adapter is not None and unique:
            each = _with_own_name(ctx, each, values, store, adapter, unique, met)
        if adapter is not None and adapter.entity_fields:
            name, *others = adapter.entity_fields
            for field in others if each.added_fields.get(name) in entities else ():
                each.added_fields.pop(field, None)
                each.after.pop(field, None)
            entities.add(each.added_fields.get(name))
        added.append(each)
    return added


def _unique_name(adapter: Adapter | None) -> str:
    """Return the field that no two memories of the store share, "" if there is none."""
    if adapter is None:
        return ""
    return "key" if adapter.unique_keys else "subject" if adapter.unique_subjects else ""


def _with_own_name(
    ctx: Context,
    each: ChangeItem,
    values: Mapping[str, FieldValue],
    store: StoreRow,
    adapter: Adapter,
    unique: str,
    met: dict[FieldValue, int],
) -> ChangeItem:
    """Return the item, with a number at its unique name if one before it has that name."""
    name = each.added_fields.get(unique)
    wanted = str(name)
    while name is not None and name in met:
        met[wanted] += 1
        number = f"-{met[wanted]}"
        for stem in (wanted, wanted[: -len(number)]):  # cut where the format would cut off the number
            each = item(ctx, {**values, unique: f"{stem.rstrip('-')}{number}"}, store, adapter)
            name = each.added_fields.get(unique)
            if name not in met:
                break
    met.setdefault(name, 1)
    return each


def is_numbered(key: str, wanted: str) -> bool:
    """Return whether a key is the wanted one with a number, as `items` makes it unique."""
    return key.startswith(f"{wanted}-") and key[len(wanted) + 1 :].isdecimal()


def plan(ctx: Context, adapter: Adapter | None, items: Sequence[ChangeItem]) -> None:
    """Plan items that add memories to one store."""
    if adapter is None or not items:
        return
    now = ctx.clock()
    plan_writes(adapter, items, [Write("add", "", i.added_fields, {}, now, who=ctx.actor) for i in items])
