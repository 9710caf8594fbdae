"""Founder OS's `memory.db` (FORMATS 1): one row of `memories` is one memory.

Its plugins write the file at any time and raise use counts whenever they read, so that a change compares
only the columns that it sets. An embedding is cleared with any change of its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import apsw

from memtui.formats.checkup import make_finding
from memtui.formats.contract.adapter import Support, SupportKind
from memtui.formats.contract.plans import Fitted, Write
from memtui.formats.contract.records import Reading, Record
from memtui.formats.contract.session_view import NO_TASK, Content, SessionView, Task
from memtui.formats.founder_os import session_view, side_records, wording
from memtui.formats.founder_os.finding_help import MEANINGS
from memtui.formats.founder_os.incoming import FounderOsIncoming
from memtui.formats.founder_os.reader import record_of, text_of
from memtui.formats.founder_os.schema import (
    CATEGORIES,
    EDITABLE_COLUMNS,
    KEY_LENGTH,
    OMITTED_COLUMNS,
    READ_COLUMNS,
    REQUIRED_COLUMNS,
    ROWS,
    SCHEMA,
    STATUSES,
)
from memtui.formats.founder_os.writer import (
    count_uses,
    delete_edits,
    free_key,
    has_key,
    insert_edit,
    key_set_by,
    revert_adaptations,
    slug,
    update_edits,
)
from memtui.formats.media.sqlite.connection import columns_of, make, opened, rows_of, snapshot, tables_of
from memtui.formats.media.sqlite.row_edit import RowEdit
from memtui.formats.media.sqlite.row_store import RowStore
from memtui.memory.stores import Finding
from memtui.text import counted
from memtui.values import FieldValue, SqlValue


class FounderOs(RowStore):
    """A Founder OS memory, attached; `root` is the database."""

    format = "founder-os"
    title = "Founder OS"
    recognised_by = wording.RECOGNISED_BY
    usual_paths = (".memory/memory.db", "memory.db")
    known_places = ("./.memory/memory.db", "~/.memory/memory.db", "~/*/.memory/memory.db")
    fields = frozenset(EDITABLE_COLUMNS)
    unique_keys = True
    counts_uses = True
    redactable_fields = frozenset({"content", "key", "tags", "company_id", "source_ref", "extra"})
    restorable_fields = frozenset({"ref", "times_used", "source_ref", "created_at", "last_used_at"})
    categories = CATEGORIES
    fallback_category = "fact"
    lifecycle = "founder-os"
    incoming = FounderOsIncoming()
    expiry: ClassVar[Mapping[str, FieldValue]] = {"here": False}
    statuses = ("candidate", "confirmed", "applied")
    finding_help = MEANINGS
    view_depends_on_task = True
    clients = (session_view.CLIENT,)
    agent_title = "Founder OS"
    written_tables = ("memories",)
    table = "memories"
    rows = ROWS
    required_columns = REQUIRED_COLUMNS
    record_columns = READ_COLUMNS
    ignored_columns = OMITTED_COLUMNS
    side_tables = ("adaptations", "observations")
    time_columns = ("created_at", "updated_at", "last_used_at", "expires_at")
    count_columns = ("times_used", "times_confirmed")
    json_columns = ("tags",)
    vector_column = "embedding"

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        tables = tables_of(path)
        return path if tables and set(tables.get("memories", ())) >= REQUIRED_COLUMNS else None

    @classmethod
    def create(cls, path: Path) -> Path:
        make(path, SCHEMA)
        with opened(path, write=True) as connection:
            connection.pragma("journal_mode", "wal")  # its plugins expect it
        return path

    # -- read

    def record(
        self,
        rowid: int | None,
        values: list[SqlValue],
        others: list[str],
        doubled: frozenset[str],
        out: Reading,
    ) -> Record:
        return record_of(rowid, values, others, doubled, out)

    def read_side_tables(self, connection: apsw.Connection) -> Reading:
        return side_records.read(connection)

    def add_table_findings(self, connection: apsw.Connection, out: Reading) -> None:
        self._find_duplicate_keys(connection, out)
        for table in ("observations", "adaptations"):
            if not columns_of(connection, table):
                out.add_finding("missing-table", self.root.name, wording.TABLE_MISSING.format(table=table))
        if "memory_id" in columns_of(connection, "adaptations"):
            self._find_orphaned_adaptations(connection, out)

    def _find_duplicate_keys(self, connection: apsw.Connection, out: Reading) -> None:
        rest = "FROM memories WHERE key IS NOT NULL GROUP BY 1 HAVING count(*) > 1"
        for key, count in rows_of(connection, ["key", "count(*)"], rest)[0]:
            for _ in range(count - 1):
                out.add_finding("doubled-key", f"row {text_of(key)}", wording.DUPLICATE_KEY)

    def _find_orphaned_adaptations(self, connection: apsw.Connection, out: Reading) -> None:
        orphaned, _ = rows_of(
            connection,
            ["a.memory_id", "count(*)"],
            "FROM adaptations AS a WHERE a.memory_id IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.id = a.memory_id) GROUP BY a.memory_id",
        )
        for memory, count in orphaned:
            text = wording.ORPHANED_ADAPTATIONS.format(memory=memory, count=count)
            out.add_finding("dangling", self.root.name, text, "", f"{memory}")

    def session_view(self, content: Content, now: float, task: Task = NO_TASK) -> SessionView:
        assert isinstance(content, Reading)
        return session_view.session_view(content.records, now, task)

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        for record in reading.records:
            key = record.anchor
            if len(key) > KEY_LENGTH or key != key.lower() or any(map(str.isspace, key)):
                yield make_finding("odd-key", record.place, name=key)

    def checkup_tables(self, connection: apsw.Connection) -> Iterator[Finding]:
        yield from super().checkup_tables(connection)
        if "context" in columns_of(connection, "observations"):
            rest = "FROM observations WHERE json_valid(context) = 0 AND trim(context) GLOB '[[{]*'"
            count = connection.execute(f"SELECT count(*) {rest}").get
            if count:
                name = wording.CONTEXTS.format(observations=counted(count, "observation"))
                yield make_finding("odd-json", self.root.name, name=name)

    # -- write

    def row_edits(self, connection: apsw.Connection, record: Record | None, write: Write) -> list[RowEdit]:
        columns = self.columns(connection)
        if write.fields.get("expires_at") is not None and "expires_at" not in columns:
            raise wording.no_expiry_column(self.root.name)
        if record is None:
            return [insert_edit(columns, write)]
        if write.action in ("delete", "expire"):
            return delete_edits(connection, record, write)
        if record.removed_at is not None and write.action != "restore":
            raise wording.removed_by_program()
        fields = dict(write.fields)
        if write.action == "dismiss":
            fields = {"status": "dismissed"}
        elif write.action == "restore":
            fields = {"status": fields.get("status", "candidate")}
        fields = {
            name: fields[name]
            for name in EDITABLE_COLUMNS
            if name in fields and name in columns and fields[name] != record.fields.get(name)
        }
        edits = update_edits(connection, columns, record, fields, write)
        if write.action == "dismiss" and write.verdict:
            edits += revert_adaptations(connection, record, write)
        return edits

    def resolve_names(
        self, connection: apsw.Connection, write: Write, edits: list[RowEdit], given: set[SqlValue]
    ) -> list[RowEdit]:
        def is_taken(key: str) -> bool:
            return key in given or has_key(connection, key)

        out = []
        for edit in edits:
            key = key_set_by(edit)
            if edit.inserted is not None and not write.fields.get("key"):
                key = free_key(str(key), is_taken)
                edit = replace(edit, inserted={**edit.inserted, "key": key})
            elif key is not None and is_taken(key):
                raise wording.key_taken(key)
            given.add(key)
            out.append(edit)
        return out

    @staticmethod
    def key_for(fields: Mapping[str, FieldValue]) -> str:
        return str(fields.get("key") or "") or slug(str(fields.get("content") or ""))

    def fit(self, fields: Mapping[str, FieldValue]) -> Fitted:
        out = super().fit(fields)
        if fields.get("status") not in STATUSES:
            out.fields["status"] = "candidate"
            out.changed["status"] = (fields.get("status"), "candidate")
        key = fields.get("key") or fields.get("title") or fields.get("subject")
        if key is None:
            return out
        new = slug(str(key))
        with snapshot(self.root) as connection:
            new = free_key(new, lambda key: has_key(connection, key)) if new else new
        if new != fields.get("key"):
            out.fields["key"] = new or None
            out.changed["key"] = (fields.get("key"), new or None)
        return out

    def notice_after(self, write: Write) -> str:
        writes_text = write.action == "add" or (write.action == "edit" and "content" in write.fields)
        return wording.NO_EMBEDDING if write.incoming and writes_text else ""

    def write_uses(
        self, connection: apsw.Connection, refs: Sequence[str], columns: list[str], now: float
    ) -> Mapping[str, int]:
        return count_uses(connection, refs, columns, now)

    # -- describe

    def support_for(self, action: str, name: str = "") -> Support:
        file = self.root.name
        if action == "add":
            return Support(SupportKind.NATIVE, wording.ADDS_ROW.format(file=file))
        if action == "dismiss":
            return Support.by_status(wording.DISMISSED_IN.format(file=file))
        if action == "restore":
            return Support(SupportKind.NATIVE, wording.RESTORES_STATUS.format(file=file))
        if action == "expire":
            return Support(SupportKind.NATIVE, wording.DELETES_ROW.format(file=file))
        if action == "confirm":
            return Support(SupportKind.NATIVE, wording.RAISES_CONFIDENCE.format(file=file))
        if action == "edit" and name in ("", "content"):
            return Support(SupportKind.NATIVE, wording.CHANGES_CONTENT.format(file=file))
        if action == "edit" and name in EDITABLE_COLUMNS:
            return Support(
                SupportKind.NATIVE, wording.CHANGES_FIELD.format(field=name.replace("_", " "), file=file)
            )
        if action in ("relate", "unrelate"):
            return Support.by_memtui(wording.NO_RELATIONS)
        field = name or {"pin": "pins", "unpin": "pins"}.get(action, action)
        return Support.by_memtui(wording.NO_SUCH_FIELD.format(field=field.replace("_", " ")))
