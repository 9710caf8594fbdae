"""Words search and lists (S-30 … S-32): the query tree as SQL, bounded as LIMITS 9 says.

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
from memtui.memory.query.language import Query, parse
from memtui.memory.results import Hits
from memtui.workspace.search.filters import conditions, match_of

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

CAP = 3_000
FIRST, PART = 1_000, 20_000  # ids of the first part of a list, and of each later one
PARTS, LENGTH = 200, 10_000  # of a query
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
SORT_WORDS = {
    "newest": "newest first",
    "oldest": "oldest first",
    "confidence": "surest first",
    "used": "most used first",
    "expiry": "first to expire first",
    "title": "by title",
    "store": "by store",
}


def search(db: Database, text: str, *, live: bool, sort: str = "", now: float) -> Hits:
    """The rows that match, best first (or by `sort`); QueryError points at a part that is wrong."""
    ids = array("q")
    for hits in listing(db, text, live=live, sort=sort, now=now):
        ids.extend(hits.ids)
    return Hits(ids, len(ids), hits.how, hits.capped)


def listing(db: Database, text: str, *, live: bool, sort: str = "", now: float) -> Generator[Hits]:
    """The same in parts, the first one soon: a list of a million is on the screen before it is
    whole. `more` tells whether another part follows; all belong to one moment and one thread."""
    query = understood(text)
    where, values = conditions(query, live, now)
    match = match_of(query)
    if query.empty and text.strip(' "-'):
        yield Hits(array("q"), 0, "no word or filter in it")
        return
    if not match:
        order = sort or "newest"
        sql = f"SELECT m.id FROM memories m WHERE {where} ORDER BY {SORTS[order]}"
        yield from _in_parts(db, sql, values, SORT_WORDS[order])
        return
    floor = 0 if sort else _floor(db, match, where, values)
    # One letter says too little to rank by, and to rank by it would cost by all its matches.
    letter = floor > 0 and len(query.terms) == 1 and len(query.terms[0].text) == 1
    order = SORTS[sort] if sort else "m.id DESC" if letter else f"bm25(words, {_WEIGHTS}), m.id DESC"
    sql = (
        "SELECT m.id FROM words JOIN memories m ON m.id = words.rowid "
        f"WHERE words MATCH ? AND words.rowid >= ? AND {where} ORDER BY {order}"
    )
    how = "by words" if not sort else f"by words, {SORT_WORDS[sort]}"
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


def matching(db: Database, text: str, ids: Sequence[int], *, live: bool, now: float) -> set[int]:
    """Which of these rows match; cheap however many there are in all."""
    query = understood(text)
    where, values = conditions(query, live, now)
    match = match_of(query)
    of = json.dumps(list(ids))
    sql = f"SELECT m.id FROM memories m WHERE m.id IN (SELECT value FROM json_each(?)) AND {where}"
    found = {row[0] for row in db.rows(sql, (of, *values))}
    if match:
        sql = "SELECT rowid FROM words WHERE words MATCH ? AND rowid = ?"
        found = {id for id in found if db.one(sql, (match, id)) is not None}
    return found


def understood(text: str) -> Query:
    """The query that `text` spells; QueryError also where SQLite would give up, since it bounds
    patterns, and how deep conditions nest."""
    query = parse(text)
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
    return query


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
