"""What an agent was given by recall that no longer holds (S-34, S-84)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memtui.memory.agents.figures import CONTRADICTED, DISMISSED, REMOVED, REPLACED, Overtaken
from memtui.memory.contradictions.pairs import CONTRADICTION
from memtui.memory.memory import label_of
from memtui.values import SqlRow
from memtui.workspace.agents.figures import AGENT
from memtui.workspace.contradictions import queue

if TYPE_CHECKING:
    from memtui.workspace.context import Context

RECALLS = 1_000  # of an agent, its last ones, that are looked at
# A window of the log, as arrays of ids.
_GIVEN = (
    "SELECT e.value, max(r.at) FROM (SELECT at, results FROM recall_log WHERE actor = ? "
    f"ORDER BY id DESC LIMIT {RECALLS}) r, json_each(r.results) e GROUP BY e.value"
)
_ROWS = (
    "SELECT m.id, m.uid, m.title, m.subject, m.content, m.status, o.uid, o.title, o.subject, o.content "
    "FROM memories m LEFT JOIN memories o ON o.uid = m.superseded_by "
    "WHERE m.id IN (SELECT value FROM json_each(?)) "
    "AND (m.status IN ('superseded', 'dismissed') OR m.removed_at IS NOT NULL)"
)
_UIDS = "SELECT id, uid FROM memories WHERE id IN (SELECT value FROM json_each(?))"


def overtaken(ctx: Context, agent: str) -> list[Overtaken]:
    """Return what the agent's last `RECALLS` recalls gave it that was replaced, dismissed or removed, or is
    openly contradicted since, the last given first; a memory once."""
    given = {int(id): float(at) for id, at in ctx.db.rows(_GIVEN, (f"{AGENT}{agent}",))}
    gone = ctx.db.rows(_ROWS, (json.dumps(list(given)),))
    found = {row[0]: _out_of_use(row, given[row[0]]) for row in gone}
    pairs = queue.listed(ctx, family=CONTRADICTION, memories=given)
    uids: dict[int, str] = dict(
        ctx.db.rows(_UIDS, (json.dumps([id for pair in pairs for id in (pair.a, pair.b)]),))
    )
    for pair in pairs:
        sides = ((pair.a, pair.labels[0]), (pair.b, pair.labels[1]))
        for (id, label), (other, other_label) in zip(sides, sides[::-1], strict=True):
            if id in given and id not in found and pair.found_at > given[id]:
                found[id] = Overtaken(
                    *(uids[id], label, CONTRADICTED, given[id]), other=uids[other], other_label=other_label
                )
    return sorted(found.values(), key=lambda each: (-each.given, each.uid))


def _out_of_use(row: SqlRow, given: float) -> Overtaken:
    _, uid, title, subject, content, status, other, *texts = row
    cause = {"superseded": REPLACED, "dismissed": DISMISSED}.get(status, REMOVED)
    label = label_of(title, subject, content or "")
    if cause != REPLACED or other is None:
        return Overtaken(uid, label, cause, given)
    return Overtaken(uid, label, cause, given, other, label_of(texts[0], texts[1], texts[2] or ""))
