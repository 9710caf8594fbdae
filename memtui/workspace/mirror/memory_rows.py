"""Rows of `memories` ⇄ records, and taking what a store says into the mirror.

A mirror row is what the store says of a memory, overlaid with what only the workspace
keeps (`kept`: a pin that the format has no field for). All functions run inside the
caller's transaction.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memtui.formats.contract.adapter import Link, Record, SideRecord, clean
from memtui.memory.encoding import plain
from memtui.memory.memory import DEFAULTS, LISTS, Memory, label_of
from memtui.workspace.db.models import COLUMNS, JSON_COLUMNS
from memtui.workspace.mirror import relation_overrides

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

_OWN = ("id", "uid", "store_id", "ref", "anchor", "place", "kept", "moved", "removed_at", "shown")
_NAMES = ", ".join(f"m.{name}" for name in (*_OWN, *COLUMNS))
SELECT = f"SELECT {_NAMES}, s.name FROM memories m JOIN stores s ON s.id = m.store_id"
_RENEWED = ("ref", "anchor", "place", "digest", "unit", "removed_at", "hash", "moved", *COLUMNS)
_INSERT = (
    "INSERT INTO memories (uid, store_id, ref, anchor, place, digest, unit, kept, seen_at, removed_at, hash, "
    f"{', '.join(COLUMNS)}) VALUES ({', '.join('?' * (11 + len(COLUMNS)))})"
)
# What the words index holds, and `hash` is over.
TEXTS = ("title", "key", "subject", "content", "tags", "source_ref")


@dataclass(frozen=True, slots=True)
class MirrorRow:
    """A memory with the workspace's own knowledge of it."""

    id: int
    store_id: int
    anchor: str
    place: str
    kept: dict[str, Any]
    moved: int | None
    removed_at: float | None
    shown: bool  # its store is attached
    memory: Memory
    row: tuple[Any, ...] = field(default=(), compare=False, repr=False)  # of which it was read

    @property
    def label(self) -> str:
        """The one line that stands for it; raw."""
        return label_of(self.memory.title, self.memory.subject, self.memory.content)


def held(db: Database, ids: Sequence[int]) -> list[MirrorRow]:
    """The memories of these rows, in the given order; missing ones are left out."""
    rows = _rows(db, ids)
    return [_held(rows[id]) for id in dict.fromkeys(ids) if id in rows]


def again(db: Database, known: Iterable[MirrorRow]) -> dict[int, MirrorRow]:
    """The memories as their rows are now, by id: the very same where the row did not change."""
    was = {held.id: held for held in known}
    rows = _rows(db, list(was))
    return {id: was[id] if was[id].row == row else _held(row) for id, row in rows.items()}


