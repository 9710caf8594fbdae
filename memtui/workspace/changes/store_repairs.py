"""Repairs of a store that the doctor offers, as changes that can be undone.

They add the line that a Claude Code memory lacks in MEMORY.md, and correct misspelled links where it is
evident which name is meant.
"""

from __future__ import annotations

from memtui.formats import misspellings
from memtui.formats.claude_code import ClaudeCode, index_repair
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Plan
from memtui.formats.media.files.store import FileStore
from memtui.memory.stores import Issue
from memtui.workspace.changes import outbox, wording
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.context import Context
from memtui.workspace.db.models import Memory
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog

# The codes of findings that can be repaired: about a memory without a line, and about links without a target.
UNLISTED = "no-line"
LINK_CODES = ("dangling", "dangling-line", "dangling-edge", "dangling-link")


def can_add_line(adapter: Adapter, code: str) -> bool:
    """Return whether a line in MEMORY.md repairs findings of this code."""
    return code == UNLISTED and isinstance(adapter, ClaudeCode) and not adapter.locked_reason()


def meant_names(adapter: Adapter) -> dict[misspellings.FindingKey, str]:
    """Return the names that links of a store seem to mean, by their findings."""
    return misspellings.corrections(adapter) if isinstance(adapter, FileStore) else {}


def add_line(ctx: Context, issue: Issue) -> str:
    """Add the line of the memory file that the issue names; return what was done. Raises Refused."""
    store = catalog.find_attached(ctx, issue.store)
    adapter = ctx.adapter(store)
    reason = catalog.locked_reason(store)
    if reason or not isinstance(adapter, ClaudeCode):
        raise wording.no_claude_code(reason)
    row = _row(ctx, store, issue.place)
    plan = index_repair.plan(adapter, issue.place)
    outcome = _carry_out(ctx, row, store, adapter, plan, wording.listed(issue.place))
    return wording.line_added(issue.place, outcome.pending_note, outcome.entry_id)


def correct_link(ctx: Context, issue: Issue) -> str:
    """Correct the links that the issue names; return what was done. Raises Refused."""
    store = catalog.find_attached(ctx, issue.store)
    adapter = ctx.adapter(store)
    reason = catalog.locked_reason(store)
    if reason or not isinstance(adapter, FileStore):
        raise wording.no_file_store(reason)
    plan, name = misspellings.plan_correction(adapter, (issue.code, issue.place, issue.about))
    row = _row(ctx, store, plan.ref)
    summary = wording.link_changed(issue.about, name)
    outcome = _carry_out(ctx, row, store, adapter, plan, summary)
    return wording.link_corrected(summary, outcome.pending_note, outcome.entry_id)


def _row(ctx: Context, store: StoreRow, ref: str | None) -> MirrorRow:
    known = Memory.select(Memory.id).where((Memory.store_id == store.id) & (Memory.ref == ref))
    memory = ctx.db.first(known)
    if memory is None:
        raise wording.not_read_yet()
    (row,) = memory_rows.load(ctx.db, [memory.id])
    return row


def _carry_out(
    ctx: Context, row: MirrorRow, store: StoreRow, adapter: Adapter, plan: Plan, summary: str
) -> Outcome:
    item = ChangeItem(row, store, {}, {}, adapter=adapter, plan=plan)
    outcome = outbox.run(ctx, "edited", summary, [item])
    if item.refused is not None:
        raise item.refused
    return outcome
