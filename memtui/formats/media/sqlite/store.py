"""Stores that are SQLite databases of someone else (S-4, S-6, S-7; LIMITS 1).

A format says how rows read (`records`) and which columns one change sets (`row_edits`).
Everything else is here, once: careful opening, checking only the touched columns, one
BEGIN IMMEDIATE transaction, judging a cut-off write, taking one back.
"""

from __future__ import annotations

import base64
import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import apsw

from memtui.errors import Conflict, NotSaved, Refused
from memtui.formats.contract.adapter import (
    Adapter,
    Planned,
    PriorWrites,
    Reading,
    Receipt,
    Record,
    Standing,
    Write,
    unlike,
)
from memtui.formats.contract.incremental import Look, WholeLook, mark_of, stamp_of
from memtui.formats.media.sqlite import table_checks
from memtui.formats.media.sqlite.block_scan import BlockLook
from memtui.formats.media.sqlite.connection import (
    changing,
    has_rowids,
    opened,
    quoted,
    row_of,
    snapshot,
    writable,
)
from memtui.memory.stores import Finding

SEQUENCE = "sqlite_sequence"  # where SQLite keeps the last number of an AUTOINCREMENT


@dataclass(frozen=True, slots=True)
class RowEdit:
    """One row's change; columns map to (before, after).

    `guards` are compared before they are set: a difference is a conflict. `stamps` are set
    without comparing (an agent's own clock or use counts never block a change) and put back
    on undo only if they still stand as left. `derived` columns follow the guards and are
    always put back. Insert and delete hold the whole row: `made` or `lost` is column → value;
    `stamps` and `derived` then name the columns in which it may have changed since.
    """

    table: str
    row: Mapping[str, Any]  # the columns that name the row
    guards: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    stamps: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    derived: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    made: Mapping[str, Any] | None = None
    lost: Mapping[str, Any] | None = None


