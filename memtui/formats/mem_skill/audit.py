"""A line of mem-skill's audit for a change of ours, filled in by what its columns mean.

The table's own statement is tried out beside the store, so that a line that it does not take is
refused before anything is written.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import apsw

from memtui.errors import NotSaved, Refused
from memtui.formats.media.sqlite.connection import has_rowids, quoted, rows_of
from memtui.formats.media.sqlite.store import SEQUENCE, RowEdit
from memtui.formats.mem_skill.audit_columns import Side, sides_of
from memtui.formats.mem_skill.schema import HISTORY, WORDS
from memtui.formats.mem_skill.schema_detection import Column, Shape
from memtui.formats.syntax.timestamps import in_the_form_of, seconds_of
from memtui.memory.encoding import iso, plain

_LOOKED_AT = 500  # lines that tell what others call a change
_CHANGE = ("update", "updated", "edit", "edited", "modify", "modified", "change", "changed")
# What a change is called, by what audits use to call it: the first that the table takes.
_CALLED: dict[str, tuple[str, ...]] = {
    "edit": _CHANGE,
    "confirm": ("confirm", "confirmed", "reinforce", "reinforced", *_CHANGE),
    "dismiss": ("expire", "expired", "invalidate", "invalidated", "dismiss", "dismissed", *_CHANGE),
    "expire": ("expire", "expired", "invalidate", "invalidated", *_CHANGE),
    "supersede": ("supersede", "superseded", "replace", "replaced", *_CHANGE),
    "restore": ("restore", "restored", "reactivate", "reactivated", *_CHANGE),
    "delete": ("delete", "deleted", "remove", "removed", "forget", "forgotten", "expire", *_CHANGE),
    "undo": ("undo", "undone", "revert", "reverted", "rollback", "restore", "restored", *_CHANGE),
}
_TEXT = ("", "value", "text", "content", "fact")
_JSON = ("json", "data", "row", "snapshot", "record", "values", "fact_json", "row_json")


@dataclass(frozen=True, slots=True)
class Happened:
    """A change of one fact: its row before and after (None where it leaves)."""

    what: str
    before: Mapping[str, Any]
    after: Mapping[str, Any] | None
    why: str
    who: str
    now: float


def line_of(connection: apsw.Connection, shape: Shape, happened: Happened) -> list[RowEdit]:
    """The edits that add a line for this change. Raises Refused where the table takes none."""
    if happened.what == "delete":  # a purge leaves no text behind
        hidden = {name: None if name in WORDS else value for name, value in happened.before.items()}
        happened = Happened("delete", hidden, None, happened.why, happened.who, happened.now)
    value_of = _telling(happened)
    return _line(connection, shape, happened.what, happened.now, value_of)


def taken_back(
    connection: apsw.Connection, shape: Shape, made: Mapping[str, Any], now: float
) -> list[RowEdit]:
    """The edits that add a line for a change taken back, where the line that told of it has to stay."""
    sides = sides_of(tuple(column.name for column in shape.history), shape.columns)
    by_side = {side: made.get(name) for name, side in sides.items()}

    def value_of(side: Side) -> Any:
        if side.what in ("old", "new"):
            return by_side.get(Side("new" if side.what == "old" else "old", side.rest))
        if side.what == "reason":
            return "taken back in memtui"
        if side.what == "changes":
            return None
        return by_side.get(side)

    return _line(connection, shape, "undo", now, value_of)


def _telling(happened: Happened) -> Callable[[Side], Any]:
    """What a column says of a change, by what it means; None where nothing fits."""
    before, after = happened.before, happened.after
    changed = {
        name: (before.get(name), value)
        for name, value in (after or {}).items()
        if value != before.get(name) and name != "updated_at"
    }
    ends = happened.what in ("dismiss", "expire", "supersede", "delete")

    def side_value(side: Side) -> Any:
        old = side.what == "old"
        row = before if old else after
        if side.rest in _JSON:
            return None if row is None else _json(row)
        if side.rest in before:
            return None if row is None else row.get(side.rest)
        if side.rest not in _TEXT:
            return None
        plainly = [name for name in changed if name != "value_text"]
        if happened.what == "edit" and "value_text" not in changed and plainly:
            if len(plainly) == 1:
                return changed[plainly[0]][0 if old else 1]
            return _json({name: pair[0 if old else 1] for name, pair in changed.items()})
        if (ends and not old) or (happened.what == "restore" and old):
            return None
        return (before if old or after is None else after).get("value_text")

    def value_of(side: Side) -> Any:
        if side.what in ("old", "new"):
            return side_value(side)
        if side.what == "fact":
            return before.get("fact_id")
        if side.what == "reason":
            return happened.why
        if side.what == "who":
            return "memtui" if happened.who == "person" else f"memtui, {happened.who}"
        if side.what == "row":
            return before.get(side.rest) if side.rest else _json(before)
        if side.what == "changes":
            return _json({name: list(pair) for name, pair in changed.items()})
        return None

    return value_of


def _line(
    connection: apsw.Connection, shape: Shape, what: str, now: float, value_of: Callable[[Side], Any]
) -> list[RowEdit]:
    sides = sides_of(tuple(column.name for column in shape.history), shape.columns)
    number, sequence = _number(connection, shape)
    trial = _Trial(shape.history_sql)
    refusal: Refused | None = None
    for word in _names(connection, sides, what):
        made: dict[str, Any] = {}
        for column in shape.history:
            value = _filled(connection, column, sides[column.name], shape, now, word, value_of)
            if column.name == shape.number:
                value = number
            if value is None and column.needed:
                value = neutral(column)
            if value is not None:
                made[column.name] = value
        why, stored = trial.of(made)
        if not why:
            return _edits(connection, shape, stored, number, sequence)
        refusal = refusal or NotSaved(
            "history",
            f"{HISTORY} takes no line of this change ({why}).",
            "Nothing was changed; the store notes each change there.",
        )
    assert refusal is not None
    raise refusal


def _filled(
    connection: apsw.Connection,
    column: Column,
    side: Side,
    shape: Shape,
    now: float,
    word: str,
    value_of: Callable[[Side], Any],
) -> Any:
    """What one column of the new line says."""
    if column.key and side.what != "fact" and column.name != shape.number:
        return _next_key(connection, column)
    if side.what == "action":
        return word
    if side.what == "time":
        return in_the_form_of(now, _like(connection, column, now))
    if side.what == "hash":
        return hashlib.sha256(uuid.uuid4().bytes).hexdigest()
    if side.what == "turn":
        return f"memtui-{uuid.uuid4().hex[:12]}" if column.needed else None
    if side.what == "version":
        column_of = {each.name.casefold(): quoted(each.name) for each in shape.history}
        where = f"WHERE {column_of['fact_id']} IS ?" if "fact_id" in column_of else "WHERE ? IS NOT NULL"
        sql = f"SELECT max({quoted(column.name)}) FROM {HISTORY} {where}"
        last = connection.execute(sql, (value_of(Side("fact")),)).get
        return last + 1 if isinstance(last, int) else 1
    value = value_of(side)
    return _json(value) if isinstance(value, (dict, list, tuple)) else value


def _edits(
    connection: apsw.Connection,
    shape: Shape,
    made: dict[str, Any],
    number: int,
    sequence: int | None,
) -> list[RowEdit]:
    keys = [column.name for column in shape.history if column.key]
    if keys or not has_rowids(connection, HISTORY):
        line = RowEdit(HISTORY, {name: made[name] for name in keys}, made=made)
    else:
        line = RowEdit(HISTORY, {"rowid": number}, made={"rowid": number, **made})
    if not shape.counted:
        return [line]
    name = {"name": HISTORY}
    if sequence is None:  # SQLite makes this row with the first line, and would leave it there
        made = {**name, "seq": number}
        return [RowEdit(SEQUENCE, name, made=made), line]
    return [line, RowEdit(SEQUENCE, name, stamps={"seq": (sequence, number)})]


def renumbered(edits: Sequence[RowEdit], given: set[Any]) -> list[RowEdit]:
    """The edits with a number that no earlier line of the batch was given."""
    out: list[RowEdit] = []
    shift = 0
    for edit in sorted(edits, key=lambda each: each.table == SEQUENCE):
        if edit.table == HISTORY and edit.made is not None and len(edit.row) == 1:
            ((column, number),) = edit.row.items()
            if isinstance(number, int):
                while (HISTORY, number + shift) in given:
                    shift += 1
                number += shift
                given.add((HISTORY, number))
                edit = RowEdit(HISTORY, {column: number}, made={**edit.made, column: number})
        elif edit.table == SEQUENCE:
            if edit.made is None:
                before, number = edit.stamps["seq"]
                edit = replace(edit, stamps={"seq": (before, number + shift)})
            elif not shift:
                out.insert(0, edit)
                continue
            else:  # an earlier line of the batch makes that row
                number = edit.made["seq"] + shift
                edit = RowEdit(SEQUENCE, edit.row, stamps={"seq": (number - 1, number)})
        out.append(edit)
    return out


def _number(connection: apsw.Connection, shape: Shape) -> tuple[int, int | None]:
    """The number of the next line, and the last that SQLite keeps of an AUTOINCREMENT."""
    last = 0
    if has_rowids(connection, HISTORY):
        last = connection.execute(f"SELECT max(rowid) FROM {HISTORY}").get or 0
    if not shape.counted:
        return last + 1, None
    kept = connection.execute(f"SELECT seq FROM {SEQUENCE} WHERE name = ?", (HISTORY,)).get
    return max(last, kept or 0) + 1, kept


def _names(connection: apsw.Connection, sides: Mapping[str, Side], what: str) -> list[str]:
    """What the change may be called, best first: as other lines call it, then as others do."""
    column = next((name for name, side in sides.items() if side.what == "action"), None)
    if column is None:
        return [what]
    newest = f"SELECT {quoted(column)} FROM {HISTORY} {_newest(connection)} LIMIT {_LOOKED_AT}"
    sql = f"SELECT DISTINCT {quoted(column)} FROM ({newest})"
    used = [value for (value,) in connection.execute(sql) if isinstance(value, str)]
    meant = _CALLED[what]
    own = [each for each in meant if each not in _CHANGE] or meant
    like = [word for each in own for word in used if word.casefold() == each]
    upper = bool(used) and all(word.isupper() for word in used)
    spelled = [form for each in meant for form in _spellings(each, upper)]
    return list(dict.fromkeys([*like, *spelled]))


def _spellings(word: str, upper: bool) -> tuple[str, ...]:
    return (word.upper(), word, word.title()) if upper else (word, word.upper(), word.title())


def _next_key(connection: apsw.Connection, column: Column) -> Any:
    """A key as the other lines have: a number after the last, or an id of its own."""
    name = quoted(column.name)
    last = connection.execute(f"SELECT {name} FROM {HISTORY} ORDER BY {name} DESC LIMIT 1").get
    if isinstance(last, int):
        return last + 1
    id = uuid.uuid4()
    return id.hex if isinstance(last, str) and len(last) == 32 and "-" not in last else str(id)


def _like(connection: apsw.Connection, column: Column, now: float) -> Any:
    """A time in the form in which the others stand in this column."""
    name = quoted(column.name)
    rest = f"FROM {HISTORY} WHERE {name} IS NOT NULL {_newest(connection)} LIMIT 1"
    rows, _ = rows_of(connection, [name], rest)
    if rows and seconds_of(rows[0][0]) is not None:
        return rows[0][0]
    return plain_time(column, now)


def _newest(connection: apsw.Connection) -> str:
    return "ORDER BY rowid DESC" if has_rowids(connection, HISTORY) else ""


def plain_time(column: Column, now: float) -> Any:
    """A time in the form that a column is made for."""
    type, default = column.type.upper(), column.default.upper()
    if "CURRENT_TIMESTAMP" in default or default.startswith(("DATETIME(", "(DATETIME(")):
        return in_the_form_of(now, "2026-01-01 00:00:00")
    if "INT" in type:
        return int(now)
    return now if type in ("REAL", "NUMERIC", "FLOAT", "DOUBLE") else iso(int(now))


def neutral(column: Column) -> Any:
    """What says nothing, where something has to stand."""
    type = column.type.upper()
    if "BLOB" in type:
        return b""
    if any(part in type for part in ("INT", "REAL", "FLOA", "DOUB", "NUM", "BOOL")):
        return 0
    return ""


def _json(value: Any) -> str:
    return json.dumps(plain(value), ensure_ascii=False)


class _Trial:
    """The audit's table once more, empty and in memory."""

    def __init__(self, sql: str) -> None:
        self._connection: apsw.Connection | None = apsw.Connection(":memory:")
        try:
            self._connection.execute(sql)
        except apsw.Error:
            self._connection = None  # it needs what is not here; the store itself will tell

    def of(self, made: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Why the table takes no such line, empty if it does; and the line as it would stand there."""
        if self._connection is None:
            return "", dict(made)
        names = ", ".join(quoted(name) for name in made)
        marks = ", ".join("?" for _ in made)
        try:
            sql = f"INSERT INTO {HISTORY} ({names}) VALUES ({marks})"
            self._connection.execute(sql, tuple(made.values()))
            stored = self._connection.execute(f"SELECT {names} FROM {HISTORY}").fetchone()
        except (apsw.ConstraintError, apsw.MismatchError) as trouble:
            return str(trouble), {}
        except apsw.Error:
            return "", dict(made)
        return "", dict(zip(made, stored or (), strict=True))
