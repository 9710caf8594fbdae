"""Founder OS's `memory.db` (FORMATS 1): one row of `memories` is one memory.

Its plugins read and write the file at any time, and raise use counts as they read: only the
columns that a change means are compared. An embedding that no longer fits its text is cleared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import apsw

from memtui.errors import NotSaved
from memtui.formats.checkup import found
from memtui.formats.contract.adapter import Fitted, How, Reading, Record, Support, Write
from memtui.formats.founder_os import side_records
from memtui.formats.founder_os.reader import record_of, text_of
from memtui.formats.founder_os.schema import (
    ASIDE,
    CATEGORIES,
    KEY_LENGTH,
    KNOWN,
    MARKS,
    MEANINGS,
    ROWS,
    SCHEMA,
    SET,
    STATUSES,
)
from memtui.formats.founder_os.writer import (
    count_uses,
    deleted,
    edits_of,
    free_key,
    holds,
    key_set,
    new_row,
    reverted,
    slug,
)
from memtui.formats.media.sqlite.connection import columns_of, make, opened, rows_of, snapshot, tables_of
from memtui.formats.media.sqlite.row_store import RowStore
from memtui.formats.media.sqlite.store import RowEdit
from memtui.memory.records import Finding
from memtui.text import counted


class FounderOs(RowStore):
    """A Founder OS memory, attached; `root` is the database."""

    format = "founder-os"
    title = "Founder OS"
    looked_for = "an SQLite database with a table “memories” (key, category, content, source_plugin, status)"
    inside = (".memory/memory.db", "memory.db")
    known_places = ("./.memory/memory.db", "~/.memory/memory.db", "~/*/.memory/memory.db")
    fields = frozenset(SET)
    counts_uses = True
    restorable_fields = frozenset({"ref", "times_used", "source_ref", "created_at", "last_used_at"})
    categories = CATEGORIES
    plain_category = "fact"
    lifecycle = "founder-os"
    expiry: ClassVar[Mapping[str, Any]] = {"here": False}
    statuses = ("candidate", "confirmed", "applied")
    meanings = MEANINGS
    writes_to = ("memories",)
    table = "memories"
    rows = ROWS
    marks = MARKS
    known = KNOWN
    aside = ASIDE
    beside_tables = ("adaptations", "observations")
    time_columns = ("created_at", "updated_at", "last_used_at", "expires_at")
    count_columns = ("times_used", "times_confirmed")
    json_columns = ("tags",)
    vector_column = "embedding"

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        tables = tables_of(path)
        return path if tables and set(tables.get("memories", ())) >= MARKS else None

    @classmethod
    def create(cls, path: Path) -> Path:
        make(path, SCHEMA)
        with opened(path, write=True) as connection:
            connection.pragma("journal_mode", "wal")  # its plugins expect it
        return path

    # -- read

    def record(
        self, rowid: int | None, values: list[Any], others: list[str], doubled: frozenset[str], out: Reading
    ) -> Record:
        return record_of(rowid, values, others, doubled, out)

    def beside(self, connection: apsw.Connection) -> Reading:
        return side_records.read(connection)

    def look_around(self, connection: apsw.Connection, out: Reading) -> None:
        """What the doctor should know of the table as a whole and of those beside it."""
        name = self.root.name
        rest = "FROM memories WHERE key IS NOT NULL GROUP BY 1 HAVING count(*) > 1"
        for key, count in rows_of(connection, ["key", "count(*)"], rest)[0]:
            for _ in range(count - 1):
                out.odd("doubled-key", f"row {text_of(key)}", "Another row has the same key.")
        for table in ("observations", "adaptations"):
            if not columns_of(connection, table):
                out.odd(
                    "missing-table",
                    name,
                    f"The table “{table}” is missing; Founder OS makes it when it runs.",
                )
        if "memory_id" in columns_of(connection, "adaptations"):
            lost, _ = rows_of(
                connection,
                ["a.memory_id", "count(*)"],
                "FROM adaptations AS a WHERE a.memory_id IS NOT NULL"
                " AND NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.id = a.memory_id) GROUP BY a.memory_id",
            )
            for memory, count in lost:
                words = f"Adaptations of a memory that is gone ({memory}): {count}."
                out.odd("dangling", name, words, "", f"{memory}")

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        for record in reading.records:
            key = record.anchor
            if len(key) > KEY_LENGTH or key != key.lower() or any(map(str.isspace, key)):
                yield found("odd-key", record.place, name=key)

    def look_closely(self, connection: apsw.Connection) -> Iterator[Finding]:
        yield from super().look_closely(connection)
        if "context" in columns_of(connection, "observations"):
            rest = "FROM observations WHERE json_valid(context) = 0 AND trim(context) GLOB '[[{]*'"
            count = connection.execute(f"SELECT count(*) {rest}").get
            if count:
                yield found("odd-json", self.root.name, name=f"Context of {counted(count, 'observation')}")

    # -- write

    def row_edits(self, connection: apsw.Connection, record: Record | None, write: Write) -> list[RowEdit]:
        columns = self.columns(connection)
        if write.fields.get("expires_at") is not None and "expires_at" not in columns:
            raise NotSaved("no-field", f"this {self.root.name} is older and has no expiry.")
        if record is None:
            return [new_row(columns, write)]
        if write.action in ("delete", "expire"):
            return deleted(connection, record, write)
        if record.removed_at is not None and write.action != "restore":
            raise NotSaved("removed", "Founder OS has removed this memory.", "Restore it first.")
        fields = dict(write.fields)
        if write.action == "dismiss":
            fields = {"status": "dismissed"}
        elif write.action == "restore":
            fields = {"status": fields.get("status", "candidate")}
        fields = {
            name: fields[name]
            for name in SET
            if name in fields and name in columns and fields[name] != record.fields.get(name)
        }
        edits = edits_of(connection, columns, record, fields, write)
        if write.action == "dismiss" and write.verdict:
            edits += reverted(connection, record, write)
        return edits

    def settle(
        self, connection: apsw.Connection, write: Write, edits: list[RowEdit], given: set[Any]
    ) -> list[RowEdit]:
        def taken(key: str) -> bool:
            return key in given or holds(connection, key)

        out = []
        for edit in edits:
            key = key_set(edit)
            if edit.made is not None and not write.fields.get("key"):
                key = free_key(str(key), taken)
                edit = replace(edit, made={**edit.made, "key": key})
            elif key is not None and taken(key):
                raise NotSaved("exists", f"another memory has the key “{key}” already.", key=key)
            given.add(key)
            out.append(edit)
        return out

    def fit(self, fields: Mapping[str, Any]) -> Fitted:
        out = super().fit(fields)
        if fields.get("status") not in STATUSES:
            out.fields["status"] = "candidate"
            out.changed["status"] = (fields.get("status"), "candidate")
        key = fields.get("key") or fields.get("title") or fields.get("subject")
        if key is None:
            return out
        new = slug(str(key))
        with snapshot(self.root) as connection:
            new = free_key(new, lambda key: holds(connection, key)) if new else new
        if new != fields.get("key"):
            out.fields["key"] = new or None
            out.changed["key"] = (fields.get("key"), new or None)
        return out

    def counted(
        self, connection: apsw.Connection, refs: Sequence[str], columns: list[str], now: float
    ) -> None:
        count_uses(connection, refs, columns, now)

    # -- in words

    def supports(self, action: str, name: str = "") -> Support:
        file = self.root.name
        if action == "add":
            return Support(How.NATIVE, f"adds a row to {file}")
        if action == "dismiss":
            return Support.by_status(f"dismissed in {file}")
        if action == "restore":
            return Support(How.NATIVE, f"gives it its status back in {file}")
        if action == "expire":
            return Support(How.NATIVE, f"deletes its row in {file} and reverts its adaptations")
        if action == "confirm":
            return Support(How.NATIVE, f"raises its confidence by 15, to 60 at least, in {file}")
        if action == "edit" and name in ("", "content"):
            return Support(How.NATIVE, f"changes the text in {file} and clears its embedding there")
        if action == "edit" and name in SET:
            return Support(How.NATIVE, f"changes its {name.replace('_', ' ')} in {file}")
        if action in ("relate", "unrelate"):
            return Support(How.WORKSPACE, "is kept in memtui: Founder OS has no relations of its own")
        field = name or {"unpin": "pin"}.get(action, action)
        return Support(How.WORKSPACE, f"is kept in memtui: Founder OS has no {field.replace('_', ' ')}")
