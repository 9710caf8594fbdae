"""A database whose memories are the rows of one table, identified by an id column."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import apsw

from memtui.formats.contract.recalling import Asked
from memtui.formats.contract.records import Reading, Record
from memtui.formats.media.sqlite import redaction, table_checks, wording
from memtui.formats.media.sqlite.connection import changing, columns_of, has_rowids, quoted
from memtui.formats.media.sqlite.row_edit import RowEdit
from memtui.formats.media.sqlite.row_reader import Rows, keep_only
from memtui.formats.media.sqlite.store import SqliteStore
from memtui.memory.secrets.redaction import Replacements
from memtui.memory.stores import Finding
from memtui.values import SqlValue


class RowStore(SqliteStore):
    """A store in which one row is one memory. A format adds how rows are read, changed and marked as used."""

    rows: ClassVar[Rows]
    required_columns: ClassVar[frozenset[str]]  # a table without these columns is of another format
    record_columns: ClassVar[tuple[str, ...]]  # in the order in which `record` takes them
    ignored_columns: ClassVar[frozenset[str]]  # neither shown nor stored by memtui

    @abstractmethod
    def record(
        self,
        rowid: int | None,
        values: list[SqlValue],
        others: list[str],
        doubled: frozenset[str],
        out: Reading,
    ) -> Record:
        """Return the record of one row, given the values of `record_columns`, then those of `others`.

        `doubled` are the ids that several rows have; findings go to `out`.
        """

    @abstractmethod
    def write_uses(
        self, connection: apsw.Connection, refs: Sequence[str], columns: list[str], now: float
    ) -> Mapping[str, int]:
        """Increment the use counts of these refs, within a transaction; return what they are then, of those
        that exist."""

    def columns(self, connection: apsw.Connection) -> list[str]:
        """Return the columns of the table. Raises Refused if it is not of this format any more."""
        columns = columns_of(connection, self.rows.table)
        if not set(columns) >= self.required_columns:
            raise wording.another_schema(self.root.name, self.title, self.rows.table)
        return columns

    def columns_read(self, connection: apsw.Connection) -> list[str]:
        return [name for name in self.columns(connection) if name not in self.ignored_columns]

    def records(
        self,
        connection: apsw.Connection,
        refs: Sequence[str] | None = None,
        span: tuple[int, int] | None = None,
    ) -> Reading:
        out = Reading()
        present = self.columns(connection)
        others = [
            name for name in present if name not in self.record_columns and name not in self.ignored_columns
        ]
        wanted = [f"m.{name}" if name in present else "NULL" for name in self.record_columns]
        wanted += [f"m.{quoted(name)}" for name in others]
        rows, broken = self.rows.read(connection, wanted, refs, span)
        doubled = self.rows.duplicate_ids(connection)
        for number, (rowid, *values) in enumerate(rows):
            record = self.record(rowid, values, others, doubled, out)
            if number in broken:
                out.add_finding("bad-utf8", record.place, wording.NOT_UTF8)
            out.records.append(record)
        if refs is None and span is None:
            self.add_table_findings(connection, out)
        elif refs is not None:
            keep_only(out, refs)
        return out

    def checkup_tables(self, connection: apsw.Connection) -> Iterator[Finding]:
        yield from super().checkup_tables(connection)
        if has_rowids(connection, self.table):
            yield from table_checks.searches(connection, self.table)

    def with_redacted_rest(
        self, connection: apsw.Connection, record: Record, edits: list[RowEdit], redacted: Replacements
    ) -> list[RowEdit]:
        name = self.rows.name(connection, record.ref)
        edits = redaction.with_other_columns(connection, self.table, name, edits, redacted)
        return [*edits, *redaction.side_rows(connection, self.side_tables, redacted)]

    def rows_are_independent(self, connection: apsw.Connection) -> bool:
        return self.rows.has_unique_ids(connection)

    def added_ref(self, edits: Sequence[RowEdit]) -> str | None:
        return next((str(edit.row[self.rows.id]) for edit in edits if edit.inserted is not None), None)

    def count_uses(self, refs: Sequence[str], now: float, asked: Asked | None = None) -> Mapping[str, int]:
        if reason := self.locked_reason():
            raise wording.uses_not_counted(reason)
        with changing(self.root) as connection:
            return self.write_uses(connection, refs, self.columns(connection), now)
