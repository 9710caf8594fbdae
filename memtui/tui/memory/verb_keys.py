"""The keys whose verbs act on one or several memories: asked for once where that is many, then run with their
progress shown (S-8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from memtui.memory.results import Change
from memtui.tui.memory import wording
from memtui.tui.memory.bulk import wording as bulk_wording
from memtui.tui.memory.bulk.limits import FEW
from memtui.tui.memory.detail.link_keys import LinkScreen

if TYPE_CHECKING:
    from memtui.tui.memory.bulk.verb_dialog import Job
    from memtui.tui.memory.selection import MemorySelection
    from memtui.workspace.workspace import Workspace


class VerbScreen(LinkScreen):
    """A screen with a selection of memories that verbs act on."""

    memories: MemorySelection
    editor_opening = False
    """Whether an editor is about to open: keys pressed until then are text, not commands."""

    @property
    def under_cursor(self) -> int | None:
        return self.memories.highlighted

    @property
    def current(self) -> int | None:
        """What keys act on if nothing is marked: where a followed link led, else the highlighted memory."""
        return self.memories.highlighted if self.visited is None else self.visited

    @property
    def below(self) -> list[int]:
        """The memories below the highlighted heading, unless a followed link is shown."""
        return self.memories.below if self.visited is None else []

    def selected(self) -> list[int]:
        """Return the marked memories, else those below the highlighted heading, else the current one."""
        id = self.current
        return sorted(self.memories.marks) or self.below or ([id] if id is not None else [])

    def nothing_to(self, verb: str) -> str:
        """Return what a key shows if there is no memory to act on."""
        raise NotImplementedError

    def is_to_be_asked(self, ids: Sequence[int]) -> bool:
        """Return whether a verb asks before it changes these: many, or perhaps of several stores."""
        rows = [self.memories.row(id) for id in ids] if 1 < len(ids) <= FEW else []
        stores = {row.store if row is not None else None for row in rows}
        return len(ids) > FEW or None in stores or len(stores) > 1

    def ask(self, workspace: Workspace, action: str, ids: Sequence[int], *, always: bool = False) -> None:
        """Show what a verb will do, store by store, and do it if it is confirmed. All that is below a heading
        is forgotten with its entities: the heading of one stands for the entity itself."""
        from memtui.tui.memory.bulk.confirm_dialog import ConfirmDialog

        is_heading = bool(self.below) and not self.memories.marks
        dialog = ConfirmDialog(workspace, action, ids, always=always, with_entities=is_heading)
        self.app.push_screen(dialog, self.run_job)

    def run_job(self, job: Job | None) -> None:
        """Run what a dialog was closed with."""
        if job is None:
            return
        doing = bulk_wording.DOING[job.action]
        hint = self.reason_hint() if job.action == "pin" else None
        if len(job.ids) > FEW:
            self.app.run_bulk(job.run, doing, len(job.ids), partial(self._job_done, hint=hint))
        else:
            self.app.run_change(job.run, None, hint=hint)

    async def _job_done(self, change: Change, *, hint: str | None) -> str:
        if change.unreached:
            self.unmark(change.ids)
        return await self.app.announce(change, hint=hint)

    def unmark(self, done: Iterable[int]) -> None:
        """Unmark what a verb did before it was stopped: the same key again is for the rest."""
        if done_marks := self.memories.marks.intersection(done):
            self.memories.mark(self.memories.marks - done_marks)

    def reason_hint(self) -> str:
        """Return how to undo a pin, and how to say why."""
        return bulk_wording.reason_hint(self.app.key("change.undo"), self.app.key("memory.reason"))

    # Keys

    def action_forget(self) -> None:
        if selected := self._selected_for("forget"):
            workspace, ids = selected
            self.ask(workspace, "forget", ids, always=True)

    def action_snooze(self) -> None:
        if selected := self._selected_for("snooze"):
            from memtui.tui.memory.bulk.snooze_dialog import SnoozeDialog

            self.app.push_screen(SnoozeDialog(*selected), self.run_job)

    def action_retag(self) -> None:
        if selected := self._selected_for("tag"):
            from memtui.tui.memory.bulk.tags_dialog import TagsDialog

            self.app.push_screen(TagsDialog(*selected), self.run_job)

    def action_reason(self) -> None:
        if selected := self._selected_for("pin"):
            from memtui.tui.memory.bulk.reason_dialog import ReasonDialog

            self.app.push_screen(ReasonDialog(*selected), self.run_job)

    def _selected_for(self, verb: str) -> tuple[Workspace, list[int]] | None:
        """Return the workspace and what a dialog is about; None, after showing why, if there is nothing."""
        workspace, ids = self.app.ready_workspace(), self.selected()
        if workspace is None or self.editor_opening:
            return None
        if self.app.read_only:
            self.app.show_status(wording.READ_ONLY, tone="error")
        elif not ids:
            self.app.show_status(self.nothing_to(verb))
        else:
            return workspace, ids
        return None
