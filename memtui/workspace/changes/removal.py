"""Taking memories out of their stores, each as its format deletes it; memtui keeps them (SPEC 7)."""

from __future__ import annotations

from memtui.formats.contract.adapter import Adapter, Support, SupportKind
from memtui.formats.contract.plans import Write
from memtui.values import Fields
from memtui.workspace.changes import wording
from memtui.workspace.context import Context
from memtui.workspace.mirror.memory_rows import MirrorRow

DELETE, FORGET = "delete", "forget"


def forget_support(adapter: Adapter) -> Support:
    """Return what forgetting does in the store, as `removal_write` requests it."""
    dismissal = adapter.support_for("dismiss")
    if dismissal.kind is SupportKind.MOVED:
        return dismissal
    for action in (FORGET, "expire", DELETE) if adapter.records_deletions else (DELETE, "expire"):
        support = adapter.support_for(action)
        if support.kind is not SupportKind.WORKSPACE:
            return support
    return Support(SupportKind.NATIVE, wording.DELETES_ROW)


def has_relation_fate(action: str, adapter: Adapter | None) -> bool:
    """Return whether an action does to relations what `Adapter.relation_fate` returns: a dismissal does, and
    forgetting where the format dismisses a memory by taking it out of the store."""
    moved = adapter is not None and adapter.support_for("dismiss").kind is SupportKind.MOVED
    return action == "dismiss" or (action == FORGET and moved)


def removal_write(
    ctx: Context, adapter: Adapter, row: MirrorRow, action: str = DELETE, *, with_entity: bool = False
) -> Write:
    """Return the write that takes a memory out of its store, if it has the text that was read: a dismissal if
    that takes it out, else a deletion; one that is forgotten is recorded where the format does that. An
    entity whose last memory it is goes `with_entity`, else it stays."""
    names = (adapter.fields & {"content", "title"}) - row.kept.keys()
    seen = {name: getattr(row.memory, name) for name in names}
    fields: Fields = {}
    if adapter.support_for("dismiss").kind is SupportKind.MOVED:
        action, fields = "dismiss", {"status": "dismissed"}
    elif not adapter.records_deletions:
        action = DELETE
    return Write(action, row.memory.ref, fields, seen, ctx.clock(), who=ctx.actor, with_entity=with_entity)
