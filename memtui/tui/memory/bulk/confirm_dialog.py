"""The dialog that asks once before a verb changes many memories, or memories of several stores, and before
any is forgotten (S-8, S-106)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.memory.bulk import wording
from memtui.tui.memory.bulk.limits import FEW
from memtui.tui.memory.bulk.verb_dialog import Job, VerbDialog
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


class ConfirmDialog(VerbDialog):
    """Asks for a verb that needs nothing more. With `always` it asks for a single memory, too; without, it
    closes by itself where the memories turn out to be few and of one store. What is forgotten goes
    `with_entities` or without."""

    BINDINGS = command_table.bindings(names.BULK)
    NAME = "bulk"

    def __init__(
        self,
        workspace: Workspace,
        action: str,
        ids: Sequence[int],
        *,
        always: bool = False,
        with_entities: bool = False,
    ) -> None:
        super().__init__(workspace, action, ids)
        self.with_entities = with_entities
        self._always = always or len(ids) > FEW

    def inputs(self) -> Sequence[Widget]:
        return [Static(id="label")]

    def job(self) -> Job | None:
        work, ids = self._workspace, self.ids
        if self.with_entities and self.action == "forget":
            return Job(self.action, ids, lambda control: work.forget(ids, control, with_entities=True))
        return super().job()

    def on_mount(self) -> None:
        label = self.query_one("#label", Static)
        label.display = False
        super().on_mount()

    @worker(wording.PREVIEW_FAILED, group="label")
    async def _show_label(self) -> None:
        """Show what a single memory says."""
        rows = await self.app.lanes.read(self._workspace.rows, self.ids)
        label = self.query_one("#label", Static)
        label.display = bool(rows)
        label.update(Content(wording.quoted(one_line(rows[0].label, 200)) if rows else ""))

    def previewed(self) -> None:
        found = self.previews or []
        if self.action == "pin" and not self.possible and found:
            self.action = "unpin"  # all are pinned already
            self.set_titles()
            self.load()
        elif not self._always and len(found) < 2 and self.possible:
            self.action_go()
        else:
            if len(self.ids) == 1:
                self._show_label()
            if self.action == "forget" and self.possible:
                self.show_message(wording.restored_by(self.app.key("memory.restore"), len(self.ids)))
            elif not self.possible:
                self.show_message(self.why_nothing())
