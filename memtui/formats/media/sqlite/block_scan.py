"""Reading a database again: blocks of rows, with a fingerprint over all of their values (S-5)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import apsw

from memtui.formats.contract.incremental import KnownUnits, Snapshot
from memtui.formats.contract.records import Reading
from memtui.formats.media.sqlite.connection import columns_of, copy_database, has_rowids, opened, quoted

if TYPE_CHECKING:
    from memtui.formats.media.sqlite.store import SqliteStore

BLOCK = 8  # bits: 256 rows are one unit
_SPAN = 1 << 14  # rows whose fingerprints are computed by one statement
_PART = 8  # blocks that are read at once
SMALL = 1  # blocks up to which a store is read whole
FEW = 64  # blocks up to which they are read at once where that blocks writers
_LAST = (1 << 63) - 1  # the largest rowid
SIDE_UNIT = "beside"  # the unit of all other tables


class BlockSnapshot(Snapshot):
    """A snapshot whose units are numbered blocks: that of a row is its rowid divided by 256.

    `release` ends the read transaction, where that blocks writers.
    """

    def __init__(
        self, store: SqliteStore, connection: apsw.Connection, release: Callable[[], None] | None
    ) -> None:
        self._store = store
        self._connection = connection
        self._release = release
        self.fingerprints = dict(_fingerprints(connection, store.table, store.columns_read(connection)))
        self._blocks = len(self.fingerprints)
        if store.side_tables:
            self.fingerprints[SIDE_UNIT] = _combined_fingerprint(connection, store.side_tables)

    def units_to_read(
        self, changed: Collection[str], removed: Collection[str], known: KnownUnits
    ) -> Collection[str]:
        units: Collection[str] = changed
        rows = {*changed, *removed} - {SIDE_UNIT}
        small = (changed or removed) and self._blocks <= SMALL
        if small or (rows and not self._store.rows_are_independent(self._connection)):
            units = self.fingerprints.keys()
        if not units and self._release is not None:
            self._release()  # nothing will be read, so no writer has to wait
        return units

    def read(self, units: Collection[str]) -> Iterator[Reading]:
        if self._release is None:
            yield from self._parts(units, self._connection)
        elif len(units) <= FEW:
            parts = list(self._parts(units, self._connection))
            self._release()
            yield from parts
        else:
            # Much to read while writers wait: a copy is read. It may be newer than the fingerprints, and then
            # the next pull finds other ones.
            self._release()
            with TemporaryDirectory(prefix="memtui-") as folder:
                copy = Path(folder, "store.db")
                copy.touch(0o600)
                copy_database(self._connection, copy)  # even next to a writer that never pauses
                with opened(copy) as connection:
                    yield from self._parts(units, connection)

    def _parts(self, units: Collection[str], connection: apsw.Connection) -> Iterator[Reading]:
        whole = len(units) == len(self.fingerprints)
        if SIDE_UNIT in units:
            yield self._store.read_side_tables(connection)
        if whole and self._blocks <= SMALL:
            yield self._store.records(connection)
            return
        blocks = sorted(int(unit) for unit in units if unit != SIDE_UNIT)
        for start in range(0, len(blocks), _PART):
            part = Reading()
            for low, high in _runs(blocks[start : start + _PART]):
                part.extend(self._store.records(connection, span=(low << BLOCK, (high + 1 << BLOCK) - 1)))
            yield part
        if whole:
            rest = Reading()
            self._store.add_table_findings(connection, rest)
            yield rest


def unit_of(rowid: int) -> str:
    """Return the unit of a row."""
    return str(rowid >> BLOCK)


def _runs(blocks: list[int]) -> Iterator[tuple[int, int]]:
    """Yield runs of adjacent blocks as (first, last)."""
    low = high = blocks[0]
    for block in blocks[1:]:
        if block != high + 1:
            yield low, high
            low = block
        high = block
    yield low, high


def _combined_fingerprint(connection: apsw.Connection, tables: Sequence[str]) -> str:
    """Return one fingerprint of all rows of these tables."""
    combined = hashlib.blake2b(digest_size=8)
    for table in tables:
        columns = columns_of(connection, table)
        if not columns:
            continue
        combined.update(table.encode())
        if has_rowids(connection, table):
            for block, fingerprint in _fingerprints(connection, table, columns):
                combined.update(f"{block} {fingerprint}\n".encode())
        else:
            values = ", ".join(f"quote({quoted(column)})" for column in columns)
            sql = f"SELECT CAST(concat_ws(char(31), {values}) AS BLOB) FROM {quoted(table)}"
            for (row,) in connection.execute(sql):
                combined.update(row + b"\n")
    return combined.hexdigest()


def _fingerprints(connection: apsw.Connection, table: str, columns: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each block with its fingerprint. SQLite joins the rows, so that none becomes a Python value."""
    name = quoted(table)
    values = ", ".join(f"coalesce({name}.{quoted(column)}, char(30))" for column in columns)
    sql = (
        f"SELECT rowid >> {BLOCK}, CAST(group_concat(rowid || char(31) || concat_ws(char(31), {values}), "
        f"char(10)) AS BLOB) FROM {name} WHERE rowid BETWEEN ? AND ? GROUP BY 1"
    )
    low = connection.execute(f"SELECT min(rowid) FROM {name}").get
    while low is not None:
        low = low >> BLOCK << BLOCK
        for block, text in connection.execute(sql, (low, min(low + _SPAN - 1, _LAST))):
            yield str(block), hashlib.blake2b(text, digest_size=8).hexdigest()
        if low + _SPAN > _LAST:
            return
        following = connection.execute(f"SELECT min(rowid) FROM {name} WHERE rowid >= ?", (low + _SPAN,))
        low = following.get
