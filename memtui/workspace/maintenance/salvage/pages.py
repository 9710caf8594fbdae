"""Reading a damaged database page by page: around broken pages, and pages that nothing refers to.

Only private copies are read, never the workspace itself. All SQL is raw: it reads a damaged database of any
schema version, by rowid.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from memtui.formats.media.sqlite.connection import columns_of, quoted
from memtui.values import SqlRow, SqlValue

PAGE = 8192  # bytes of a workspace's pages
_HEADER = 100  # bytes of a database's header
_FIRST_PAGE_KINDS = (b"\x05", b"\x0d")  # what the first page of a database may be, behind the header
PROBES = 20_000  # ranges of one table that are tried where pages are broken
_MAX_ROWID = (1 << 63) - 1
BROKEN = (apsw.CorruptError, apsw.IOError, apsw.FormatError, apsw.NotADBError, apsw.SQLError)


@dataclass(slots=True)
class DamagedTable:
    """One table of the damaged workspace, read as far as possible."""

    connection: apsw.Connection
    name: str
    columns: list[str]
    gaps: list[tuple[int, int]] = field(default_factory=list)  # ranges of rowids that could not be read
    probes: int = 0

    def rows(self) -> Iterator[SqlRow]:
        """Yield all rows that can be read, rowid first: upward, then downward, then the gap between by
        halves."""
        last = -_MAX_ROWID
        try:
            for row in self._select("> ?", (last,), "ASC"):
                last = row[0]
                yield row
            return
        except BROKEN:
            pass
        first = _MAX_ROWID
        with suppress(*BROKEN):
            for row in self._select("> ?", (last,), "DESC"):
                first = row[0]
                yield row
        yield from self._between(*self._bounds(last + 1, first - 1))

    def _bounds(self, low: int, high: int) -> tuple[int, int]:
        """Return the gap, narrowed to the rowids in the indexes."""
        indexed = self.indexed_rowids()
        if indexed:
            return max(low, min(indexed)), min(high, max(indexed))
        return max(low, 0), min(high, low + PROBES if low > 0 else PROBES)

    def _between(self, low: int, high: int) -> Iterator[SqlRow]:
        ranges = [(low, high)] if low <= high else []
        while ranges:
            low, high = ranges.pop()
            self.probes += 1
            if self.probes > PROBES:
                self.gaps.append((low, high))
                continue
            try:
                yield from list(self._select("BETWEEN ? AND ?", (low, high), "ASC"))
            except BROKEN:
                if low == high:
                    self.gaps.append((low, high))
                else:
                    middle = (low + high) // 2
                    ranges += [(middle + 1, high), (low, middle)]

    def _select(self, where: str, bindings: tuple[int, ...], order: str) -> Iterator[SqlRow]:
        # Read as bytes: text that is no UTF-8 any more is still mostly readable.
        names = ", ".join(
            f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"
            for name in map(quoted, self.columns)
        )
        found = self.connection.execute(
            f"SELECT rowid, {names} FROM {quoted(self.name)} NOT INDEXED "
            f"WHERE rowid {where} ORDER BY rowid {order}",
            bindings,
        )
        for row in found:
            yield tuple(each.decode(errors="replace") if isinstance(each, bytes) else each for each in row)

    def indexed_rowids(self) -> set[int]:
        """Return the rowids in the table's indexes, which are b-trees of their own."""
        ids: set[int] = set()
        with suppress(*BROKEN):
            indexes = fetch_all(
                self.connection,
                "SELECT l.name, i.name FROM pragma_index_list(?) l, pragma_index_info(l.name) i "
                "WHERE seqno = 0",
                self.name,
            )
            for index, column in indexes:
                for order in ("ASC", "DESC"):
                    with suppress(*BROKEN):
                        for (id,) in self.connection.execute(
                            f"SELECT rowid FROM {quoted(self.name)} INDEXED BY {quoted(index)} "
                            f"ORDER BY {quoted(column)} {order}"
                        ):
                            ids.add(int(id))
        return ids

    def count(self) -> int | None:
        """Return how many rows there were, None if that cannot be read."""
        try:
            return int(fetch_all(self.connection, f"SELECT count(*) FROM {quoted(self.name)}")[0][0])
        except BROKEN:
            return None


