"""A table whose rows are memories: which row a ref means, and reading rows tolerantly (LIMITS 1)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from memtui.formats.contract.adapter import Reading, clean
from memtui.formats.media.sqlite.connection import has_rowids, quoted, rows_of

ROWID = "rowid:"  # begins the ref of a row that its id cannot name


@dataclass(frozen=True, slots=True)
class Rows:
    """`table`, with the column `id` that names its rows; in SQL it is called m."""

    table: str
    id: str

    def read(
        self,
        connection: apsw.Connection,
        columns: Sequence[str],
        refs: Sequence[str] | None,
        span: tuple[int, int] | None,
    ) -> tuple[list[tuple[Any, ...]], set[int]]:
        """The rows of these refs (and perhaps a few beside them), or of this span of rowids, else all:
        rowid and `columns` of each, and the numbers of those with text that is no UTF-8."""
        rowid = "m.rowid" if has_rowids(connection, self.table) else "NULL"
        if refs is not None:
            where, bindings = self.where(refs)
        else:
            where, bindings = ("", ()) if span is None else ("WHERE m.rowid BETWEEN ? AND ?", span)
        rest = f"FROM {quoted(self.table)} AS m {where}"
        return rows_of(connection, [rowid, *columns], rest, bindings)

    def where(self, refs: Sequence[str]) -> tuple[str, tuple[Any, ...]]:
        """The rows of these refs, and perhaps a few beside them, in SQL."""
        rowids = [int(ref[len(ROWID) :]) for ref in refs if _is_rowid(ref)]
        ids: list[Any] = [ref for ref in refs if not ref.startswith(ROWID)]
        ids += [int(ref) for ref in ids if ref.isdecimal() and len(ref) < 19]
        parts, bindings = [f"m.{quoted(self.id)} IN (SELECT value FROM json_each(?))"], [json.dumps(ids)]
        if rowids:
            parts.append("m.rowid IN (SELECT value FROM json_each(?))")
            bindings.append(json.dumps(rowids))
        return f"WHERE {' OR '.join(parts)}", tuple(bindings)

    def name(self, connection: apsw.Connection, ref: str) -> dict[str, Any]:
        """What names a row in SQL: its id as it is stored, or its number where ids fail."""
        if ref.startswith(ROWID):
            return {"rowid": int(ref[len(ROWID) :])}
        where, bindings = self.where([ref])
        rest = f"FROM {quoted(self.table)} AS m {where}"
        found, _ = rows_of(connection, [f"m.{quoted(self.id)}"], rest, bindings)
        return {self.id: next((value for (value,) in found if str(value) == ref), ref)}

    def differ(self, connection: apsw.Connection) -> bool:
        """Whether the table lets no two rows have one id."""
        keys = connection.execute("SELECT name FROM pragma_table_info(?) WHERE pk", (self.table,))
        return keys.fetchall() == [(self.id,)]

    def doubled(self, connection: apsw.Connection) -> frozenset[str]:
        """Ids that several rows have, where the table lets them."""
        if self.differ(connection):
            return frozenset()
        rest = f"FROM {quoted(self.table)} GROUP BY 1 HAVING count(*) > 1"
        found, _ = rows_of(connection, [f"CAST({quoted(self.id)} AS TEXT)"], rest)
        return frozenset(row[0] for row in found if row[0] is not None)


def _is_rowid(ref: str) -> bool:
    number = ref[len(ROWID) :]
    return ref.startswith(ROWID) and number.isascii() and number.isdecimal() and len(number) < 19


def asked_for(out: Reading, refs: Sequence[str]) -> None:
    """Leave only the records of these refs."""
    wished = set(refs)
    out.records = [record for record in out.records if record.ref in wished]


def share(value: Any, odd: Callable[[str, str], None]) -> float | None:
    """A confidence of 0–1; None if there is none that can be read."""
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    said = clean(value.decode(errors="replace") if isinstance(value, bytes) else str(value))
    if number != number:
        odd("odd-confidence", f"The confidence “{said}” is no number.")
        return None
    if not 0 <= number <= 1:
        odd("odd-confidence", f"The confidence {said} is outside 0–1; shown as the nearest bound.")
    return max(0.0, min(1.0, number))
