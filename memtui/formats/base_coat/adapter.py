"""Base Coat's database (FORMATS 4): one row of `memories` is one memory, relations stand beside them.

Its agents read and write the file at any time, raise use counts and let confidence decay: only the
columns that a change means are compared. An embedding that no longer fits its text is cleared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import apsw

from memtui.errors import NotSaved, Refused
from memtui.formats.base_coat import relations
from memtui.formats.base_coat.reader import record_of
from memtui.formats.base_coat.schema import (
    ASIDE,
    CATEGORIES,
    FOUNDER_OS,
    KINDS,
    KNOWN,
    MARKS,
    MEANINGS,
    RELATIONS,
    REMADE,
    ROWS,
    SCHEMA,
    SET,
    START,
    TIERS,
)
from memtui.formats.base_coat.writer import (
    count_uses,
    deleted,
    edits_of,
    new_row,
    renamed,
    subject_of,
    superseded,
)
from memtui.formats.checkup import found
from memtui.formats.contract.adapter import REPEATS, Fitted, How, Reading, Record, Support, Write
from memtui.formats.media.sqlite.connection import columns_of, make, opened, tables_of
from memtui.formats.media.sqlite.row_store import RowStore
from memtui.formats.media.sqlite.store import RowEdit
from memtui.memory.stores import Finding


class BaseCoat(RowStore):
    """A Base Coat memory, attached; `root` is the database."""

    format = "base-coat"
    title = "Base Coat"
    looked_for = "an SQLite database with a table “memories” (category, subject, content, access_count)"
    inside = ("memory.db", ".basecoat/memory.db", ".memory/memory.db", "memories.db")
    known_places = ("./.basecoat/memory.db", "~/.basecoat/memory.db", "./memory.db")
    counts_uses = True
    categories = CATEGORIES
    plain_category = "fact"
    lifecycle = "base-coat"
    expiry: ClassVar[Mapping[str, Any]] = {"here": False}
    relation_kinds = KINDS
    dismissal: ClassVar[Mapping[str, Any]] = {"status": "dismissed", "confidence": 0.0}
    supersession: ClassVar[Mapping[str, Any]] = {"status": "dismissed", "confidence": 0.0}
    meanings = MEANINGS
    writes_to = ("memories", RELATIONS)
    table = "memories"
    rows = ROWS
    marks = MARKS
    known = KNOWN
    aside = ASIDE
    beside_tables = (RELATIONS,)
    newest = 2  # with tiers
    time_columns = ("created_at", "updated_at", "last_accessed", "expires_at")
    count_columns = ("access_count", "promotion_count")
    vector_column = "embedding"

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        columns = set((tables_of(path) or {}).get("memories", ()))
        return path if columns >= MARKS and not columns >= FOUNDER_OS else None

    @classmethod
    def create(cls, path: Path) -> Path:
        make(path, SCHEMA)
        return path

    # -- what this file has

    @cached_property
    def fields(self) -> frozenset[str]:  # type: ignore[override]
        """Older files lack some columns; what they lack is kept in memtui."""
        return frozenset(name for name, column in SET.items() if self._has(column))

    @cached_property
    def restorable_fields(self) -> frozenset[str]:  # type: ignore[override]
        """What an add can set beside these in this file."""
        return frozenset(name for name, column in REMADE.items() if self._has(column))

    def _has(self, column: str) -> bool:
        return self._shape is None or column in self._shape[0]

    @cached_property
    def _shape(self) -> tuple[frozenset[str], bool] | None:
        """The columns of this file, and whether it has relations; None where that cannot be told now:
        then a change that it has no column for is refused when it is planned."""
        try:
            with opened(self.root) as connection:
                connection.set_busy_timeout(0)  # a question in passing waits for nobody
                columns = frozenset(columns_of(connection, "memories"))
                return (columns, relations.there(connection)) if columns >= MARKS else None
        except (Refused, OSError):
            return None

    # -- read

    def record(
        self, rowid: int | None, values: list[Any], others: list[str], doubled: frozenset[str], out: Reading
    ) -> Record:
        return record_of(rowid, values, others, doubled, out)

    def beside(self, connection: apsw.Connection) -> Reading:
        return relations.read(connection)

    def look_around(self, connection: apsw.Connection, out: Reading) -> None:
        relations.look_around(connection, self.root.name, out)

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        for record in reading.records:
            if not record.fields.get("subject"):
                yield found("no-subject", record.place)

    # -- write

    def row_edits(self, connection: apsw.Connection, record: Record | None, write: Write) -> list[RowEdit]:
        columns = self.columns(connection)
        if record is None:
            return [new_row(connection, columns, write)]
        if write.action in ("delete", "expire"):
            return deleted(connection, record)
        if write.action in ("relate", "unrelate", "retie"):
            if write.link is None:
                raise NotSaved("gone", "no relation was named.", "Nothing was changed.")
            if write.action == "unrelate":
                return relations.unrelated(connection, write.link)
            if write.was is not None:
                return relations.retied(connection, write.was, write.link)
            return [relations.related(connection, write.link)]
        fields = {name: value for name, value in write.fields.items() if name in SET}
        if write.action == "restore":
            fields["confidence"] = fields.get("confidence") or START
        elif write.action in ("dismiss", "supersede"):
            fields["confidence"] = self.dismissal["confidence"]
        for name in fields:
            if SET[name] not in columns:
                raise NotSaved("no-field", f"this {self.root.name} is older and has no {name}.")
        edits = edits_of(connection, columns, record, fields, write)
        return edits + superseded(connection, record, write) if write.action == "supersede" else edits

    def settle(
        self, connection: apsw.Connection, write: Write, edits: list[RowEdit], given: set[Any]
    ) -> list[RowEdit]:
        out = []
        for edit in edits:
            name = (edit.table, *edit.row.values())
            if edit.made is not None and name in given:
                if edit.table == RELATIONS:
                    raise NotSaved("exists", "another change at once relates these two already.")
                edit = renamed(edit)
            elif edit.lost is not None and name in given:
                continue  # the other end of the relation goes, too
            given.add((edit.table, *edit.row.values()) if edit.made or edit.lost else None)
            out.append(edit)
        return out

    def fit(self, fields: Mapping[str, Any]) -> Fitted:
        out = super().fit(fields)
        subject = subject_of(fields)
        out.fields["subject"] = subject
        if subject != fields.get("subject"):
            out.changed["subject"] = (fields.get("subject"), subject)
        if out.fields.get("tier") not in TIERS:
            out.fields.pop("tier", None)
        if fields.get("status") == "dismissed":  # agents must not see it here either
            out.fields["confidence"] = 0.0
            out.changed["confidence"] = (fields.get("confidence"), 0.0)
        return out

    def counted(
        self, connection: apsw.Connection, refs: Sequence[str], columns: list[str], now: float
    ) -> None:
        count_uses(connection, refs, columns, now)

    # -- in words

    def supports(self, action: str, name: str = "") -> Support:
        file = self.root.name
        native = {
            "add": f"adds a row to {file}",
            "delete": f"deletes its row and its relations in {file}",
            "expire": f"deletes its row and its relations in {file}",
            "dismiss": f"sets its confidence to 0 in {file}, so that agents pass over it",
            "restore": f"raises its confidence above 0 again in {file}, so that agents are given it",
            "confirm": f"raises its confidence in {file}",
            "supersede": f"sets its confidence to 0 in {file}{self._and_says_so()}",
            "pin": f"sets pinned in {file}, so that it neither decays nor is demoted",
            "unpin": f"takes pinned off in {file}",
        }
        if action in ("relate", "unrelate", "retie"):
            return self._supports_relation(action, name)
        if action in ("pin", "unpin") and "pinned" not in self.fields:
            return Support(How.WORKSPACE, f"is kept in memtui: this {file} is older and has no pin")
        if action == "supersede" and name == REPEATS:  # it contradicts nothing
            action = "dismiss"
        if action in native:
            return Support(How.NATIVE, native[action])
        if action == "edit" and name in ("", "content"):
            return Support(How.NATIVE, f"changes the text in {file} and clears its embedding there")
        words = "expiry" if name == "expires_at" else name.replace("_", " ")
        if action == "edit" and name in self.fields:
            return Support(How.NATIVE, f"changes its {words} in {file}")
        if name in SET:
            return Support(How.WORKSPACE, f"is kept in memtui: this {file} is older and has no {words}")
        return Support(How.WORKSPACE, f"is kept in memtui: Base Coat has no {words or action}")

    def _supports_relation(self, action: str, kind: str) -> Support:
        file = self.root.name
        if self._shape is not None and not self._shape[1]:
            return Support(How.WORKSPACE, f"is kept in memtui: this {file} has no table of relations")
        if action == "unrelate":
            return Support(How.NATIVE, f"takes the relation out of {file}")
        if kind and kind not in KINDS:
            return Support(How.WORKSPACE, f"is kept in memtui: Base Coat knows only {', '.join(KINDS)}")
        verb = "adds the relation to" if action == "relate" else "changes the relation in"
        return Support(How.NATIVE, f"{verb} {file}")

    def _and_says_so(self) -> str:
        here = self._shape is None or self._shape[1]
        return " and says there that the other memory contradicts it" if here else ""