class SqliteStore(Adapter):
    """An adapter over one database file. A format adds records, row_edits, recognise, supports."""

    writes_to: ClassVar[tuple[str, ...]] = ()  # tables that changes touch
    known_triggers: ClassVar[frozenset[str]] = frozenset()
    table: ClassVar[str]  # whose rows are the memories
    beside_tables: ClassVar[tuple[str, ...]] = ()  # whose rows stand beside them
    newest: ClassVar[int] = 1  # the latest version of its schema that is known
    # What the doctor looks through: columns of `table` by what they hold.
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
        """What the rows say; with `refs` only these records, with `span` those of these rowids."""

    def stand_alone(self, connection: apsw.Connection) -> bool:
        """Whether what a row is called never hangs on the other rows."""
        return True

    def look_around(self, connection: apsw.Connection, out: Reading) -> None:
        """Note what is odd beside the memories themselves."""

    def beside(self, connection: apsw.Connection) -> Reading:
        """The links and asides that `beside_tables` tell, all of them; their unit is BESIDE."""
        return Reading()

    def trusts(self, connection: apsw.Connection, trigger: str, table: str) -> bool:
        """Whether a trigger on a table that changes touch is the format's own."""
        return trigger in self.known_triggers

    @abstractmethod
    def columns_read(self, connection: apsw.Connection) -> list[str]:
        """The columns of `table` that records are made of."""

    @abstractmethod
    def row_edits(self, connection: apsw.Connection, record: Record | None, write: Write) -> list[RowEdit]:
        """Which rows one change sets, worked out on what stands there. Raises Refused."""

    @abstractmethod
    def ref_made(self, edits: Sequence[RowEdit]) -> str | None:
        """The ref of the record that an add makes."""

    def settle(
        self, connection: apsw.Connection, write: Write, edits: list[RowEdit], given: set[Any]
    ) -> list[RowEdit]:
        """The edits in the light of those before them in the batch: `given` are the unique names
        that those gave; the format looks there and adds its own."""
        return edits

    def read(self) -> Reading:
        with snapshot(self.root) as connection:
            out = self.records(connection)
            out.take(self.beside(connection))
            return out

    def stamp(self) -> str:
        marks = []
        root = self.root.resolve()  # a log lies beside what a link leads to
        for name in (str(root), f"{root}-wal", f"{root}-journal"):
            with suppress(FileNotFoundError):
                marks.append((name, mark_of(os.stat(name))))
        return stamp_of(marks)

    @contextmanager
    def look(self) -> Iterator[Look]:
        with opened(self.root) as connection, ExitStack() as moment:
            moment.enter_context(connection)
            # Without a log beside it a reader keeps writers out: it has to be done at once.
            brief = connection.pragma("journal_mode") != "wal"
            if has_rowids(connection, self.table):
                yield BlockLook(self, connection, moment.close if brief else None)
            else:
                whole = self.records(connection)
                whole.take(self.beside(connection))
                look = WholeLook(whole)
                moment.close()
                yield look

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
            yield from self.look_closely(connection)

    def look_closely(self, connection: apsw.Connection) -> Iterator[Finding]:
        """What else the doctor looks for in the tables of this format."""
        yield from ()

    def newer(self) -> str:
        with opened(self.root) as connection:
            return self._newer(connection)

    def _newer(self, connection: apsw.Connection) -> str:
        version = table_checks.version(connection)
        if version <= self.newest:
            return ""
        return f"{self.root.name} has schema version {version}; this memtui supports up to {self.newest}."

    def locked(self) -> str:
        return self._lock()[1]

    def lock_code(self) -> str:
        return self._lock()[0] or "read-only"

    def _lock(self) -> tuple[str, str]:
        """Why it cannot be written, as a code and in words."""
        if not self.root.exists():
            return "read-only", f"{self.root.name} is no longer there."
        if not writable(self.root):
            return "read-only", f"{self.root.name} may not be written by this user."
        if self.root.stat().st_nlink > 1:
            return "read-only", f"{self.root.name} has a second name (a hard link); writing could damage it."
        with opened(self.root) as connection:
            if newer := self._newer(connection):
                return "newer-schema", newer
            found = connection.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'")
            ours = {table.casefold() for table in self.writes_to}
            for name, table in [(str(name), str(table)) for name, table in found]:
                if table.casefold() in ours and not self.trusts(connection, name, table):
                    why = f"The trigger “{name}” on {table} is unknown; a change could set it off."
                    return "trigger", why
        return "", ""

    # -- planning

    def plan(self, writes: Sequence[Write]) -> list[Planned | Refused]:
        reason = self.locked()
        if reason:
            return [Refused("read-only", reason, "Nothing was changed.") for _ in writes]
        out: list[Planned | Refused] = []
        given: set[Any] = set()
        said: dict[str, dict[str, Any]] = {}  # what the writes before this one make of a record
        left: dict[tuple[Any, ...], dict[str, Any]] = {}  # and of a row
        with snapshot(self.root) as connection:
            found = self.records(connection, [write.ref for write in writes if write.ref])
            by_ref = {record.ref: record for record in found.records}
            for write in writes:
                try:
                    self.check(write)
                    record = _met(write, by_ref) if write.action != "add" else None
                    if record is not None:
                        record = replace(record, fields={**record.fields, **said.get(record.ref, {})})
                    edits = [_with_place(connection, e) for e in self.row_edits(connection, record, write)]
                    edits = _atop(self.settle(connection, write, edits, given), left)
                except Refused as refusal:
                    out.append(refusal)
                    continue
                if record is None:
                    out.append(Planned(None, self.ref_made(edits), tuple(edits)))
                else:
                    said.setdefault(record.ref, {}).update(write.fields)
                    out.append(Planned(record.ref, record.ref, tuple(edits), self.afterword(write)))
        return out

    def reverse(self, plans: Sequence[Planned]) -> list[Planned | Refused]:
        reason = self.locked()
        if reason:
            return [Refused("read-only", reason, "Nothing was changed.") for _ in plans]
        out: list[Planned | Refused] = []
        pending: dict[tuple[Any, ...], dict[str, Any] | None] = {}
        with snapshot(self.root) as connection:
            for plan in plans:
                staged = dict(pending)
                try:
                    edits = tuple(self._back(connection, edit, staged) for edit in reversed(plan.edits))
                except Refused as refusal:
                    out.append(refusal)
                    continue
                pending = staged
                edits += tuple(_places_back(connection, edits, plan.since))
                out.append(Planned(plan.ref_after, plan.ref, edits))
        return out

    def without(self, plan: Planned, since: tuple[PriorWrites, ...]) -> Planned:
        before: dict[tuple[Any, ...], Any] = {}
        mine = next((at for at, past in enumerate(since) if past.mine), len(since))
        for older in since[mine + 1 :]:
            for edit in older.plan.edits if older.undone else ():
                if edit.made is not None or edit.lost is not None:
                    continue  # the row came or went: it had no earlier values
                for name, (old, new) in edit.stamps.items():
                    before.setdefault((*_key(edit), name, new), old)

        def first(edit: RowEdit, name: str, old: Any) -> Any:
            left = len(before)
            while left and (*_key(edit), name, old) in before:
                old, left = before[*_key(edit), name, old], left - 1
            return old

        def as_before(edit: RowEdit) -> RowEdit:
            if edit.made is not None or edit.lost is not None:
                return edit
            stamps = {name: (first(edit, name, old), new) for name, (old, new) in edit.stamps.items()}
            return replace(edit, stamps=stamps)

        return replace(plan, edits=tuple(map(as_before, _as_made(plan, since))), since=since)

    def _back(
        self,
        connection: apsw.Connection,
        edit: RowEdit,
        pending: dict[tuple[Any, ...], dict[str, Any] | None],
    ) -> RowEdit:
        key, overlay = _key(edit), pending.get(_key(edit), {})
        names = None if edit.made is not None else list(_all(edit))
        there = row_of(connection, edit.table, edit.row, names)
        row = None
        if overlay is not None and (overlay or there is not None):
            row = {**(there or {}), **overlay}
        if edit.made is not None:
            if row is None or not _stands(row, edit, edit.made):
                raise _since(edit)
            pending[key] = None
            return _with_place(connection, replace(edit, made=None, lost=row))
        if edit.lost is not None:
            if row is not None:
                raise _since(edit)
            pending[key] = dict(edit.lost)
            return replace(edit, made=edit.lost, lost=None)
        if row is None or any(not _same(row.get(name), after) for name, (_, after) in edit.guards.items()):
            raise _since(edit)
        back = replace(
            edit,
            guards={name: (after, before) for name, (before, after) in edit.guards.items()},
            stamps={
                name: (after, before)
                for name, (before, after) in edit.stamps.items()
                if _same(row.get(name), after) and (name != "rowid" or _is_free(connection, edit, before))
            },
            derived={name: (row.get(name), before) for name, (before, _) in edit.derived.items()},
        )
        pending[key] = {**(overlay or {}), **{name: after for name, (_, after) in _all(back).items()}}
        return back

    # -- carrying out

    def carry_out(self, plans: Sequence[Planned], token: str) -> Receipt:
        reason = self.locked()
        if reason:
            raise Refused("read-only", reason, "Nothing was changed.")
        file = _identity(self.root)
        with changing(self.root) as connection:
            before = self.records(connection, [plan.ref for plan in plans if plan.ref is not None]).records
            for plan in plans:
                for edit in plan.edits:
                    _carry(connection, edit)
            receipt = self._receipt(connection, plans)
            receipt.before = before
            if _identity(self.root) != file:
                raise NotSaved("swapped", f"{self.root.name} was replaced.", "Try again.")
        return receipt

    def standing(self, plans: Sequence[Planned], token: str) -> Standing:
        rows: dict[tuple[Any, ...], list[RowEdit]] = {}
        for plan in plans:
            for edit in plan.edits:
                rows.setdefault(_key(edit), []).append(edit)
        with snapshot(self.root) as connection:
            stood = [_stood(connection, edits) for edits in rows.values()]
        if all(will for _, will in stood):
            return Standing.AFTER
        if all(was for was, _ in stood):
            return Standing.BEFORE
        # Others changed rows since: one that tells is enough, since all were written or none.
        if any(will and not was for was, will in stood):
            return Standing.AFTER
        return Standing.BEFORE if any(was and not will for was, will in stood) else Standing.OTHER

    def finish(self, plans: Sequence[Planned], token: str) -> Receipt:
        with snapshot(self.root) as connection:
            return self._receipt(connection, plans)

    def _receipt(self, connection: apsw.Connection, plans: Sequence[Planned]) -> Receipt:
        refs = [plan.ref_after for plan in plans if plan.ref_after is not None]
        gone = [plan.ref for plan in plans if plan.ref is not None and plan.ref_after is None]
        receipt = Receipt(records=self.records(connection, refs).records, gone=gone)
        if any(edit.table in self.beside_tables for plan in plans for edit in plan.edits):
            around = self.beside(connection)
            receipt.links, receipt.asides = around.links, around.asides
        return receipt

    def written(self, plans: Sequence[Planned]) -> str:
        return self.root.name

    # -- keeping plans

    def dump(self, planned: Planned) -> dict[str, Any]:
        return {
            "ref": planned.ref,
            "ref_after": planned.ref_after,
            "edits": [
                {
                    "table": e.table,
                    "row": _packed(e.row),
                    "guards": {k: [_pack(a), _pack(b)] for k, (a, b) in e.guards.items()},
                    "stamps": {k: [_pack(a), _pack(b)] for k, (a, b) in e.stamps.items()},
                    "derived": {k: [_pack(a), _pack(b)] for k, (a, b) in e.derived.items()},
                    "made": None if e.made is None else _packed(e.made),
                    "lost": None if e.lost is None else _packed(e.lost),
                }
                for e in planned.edits
            ],
        }

    def load_plan(self, data: Mapping[str, Any]) -> Planned:
        edits = tuple(
            RowEdit(
                e["table"],
                _unpacked(e["row"]),
                {k: (_unpack(a), _unpack(b)) for k, (a, b) in e["guards"].items()},
                {k: (_unpack(a), _unpack(b)) for k, (a, b) in e["stamps"].items()},
                {k: (_unpack(a), _unpack(b)) for k, (a, b) in e["derived"].items()},
                None if e["made"] is None else _unpacked(e["made"]),
                None if e["lost"] is None else _unpacked(e["lost"]),
            )
            for e in data["edits"]
        )
        return Planned(data["ref"], data["ref_after"], edits)


