"""Words search and lists (S-30, S-31): the query tree as SQL, bounded as LIMITS 9 says.

bm25 costs by the matching row, so of more than CAP matches only the newest CAP are ranked,
and it says so. An order that needs no bm25 is complete.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Generator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from memtui.errors import QueryError
from memtui.memory.query import Filter, Query, Term, parse
from memtui.memory.records import Hits

if TYPE_CHECKING:
    from memtui.workspace.database import Database

CAP = 3_000
FIRST, PART = 1_000, 20_000  # ids of the first part of a list, and of each later one
PARTS, LENGTH = 200, 10_000  # of a query
_ALL = "m.shown AND m.removed_at IS NULL"
_WEIGHTS = "8.0, 6.0, 4.0, 1.0, 3.0, 1.0"  # title, key, subject, content, tags, source

SORTS = {
    "newest": "m.recency DESC, m.id DESC",
    "oldest": "m.recency, m.id",
    "confidence": "m.confidence IS NULL, m.confidence DESC, m.recency DESC, m.id DESC",
    "used": "m.times_used DESC, m.recency DESC, m.id DESC",
    "title": "lower(coalesce(m.title, m.key, m.subject, m.content)), m.id",
    "store": "m.store_id, m.recency DESC, m.id DESC",
}
_SORT_WORDS = {
    "newest": "newest first",
    "oldest": "oldest first",
    "confidence": "surest first",
    "used": "most used first",
    "title": "by title",
    "store": "by store",
}


def search(db: Database, text: str, *, live: bool, sort: str = "") -> Hits:
    """The rows that match, best first (or by `sort`); QueryError points at a part that is wrong."""
    ids = array("q")
    for hits in listing(db, text, live=live, sort=sort):
        ids.extend(hits.ids)
    return Hits(ids, len(ids), hits.how, hits.capped)


def listing(db: Database, text: str, *, live: bool, sort: str = "") -> Generator[Hits]:
    """The same in parts, the first one soon: a list of a million is on the screen before it is
    whole. `more` tells whether another part follows; all belong to one moment and one thread."""
    query = parse(text)
    _bounded(text, query)
    where, values = _conditions(query, live)
    match = " ".join(_quoted(term) for term in query.terms if not term.negated)
    if not match:
        order = sort or "newest"
        sql = f"SELECT m.id FROM memories m WHERE {where} ORDER BY {SORTS[order]}"
        yield from _in_parts(db, sql, values, _SORT_WORDS[order])
        return
    floor = 0 if sort else _floor(db, match, where, values)
    # One letter says too little to rank by, and to rank by it would cost by all its matches.
    letter = floor > 0 and len(query.terms) == 1 and len(query.terms[0].text) == 1
    order = SORTS[sort] if sort else "m.id DESC" if letter else f"bm25(words, {_WEIGHTS}), m.id DESC"
    sql = (
        "SELECT m.id FROM words JOIN memories m ON m.id = words.rowid "
        f"WHERE words MATCH ? AND words.rowid >= ? AND {where} ORDER BY {order}"
    )
    how = "by words" if not sort else f"by words, {_SORT_WORDS[sort]}"
    if floor:
        how += f", among the {CAP:,} matches taken in last"
    yield from _in_parts(db, sql, [match, floor, *values], how, capped=floor > 0)


def _in_parts(
    db: Database, sql: str, values: Sequence[Any], how: str, *, capped: bool = False
) -> Generator[Hits]:
    found = (row[0] for row in db.connection().execute(sql, values))
    ids = array("q", islice(found, FIRST))
    total = len(ids)
    for following in found:
        yield Hits(ids, total, how, capped, more=True)
        ids = array("q", (following, *islice(found, PART)))
        total += len(ids)
    yield Hits(ids, total, how, capped)


def matching(db: Database, text: str, ids: Sequence[int], *, live: bool) -> set[int]:
    """Which of these rows match; cheap however many there are in all."""
    query = parse(text)
    where, values = _conditions(query, live)
    match = " ".join(_quoted(term) for term in query.terms if not term.negated)
    of = json.dumps(list(ids))
    sql = f"SELECT m.id FROM memories m WHERE m.id IN (SELECT value FROM json_each(?)) AND {where}"
    found = {row[0] for row in db.rows(sql, (of, *values))}
    if match:
        sql = "SELECT rowid FROM words WHERE words MATCH ? AND rowid = ?"
        found = {id for id in found if db.one(sql, (match, id)) is not None}
    return found


def _bounded(text: str, query: Query) -> None:
    """QueryError where SQLite would give up: it bounds patterns, and how deep conditions nest."""
    starts = sorted([term.start for term in query.terms] + [each.start for each in query.filters])
    if len(starts) > PARTS:
        raise QueryError(
            f"A query has at most {PARTS} words and filters; this one has {len(starts):,}.",
            starts[PARTS],
            len(text),
        )
    if len(text) > LENGTH:
        raise QueryError(
            f"A query has at most {LENGTH:,} characters; this one has {len(text):,}.", LENGTH, len(text)
        )


def _floor(db: Database, match: str, where: str, values: list[Any]) -> int:
    """The row from which on matches are ranked: the CAPth newest of those that pass, 0 for all."""
    matching = "SELECT rowid FROM words WHERE words MATCH ? LIMIT ?"
    if db.one(f"SELECT count(*) FROM ({matching})", (match, CAP + 1)) <= CAP:
        return 0
    newest = db.rows(
        "SELECT words.rowid FROM words CROSS JOIN memories m ON m.id = words.rowid "
        f"WHERE words MATCH ? AND {where} ORDER BY words.rowid DESC LIMIT ?",
        (match, *values, CAP + 1),
    )
    return int(newest[CAP - 1][0]) if len(newest) > CAP else 0


def _conditions(query: Query, live: bool) -> tuple[str, list[Any]]:
    """The filters and negated words as a condition on `m`."""
    removed = any(f.name == "is" and f.value == "removed" and not f.negated for f in query.filters)
    parts: list[str] = ["m.shown" if removed else _ALL]
    values: list[Any] = []
    if live and not query.mentions_status:
        parts = ["m.live = 1"]
    for name in dict.fromkeys(each.name for each in query.filters):
        asked = [(each.negated, *_FILTERS[name](each)) for each in query.filters if each.name == name]
        wanted = [sql for negated, sql, _ in asked if not negated]
        parts += [f"NOT coalesce({sql}, 0)" for negated, sql, _ in asked if negated]
        values += [value for negated, _, more in asked if negated for value in more]
        if wanted:
            # A memory has one store, one category, …: naming two asks for either.
            parts.append(f"({(' AND ' if name in _MANY else ' OR ').join(wanted)})")
            values += [value for negated, _, more in asked if not negated for value in more]
    for term in query.terms:
        if term.negated:
            parts.append("m.id NOT IN (SELECT rowid FROM words WHERE words MATCH ?)")
            values.append(_quoted(term))
    return " AND ".join(parts), values


def _quoted(term: Term) -> str:
    return '"' + term.text.replace('"', '""') + '"' + ("*" if term.prefix else "")


def _glob(value: str) -> str:
    """A value as a LIKE pattern: `*` is anything, the rest stands for itself."""
    escaped = value.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return escaped.replace("*", "%")


def _like(column: str, value: str) -> tuple[str, list[Any]]:
    return f"{column} LIKE ? ESCAPE '\\'", [_glob(value)]


def _store(each: Filter) -> tuple[str, list[Any]]:
    pattern = _glob(each.value)
    return (
        "m.store_id IN (SELECT id FROM stores WHERE name LIKE ?1 ESCAPE '\\' OR format LIKE ?1 ESCAPE '\\' "
        "OR name LIKE '%:' || ?1 ESCAPE '\\')".replace("?1", "?"),
        [pattern, pattern, pattern],
    )


def _tag(each: Filter) -> tuple[str, list[Any]]:
    return "EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value LIKE ? ESCAPE '\\')", [_glob(each.value)]


def _is(each: Filter) -> tuple[str, list[Any]]:
    states = {"pinned": "m.pinned = 1", "live": "m.live = 1", "removed": "m.removed_at IS NOT NULL"}
    return states[each.value], []


_MANY = ("tag", "is")  # a memory may have several of these
_FILTERS: dict[str, Any] = {
    "store": _store,
    "category": lambda each: _like("m.category", each.value),
    "status": lambda each: ("m.status = ?", [each.value]),
    "tag": _tag,
    "key": lambda each: _like("m.key", each.value),
    "subject": lambda each: _like("m.subject", each.value),
    "is": _is,
}
