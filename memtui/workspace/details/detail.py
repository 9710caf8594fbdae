"""All that is known of one memory: itself, what can be done with it, and what stands beside it."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.memory.detail import Detail
from memtui.memory.memory import EDITABLE
from memtui.memory.relations import RelatedRecord
from memtui.workspace.changes import planning
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.decay import forecast
from memtui.workspace.details.problems import wrongs
from memtui.workspace.journal import history
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.relations import dismissal_effects
from memtui.workspace.relations.lookup import lineage_of, relations_of

ACTIONS = ("pin", "unpin", "confirm", "edit", "dismiss", "restore")
AHEAD = 90  # days that its decay is told for
_MOST = 500  # records beside one memory
# What belongs to the memory itself, and to all memories of which a field says so.
_VIA = ("owner", "source_ref", "session_id", "company_id")
# A list of rows each, so that the index is used for all of them.
_BESIDE = f"""
SELECT kind, words, at FROM side_records WHERE id IN (
    SELECT id FROM side_records WHERE store_id = ?1 AND via = '' AND about = ?2 AND about <> ''{
    "".join(
        f" UNION ALL SELECT id FROM side_records WHERE store_id = ?1 AND via = '{name}' AND about = ?{number}"
        for number, name in enumerate(_VIA, 4)
    )
})
ORDER BY at IS NULL, at DESC, id LIMIT ?3
"""


def detail(ctx: Context, id: int) -> Detail | None:
    """Everything about one memory; None if there is no such row."""
    held = next(iter(memory_rows.held(ctx.db, [id])), None)
    if held is None:
        return None
    store = store_rows.get(ctx.db, held.store_id)
    try:
        adapter = ctx.adapter(store)
        blocked = {action: planning.blocked(ctx, action, held, store) for action in ACTIONS}
    except Refused as refusal:
        adapter, blocked = None, dict.fromkeys(ACTIONS, refusal.message)
    relations, lineage = relations_of(ctx, held), lineage_of(ctx, held)
    leaves = dismissal_effects.words(ctx, [held], {store.id: store})
    return Detail(
        id=held.id,
        memory=held.memory,
        place=held.place,
        path=store.path,
        removed_at=held.removed_at,
        consequences={
            **{action: planning.consequence(adapter, action, "", held.memory.kind) for action in ACTIONS},
            "dismiss": "; ".join(
                each
                for each in (planning.consequence(adapter, "dismiss", "", held.memory.kind), leaves)
                if each
            ),
            **{f"edit {name}": planning.consequence(adapter, "edit", name) for name in EDITABLE},
        },
        blocked={action: why for action, why in blocked.items() if why},
        relations=relations,
        history=tuple(history.history(ctx, held.id)),
        related_records=_beside(ctx, held),
        forecast=forecast._forecast(ctx, held, store, ctx.clock(), AHEAD, ""),
        lineage=lineage,
        problems=wrongs(ctx, held, store, adapter, relations, lineage),
    )


def _beside(ctx: Context, held: MirrorRow) -> tuple[RelatedRecord, ...]:
    values = (getattr(held.memory, name) for name in _VIA)
    rows = ctx.db.rows(_BESIDE, (held.store_id, held.anchor, _MOST, *values))
    return tuple(RelatedRecord(*row) for row in rows)
