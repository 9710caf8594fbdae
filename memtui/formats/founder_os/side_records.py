"""Side records of Founder OS's memories: the adaptations that its plugins made because of one, and what the
plugins observed."""

from __future__ import annotations

import json

import apsw

from memtui.formats.contract.records import Reading, SideRecord, clean
from memtui.formats.founder_os import wording
from memtui.formats.media.sqlite.block_scan import SIDE_UNIT
from memtui.formats.media.sqlite.connection import columns_of, quoted, rows_of
from memtui.formats.syntax.timestamps import seconds_of
from memtui.values import SqlValue

NEWEST = 1_000  # observations that are read; plugins write one with each step


def read(connection: apsw.Connection) -> Reading:
    """Return the adaptations of each memory, and the newest observations of the plugins."""
    out = Reading()
    columns = _columns(
        connection, "adaptations", "memory_id", "plugin", "description", "applied_at", "reverted_at"
    )
    if columns[0] != "NULL":
        rest = "FROM adaptations AS x JOIN memories AS m ON m.id = x.memory_id ORDER BY x.rowid"
        rows, _ = rows_of(connection, ["m.key", "m.id", *columns[1:]], rest)
        for key, id, plugin, description, applied, reverted in rows:
            text = f"{_text(plugin)}: {_text(description)}" if plugin else _text(description)
            if reverted is not None:
                text = wording.REVERTED.format(text=text)
            about, at = _text(key) or _text(id), seconds_of(applied)
            out.side_records.append(SideRecord("adaptation", about, text, at, unit=SIDE_UNIT))
    columns = _columns(connection, "observations", "plugin", "action", "context", "observed_at")
    if columns[0] != "NULL":
        rest = f"FROM observations AS x WHERE {columns[0]} IS NOT NULL ORDER BY x.rowid DESC LIMIT {NEWEST}"
        for plugin, action, context, observed in rows_of(connection, columns, rest)[0]:
            text = " ".join(part for part in (_text(action), _context(context)) if part)
            at = seconds_of(observed)
            out.side_records.append(
                SideRecord("observation", _text(plugin), text, at, "source_ref", SIDE_UNIT)
            )
    return out


def _columns(connection: apsw.Connection, table: str, *names: str) -> list[str]:
    """Return the columns as SQL, NULL for one that this file lacks."""
    existing = columns_of(connection, table)
    return [f"x.{quoted(name)}" if name in existing else "NULL" for name in names]


def _text(value: SqlValue) -> str:
    if value is None:
        return ""
    return clean(value.decode(errors="replace") if isinstance(value, bytes) else str(value))


def _context(raw: SqlValue) -> str:
    """Return an observation's JSON as `name: value` pairs."""
    text = _text(raw)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, dict):
        return ", ".join(f"{name}: {part}" for name, part in value.items())
    return "" if value is None else text
