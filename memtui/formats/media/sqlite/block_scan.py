"""Looking again at a database of someone else: blocks of rows, marked by all that they hold (S-5)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import apsw

from memtui.formats.contract.adapter import Reading
from memtui.formats.contract.incremental import Known, Look
from memtui.formats.media.sqlite.connection import columns_of, copy_database, has_rowids, opened, quoted

if TYPE_CHECKING:
    from memtui.formats.media.sqlite.store import SqliteStore

BLOCK = 8  # bits: 256 rows are one unit
_SPAN = 1 << 14  # rows whose marks are asked for at once
_PART = 8  # blocks that are read at once
SMALL = 1  # blocks up to which a store is read whole
FEW = 64  # blocks that are read at once where that keeps writers out
_LAST = (1 << 63) - 1  # the largest rowid
BESIDE = "beside"  # the unit of what stands in other tables


class BlockLook(Look):
    """Units are named by number: a row's is its rowid divided by 256."""

    def __init__(
        self, store: SqliteStore, connection: apsw.Connection, release: Callable[[], None] | None
    ) -> None:
        self._store = store
        self._connection = connection
        self._release = release
        self.marks = dict(_marks(connection, store.table, store.columns_read(connection)))
        self._rows = len(self.marks)
        if store.beside_tables:
            self.marks[BESIDE] = _beside_mark(connection, store.beside_tables)

    def scope(self, changed: Collection[str], lost: Collection[str], known: Known) -> Collection[str]:
        units: Collection[str] = changed
        rows = {*changed, *lost} - {BESIDE}
        small = (changed or lost) and self._rows <= SMALL
        if small or (rows and not self._store.stand_alone(self._connection)):
            units = self.marks.keys()
        if not units and self._release is not None:
            self._release()  # nothing will be read: nobody is kept waiting
        return units

    def read(self, units: Collection[str]) -> Iterator[Reading]:
        if self._release is None:
            yield from self._parts(units, self._connection)
        elif len(units) <= FEW:
            parts = list(self._parts(units, self._connection))
            self._release()
            yield from parts
        else:
            # Much to read, and writers are waiting: a copy is read. It may be newer than the marks,
            # and then the next look finds other ones.
            self._release()
            with TemporaryDirectory(prefix="memtui-") as folder:
                copy = Path(folder, "store.db")
                copy.touch(0o600)
                copy_database(self._connection, copy)  # beside an agent that never rests, too
                with opened(copy) as connection:
                    yield from self._parts(units, connection)

    def _parts(self, units: Collection[str], connection: apsw.Connection) -> Iterator[Reading]:
        whole = len(units) == len(self.marks)
        if BESIDE in units:
            yield self._store.beside(connection)
        if whole and self._rows <= SMALL:
            yield self._store.records(connection)
            return
        blocks = sorted(int(unit) for unit in units if unit != BESIDE)
        for start in range(0, len(blocks), _PART):
            part = Reading()
            for low, high in _runs(blocks[start : start + _PART]):
                part.take(self._store.records(connection, span=(low << BLOCK, (high + 1 << BLOCK) - 1)))
            yield part
        if whole:
            around = Reading()
            self._store.look_around(connection, around)
            yield around


def unit_of(rowid: int) -> str:
    """The unit that a row belongs to."""
    return str(rowid >> BLOCK)


def _runs(blocks: list[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring blocks as one stretch."""
    low = high = blocks[0]
    for block in blocks[1:]:
        if block != high + 1:
            yield low, high
            low = block
        high = block
    yield low, high


def _beside_mark(connection: apsw.Connection, tables: Sequence[str]) -> str:
    """One mark for all rows of these tables."""
    whole = hashlib.blake2b(digest_size=8)
    for table in tables:
        columns = columns_of(connection, table)
        if not columns:
            continue
        whole.update(table.encode())
        if has_rowids(connection, table):
            for block, mark in _marks(connection, table, columns):
                whole.update(f"{block} {mark}\n".encode())
        else:
            said = ", ".join(f"quote({quoted(column)})" for column in columns)
            sql = f"SELECT CAST(concat_ws(char(31), {said}) AS BLOB) FROM {quoted(table)}"
            for (row,) in connection.execute(sql):
                whole.update(row + b"\n")
    return whole.hexdigest()


def _marks(connection: apsw.Connection, table: str, columns: list[str]) -> Iterator[tuple[str, str]]:
    """Each block's mark. SQLite puts the rows together: no row becomes a Python value."""
    name = quoted(table)
    said = ", ".join(f"coalesce({name}.{quoted(column)}, char(30))" for column in columns)
    sql = (
        f"SELECT rowid >> {BLOCK}, CAST(group_concat(rowid || char(31) || concat_ws(char(31), {said}), "
        f"char(10)) AS BLOB) FROM {name} WHERE rowid BETWEEN ? AND ? GROUP BY 1"
    )
    low = connection.execute(f"SELECT min(rowid) FROM {name}").get
    while low is not None:
        low = low >> BLOCK << BLOCK
        for block, text in connection.execute(sql, (low, min(low + _SPAN - 1, _LAST))):
            yield str(block), hashlib.blake2b(text, digest_size=8).hexdigest()
        if low + _SPAN > _LAST:
            return
        beyond = connection.execute(f"SELECT min(rowid) FROM {name} WHERE rowid >= ?", (low + _SPAN,))
        low = beyond.get
