"""Taking secrets out of rows, and out of what is kept of past changes of rows (S-62)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import apsw

from memtui.formats.contract.plans import PastWrite, Plan
from memtui.formats.media.sqlite.connection import columns_of, has_rowids, quoted, row_of, rows_of
from memtui.formats.media.sqlite.row_edit import Change, RowEdit, RowKey
from memtui.memory.secrets.redaction import Replacements
from memtui.values import SqlValue

Stays = Callable[[Mapping[str, SqlValue]], bool]  # of a row


def with_other_columns(
    connection: apsw.Connection,
    table: str,
    name: Mapping[str, SqlValue],
    edits: Sequence[RowEdit],
    redacted: Replacements,
) -> list[RowEdit]:
    """Return the edits of a row, with all its other columns that have one of the values."""
    row = row_of(connection, table, name) or {}
    own = next((each for each in edits if each.table == table), RowEdit(table, name))
    others = {
        column: (value, new)
        for column, value in row.items()
        if column not in own.columns and column not in name and (new := redacted.value(value)) != value
    }
    own = replace(own, guards={**own.guards, **others})
    return [own, *(each for each in edits if each.table != table)]


def side_rows(
    connection: apsw.Connection, tables: Sequence[str], redacted: Replacements
) -> Iterator[RowEdit]:
    """Yield the edits that take the values out of these tables. One with a trigger, whose effects are not
    known, stays as it is."""
    for table in tables:
        trigger = "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = ?"
        if not columns_of(connection, table) or not has_rowids(connection, table):
            continue
        if connection.execute(trigger, (table.casefold(),)).fetchone():
            continue
        yield from rows_of_table(connection, table, ("rowid",), redacted)


def rows_of_table(
    connection: apsw.Connection,
    table: str,
    keys: Sequence[str],
    redacted: Replacements,
    stays: Stays = lambda row: False,
    slugs: Collection[str] = (),
) -> Iterator[RowEdit]:
    """Yield the edits that take the values out of the rows of a table, which the columns `keys` name; not of
    a row that `stays`, nor of text that is no UTF-8. `slugs` are columns with names made of texts."""

    def new_value(column: str, value: SqlValue) -> SqlValue:
        new: SqlValue = redacted.value(value)
        return redacted.slug(new) if column in slugs and isinstance(new, str) else new

    columns = columns_of(connection, table)
    names = [quoted(name) for name in (*keys, *columns)]
    rows, broken = rows_of(connection, names, f"FROM {quoted(table)}")
    for number, values in enumerate(rows):
        name, row = values[: len(keys)], dict(zip(columns, values[len(keys) :], strict=True))
        guards = {n: (value, new) for n, value in row.items() if (new := new_value(n, value)) != value}
        if guards and number not in broken and not stays(row):
            yield RowEdit(table, dict(zip(keys, name, strict=True)), guards)


def history(writes: Sequence[PastWrite], redacted: Replacements) -> list[Plan | None]:
    """Return past plans, newest first, with the values of rows as redactions among them left them. Those of
    memories that hold a value still are left as they are."""
    now: dict[RowKey, dict[tuple[str, SqlValue], SqlValue]] = {}
    out: list[Plan | None] = []
    for write in writes:
        plan = write.plan
        if write.holds:
            out.append(plan)
            continue
        if not write.is_redaction:
            out.append(replace(plan, edits=tuple(_edit(edit, now, redacted) for edit in plan.edits)))
            continue
        out.append(None)
        for edit in plan.edits:
            known = now.setdefault(edit.key, {})
            for name, (before, after) in {**edit.guards, **edit.stamps}.items():
                known[name, before] = known.get((name, after), after)
    return out


def _edit(
    edit: RowEdit, now: Mapping[RowKey, Mapping[tuple[str, SqlValue], SqlValue]], redacted: Replacements
) -> RowEdit:
    known = now.get(edit.key, {})

    def value(name: str, old: SqlValue) -> SqlValue:
        return known[name, old] if (name, old) in known else redacted.value(old)

    def row(values: Mapping[str, SqlValue] | None) -> dict[str, SqlValue] | None:
        return None if values is None else {name: value(name, old) for name, old in values.items()}

    def changes(part: Mapping[str, Change]) -> dict[str, Change]:
        return {name: (value(name, old), value(name, new)) for name, (old, new) in part.items()}

    has_changed = bool(known) or changes(edit.guards) != edit.guards or row(edit.deleted) != edit.deleted
    # What was computed from a text (an embedding) does not outlive it.
    derived = dict.fromkeys(edit.derived, (None, None)) if has_changed else edit.derived
    deleted = row(edit.deleted)
    if has_changed and deleted is not None:
        deleted |= {name: None for name in edit.derived if name in deleted}
    return replace(
        edit,
        row={name: value(name, old) for name, old in edit.row.items()},
        guards=changes(edit.guards),
        stamps=changes(edit.stamps),
        derived=derived,
        inserted=row(edit.inserted),
        deleted=deleted,
    )
