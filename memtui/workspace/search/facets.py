"""How many there are of what, among all that a query matches (S-32), and values to choose from (S-31)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from memtui.workspace.search.filters import SHOWN, conditions, match_of
from memtui.workspace.search.lexical import understood

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

COUNTED = 200_000  # matches
SCANNED = 20_000  # memories that are asked for values
MOST = 50  # values of each facet
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
    """By facet: values with their counts, the most frequent first; raw, so pass them through safe_text.
    Not `whole`: only the newest COUNTED matches were counted."""

    counts: dict[str, list[tuple[str, int]]]
    whole: bool = True


def counts(db: Database, text: str, *, live: bool, now: float) -> Facets:
    """What the query's matches are, by store, category, status, owner, tag and kind; QueryError
    points at a part that is wrong. One pass over the matches."""
    query = understood(text)
    where, values = conditions(query, live, now)
    columns = "SELECT m.store_id, m.category, m.status, m.owner, m.kind, m.tags FROM"
    if match := match_of(query):
        source = f"words JOIN memories m ON m.id = words.rowid WHERE words MATCH ? AND {where}"
        sql, values = f"{columns} {source} ORDER BY words.rowid DESC LIMIT ?", [match, *values]
    else:
        sql = f"{columns} memories m WHERE {where} ORDER BY m.recency DESC, m.id DESC LIMIT ?"
    rows = db.connection().execute(sql, (*values, COUNTED + 1))
    found = Counter(islice(rows, COUNTED))
    whole = next(rows, None) is None
    names: dict[int, str] = dict(db.rows("SELECT id, name FROM stores"))
    facets: dict[str, Counter[str]] = {name: Counter() for name in NAMES}
    for (store, category, status, owner, kind, tags), count in found.items():
        one = {
            "store": names.get(store),
            "category": category,
            "status": status,
            "owner": owner,
            "kind": kind,
        }
        for name, value in one.items():
            if value:
                facets[name][value] += count
        if tags != "[]":
            for tag in _tags(tags):
                facets["tag"][tag] += count
    return Facets({name: _most(found, MOST) for name, found in facets.items()}, whole)


def values(db: Database, name: str, beginning: str, *, live: bool, limit: int = 20) -> list[tuple[str, int]]:
    """What may stand behind a filter's colon, with counts, the most frequent first: the values that begin
    so among the newest SCANNED memories, however many there are in all (stores: every one). Raw, as
    stored: `completing.spelled` makes them typeable. Empty for a filter whose values are fixed."""
    if name not in _COLUMNS:
        return []
    shown, order = ("m.live = 1", "m.recency DESC, m.id DESC") if live else (SHOWN, "m.id DESC")
    sql = f"SELECT {_COLUMNS[name]} FROM memories m WHERE {shown} ORDER BY {order} LIMIT ?"
    found: Counter[str] = Counter()
    if name == "store":
        stores: dict[int, str] = dict(db.rows("SELECT id, name FROM stores WHERE detached_at IS NULL"))
        found.update(dict.fromkeys(stores.values(), 0))
    for row, count in Counter(db.connection().execute(sql, (SCANNED,))).items():
        for value in dict.fromkeys(row):
            if name == "store":
                found.update({stores[value]: count} if value in stores else {})
            elif value:
                found.update(dict.fromkeys(_tags(value) if name == "tag" else [value], count))
    low = beginning.casefold()
    return _most(Counter({one: n for one, n in found.items() if one.casefold().startswith(low)}), limit)


def _tags(text: str) -> set[str]:
    """The tags in a row's JSON, whatever stands there."""
    try:
        tags = json.loads(text)
    except ValueError:
        return set()
    return {tag for tag in tags if isinstance(tag, str) and tag} if isinstance(tags, list) else set()


def _most(found: Counter[str], limit: int) -> list[tuple[str, int]]:
    """The most frequent first; equally frequent ones by name."""
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))[:limit]
