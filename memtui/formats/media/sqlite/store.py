"""Stores that are SQLite databases of other programs (S-4, S-6, S-7; LIMITS 1).

A format defines how rows read (`records`) and which columns one change sets (`row_edits`). Everything else
is here, once: careful opening (`connection.py`), checking only the touched columns, one BEGIN IMMEDIATE
transaction (`row_edit.py`), judging an interrupted write, undoing one (`undo.py`).
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import apsw

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.incremental import (
    Snapshot,
    WholeSnapshot,
    combine_fingerprints,
    file_fingerprint,
)
from memtui.formats.contract.plans import (
    PastWrite,
    Plan,
    PriorWrite,
    Receipt,
    Write,
    WriteState,
    differing_fields,
)
from memtui.formats.contract.records import Reading, Record
from memtui.formats.media.sqlite import in_memory, redaction, table_checks, wording
from memtui.formats.media.sqlite.block_scan import BlockSnapshot
from memtui.formats.media.sqlite.connection import changing, has_rowids, opened, snapshot, writable
from memtui.formats.media.sqlite.row_edit import (
    RowEdit,
    RowKey,
    carry_out,
    dump_edit,
    load_edit,
    row_state,
)
from memtui.formats.media.sqlite.undo import (
    Pending,
    restored_rowids,
    reverse_edit,
    with_original_stamps,
    with_rowid,
)
from memtui.memory.secrets.redaction import Replacements
from memtui.memory.stores import Finding
from memtui.values import Fields, JsonObject, SqlValue


class SqliteStore(Adapter):
    """An adapter over one database file. A format adds records, row_edits, recognise, support_for."""

    written_tables: ClassVar[tuple[str, ...]] = ()  # that changes write to
    known_triggers: ClassVar[frozenset[str]] = frozenset()
    table: ClassVar[str]  # whose rows are the memories
    side_tables: ClassVar[tuple[str, ...]] = ()  # whose rows are links and side records
    latest_version: ClassVar[int] = 1  # of its schema, as far as this program knows
    # What the doctor checks: columns of `table` by their content.
    id_column: ClassVar[str] = "id"
    time_columns: ClassVar[tuple[str, ...]] = ()
    count_columns: ClassVar[tuple[str, ...]] = ()
    json_columns: ClassVar[tuple[str, ...]] = ()
    vector_column: ClassVar[str] = ""
    content_column: ClassVar[str] = "content"

    @abstractmethod
    def records(
        self,
        connection: apsw.Connection,
        refs: Sequence[str] | None = None,
        span: tuple[int, int] | None = None,
    ) -> Reading:
        """Return the content of the rows; with `refs` only these records, with `span` those of these rowids
        (first, last)."""

    def rows_are_independent(self, connection: apsw.Connection) -> bool:
        """Return whether the ref of a row never depends on other rows."""
        return True

    def add_table_findings(self, connection: apsw.Connection, out: Reading) -> None:
        """Add the findings about anything but single memories to `out`."""

    def read_side_tables(self, connection: apsw.Connection) -> Reading:
        """Return all links and side records in `side_tables`; their unit is SIDE_UNIT."""
        return Reading()

    def is_own_trigger(self, connection: apsw.Connection, trigger: str, table: str) -> bool:
        """Return whether a trigger on a table that changes write to is the format's own."""
        return trigger in self.known_triggers

    @abstractmethod
    def columns_read(self, connection: apsw.Connection) -> list[str]:
        """Return the columns of `table` that records are made from."""

    @abstractmethod
    def row_edits(self, connection: apsw.Connection, record: Record | None, write: Write) -> list[RowEdit]:
        """Return the edits of rows for one change, based on what is stored. Raises Refused."""

    @abstractmethod
    def added_ref(self, edits: Sequence[RowEdit]) -> str | None:
        """Return the ref of the record that an add creates."""

    def resolve_names(
        self, connection: apsw.Connection, write: Write, edits: list[RowEdit], given: set[SqlValue]
    ) -> list[RowEdit]:
        """Return the edits with unique names that do not collide with those of earlier ones in the batch.

        `given` are the unique names that the earlier ones use; the format adds its own."""
        return edits

    def read(self) -> Reading:
        with snapshot(self.root) as connection:
            out = self.records(connection)
            out.extend(self.read_side_tables(connection))
            return out

    def fingerprint(self) -> str:
        fingerprints = []
        root = self.root.resolve()  # logs are next to a link's target
        for name in (str(root), f"{root}-wal", f"{root}-journal"):
            with suppress(FileNotFoundError):
                fingerprints.append((name, file_fingerprint(os.stat(name))))
        return combine_fingerprints(fingerprints)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        with opened(self.root) as connection, ExitStack() as moment:
            moment.enter_context(connection)
            # Without a WAL a reader blocks writers: reading has to be brief.
            brief = connection.pragma("journal_mode") != "wal"
            if has_rowids(connection, self.table):
                yield BlockSnapshot(self, connection, moment.close if brief else None)
            else:
                reading = self.records(connection)
                reading.extend(self.read_side_tables(connection))
                moment.close()
                yield WholeSnapshot(reading)

    def read_refs(self, refs: Sequence[str]) -> dict[str, Record]:
        with snapshot(self.root) as connection:
            return {record.ref: record for record in self.records(connection, refs).records}

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        places = {record.ref: record.place for record in reading.records}
        with snapshot(self.root) as connection:
            yield from table_checks.mixed_times(connection, self.table, self.time_columns, self.root.name)
            where = connection, self.table
            yield from table_checks.counts(*where, self.count_columns, places, self.id_column)
            yield from table_checks.json_columns(*where, self.json_columns, places, self.id_column)
            if self.vector_column:
                yield from table_checks.vectors(*where, self.vector_column, places, self.id_column)
            yield from table_checks.numbers(*where, "confidence", places, self.id_column)
            yield from table_checks.nuls(*where, places, self.id_column, self.content_column)
            yield from self.checkup_tables(connection)

    def checkup_tables(self, connection: apsw.Connection) -> Iterator[Finding]:
        """Yield what else the doctor checks in the tables of this format."""
        yield from ()

    def unsupported_version(self) -> str:
        with opened(self.root) as connection:
            return self._unsupported_version(connection)

    def _unsupported_version(self, connection: apsw.Connection) -> str:
        version = table_checks.version(connection)
        if version <= self.latest_version:
            return ""
        return wording.NEWER_SCHEMA.format(file=self.root.name, version=version, newest=self.latest_version)

    def locked_reason(self) -> str:
        return self._lock()[1]

    def lock_code(self) -> str:
        return self._lock()[0] or "read-only"

    def _lock(self) -> tuple[str, str]:
        """Return why the store cannot be written, as (code, reason); empty if it can."""
        file = self.root.name
        if not self.root.exists():
            return "read-only", wording.GONE.format(file=file)
        if not writable(self.root):
            return "read-only", wording.NOT_WRITABLE.format(file=file)
        if self.root.stat().st_nlink > 1:
            return "read-only", wording.HARD_LINK.format(file=file)
        with opened(self.root) as connection:
            if reason := self._unsupported_version(connection):
                return "newer-schema", reason
            found = connection.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'")
            written = {table.casefold() for table in self.written_tables}
            for name, table in [(str(name), str(table)) for name, table in found]:
                if table.casefold() in written and not self.is_own_trigger(connection, name, table):
                    return "trigger", wording.UNKNOWN_TRIGGER.format(trigger=name, table=table)
        return "", ""

    # -- redacting

    def with_redacted_rest(
        self, connection: apsw.Connection, record: Record, edits: list[RowEdit], redacted: Replacements
    ) -> list[RowEdit]:
        """Return the edits of a redaction with what else has its values: other columns, other tables."""
        return edits

    def finish_redactions(self, connection: apsw.Connection, plans: Sequence[Plan]) -> None:
        """Take the values out of what the database itself wrote with these redactions, in their transaction:
        rows of triggers, indexes of a search."""

    def redact_history(self, writes: Sequence[PastWrite], redacted: Replacements) -> list[Plan | None]:
        return redaction.history(writes, redacted)

    def write_back(self) -> bool:
        with opened(self.root, write=True) as connection:
            ((is_busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return not is_busy

    # -- planning

    def plan(self, writes: Sequence[Write]) -> list[Plan | Refused]:
        if reason := self.locked_reason():
            return [wording.read_only(reason) for _ in writes]
        out: list[Plan | Refused] = []
        given: set[SqlValue] = set()
        written: dict[str, Fields] = {}  # what the writes so far set, by ref
        rows: dict[RowKey, dict[str, SqlValue]] = {}  # likewise by row
        with snapshot(self.root) as connection:
            found = self.records(connection, [write.ref for write in writes if write.ref])
            by_ref = {record.ref: record for record in found.records}
            for write in writes:
                self.on_step()
                try:
                    self.check(write)
                    record = _expected_record(write, by_ref) if write.action != "add" else None
                    if record is not None:
                        fields = {**record.fields, **written.get(record.ref, {})}
                        record = replace(record, fields=fields)
                    edits = self.row_edits(connection, record, write)
                    if record is not None and write.redacted is not None:
                        edits = self.with_redacted_rest(connection, record, edits, write.redacted)
                    edits = [with_rowid(connection, each) for each in edits]
                    edits = _on_top_of(rows, self.resolve_names(connection, write, edits, given))
                except Refused as refusal:
                    out.append(refusal)
                    continue
                if record is None:
                    out.append(Plan(None, self.added_ref(edits), tuple(edits), self.notice_after(write)))
                else:
                    written.setdefault(record.ref, {}).update(write.fields)
                    notice, redacted = self.notice_after(write), write.redacted
                    out.append(Plan(record.ref, record.ref, tuple(edits), notice, redacted=redacted))
        return out

    def added_record(self, plan: Plan) -> Record:
        with snapshot(self.root) as connection, in_memory.with_same_tables(connection) as alone:
            for edit in plan.edits:
                if edit.inserted is not None:
                    carry_out(alone, edit)
            (record,) = self.records(alone, [plan.ref_after or ""]).records
        return record

    def reverse(self, plans: Sequence[Plan]) -> list[Plan | Refused]:
        if reason := self.locked_reason():
            return [wording.read_only(reason) for _ in plans]
        out: list[Plan | Refused] = []
        pending: Pending = {}
        with snapshot(self.root) as connection:
            for plan in plans:
                staged = dict(pending)
                try:
                    edits = tuple(reverse_edit(connection, edit, staged) for edit in reversed(plan.edits))
                except Refused as refusal:
                    out.append(refusal)
                    continue
                pending = staged
                edits += tuple(restored_rowids(connection, edits, plan.prior_writes))
                out.append(Plan(plan.ref_after, plan.ref, edits))
        return out

    def with_prior_writes(self, plan: Plan, prior: tuple[PriorWrite, ...]) -> Plan:
        return replace(plan, edits=tuple(with_original_stamps(plan, prior)), prior_writes=prior)

    # -- writing

    def carry_out(self, connection: apsw.Connection, edit: RowEdit) -> None:
        """Make one change within the current transaction. Raise Refused if the row is not as expected."""
        carry_out(connection, edit)

    def apply(self, plans: Sequence[Plan], token: str) -> Receipt:
        if reason := self.locked_reason():
            raise wording.read_only(reason)
        file = _file_identity(self.root)
        with changing(self.root) as connection:
            before = self.records(connection, [plan.ref for plan in plans if plan.ref is not None]).records
            for plan in plans:
                self.on_step()
                for edit in plan.edits:
                    self.carry_out(connection, edit)
            if redactions := [plan for plan in plans if plan.redacted is not None]:
                self.finish_redactions(connection, redactions)
            receipt = self._receipt(connection, plans)
            receipt.before = before
            if _file_identity(self.root) != file:
                raise wording.database_replaced(self.root.name)
        return receipt

    def write_state(self, plans: Sequence[Plan], token: str) -> WriteState:
        rows: dict[RowKey, list[RowEdit]] = {}
        for plan in plans:
            for edit in plan.edits:
                rows.setdefault(edit.key, []).append(edit)
        with snapshot(self.root) as connection:
            states = [row_state(connection, edits) for edits in rows.values()]
        if all(after for _, after in states):
            return WriteState.AFTER
        if all(before for before, _ in states):
            return WriteState.BEFORE
        # Others changed rows since: one clear row is enough, since all were written or none.
        if any(after and not before for before, after in states):
            return WriteState.AFTER
        if any(before and not after for before, after in states):
            return WriteState.BEFORE
        return WriteState.OTHER

    def finish(self, plans: Sequence[Plan], token: str) -> Receipt:
        with snapshot(self.root) as connection:
            return self._receipt(connection, plans)

    def _receipt(self, connection: apsw.Connection, plans: Sequence[Plan]) -> Receipt:
        refs = [plan.ref_after for plan in plans if plan.ref_after is not None]
        removed = [plan.ref for plan in plans if plan.ref is not None and plan.ref_after is None]
        receipt = Receipt(records=self.records(connection, refs).records, removed_refs=removed)
        if any(edit.table in self.side_tables for plan in plans for edit in plan.edits):
            side = self.read_side_tables(connection)
            receipt.links, receipt.side_records = side.links, side.side_records
        return receipt

    def target_names(self, plans: Sequence[Plan]) -> str:
        return self.root.name

    # -- storing plans

    def dump_plan(self, plan: Plan) -> JsonObject:
        return {
            "ref": plan.ref,
            "ref_after": plan.ref_after,
            "edits": [dump_edit(edit) for edit in plan.edits],
        }

    def load_plan(self, data: JsonObject) -> Plan:
        return Plan(data["ref"], data["ref_after"], tuple(load_edit(edit) for edit in data["edits"]))


def _expected_record(write: Write, by_ref: Mapping[str, Record]) -> Record:
    """Return the record of a write. Raises Conflict if it is not as it was seen."""
    record = by_ref.get(write.ref)
    if record is None:
        raise Conflict(wording.NO_LONGER_THERE, dict(write.fields), {})
    stored = differing_fields(record, write.seen)
    if stored:
        requested = {name: write.fields.get(name) for name in stored}
        raise Conflict(wording.CHANGED_SINCE_READ, requested, stored)
    return record


def _on_top_of(rows: dict[RowKey, dict[str, SqlValue]], edits: Sequence[RowEdit]) -> list[RowEdit]:
    """Return the edits with the values that earlier ones set, by row, as those before them; add their own."""
    out: list[RowEdit] = []
    for edit in edits:
        row = rows.setdefault(edit.key, {})
        guards, stamps, derived = (
            {name: (row.get(name, before), after) for name, (before, after) in part.items()}
            for part in (edit.guards, edit.stamps, edit.derived)
        )
        edit = replace(edit, guards=guards, stamps=stamps, derived=derived)
        row |= {name: after for name, (_, after) in edit.columns.items()}
        out.append(edit)
    return out


def _file_identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except FileNotFoundError as error:
        raise wording.missing(path) from error
    return status.st_dev, status.st_ino
