"""Base Coat's database (FORMATS 4): one row of `memories` is one memory, relations have their own table.

Agents read and write the file at any time, raise use counts and let confidence decay, so only the columns
that a change sets are compared. An embedding that no longer fits its text is cleared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import apsw

from memtui.errors import Refused
from memtui.formats.base_coat import relations, wording
from memtui.formats.base_coat.finding_help import MEANINGS
from memtui.formats.base_coat.incoming import BaseCoatIncoming
from memtui.formats.base_coat.reader import read_row
from memtui.formats.base_coat.schema import (
    CATEGORIES,
    COLUMN_OF,
    FOUNDER_OS_COLUMNS,
    HIDDEN_COLUMNS,
    INITIAL_CONFIDENCE,
    KNOWN_COLUMNS,
    RELATION_KINDS,
    RELATIONS,
    REQUIRED_COLUMNS,
    RESTORABLE,
    ROWS,
    SCHEMA,
    TIERS,
)
from memtui.formats.base_coat.writer import (
    change_row,
    contradict_by_winner,
    contradict_from,
    count_uses,
    delete_row,
    new_row,
    subject_of,
    with_new_id,
)
from memtui.formats.checkup import make_finding
from memtui.formats.contract.adapter import Support, SupportKind
from memtui.formats.contract.plans import REPEATS, Fitted, Write
from memtui.formats.contract.records import Reading, Record
from memtui.formats.media.sqlite.connection import columns_of, make, opened, tables_of
from memtui.formats.media.sqlite.row_edit import RowEdit
from memtui.formats.media.sqlite.row_store import RowStore
from memtui.memory.stores import Finding
from memtui.values import FieldValue, SqlRow, SqlValue


class BaseCoat(RowStore):
    """A Base Coat memory, attached; `root` is the database."""

    format = "base-coat"
    title = "Base Coat"
    recognised_by = wording.RECOGNISED_BY
    at_start = wording.AT_START
    usual_paths = ("memory.db", ".basecoat/memory.db", ".memory/memory.db", "memories.db")
    known_places = ("./.basecoat/memory.db", "~/.basecoat/memory.db", "./memory.db")
    counts_uses = True
    user_source: ClassVar[Mapping[str, FieldValue]] = {"source_ref": "user"}
    categories = CATEGORIES
    fallback_category = "fact"
    lifecycle = "base-coat"
    incoming = BaseCoatIncoming()
    expiry: ClassVar[Mapping[str, FieldValue]] = {"here": False}
    relation_kinds = RELATION_KINDS
    dismissal: ClassVar[Mapping[str, FieldValue]] = {"status": "dismissed", "confidence": 0.0}
    supersession: ClassVar[Mapping[str, FieldValue]] = {"status": "dismissed", "confidence": 0.0}
    finding_help = MEANINGS
    redactable_fields = frozenset({"content", "subject", "source_ref", "extra"})
    written_tables = ("memories", RELATIONS)
    table = "memories"
    rows = ROWS
    required_columns = REQUIRED_COLUMNS
    record_columns = KNOWN_COLUMNS
    ignored_columns = HIDDEN_COLUMNS
    side_tables = (RELATIONS,)
    latest_version = 2  # the version with tiers
    time_columns = ("created_at", "updated_at", "last_accessed", "expires_at")
    count_columns = ("access_count", "promotion_count")
    vector_column = "embedding"

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        columns = set((tables_of(path) or {}).get("memories", ()))
        return path if columns >= REQUIRED_COLUMNS and not columns >= FOUNDER_OS_COLUMNS else None

    @classmethod
    def create(cls, path: Path) -> Path:
        make(path, SCHEMA)
        return path

    # -- the columns of this file

    @cached_property
    def fields(self) -> frozenset[str]:  # type: ignore[override]
        """What a change may set here. Older files lack some columns; what they lack is kept in memtui."""
        return frozenset(name for name, column in COLUMN_OF.items() if self._has(column))

    @cached_property
    def restorable_fields(self) -> frozenset[str]:  # type: ignore[override]
        """What else an add can set in this file."""
        return frozenset(name for name, column in RESTORABLE.items() if self._has(column))

    def _has(self, column: str) -> bool:
        return self._columns is None or column in self._columns

    @cached_property
    def _shape(self) -> tuple[frozenset[str] | None, bool]:
        """The columns of `memories` in this file, and whether it has relations. Where the file cannot be
        read now, the columns are None: a change that has no column is then refused when it is planned."""
        try:
            with opened(self.root) as connection:
                connection.set_busy_timeout(0)  # only labels depend on it: do not wait for a lock
                columns = frozenset(columns_of(connection, "memories"))
                return (columns, relations.has_table(connection)) if columns >= REQUIRED_COLUMNS else _UNKNOWN
        except (Refused, OSError):
            return _UNKNOWN

    @property
    def _columns(self) -> frozenset[str] | None:
        return self._shape[0]

    @property
    def _has_relations(self) -> bool:
        return self._shape[1]

    # -- read

    def record(
        self,
        rowid: int | None,
        values: list[SqlValue],
        others: list[str],
        duplicate_ids: frozenset[str],
        out: Reading,
    ) -> Record:
        return read_row(rowid, values, others, duplicate_ids, out)

    def read_side_tables(self, connection: apsw.Connection) -> Reading:
        return relations.read(connection)

    def add_table_findings(self, connection: apsw.Connection, out: Reading) -> None:
        relations.check(connection, self.root.name, out)

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        for record in reading.records:
            if not record.fields.get("subject"):
                yield make_finding("no-subject", record.place)

    # -- write

    def row_edits(self, connection: apsw.Connection, record: Record | None, write: Write) -> list[RowEdit]:
        columns = self.columns(connection)
        if record is None:
            added = new_row(connection, columns, write)
            return [added, *contradict_from(connection, added, write)]
        if write.action in ("delete", "expire"):
            return delete_row(connection, record)
        if write.action in ("relate", "unrelate", "retie"):
            if write.link is None:
                raise wording.no_link()
            if write.action == "unrelate":
                return relations.unrelate(connection, write.link)
            if write.previous_link is not None:
                return relations.update(connection, write.previous_link, write.link)
            return [relations.relate(connection, write.link)]
        fields = {name: value for name, value in write.fields.items() if name in COLUMN_OF}
        if write.action == "edit" and "confidence" in fields:
            self._check_confidence(record, fields["confidence"])
        if write.action == "restore":
            fields["confidence"] = fields.get("confidence") or INITIAL_CONFIDENCE
        elif write.action in ("dismiss", "supersede"):
            fields["confidence"] = self.dismissal["confidence"]
        for name in fields:
            if COLUMN_OF[name] not in columns:
                raise wording.no_column(self.root.name, name)
        edits = change_row(connection, columns, record, fields, write)
        if write.action == "supersede":
            edits += contradict_by_winner(connection, record, write)
        return edits

    @staticmethod
    def _check_confidence(record: Record, confidence: float) -> None:
        """Raise Refused where a confidence would dismiss or restore the memory."""
        if not confidence:
            raise wording.zero_dismisses()
        if record.fields["status"] == "dismissed":
            raise wording.restore_before_confidence()

    def resolve_names(
        self, connection: apsw.Connection, write: Write, edits: list[RowEdit], given: set[SqlRow | None]
    ) -> list[RowEdit]:
        out = []
        for edit in edits:
            name = (edit.table, *edit.row.values())
            if edit.inserted is not None and name in given:
                if edit.table == RELATIONS:
                    raise wording.related_in_batch()
                edit = with_new_id(edit)
            elif edit.deleted is not None and name in given:
                continue  # the memory at the other end is removed in the same batch
            given.add((edit.table, *edit.row.values()) if edit.inserted or edit.deleted else None)
            out.append(edit)
        return out

    def fit(self, fields: Mapping[str, FieldValue]) -> Fitted:
        out = super().fit(fields)
        subject = subject_of(fields)
        out.fields["subject"] = subject
        if subject != fields.get("subject"):
            out.changed["subject"] = (fields.get("subject"), subject)
        if out.fields.get("tier") not in TIERS:
            out.fields.pop("tier", None)
        if fields.get("status") == "dismissed":  # agents must not be given it here either
            out.fields["confidence"] = 0.0
            out.changed["confidence"] = (fields.get("confidence"), 0.0)
        return out

    def write_uses(
        self, connection: apsw.Connection, refs: Sequence[str], columns: list[str], now: float
    ) -> Mapping[str, int]:
        return count_uses(connection, refs, columns, now)

    # -- what actions do

    def support_for(self, action: str, name: str = "") -> Support:
        file = self.root.name
        if action in ("relate", "unrelate", "retie"):
            return self._supports_relation(action, name)
        if action in ("pin", "unpin") and "pinned" not in self.fields:
            return Support.by_memtui(wording.NO_PIN.format(file=file))
        if action == "supersede" and name == REPEATS:  # the two do not contradict each other
            action = "dismiss"
        if action == "supersede" and self._has_relations:
            return Support(SupportKind.NATIVE, wording.SUPERSEDES_WITH_RELATION.format(file=file))
        if action in _ACTIONS:
            return Support(SupportKind.NATIVE, _ACTIONS[action].format(file=file))
        if action == "edit" and name in ("", "content"):
            return Support(SupportKind.NATIVE, wording.CHANGES_TEXT.format(file=file))
        field = "expiry" if name == "expires_at" else name.replace("_", " ")
        if action == "edit" and name in self.fields:
            return Support(SupportKind.NATIVE, wording.CHANGES_FIELD.format(field=field, file=file))
        if name in COLUMN_OF:
            return Support.by_memtui(wording.NO_COLUMN.format(file=file, field=field))
        return Support.by_memtui(wording.NO_FIELD.format(field=field or action))

    def _supports_relation(self, action: str, kind: str) -> Support:
        file = self.root.name
        if not self._has_relations:
            return Support.by_memtui(wording.NO_RELATIONS.format(file=file))
        if action == "unrelate":
            return Support(SupportKind.NATIVE, wording.REMOVES_RELATION.format(file=file))
        if kind and kind not in RELATION_KINDS:
            return Support.by_memtui(wording.ONLY_KINDS.format(kinds=", ".join(RELATION_KINDS)))
        text = wording.ADDS_RELATION if action == "relate" else wording.CHANGES_RELATION
        return Support(SupportKind.NATIVE, text.format(file=file))


_UNKNOWN = (None, True)  # a file that cannot be read now may have relations
_ACTIONS = {
    "add": wording.ADDS_ROW,
    "delete": wording.DELETES_ROW,
    "expire": wording.DELETES_ROW,
    "dismiss": wording.DISMISSES,
    "restore": wording.RESTORES,
    "confirm": wording.CONFIRMS,
    "supersede": wording.SUPERSEDES,
    "pin": wording.PINS,
    "unpin": wording.UNPINS,
}
