"""Give a store another name (S-2a)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import Refused
from memtui.memory.records import Change
from memtui.text import safe_text
from memtui.tui import commands
from memtui.tui.dialogs.base import Dialog
from memtui.tui.widgets.clean_input import CleanInput
from memtui.tui.worker import in_words, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class RenameDialog(Dialog[Change | None]):
    """⏎ renames, esc leaves; a refused name stays to be mended."""

    BINDINGS = commands.bindings(commands.RENAME)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, name: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._old = name
        self._saving = False

    def compose(self) -> ComposeResult:
        with Vertical(id="rename", classes="dialog"):
            yield CleanInput(self._old, id="new-name", compact=True, select_on_focus=False)
            yield Static(Content("Only memtui calls it so; its file is not touched."), id="said")

    def on_mount(self) -> None:
        box = self.query_one("#rename")
        box.border_title = Content("Rename store")
        box.border_subtitle = Content("⏎ rename · esc cancel")
        box.query_one(CleanInput).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.value == self._old:
            self.dismiss(None)
        elif not self._saving:
            self._saving = True
            self._rename(event.value)

    @worker("Not renamed", group="rename", exclusive=False)
    async def _rename(self, new: str) -> None:
        try:
            info = await self.app.lane.change(self._workspace.rename_store, self._old, new)
        except Refused as refused:
            self.tell(f"{refused.message} {refused.hint}".strip())
        except Exception as error:  # whatever it was: the name typed stays
            self.tell(f"Not renamed: {in_words(error)}")
        else:
            self.dismiss(Change("renamed", (), f"Renamed {self._old} to {info.name}"))
        finally:
            self._saving = False

    def action_cancel(self) -> None:
        self.dismiss(None)

    def tell(self, text: str) -> None:
        """The lines of this dialog; the screen's is below it."""
        self.query_one("#said", Static).update(Content(safe_text(text, one_line=True, limit=600)))
