"""Undoing the changes of rows (S-51)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import apsw

from memtui.formats.contract.plans import Plan, PriorWrite
from memtui.formats.media.sqlite import wording
from memtui.formats.media.sqlite.connection import has_rowids, row_of
from memtui.formats.media.sqlite.row_edit import SEQUENCE, RowEdit, RowKey, is_row, is_same
from memtui.values import SqlValue

# What earlier edits of a batch will have set, by row; None for a row that they will have removed.
Pending = dict[RowKey, dict[str, SqlValue] | None]


def reverse_edit(connection: apsw.Connection, edit: RowEdit, pending: Pending) -> RowEdit:
    """Return the edit that undoes this one, on top of `pending`, to which it is added.

    Raises Refused with code "changed-since".
    """
    key, overlay = edit.key, pending.get(edit.key, {})
    names = None if edit.inserted is not None else list(edit.columns)
    stored = row_of(connection, edit.table, edit.row, names)
    row = None
    if overlay is not None and (overlay or stored is not None):
        row = {**(stored or {}), **overlay}
    if edit.inserted is not None:
        if row is None or not is_row(row, edit, edit.inserted):
            raise wording.row_changed_since(edit.table)
        pending[key] = None
        return with_rowid(connection, replace(edit, inserted=None, deleted=row))
    if edit.deleted is not None:
        if row is not None:
            raise wording.row_changed_since(edit.table)
        pending[key] = dict(edit.deleted)
        return replace(edit, inserted=edit.deleted, deleted=None)
    if row is None or any(not is_same(row.get(name), after) for name, (_, after) in edit.guards.items()):
        raise wording.row_changed_since(edit.table)
    back = replace(
        edit,
        guards={name: (after, before) for name, (before, after) in edit.guards.items()},
        stamps={
            name: (after, before)
            for name, (before, after) in edit.stamps.items()
            if is_same(row.get(name), after) and (name != "rowid" or _is_free(connection, edit, before))
        },
        derived={name: (row.get(name), before) for name, (before, _) in edit.derived.items()},
    )
    pending[key] = {**(overlay or {}), **{name: after for name, (_, after) in back.columns.items()}}
    return back


def with_rowid(connection: apsw.Connection, edit: RowEdit) -> RowEdit:
    """Return a deletion with the rowid of the row, so that it can be restored under the same number."""
    if edit.deleted is None or "rowid" in edit.deleted or not has_rowids(connection, edit.table):
        return edit
    rowid = row_of(connection, edit.table, edit.row, ["rowid"])
    return edit if rowid is None else replace(edit, deleted={**edit.deleted, **rowid})


def restored_rowids(
    connection: apsw.Connection, edits: Sequence[RowEdit], prior: Sequence[PriorWrite]
) -> Iterator[RowEdit]:
    """Yield edits that give rows their own rowids again. They were restored under others, since those were
    taken by rows that are removed by `edits`, or are gone."""
    removed = {edit.key for edit in edits if edit.deleted is not None}
    own: dict[RowKey, RowEdit] = {}
    for past in prior:
        for edit in past.plan.edits if past.undone else ():
            if edit.deleted is not None and "rowid" in edit.deleted:
                own[edit.key] = edit  # the oldest has the original rowid
    freed = {(edit.table, edit.deleted.get("rowid")) for edit in edits if edit.deleted is not None}
    for key, edit in own.items():
        assert edit.deleted is not None
        current = row_of(connection, edit.table, edit.row, ["rowid"]) if key not in removed else None
        wanted = edit.deleted["rowid"]
        if current is None or current["rowid"] == wanted:
            continue
        if (edit.table, wanted) in freed or _is_free(connection, edit, wanted):
            yield RowEdit(edit.table, edit.row, stamps={"rowid": (current["rowid"], wanted)})


def _is_free(connection: apsw.Connection, edit: RowEdit, rowid: SqlValue) -> bool:
    return row_of(connection, edit.table, {"rowid": rowid}, ()) is None


def with_original_stamps(plan: Plan, prior: Sequence[PriorWrite]) -> list[RowEdit]:
    """Return the edits of a plan with their stamps as they were before changes that were undone since."""
    original: dict[tuple[SqlValue, ...], SqlValue] = {}
    own = next((at for at, past in enumerate(prior) if past.own), len(prior))
    for older in prior[own + 1 :]:
        for edit in older.plan.edits if older.undone else ():
            if edit.inserted is not None or edit.deleted is not None:
                continue  # there were no earlier values
            for name, (before, after) in edit.stamps.items():
                original.setdefault((*edit.key, name, after), before)

    def first(edit: RowEdit, name: str, value: SqlValue) -> SqlValue:
        left = len(original)
        while left and (*edit.key, name, value) in original:
            value, left = original[*edit.key, name, value], left - 1
        return value

    def corrected(edit: RowEdit) -> RowEdit:
        if edit.inserted is not None or edit.deleted is not None:
            return edit
        stamps = {name: (first(edit, name, before), after) for name, (before, after) in edit.stamps.items()}
        return replace(edit, stamps=stamps)

    return list(map(corrected, _complete_edits(plan, prior)))


def _complete_edits(plan: Plan, prior: Sequence[PriorWrite]) -> list[RowEdit]:
    """Return the edits of a plan with those stamps that a redo had to leave out, since others had changed
    them at that time: the change itself set them, and by now they may be as it left them again."""
    edits: list[RowEdit] = list(plan.edits)
    for past in prior:
        own = past.own or past.redo
        if not own or (past.plan.ref, past.plan.ref_after) != (plan.ref, plan.ref_after):
            continue
        for order, first in enumerate(past.plan.edits):
            at = next((at for at, edit in enumerate(edits) if edit.key == first.key), None)
            if at is None and first.table == SEQUENCE:
                edits.insert(order, first)
            elif at is not None and first.inserted is None and first.deleted is None:
                edits[at] = replace(edits[at], stamps={**first.stamps, **edits[at].stamps})
    return edits
