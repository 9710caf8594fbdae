"""The queue of Review: pairs with their current state and verdicts (S-42, S-43)."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, LATER, Decision, Pair
from memtui.memory.contradictions.queue import QueueCounts
from memtui.memory.memory import raw_label_of
from memtui.memory.secrets.masking import Masking, hidden
from memtui.values import SqlRow, SqlValue
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.pair_status import states
from memtui.workspace.search.filters import like_pattern
from memtui.workspace.secrets.found import SUSPECT

if TYPE_CHECKING:
    from memtui.workspace.context import Context

ESCALATES_AFTER = 7 * 86_400.0  # seconds that a pair is open
# The whole queue in one query: state, stores and labels of each pair, and whether it may have a secret.
_NAMED = (
    "SELECT s.*, {suspect}, sa.name, sb.name, ma.title, ma.subject, substr(ma.content, 1, 300), mb.title, "
    "mb.subject, substr(mb.content, 1, 300) FROM ({states}) s "
    "JOIN memories ma ON ma.id = s.a JOIN stores sa ON sa.id = ma.store_id "
    "JOIN memories mb ON mb.id = s.b JOIN stores sb ON sb.id = mb.store_id WHERE {wanted}"
)
_SUSPECT = f"({SUSPECT.format('s.a')} OR {SUSPECT.format('s.b')})"
_OF_STORE = (
    "EXISTS (SELECT 1 FROM memories m JOIN stores s ON s.id = m.store_id WHERE m.id IN (p.a, p.b) "
    "AND (s.name LIKE ? ESCAPE '\\' OR s.format LIKE ? ESCAPE '\\' OR s.name LIKE '%:' || ? ESCAPE '\\'))"
)
# Of the memories that wait for the scan, those that count. Here, since the queue is read by processes that
# never scan, and importing `scan` compiles all patterns of the detectors.
QUEUED_LIVE = "memory_id IN (SELECT id FROM memories WHERE live = 1)"


def queued(ctx: Context) -> int:
    """Return how many live memories wait for the scan."""
    return int(ctx.db.one(f"SELECT count(*) FROM scan_queue WHERE {QUEUED_LIVE}"))


def listed(
    ctx: Context,
    *,
    family: str = "",
    kind: str = "",
    store: str = "",
    state: str = "open",
    memories: Collection[int] | None = None,
) -> list[Pair]:
    """Return pairs, escalated first, then contradictions, then by score; `state` "" is all. With `memories`,
    those of which one is among these.

    `store` is matched like the filter `store:`.
    """
    where: list[str] = []
    values: list[SqlValue] = []
    for column, wanted in (("p.family", family), ("p.kind", kind)):
        if wanted:
            where.append(f"{column} = ?")
            values.append(wanted)
    if store:
        where.append(_OF_STORE)
        values += [like_pattern(store)] * 3
    if memories is not None:
        # Two lists of ids, so that the index of each end is used.
        ends = (f"SELECT id FROM pairs WHERE {end} IN (SELECT value FROM json_each(?))" for end in "ab")
        where.append(f"p.id IN ({' UNION ALL '.join(ends)})")
        values += [json.dumps(list(memories))] * 2
    found = _read(ctx, " AND ".join(where) or "1", values, state)
    return sorted(found, key=lambda p: (not p.escalated, p.family != CONTRADICTION, -p.score, p.id))


def row(ctx: Context, id: int) -> Pair | None:
    """Return one pair in whatever state; None if there is none."""
    return next(iter(_read(ctx, "p.id = ?", [id], "")), None)


def state(ctx: Context) -> QueueCounts:
    """Return the queue in numbers."""
    now = ctx.clock()
    late = now - ESCALATES_AFTER
    with translate_errors(ctx.path):
        opened, same, escalated, later = ctx.db.rows(
            "SELECT count(*) FILTER (WHERE state = 'open'), count(*) FILTER (WHERE state = 'open' AND "
            "family = ?), count(*) FILTER (WHERE state = 'open' AND since < ?), "
            f"count(*) FILTER (WHERE state = 'later') FROM ({states()})",
            (DUPLICATE, late, now),
        )[0]
        today = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
        settled = ctx.db.one(
            "SELECT count(*) FROM (SELECT DISTINCT a, b FROM verdicts WHERE at >= ? AND verdict <> ?)",
            (today, LATER),
        )
        return QueueCounts(opened, escalated, later, int(settled), queued(ctx), same)


def _read(ctx: Context, where: str, values: list[SqlValue], wanted: str) -> list[Pair]:
    now = ctx.clock()
    found = states(where, "n.clause_a, n.clause_b")
    sql = _NAMED.format(states=found, suspect=_SUSPECT, wanted="state = ?" if wanted else "1")
    with translate_errors(ctx.path):
        rows = ctx.db.rows(sql, (now, *values, *([wanted] if wanted else [])))
    return [_pair(row, now) for row in rows]


def _pair(row: SqlRow, now: float) -> Pair:
    (id, a, b, family, kind, score, words_a, words_b, reason, topic, clause_a, clause_b, found_at, _, holds,
     verdict, at, actor, note, until, entry_id, _, _, state, since, suspect, store_a,
     store_b, *texts) = row  # fmt: skip
    # A verdict that led to the current texts is shown although it no longer holds.
    is_shown = verdict is not None and (holds or state == "over")
    words, clauses = (words_a, words_b), (clause_a, clause_b)
    labels, note = (_label(*texts[:3]), _label(*texts[3:])), hidden(note or "")
    if suspect:  # what is a secret in a text is one in the words that were taken from it, too
        found = words, reason, topic, clauses, note, labels
        words, reason, topic, clauses, note, labels = Masking().of(found, *(each for each in texts if each))
    return Pair(
        id=id,
        a=a,
        b=b,
        family=family,
        kind=kind,
        score=score,
        words=words,
        reason=reason,
        topic=topic,
        found_at=found_at,
        state=state,
        escalated=state == "open" and since < now - ESCALATES_AFTER,
        decision=Decision(verdict, at, actor, note and hidden(note), until, entry_id) if is_shown else None,
        labels=labels,
        stores=(store_a, store_b),
        clauses=clauses,
    )


def _label(title: str | None, subject: str | None, content: str) -> str:
    """Return the list label with the subject in front, so that two memories can be told apart at a glance.

    It is masked once it is put together: where a part of it was, the rest would no longer be recognized."""
    label = raw_label_of(title, subject, content)
    if title or not subject or label.casefold().startswith(subject.casefold()):
        return label
    return f"{subject}: {label}"
