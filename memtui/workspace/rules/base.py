"""Memories as they would be without any rule, which is what rules look at (S-60).

Rules do not see one another's effects: so one pass over them in their order is the whole truth.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from memtui.memory.memory import LISTS
from memtui.values import Fields, FieldValue, SqlValue
from memtui.workspace.db.models import Memory, RuleBase
from memtui.workspace.search.filters import conditions, fts_query
from memtui.workspace.search.lexical import parse_query

if TYPE_CHECKING:
    from memtui.workspace.context import Context
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
TIME = "updated_at"  # moves in some stores when anything is set
KEPT = (*(name for names in COLUMNS.values() for name in names), TIME)
# A rule's own tags are no words of a memory.
_WORDS = "{title key subject content source_ref} : "


def matching(ctx: Context, when: str, ids: Sequence[int] | None, now: float) -> set[int]:
    """Return which live memories, only of `ids` if given, match a query without what rules have set. Raise
    QueryError for a bad query."""
    query = parse_query(when)
    where, bindings = conditions(query, True, now)
    sql, values = f"SELECT m.id FROM {_source(ctx.db)} m WHERE {where}", list(bindings)
    if ids is not None:
        sql += " AND m.id IN (SELECT value FROM json_each(?))"
        values.append(json.dumps(list(ids)))
    if words := fts_query(query):
        sql += " AND m.id IN (SELECT rowid FROM words WHERE words MATCH ?)"
        values.append(_WORDS + f"({words})" if " " in words else _WORDS + words)
    return {row[0] for row in ctx.db.rows(sql, values)}


def _source(db: Database) -> str:
    """Return what a query selects from: the memories, or if rules have set anything, the memories without."""
    return _without_rules() if db.one("SELECT 1 FROM rule_bases LIMIT 1") else "memories"


@cache
def _without_rules() -> str:
    """Return a subquery with the columns of the memories as they would be without any rule."""
    names = dict.fromkeys((*Memory._meta.columns, "live"))
    names.pop("recency", None)
    base = {name: _base(name) for name in KEPT}
    columns = [f"{base.get(name, f'r.{name}')} AS {name}" for name in names]
    columns.append(f"coalesce({base[TIME]}, r.created_at, r.seen_at) AS recency")
    return f"(SELECT {', '.join(columns)} FROM memories r LEFT JOIN rule_bases b ON b.memory_id = r.id)"


def _base(name: str) -> str:
    """Return the SQL of a column without rules: where it is still as they set it, what it was before."""
    kept, before, after = (f"b.columns ->> '$.{name}{place}'" for place in ("", "[0]", "[1]"))
    return f"iif({kept} IS NOT NULL AND r.{name} IS ({after}), {before}, r.{name})"


# -- keeping it


def columns_of(db: Database, ids: Iterable[int]) -> dict[int, dict[str, SqlValue]]:
    """Return the columns that rules can set, of these memories."""
    sql = f"SELECT id, {', '.join(KEPT)} FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    return {row[0]: dict(zip(KEPT, row[1:], strict=True)) for row in db.rows(sql, (json.dumps(list(ids)),))}


def since(db: Database, ids: Iterable[int]) -> dict[int, float]:
    """Return when these memories came up, in Unix seconds: what a rule lets expire is counted from there."""
    sql = (
        "SELECT id, coalesce(created_at, seen_at) FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    )
    return dict(db.rows(sql, (json.dumps(list(ids)),)))


def kept(db: Database, ids: Iterable[int]) -> dict[int, dict[str, list[SqlValue]]]:
    """Return what is kept of these memories: by column, what it was and what the rules made of it."""
    sql = "SELECT memory_id, columns FROM rule_bases WHERE memory_id IN (SELECT value FROM json_each(?))"
    return {id: json.loads(text) for id, text in db.rows(sql, (json.dumps(list(ids)),))}


def keep(db: Database, bases: Mapping[int, Mapping[str, Sequence[SqlValue]]]) -> None:
    """Keep this of memories; one without any column but the time needs nothing kept."""
    gone = [(id,) for id, columns in bases.items() if not columns.keys() - {TIME}]
    db.delete_many(RuleBase, ("memory_id",), gone)
    rows = [(id, json.dumps(columns)) for id, columns in bases.items() if columns.keys() - {TIME}]
    db.insert_many(RuleBase, ("memory_id", "columns"), rows, replace=True)


def raw(name: str, value: FieldValue) -> SqlValue:
    """Return a field's value as its column has it."""
    if name in LISTS:
        return json.dumps(list(value or ()), ensure_ascii=False)
    return int(value) if isinstance(value, bool) else value


def fields(columns: Mapping[str, SqlValue]) -> Fields:
    """Return columns as fields of a memory."""
    out: Fields = {}
    for name, value in columns.items():
        is_list = name in LISTS
        out[name] = tuple(json.loads(str(value))) if is_list else bool(value) if name == "pinned" else value
    return out