def _rows(db: Database, ids: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    sql = f"{SELECT} WHERE m.id IN (SELECT value FROM json_each(?))"
    return {row[0]: row for row in db.rows(sql, (json.dumps(list(ids)),))}


def _held(row: tuple[Any, ...]) -> MirrorRow:
    said = list(row[len(_OWN) : -1])
    for at, is_list in _JSON_AT:
        text = said[at]
        if is_list and text == "[]":  # most are: a bulk verb reads thousands
            said[at] = ()
        elif text is not None and text != "{}":
            value = json.loads(text)
            said[at] = tuple(value) if is_list else value
        elif text is not None:
            said[at] = {}
    said[_AT["pinned"]] = bool(said[_AT["pinned"]])
    memory = Memory(uid=row[1], store=row[-1], ref=row[3] or "", **dict(zip(COLUMNS, said, strict=True)))
    kept = {} if row[6] == "{}" else json.loads(row[6])
    return MirrorRow(row[0], row[2], row[4], row[5], kept, row[7], row[8], bool(row[9]), memory, row)


def stored(name: str, value: Any) -> Any:
    """A field's value as its column holds it."""
    if name in JSON_COLUMNS:
        # What a store says beside the known fields may hold half a character.
        return None if value is None else clean(json.dumps(plain(value), ensure_ascii=False))
    if name == "content":
        return value or ""
    return int(value) if name == "pinned" else value


def columns_of(record_fields: Mapping[str, Any], kept: Mapping[str, Any]) -> tuple[Any, ...]:
    """The values of COLUMNS, as stored: what the store says, overlaid with what we keep."""
    values = list(_EMPTY)
    for said in (record_fields, kept):
        for name, value in said.items():
            values[_AT[name]] = stored(name, value)
    return tuple(values)


def hash_of(*texts: str | None) -> int:
    """A mark of a row's TEXTS as stored, in 64 bits with a sign: what is read must still have it."""
    said = "\x1f".join("\x1e" if text is None else text for text in texts)
    mark = hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(mark, "big", signed=True)


def _hash(columns: Sequence[Any]) -> int:
    return hash_of(*(columns[_AT[name]] for name in TEXTS))


def rehash(db: Database, id: int) -> None:
    """The row's texts were set one by one: give it their mark."""
    (texts,) = db.rows(f"SELECT {', '.join(TEXTS)} FROM memories WHERE id = ?", (id,))
    db.run("UPDATE memories SET hash = ? WHERE id = ?", (hash_of(*texts), id))


_AT = {name: index for index, name in enumerate(COLUMNS)}
_JSON_AT = [(_AT[name], name in LISTS) for name in JSON_COLUMNS]
_EMPTY = tuple(stored(name, DEFAULTS[name]) for name in COLUMNS)


def uid_of(format: str, ref: str, salt: str = "") -> str:
    """Twelve characters from what a store calls a memory: the same on every machine and attach.

    `salt` tells apart two stores in one workspace that say the same (a copied folder).
    """
    mark = hashlib.blake2b(f"{format}\0{ref}\0{salt}".encode("utf-8", "replace"), digest_size=8).digest()
    number = int.from_bytes(mark, "big")
    return "".join(_ALPHABET[(number >> (5 * i)) & 31] for i in range(12))


_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: nothing to misread


def free_uids(db: Database, format: str, refs: Sequence[str], path: str) -> list[str]:
    """Uids for new memories: salted with the store's place only where another memory has one."""
    salts = ("", path, *(f"{path}\0{n}" for n in range(1, 100)))
    out: list[str] = [""] * len(refs)
    todo = list(range(len(refs)))
    given: set[str] = set()
    for salt in salts:
        wanted = [uid_of(format, refs[i], salt) for i in todo]
        taken = {row[0] for row in db.rows(_TAKEN, (json.dumps(wanted),))}
        left = []
        for i, uid in zip(todo, wanted, strict=True):
            if uid in taken or uid in given:
                left.append(i)
            else:
                given.add(uid)
                out[i] = uid
        if not left:
            return out
        todo = left
    raise AssertionError("a hundred hashes collide")


_TAKEN = "SELECT uid FROM memories WHERE uid IN (SELECT value FROM json_each(?))"


def insert(
    db: Database, store_id: int, format: str, path: str, records: Sequence[Record], now: float
) -> None:
    """New rows for records that the mirror does not have."""
    uids = free_uids(db, format, [record.ref for record in records], path)

    def rows() -> Iterator[tuple[Any, ...]]:
        for uid, r in zip(uids, records, strict=True):
            columns = columns_of(r.fields, {})
            yield (
                *(uid, store_id, r.ref, r.anchor, r.place, r.digest, r.unit, "{}", now, r.removed_at),
                _hash(columns),
                *columns,
            )

    db.run_many(_INSERT, rows())


def renew(db: Database, rows: Sequence[tuple[int, Record, Mapping[str, Any]]]) -> None:
    """These rows say what their records say, and what we keep. Only what is another is set: columns that are
    indexed cost most, and most of them stay."""
    sql = f"SELECT id, {', '.join(_RENEWED)} FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    stood = {row[0]: row[1:] for row in db.rows(sql, (json.dumps([id for id, _, _ in rows]),))}
    by_names: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}
    for id, r, kept in rows:
        columns = columns_of(r.fields, kept)
        own = (r.ref, r.anchor, r.place, r.digest, r.unit, r.removed_at, _hash(columns), None)
        said = zip(_RENEWED, stood[id], (*own, *columns), strict=True)
        differ = [(name, new) for name, old, new in said if new != old]
        names = tuple(name for name, _ in differ)
        by_names.setdefault(names, []).append((*(new for _, new in differ), id))
    by_names.pop((), None)
    for names, bound in by_names.items():
        sets = ", ".join(f"{name} = ?" for name in names)
        db.run_many(f"UPDATE memories SET {sets} WHERE id = ?", bound)


Keeping = tuple[int, Mapping[str, Any], Mapping[str, Any], Mapping[str, Any] | None]
"""A memory's row, fields of it that are ours, what was ours before, and what its store says of them; None for
our own store."""


def keep_all(db: Database, rows: Sequence[Keeping]) -> None:
    """Set fields that are ours: in the rows, and in `kept` where the store's own differ."""
    by_names: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}
    for id, values, kept, said in rows:
        now = dict(kept)
        if said is not None:
            now |= {name: plain(value) for name, value in values.items()}
            told = [name for name, value in values.items() if value == said.get(name, DEFAULTS[name])]
            now = {name: value for name, value in now.items() if name not in told}
        text = json.dumps(now, ensure_ascii=False) if now else "{}"
        by_names.setdefault(tuple(values), []).append((text, *(stored(n, v) for n, v in values.items()), id))
    for names, bound in by_names.items():
        sets = ", ".join(f"{name} = ?" for name in names)
        db.run_many(f"UPDATE memories SET kept = ?, {sets} WHERE id = ?", bound)
    for id, values, _, _ in rows:
        if not values.keys().isdisjoint(TEXTS):
            rehash(db, id)


