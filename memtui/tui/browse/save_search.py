"""Keep the present search under a name (S-32)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.search.saved_searches import Saved
    from memtui.workspace.workspace import Workspace


class SaveSearchDialog(Dialog[str | None]):
    """Answers with what was done, in a sentence; a refused name stays to be mended."""

    BINDINGS = command_table.bindings(command_table.SAVE)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, query: str, sort: str, order: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._query, self._sort, self._order = query, sort, order
        self._kept: dict[str, Saved] = {}

    def compose(self) -> ComposeResult:
        with Vertical(id="save-search", classes="dialog"):
            yield SafeInput(id="search-name", compact=True, select_on_focus=False)
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#save-search")
        box.border_title = Content("Keep this search as")
        box.border_subtitle = Content("⏎ keep · esc cancel")
        box.query_one(SafeInput).focus()
        self._about("")
        self.load()

    @worker("The saved searches could not be read", group="saved")
    async def load(self) -> None:
        """The names that are taken; the one that this search has already is offered."""
        saved = await self.app.lanes.read(self._workspace.saved)
        self._kept = {each.name: each for each in saved}
        input = self.query_one(SafeInput)
        same = next((each for each in saved if each.query == self._query), None)
        if same is not None and not input.value:
            input.value = same.name
            input.cursor_position = len(input.value)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._about(event.value.strip())

    def _about(self, name: str) -> None:
        old = self._kept.get(name)
        replaced = f" It takes the place of: {old.query or 'everything'}" if old is not None else ""
        self.show_message(f"{self._query or 'everything'}, {self._order}.{replaced}")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.run_write("Not kept", partial(self._save, event.value.strip()))

    def _save(self, name: str) -> str:
        old = self._kept.get(name)
        saved = self._workspace.save_search(name, self._query, self._sort)
        place = f" in the place of: {old.query or 'everything'}" if old is not None else "."
        return f"Kept as “{saved.name}”{place}"

    def action_cancel(self) -> None:
        self.dismiss(None)
