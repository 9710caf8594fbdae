"""The dialog that pins memories with a reason, or gives pins another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.memory.bulk import wording
from memtui.tui.memory.bulk.verb_dialog import Job, VerbDialog
from memtui.tui.workers.guarded import worker
from memtui.values import FieldValue

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


class ReasonDialog(VerbDialog):
    """Takes one line; ⏎ without text pins all the same. Where all are pinned it changes the reason, which may
    not be empty then: the pin stays as it is."""

    BINDINGS = command_table.bindings(names.REASON)
    NAME = "reason"

    def __init__(self, workspace: Workspace, ids: Sequence[int]) -> None:
        super().__init__(workspace, "pin", ids)

    def inputs(self) -> Sequence[Widget]:
        self._input = SafeInput(
            id="why", compact=True, select_on_focus=False, placeholder=wording.REASON_PLACEHOLDER
        )
        return [self._input]

    def on_mount(self) -> None:
        super().on_mount()
        self._input.focus()
        self._read_reason()

    @property
    def fields(self) -> Mapping[str, FieldValue]:
        return {"pinned_why": self._input.value.strip() or wording.REASON_PLACEHOLDER}

    def set_titles(self) -> None:
        box = self.query_one(".dialog")
        box.border_title = Content(wording.REASON_TITLE)
        box.border_subtitle = Content(wording.keys(self.action))

    @worker(wording.PREVIEW_FAILED, group="reason")
    async def _read_reason(self) -> None:
        """Begin with the reason that is given now, of a single memory."""
        detail = (
            await self.app.lanes.read(self._workspace.detail, self.ids[0]) if len(self.ids) == 1 else None
        )
        if detail is not None and detail.memory.pinned_why and not self._input.value:
            self._input.value = detail.memory.pinned_why
            self._input.cursor_position = len(self._input.value)

    def previewed(self) -> None:
        if self.action == "pin" and not self.possible and self.previews:
            self.action = "reason"  # all are pinned already, or none can be
            self.set_titles()
            self.load()
        elif self.possible:
            self.show_message(wording.reason_effect(self.action == "reason"))
        else:
            self.show_message(self.why_nothing())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_go()

    def job(self) -> Job | None:
        work, ids, why = self._workspace, self.ids, self._input.value.strip()
        if self.action == "reason" and not why:
            self.dismiss(None)
            return None
        return Job("pin", ids, lambda control: work.pin(ids, why, control))
