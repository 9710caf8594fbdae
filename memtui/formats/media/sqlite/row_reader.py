"""A table whose rows are memories: finding the row of a ref, and reading rows tolerantly (LIMITS 1)."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import apsw

from memtui.formats.contract.records import Reading, clean
from memtui.formats.media.sqlite import wording
from memtui.formats.media.sqlite.connection import has_rowids, quoted, rows_of
from memtui.values import SqlRow, SqlValue

ROWID = "rowid:"  # prefix of the ref of a row whose id does not identify it


@dataclass(frozen=True, slots=True)
class Rows:
    """A table and the column that identifies its rows; in SQL statements, its alias is m."""

    table: str
    id: str

    def read(
        self,
        connection: apsw.Connection,
        columns: Sequence[str],
        refs: Sequence[str] | None,
        span: tuple[int, int] | None,
    ) -> tuple[list[SqlRow], set[int]]:
        """Return rowid and `columns` of the rows of these refs (and perhaps a few more), or of this span of
        rowids, else of all rows; and the indexes of those with text that is not UTF-8."""
        rowid = "m.rowid" if has_rowids(connection, self.table) else "NULL"
        if refs is not None:
            where, bindings = self.where(refs)
        else:
            where, bindings = ("", ()) if span is None else ("WHERE m.rowid BETWEEN ? AND ?", span)
        rest = f"FROM {quoted(self.table)} AS m {where}"
        return rows_of(connection, [rowid, *columns], rest, bindings)

    def where(self, refs: Sequence[str]) -> tuple[str, SqlRow]:
        """Return a WHERE clause for the rows of these refs, and perhaps a few more, and its bindings."""
        rowids = [int(ref[len(ROWID) :]) for ref in refs if _is_rowid(ref)]
        ids: list[str | int] = [ref for ref in refs if not ref.startswith(ROWID)]
        ids += [int(ref) for ref in refs if ref.isdecimal() and len(ref) < 19]
        parts, bindings = [f"m.{quoted(self.id)} IN (SELECT value FROM json_each(?))"], [json.dumps(ids)]
        if rowids:
            parts.append("m.rowid IN (SELECT value FROM json_each(?))")
            bindings.append(json.dumps(rowids))
        return f"WHERE {' OR '.join(parts)}", tuple(bindings)

    def name(self, connection: apsw.Connection, ref: str) -> dict[str, SqlValue]:
        """Return the column that identifies a row with its value: the id as stored, or else the rowid."""
        if ref.startswith(ROWID):
            return {"rowid": int(ref[len(ROWID) :])}
        where, bindings = self.where([ref])
        rest = f"FROM {quoted(self.table)} AS m {where}"
        found, _ = rows_of(connection, [f"m.{quoted(self.id)}"], rest, bindings)
        return {self.id: next((value for (value,) in found if str(value) == ref), ref)}

    def has_unique_ids(self, connection: apsw.Connection) -> bool:
        """Return whether the schema ensures that no two rows have the same id."""
        keys = connection.execute("SELECT name FROM pragma_table_info(?) WHERE pk", (self.table,))
        return keys.fetchall() == [(self.id,)]

    def duplicate_ids(self, connection: apsw.Connection) -> frozenset[str]:
        """Return the ids that several rows have."""
        if self.has_unique_ids(connection):
            return frozenset()
        rest = f"FROM {quoted(self.table)} GROUP BY 1 HAVING count(*) > 1"
        found, _ = rows_of(connection, [f"CAST({quoted(self.id)} AS TEXT)"], rest)
        return frozenset(row[0] for row in found if row[0] is not None)


def _is_rowid(ref: str) -> bool:
    number = ref[len(ROWID) :]
    return ref.startswith(ROWID) and number.isascii() and number.isdecimal() and len(number) < 19


def keep_only(out: Reading, refs: Collection[str]) -> None:
    """Remove all records but those of these refs."""
    wanted = set(refs)
    out.records = [record for record in out.records if record.ref in wanted]


def read_confidence(value: SqlValue, add_finding: Callable[[str, str], None]) -> float | None:
    """Return a confidence as 0–1; None if there is none, or none that can be read."""
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    text = clean(value.decode(errors="replace") if isinstance(value, bytes) else str(value))
    if number != number:
        add_finding("odd-confidence", wording.CONFIDENCE_NOT_A_NUMBER.format(value=text))
        return None
    if not 0 <= number <= 1:
        add_finding("odd-confidence", wording.CONFIDENCE_OUT_OF_RANGE.format(value=text))
    return max(0.0, min(1.0, number))