def set_links(db: Database, store_id: int, units: Collection[str] | None, links: Iterable[Link]) -> set[str]:
    """The relations that these units of a store tell; None is all of it. Returns the units in which
    they are others than before."""
    told = relation_overrides.over(db, store_id, links)
    said = [(x.unit, x.source, x.kind, x.target, x.strength, x.context, x.body) for x in told]
    names = "unit, source, kind, target, strength, context, body"
    return _set_rows(db, "relations", names, store_id, units, said)


def set_asides(
    db: Database, store_id: int, units: Collection[str] | None, asides: Iterable[SideRecord]
) -> set[str]:
    """The same for what stands beside the memories in these units."""
    said = [(x.unit, x.kind, x.about, x.via, x.words, x.at, x.other, x.settled) for x in asides]
    return _set_rows(
        db, "side_records", "unit, kind, about, via, words, at, other, settled", store_id, units, said
    )


def tie(db: Database, id: int, gone: Mapping[str, Any] | None, come: Mapping[str, Any] | None) -> None:
    """A relation that memtui keeps goes from a memory, or comes to it; the others stay."""
    (row,) = db.rows("SELECT ties, kept, store_id FROM memories WHERE id = ?", (id,))
    ties = [each for each in json.loads(row[0]) if each != gone]
    if come is not None and come not in ties:
        ties.append(dict(come))
    own = db.one("SELECT format FROM stores WHERE id = ?", (row[2],)) == "native"
    keep_all(db, [(id, {"ties": tuple(ties)}, json.loads(row[1]), None if own else {"ties": ()})])


def _set_rows(
    db: Database,
    table: str,
    names: str,
    store_id: int,
    units: Collection[str] | None,
    said: list[tuple[Any, ...]],
) -> set[str]:
    where = "store_id = ?"
    of: list[Any] = [store_id]
    if units is not None:
        where += " AND unit IN (SELECT value FROM json_each(?))"
        of.append(json.dumps(list(units)))
    known = db.rows(f"SELECT {names} FROM {table} WHERE {where} ORDER BY id", of)
    if known == said:
        return set()
    db.run(f"DELETE FROM {table} WHERE {where}", of)
    marks = ", ".join("?" for _ in names.split(", "))
    db.run_many(
        f"INSERT INTO {table} (store_id, {names}) VALUES (?, {marks})", [(store_id, *each) for each in said]
    )
    return {each[0] for each in set(known) ^ set(said)}


def forget_units(db: Database, store_id: int, units: Collection[str]) -> None:
    """We wrote in these units: what they say is to be compared anew, even if they come to say again
    what they said before, or are gone by then."""
    db.run("UPDATE stores SET stamp = '' WHERE id = ?", (store_id,))
    db.run_many(
        "INSERT OR REPLACE INTO units (store_id, name, mark) VALUES (?, ?, '')",
        [(store_id, unit) for unit in units if unit],
    )


def units_of(db: Database, ids: Iterable[int]) -> set[str]:
    """The units in which these rows were read."""
    sql = "SELECT DISTINCT unit FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    return {row[0] for row in db.rows(sql, (json.dumps(list(ids)),))}


def refs_of(db: Database, ids: Sequence[int]) -> dict[int, str | None]:
    """What their stores call the memories of these rows."""
    sql = "SELECT id, ref FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    return dict(db.rows(sql, (json.dumps(list(ids)),)))


def rename(db: Database, store_id: int, renamed: Mapping[str, str], now: float) -> list[int]:
    """Give rows their new refs; in two steps, since equal texts may swap theirs. Returns what made way."""
    ids = {
        db.one("SELECT id FROM memories WHERE store_id = ? AND ref = ?", (store_id, old)): new
        for old, new in renamed.items()
    }
    ids.pop(None, None)
    for id in ids:
        db.run("UPDATE memories SET ref = NULL WHERE id = ?", (id,))
    freed: list[int] = []
    for id, new in ids.items():
        freed += free_ref(db, store_id, new, now)
        db.run("UPDATE memories SET ref = ? WHERE id = ?", (new, id))
    return freed


def free_ref(db: Database, store_id: int, ref: str, now: float) -> list[int]:
    """Make way for a record: a row that had this ref stands nowhere from now on. Returns the row if it stood
    until now: another hand took its record away, which no pull will find any more."""
    stood = db.rows(
        "SELECT id FROM memories WHERE store_id = ? AND ref = ? AND removed_at IS NULL", (store_id, ref)
    )
    db.run(
        "UPDATE memories SET ref = NULL, removed_at = coalesce(removed_at, ?) WHERE store_id = ? AND ref = ?",
        (now, store_id, ref),
    )
    return [row[0] for row in stood]
