"""The rows of lists: one query for a window of memories."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memtui.memory.memory import MemoryRow, line_of, raw_label_of, uncut
from memtui.memory.secrets.masking import Masking
from memtui.workspace.context import Context
from memtui.workspace.db.pair_status import states
from memtui.workspace.decay.inputs import Strengths
from memtui.workspace.details import masked
from memtui.workspace.journal.arrivals import NEW
from memtui.workspace.search.filters import STRENGTH_FIELDS, has_secret

# Raw SQL, since a window is read for each scroll step; only the beginning of a text is shown.
_ROW = (
    "SELECT m.id, s.name, m.title, m.subject, substr(m.content, 1, 1000), m.category, m.status, "
    "m.confidence, m.pinned, coalesce(m.updated_at, m.created_at), m.removed_at, s.format, m.key, m.live, "
    f"m.snoozed_until, {STRENGTH_FIELDS} "
    "FROM json_each(?) e "
    "JOIN memories m ON m.id = e.value JOIN stores s ON s.id = m.store_id"
)


def load(ctx: Context, ids: Sequence[int]) -> list[MemoryRow]:
    """Return list rows for these ids in the given order; missing ones are left out."""
    bindings = (json.dumps(list(ids)),)
    rows = {row[0]: row for row in ctx.db.rows(_ROW, bindings)}
    now, strengths = ctx.clock(), Strengths(ctx)
    decay = {id: strengths.of(row[11], now, *row[15:]) for id, row in rows.items()}
    findings = _findings(ctx, bindings, now)
    new = _new(ctx, bindings)
    suspects = masked.suspects(ctx, ids)
    found = []
    for id in ids:
        if id not in rows:
            continue
        row = rows[id]
        if id in suspects:
            texts = Masking().of((*row[2:4], uncut(row[4]), row[5], row[12]))
            row = (*row[:2], *texts[:4], *row[6:12], texts[4], *row[13:])
        text, more = line_of(row[2], row[12], row[4])
        finding = findings.get(id) or ("pending" if row[6] == "pending" else "")
        if not finding and row[13] and decay[id][1] in ("fading", "dormant"):
            finding = "fading"
        found.append(
            MemoryRow(
                id=id,
                store=row[1],
                label=raw_label_of(row[2], row[3], row[4]),
                category=row[5] or "",
                status=row[6],
                confidence=row[7],
                pinned=bool(row[8]),
                updated_at=row[9],
                removed=row[10] is not None,
                text=text,
                more=more,
                subject=row[3] or "",
                finding=finding,
                new=id in new,
                snoozed=row[14] is not None and row[14] > now,
                score=decay[id][0],
                decay_state=decay[id][1],
            )
        )
    return found


def _findings(ctx: Context, bindings: tuple[str], now: float) -> dict[int, str]:
    """Return which of these memories have a secret, an open contradiction or an open duplicate: the worst."""
    wanted = "IN (SELECT value FROM json_each(?))"
    pairs = states(" OR ".join(f"p.{side} {wanted}" for side in "ab"))
    found: dict[int, str] = {}
    for a, b, family in ctx.db.rows(
        f"SELECT a, b, family FROM ({pairs}) WHERE state = 'open' ORDER BY family DESC", (now, *bindings * 2)
    ):
        found |= {a: family, b: family}  # a contradiction after a duplicate
    secret = f"SELECT m.id FROM memories m WHERE m.id {wanted} AND {has_secret()}"
    return found | dict.fromkeys((row[0] for row in ctx.db.rows(secret, bindings)), "secret")


def _new(ctx: Context, bindings: tuple[str]) -> set[int]:
    """Return which memories came since the user last marked the changes of agents as seen (`is:new`)."""
    wanted = f"SELECT value FROM json_each(?) WHERE value IN ({NEW})"
    return {row[0] for row in ctx.db.rows(wanted, bindings)}
