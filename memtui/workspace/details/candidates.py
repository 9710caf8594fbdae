"""The memories of an export with what its budget goes by: strength, and open pairs with others (S-71)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, MAYBE
from memtui.memory.secrets.masking import Masking
from memtui.memory.selection.candidate import Candidate
from memtui.workspace.context import Context
from memtui.workspace.db.pair_status import states
from memtui.workspace.decay.inputs import Strengths
from memtui.workspace.details import masked
from memtui.workspace.mirror import memory_rows
from memtui.workspace.search.filters import STRENGTH_FIELDS

_PAGE = 2_000  # memories read at once


def load(
    ctx: Context, ids: Sequence[int], relevance: Mapping[int, float], masking: Masking | None = None
) -> list[Candidate]:
    """Return the memories of these rows in the given order, as `masking` shows them; `relevance` (0–1) is by
    row, if there is a query."""
    now, strengths = ctx.clock(), Strengths(ctx)
    pairs = _open_pairs(ctx, now)
    out: list[Candidate] = []
    for start in range(0, len(ids), _PAGE):
        page = ids[start : start + _PAGE]
        suspects = masked.suspects(ctx, page) if masking is not None else set()
        scores = _scores(ctx, page, strengths, now)
        for row in memory_rows.load(ctx.db, page):
            memory = row.memory
            if masking is not None:
                memory = masked.masked(memory, masking, suspect=row.id in suspects)
            uid = memory.uid
            out.append(
                Candidate(
                    memory,
                    relevance.get(row.id),
                    scores.get(row.id),
                    frozenset(pairs[CONTRADICTION].get(uid, ())),
                    frozenset(pairs[DUPLICATE].get(uid, ())),
                    row.id,
                )
            )
    return out


def _scores(ctx: Context, ids: Sequence[int], strengths: Strengths, now: float) -> dict[int, float | None]:
    sql = (
        f"SELECT m.id, s.format, {STRENGTH_FIELDS} FROM json_each(?) e "
        "JOIN memories m ON m.id = e.value JOIN stores s ON s.id = m.store_id"
    )
    rows = ctx.db.rows(sql, (json.dumps(list(ids)),))
    return {row[0]: strengths.of(row[1], now, *row[2:])[0] for row in rows}


def _open_pairs(ctx: Context, now: float) -> dict[str, dict[str, set[str]]]:
    """Return, by family, the uids of memories that are in an open pair, with those of the others in it.

    Of a pair that is only maybe a duplicate, each may say something that the other does not.
    """
    sql = (
        f"SELECT t.family, one.uid, other.uid FROM ({states()}) t "
        "JOIN memories one ON one.id = t.a JOIN memories other ON other.id = t.b "
        f"WHERE t.state = 'open' AND t.kind <> '{MAYBE}'"
    )
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for family, a, b in ctx.db.rows(sql, (now,)):
        found[family][a].add(b)
        found[family][b].add(a)
    return found
