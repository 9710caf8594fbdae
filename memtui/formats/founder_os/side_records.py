"""What stands beside Founder OS's memories: what its plugins adapted because of them, and observed."""

from __future__ import annotations

import json
from typing import Any

import apsw

from memtui.formats.contract.adapter import Reading, SideRecord, clean
from memtui.formats.media.sqlite.block_scan import BESIDE
from memtui.formats.media.sqlite.connection import columns_of, quoted, rows_of
from memtui.formats.syntax.timestamps import seconds_of

NEWEST = 1_000  # observations that are read; plugins write one with each step


def read(connection: apsw.Connection) -> Reading:
    """The adaptations of each memory, and the newest observations of each plugin."""
    out = Reading()
    there = _columns(
        connection, "adaptations", "memory_id", "plugin", "description", "applied_at", "reverted_at"
    )
    if there[0] != "NULL":
        wanted = ["m.key", "m.id", *there[1:]]
        rest = "FROM adaptations AS x JOIN memories AS m ON m.id = x.memory_id ORDER BY x.rowid"
        for key, id, plugin, words, applied, reverted in rows_of(connection, wanted, rest)[0]:
            told = f"{_said(plugin)}: {_said(words)}" if plugin else _said(words)
            if reverted is not None:
                told += " (reverted)"
            out.asides.append(
                SideRecord("adaptation", _said(key) or _said(id), told, seconds_of(applied), unit=BESIDE)
            )
    there = _columns(connection, "observations", "plugin", "action", "context", "observed_at")
    if there[0] != "NULL":
        rest = f"FROM observations AS x WHERE {there[0]} IS NOT NULL ORDER BY x.rowid DESC LIMIT {NEWEST}"
        for plugin, action, context, at in rows_of(connection, there, rest)[0]:
            told = " ".join(part for part in (_said(action), _context(context)) if part)
            out.asides.append(
                SideRecord("observation", _said(plugin), told, seconds_of(at), "source_ref", BESIDE)
            )
    return out


def _columns(connection: apsw.Connection, table: str, *names: str) -> list[str]:
    """The columns as SQL, NULL for one that this file lacks."""
    there = columns_of(connection, table)
    return [f"x.{quoted(name)}" if name in there else "NULL" for name in names]


def _said(value: Any) -> str:
    if value is None:
        return ""
    return clean(value.decode(errors="replace") if isinstance(value, bytes) else str(value))


def _context(raw: Any) -> str:
    """An observation's JSON as words."""
    text = _said(raw)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, dict):
        return ", ".join(f"{name}: {part}" for name, part in value.items())
    return "" if value is None else text
