"""How many memories match each of several queries of filters, in one statement (S-32)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.query.language import Query
from memtui.values import SqlValue
from memtui.workspace.context import Context
from memtui.workspace.decay.labels import fading_count
from memtui.workspace.search.filters import conditions
from memtui.workspace.search.lexical import parse_query


def match_counts(ctx: Context, texts: Sequence[str], *, live: bool) -> list[int]:
    """Return for each query how many memories a search would list; QueryError points at a syntax error.

    The queries have filters only. What fades depends on formulas of Python, which are computed over arrays.
    """
    now = ctx.clock()
    found: dict[int, int] = {}
    parts: list[str] = []
    bindings: list[SqlValue] = []
    for place, text in enumerate(texts):
        query = parse_query(text)
        if _is_fading(query):
            found[place] = fading_count(ctx, now)
            continue
        where, values = conditions(query, live, now)
        parts.append(f"(SELECT count(*) FROM memories m WHERE {where})")
        bindings += values
    counts = iter(ctx.db.rows(f"SELECT {', '.join(parts)}", bindings)[0] if parts else ())
    return [found[place] if place in found else next(counts) for place in range(len(texts))]


def _is_fading(query: Query) -> bool:
    filters = [(each.name, each.value, each.negated) for each in query.filters]
    return not query.terms and filters == [("is", "fading", False)]
