"""Taking secrets out of what repeats a fact: the audit, the archive, the full-text search (S-62).

The audit is never changed otherwise, and triggers may forbid it: they are off while its values are replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import apsw

from memtui.formats.media.sqlite import redaction
from memtui.formats.media.sqlite.connection import columns_of, quoted, rows_of, without_triggers
from memtui.formats.media.sqlite.row_edit import RowEdit, carry_out
from memtui.formats.mem_skill.reader import ARCHIVE_REF, id_of
from memtui.formats.mem_skill.schema import FACTS, HISTORY, TEXT_COLUMNS
from memtui.formats.mem_skill.schema_detection import FullTextTable, Schema, declared_columns
from memtui.memory.secrets.redaction import Replacements
from memtui.values import SqlValue

_TEXTS = ("key", *TEXT_COLUMNS)


def side_rows(
    connection: apsw.Connection, schema: Schema, ref: str, redacted: Replacements
) -> Iterator[RowEdit]:
    """Yield the edits that take the values out of the entries of the audit, and out of what the archive has
    of this fact. What is about another fact that has a value itself stays with that."""
    holding = _holding(connection, ref, redacted)

    def is_of_another(row: Mapping[str, SqlValue]) -> bool:
        return id_of(row.get("fact_id")) in holding

    def is_not_archived(row: Mapping[str, SqlValue]) -> bool:
        id = id_of(row.get("fact_id"))
        return id != ref and not (ref.startswith(ARCHIVE_REF) and not id)

    if schema.history:
        yield from _rows(connection, HISTORY, redacted, is_of_another)
    for table in schema.archives:
        yield from _rows(connection, table, redacted, is_not_archived)


def finish(connection: apsw.Connection, schema: Schema, redactions: Mapping[str, Replacements]) -> None:
    """Take the values out of what the store's triggers wrote about the facts that were redacted, by ref, and
    out of its search."""
    with without_triggers(connection):
        for ref, redacted in redactions.items():
            for edit in side_rows(connection, schema, ref, redacted):
                carry_out(connection, edit)
        every = Replacements.of(redactions.values())
        holding = _holding(connection, "", every)
        for table in schema.full_text:
            _refresh(connection, table, every, holding)


def _holding(connection: apsw.Connection, ref: str, redacted: Replacements) -> set[str]:
    """Return the ids of the other facts that have one of the values."""
    columns = [name for name in _TEXTS if name in columns_of(connection, FACTS)]
    rows, _ = rows_of(connection, ["fact_id", *columns], f"FROM {FACTS}")
    return {
        id
        for raw, *texts in rows
        if (id := id_of(raw)) != ref and any(redacted.in_value(text) for text in texts if text)
    }


def _rows(
    connection: apsw.Connection, table: str, redacted: Replacements, stays: redaction.Stays
) -> Iterator[RowEdit]:
    keys = [column.name for column in declared_columns(connection, table) if column.is_key]
    yield from redaction.rows_of_table(connection, table, keys or ("rowid",), redacted, stays, ("key",))


def _refresh(
    connection: apsw.Connection, table: FullTextTable, redacted: Replacements, holding: set[str]
) -> None:
    """Take the values out of a full-text table. What its index keeps of deleted words goes when its parts
    are merged; one over the facts that no trigger keeps up to date is made anew."""
    name = quoted(table.name)
    if table.content == "":
        return  # it has words alone, from which no text can be taken
    if table.content is None:
        columns = [column for column in table.columns if column != "fact_id"]
        ids = ["fact_id"] if "fact_id" in table.columns else ["NULL"]
        rows, broken = rows_of(connection, ["rowid", *ids, *map(quoted, columns)], f"FROM {name}")
        for number, (rowid, raw_id, *values) in enumerate(rows):
            new = [redacted.value(value) for value in values]
            if new != values and number not in broken and id_of(raw_id) not in holding:
                sets = ", ".join(f"{quoted(column)} = ?" for column in columns)
                connection.execute(f"UPDATE {name} SET {sets} WHERE rowid = ?", (*new, rowid))
    command = "optimize" if table.content is None or table.is_synced else "rebuild"
    connection.execute(f"INSERT INTO {name} ({name}) VALUES (?)", (command,))
