"""mem-skill's `mem.db` (FORMATS 3): one row of `facts` is one memory, and so is one that only stands in
its archive.

Each destructive change leaves a line in `fact_history`, as the format asks; where that table lets no
line be taken out again, undo adds one that tells of it. The vectors live elsewhere and are left alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw

from memtui.errors import NotSaved, Refused
from memtui.formats.checkup import found
from memtui.formats.contract.adapter import (
    Fitted,
    How,
    Planned,
    Reading,
    Receipt,
    Record,
    SideRecord,
    Support,
    Write,
)
from memtui.formats.media.sqlite.block_scan import BESIDE, unit_of
from memtui.formats.media.sqlite.connection import (
    has_rowids,
    make,
    opened,
    quoted,
    row_of,
    rows_of,
    snapshot,
    tables_of,
)
from memtui.formats.media.sqlite.row_reader import asked_for
from memtui.formats.media.sqlite.store import SEQUENCE, RowEdit, SqliteStore
from memtui.formats.mem_skill import audit, fts_check, side_records
from memtui.formats.mem_skill.reader import record_of, said
from memtui.formats.mem_skill.schema import (
    ARCHIVES,
    CALLED,
    CATEGORIES,
    FACTS,
    HISTORY,
    MARKS,
    MEANINGS,
    ROWS,
    SCHEMA,
    SET,
    STATUSES,
    TIMES,
)
from memtui.formats.mem_skill.schema_detection import Shape, shape_of
from memtui.formats.mem_skill.writer import changed, deleted, new_row, settled, slug
from memtui.memory.memory import LIVE
from memtui.memory.stores import Finding

_CLASHES = 200  # pairs of values that are told of


class MemSkill(SqliteStore):
    """A mem-skill memory, attached; `root` is the database."""

    format = "mem-skill"
    title = "mem-skill"
    looked_for = "an SQLite database with a table “facts” (fact_id, user_id, key, value_text, status)"
    inside = ("mem.db", ".mem/mem.db")
    known_places = ("./mem.db", "~/.mem/mem.db", "~/mem.db")
    fields = frozenset(SET)
    restorable_fields = frozenset(
        {"ref", "owner", "event_time", "source_ref", "source_excerpt", "created_at", "extra"}
    )
    categories = CATEGORIES
    plain_category = "other"
    dismissal = {"status": "expired"}
    expiry = {"status": "expired"}
    supersession = {"status": "superseded"}
    lifecycle = "mem-skill"
    statuses = ("pending", "confirmed")
    meanings = MEANINGS
    grave = frozenset({"search-behind"})
    writes_to = (FACTS, HISTORY)
    table = FACTS
    beside_tables = (HISTORY, *ARCHIVES)
    id_column = "fact_id"
    content_column = "value_text"
    time_columns = TIMES
    json_columns = ("value_json",)
    clock = staticmethod(time.time)  # when a change is taken back, for the line that tells of it

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        tables = tables_of(path)
        return path if tables and set(tables.get(FACTS, ())) >= MARKS else None

    @classmethod
    def create(cls, path: Path) -> Path:
        make(path, SCHEMA)
        return path

    # -- read

    def columns_read(self, connection: apsw.Connection) -> list[str]:
        return list(self._shape(connection).columns)

    def read(self) -> Reading:
        with snapshot(self.root) as connection:
            out = self.records(connection)
            out.take(self.beside(connection))
            fts_check.look_within(connection, self._shape(connection), out, self.root.name)
            return out

    def records(
        self,
        connection: apsw.Connection,
        refs: Sequence[str] | None = None,
        span: tuple[int, int] | None = None,
    ) -> Reading:
        out = Reading()
        shape = self._shape(connection)
        numbered = has_rowids(connection, FACTS)
        wanted = [f"m.{quoted(name)}" for name in shape.columns]
        rows, broken = ROWS.read(connection, wanted, refs, span)
        doubled = ROWS.doubled(connection)
        for number, (rowid, *values) in enumerate(rows):
            row = dict(zip(shape.columns, values, strict=True))
            record = record_of(rowid, row, doubled, unit_of(rowid) if numbered else "", out)
            if number in broken:
                out.odd("bad-utf8", record.place, "Some of its text is no UTF-8; it is left as it is.")
            out.records.append(record)
        if refs is None and span is None:
            self.look_around(connection, out)
        elif refs is not None:
            asked_for(out, refs)
            missing = set(refs) - {record.ref for record in out.records}
            out.records += side_records.archived(connection, shape, missing).records
        return out

    def _shape(self, connection: apsw.Connection) -> Shape:
        version = connection.pragma("schema_version")
        known, shape = self._seen
        if shape is None or known != version:
            shape = shape_of(connection, self.root.name)
            self._seen = (version, shape)
        return shape

    _seen: tuple[int, Shape | None] = (-1, None)

    def stand_alone(self, connection: apsw.Connection) -> bool:
        # Whether an archived fact is a memory of its own hangs on the facts that are there.
        return ROWS.differ(connection) and not any(
            connection.execute(f"SELECT 1 FROM {quoted(table)} LIMIT 1").fetchone()
            for table in self._shape(connection).archives
        )

    def beside(self, connection: apsw.Connection) -> Reading:
        out = side_records.archived(connection, self._shape(connection))
        out.asides = self._asides(connection)
        return out

    def _asides(self, connection: apsw.Connection) -> list[SideRecord]:
        shape = self._shape(connection)
        return side_records.copies(connection, shape) + side_records.history(connection, shape)

    def _receipt(self, connection: apsw.Connection, plans: Sequence[Planned]) -> Receipt:
        # Triggers may have written beside the facts, too; the archive's own memories stay as they are.
        receipt = super()._receipt(connection, [replace(plan, edits=()) for plan in plans])
        receipt.asides = self._asides(connection)
        return receipt

    def look_around(self, connection: apsw.Connection, out: Reading) -> None:
        """What the doctor should know of the store as a whole."""
        name, shape = self.root.name, self._shape(connection)
        clashes, _ = rows_of(
            connection,
            ["user_id", quoted("key")],
            f"FROM {FACTS} WHERE status = 'active' AND key <> '' GROUP BY 1, 2"
            f" HAVING count(DISTINCT trim(value_text)) > 1 LIMIT {_CLASHES}",
        )
        for user, key in clashes:
            words = f"Active facts of {said(user) or 'nobody'} give “{said(key)}” several values."
            out.odd("two-values", f"fact {said(key)}", words)
        fts_check.look(connection, shape, out, name)
        if not shape.history:
            out.odd("no-history", name, f"The table “{HISTORY}” is missing.")
        elif any(column.name == "fact_id" for column in shape.history):
            tables = " UNION ALL ".join(
                f"SELECT fact_id FROM {quoted(table)}" for table in (FACTS, *shape.archives)
            )
            sql = (
                f"SELECT count(DISTINCT fact_id) FROM {HISTORY} WHERE fact_id IS NOT NULL"
                f" AND fact_id NOT IN (SELECT fact_id FROM ({tables}) WHERE fact_id IS NOT NULL)"
            )
            if count := connection.execute(sql).get:
                out.odd("dangling-history", name, f"Facts of which only {HISTORY} still speaks: {count}.")

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        alike: dict[tuple[Any, ...], list[str]] = {}
        for record in reading.records:
            if record.unit == BESIDE:
                continue  # the archive is history
            status = record.fields["status"]
            if not record.fields["owner"]:
                yield found("no-owner", record.place)
            if status in LIVE and record.fields["key"]:
                says = record.fields["owner"], record.fields["key"], record.fields["content"].strip()
                alike.setdefault(says, []).append(record.place)
            if status in ("superseded", "expired") and record.fields["valid_to"] is None:
                yield found("no-end", record.place, status=status)
        for (_, key, _), places in alike.items():
            if len(places) > 1:
                yield found("double-fact", places[1], name=key, count=len(places))

    # -- write

    def trusts(self, connection: apsw.Connection, trigger: str, table: str) -> bool:
        return self._shape(connection).trusts(trigger)

    def row_edits(self, connection: apsw.Connection, record: Record | None, write: Write) -> list[RowEdit]:
        shape = self._shape(connection)
        if record is None:
            return [new_row(connection, shape, write)]
        if record.unit == BESIDE:
            raise NotSaved(
                "archived",
                "the fact stands in the archive, which is history.",
                "Nothing was changed. Add it anew to have it back among the facts.",
            )
        if write.action == "delete":
            return deleted(connection, shape, record, write)
        return changed(connection, shape, record, write)

    def settle(
        self, connection: apsw.Connection, write: Write, edits: list[RowEdit], given: set[Any]
    ) -> list[RowEdit]:
        if write.action == "add":
            return [settled(connection, write, edit, given) for edit in edits]
        return audit.renumbered(edits, given)

    def ref_made(self, edits: Sequence[RowEdit]) -> str | None:
        return next((str(e.row["fact_id"]) for e in edits if e.table == FACTS and e.made is not None), None)

    def fit(self, fields: Mapping[str, Any]) -> Fitted:
        out = super().fit(fields)
        out.fields.pop("extra", None)  # another store's own columns
        status = fields.get("status")
        fitting = STATUSES[CALLED.get(str(status), "active")]
        if status is not None and status != fitting:
            out.fields["status"] = fitting
            out.changed["status"] = (status, fitting)
        if fields.get("expires_at") is not None and fields.get("valid_to") is None:
            out.fields["valid_to"] = fields["expires_at"]
            out.changed["valid_to"] = (None, fields["expires_at"])
        if not fields.get("key"):
            made = (slug(str(fields.get(name) or "")) for name in ("subject", "title", "content"))
            if key := next((each for each in made if each), ""):
                out.fields["key"] = key
                out.changed["key"] = (None, key)
        return out

    def afterword(self, write: Write) -> str:
        return self._behind() if "content" in write.fields and write.action == "edit" else ""

    # -- taking back

    def reverse(self, plans: Sequence[Planned]) -> list[Planned | Refused]:
        if self.locked():
            return super().reverse(plans)
        now = self.clock()
        with snapshot(self.root) as connection:
            shape = self._shape(connection)
            slim = _movable(connection, shape, plans)
        out = super().reverse(slim)
        if not shape.history_stays:
            return out
        given: set[Any] = set()
        with snapshot(self.root) as connection:
            for at, (plan, back) in enumerate(zip(plans, out, strict=True)):
                lines = [edit.made for edit in plan.edits if edit.table == HISTORY and edit.made is not None]
                if not isinstance(back, Planned):
                    continue
                for line in lines:
                    with suppress(Refused):  # a table that knows no undo must not stop one
                        told = audit.taken_back(connection, shape, line, now)
                        back = replace(back, edits=(*back.edits, *audit.renumbered(told, given)))
                out[at] = back
        return out

    # -- in words

    def supports(self, action: str, name: str = "") -> Support:
        file = self.root.name
        if action == "add":
            return Support(How.NATIVE, f"adds a fact to {file}")
        if action == "dismiss":
            return Support(How.NATIVE, f"sets it to expired, valid until now, in {file}{self._noted()}")
        if action == "expire":
            return Support(How.NATIVE, f"sets it to expired in {file}{self._noted()}")
        if action == "supersede":
            return Support(How.NATIVE, f"sets it to superseded, valid until now, in {file}{self._noted()}")
        if action == "restore":
            words = f"sets it to active again in {file}, without an end that has passed{self._noted()}"
            return Support(How.NATIVE, words)
        if action == "confirm":
            return Support(How.NATIVE, f"sets it to active with more confidence in {file}{self._noted()}")
        if action == "delete":
            return Support(How.NATIVE, f"takes its row out of {file}; {HISTORY} keeps what it said before")
        if action == "edit" and name in ("", "content"):
            words = f"changes the text in {file}{self._noted()}; {self._behind()} until they are synced"
            return Support(How.NATIVE, words)
        if action == "edit" and name in SET:
            return Support(How.NATIVE, f"changes its {name.replace('_', ' ')} in {file}{self._noted()}")
        field = {"unpin": "pin", "relate": "relations", "unrelate": "relations"}.get(action, name or action)
        return Support(How.WORKSPACE, f"is kept in memtui: mem-skill has no {field.replace('_', ' ')}")

    def _noted(self) -> str:
        """What becomes of the audit, in words."""
        shape = self._known_shape()
        if shape is None or not shape.history:
            return ""
        if any(each.event == "UPDATE" for each in shape.writers):
            return f"; its own trigger notes that in {HISTORY}, where it stays on undo"
        return f", with a line in {HISTORY}" + (" that stays on undo" if shape.history_stays else "")

    def _behind(self) -> str:
        """What holds the old text after an edit, in words."""
        shape = self._known_shape()
        late = shape is not None and any(not mirror.followed for mirror in shape.mirrors)
        if late:
            return "the store's own search and the agent's vectors hold the old text"
        return "the agent's vectors hold the old text"

    def _known_shape(self) -> Shape | None:
        """What the database is made of, read anew where it may have changed; None if it cannot be read."""
        stamp = self.stamp()
        if not stamp or stamp != self._told[0]:
            try:
                with opened(self.root) as connection:
                    self._told = (stamp, self._shape(connection))
            except (Refused, OSError):
                self._told = (stamp, None)
        return self._told[1]

    _told: tuple[str, Shape | None] = ("", None)


def _movable(connection: apsw.Connection, shape: Shape, plans: Sequence[Planned]) -> list[Planned]:
    """The plans without what an undo leaves of the audit: lines that may not go, or that another hand
    took away or changed, and a count that others went on from."""
    out = []
    there = row_of(connection, SEQUENCE, {"name": HISTORY}, ["seq"]) if shape.counted else None
    count = None if there is None else there["seq"]

    def stays(edit: RowEdit) -> bool:
        nonlocal count
        if edit.table == SEQUENCE:
            if edit.made is not None:
                return shape.history_stays or count != edit.made["seq"]
            if edit.lost is not None or "seq" not in edit.stamps:
                return count is not None
            before, after = edit.stamps["seq"]
            count = before if count == after else count
            return shape.history_stays or count is None
        if edit.table != HISTORY or edit.made is None:
            return False
        line = row_of(connection, HISTORY, edit.row)
        gone = line is None or any(line.get(n, v) != v for n, v in edit.made.items())
        return shape.history_stays or gone

    for plan in plans:
        left = [edit for edit in reversed(plan.edits) if not stays(edit)]
        out.append(replace(plan, edits=tuple(reversed(left))))
    return out
