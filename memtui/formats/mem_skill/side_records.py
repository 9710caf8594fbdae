"""What stands beside mem-skill's facts: archived ones, and the lines of the audit."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import apsw

from memtui.formats.contract.adapter import Reading, Record, SideRecord
from memtui.formats.media.sqlite.block_scan import BESIDE
from memtui.formats.media.sqlite.connection import columns_of, has_rowids, quoted, rows_of
from memtui.formats.media.sqlite.row_reader import ROWID
from memtui.formats.mem_skill.audit_columns import Side, sides_of
from memtui.formats.mem_skill.reader import ARCHIVED, fields_of, id_of, said
from memtui.formats.mem_skill.schema import FACTS, HISTORY
from memtui.formats.mem_skill.schema_detection import Shape
from memtui.formats.syntax.timestamps import seconds_of
from memtui.memory.encoding import iso

NEWEST = 5_000  # lines of the history that are read; each change of an agent writes one
_PLAIN = ("value", "value_text", "text", "content", "")


def archived(connection: apsw.Connection, shape: Shape, refs: Collection[str] | None = None) -> Reading:
    """The facts that stand in an archive alone, each once, as memories; with `refs` only these."""
    out = Reading()
    if refs is not None and not refs:
        return out
    for table, there in _standing(connection, shape)[0].items():
        columns = columns_of(connection, table)
        rows, broken = rows_of(
            connection, [f"a.{quoted(name)}" for name in columns], _in_order(connection, table)
        )
        for number, ref in there.items():
            if refs is not None and ref not in refs:
                continue
            row = dict(zip(columns, rows[number], strict=True))
            place = f"{table}, fact {said(row['key']) or ref}"
            fields = fields_of(row, place, out, archived=True)
            if number in broken:
                out.odd("bad-utf8", place, "Some of its text is no UTF-8; it is left as it is.")
            out.records.append(Record(ref, fields, id_of(row["fact_id"]) or ref, place, unit=BESIDE))
    return out


def copies(connection: apsw.Connection, shape: Shape) -> list[SideRecord]:
    """What the archives hold of facts that stand elsewhere too, or in a newer copy."""
    return _standing(connection, shape)[1]


def _standing(
    connection: apsw.Connection, shape: Shape
) -> tuple[dict[str, dict[int, str]], list[SideRecord]]:
    """The rows of each archive that are memories, by their place in it, with their refs; and the others."""
    live: set[str] = set()
    for table in shape.archives:
        archived = f"SELECT CAST(fact_id AS TEXT) FROM {quoted(table)}"
        there = f"FROM {FACTS} WHERE CAST(fact_id AS TEXT) IN ({archived})"
        live |= {said(row[0]) for row in rows_of(connection, ["fact_id"], there)[0]}
    newest: dict[str, tuple[str, int, SideRecord]] = {}
    asides: list[SideRecord] = []
    for table in reversed(shape.archives):
        names = columns_of(connection, table)
        times = [f"a.{quoted(name)}" if name in names else "NULL" for name in ("archived_at", "updated_at")]
        wanted = ["a.fact_id", "a.value_text", *times]
        rows, _ = rows_of(connection, wanted, _in_order(connection, table))
        for number, (raw, text, *moments) in enumerate(rows):
            id = id_of(raw)
            # A fact that its agent archives stays the memory that it was.
            ref = id or f"{ARCHIVED}{table}:{ROWID}{number + 1}"
            words = f"In {table}: {' '.join(said(text).split())}"
            at = next((seconds_of(moment) for moment in moments if moment is not None), None)
            copy = SideRecord("archived", id or ref, words, at, unit=BESIDE)
            if id and id in live:
                asides.append(copy)
                continue
            if ref in newest:
                asides.append(newest[ref][2])
            newest[ref] = (table, number, copy)
    out: dict[str, dict[int, str]] = {}
    for ref, (table, number, _) in newest.items():
        out.setdefault(table, {})[number] = ref
    return out, asides


def _in_order(connection: apsw.Connection, table: str) -> str:
    order = " ORDER BY a.rowid" if has_rowids(connection, table) else ""
    return f"FROM {quoted(table)} AS a{order}"


def history(connection: apsw.Connection, shape: Shape) -> list[SideRecord]:
    """The newest lines of the audit, by what its columns tell."""
    columns = tuple(column.name for column in shape.history)
    sides = sides_of(columns, shape.columns)
    fact = next((name for name, side in sides.items() if side.what == "fact"), None)
    if fact is None:
        return []
    order = "rowid DESC" if has_rowids(connection, HISTORY) else "1"
    rows, _ = rows_of(
        connection,
        [quoted(name) for name in columns],
        f"FROM {quoted(HISTORY)} WHERE {quoted(fact)} IS NOT NULL ORDER BY {order} LIMIT {NEWEST}",
    )
    out = []
    for values in rows:
        line = {sides[name]: value for name, value in zip(columns, values, strict=True)}
        at = next((seconds_of(line[s]) for s in line if s.what == "time" and line[s] is not None), None)
        out.append(SideRecord("history", said(line[Side("fact")]), _words(line), at, unit=BESIDE))
    return out


def _words(line: dict[Side, Any]) -> str:
    """One line of the audit in words: “expired, status active → expired (invalidated by the user)”."""
    parts = []
    for side, value in line.items():
        if side.what not in ("old", "new"):
            continue
        other = line.get(Side("new", side.rest)) if side.what == "old" else None
        if side.what == "new" and Side("old", side.rest) in line:
            continue
        before, after = (value, other) if side.what == "old" else (None, value)
        if before is None and after is None:
            continue
        name = "" if side.rest in _PLAIN else f"{side.rest.replace('_', ' ')} "
        told = [_told(side.rest, each) for each in (before, after)]
        if before == after:
            parts.append(f"{name}{told[0]}")
        else:
            parts.append(f"{name}{told[0]} → {told[1]}".strip())
    words = ": ".join(part for part in (said(line.get(Side("action"))), ", ".join(parts)) if part)
    if not parts:
        text = next((said(line[s]) for s in line if s.what == "row" and s.rest == "value_text"), "")
        words = ": ".join(part for part in (words, text) if part)
    reason = said(line.get(Side("reason")))
    words = " ".join(part for part in (words, f"({reason})" if reason else "") if part)
    return " ".join(words.split()) or "changed"


def _told(name: str, value: Any) -> str:
    if value is None:
        return "nothing"
    if name.startswith("valid_"):
        return iso(seconds_of(value)) or said(value)
    return f"“{said(value)}”" if name in _PLAIN or name == "key" else said(value)
