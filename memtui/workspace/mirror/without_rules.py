"""Memories as they would be without what rules have set of them: that is what a copy of one takes over, since
rules look at the copy themselves (S-60)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.memory import LISTS
from memtui.values import Fields, FieldValue, SqlValue

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database
    from memtui.workspace.mirror.memory_rows import MirrorRow

TIME = "updated_at"  # moves in some stores when anything is set
_BASES = "SELECT memory_id, columns FROM rule_bases WHERE memory_id IN (SELECT value FROM json_each(?))"


def bare(db: Database, rows: Sequence[MirrorRow]) -> list[MirrorRow]:
    """Return these memories without what rules have set, but for the time of that, in the same order."""
    bases: dict[int, str] = dict(db.rows(_BASES, (json.dumps([row.id for row in rows]),)))
    return [_without(row, json.loads(bases[row.id])) if row.id in bases else row for row in rows]


def _without(row: MirrorRow, columns: Mapping[str, Sequence[SqlValue]]) -> MirrorRow:
    own = {
        name: entry[0]
        for name, entry in columns.items()
        if name != TIME and entry[1] == raw(name, getattr(row.memory, name))
    }
    return replace(row, memory=replace(row.memory, **as_fields(own)))


def raw(name: str, value: FieldValue) -> SqlValue:
    """Return a field's value as its column has it."""
    if name in LISTS:
        return json.dumps(list(value or ()), ensure_ascii=False)
    return int(value) if isinstance(value, bool) else value


def as_fields(columns: Mapping[str, SqlValue]) -> Fields:
    """Return columns as fields of a memory."""
    out: Fields = {}
    for name, value in columns.items():
        is_list = name in LISTS
        out[name] = tuple(json.loads(str(value))) if is_list else bool(value) if name == "pinned" else value
    return out
