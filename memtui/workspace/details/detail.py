"""Everything about one memory: itself, what can be done with it, and what is related to it."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.formats.contract.adapter import Support, SupportKind
from memtui.memory.detail import Consequence, Detail
from memtui.memory.memory import EDITABLE
from memtui.memory.relations import RelatedRecord
from memtui.memory.rules.rule import PIN
from memtui.workspace.changes import planning
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.decay import forecast
from memtui.workspace.details.mentions import mentions_of
from memtui.workspace.details.problems import find_problems
from memtui.workspace.journal import history
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.relations import dismissal_effects
from memtui.workspace.relations.lookup import lineage_of, relations_of
from memtui.workspace.rules import held

ACTIONS = ("pin", "unpin", "confirm", "edit", "dismiss", "restore")
BLOCKABLE = (*ACTIONS, "split")  # what a split does is an edit and adds
_FORECAST_DAYS = 90
_MAX_RECORDS = 500  # related to one memory
# Fields by whose value a record is about all memories that have it.
_VIA = ("owner", "source_ref", "session_id", "company_id")
# Raw SQL: one SELECT per field, so that each uses the index; as one condition, none would.
_RELATED_RECORDS = f"""
SELECT kind, words, at FROM side_records WHERE id IN (
    SELECT id FROM side_records WHERE store_id = ?1 AND via = '' AND about = ?2 AND about <> ''{
    "".join(
        f" UNION ALL SELECT id FROM side_records WHERE store_id = ?1 AND via = '{name}' AND about = ?{number}"
        for number, name in enumerate(_VIA, 4)
    )
})
ORDER BY at IS NULL, at DESC, id LIMIT ?3
"""


def consequence(support: Support) -> Consequence:
    """Return what an action does, from what its store supports."""
    return Consequence(support.text, support.label, support.kind is SupportKind.WORKSPACE)


def detail(ctx: Context, id: int) -> Detail | None:
    """Return everything about one memory; None if there is no such row."""
    row = next(iter(memory_rows.load(ctx.db, [id])), None)
    if row is None:
        return None
    store = store_rows.get(ctx.db, row.store_id)
    try:
        adapter = ctx.adapter(store)
        blocked = {action: planning.blocked_reason(ctx, action, row, store) for action in BLOCKABLE}
    except Refused as refusal:
        adapter, blocked = None, dict.fromkeys(BLOCKABLE, refusal.message)
    supports = {
        **{action: planning.support(adapter, action, "", row.memory.kind) for action in ACTIONS},
        **{f"edit {name}": planning.support(adapter, "edit", name) for name in EDITABLE},
    }
    consequences = {action: consequence(support) for action, support in supports.items()}
    relations_lost = dismissal_effects.describe(ctx, [row], {store.id: store})
    if relations_lost:
        consequences["dismiss"] = consequences["dismiss"].with_addition(relations_lost)
    relations, lineage = relations_of(ctx, row), lineage_of(ctx, row)
    return Detail(
        id=row.id,
        memory=row.memory,
        place=row.place,
        path=store.path,
        removed_at=row.removed_at,
        consequences=consequences,
        blocked={action: reason for action, reason in blocked.items() if reason},
        relations=relations,
        history=tuple(history.history(ctx, row.id)),
        related_records=_related_records(ctx, row),
        forecast=forecast.forecast_row(ctx, row, store, ctx.clock(), _FORECAST_DAYS),
        lineage=lineage,
        problems=find_problems(ctx, row, store, adapter, relations, lineage),
        mentions=mentions_of(ctx, row),
        ruled=tuple(sorted((each.rule, each.done) for each in held.of(ctx, [row.id]) if each.action != PIN)),
    )


def _related_records(ctx: Context, row: MirrorRow) -> tuple[RelatedRecord, ...]:
    values = (getattr(row.memory, name) for name in _VIA)
    found = ctx.db.rows(_RELATED_RECORDS, (row.store_id, row.anchor, _MAX_RECORDS, *values))
    return tuple(RelatedRecord(*each) for each in found)
