"""Reading a damaged database page by page: around broken pages, and pages that nothing leads to.

It is always a private copy that is read, never the workspace itself.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from memtui.formats.media.sqlite.connection import columns_of, quoted

PAGE = 8192  # bytes of a workspace's pages
_HEADER = 100
PROBES = 20_000  # ranges of one table that are tried where pages are broken
_LARGEST = (1 << 63) - 1
BROKEN = (apsw.CorruptError, apsw.IOError, apsw.FormatError, apsw.NotADBError, apsw.SQLError)


@dataclass(slots=True)
class DamagedTable:
    """One table of the damaged workspace, read as far as it goes."""

    connection: apsw.Connection
    name: str
    columns: list[str]
    gaps: list[tuple[int, int]] = field(default_factory=list)  # ranges that could not be read
    probes: int = 0

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """All rows that can be read: upward, then downward, then the gap between by halves."""
        last = -_LARGEST
        try:
            for row in self._select("> ?", (last,), "ASC"):
                last = row[0]
                yield row
            return
        except BROKEN:
            pass
        first = _LARGEST
        with suppress(*BROKEN):
            for row in self._select("> ?", (last,), "DESC"):
                first = row[0]
                yield row
        yield from self._between(*self._bounds(last + 1, first - 1))

    def _bounds(self, low: int, high: int) -> tuple[int, int]:
        """The gap, no wider than what the indexes know of."""
        known = self.known()
        if known:
            return max(low, min(known)), min(high, max(known))
        return max(low, 0), min(high, low + PROBES if low > 0 else PROBES)

    def _between(self, low: int, high: int) -> Iterator[tuple[Any, ...]]:
        todo = [(low, high)] if low <= high else []
        while todo:
            low, high = todo.pop()
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
                    todo += [(middle + 1, high), (low, middle)]

    def _select(self, where: str, bindings: tuple[int, ...], order: str) -> Iterator[tuple[Any, ...]]:
        # As bytes: a text that is no UTF-8 any more is still most of a text.
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

    def known(self) -> set[int]:
        """The rowids that the indexes tell, which are b-trees of their own."""
        ids: set[int] = set()
        with suppress(*BROKEN):
            indexes = all_of(
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
        """How many rows there were, where that can still be told."""
        try:
            return int(all_of(self.connection, f"SELECT count(*) FROM {quoted(self.name)}")[0][0])
        except BROKEN:
            return None


def all_of(connection: apsw.Connection, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """All rows of an answer."""
    return connection.execute(sql, values).fetchall()


def open_damaged(copy: Path) -> apsw.Connection:
    """The private copy, its first bytes made anew where they are not those of a database."""
    for attempt in (1, 2):
        connection = apsw.Connection(str(copy))
        try:
            # With a writable schema SQLite goes on where the file is shorter than its header says.
            # Without a log all of it stands in one file.
            for pragma in (
                "writable_schema=ON",
                "trusted_schema=OFF",
                "journal_mode=DELETE",
                "query_only=ON",
            ):
                connection.execute(f"PRAGMA {pragma}")
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
            return connection
        except BaseException as trouble:
            connection.close()
            if attempt == 2 or not isinstance(trouble, apsw.NotADBError) or not _new_header(copy):
                raise
    raise AssertionError("the second try returns or raises")


def _new_header(copy: Path) -> bool:
    """Write the header of our databases over that of the copy, which nobody has open."""
    with copy.open("r+b") as handle:
        size = handle.seek(0, os.SEEK_END)
        handle.seek(_HEADER)
        if size < 2 * PAGE or handle.read(1) not in (
            b"\x05",
            b"\x0d",
        ):  # what the first page holds in a database
            return False
        handle.seek(0)
        fixed = struct.pack(">16sHBBBBBB", b"SQLite format 3\0", PAGE, 2, 2, 0, 64, 32, 32)
        counts = struct.pack(">IIIIII", 1, size // PAGE, 0, 0, 1, 4)
        handle.write((fixed + counts + struct.pack(">III", 0, 0, 1)).ljust(_HEADER, b"\0"))
    return True


def adrift(
    new: apsw.Connection, copy: Path, root: int, there: list[str], missing: dict[int, dict[str, Any]]
) -> int:
    """Memories on whole pages that no page leads to any more: each is put into the table's place in the
    copy and read there. Only rows that an index still names count, so that nothing erased comes back."""
    columns = [name for name in columns_of(new, "memories") if name in there]
    marks = ", ".join("?" for _ in columns)
    insert = f"INSERT OR IGNORE INTO memories ({', '.join(map(quoted, columns))}) VALUES ({marks})"
    at = 1 + columns.index("uid")
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
                if row[0] in missing and missing[row[0]].get("uid") == row[at]:
                    with suppress(apsw.MismatchError):
                        new.execute(insert, row[1:])
                        saved += new.changes()
                        del missing[row[0]]
        source.close()
    return saved


def _rowids(page: bytes) -> set[int]:
    """The rowids on a page, if it is a leaf of a table."""
    if page[:1] != b"\x0d":
        return set()
    ids = set()
    for number in range(min(int.from_bytes(page[3:5], "big"), PAGE // 4)):
        start = int.from_bytes(page[8 + 2 * number : 10 + 2 * number], "big")
        _, start = _varint(page, start)
        ids.add(_varint(page, start)[0])
    return ids


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """A number as SQLite spells it, and where it ends."""
    value = 0
    for byte in page[at : at + 8]:
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return value, at
