"""The dialog that renames a store (S-2a)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.memory.results import Change
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.stores import wording

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class RenameDialog(Dialog[Change | None]):
    """Renames a store and returns the change, or None; a refused name stays to be corrected."""

    BINDINGS = command_table.bindings(names.RENAME)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, name: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._old = name

    def compose(self) -> ComposeResult:
        with Vertical(id="rename", classes="dialog"):
            yield SafeInput(self._old, id="new-name", compact=True, select_on_focus=False)
            yield Static(Content(wording.RENAME_HELP), id="message")

    def on_mount(self) -> None:
        box = self.query_one("#rename")
        box.border_title = Content(wording.RENAME_STORE)
        box.border_subtitle = Content(wording.RENAME_KEYS)
        box.query_one(SafeInput).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.value == self._old:
            self.dismiss(None)
        else:
            self.run_write(wording.NOT_RENAMED, partial(self._rename, event.value))

    def _rename(self, new: str) -> Change:
        info = self._workspace.rename_store(self._old, new)
        return Change("renamed", (), wording.renamed(self._old, info.name))

    def action_cancel(self) -> None:
        self.dismiss(None)
