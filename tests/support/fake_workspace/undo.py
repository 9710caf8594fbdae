"""Undo and redo, as the real workspace does them in memtui's own store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memtui.errors import Refused
from memtui.memory.journal import Event, EventItem
from memtui.memory.memory import WRITTEN
from memtui.memory.results import Change, Skipped
from memtui.workspace.changes import prior_writes, undo, wording_undo
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.revert import checks, entry
from memtui.workspace.journal import entries, history
from memtui.workspace.journal.items import RELATION, VERDICT
from memtui.workspace.stores import catalog
from tests.support.fake_workspace.journal import UNDOABLE, Journal


class Undo(Journal):
    """Undo and redo of changes by the user."""

    def undo(self, entry_id: int | None = None, *, warn: bool = False) -> Change:
        self._gate("undo")
        self._require_writable()
        if entry_id is not None:
            return self._revert(entry_id)
        event = self._newest(history.VERBS)
        if event is None:
            raise self._nothing("undo", history.VERBS, wording_undo.SEE_JOURNAL)
        if warn:
            self._warn(event)
        return self._revert_or_skip(event, "undone", history.VERBS)

    def redo(self) -> Change:
        self._require_writable()
        event = self._newest(("undone",))
        if event is None:
            raise self._nothing("redo", ("undone",), wording_undo.SEE_JOURNAL)
        own = [each for each in self.events if each.actor == "person" and each.kind in history.VERBS]
        if any(each.id > event.id for each in own):
            raise wording_undo.redo_outdated()
        return self._revert_or_skip(event, "redone", ("undone",))

    def _newest(self, kinds: Sequence[str], *, refused: bool = False) -> Event | None:
        """Return the user's newest entry of these kinds that is in effect; of those whose undo was `refused`,
        or of the others."""
        own = (e for e in reversed(self.events) if e.actor == "person" and e.kind in kinds)
        in_effect = (event for event in own if self._in_effect(event.id))
        return next((event for event in in_effect if (event.id in self._refused_undos) == refused), None)

    def _nothing(self, verb: str, kinds: Sequence[str], hint: str) -> Refused:
        refused = self._newest(kinds, refused=True)
        return wording_undo.nothing(verb, None if refused is None else refused.id, hint)

    def _revert_or_skip(self, event: Event, done: str, kinds: Sequence[str]) -> Change:
        try:
            return self._revert(event.id)
        except Refused as refusal:
            self._refused_undos.add(event.id)
            older = self._newest(kinds)
            then = None if older is None else (older.id, self._summary_of_change(older))
            raise undo.skipped_refusal(
                refusal, (event.id, self._summary_of_change(event)), done, then
            ) from refusal

    def _warn(self, older: Event) -> None:
        """Raise Refused, once, if a newer change of the user cannot be undone."""
        final = (e for e in reversed(self.events) if e.actor == "person" and e.kind in undo.FINAL)
        newest = next((event for event in final if event.id > older.id), None)
        if newest is not None and newest.id != self._warned:
            self._warned = newest.id
            raise wording_undo.newer_final(newest.summary, older.summary)

    def _revert(self, entry_id: int) -> Change:
        """Revert what is in effect of an entry; raise Refused if nothing of it can be reverted."""
        event = next((each for each in self.events if each.id == entry_id), None)
        if event is None:
            raise wording_undo.no_entry(entry_id)
        in_effect = self._in_effect(entry_id)
        assert event.kind not in entries.BY_OTHERS or not in_effect, "the fake workspace undoes no pull"
        if event.kind not in (*UNDOABLE, *entries.BY_OTHERS):
            raise wording_undo.not_undoable(event.summary, wording_undo.NO_MEMORY_CHANGED, "")
        if not in_effect:
            raise wording_undo.undone_already(event.summary)
        items: list[ChangeItem] = []
        skipped: list[Skipped] = []
        for done in reversed(in_effect):
            reverse = self._reverse_item(done, entry_id)
            if isinstance(reverse, ChangeItem):
                items.append(reverse)
            else:
                skipped.append(reverse)
        if not items or (skipped and self._is_all_or_nothing(event)):
            raise wording_undo.not_undone("changed-since", skipped[0].reason)
        is_redo = event.kind == "undone"
        kind = "redone" if is_redo else "undone"
        summary, total = self._summary_of_change(event), len(self.items[entry_id])
        if len(items) == len(in_effect) < total:
            summary = wording_undo.only_done_part(summary, len(items), total)
        elif len(items) < len(in_effect):
            summary = wording_undo.only_unchanged_part(summary, len(items), len(in_effect))
        summary = wording_undo.undo_summary(wording_undo.REDONE if is_redo else wording_undo.UNDONE, summary)
        outcome = Outcome(self._carry_out(kind, summary, items, undoes=entry_id), items)
        for item in items:
            assert item.row is not None
            self._toggle(entry_id, item.row.memory.uid, outcome.entry_id)
        self._refused_undos.discard(entry_id)
        return entry.change_of(kind, summary, outcome, skipped, items)

    def _reverse_item(self, done: EventItem, entry_id: int) -> ChangeItem | Skipped:
        """Return what reverts one memory's part in an entry, or why nothing does."""
        id = self._id_of(done.uid)
        if id is None or done.before is None or done.after is None:
            return Skipped("", "", "erased", "Its text was purged.")
        row, store = self._row(id), self._store_row(id)
        item = self._item(id, dict(done.after), dict(done.before))
        assert RELATION not in item.before, "the fake workspace restores no relation"
        if not item.before.keys() <= {VERDICT} and (reason := catalog.locked_reason(store)):
            return Skipped(done.uid, row.label, "read-only", reason)
        updated_at = item.before.get("updated_at")
        if "here" not in item.before and updated_at not in (None, row.memory.updated_at):
            del item.before["updated_at"], item.after["updated_at"]
        reason = ""
        if item.after.get("here") is False:
            later = [each for at, items in sorted(self.items.items()) if at > entry_id for each in items]
            values = [each.before or {} for each in later if each.uid == done.uid]
            reason = prior_writes.later_edit_reason(row.memory, values, WRITTEN)
        reason = reason or checks.field_change(row, item.before, in_store=False, store_fields=frozenset())
        verdict = item.after.get(VERDICT)
        if verdict is not None and verdict["judged"] != self._digests([verdict["a"], verdict["b"]]):
            reason = reason or wording_undo.JUDGED_TEXT_CHANGED
        return Skipped(done.uid, row.label, "changed-since", reason) if reason else item

    def _is_all_or_nothing(self, event: Event) -> bool:
        while event.undoes is not None:
            event = next(each for each in self.events if each.id == event.undoes)
        return event.kind in entry.ALL_OR_NOTHING

    # -- what is in effect

    def _toggle(self, entry_id: int, uid: str, by: int) -> None:
        """Mark an entry's part in a memory as undone `by` another entry; what it had undone itself is in
        effect again, and so on back to the first entry."""
        current: int | None = entry_id
        is_undone = True
        while current is not None:
            if is_undone:
                redo = self._redone_by.get((current, uid), current)
                self._set_state({current, redo}, uid, "undone")
            else:
                self._set_state({current}, uid, "done")
                self._redone_by[current, uid] = by
            is_undone = not is_undone
            current = next(event.undoes for event in self.events if event.id == current)

    def _set_state(self, entry_ids: set[int], uid: str, state: str) -> None:
        for entry_id in entry_ids:
            items = self.items[entry_id]
            self.items[entry_id] = [replace(i, state=state) if i.uid == uid else i for i in items]
        self.events = [self._with_state(e) if e.id in entry_ids else e for e in self.events]

    def _with_state(self, event: Event) -> Event:
        in_effect = bool(self._in_effect(event.id))
        state = "done" if in_effect else "undone"
        return replace(event, state=state, undoable=in_effect and event.kind in UNDOABLE)
