"""Following renames of an entity since one of its memories was removed, so that undo finds it (S-51)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memtui.formats.contract.adapter import Adapter, RelationFate
from memtui.formats.contract.plans import Plan
from memtui.workspace.db.database import Database
from memtui.workspace.mirror.memory_rows import MirrorRow

# An entity is renamed as a whole: however many of its memories an entry lists, that is one rename. One query
# over three tables of the journal, for all items of an undo.
_RENAMED = (
    "SELECT b.before ->> ?3, b.after ->> ?3, max(i.id) FROM journal_items i "
    "JOIN item_states st ON st.item_id = i.id AND st.state = 'done' JOIN bodies b ON b.item_id = i.id "
    "WHERE i.store_id = ?1 AND i.id > ?2 AND i.fields ->> ?3 IS NOT NULL "
    "AND b.before ->> ?3 <> b.after ->> ?3 GROUP BY i.journal_id, 1, 2 ORDER BY 3"
)


def with_current_names(
    db: Database, adapter: Adapter, plans: Sequence[Plan], rows: Sequence[MirrorRow]
) -> list[Plan]:
    """Return the removal plans of these memories, all of one store, with the current names of their entities.

    A plan that removed a whole entity keeps the name that it had.
    """
    out = list(plans)
    if not adapter.entity_fields:
        return out
    name = adapter.entity_fields[0]
    removed_by = {
        n: row.moved
        for n, (plan, row) in enumerate(zip(plans, rows, strict=True))
        if row.moved is not None and name in (plan.removed_fields or {}) and not _is_whole(adapter, plan)
    }
    renamed = (
        db.rows(_RENAMED, (rows[0].store_id, min(removed_by.values()), f"$.{name}")) if removed_by else []
    )
    for n, item_id in removed_by.items() if renamed else ():
        removed = dict(out[n].removed_fields or {})
        since = [(old, new) for old, new, last in renamed if last > item_id]
        removed[name] = _current_name(removed[name], since)
        out[n] = replace(out[n], removed_fields=removed)
    return out


def with_current_ends(
    db: Database, adapter: Adapter, store_id: int, plans: Sequence[Plan], item_ids: Sequence[int]
) -> list[Plan]:
    """Return the plans of these items, all of one store, with the current names of the ends of their
    relations."""
    if not adapter.entity_fields:
        return list(plans)
    renamed = db.rows(_RENAMED, (store_id, min(item_ids), f"$.{adapter.entity_fields[0]}"))

    def with_ends(plan: Plan, item_id: int) -> Plan:
        since = [(old, new) for old, new, last in renamed if last > item_id]
        return adapter.with_current_names(plan, lambda name: _current_name(name, since)) if since else plan

    return [with_ends(plan, item_id) for plan, item_id in zip(plans, item_ids, strict=True)]


def _is_whole(adapter: Adapter, plan: Plan) -> bool:
    """Return whether a plan removed an entity as a whole, and not only one observation."""
    return adapter.relation_fate((plan.removed_fields or {}).get("content") or "") is RelationFate.GO


def _current_name(name: str, renames: Iterable[tuple[str, str]]) -> str:
    """Return the name, after these renames, of the entity that was called `name` before them.

    While another entity has taken the name, a rename is of that one.
    """
    taken = False
    for old, new in renames:
        if old == name and not taken:
            name = new
        elif name in (old, new):
            taken = new == name
    return name
