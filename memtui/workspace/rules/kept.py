"""What is kept of columns that rules have set: what each would be without them, and as they set it (S-60).

A store may keep a value in another form than it was given, so the second is read once it is written: until
then the item of the journal stands there, too, and whoever comes next after an interruption reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from memtui.values import SqlValue
from memtui.workspace.db.models import RuleBase
from memtui.workspace.mirror.without_rules import TIME, raw

if TYPE_CHECKING:
    from memtui.workspace.changes.change_item import ChangeItem
    from memtui.workspace.db.database import Database

COLUMNS = {
    "pin": ("pinned", "pinned_by", "pinned_why"),
    "tag": ("tags",),
    "scope": ("scope",),
    "category": ("category",),
    "importance": ("importance",),
    "expire": ("expires_at",),
}
"""The columns that each setting sets."""
KEPT = (*(name for names in COLUMNS.values() for name in names), TIME)

Kept: TypeAlias = dict[str, list[Any]]
"""By column: its raw value without rules, as rules set it, and the item that is not read back yet."""

_AMONG = "IN (SELECT value FROM json_each(?))"
_STATES = f"SELECT item_id, state FROM item_states WHERE item_id {_AMONG}"
_LAST = (
    "SELECT i.memory_id, max(i.id) FROM journal_items i JOIN item_states st ON st.item_id = i.id "
    f"WHERE i.memory_id {_AMONG} AND st.state = 'done' GROUP BY i.memory_id"
)


def columns_of(db: Database, ids: Iterable[int]) -> dict[int, dict[str, SqlValue]]:
    """Return the columns that rules can set, of these memories."""
    sql = f"SELECT id, {', '.join(KEPT)} FROM memories WHERE id {_AMONG}"
    return {row[0]: dict(zip(KEPT, row[1:], strict=True)) for row in db.rows(sql, (json.dumps(list(ids)),))}


def since(db: Database, ids: Iterable[int]) -> dict[int, float]:
    """Return when these memories came up, in Unix seconds: what a rule lets expire is counted from there."""
    sql = f"SELECT id, coalesce(created_at, seen_at) FROM memories WHERE id {_AMONG}"
    return dict(db.rows(sql, (json.dumps(list(ids)),)))


def read(db: Database, ids: Iterable[int]) -> dict[int, Kept]:
    """Return what is kept of these memories."""
    sql = f"SELECT memory_id, columns FROM rule_bases WHERE memory_id {_AMONG}"
    return {id: json.loads(text) for id, text in db.rows(sql, (json.dumps(list(ids)),))}


def write(db: Database, bases: Mapping[int, Mapping[str, Sequence[SqlValue]]]) -> None:
    """Keep this of memories."""
    rows = [(id, json.dumps(columns)) for id, columns in bases.items() if columns]
    with db.atomic():  # one wait for the disk, not one a row
        db.delete_many(RuleBase, ("memory_id",), [(id,) for id, columns in bases.items() if not columns])
        db.insert_many(RuleBase, ("memory_id", "columns"), rows, replace=True)


def begin(db: Database, items: Sequence[ChangeItem], *, setting: bool) -> None:
    """Keep what these items are about to change, within their first transaction: what a rule sets, or only
    the time where it takes something back."""
    ids = [item.memory_id for item in items]
    bases, now = read(db, ids), columns_of(db, ids)
    for item in items:
        columns = bases.setdefault(item.memory_id, {})
        for name, value in item.after.items() if setting else ():
            if name in KEPT:
                columns[name] = [raw(name, item.before[name]), raw(name, value), item.item_id]
        time = now[item.memory_id][TIME]
        columns[TIME] = [without(columns, TIME, time), time, item.item_id]
    write(db, bases)


def finish(db: Database, ids: Iterable[int]) -> None:
    """Read back what was written of these memories, and forget times that somebody moved since."""
    bases = read(db, ids)
    items = {entry[2] for columns in bases.values() for entry in columns.values() if len(entry) > 2}
    states: dict[int, str] = dict(db.rows(_STATES, (json.dumps(list(items)),)))
    last: dict[int, int] = dict(db.rows(_LAST, (json.dumps(list(bases)),))) if items else {}
    now, changed = columns_of(db, bases), {}
    for id, columns in bases.items():
        before = json.dumps(columns)
        for name, entry in list(columns.items()):
            if len(entry) > 2:
                _read_back(columns, name, now[id][name], states.get(entry[2], "failed"), last.get(id, 0))
            elif name == TIME and (entry[1] != now[id][name] or entry[0] == entry[1]):
                del columns[name]
        if json.dumps(columns) != before:
            changed[id] = columns
    write(db, changed)


def _read_back(columns: Kept, name: str, now: SqlValue, state: str, last: int) -> None:
    before, after, item = columns[name]
    if state == "intended":
        return
    if state == "done" and last <= item:  # nobody wrote since
        after = now
    columns[name] = [before, after]
    if name == TIME and (before == after or after != now):
        del columns[name]


def without(columns: Mapping[str, Sequence[SqlValue]], name: str, now: SqlValue) -> SqlValue:
    """Return what a column that is `now` would be without rules."""
    entry = columns.get(name)
    return entry[0] if entry is not None and entry[1] == now else now