def _met(write: Write, by_ref: Mapping[str, Record]) -> Record:
    """The record that a write means, if it is still what was seen."""
    record = by_ref.get(write.ref)
    if record is None:
        raise Conflict("the memory is no longer in the store.", dict(write.fields), {})
    theirs = unlike(record, write.seen)
    if theirs:
        raise Conflict(
            "the memory changed in the store since it was read.",
            {k: write.fields.get(k) for k in theirs},
            theirs,
        )
    return record


def _atop(edits: Sequence[RowEdit], left: dict[tuple[Any, ...], dict[str, Any]]) -> list[RowEdit]:
    """The edits, with what earlier ones leave in the same rows as what stands before them."""
    out: list[RowEdit] = []
    for edit in edits:
        row = left.setdefault(_key(edit), {})
        guards, stamps, derived = (
            {name: (row.get(name, before), after) for name, (before, after) in part.items()}
            for part in (edit.guards, edit.stamps, edit.derived)
        )
        edit = replace(edit, guards=guards, stamps=stamps, derived=derived)
        row |= {name: after for name, (_, after) in _all(edit).items()}
        out.append(edit)
    return out


def _as_made(plan: Planned, since: Sequence[PriorWrites]) -> list[RowEdit]:
    """The edits of a plan with what a redo had to leave out, where others had gone on from it at that time:
    as the change itself made it, for it may stand so again by now."""
    edits = list(plan.edits)
    for past in since:
        own = past.mine or past.redone
        if not own or (past.plan.ref, past.plan.ref_after) != (plan.ref, plan.ref_after):
            continue
        for order, first in enumerate(past.plan.edits):
            at = next((at for at, edit in enumerate(edits) if _key(edit) == _key(first)), None)
            if at is None and first.table == SEQUENCE:
                edits.insert(order, first)
            elif at is not None and first.made is None and first.lost is None:
                edits[at] = replace(edits[at], stamps={**first.stamps, **edits[at].stamps})
    return edits


