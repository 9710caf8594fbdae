"""Repairs of a store that the doctor offers, as changes that can be undone.

They add the line that a Claude Code memory lacks in MEMORY.md, and correct misspelled links where it is
evident which name is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.errors import Refused
from memtui.formats import misspellings
from memtui.formats.claude_code import ClaudeCode, index_repair
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Plan
from memtui.formats.media.files.store import FileStore
from memtui.memory.stores import Issue
from memtui.workspace.changes import outbox, wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.combined_plan import combined
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


def add_lines(ctx: Context, issues: Sequence[Issue]) -> list[str]:
    """Add the lines of the memory files that these issues of one store name, as one change; return what was
    done. Raises Refused."""
    store = catalog.find_attached(ctx, issues[0].store)
    adapter = ctx.adapter(store)
    reason = catalog.locked_reason(store)
    if reason or not isinstance(adapter, ClaudeCode):
        raise wording.no_claude_code(reason)
    files = [issue.place for issue in issues]
    plans = index_repair.plan(adapter, files)
    summary = wording.listed(files)
    return _carry_out(ctx, store, adapter, issues, plans, summary)


def correct_links(ctx: Context, issues: Sequence[Issue]) -> list[str]:
    """Correct the links that these issues of one store name, as one change; return what was done. Raises
    Refused."""
    store = catalog.find_attached(ctx, issues[0].store)
    adapter = ctx.adapter(store)
    reason = catalog.locked_reason(store)
    if reason or not isinstance(adapter, FileStore):
        raise wording.no_file_store(reason)
    findings = [(issue.code, issue.place, issue.about) for issue in issues]
    answers = misspellings.plan_corrections(adapter, findings)
    summary = wording.links_changed([(issues[n].about, name) for n, (_, name) in enumerate(answers)])
    plans = [answer for answer, _ in answers]
    return _carry_out(ctx, store, adapter, issues, plans, summary)


def _carry_out(
    ctx: Context,
    store: StoreRow,
    adapter: Adapter,
    issues: Sequence[Issue],
    answers: Sequence[Plan | Refused],
    summary: str,
) -> list[str]:
    """Write the plans as one change; return what was done, and why some were not."""
    by_ref: dict[str | None, list[Plan]] = {}
    said = []
    for issue, answer in zip(issues, answers, strict=True):
        if isinstance(answer, Plan):
            by_ref.setdefault(answer.ref, []).append(answer)
        else:
            said.append(wording.not_repaired(issue.text, answer.message))
    rows = _rows(ctx, store, by_ref)
    items = [
        ChangeItem(row, store, {}, {}, adapter=adapter, plan=combined(by_ref[row.memory.ref])) for row in rows
    ]
    if not items:
        raise next((answer for answer in answers if isinstance(answer, Refused)), wording.not_read_yet())
    outcome = outbox.run(ctx, "edited", summary, items)
    if not outcome.done:
        raise items[0].refused or wording.not_read_yet()
    return [wording.repaired(summary, outcome.pending_note, outcome.entry_id), *said]


def _rows(ctx: Context, store: StoreRow, refs: Iterable[str | None]) -> list[MirrorRow]:
    found = ctx.db.fetch(
        Memory.select(Memory.id).where((Memory.store_id == store.id) & Memory.ref.in_(list(refs)))
    )
    return memory_rows.load(ctx.db, [each.id for each in found])
