"""What the user set of a relation that its store cannot hold (SPEC 7, S-4).

An override belongs to the relation's kind and the names of its ends in the store. While the store has such a
relation, its mirror row shows the overridden values; once it is gone the override is kept, and applies again
if the relation returns. There are few per store, so each is one small query.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from peewee import Expression

from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.records import Link
from memtui.memory.relations import VALUE_FIELDS
from memtui.values import Fields, FieldValue
from memtui.workspace.db.database import Database
from memtui.workspace.db.models import Memory, Relation, RelationOverride
from memtui.workspace.mirror import wording

# `source`, `kind`, `target`, and those of strength, context and body that are set; with none of them it
# records that there is no override. In the journal, `ends` holds the uids of the memories at both ends.
Override: TypeAlias = Mapping[str, FieldValue]
Values: TypeAlias = tuple[float | None, str, str]  # strength, context, body
Key: TypeAlias = tuple[str, str, str]  # source, kind, target

_EMPTY: Fields = {"strength": None, "context": "", "body": ""}
_KEY = ("store_id", "source", "kind", "target")


def storable(adapter: Adapter, values: Values) -> Values:
    """Return the part of a relation's values that the store itself can hold."""
    can = adapter.relation_fields
    strength, context, body = values
    return (
        strength if "strength" in can else None,
        context if "context" in can else "",
        body if "body" in can else "",
    )


def needed(adapter: Adapter, key: Key, values: Values) -> list[Override]:
    """Return the override for the rest; an empty list if the store can hold everything."""
    rest = [(n, v) for n, v in zip(VALUE_FIELDS, values, strict=True) if n not in adapter.relation_fields]
    filled = {name: value for name, value in rest if value not in (None, "")}
    return [_override(key, filled)] if filled else []


def of_store(db: Database, store_id: int) -> list[Override]:
    """Return all overrides of a store."""
    return [_from_row(row) for row in db.matching(RelationOverride, store_id=store_id)]


def find(db: Database, store_id: int, *keys: Key) -> list[Override]:
    """Return the overrides of these relations."""
    names = ("source", "kind", "target")
    return [
        _from_row(row)
        for key in dict.fromkeys(keys)
        for row in db.matching(RelationOverride, store_id=store_id, **dict(zip(names, key, strict=True)))
    ]


def journaled(keys: Iterable[Key], overrides: Iterable[Override], uids: Mapping[str, str]) -> list[Override]:
    """Return an override for each of these relations, as the journal keeps it; `uids` by name of the ends."""
    by_key = {key_of(override): override for override in overrides}
    return [
        {**by_key.get(key, _override(key, {})), "ends": [uids.get(key[0]), uids.get(key[2])]}
        for key in dict.fromkeys(keys)
    ]


def with_current_names(db: Database, store_id: int, overrides: Iterable[Override]) -> list[Override]:
    """Return overrides of the journal by today's names of their ends.

    A memory whose name nobody has any more may have been renamed; a relation that exists under its old names
    is meant as it is.
    """
    known = " UNION ALL ".join(
        f"SELECT 1 FROM {table} WHERE {' AND '.join(f'{name} = ?' for name in _KEY)}"
        for table in ("relations", "relation_overrides")
    )
    renamed: list[Override] = []
    for override in overrides:
        key = (store_id, *key_of(override))
        if db.one(known, (*key, *key)):
            renamed.append(override)
            continue
        names = (override["source"], override["target"])
        ends = zip(names, override.get("ends") or (None, None), strict=True)
        source, target = (_current_name(db, store_id, name, uid) for name, uid in ends)
        renamed.append({**override, "source": source, "target": target})
    return renamed


def _current_name(db: Database, store_id: int, name: str, uid: str | None) -> str:
    of_store = Memory.select(Memory.anchor).where(Memory.store_id == store_id)
    if uid is None or db.first(of_store.where((Memory.anchor == name) & Memory.ref.is_null(False))):
        return name
    found = db.first(of_store.where(Memory.uid == uid))
    return (found.anchor if found is not None else "") or name


def apply(db: Database, store_id: int, links: Iterable[Link]) -> list[Link]:
    """Return relations as read from their store, with the overridden values."""
    values = {key_of(override): values_of(override) for override in of_store(db, store_id)}
    if not values:
        return list(links)
    return [replace(each, **values.get((each.source, each.kind, each.target), {})) for each in links]


def swap(db: Database, store_id: int, removed: Sequence[Override], added: Sequence[Override]) -> None:
    """Delete and add overrides, and update the mirror rows of their relations."""
    for override in removed:
        key = key_of(override)
        db.write(RelationOverride.delete().where(_is(store_id, key)))
        if values := values_of(override):
            _set_mirror(db, store_id, key, {name: _EMPTY[name] for name in values})
    for override in added:
        values = values_of(override)
        if not values:
            continue
        key = key_of(override)
        row = dict(zip(_KEY, (store_id, *key), strict=True)) | _EMPTY | values
        db.write(RelationOverride.insert(row).on_conflict_replace())
        _set_mirror(db, store_id, key, values)


def _set_mirror(db: Database, store_id: int, key: Key, values: Mapping[str, FieldValue]) -> None:
    names = tuple(values)
    db.update_many(Relation, names, _KEY, [(*values.values(), store_id, *key)])


def conflict(db: Database, store_id: int, left: Sequence[Override], wanted: Sequence[Override]) -> str:
    """Say what changed since the overrides were `left` so, where they are to become `wanted`; or ""."""
    before = {key_of(override): values_of(override) for override in left}
    found = find(db, store_id, *before, *map(key_of, wanted))
    now = {key_of(override): values_of(override) for override in found}
    same = all(now.get(key, {}) == before.get(key, {}) for key in {*before, *now})
    return "" if same else wording.OVERRIDE_CHANGED


def follow_renames(db: Database, store_id: int, links: Iterable[Link], renamed: Mapping[str, str]) -> None:
    """Move overrides along with relations whose ends have new names (old → new)."""
    existing = {(each.source, each.kind, each.target) for each in links} if renamed else set()
    for override in of_store(db, store_id) if renamed else ():
        source, kind, target = key_of(override)
        new = (renamed.get(source, source), kind, renamed.get(target, target))
        if (source, kind, target) not in existing and new in existing and not find(db, store_id, new):
            swap(db, store_id, [override], [_override(new, values_of(override))])


def key_of(override: Override) -> Key:
    """Return the relation that an override is of."""
    return override["source"], override["kind"], override["target"]


def values_of(override: Override) -> Fields:
    """Return the overridden values by field."""
    return {name: override[name] for name in VALUE_FIELDS if name in override}


def describe(overrides: Iterable[Override]) -> str:
    """Name the fields that these overrides set: "strength, why"."""
    names = {name for override in overrides for name in VALUE_FIELDS if name in override}
    return ", ".join(label for field, label in wording.FIELD_LABELS.items() if field in names)


def _override(key: Key, values: Mapping[str, FieldValue]) -> Override:
    return {"source": key[0], "kind": key[1], "target": key[2], **values}


def _from_row(row: RelationOverride) -> Override:
    values = {name: getattr(row, name) for name in VALUE_FIELDS}
    filled = {name: value for name, value in values.items() if value not in (None, "")}
    return _override((row.source, row.kind, row.target), filled)


def _is(store_id: int, key: Key) -> Expression:
    table = RelationOverride
    return (
        (table.store_id == store_id)
        & (table.source == key[0])
        & (table.kind == key[1])
        & (table.target == key[2])
    )
