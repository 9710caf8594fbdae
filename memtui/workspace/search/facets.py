"""Counts of a query's matches by store, category and so on (S-32), and values to choose from (S-31)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from memtui.workspace.search.filters import SHOWN, conditions, fts_query
from memtui.workspace.search.lexical import parse_query

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

MAX_COUNTED = 200_000  # matches
MAX_SCANNED = 20_000  # memories whose values are offered
MAX_VALUES = 50  # of each facet
NAMES = ("store", "category", "status", "owner", "tag", "kind")
_COLUMNS = {
    "store": "m.store_id",
    "owner": "m.owner",
    "category": "m.category",
    "tag": "m.tags",
    "subject": "m.subject",
    "key": "m.key",
    "source": "m.source_type, m.source_ref",
    "company": "m.company_id",
}


@dataclass(frozen=True, slots=True)
class Facets:
    """Values with their counts by facet, the most frequent first; raw text, to be passed through safe_text.

    If not `complete`, only the newest MAX_COUNTED matches were counted.
    """

    counts: dict[str, list[tuple[str, int]]]
    complete: bool = True


def counts(db: Database, text: str, *, live: bool, now: float) -> Facets:
    """Return the counts of a query's matches by the facets NAMES, in one pass; raise QueryError, which
    points at the faulty part."""
    query = parse_query(text)
    where, bindings = conditions(query, live, now)
    columns = "SELECT m.store_id, m.category, m.status, m.owner, m.kind, m.tags FROM"
    if match := fts_query(query):
        source = f"words JOIN memories m ON m.id = words.rowid WHERE words MATCH ? AND {where}"
        sql, bindings = f"{columns} {source} ORDER BY words.rowid DESC LIMIT ?", [match, *bindings]
    else:
        sql = f"{columns} memories m WHERE {where} ORDER BY m.recency DESC, m.id DESC LIMIT ?"
    rows = db.connection().execute(sql, (*bindings, MAX_COUNTED + 1))
    found = Counter(islice(rows, MAX_COUNTED))
    complete = next(rows, None) is None
    stores: dict[int, str] = dict(db.rows("SELECT id, name FROM stores"))
    facets: dict[str, Counter[str]] = {name: Counter() for name in NAMES}
    for (store_id, category, status, owner, kind, tags), count in found.items():
        values = {
            "store": stores.get(store_id),
            "category": category,
            "status": status,
            "owner": owner,
            "kind": kind,
        }
        for name, value in values.items():
            if value:
                facets[name][value] += count
        if tags != "[]":
            for tag in _tags(tags):
                facets["tag"][tag] += count
    return Facets({name: _most_frequent(counter, MAX_VALUES) for name, counter in facets.items()}, complete)


def values(db: Database, name: str, beginning: str, *, live: bool, limit: int = 20) -> list[tuple[str, int]]:
    """Return values of a filter that begin so, with counts, the most frequent first; none for a filter whose
    values are fixed.

    They are those of the newest MAX_SCANNED memories, for `store` all of them; raw, as stored:
    `completion.quote_value` makes them typeable.
    """
    if name not in _COLUMNS:
        return []
    shown, order = ("m.live = 1", "m.recency DESC, m.id DESC") if live else (SHOWN, "m.id DESC")
    sql = f"SELECT {_COLUMNS[name]} FROM memories m WHERE {shown} ORDER BY {order} LIMIT ?"
    found: Counter[str] = Counter()
    if name == "store":
        stores: dict[int, str] = dict(db.rows("SELECT id, name FROM stores WHERE detached_at IS NULL"))
        found.update(dict.fromkeys(stores.values(), 0))
    for row, count in Counter(db.connection().execute(sql, (MAX_SCANNED,))).items():
        for value in dict.fromkeys(row):
            if name == "store":
                found.update({stores[value]: count} if value in stores else {})
            elif value:
                found.update(dict.fromkeys(_tags(value) if name == "tag" else [value], count))
    low = beginning.casefold()
    matching = {value: count for value, count in found.items() if value.casefold().startswith(low)}
    return _most_frequent(Counter(matching), limit)


def _tags(text: str) -> set[str]:
    """Return the tags in a row's JSON, which may be anything."""
    try:
        tags = json.loads(text)
    except ValueError:
        return set()
    return {tag for tag in tags if isinstance(tag, str) and tag} if isinstance(tags, list) else set()


def _most_frequent(found: Counter[str], limit: int) -> list[tuple[str, int]]:
    """Return the most frequent values, equally frequent ones by name."""
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))[:limit]