def fetch_all(connection: apsw.Connection, sql: str, *values: SqlValue) -> list[SqlRow]:
    """Return all rows of a SELECT."""
    return connection.execute(sql, values).fetchall()


def open_damaged(copy: Path) -> apsw.Connection:
    """Open the private copy for reading, with a new header if its own is damaged."""
    for attempt in (1, 2):
        connection = apsw.Connection(str(copy))
        try:
            # With a writable schema SQLite reads on where the file is shorter than its header says.
            # Without a log, everything is in one file.
            for pragma in (
                "writable_schema=ON",
                "trusted_schema=OFF",
                "journal_mode=DELETE",
                "query_only=ON",
            ):
                connection.execute(f"PRAGMA {pragma}")
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
            return connection
        except BaseException as error:
            connection.close()
            if attempt == 2 or not isinstance(error, apsw.NotADBError) or not _replace_header(copy):
                raise
    raise AssertionError("the second try returns or raises")


def _replace_header(copy: Path) -> bool:
    """Write a workspace's header into the copy, which nobody has open; return False if the rest does not look
    like a database either."""
    with copy.open("r+b") as handle:
        size = handle.seek(0, os.SEEK_END)
        handle.seek(_HEADER)
        if size < 2 * PAGE or handle.read(1) not in _FIRST_PAGE_KINDS:
            return False
        handle.seek(0)
        fixed = struct.pack(">16sHBBBBBB", b"SQLite format 3\0", PAGE, 2, 2, 0, 64, 32, 32)
        counts = struct.pack(">IIIIII", 1, size // PAGE, 0, 0, 1, 4)
        handle.write((fixed + counts + struct.pack(">III", 0, 0, 1)).ljust(_HEADER, b"\0"))
    return True


def read_unreferenced(
    new: apsw.Connection,
    copy: Path,
    root: int,
    known_columns: list[str],
    missing: dict[int, dict[str, SqlValue]],
) -> int:
    """Insert missing memories from intact pages that no page refers to any more; return how many.

    Each such page is written over the table's root page in the copy and read there. Only rows that an
    index still names count, so that nothing erased comes back; they are removed from `missing`.
    """
    columns = [name for name in columns_of(new, "memories") if name in known_columns]
    marks = ", ".join("?" for _ in columns)
    insert = f"INSERT OR IGNORE INTO memories ({', '.join(map(quoted, columns))}) VALUES ({marks})"
    uid_at = 1 + columns.index("uid")
    saved = 0
    for page in range(2, copy.stat().st_size // PAGE + 1) if missing else ():
        with copy.open("r+b") as handle:
            handle.seek((page - 1) * PAGE)
            data = handle.read(PAGE)
            if missing.keys().isdisjoint(_rowids(data)):
                continue
            handle.seek((root - 1) * PAGE)
            handle.write(data)
        source = open_damaged(copy)
        with suppress(*BROKEN):
            for row in DamagedTable(source, "memories", columns).rows():
                if row[0] in missing and missing[row[0]].get("uid") == row[uid_at]:
                    with suppress(apsw.MismatchError):
                        new.execute(insert, row[1:])
                        saved += new.changes()
                        del missing[row[0]]
        source.close()
    return saved


def _rowids(page: bytes) -> set[int]:
    """Return the rowids on a page that is a leaf of a table, none for other pages."""
    if page[:1] != b"\x0d":
        return set()
    ids = set()
    for number in range(min(int.from_bytes(page[3:5], "big"), PAGE // 4)):
        start = int.from_bytes(page[8 + 2 * number : 10 + 2 * number], "big")
        _, start = _varint(page, start)
        ids.add(_varint(page, start)[0])
    return ids


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """Return the variable-length integer at an offset, and the offset behind it."""
    value = 0
    for byte in page[at : at + 8]:
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return value, at
