"""What a change makes of an agent's view: the store now, and as it would be if the change were undone (S-72).

Nothing is written: the plans that would undo the change are carried out on the bytes in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memtui.errors import Refused
from memtui.formats.contract.records import Record
from memtui.formats.contract.session_view import SessionView
from memtui.memory.memory import RECORD_FIELDS
from memtui.workspace.changes import wording_undo
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.revert import agent
from memtui.workspace.changes.revert.items import build_items, items_in_effect
from memtui.workspace.context import Context
from memtui.workspace.db.models import JournalEntry
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.entries import BY_OTHERS
from memtui.workspace.journal.history import is_undoable
from memtui.workspace.journal.items import IN_STORE
from memtui.workspace.session import wording
from memtui.workspace.session.view import Named, adapter_of, named, task_of, view_of


@dataclass(frozen=True, slots=True)
class ViewDifference:
    """What an agent saw before a change and what it sees after it, which is now.

    `left_out` says for each memory of the change that is not taken into account why not.
    """

    store: str
    title: str
    summary: str
    before: SessionView
    after: SessionView
    left_out: Sequence[str]
    memories: Mapping[str, Named]

    @property
    def lost(self) -> list[str]:
        """The refs of the memories that are in the text no longer."""
        return _only(self.before, self.after)

    @property
    def gained(self) -> list[str]:
        """The refs of the memories that came into it."""
        return _only(self.after, self.before)


def _only(view: SessionView, other: SessionView) -> list[str]:
    others = {each.ref for each in other.passages}
    return list(dict.fromkeys(each.ref for each in view.passages if each.ref not in others))


def difference(ctx: Context, store: StoreRow, entry_id: int, about: str = "") -> ViewDifference:
    """Return what journal entry `entry_id` makes of the view; raise Refused where that is unknown: it is
    undone, its texts were purged, or the store has changed since."""
    entry = ctx.db.find(JournalEntry, entry_id)
    if entry is None:
        raise wording_undo.no_entry(entry_id)
    adapter = adapter_of(ctx, store)
    if not adapter.clients:
        raise wording.nothing_loaded(adapter.title, adapter.at_start)
    if not is_undoable(entry.kind, entry.actor):
        raise wording.no_difference_known(entry.summary, wording.CHANGED_NO_MEMORY)
    in_effect = items_in_effect(ctx, entry_id)
    if not in_effect:
        raise wording_undo.undone_already(entry.summary)
    if entry.kind in BY_OTHERS:
        items, skipped, _ = agent.build_items(ctx, in_effect)
    else:
        items, skipped, _ = build_items(ctx, in_effect, entry.kind)
    own = [each for each in items if each.store.id == store.id]
    reasons = [f"{each.label}: {each.reason}" if each.label else each.reason for each in skipped]
    reasons += [each.refused.message for each in own if each.refused is not None]
    live = [each for each in own if each.refused is None]
    if not live:
        if reasons:
            raise wording.no_difference_known(entry.summary, reasons[0])
        raise wording.not_in_store(entry.summary, store.name)
    content, records = adapter.content(), _records(live)
    task = task_of(ctx, store, about, {id: ref for ref, (id, _) in records.items()})
    plans = [each.plan for each in live if each.plan is not None]
    try:
        earlier = adapter.content_after(content, plans, {ref: each for ref, (_, each) in records.items()})
    except Refused as refusal:
        raise wording.no_difference_known(entry.summary, refusal.message) from refusal
    before = view_of(ctx, store, adapter, earlier, task)
    after = view_of(ctx, store, adapter, content, task)
    memories = named(ctx, store, before, after)
    for item in live:  # a memory that left its store has no ref any more
        if item.row is not None and (ref := _ref_before(item)):
            memories.setdefault(ref, Named(item.row.id, item.row.memory.uid, item.row.label))
    return ViewDifference(store.name, adapter.agent_title, entry.summary, before, after, reasons, memories)


def _ref_before(item: ChangeItem) -> str:
    return "" if item.plan is None else item.plan.ref_after or ""


def _records(items: Sequence[ChangeItem]) -> dict[str, tuple[int, Record | None]]:
    """Return the memories as they were before a change, by their present ref, each with its row; None for
    those that were not in the store."""
    out: dict[str, tuple[int, Record | None]] = {}
    for item in items:
        assert item.row is not None
        if item.plan is None:
            continue  # it is kept by memtui alone
        memory = item.row.memory
        fields = {name: getattr(memory, name) for name in RECORD_FIELDS}
        fields |= {name: value for name, value in item.after.items() if name in RECORD_FIELDS}
        gone = item.after.get(IN_STORE) is False
        ref = item.plan.ref or item.plan.ref_after or memory.ref
        out[ref] = item.row.id, None if gone else Record(ref, fields)
    return out
