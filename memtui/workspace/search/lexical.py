"""Search by words and lists (S-30 … S-32): the query tree as SQL, bounded as LIMITS 9 says.

The cost of bm25 grows with the matching rows, so of more than MAX_RANKED matches only the newest are ranked,
which the result says. An order that needs no bm25 is complete.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Generator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from memtui.memory.query.language import Query, parse
from memtui.memory.results import Hits
from memtui.values import SqlValue
from memtui.workspace.search import wording
from memtui.workspace.search.filters import conditions, fts_query

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

MAX_RANKED = 3_000
_FIRST_BATCH, _BATCH = 1_000, 20_000  # ids of the first part of a list, and of each later one
_MAX_PARTS, _MAX_LENGTH = 200, 10_000  # words and filters, and characters, of a query
_WEIGHTS = "8.0, 6.0, 4.0, 1.0, 3.0, 1.0"  # title, key, subject, content, tags, source

SORTS = {
    "newest": "m.recency DESC, m.id DESC",
    "oldest": "m.recency, m.id",
    "confidence": "m.confidence IS NULL, m.confidence DESC, m.recency DESC, m.id DESC",
    "used": "m.times_used DESC, m.recency DESC, m.id DESC",
    "expiry": "m.expires_at IS NULL, m.expires_at, m.recency DESC, m.id DESC",
    "title": "lower(coalesce(m.title, m.key, m.subject, m.content)), m.id",
    "store": "m.store_id, m.recency DESC, m.id DESC",
}


def search(db: Database, text: str, *, live: bool, sort: str = "", now: float) -> Hits:
    """Return the matching rows, best first or by `sort`; QueryError points at the faulty part of a query."""
    ids = array("q")
    for hits in listing(db, text, live=live, sort=sort, now=now):
        ids.extend(hits.ids)
    return replace(hits, ids=ids, total=len(ids), more=False)


def listing(db: Database, text: str, *, live: bool, sort: str = "", now: float) -> Generator[Hits]:
    """Yield the same in parts, the first one soon, so that a list of a million is on the screen before it is
    complete. `more` says whether another part follows; all show one moment, and are read in one thread."""
    query = parse_query(text)
    where, bindings = conditions(query, live, now)
    match = fts_query(query)
    if query.is_empty and text.strip(' "-'):
        yield Hits(array("q"), 0, wording.NO_TERMS)
        return
    if not match:
        order = sort or "newest"
        sql = f"SELECT m.id FROM memories m WHERE {where} ORDER BY {SORTS[order]}"
        yield from _in_batches(db, sql, bindings, Hits(array("q"), 0, wording.SORT_LABELS[order], sort=order))
        return
    floor = 0 if sort else _floor(db, match, where, bindings)
    # A single letter says little to rank by, and ranking by it would cost by all its matches.
    is_letter = floor > 0 and len(query.terms) == 1 and len(query.terms[0].text) == 1
    order = SORTS[sort] if sort else "m.id DESC" if is_letter else f"bm25(words, {_WEIGHTS}), m.id DESC"
    sql = (
        "SELECT m.id FROM words JOIN memories m ON m.id = words.rowid "
        f"WHERE words MATCH ? AND words.rowid >= ? AND {where} ORDER BY {order}"
    )
    how = wording.sorted_by(wording.BY_WORDS, sort) if sort else wording.BY_WORDS
    if floor:
        how = wording.only_newest_ranked(how, MAX_RANKED)
    shape = Hits(array("q"), 0, how, capped=floor > 0, sort=sort)
    yield from _in_batches(db, sql, [match, floor, *bindings], shape)


def _in_batches(db: Database, sql: str, bindings: Sequence[SqlValue], shape: Hits) -> Generator[Hits]:
    """Yield the rows of a query in batches, each as `shape` with its ids."""
    found = (row[0] for row in db.connection().execute(sql, bindings))
    ids = array("q", islice(found, _FIRST_BATCH))
    total = len(ids)
    for following in found:
        yield replace(shape, ids=ids, total=total, more=True)
        ids = array("q", (following, *islice(found, _BATCH)))
        total += len(ids)
    yield replace(shape, ids=ids, total=total)


def matching(db: Database, text: str, ids: Sequence[int], *, live: bool, now: float) -> set[int]:
    """Return which of these rows match; the cost does not depend on how many rows there are."""
    query = parse_query(text)
    where, bindings = conditions(query, live, now)
    match = fts_query(query)
    sql = f"SELECT m.id FROM memories m WHERE m.id IN (SELECT value FROM json_each(?)) AND {where}"
    found = {row[0] for row in db.rows(sql, (json.dumps(list(ids)), *bindings))}
    if match:
        sql = "SELECT rowid FROM words WHERE words MATCH ? AND rowid = ?"
        found = {id for id in found if db.one(sql, (match, id)) is not None}
    return found


def parse_query(text: str) -> Query:
    """Return the parsed query; raise QueryError also where SQLite would refuse it, which bounds patterns and
    the depth of conditions."""
    query = parse(text)
    starts = sorted([term.start for term in query.terms] + [each.start for each in query.filters])
    if len(starts) > _MAX_PARTS:
        raise wording.too_many_parts(_MAX_PARTS, len(starts), starts[_MAX_PARTS], len(text))
    if len(text) > _MAX_LENGTH:
        raise wording.too_long(_MAX_LENGTH, len(text))
    return query


def _floor(db: Database, match: str, where: str, bindings: list[SqlValue]) -> int:
    """Return the row from which on matches are ranked: the MAX_RANKEDth newest that passes, 0 for all."""
    matches = "SELECT rowid FROM words WHERE words MATCH ? LIMIT ?"
    if db.one(f"SELECT count(*) FROM ({matches})", (match, MAX_RANKED + 1)) <= MAX_RANKED:
        return 0
    newest = db.rows(
        "SELECT words.rowid FROM words CROSS JOIN memories m ON m.id = words.rowid "
        f"WHERE words MATCH ? AND {where} ORDER BY words.rowid DESC LIMIT ?",
        (match, *bindings, MAX_RANKED + 1),
    )
    return int(newest[MAX_RANKED - 1][0]) if len(newest) > MAX_RANKED else 0
