"""What a query asks for as a condition in SQL on `m`, a row of memories (S-31).

Some conditions call functions that SQLite lacks; every connection of the workspace has them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.query import ranges
from memtui.memory.query.language import FILTERS, Filter, Query, Term
from memtui.workspace.db.pair_status import members, states
from memtui.workspace.db.sql_functions import GIST, LABEL, SECRET

Condition = tuple[str, list[Any]]  # SQL, and the values of its question marks

SHOWN = "m.shown AND m.removed_at IS NULL"
DAY = 86_400.0
STALE = 90 * DAY

CREATED = "coalesce(m.created_at, m.event_time, m.updated_at, m.seen_at)"  # never used counts from it
# What a memory's strength hangs on, as `ageing.Strengths` takes it behind its store's format and the time.
STRENGTH_FIELDS = (
    f"m.confidence, m.importance, m.times_used, {CREATED}, m.last_used_at, m.last_confirmed_at, "
    "m.valid_from, m.live, m.pinned, coalesce(m.category, m.kind)"
)
_LABEL = f"{LABEL}((SELECT format FROM stores WHERE id = m.store_id), ?, {STRENGTH_FIELDS})"
_BY_USE = "CASE WHEN m.times_used >= 10 THEN 'hot' WHEN m.times_used >= 3 THEN 'warm' ELSE 'cold' END"
# Heat is Base Coat's; its older files do not tell it.
_HEAT = (
    "coalesce(m.heat, CASE WHEN m.store_id IN (SELECT id FROM stores WHERE format = 'base-coat') "
    f"THEN {_BY_USE} END)"
)

# What two entities share is no repetition: as `subjects.normalize_name` has it, for ASCII letters.
_THING = "lower(replace(replace(replace(coalesce(subject, ''), ' ', ''), '-', ''), '_', ''))"
# In an open pair; or the same text, which needs no comparing, unless a person has said something of that.
# Each live memory's gist once, then those that share one: no memory is held against another.
_DUPLICATE = (
    f"m.live = 1 AND (m.id IN ({members(DUPLICATE, 'open')}) OR m.id IN (WITH said AS MATERIALIZED "
    f"(SELECT id, {_THING} AS thing, {GIST}(content) AS gist FROM memories WHERE +live = 1) "
    "SELECT id FROM said WHERE (thing, gist) IN "
    "(SELECT thing, gist FROM said WHERE gist IS NOT NULL GROUP BY thing, gist HAVING count(*) > 1)) "
    f"AND m.id NOT IN ({members(DUPLICATE, 'settled', 'later')}))"
)
# What a store or a person says of two memories holds until that pair is settled; one name may dangle.
_MARKS = (
    "SELECT s.id AS one, t.id AS other FROM relations r "
    "LEFT JOIN memories s ON s.store_id = r.store_id AND s.anchor = r.source AND s.anchor <> '' "
    "LEFT JOIN memories t ON t.store_id = r.store_id AND t.anchor = r.target AND t.anchor <> '' "
    "WHERE r.kind LIKE '%contradict%' UNION ALL SELECT e.source_id, t.id FROM local_relations e "
    "LEFT JOIN memories t ON t.uid = e.target WHERE e.kind LIKE '%contradict%'"
)
_CONTRADICTED = (
    f"m.id IN ({members(CONTRADICTION, 'open')}) OR m.id IN (SELECT iif(side, one, other) FROM ("
    f"SELECT * FROM ({_MARKS}) WHERE (min(one, other), max(one, other)) NOT IN "
    f"(SELECT a, b FROM ({states()}) WHERE state IN ('settled', 'later')) "
    "OR one IS NULL OR other IS NULL), (SELECT 0 AS side UNION ALL SELECT 1))"
)
_RELATED = (
    "m.anchor <> '' AND (EXISTS (SELECT 1 FROM relations r WHERE r.store_id = m.store_id "
    "AND r.source = m.anchor) OR EXISTS (SELECT 1 FROM relations r WHERE r.store_id = m.store_id "
    "AND r.target = m.anchor)) OR m.id IN (SELECT source_id FROM local_relations) OR m.uid IN (SELECT target FROM local_relations)"
)


def conditions(query: Query, live: bool, now: float) -> Condition:
    """The filters and negated words as a condition on `m`. With `live`, only live memories answer
    unless the query itself says which statuses it wants."""
    removed = any(f.name == "is" and f.value == "removed" and not f.negated for f in query.filters)
    parts: list[str] = ["m.shown" if removed else SHOWN]
    values: list[Any] = []
    if live and not query.mentions_status:
        parts = ["m.live = 1"]
    for name in dict.fromkeys(each.name for each in query.filters):
        same = {(each.value, each.negated): each for each in query.filters if each.name == name}
        asked = [(each.negated, *_condition(each, now)) for each in same.values()]
        wanted = [sql for negated, sql, _ in asked if not negated]
        parts += [f"NOT coalesce({sql}, 0)" for negated, sql, _ in asked if negated]
        values += [value for negated, _, more in asked if negated for value in more]
        if wanted:
            # A memory has one store, one category, …: naming two asks for either.
            many = name in _MANY or FILTERS[name].form
            parts.append(f"({(' AND ' if many else ' OR ').join(wanted)})")
            values += [value for negated, _, more in asked if not negated for value in more]
    for term in query.terms:
        if term.negated:
            parts.append("m.id NOT IN (SELECT rowid FROM words WHERE words MATCH ?)")
            values.append(quoted(term))
    return " AND ".join(parts), values


def match_of(query: Query) -> str:
    """What the words index is asked for; "" where the query wants no words."""
    return " ".join(quoted(term) for term in query.terms if not term.negated)


def quoted(term: Term) -> str:
    """A term as the words index takes it, whatever it holds."""
    return '"' + term.text.replace('"', '""') + '"' + ("*" if term.prefix else "")


@cache
def _holds_secret() -> str:
    """The function is slow beside a pattern: it is only asked of what holds a piece of some secret."""
    from memtui.memory.secrets import PIECES

    asked: dict[str, list[str]] = {}
    for piece in PIECES:  # prose mostly lacks these marks: one look then stands for many
        mark = next((mark for mark in "_-=" if mark in piece), "")
        pattern = piece.replace("_", "\\_")
        asked.setdefault(mark, []).append(f"said LIKE '%{pattern}%' ESCAPE '\\'")
    return (
        "EXISTS (SELECT 1 FROM (SELECT m.content || char(10) || coalesce(m.title, '') || char(10) || "
        "coalesce(m.value, '') || char(10) || coalesce(m.note, '') || char(10) || "
        "coalesce(m.source_excerpt, '') AS said LIMIT 1) "
        "WHERE (said GLOB '*[3-6][0-9][0-9][0-9][-0-9 ][0-9]*' OR "
        + " OR ".join(f"(instr(said, '{mark}') AND ({' OR '.join(each)}))" for mark, each in asked.items())
        + f") AND {SECRET}(said))"
    )


def glob(value: str) -> str:
    """A value as a LIKE pattern: `*` is anything, the rest stands for itself."""
    escaped = value.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return escaped.replace("*", "%")


def _condition(each: Filter, now: float) -> Condition:
    """One filter, as if it were not negated."""
    spec = FILTERS[each.name]
    if spec.form:
        return _within(each.name, ranges.read(spec.form, each.value, now))
    if each.name in _COLUMNS:
        return f"{_COLUMNS[each.name]} LIKE ? ESCAPE '\\'", [glob(each.value)]
    return _OTHERS[each.name](each.value, now)


def _within(name: str, span: ranges.Span) -> Condition:
    column, more = _MEASURES[name]
    bounds = [(f"{column} {sign} ?", end) for sign, end in zip((">=", "<"), span, strict=True)]
    given = [(sql, end) for sql, end in bounds if end is not None]
    return " AND ".join([sql for sql, _ in given] + more), [end for _, end in given]


def _store(value: str, now: float) -> Condition:
    pattern = glob(value)
    return (
        "m.store_id IN (SELECT id FROM stores WHERE name LIKE ?1 ESCAPE '\\' OR format LIKE ?1 ESCAPE '\\' "
        "OR name LIKE '%:' || ?1 ESCAPE '\\')".replace("?1", "?"),
        [pattern, pattern, pattern],
    )


def _tag(value: str, now: float) -> Condition:
    return "EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value LIKE ? ESCAPE '\\')", [glob(value)]


def _source(value: str, now: float) -> Condition:
    pattern = glob(value)
    return "(m.source_type LIKE ? ESCAPE '\\' OR m.source_ref LIKE ? ESCAPE '\\')", [pattern, pattern]


def _label(value: str, now: float) -> Condition:
    # The function is slow beside a look at what cannot be meant.
    may = "1" if value == "archived" else "m.live = 1"
    return f"({may} AND {_LABEL} = ?)", [now, value]


def _is(value: str, now: float) -> Condition:
    if value == "fading":
        return _label(value, now)
    if value == "snoozed":
        return "m.snoozed_until > ?", [now]
    if value == "stale":
        return (
            "(m.recency < ? AND coalesce(m.last_used_at < ?, 1) AND coalesce(m.last_confirmed_at < ?, 1) "
            "AND NOT m.pinned)",
            [now - STALE] * 3,
        )
    if value == "secret":
        return _holds_secret(), []
    if value in _PAIRED:
        return f"({_PAIRED[value]})", [now] * 2
    held = {
        "pinned": "m.pinned = 1",
        "live": "m.live = 1",
        "pending": "m.status = 'pending'",
        "removed": "m.removed_at IS NOT NULL",
    }
    return held[value], []


_PAIRED = {"duplicate": _DUPLICATE, "contradicted": _CONTRADICTED}


def _has(value: str, now: float) -> Condition:
    held = {
        "relation": f"({_RELATED})",
        "tag": "m.tags <> '[]'",
        "note": "m.note <> ''",
        "source": "(m.source_type <> '' OR m.source_ref <> '' OR m.source_excerpt <> '')",
        "expiry": "m.expires_at IS NOT NULL",
    }
    return held[value], []


_MANY = ("tag", "is", "has")  # a memory may have several of these
_COLUMNS = {
    "owner": "m.owner",
    "scope": "m.scope",
    "kind": "m.kind",
    "category": "m.category",
    "subject": "m.subject",
    "key": "m.key",
    "company": "m.company_id",
    "tier": "m.tier",
    "heat": _HEAT,
}
# What is measured, and what must hold beside it.
_MEASURES: dict[str, tuple[str, list[str]]] = {
    "conf": (f"round(m.confidence * {ranges.SHARES})", []),
    "used": ("m.times_used", []),
    "created": ("m.created_at", []),
    # Recency has an index, and is this time wherever the store tells one.
    "updated": ("m.recency", ["coalesce(m.updated_at, m.created_at) IS NOT NULL"]),
    "expires": ("m.expires_at", []),
}
_OTHERS: dict[str, Callable[[str, float], Condition]] = {
    "store": _store,
    "status": lambda value, now: ("m.status = ?", [value]),
    "tag": _tag,
    "source": _source,
    "label": _label,
    "is": _is,
    "has": _has,
}
