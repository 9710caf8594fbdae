"""Rows of `memories`: loading them, and bringing records of stores into them.

A row holds a memory's fields as its store has them, overlaid with those that only the workspace keeps
(`kept`: a pin that the format has no field for). All functions run inside the caller's transaction.
Statements over lists of rows are one query each with `json_each`: a pull or a bulk verb has thousands.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from peewee import Model

from memtui.formats.contract.records import Link, Record, SideRecord, clean
from memtui.memory.encoding import plain
from memtui.memory.memory import DEFAULTS, LISTS, Memory, label_of
from memtui.values import Fields, FieldValue, SqlRow, SqlValue
from memtui.workspace.db.models import COLUMNS, JSON_COLUMNS, Relation, Store, Unit
from memtui.workspace.db.models import Memory as MemoryRow
from memtui.workspace.db.models import SideRecord as SideRecordRow
from memtui.workspace.mirror import relation_overrides
from memtui.workspace.mirror.uids import free_uids

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

_OWN = ("id", "uid", "store_id", "ref", "anchor", "place", "kept", "moved", "removed_at", "shown")
_NAMES = ", ".join(f"m.{name}" for name in (*_OWN, *COLUMNS))
SELECT = f"SELECT {_NAMES}, s.name FROM memories m JOIN stores s ON s.id = m.store_id"
_UPDATED = ("ref", "anchor", "place", "digest", "unit", "removed_at", "hash", "moved", *COLUMNS)
_INSERTED = (
    *("uid", "store_id", "ref", "anchor", "place", "digest", "unit", "kept", "seen_at", "removed_at", "hash"),
    *COLUMNS,
)
# The columns of the full-text index, which `hash` covers.
TEXTS = ("title", "key", "subject", "content", "tags", "source_ref")


@dataclass(frozen=True, slots=True)
class MirrorRow:
    """A memory with the workspace's own fields of it."""

    id: int
    store_id: int
    anchor: str
    place: str
    kept: Fields  # fields that the workspace keeps in addition to the store
    moved: int | None  # the journal item whose plan took it out of its store
    removed_at: float | None
    shown: bool  # its store is attached
    memory: Memory
    raw: SqlRow = field(default=(), compare=False, repr=False)  # as loaded

    @property
    def label(self) -> str:
        """The one line that represents it in lists; raw text."""
        return label_of(self.memory.title, self.memory.subject, self.memory.content)


def load(db: Database, ids: Sequence[int]) -> list[MirrorRow]:
    """Return the memories with these row ids, in the given order; missing ones are left out."""
    rows = _rows(db, ids)
    return [_mirror_row(rows[id]) for id in dict.fromkeys(ids) if id in rows]


def reload(db: Database, known: Iterable[MirrorRow]) -> dict[int, MirrorRow]:
    """Return these memories as their rows are now, by id; the same objects where nothing changed."""
    before = {row.id: row for row in known}
    rows = _rows(db, list(before))
    return {id: before[id] if before[id].raw == raw else _mirror_row(raw) for id, raw in rows.items()}


def _rows(db: Database, ids: Sequence[int]) -> dict[int, SqlRow]:
    sql = f"{SELECT} WHERE m.id IN (SELECT value FROM json_each(?))"
    return {row[0]: row for row in db.rows(sql, (json.dumps(list(ids)),))}


def _mirror_row(row: SqlRow) -> MirrorRow:
    values = list(row[len(_OWN) : -1])
    for at, is_list in _JSON_AT:
        text = values[at]
        if is_list and text == "[]":  # the usual case: a bulk verb loads thousands
            values[at] = ()
        elif text is not None and text != "{}":
            value = json.loads(text)
            values[at] = tuple(value) if is_list else value
        elif text is not None:
            values[at] = {}
    values[_AT["pinned"]] = bool(values[_AT["pinned"]])
    memory = Memory(uid=row[1], store=row[-1], ref=row[3] or "", **dict(zip(COLUMNS, values, strict=True)))
    kept = {} if row[6] == "{}" else json.loads(row[6])
    return MirrorRow(row[0], row[2], row[4], row[5], kept, row[7], row[8], bool(row[9]), memory, row)


def owners(db: Database, store_id: int) -> list[str]:
    """Return the owners of the memories that are in a store."""
    # One column of thousands of rows, without model instances.
    sql = (
        "SELECT DISTINCT owner FROM memories "
        "WHERE store_id = ? AND owner <> '' AND removed_at IS NULL ORDER BY owner"
    )
    return [owner for (owner,) in db.rows(sql, (store_id,))]


def ids_in(db: Database, store_id: int | None, owner: str, key: str) -> list[int]:
    """Return the memories that are in attached stores: all, or those in a store, of an owner, with a key."""
    # One column of thousands of rows, without model instances.
    sql = (
        "SELECT id FROM memories WHERE shown AND removed_at IS NULL AND moved IS NULL "
        "AND (?1 IS NULL OR store_id = ?1) AND (?2 = '' OR owner = ?2) AND (?3 = '' OR key = ?3) ORDER BY id"
    )
    return [id for (id,) in db.rows(sql, (store_id, owner, key))]


