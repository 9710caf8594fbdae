"""mem-skill's `mem.db` (FORMATS 3): a row of `facts` is one memory, and so is a fact that is only in the
archive.

Each destructive change adds an entry to `fact_history`, as the format requires; where that table does not
allow entries to be deleted, undo adds another one. The vectors are stored elsewhere and not touched.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import apsw

from memtui.errors import Refused
from memtui.formats.checkup import make_finding
from memtui.formats.contract.adapter import Support, SupportKind
from memtui.formats.contract.plans import Fitted, Plan, Receipt, Write
from memtui.formats.contract.recalling import Recalling
from memtui.formats.contract.records import Reading, Record, SideRecord
from memtui.formats.media.sqlite import redaction as sqlite_redaction
from memtui.formats.media.sqlite.block_scan import SIDE_UNIT, unit_of
from memtui.formats.media.sqlite.connection import (
    has_rowids,
    make,
    opened,
    quoted,
    rows_of,
    snapshot,
    tables_of,
    without_triggers,
)
from memtui.formats.media.sqlite.row_edit import RowEdit
from memtui.formats.media.sqlite.row_reader import keep_only
from memtui.formats.media.sqlite.store import SqliteStore
from memtui.formats.mem_skill import audit, fts_check, redaction, side_records, undo, wording
from memtui.formats.mem_skill.finding_help import GRAVE, MEANINGS
from memtui.formats.mem_skill.incoming import MemSkillIncoming
from memtui.formats.mem_skill.reader import read_fact, text_of
from memtui.formats.mem_skill.schema import (
    CATEGORIES,
    COLUMN_OF,
    FACTS,
    HISTORY,
    REQUIRED_COLUMNS,
    ROWS,
    SCHEMA,
    STATUSES,
    STORED_STATUSES,
    TIME_COLUMNS,
    USUAL_ARCHIVES,
)
from memtui.formats.mem_skill.schema_detection import Schema, detect_schema
from memtui.formats.mem_skill.writer import change_row, delete_row, made_key, new_row, with_free_names
from memtui.memory.memory import LIVE
from memtui.memory.secrets.redaction import Replacements
from memtui.memory.stores import Finding
from memtui.values import FieldValue, SqlRow

_MAX_CONFLICTS = 200  # keys with several values that are reported


class MemSkill(SqliteStore):
    """A mem-skill memory, attached; `root` is the database."""

    format = "mem-skill"
    title = "mem-skill"
    recognised_by = wording.RECOGNISED_BY
    at_start = wording.AT_START
    usual_paths = ("mem.db", ".mem/mem.db")
    known_places = ("./mem.db", "~/.mem/mem.db", "~/mem.db")
    fields = frozenset(COLUMN_OF)
    restorable_fields = frozenset(
        {"ref", "owner", "event_time", "source_ref", "source_excerpt", "created_at", "extra"}
    )
    redactable_fields = frozenset({"content", "value", "key", "source_ref", "source_excerpt", "extra"})
    required_fields = frozenset({"confidence", "valid_from"})
    categories = CATEGORIES
    fallback_category = "other"
    dismissal = {"status": "expired"}
    expiry = {"status": "expired"}
    supersession = {"status": "superseded"}
    lifecycle = "mem-skill"
    incoming = MemSkillIncoming()
    # Facts that are active or wait for confirmation; of each kind of search the best 20.
    recalling = Recalling(also=("pending",), depth=20)
    statuses = ("pending", "confirmed")
    finding_help = MEANINGS
    severe_findings = GRAVE
    written_tables = (FACTS, HISTORY)
    table = FACTS
    side_tables = (HISTORY, *USUAL_ARCHIVES)
    id_column = "fact_id"
    content_column = "value_text"
    time_columns = TIME_COLUMNS
    json_columns = ("value_json",)
    clock = staticmethod(time.time)  # the time of an undo, for its audit entry

    _detected: tuple[int, Schema | None] = (-1, None)  # with SQLite's schema_version
    _current: tuple[str, Schema | None] = ("", None)  # with the fingerprint of the file

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        tables = tables_of(path)
        return path if tables and set(tables.get(FACTS, ())) >= REQUIRED_COLUMNS else None

    @classmethod
    def create(cls, path: Path) -> Path:
        make(path, SCHEMA)
        return path

    # -- read

    def columns_read(self, connection: apsw.Connection) -> list[str]:
        return list(self._schema(connection).columns)

    def read(self) -> Reading:
        with snapshot(self.root) as connection:
            out = self.records(connection)
            out.extend(self.read_side_tables(connection))
            fts_check.check_content(connection, self._schema(connection), out, self.root.name)
            return out

    def records(
        self,
        connection: apsw.Connection,
        refs: Sequence[str] | None = None,
        span: tuple[int, int] | None = None,
    ) -> Reading:
        out = Reading()
        schema = self._schema(connection)
        has_numbers = has_rowids(connection, FACTS)
        columns = [f"m.{quoted(name)}" for name in schema.columns]
        rows, broken = ROWS.read(connection, columns, refs, span)
        duplicate_ids = ROWS.duplicate_ids(connection)
        for number, (rowid, *values) in enumerate(rows):
            row = dict(zip(schema.columns, values, strict=True))
            record = read_fact(rowid, row, duplicate_ids, unit_of(rowid) if has_numbers else "", out)
            if number in broken:
                out.add_finding("bad-utf8", record.place, wording.NO_UTF8)
            out.records.append(record)
        if refs is None and span is None:
            self.add_table_findings(connection, out)
        elif refs is not None:
            keep_only(out, refs)
            missing = set(refs) - {record.ref for record in out.records}
            out.records += side_records.archived_facts(connection, schema, missing).records
        return out

    def _schema(self, connection: apsw.Connection) -> Schema:
        version = connection.pragma("schema_version")
        known, schema = self._detected
        if schema is None or known != version:
            schema = detect_schema(connection, self.root.name)
            self._detected = (version, schema)
        return schema

    def rows_are_independent(self, connection: apsw.Connection) -> bool:
        # Whether an archived fact is a memory of its own depends on the facts.
        return ROWS.has_unique_ids(connection) and not any(
            connection.execute(f"SELECT 1 FROM {quoted(table)} LIMIT 1").fetchone()
            for table in self._schema(connection).archives
        )

    def read_side_tables(self, connection: apsw.Connection) -> Reading:
        out = side_records.archived_facts(connection, self._schema(connection))
        out.side_records = self._side_records(connection)
        return out

    def _side_records(self, connection: apsw.Connection) -> list[SideRecord]:
        schema = self._schema(connection)
        copies = side_records.archive_copies(connection, schema)
        return copies + side_records.audit_entries(connection, schema)

    def _receipt(self, connection: apsw.Connection, plans: Sequence[Plan]) -> Receipt:
        # Triggers may have written to side tables, too; the archive's own memories are unchanged.
        receipt = super()._receipt(connection, [replace(plan, edits=()) for plan in plans])
        receipt.side_records = self._side_records(connection)
        return receipt

    # -- check

    def add_table_findings(self, connection: apsw.Connection, out: Reading) -> None:
        name, schema = self.root.name, self._schema(connection)
        conflicts, _ = rows_of(
            connection,
            ["user_id", quoted("key")],
            f"FROM {FACTS} WHERE status = 'active' AND key <> '' GROUP BY 1, 2"
            f" HAVING count(DISTINCT trim(value_text)) > 1 LIMIT {_MAX_CONFLICTS}",
        )
        for user, key in conflicts:
            text = wording.several_values(text_of(user), text_of(key))
            out.add_finding("two-values", f"fact {text_of(key)}", text)
        fts_check.check_tables(connection, schema, out, name)
        if not schema.history:
            out.add_finding("no-history", name, wording.NO_HISTORY.format(history=HISTORY))
        elif count := self._dangling_history(connection, schema):
            text = wording.DANGLING_HISTORY.format(history=HISTORY, count=count)
            out.add_finding("dangling-history", name, text)

    @staticmethod
    def _dangling_history(connection: apsw.Connection, schema: Schema) -> int:
        """Return how many facts are only in the history."""
        if not any(column.name == "fact_id" for column in schema.history):
            return 0
        tables = " UNION ALL ".join(
            f"SELECT fact_id FROM {quoted(table)}" for table in (FACTS, *schema.archives)
        )
        sql = (
            f"SELECT count(DISTINCT fact_id) FROM {HISTORY} WHERE fact_id IS NOT NULL"
            f" AND fact_id NOT IN (SELECT fact_id FROM ({tables}) WHERE fact_id IS NOT NULL)"
        )
        return int(connection.execute(sql).get)

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        places: dict[tuple[FieldValue, ...], list[str]] = {}
        for record in reading.records:
            if record.unit == SIDE_UNIT:
                continue  # the archive is history
            status = record.fields["status"]
            if not record.fields["owner"]:
                yield make_finding("no-owner", record.place)
            if status in LIVE and record.fields["key"]:
                fact = record.fields["owner"], record.fields["key"], record.fields["content"].strip()
                places.setdefault(fact, []).append(record.place)
            if status in ("superseded", "expired") and record.fields["valid_to"] is None:
                yield make_finding("no-end", record.place, status=status)
        for (_, key, _), same in places.items():
            if len(same) > 1:
                yield make_finding("double-fact", same[1], name=key, count=len(same))

    # -- write

    def is_own_trigger(self, connection: apsw.Connection, trigger: str, table: str) -> bool:
        return self._schema(connection).is_own_trigger(trigger)

    def row_edits(self, connection: apsw.Connection, record: Record | None, write: Write) -> list[RowEdit]:
        schema = self._schema(connection)
        if record is None:
            return [new_row(connection, schema, write)]
        if record.unit == SIDE_UNIT and write.action == "redact":
            return []  # its row is one of those that repeat a fact
        if record.unit == SIDE_UNIT:
            raise wording.archived()
        if write.action == "delete":
            return delete_row(connection, schema, record, write)
        return change_row(connection, schema, record, write)

    def with_redacted_rest(
        self, connection: apsw.Connection, record: Record, edits: list[RowEdit], redacted: Replacements
    ) -> list[RowEdit]:
        if record.unit != SIDE_UNIT:
            name = ROWS.name(connection, record.ref)
            edits = sqlite_redaction.with_other_columns(connection, FACTS, name, edits, redacted)
        return [*edits, *redaction.side_rows(connection, self._schema(connection), record.ref, redacted)]

    def carry_out(self, connection: apsw.Connection, edit: RowEdit) -> None:
        if edit.table == FACTS or not edit.guards:
            super().carry_out(connection, edit)
            return
        with without_triggers(connection):  # a redaction alone changes entries of the audit
            super().carry_out(connection, edit)

    def finish_redactions(self, connection: apsw.Connection, plans: Sequence[Plan]) -> None:
        redactions = {plan.ref: plan.redacted for plan in plans if plan.ref and plan.redacted}
        redaction.finish(connection, self._schema(connection), redactions)

    def resolve_names(
        self, connection: apsw.Connection, write: Write, edits: list[RowEdit], given: set[SqlRow]
    ) -> list[RowEdit]:
        if write.action == "add":
            return [with_free_names(connection, write, edit, given) for edit in edits]
        return audit.renumber(edits, given)

    def added_ref(self, edits: Sequence[RowEdit]) -> str | None:
        added = (edit for edit in edits if edit.table == FACTS and edit.inserted is not None)
        return next((str(edit.row["fact_id"]) for edit in added), None)

    @staticmethod
    def key_for(fields: Mapping[str, FieldValue]) -> str:
        return str(fields.get("key") or "") or made_key(fields)

    def fit(self, fields: Mapping[str, FieldValue]) -> Fitted:
        out = super().fit(fields)
        out.fields.pop("extra", None)  # columns of another store
        status = fields.get("status")
        storable = STATUSES[STORED_STATUSES.get(str(status), "active")]
        if status is not None and status != storable:
            out.fields["status"] = storable
            out.changed["status"] = (status, storable)
        if fields.get("expires_at") is not None and fields.get("valid_to") is None:
            out.fields["valid_to"] = fields["expires_at"]
            out.changed["valid_to"] = (None, fields["expires_at"])
        if not fields.get("key") and (key := made_key(fields)):
            out.fields["key"] = key
            out.changed["key"] = (None, key)
        return out

    def notice_after(self, write: Write) -> str:
        return self._outdated_notice() if "content" in write.fields and write.action == "edit" else ""

    def reverse(self, plans: Sequence[Plan]) -> list[Plan | Refused]:
        if self.locked_reason():
            return super().reverse(plans)
        now = self.clock()
        with snapshot(self.root) as connection:
            schema = self._schema(connection)
            slim = undo.reversible(connection, schema, plans)
        out = super().reverse(slim)
        if not schema.history_is_append_only:
            return out
        with snapshot(self.root) as connection:
            return undo.with_undo_entries(connection, schema, plans, out, now)

    # -- what actions do

    def support_for(self, action: str, name: str = "") -> Support:
        file = self.root.name
        if action in _ACTIONS:
            text = _ACTIONS[action].format(file=file, audit=self._audit_clause(), history=HISTORY)
            return Support(SupportKind.NATIVE, text)
        if action == "edit" and name in ("", "content"):
            clause, notice = self._audit_clause(), self._outdated_notice()
            text = wording.CHANGES_TEXT.format(file=file, audit=clause, notice=notice)
            return Support(SupportKind.NATIVE, text)
        if action == "edit" and name in COLUMN_OF:
            field, clause = name.replace("_", " "), self._audit_clause()
            text = wording.CHANGES_FIELD.format(field=field, file=file, audit=clause)
            return Support(SupportKind.NATIVE, text)
        field = _NOT_IN_STORE.get(action, name or action)
        return Support.by_memtui(wording.KEPT_IN_MEMTUI.format(field=field.replace("_", " ")))

    def _audit_clause(self) -> str:
        """Return what happens to the audit with a change, as the end of a sentence."""
        schema = self._current_schema()
        if schema is None or not schema.history:
            return ""
        if any(each.event == "UPDATE" for each in schema.history_triggers):
            clause = wording.AUDITED_BY_TRIGGER
        else:
            clause = wording.AUDITED_FOR_GOOD if schema.history_is_append_only else wording.AUDITED
        return clause.format(history=HISTORY)

    def _outdated_notice(self) -> str:
        """Return what still has the old text after an edit."""
        schema = self._current_schema()
        if schema is not None and any(not table.is_synced for table in schema.full_text):
            return wording.SEARCH_AND_VECTORS_BEHIND
        return wording.VECTORS_BEHIND

    def _current_schema(self) -> Schema | None:
        """Return the schema, detected again where the file may have changed; None if it cannot be read."""
        fingerprint = self.fingerprint()
        if not fingerprint or fingerprint != self._current[0]:
            try:
                with opened(self.root) as connection:
                    self._current = (fingerprint, self._schema(connection))
            except (Refused, OSError):
                self._current = (fingerprint, None)
        return self._current[1]


_NOT_IN_STORE = {"pin": "pins", "unpin": "pins", "relate": "relations", "unrelate": "relations"}
_ACTIONS = {
    "add": wording.ADDS_FACT,
    "dismiss": wording.DISMISSES,
    "expire": wording.EXPIRES,
    "supersede": wording.SUPERSEDES,
    "restore": wording.RESTORES,
    "confirm": wording.CONFIRMS,
    "delete": wording.DELETES,
}
