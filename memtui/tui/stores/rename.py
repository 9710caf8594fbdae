"""Give a store another name (S-2a)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.memory.results import Change
from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class RenameDialog(Dialog[Change | None]):
    """⏎ renames, esc leaves; a refused name stays to be mended."""

    BINDINGS = command_table.bindings(command_table.RENAME)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, name: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._old = name

    def compose(self) -> ComposeResult:
        with Vertical(id="rename", classes="dialog"):
            yield SafeInput(self._old, id="new-name", compact=True, select_on_focus=False)
            yield Static(Content("Only memtui calls it so; its file is not touched."), id="message")

    def on_mount(self) -> None:
        box = self.query_one("#rename")
        box.border_title = Content("Rename store")
        box.border_subtitle = Content("⏎ rename · esc cancel")
        box.query_one(SafeInput).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.value == self._old:
            self.dismiss(None)
        else:
            self.run_write("Not renamed", partial(self._rename, event.value))

    def _rename(self, new: str) -> Change:
        info = self._workspace.rename_store(self._old, new)
        return Change("renamed", (), f"Renamed {self._old} to {info.name}")

    def action_cancel(self) -> None:
        self.dismiss(None)