def stored(name: str, value: FieldValue) -> SqlValue:
    """Return a field's value as its column holds it."""
    if name in JSON_COLUMNS:
        # A store's own fields may hold lone surrogates, which SQLite cannot store.
        return None if value is None else clean(json.dumps(plain(value), ensure_ascii=False))
    if name == "content":
        return value or ""
    return int(value) if name == "pinned" else value


def columns_of(record_fields: Mapping[str, FieldValue], kept: Mapping[str, FieldValue]) -> SqlRow:
    """Return the values of COLUMNS as stored: the store's fields, overlaid with the workspace's."""
    values = list(_EMPTY)
    for fields in (record_fields, kept):
        for name, value in fields.items():
            values[_AT[name]] = stored(name, value)
    return tuple(values)


def hash_of(*texts: str | None) -> int:
    """Return a signed 64-bit hash of a row's TEXTS as stored, which exposes damaged bytes."""
    joined = "\x1f".join("\x1e" if text is None else text for text in texts)
    digest = hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _hash(columns: Sequence[SqlValue]) -> int:
    return hash_of(*(columns[_AT[name]] for name in TEXTS))


def rehash(db: Database, id: int) -> None:
    """Update the hash of a row whose texts were set one by one."""
    (texts,) = db.rows(f"SELECT {', '.join(TEXTS)} FROM memories WHERE id = ?", (id,))
    db.update_many(MemoryRow, ("hash",), ("id",), [(hash_of(*texts), id)])  # as fast as raw: it runs per item


_AT = {name: index for index, name in enumerate(COLUMNS)}
_JSON_AT = [(_AT[name], name in LISTS) for name in JSON_COLUMNS]
_EMPTY = tuple(stored(name, DEFAULTS[name]) for name in COLUMNS)


def insert(
    db: Database, store_id: int, format: str, path: str, records: Sequence[Record], now: float
) -> None:
    """Insert rows for records that are new to the mirror; `now` is in Unix seconds."""
    uids = free_uids(db, format, [record.ref for record in records], path)

    def rows() -> Iterator[SqlRow]:
        for uid, r in zip(uids, records, strict=True):
            columns = columns_of(r.fields, {})
            yield (
                *(uid, store_id, r.ref, r.anchor, r.place, r.digest, r.unit, "{}", now, r.removed_at),
                _hash(columns),
                *columns,
            )

    db.insert_many(MemoryRow, _INSERTED, rows())


class OwnRow(NamedTuple):
    """A new memory of memtui's own store."""

    id: int
    uid: str
    store_id: int
    ref: str
    seen_at: float
    fields: Mapping[str, FieldValue]


def insert_own(db: Database, rows: Iterable[OwnRow]) -> None:
    """Insert new memories of memtui's own store."""
    names = ("id", "uid", "store_id", "ref", "seen_at", "hash", *COLUMNS)

    def values() -> Iterator[SqlRow]:
        for *own, fields in rows:
            columns = columns_of(fields, {})
            yield (*own, _hash(columns), *columns)

    db.insert_many(MemoryRow, names, values())


def update(db: Database, rows: Sequence[tuple[int, Record, Mapping[str, FieldValue]]]) -> None:
    """Update rows from (row id, record, fields kept by the workspace).

    Only columns that differ are set: indexed ones cost the most, and most stay the same.
    """
    sql = f"SELECT id, {', '.join(_UPDATED)} FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    current = {row[0]: row[1:] for row in db.rows(sql, (json.dumps([id for id, _, _ in rows]),))}
    by_names: dict[tuple[str, ...], list[SqlRow]] = {}
    for id, r, kept in rows:
        columns = columns_of(r.fields, kept)
        own = (r.ref, r.anchor, r.place, r.digest, r.unit, r.removed_at, _hash(columns), None)
        values = zip(_UPDATED, current[id], (*own, *columns), strict=True)
        changed = [(name, new) for name, old, new in values if new != old]
        names = tuple(name for name, _ in changed)
        by_names.setdefault(names, []).append((*(new for _, new in changed), id))
    by_names.pop((), None)
    for names, bound in by_names.items():
        db.update_many(MemoryRow, names, ("id",), bound)


LocalChange = tuple[int, Mapping[str, FieldValue], Mapping[str, FieldValue], Mapping[str, FieldValue] | None]
"""A row's id, the fields to keep in the workspace, those kept so far, and the store's own values of them
(None for memtui's own store)."""


def set_local_fields(db: Database, changes: Sequence[LocalChange]) -> None:
    """Set fields that the workspace keeps: in the columns, and in `kept` where the store's value differs."""
    by_names: dict[tuple[str, ...], list[SqlRow]] = {}
    for id, values, kept, in_store in changes:
        now = dict(kept)
        if in_store is not None:
            now |= {name: plain(value) for name, value in values.items()}
            same = [name for name, value in values.items() if value == in_store.get(name, DEFAULTS[name])]
            now = {name: value for name, value in now.items() if name not in same}
        text = json.dumps(now, ensure_ascii=False) if now else "{}"
        by_names.setdefault(tuple(values), []).append((text, *(stored(n, v) for n, v in values.items()), id))
    for names, bound in by_names.items():
        db.update_many(MemoryRow, ("kept", *names), ("id",), bound)
    for id, values, _, _ in changes:
        if not values.keys().isdisjoint(TEXTS):
            rehash(db, id)


