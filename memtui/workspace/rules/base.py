"""Which memories a query matches as they would be without any rule, which is what rules look at (S-60).

Rules do not see one another's effects: so one pass over them in their order is the whole truth.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.errors import QueryError
from memtui.memory.query.language import Filter, Query, Term
from memtui.workspace.db.models import Memory
from memtui.workspace.mirror.without_rules import TIME
from memtui.workspace.rules.kept import KEPT
from memtui.workspace.rules.words import COLUMNS, Texts, Tokenize, Words, tokenizer_of
from memtui.workspace.search.filters import HALF_LIFE, Condition, conditions, fts_query, fts_term
from memtui.workspace.search.lexical import parse_query

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_AT_ONCE = 50  # queries in one statement
_CHANGED = "SELECT memory_id FROM rule_bases"
_FOUND = "m.id IN (SELECT rowid FROM words WHERE words MATCH ?)"
# A tag that a rule has set is no word of a memory; one of its own is.
_WORDS = "{title key subject content source_ref} : "
_OWN_TAG = (
    "(m.tags_kept OR EXISTS (SELECT 1 FROM json_each(m.tags) "
    "WHERE ' ' || replace(replace(value, '-', ' '), '_', ' ') || ' ' LIKE ? ESCAPE '\\'))"
)


def matching(ctx: Context, when: str, ids: Sequence[int] | None, now: float) -> set[int]:
    """Return which live memories, only of `ids` if given, match a query without what rules have set. Raise
    QueryError for a bad query."""
    query, filters = _parsed(when)
    if ids is not None:
        return judged(ctx, [when], ids, now)[0] or set()
    where, bindings = _condition(query, filters, now)
    sql = f"SELECT m.id FROM memories m WHERE {where}"
    if ctx.db.one(f"{_CHANGED} LIMIT 1"):
        also, more = _condition(query, filters, now, base=True)
        without = f"SELECT m.id FROM (SELECT * FROM {_without_rules()}) m WHERE {also}"
        sql += f" AND m.id NOT IN ({_CHANGED}) UNION ALL {without}"
        bindings = [*bindings, *more]
    return {row[0] for row in ctx.db.rows(sql, bindings)}


class Duplicates:
    """The memories that `is:duplicate` finds, looked up once and only if a query asks: all texts are compared
    for it, which takes far longer than all else."""

    def __init__(self, ctx: Context, now: float) -> None:
        self._ctx, self._now = ctx, now

    @cached_property
    def ids(self) -> set[int]:
        return matching(self._ctx, "is:duplicate", None, self._now)


def judged(
    ctx: Context, whens: Sequence[str], ids: Sequence[int], now: float, duplicates: Duplicates | None = None
) -> list[set[int] | None]:
    """Return for each query which of these memories match it; None for one that cannot be read."""
    out: list[set[int] | None] = [None] * len(whens)
    tokenize = tokenizer_of(ctx.db.connection())
    memories, duplicates = _read(ctx, ids, tokenize), duplicates or Duplicates(ctx, now)
    filtered: list[tuple[int, Query]] = []
    for at, when in enumerate(whens):
        try:
            query, filters = _parsed(when)
        except QueryError:
            continue
        words = Words(query, tokenize)
        found = {each.id for each in memories if words.match(each.texts)}
        if query.filters:
            others = _without_duplicates(filters)
            filtered += [(at, others)] * bool(found)
        else:
            found &= {each.id for each in memories if each.live}
        out[at] = found
    for start in range(0, len(filtered), _AT_ONCE):
        chunk = filtered[start : start + _AT_ONCE]
        passing = _passing(ctx, [filters for _, filters in chunk], memories, now)
        for (at, _), ids_of in zip(chunk, passing, strict=True):
            found = (out[at] or set()) & ids_of
            for each in _parsed(whens[at])[1].filters if found else ():
                if _asks_for_duplicates(each):
                    found = found - duplicates.ids if each.negated else found & duplicates.ids
            out[at] = found
    return out


def _asks_for_duplicates(each: Filter) -> bool:
    return each.name == "is" and each.value == "duplicate"


def _without_duplicates(filters: Query) -> Query:
    return replace(filters, filters=tuple(f for f in filters.filters if not _asks_for_duplicates(f)))


class _Judged(NamedTuple):
    """A memory that is judged; `changed` if rules have set something of it."""

    id: int
    live: bool
    changed: bool
    texts: Texts


def _read(ctx: Context, ids: Sequence[int], tokenize: Tokenize) -> list[_Judged]:
    """Return these memories with their texts, of which only the tags can be a rule's."""
    columns = ", ".join(_base("tags") if name == "tags" else f"r.{name}" for name in COLUMNS)
    sql = (
        f"SELECT r.id, r.live, b.memory_id IS NOT NULL, {columns} FROM json_each(?) e "
        "JOIN memories r ON r.id = e.value LEFT JOIN rule_bases b ON b.memory_id = r.id"
    )
    return [
        _Judged(id, bool(live), bool(changed), Texts(texts, tokenize))
        for id, live, changed, *texts in ctx.db.rows(sql, (json.dumps(list(ids)),))
    ]


def _passing(
    ctx: Context, queries: Sequence[Query], memories: Sequence[_Judged], now: float
) -> list[set[int]]:
    """Return which of these memories pass the filters of each query."""
    out: list[set[int]] = [set() for _ in queries]
    found = [_filtered(query, now) for query in queries]
    columns = ", ".join(f"({sql})" for sql, _ in found)
    bindings = [value for _, values in found for value in values]
    for changed in (False, True):
        ids = json.dumps([each.id for each in memories if each.changed == changed])
        source = _without_rules() if changed else "memories WHERE true"
        sql = (
            f"WITH m AS MATERIALIZED (SELECT * FROM {source} AND id IN (SELECT value FROM json_each(?))) "
            f"SELECT m.id, {columns} FROM m"
        )
        for id, *passes in ctx.db.rows(sql, [ids, *bindings]) if ids != "[]" else ():
            for number, each in enumerate(passes):
                if each:
                    out[number].add(id)
    return out


@lru_cache(1_000)
def _parsed(when: str) -> tuple[Query, Query]:
    """Return a query, and its filters alone."""
    query = parse_query(when)
    return query, replace(query, terms=())


def _filtered(filters: Query, now: float) -> Condition:
    where, bindings = conditions(filters, True, now)
    return where.replace(HALF_LIFE, "NULL"), bindings  # which only rules set


def _condition(query: Query, filters: Query, now: float, *, base: bool = False) -> Condition:
    """Return a query as a condition on `m`, a row of memories, or with `base` one of `_without_rules`."""
    where, bindings = _filtered(filters, now)
    parts = [where]
    if base:
        terms = [(term.negated, *_base_term(term)) for term in query.terms]
    else:
        terms = [(True, *_found(fts_term(term))) for term in query.terms if term.negated]
        if words := fts_query(query):
            terms.append((False, *_found(words)))
    for negated, sql, values in terms:
        parts.append(f"NOT {sql}" if negated else sql)
        bindings += values
    return " AND ".join(parts), bindings


def _found(words: str) -> Condition:
    return _FOUND, [words]


def _base_term(term: Term) -> Condition:
    text = fts_term(term)
    others, values = _found(_WORDS + text)
    tags, more = _found(f"tags : {text}")
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
