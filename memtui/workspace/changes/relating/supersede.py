"""Superseding memories by another one (SPEC 7, S-8)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.formats.contract.adapter import SupportKind
from memtui.formats.contract.records import Link
from memtui.memory.memory import label_of
from memtui.memory.results import Change, Skipped
from memtui.values import Fields
from memtui.workspace.changes import wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import INACTIVE, blocked_reason
from memtui.workspace.changes.relating import wording_relations
from memtui.workspace.changes.verbs import carry_out
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.mirror import memory_rows

SUPERSEDES = "supersedes"  # the kind of relation by which a memory is superseded


def supersede(ctx: Context, ids: Sequence[int], winner: int, context: str = "") -> Change:
    """Supersede memories by another one, as their format does it; else they are dismissed, and memtui keeps
    which memory supersedes them."""
    ctx.writable()
    winners = memory_rows.load(ctx.db, [winner])
    found = memory_rows.load(ctx.db, ids)
    if not winners or not found:
        raise wording.no_such_memory()
    stores = store_rows.by_id(ctx.db)
    by = winners[0]
    if by.removed_at is not None or by.memory.status in INACTIVE:
        raise wording_relations.winner_inactive()
    items: list[ChangeItem] = []
    skipped: list[Skipped] = []
    for row in found:
        store = stores[row.store_id]
        reason = blocked_reason(ctx, "supersede", row, store)
        if row.id == winner:
            reason = wording_relations.SUPERSEDES_ITSELF
        if reason:
            label = label_of(row.memory.title, row.memory.subject, row.memory.content)
            skipped.append(Skipped(row.memory.uid, label, "blocked", reason))
            continue
        same_store = row.store_id == by.store_id
        link = Link(by.anchor, SUPERSEDES, row.anchor, context=context) if same_store else None
        after = superseded_fields(ctx, store, link) | {"superseded_by": by.memory.uid}
        before = {name: getattr(row.memory, name) for name in after}
        items.append(ChangeItem(row, store, before, after, link=link))
    return carry_out(ctx, "supersede", items, skipped)


def superseded_fields(ctx: Context, store: StoreRow, link: Link | None) -> Fields:
    """Return the fields of a superseded memory; a format's own supersession covers only its own memories."""
    adapter = ctx.adapter(store)
    if adapter is None:
        return {"status": "superseded"}
    native = link is not None and adapter.support_for("supersede").kind is not SupportKind.WORKSPACE
    return dict(adapter.supersession if native else adapter.dismissal)