def set_relations(
    db: Database, store_id: int, units: Collection[str] | None, links: Iterable[Link]
) -> set[str]:
    """Replace the relations of these units of a store, of all of it if None; return the units changed."""
    overlaid = relation_overrides.apply(db, store_id, links)
    rows = [(x.unit, x.source, x.kind, x.target, x.strength, x.context, x.body) for x in overlaid]
    names = ("unit", "source", "kind", "target", "strength", "context", "body")
    return _replace_rows(db, Relation, names, store_id, units, rows)


def set_side_records(
    db: Database, store_id: int, units: Collection[str] | None, records: Iterable[SideRecord]
) -> set[str]:
    """Replace the side records of these units of a store, of all of it if None; return the units changed."""
    rows = [(x.unit, x.kind, x.about, x.via, x.text, x.at, x.other, x.settled, x.data) for x in records]
    names = ("unit", "kind", "about", "via", "words", "at", "other", "settled", "data")
    return _replace_rows(db, SideRecordRow, names, store_id, units, rows)


def swap_local_relation(
    db: Database, id: int, old: Mapping[str, FieldValue] | None, new: Mapping[str, FieldValue] | None
) -> None:
    """Remove a relation that memtui keeps from a memory, add another, or both; the others stay."""
    (row,) = db.rows("SELECT ties, kept, store_id FROM memories WHERE id = ?", (id,))
    relations = [each for each in json.loads(row[0]) if each != old]
    if new is not None and new not in relations:
        relations.append(dict(new))
    native = db.get(Store, row[2]).format == "native"
    kept, in_store = json.loads(row[1]), None if native else {"ties": ()}
    set_local_fields(db, [(id, {"ties": tuple(relations)}, kept, in_store)])


def _replace_rows(
    db: Database,
    model: type[Model],
    names: tuple[str, ...],
    store_id: int,
    units: Collection[str] | None,
    rows: list[SqlRow],
) -> set[str]:
    table = model._meta.table_name
    where = "store_id = ?"
    bindings: list[SqlValue] = [store_id]
    if units is not None:
        where += " AND unit IN (SELECT value FROM json_each(?))"
        bindings.append(json.dumps(list(units)))
    known = db.rows(f"SELECT {', '.join(names)} FROM {table} WHERE {where} ORDER BY id", bindings)
    if known == rows:
        return set()
    db.run(f"DELETE FROM {table} WHERE {where}", bindings)
    db.insert_many(model, ("store_id", *names), [(store_id, *each) for each in rows])
    return {each[0] for each in set(known) ^ set(rows)}


def invalidate_units(db: Database, store_id: int, units: Collection[str]) -> None:
    """Have the next pull read these units, even if they return to their former content or vanish."""
    db.write(Store.update(stamp="").where(Store.id == store_id))
    rows = [(store_id, unit, "") for unit in units if unit]
    db.insert_many(Unit, ("store_id", "name", "mark"), rows, replace=True)


def units_of(db: Database, ids: Iterable[int]) -> set[str]:
    """Return the units that these rows were read from."""
    sql = "SELECT DISTINCT unit FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    return {row[0] for row in db.rows(sql, (json.dumps(list(ids)),))}


def refs_of(db: Database, ids: Sequence[int]) -> dict[int, str | None]:
    """Return the refs of these rows, by id."""
    sql = "SELECT id, ref FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    refs: dict[int, str | None] = dict(db.rows(sql, (json.dumps(list(ids)),)))
    return refs


def rename_refs(db: Database, store_id: int, renamed: Mapping[str, str], now: float) -> list[int]:
    """Give rows their new refs (old → new) and return the rows displaced.

    Done in two steps, since equal texts may swap their refs.
    """
    ids = {
        db.one("SELECT id FROM memories WHERE store_id = ? AND ref = ?", (store_id, old)): new
        for old, new in renamed.items()
    }
    ids.pop(None, None)
    db.update_many(MemoryRow, ("ref",), ("id",), [(None, id) for id in ids])
    displaced: list[int] = []
    for id, new in ids.items():
        displaced += free_ref(db, store_id, new, now)
        db.update_many(MemoryRow, ("ref",), ("id",), [(new, id)])
    return displaced


def free_ref(db: Database, store_id: int, ref: str, now: float) -> list[int]:
    """Take a ref from the row that has it, for another record.

    Return the row if it was present until now: another program removed its record, and no pull will see that.
    """
    rows = db.rows("SELECT id, removed_at FROM memories WHERE store_id = ? AND ref = ?", (store_id, ref))
    freed = [(None, now if removed_at is None else removed_at, id) for id, removed_at in rows]
    db.update_many(MemoryRow, ("ref", "removed_at"), ("id",), freed)
    return [id for id, removed_at in rows if removed_at is None]