def _with_place(connection: apsw.Connection, edit: RowEdit) -> RowEdit:
    """A row that is taken out comes back with the number that it had among the others."""
    if edit.lost is None or "rowid" in edit.lost or not has_rowids(connection, edit.table):
        return edit
    place = row_of(connection, edit.table, edit.row, ["rowid"])
    return edit if place is None else replace(edit, lost={**edit.lost, **place})


def _places_back(
    connection: apsw.Connection, edits: Sequence[RowEdit], since: Sequence[PriorWrites]
) -> Iterator[RowEdit]:
    """Give rows their own numbers again that had to come back under others, since a row stood there that
    goes with these edits, or has gone."""
    gone = {_key(edit) for edit in edits if edit.lost is not None}
    own: dict[tuple[Any, ...], RowEdit] = {}
    for past in since:
        for edit in past.plan.edits if past.undone else ():
            if edit.lost is not None and "rowid" in edit.lost:
                own[_key(edit)] = edit  # the oldest knows the first place
    leaving = {(edit.table, edit.lost.get("rowid")) for edit in edits if edit.lost is not None}
    for key, edit in own.items():
        assert edit.lost is not None
        place = row_of(connection, edit.table, edit.row, ["rowid"]) if key not in gone else None
        wanted = edit.lost["rowid"]
        if place is None or place["rowid"] == wanted:
            continue
        if (edit.table, wanted) in leaving or _is_free(connection, edit, wanted):
            yield RowEdit(edit.table, edit.row, stamps={"rowid": (place["rowid"], wanted)})


