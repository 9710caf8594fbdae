"""A database whose memories are the rows of one table, each by itself, named by an id column."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import apsw

from memtui.errors import Refused
from memtui.formats.contract.adapter import Reading, Record
from memtui.formats.media.sqlite import table_checks
from memtui.formats.media.sqlite.connection import changing, columns_of, has_rowids, quoted
from memtui.formats.media.sqlite.row_reader import Rows, asked_for
from memtui.formats.media.sqlite.store import RowEdit, SqliteStore
from memtui.memory.stores import Finding


class RowStore(SqliteStore):
    """One row is one memory. A format adds how a row is read, changed and counted as used."""

    rows: ClassVar[Rows]
    marks: ClassVar[frozenset[str]]  # the columns that it must have
    known: ClassVar[tuple[str, ...]]  # the columns that a record is made of, in the order it takes them
    aside: ClassVar[frozenset[str]]  # columns neither shown nor kept

    @abstractmethod
    def record(
        self, rowid: int | None, values: list[Any], others: list[str], doubled: frozenset[str], out: Reading
    ) -> Record:
        """One row: the values of `known`, then those of the `others`; what is odd goes to `out`."""

    @abstractmethod
    def counted(
        self, connection: apsw.Connection, refs: Sequence[str], columns: list[str], now: float
    ) -> None:
        """Raise the counts of use of these refs, within a transaction."""

    def columns(self, connection: apsw.Connection) -> list[str]:
        """The columns of the table. Raises Refused where it is no table of this format any more."""
        columns = columns_of(connection, self.rows.table)
        if not set(columns) >= self.marks:
            raise Refused(
                "unknown-schema",
                f"{self.root.name} is no {self.title} memory any more: its “{self.rows.table}”"
                " are gone or others.",
                "It was left as it is.",
            )
        return columns

    def columns_read(self, connection: apsw.Connection) -> list[str]:
        return [name for name in self.columns(connection) if name not in self.aside]

    def records(
        self,
        connection: apsw.Connection,
        refs: Sequence[str] | None = None,
        span: tuple[int, int] | None = None,
    ) -> Reading:
        out = Reading()
        there = self.columns(connection)
        others = [name for name in there if name not in self.known and name not in self.aside]
        wanted = [f"m.{name}" if name in there else "NULL" for name in self.known]
        wanted += [f"m.{quoted(name)}" for name in others]
        rows, broken = self.rows.read(connection, wanted, refs, span)
        doubled = self.rows.doubled(connection)
        for number, (rowid, *values) in enumerate(rows):
            record = self.record(rowid, values, others, doubled, out)
            if number in broken:
                out.odd("bad-utf8", record.place, "Some of its text is no UTF-8; it is left as it is.")
            out.records.append(record)
        if refs is None and span is None:
            self.look_around(connection, out)
        elif refs is not None:
            asked_for(out, refs)
        return out

    def look_closely(self, connection: apsw.Connection) -> Iterator[Finding]:
        yield from super().look_closely(connection)
        if has_rowids(connection, self.table):
            yield from table_checks.searches(connection, self.table)

    def stand_alone(self, connection: apsw.Connection) -> bool:
        return self.rows.differ(connection)

    def ref_made(self, edits: Sequence[RowEdit]) -> str | None:
        return next((str(edit.row[self.rows.id]) for edit in edits if edit.made is not None), None)

    def count_uses(self, refs: Sequence[str], now: float) -> None:
        if reason := self.locked():
            raise Refused("read-only", reason, "Nothing was counted.")
        with changing(self.root) as connection:
            self.counted(connection, refs, self.columns(connection), now)
