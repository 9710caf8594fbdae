"""Giving a Claude Code memory the line in MEMORY.md that it lacks, as a change that undo takes back."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.formats.claude_code import ClaudeCode, index_repair
from memtui.formats.contract.adapter import Adapter
from memtui.memory.stores import Issue
from memtui.workspace.changes import outbox
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import Context
from memtui.workspace.mirror import memory_rows
from memtui.workspace.stores import catalog

CODE = "no-line"
MEND = "adds its line to MEMORY.md; memtui undo takes it back"


def can_mend(adapter: Adapter, code: str) -> bool:
    """Whether a finding is one that a line in MEMORY.md mends."""
    return code == CODE and isinstance(adapter, ClaudeCode) and not adapter.locked()


def mend(ctx: Context, ailment: Issue) -> str:
    """Add the line of the memory file that the finding names."""
    store = catalog.named(ctx, ailment.store)
    adapter = ctx.adapter(store)
    why = catalog.locked(store)
    if why or not isinstance(adapter, ClaudeCode):
        raise Refused("read-only", why or "It is no Claude Code memory any more.")
    id = ctx.db.one("SELECT id FROM memories WHERE store_id = ? AND ref = ?", (store.id, ailment.place))
    if id is None:
        raise Refused("gone", "The memory is not known to memtui yet; read the store first.")
    (held,) = memory_rows.held(ctx.db, [id])
    plan = index_repair.plan(adapter, ailment.place)
    piece = ChangeItem(held, store, {}, {}, adapter=adapter, plan=plan)
    done = outbox.run(ctx, "edited", f"Listed {ailment.place} in MEMORY.md", [piece])
    if piece.refused is not None:
        raise piece.refused
    return (
        f"Added a line for {ailment.place} to MEMORY.md{done.ending}. Take it back: memtui undo {done.line}"
    )