def _is_free(connection: apsw.Connection, edit: RowEdit, rowid: int) -> bool:
    return row_of(connection, edit.table, {"rowid": rowid}, ()) is None


def _key(edit: RowEdit) -> tuple[Any, ...]:
    return (edit.table, *sorted(edit.row.items()))


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except FileNotFoundError as trouble:
        raise Refused("missing", f"{path} is no longer there.", "Nothing was changed.") from trouble
    return status.st_dev, status.st_ino


def _all(edit: RowEdit) -> dict[str, tuple[Any, Any]]:
    return {**edit.guards, **edit.stamps, **edit.derived}


def _stood(connection: apsw.Connection, edits: Sequence[RowEdit]) -> tuple[bool, bool]:
    """Whether a row stands as before, and as after, these edits of it, by what they guard."""
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    for edit in edits:
        for name, (before, after) in edit.guards.items():
            old.setdefault(name, before)
            new[name] = after
    row = row_of(connection, edits[0].table, edits[0].row, list(new))
    if row is None:
        return edits[0].made is not None, edits[-1].lost is not None
    return (
        edits[0].made is None and all(_same(row[name], value) for name, value in old.items()),
        edits[-1].lost is None and all(_same(row[name], value) for name, value in new.items()),
    )


def _same(stands: Any, meant: Any) -> bool:
    """Whether a column holds a value; a column of text holds a number as text, and the other way round."""
    if isinstance(stands, str) != isinstance(meant, str) and not isinstance(stands, bytes):
        return stands is not None and meant is not None and str(stands) == str(meant)
    return bool(stands == meant)


def _stands(row: Mapping[str, Any], edit: RowEdit, whole: Mapping[str, Any]) -> bool:
    """Whether the row is still `whole`, but for the columns that may change by themselves."""
    loose = {*edit.stamps, *edit.derived, "rowid"}
    return all(_same(row.get(name), value) for name, value in whole.items() if name not in loose)


def _carry(connection: apsw.Connection, edit: RowEdit) -> None:
    table = quoted(edit.table)
    where = " AND ".join(f"{quoted(name)} IS ?" for name in edit.row)
    if edit.made is not None:
        if row_of(connection, edit.table, edit.row, ()) is not None:
            raise _changed()  # its number was given to another meanwhile
        made = dict(edit.made)
        if "rowid" in made and row_of(connection, edit.table, {"rowid": made["rowid"]}, ()) is not None:
            del made["rowid"]
        names = ", ".join(quoted(name) for name in made)
        marks = ", ".join("?" for _ in made)
        _change(connection, f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(made.values()))
        return
    row = row_of(connection, edit.table, edit.row, list(edit.guards if edit.lost is None else edit.lost))
    if row is None or any(not _same(row.get(name), before) for name, (before, _) in edit.guards.items()):
        raise _changed()
    if edit.lost is not None:
        if not _stands(row, edit, edit.lost):
            raise _changed()
        _change(connection, f"DELETE FROM {table} WHERE {where}", tuple(edit.row.values()))
        return
    values = {name: after for name, (_, after) in _all(edit).items()}
    if values:
        sets = ", ".join(f"{quoted(name)} = ?" for name in values)
        _change(
            connection, f"UPDATE {table} SET {sets} WHERE {where}", (*values.values(), *edit.row.values())
        )


def _change(connection: apsw.Connection, sql: str, bindings: tuple[Any, ...]) -> None:
    """Run one statement that must change one row."""
    try:
        connection.execute(sql, bindings)
    except (apsw.ConstraintError, apsw.MismatchError) as trouble:
        raise NotSaved("constraint", f"the store refuses it ({trouble}).") from trouble
    if connection.changes() != 1:
        raise NotSaved("unsure", f"{connection.changes()} rows have this name.", "Nothing was written.")


def _changed() -> Refused:
    return NotSaved(
        "changed",
        "the store changed while the change was being made.",
        "Nothing was written. Try again.",
    )


def _since(edit: RowEdit) -> Refused:
    return Refused(
        "changed-since",
        f"The row in {edit.table} changed since.",
        "Nothing was written. Open the memory to see what stands there now.",
    )


def _pack(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _unpack(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


def _packed(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _pack(value) for name, value in values.items()}


def _unpacked(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _unpack(value) for name, value in values.items()}
