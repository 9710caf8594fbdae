"""Taking memories out of their stores, each as its format deletes it; memtui keeps them (SPEC 7)."""

from __future__ import annotations

from memtui.formats.contract.adapter import Adapter, SupportKind
from memtui.formats.contract.plans import Write
from memtui.workspace.context import Context
from memtui.workspace.mirror.memory_rows import MirrorRow

DELETE, FORGET = "delete", "forget"


def removal_write(ctx: Context, adapter: Adapter, row: MirrorRow, action: str = DELETE) -> Write:
    """Return the write that takes a memory out of its store, if it has the text that was read: a dismissal if
    that takes it out, else a deletion; one that is forgotten is recorded where the format does that."""
    names = (adapter.fields & {"content", "title"}) - row.kept.keys()
    seen = {name: getattr(row.memory, name) for name in names}
    if adapter.support_for("dismiss").kind is SupportKind.MOVED:
        return Write("dismiss", row.memory.ref, {"status": "dismissed"}, seen, ctx.clock(), who=ctx.actor)
    action = action if adapter.records_deletions else DELETE
    return Write(action, row.memory.ref, {}, seen, ctx.clock(), who=ctx.actor)
