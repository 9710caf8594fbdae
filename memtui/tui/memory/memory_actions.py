"""The keys that act on memories, the marked ones or else the highlighted one, and why they may be blocked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memtui.memory.results import Change
from memtui.tui.memory import wording
from memtui.tui.memory.leaving_keys import LeavingScreen
from memtui.tui.memory.listing.memory_list import MemoryList
from memtui.tui.memory.selection import writes
from memtui.tui.memory.text_keys import TextScreen
from memtui.tui.messages import CursorMoved
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

# Commands that a heading passes on to all memories below it.
ON_ALL_BELOW = tuple(
    f"memory.{verb}"
    for verb in (
        *("pin", "confirm", "dismiss", "restore", "purge", "forget", "snooze", "retag", "reason"),
        *("mark", "mark_all", "open", "graph", "copy", "copy_to", "move_to"),
    )
)
# Commands that are refused in a read-only workspace before anything is asked; what a memory itself does not
# allow is among its details.
WRITING_COMMANDS = (
    *("memory.add", "memory.purge", "memory.redact", "memory.copy_to", "memory.move_to", "memory.relate"),
    *("memory.forget", "memory.snooze", "memory.retag", "memory.reason"),
    *("memory.split", "relation.add", "list.replace"),
)


# Commands that leave the list and its memories as they are, also while it is not what was searched for.
LOOKING_COMMANDS = ("memory.add", "memory.open", "memory.graph", "memory.pairs")


# Commands that ask something first, and what is blocked where it makes no sense to ask: pinning, or unpinning
# a pinned memory, is only where the store takes no change at all.
ASKING_COMMANDS = {
    "memory.retag": "edit",
    **{f"memory.{verb}": "pin" for verb in ("forget", "snooze", "reason", "purge", "move_to")},
}


class MemoryScreen(LeavingScreen, TextScreen):
    """A screen on which memories are corrected, pinned, confirmed, dismissed, purged, … (S-8, S-9)."""

    _asked_for: tuple[str, list[int]] | None = None  # a verb on these memories, which the next press confirms
    hidden_marks = 0
    """How many marked memories the list does not show."""
    list_fault = ""
    """Why the list is not the one that is searched for."""

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self._asked_for = None
        self.mask_again()

    def show_in_list(self, id: int) -> bool:
        memories = self.memories
        if not isinstance(memories, MemoryList) or id not in memories.ids:
            return False
        memories.move_to_place(memories.ids.index(id))
        return True

    def nothing_to(self, verb: str) -> str:
        """Return what a key shows if there is no memory to act on."""
        return wording.nothing_to(verb, self.no_memory())

    def no_memory(self) -> str:
        """Return why there is no memory to act on."""
        return wording.EMPTY_LIST

    def action_pin(self) -> None:
        self._run_on_selection("pin")

    def action_confirm(self) -> None:
        self._run_on_selection("confirm")

    def action_dismiss_memory(self) -> None:
        self._run_on_selection("dismiss")

    def action_restore(self) -> None:
        self._run_on_selection("restore")

    def _run_on_selection(self, action: str) -> None:
        """Run a verb on the marked memories, else on the highlighted one, or show why it is blocked."""
        workspace = self.app.ready_workspace()
        if workspace is None or self.editor_opening:
            return
        marks, below, id = sorted(self.memories.marks), self.below, self.current
        ids = marks or below
        out_of_sight = bool(marks) and self.hidden_marks > 0
        if out_of_sight or (len(ids) > 1 and self.is_to_be_asked(ids)):
            self._asked_for = None
            self.ask(workspace, action, ids, always=out_of_sight)
            return
        if below and not marks and self._asked_for != (action, below):
            # A heading may have come under the cursor since the user last looked.
            self._asked_for = action, below
            self.app.show_status(wording.all_below(action, len(below)))
            return
        self._asked_for = None
        if not ids:
            if id is None:
                self.app.show_status(self.nothing_to(action))
                return
            if reason := self._blocked_reason(action, id):
                self.app.show_status(reason, tone="error")
                return
            ids = [id]
            if action == "dismiss" and self.visited is None:
                # Move on at once, so that d d d dismisses three; the lines disappear once that is written.
                self.memories.advance()
        verb = {"confirm": workspace.confirm, "dismiss": workspace.dismiss, "restore": workspace.restore}.get(
            action
        )
        if verb is not None:
            self.app.run_change(verb, ids)
        else:
            self.app.run_change(pin_or_unpin, workspace, ids, hint=self.reason_hint())

    def _blocked_reason(self, action: str, id: int) -> str:
        """Return why a key is blocked for the highlighted memory, as far as its detail is loaded."""
        detail = self.view.detail
        if detail is None or detail.id != id:
            return ""
        if action == "pin" and detail.memory.pinned:
            action = "unpin"
        return detail.blocked.get(action, "")

    def refusal(self, id: str) -> str:
        is_about_list = id == "list.replace" or (id.startswith("memory.") and id not in LOOKING_COMMANDS)
        if self.list_fault and is_about_list:
            return wording.list_of_other_search(self.list_fault, self.app.key("screen.back"))
        if id in ASKING_COMMANDS and not self.app.read_only:
            current = None if self.memories.marks or self.below else self.current
            detail = self.view.detail
            if current is None or detail is None or (id == "memory.purge" and detail.removed_at is not None):
                return ""  # what is left of a removed memory is in the workspace alone
            return self._blocked_reason(ASKING_COMMANDS[id], current)
        return ""

    def blocked_reason(self, id: str) -> str:
        action = {"memory.edit_outside": "edit", "memory.purge": ""}.get(id, id.removeprefix("memory."))
        if self.app.workspace is None:
            return wording.NO_WORKSPACE
        if reason := self.refusal(id):
            return reason
        if self.app.read_only and id in WRITING_COMMANDS:
            return wording.READ_ONLY
        if not id.startswith("memory.") or id == "memory.add":
            return ""
        highlighted = self.current
        if highlighted is None:
            acts_on_all = self.below and id in ON_ALL_BELOW
            return "" if acts_on_all else self.no_memory()
        return "" if self.memories.marks and action != "edit" else self._blocked_reason(action, highlighted)

    def action_mark(self) -> None:
        if self.visited is not None:
            self.app.show_status(wording.nothing_to("mark", wording.NOT_IN_LIST))
        elif self.current is None and not self.below:
            self.app.show_status(self.nothing_to("mark"))
        else:
            self.memories.toggle_mark()

    def action_mark_all(self) -> None:
        all_ids = set(self.memories.answers)  # not those that are only related
        if not all_ids:
            only_related = wording.only_related(self.app.key("memory.mark"))
            self.app.show_status(only_related if self.memories.ids else self.nothing_to("mark"))
            return
        unmark = all_ids <= self.memories.marks
        self.hidden_marks = 0
        self.memories.mark(set() if unmark else all_ids)
        self.app.show_status(wording.NONE_MARKED if unmark else wording.marked(len(all_ids)))

    @writes
    @worker(wording.MEMORY_NOT_READ, group="relate")
    async def action_relate(self) -> None:
        """Relate the highlighted memory to the one other marked memory, else to one that is chosen."""
        workspace, id = self.app.ready_workspace(), self.current
        if workspace is None:
            return
        if id is None:
            self.app.show_status(self.nothing_to("relate"))
            return
        marked = sorted(self.memories.marks - {id})
        rows = {row.id: row for row in await self.read(workspace.rows, [id, *marked])}
        if id not in rows:
            self.app.show_status(wording.MEMORY_GONE, tone="error")
            return
        from memtui.tui.memory.relate_dialog import RelateDialog

        other = rows.get(marked[0]) if len(marked) == 1 else None
        dialog = RelateDialog(workspace, id, rows[id].label, other)
        self.app.push_screen(dialog, self._edited)

    @worker(wording.PAIRS_NOT_READ, group="pairs")
    async def action_pairs(self) -> None:
        """Show what contradicts or repeats the highlighted memory on Review (S-42)."""
        workspace, id = self.app.ready_workspace(), self.current
        if workspace is None:
            return
        if id is None:
            self.app.show_status(self.nothing_to("compare"))
        elif await self.read(partial(workspace.pairs, memory=id)):
            await self.app.show_pairs(id, self.label_of(id))
        else:
            review = self.app.review
            hint = wording.to_be_compared(review.unscanned if review is not None else 0)
            self.app.show_status(wording.NO_PAIRS, hint=hint)

    def label_of(self, id: int) -> str:
        """Return the label of a listed memory, "" if it is not known."""
        row = self.memories.row(id)
        return row.label if row is not None else ""

    def action_graph(self) -> None:
        """Show the highlighted memory, or the first one below a heading, on Graph."""
        if self.app.ready_workspace() is None:
            return
        id, below = self.current, self.below
        if id is None and not below:
            self.app.show_status(self.nothing_to("show"))
        else:
            self.app.start_work("go", self.app.show_graph, below[0] if id is None else id)


def pin_or_unpin(workspace: Workspace, ids: list[int]) -> Change:
    """Unpin if all are pinned, else pin; decided in the writing thread, where the rows are current."""
    return workspace.unpin(ids) if all(row.pinned for row in workspace.rows(ids)) else workspace.pin(ids)
