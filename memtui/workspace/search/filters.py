"""The filters of a query as a condition in SQL on `m`, a row of memories (S-31).

Some conditions call functions that every connection of the workspace defines (`db/sql_functions.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.query import ranges
from memtui.memory.query.language import FILTERS, Filter, Query, Term
from memtui.values import SqlValue
from memtui.workspace.db.pair_status import members, states
from memtui.workspace.db.sql_functions import FINGERPRINT, LABEL, SECRET
from memtui.workspace.journal.arrivals import NEW
from memtui.workspace.journal.removals import REMOVED

Condition: TypeAlias = tuple[str, list[SqlValue]]  # SQL, and the values of its parameters

SHOWN = "m.shown AND m.removed_at IS NULL"
DAY = 86_400.0
STALE = 90 * DAY

# The time since which an unused memory has not been used.
CREATED = "coalesce(m.created_at, m.event_time, m.updated_at, m.seen_at)"
# What a memory's strength depends on, in the order of `decay.inputs.Strengths`, besides format and time.
# A half-life that a rule sets is kept as the text of its action, "half-life=90d".
HALF_LIFE = (
    "(SELECT CAST(substr(h.done, 11) AS REAL) FROM rule_settings h "
    "WHERE h.memory_id = m.id AND h.action = 'half-life')"
)
STRENGTH_FIELDS = (
    f"m.confidence, m.importance, m.times_used, {CREATED}, m.last_used_at, m.last_confirmed_at, "
    f"m.valid_from, m.live, m.pinned, coalesce(m.category, m.kind), {HALF_LIFE}"
)
_LABEL = f"{LABEL}((SELECT format FROM stores WHERE id = m.store_id), ?, {STRENGTH_FIELDS})"
_BY_USE = "CASE WHEN m.times_used >= 10 THEN 'hot' WHEN m.times_used >= 3 THEN 'warm' ELSE 'cold' END"
# Heat is Base Coat's; its older files do not have it.
_HEAT = (
    "coalesce(m.heat, CASE WHEN m.store_id IN (SELECT id FROM stores WHERE format = 'base-coat') "
    f"THEN {_BY_USE} END)"
)

# A subject without case and separators, as `normalize_name` has it for ASCII letters: equal texts about two
# entities are no duplicates.
_THING = "lower(replace(replace(replace(coalesce(subject, ''), ' ', ''), '-', ''), '_', ''))"
# In an open pair, or with the text of another memory, which needs no scan, unless the user settled that pair.
# Each live memory's fingerprint is computed once and grouped: memories are not compared with each other.
_DUPLICATE = (
    f"m.live = 1 AND (m.id IN ({members(DUPLICATE, 'open')}) OR m.id IN (WITH texts AS MATERIALIZED "
    f"(SELECT id, {_THING} AS thing, {FINGERPRINT}(content) AS fingerprint FROM memories WHERE +live = 1) "
    "SELECT id FROM texts WHERE (thing, fingerprint) IN (SELECT thing, fingerprint FROM texts "
    "WHERE fingerprint IS NOT NULL GROUP BY thing, fingerprint HAVING count(*) > 1)) "
    f"AND m.id NOT IN ({members(DUPLICATE, 'settled', 'later')}))"
)
# Relations of stores and of the user that say two memories contradict each other count until the pair is
# settled; one end may dangle.
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
_PAIRED = {"duplicate": _DUPLICATE, "contradicted": _CONTRADICTED}
# In a pair that Review lists as open, as the signs of the list and the counts of its headings have it.
_FLAGGED = (
    f"SELECT iif(side, a, b) FROM ({states()}), (SELECT 0 AS side UNION ALL SELECT 1) WHERE state = 'open'"
)
_RELATED = (
    "m.anchor <> '' AND (EXISTS (SELECT 1 FROM relations r WHERE r.store_id = m.store_id "
    "AND r.source = m.anchor) OR EXISTS (SELECT 1 FROM relations r WHERE r.store_id = m.store_id "
    "AND r.target = m.anchor)) OR m.id IN (SELECT source_id FROM local_relations) "
    "OR m.uid IN (SELECT target FROM local_relations)"
)


def conditions(query: Query, live: bool, now: float) -> Condition:
    """Return the filters and negated words as a condition on `m`. With `live`, only live memories match
    unless the query itself asks for a status."""
    removed = any(f.name == "is" and f.value == "removed" and not f.negated for f in query.filters)
    parts: list[str] = ["m.shown" if removed else SHOWN]
    bindings: list[SqlValue] = []
    if live and not query.mentions_status:
        parts = ["m.live = 1"]
    for name in dict.fromkeys(each.name for each in query.filters):
        distinct = {(each.value, each.negated): each for each in query.filters if each.name == name}
        found = [(each.negated, *_condition(each, now)) for each in distinct.values()]
        wanted = [sql for negated, sql, _ in found if not negated]
        parts += [f"NOT coalesce({sql}, 0)" for negated, sql, _ in found if negated]
        bindings += [value for negated, _, values in found if negated for value in values]
        if wanted:
            # A memory has one store, one category, …: two of them in a query mean either.
            all_of = name in _MULTIPLE or FILTERS[name].form
            parts.append(f"({(' AND ' if all_of else ' OR ').join(wanted)})")
            bindings += [value for negated, _, values in found if not negated for value in values]
    for term in query.terms:
        if term.negated:
            parts.append("m.id NOT IN (SELECT rowid FROM words WHERE words MATCH ?)")
            bindings.append(fts_term(term))
    return " AND ".join(parts), bindings


def fts_query(query: Query) -> str:
    """Return the expression for the full-text index; "" if the query asks for no words."""
    return " ".join(fts_term(term) for term in query.terms if not term.negated)


def fts_term(term: Term) -> str:
    """Return a term as the full-text index takes it, whatever characters it has."""
    return '"' + term.text.replace('"', '""') + '"' + ("*" if term.prefix else "")


def has_secret() -> str:
    """Return the condition that a memory has a secret: as the sweep found it, or in texts that it has not
    searched yet, which is slow; so it is only done for those with a sign or a long word, of which every
    secret has one."""
    from memtui.memory.secrets import LETTERS, SIGNS

    signs = SIGNS.replace("'", "''")
    return (
        "(CASE WHEN m.id NOT IN (SELECT memory_id FROM secret_queue) THEN "
        "m.id IN (SELECT memory_id FROM secrets) ELSE "
        "EXISTS (SELECT 1 FROM (SELECT m.content || char(10) || coalesce(m.title, '') || char(10) || "
        "coalesce(m.value, '') || char(10) || coalesce(m.note, '') || char(10) || "
        "coalesce(m.source_excerpt, '') AS text LIMIT 1) "
        f"WHERE (text GLOB '*[{signs}]*' OR text GLOB '*{'[A-Za-z]' * LETTERS}*') AND {SECRET}(text)) END)"
    )


def like_pattern(value: str) -> str:
    """Return a value as a LIKE pattern in which only `*` has a meaning: anything."""
    escaped = value.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return escaped.replace("*", "%")


def _condition(each: Filter, now: float) -> Condition:
    """Return the condition of one filter, not negated."""
    spec = FILTERS[each.name]
    if spec.form:
        return _within(each.name, ranges.parse(spec.form, each.value, now))
    if each.name in _COLUMNS:
        return f"{_COLUMNS[each.name]} LIKE ? ESCAPE '\\'", [like_pattern(each.value)]
    return _OTHERS[each.name](each.value, now)


def _within(name: str, span: ranges.Span) -> Condition:
    column, also = _MEASURES[name]
    bounds = [(f"{column} {sign} ?", end) for sign, end in zip((">=", "<"), span, strict=True)]
    given = [(sql, end) for sql, end in bounds if end is not None]
    return " AND ".join([sql for sql, _ in given] + also), [end for _, end in given]


def _store(value: str, now: float) -> Condition:
    pattern = like_pattern(value)
    return (
        "m.store_id IN (SELECT id FROM stores WHERE name LIKE ? ESCAPE '\\' OR format LIKE ? ESCAPE '\\' "
        "OR name LIKE '%:' || ? ESCAPE '\\')",
        [pattern, pattern, pattern],
    )


def _tag(value: str, now: float) -> Condition:
    return "EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value LIKE ? ESCAPE '\\')", [like_pattern(value)]


def _source(value: str, now: float) -> Condition:
    pattern = like_pattern(value)
    return "(m.source_type LIKE ? ESCAPE '\\' OR m.source_ref LIKE ? ESCAPE '\\')", [pattern, pattern]


def _label(value: str, now: float) -> Condition:
    # The function is slow, so rows that cannot match are excluded first.
    possible = "1" if value == "archived" else "m.live = 1"
    return f"({possible} AND {_LABEL} = ?)", [now, value]


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
        return has_secret(), []
    if value == "flagged":
        return f"m.id IN ({_FLAGGED})", [now]
    if value in _PAIRED:
        return f"({_PAIRED[value]})", [now] * 2
    sql = {
        "pinned": "m.pinned = 1",
        "live": "m.live = 1",
        "new": f"m.id IN ({NEW})",
        "pending": "m.status = 'pending'",
        "removed": REMOVED,
    }
    return sql[value], []


def _has(value: str, now: float) -> Condition:
    sql = {
        "relation": f"({_RELATED})",
        "tag": "m.tags <> '[]'",
        "note": "m.note <> ''",
        "source": "(m.source_type <> '' OR m.source_ref <> '' OR m.source_excerpt <> '')",
        "expiry": "m.expires_at IS NOT NULL",
    }
    return sql[value], []


_MULTIPLE = ("tag", "is", "has")  # filters of which a memory may match several
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
# What is measured, and what must hold besides.
_MEASURES: dict[str, tuple[str, list[str]]] = {
    "conf": (f"round(m.confidence * {ranges.SHARES})", []),
    "used": ("m.times_used", []),
    "created": ("m.created_at", []),
    # Recency has an index, and is this time wherever the store has one.
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
