"""Follows renames of an entity since one of its memories was removed, so that undo finds it (S-51)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memtui.formats.contract.adapter import Adapter, Planned, RelationFate
from memtui.workspace.db.database import Database
from memtui.workspace.mirror.memory_rows import MirrorRow

# An entity is renamed as a whole: however many of its memories were asked for, that is one change.
_RENAMED = (
    "SELECT b.before ->> ?3, b.after ->> ?3, max(i.id) FROM journal_items i "
    "JOIN item_states st ON st.item_id = i.id AND st.state = 'done' JOIN bodies b ON b.item_id = i.id "
    "WHERE i.store_id = ?1 AND i.id > ?2 AND i.fields ->> ?3 IS NOT NULL "
    "AND b.before ->> ?3 <> b.after ->> ?3 GROUP BY i.journal_id, 1, 2 ORDER BY 3"
)


def with_current_names(
    db: Database, adapter: Adapter, plans: Sequence[Planned], held: Sequence[MirrorRow]
) -> list[Planned]:
    """The removal plans of these memories, all of one store, with the current names of their entities. A plan
    that removed a whole entity keeps the name that it had."""
    out = list(plans)
    if not adapter.entity:
        return out
    name = adapter.entity[0]
    at = {
        n: each.moved
        for n, (plan, each) in enumerate(zip(plans, held, strict=True))
        if each.moved is not None and name in (plan.removed or {}) and not _is_whole(adapter, plan)
    }
    renames = db.rows(_RENAMED, (held[0].store_id, min(at.values()), f"$.{name}")) if at else []
    for n, item in at.items() if renames else ():
        removed = dict(out[n].removed or {})
        removed[name] = _now(removed[name], [(old, new) for old, new, last in renames if last > item])
        out[n] = replace(out[n], removed=removed)
    return out


def with_ends(
    db: Database, adapter: Adapter, store_id: int, plans: Sequence[Planned], items: Sequence[int]
) -> list[Planned]:
    """Plans of these items, all of one store, with the current names of what their relations lead to."""
    if not adapter.entity:
        return list(plans)
    renames = db.rows(_RENAMED, (store_id, min(items), f"$.{adapter.entity[0]}"))

    def with_names(plan: Planned, item: int) -> Planned:
        since = [(old, new) for old, new, last in renames if last > item]
        return adapter.with_current_names(plan, lambda name: _now(name, since)) if since else plan

    return [with_names(plan, item) for plan, item in zip(plans, items, strict=True)]


def _is_whole(adapter: Adapter, plan: Planned) -> bool:
    """Whether a plan removed an entity as a whole, and not only one observation."""
    return adapter.parts_with((plan.removed or {}).get("content") or "") is RelationFate.GO


def _now(name: str, renames: Iterable[tuple[str, str]]) -> str:
    """The name after these renames of an entity that had `name` before them. While another one has taken
    it, a rename is of that one."""
    taken = False
    for old, new in renames:
        if old == name and not taken:
            name = new
        elif name in (old, new):
            taken = new == name
    return name
