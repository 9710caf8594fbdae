"""Which memories a query matches as they would be without any rule, which is what rules look at (S-60).

Rules do not see one another's effects: so one pass over them in their order is the whole truth.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from memtui.errors import QueryError
from memtui.memory.query.language import Query, Term
from memtui.workspace.db.models import Memory
from memtui.workspace.rules.kept import KEPT, TIME
from memtui.workspace.search.filters import HALF_LIFE, Condition, conditions, fts_query, fts_term
from memtui.workspace.search.lexical import parse_query

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_AT_ONCE = 50  # queries in one statement
_CHANGED = "SELECT memory_id FROM rule_bases"
_PLAIN = f"memories WHERE id NOT IN ({_CHANGED})"
_FOUND = "m.id IN (SELECT rowid FROM words WHERE words MATCH ?{})"
_SPAN = " AND rowid BETWEEN ? AND ?"
# A tag that a rule has set is no word of a memory; one of its own is.
_WORDS = "{title key subject content source_ref} : "
_OWN_TAG = (
    "(m.tags_kept OR EXISTS (SELECT 1 FROM json_each(m.tags) "
    "WHERE ' ' || replace(replace(value, '-', ' '), '_', ' ') || ' ' LIKE ? ESCAPE '\\'))"
)


def matching(ctx: Context, when: str, ids: Sequence[int] | None, now: float) -> set[int]:
    """Return which live memories, only of `ids` if given, match a query without what rules have set. Raise
    QueryError for a bad query."""
    query = _parsed(when)
    if ids is not None:
        return judged(ctx, [when], ids, now)[0] or set()
    where, bindings = _condition(query, now)
    sql = f"SELECT m.id FROM memories m WHERE {where}"
    if ctx.db.one(f"{_CHANGED} LIMIT 1"):
        also, more = _condition(query, now, base=True)
        without = f"SELECT m.id FROM (SELECT * FROM {_without_rules()}) m WHERE {also}"
        sql += f" AND m.id NOT IN ({_CHANGED}) UNION ALL {without}"
        bindings = [*bindings, *more]
    return {row[0] for row in ctx.db.rows(sql, bindings)}


def judged(ctx: Context, whens: Sequence[str], ids: Sequence[int], now: float) -> list[set[int] | None]:
    """Return for each query which of these memories match it; None for one that cannot be read."""
    out: list[set[int] | None] = [None] * len(whens)
    if not ids:
        return [set() for _ in whens]
    good: list[tuple[int, Query]] = []
    for at, when in enumerate(whens):
        try:
            good.append((at, _parsed(when)))
        except QueryError:
            continue
        out[at] = set()
    among, span = json.dumps(list(ids)), (min(ids), max(ids))
    changed = ctx.db.one(f"{_CHANGED} WHERE memory_id IN (SELECT value FROM json_each(?)) LIMIT 1", (among,))
    for start in range(0, len(good), _AT_ONCE):
        chunk = good[start : start + _AT_ONCE]
        for base in (False, True) if changed else (False,):
            source = _without_rules() if base else _PLAIN if changed else "memories WHERE true"
            found = [_condition(query, now, span, base=base) for _, query in chunk]
            columns = ", ".join(f"({sql})" for sql, _ in found)
            sql = (
                f"WITH m AS MATERIALIZED (SELECT * FROM {source} AND id IN (SELECT value FROM json_each(?))) "
                f"SELECT m.id, {columns} FROM m"
            )
            bindings = [value for _, values in found for value in values]
            for id, *matches in ctx.db.rows(sql, [among, *bindings]):
                for (at, _), matched in zip(chunk, matches, strict=True):
                    if matched:
                        out[at].add(id)  # type: ignore[union-attr]
    return out


@lru_cache(1_000)
def _parsed(when: str) -> Query:
    return parse_query(when)


def _condition(
    query: Query, now: float, span: tuple[int, int] | None = None, *, base: bool = False
) -> Condition:
    """Return a query as a condition on `m`, a row of memories, or with `base` one of `_without_rules`; `span`
    are the first and the last row that it is asked for."""
    filters = replace(query, terms=())
    where, bindings = conditions(filters, True, now)
    where = where.replace(HALF_LIFE, "NULL")  # which only rules set
    parts = [where]
    if base:
        terms = [(term.negated, *_base_term(term, span)) for term in query.terms]
    else:
        terms = [(True, *_found(fts_term(term), span)) for term in query.terms if term.negated]
        if words := fts_query(query):
            terms.append((False, *_found(words, span)))
    for negated, sql, values in terms:
        parts.append(f"NOT {sql}" if negated else sql)
        bindings += values
    return " AND ".join(parts), bindings


def _found(words: str, span: tuple[int, int] | None) -> Condition:
    return _FOUND.format(_SPAN if span else ""), [words, *(span or ())]


def _base_term(term: Term, span: tuple[int, int] | None) -> Condition:
    text = fts_term(term)
    others, values = _found(_WORDS + text, span)
    tags, more = _found(f"tags : {text}", span)
    escaped = term.text.replace("\\", "\\\\").replace("%", "\\%").replace("_", " ")
    like = f"% {escaped}%" if term.prefix else f"% {escaped} %"
    return f"({others} OR ({tags} AND {_OWN_TAG}))", [*values, *more, like]


@cache
def _without_rules() -> str:
    """Return a subquery with the memories that rules have changed, their columns as they would be without."""
    names = dict.fromkeys((*Memory._meta.columns, "live"))
    names.pop("recency", None)
    base = {"id": "b.memory_id"} | {name: _base(name) for name in KEPT}
    columns = [f"{base.get(name, f'r.{name}')} AS {name}" for name in names]
    columns.append(f"coalesce({base[TIME]}, r.created_at, r.seen_at) AS recency")
    columns.append(f"r.tags IS ({base['tags']}) AS tags_kept")
    rows = "rule_bases b CROSS JOIN memories r ON r.id = b.memory_id"
    return f"(SELECT {', '.join(columns)} FROM {rows}) WHERE true"


def _base(name: str) -> str:
    """Return the SQL of a column without rules: where it is still as they set it, what it was before."""
    return f"iif(b.{name}_set AND r.{name} IS b.{name}_now, b.{name}_was, r.{name})"
