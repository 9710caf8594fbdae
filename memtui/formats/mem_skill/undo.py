"""Undo and the audit: entries that must stay, and entries for undos (FORMATS 3)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import apsw

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan
from memtui.formats.media.sqlite.connection import row_of
from memtui.formats.media.sqlite.row_edit import SEQUENCE, RowEdit
from memtui.formats.mem_skill import audit
from memtui.formats.mem_skill.schema import HISTORY
from memtui.formats.mem_skill.schema_detection import Schema
from memtui.values import SqlRow


def reversible(connection: apsw.Connection, schema: Schema, plans: Sequence[Plan]) -> list[Plan]:
    """Return the plans without the edits of the audit that undo must leave as they are: entries that cannot
    be deleted, or that another program deleted or changed, and a count that others continued."""
    row = row_of(connection, SEQUENCE, {"name": HISTORY}, ["seq"]) if schema.has_autoincrement else None
    count = None if row is None else row["seq"]

    def stays(edit: RowEdit) -> bool:
        nonlocal count
        if edit.table == SEQUENCE:
            if edit.inserted is not None:
                return schema.history_is_append_only or count != edit.inserted["seq"]
            if edit.deleted is not None or "seq" not in edit.stamps:
                return count is not None
            before, after = edit.stamps["seq"]
            count = before if count == after else count
            return schema.history_is_append_only or count is None
        if edit.table != HISTORY or edit.inserted is None:
            return False
        entry = row_of(connection, HISTORY, edit.row)
        is_changed = entry is None or any(entry.get(n, v) != v for n, v in edit.inserted.items())
        return schema.history_is_append_only or is_changed

    out = []
    for plan in plans:
        edits = [edit for edit in reversed(plan.edits) if not stays(edit)]
        out.append(replace(plan, edits=tuple(reversed(edits))))
    return out


def with_undo_entries(
    connection: apsw.Connection,
    schema: Schema,
    plans: Sequence[Plan],
    reversals: Sequence[Plan | Refused],
    now: float,
) -> list[Plan | Refused]:
    """Return the reversals of `plans` with an audit entry for each entry that has to stay."""
    out: list[Plan | Refused] = []
    given: set[SqlRow] = set()
    for plan, reversal in zip(plans, reversals, strict=True):
        if isinstance(reversal, Plan):
            for edit in plan.edits:
                if edit.table == HISTORY and edit.inserted is not None:
                    with suppress(Refused):  # an audit that takes no entry for an undo must not prevent it
                        entry = audit.undo_entry(connection, schema, edit.inserted, now)
                        edits = (*reversal.edits, *audit.renumber(entry, given))
                        reversal = replace(reversal, edits=edits)
        out.append(reversal)
    return out
