"""The dialog that saves the current search under a name (S-32)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.tui import command_table
from memtui.tui.browse import wording
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.search.saved_searches import SavedSearch
    from memtui.workspace.workspace import Workspace


class SaveSearchDialog(Dialog[str | None]):
    """Closes with a summary of what was saved; a refused name can be corrected."""

    BINDINGS = command_table.bindings(names.SAVE_SEARCH)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, query: str, sort: str, order: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._query, self._sort, self._order = query, sort, order
        self._saved: dict[str, SavedSearch] = {}

    def compose(self) -> ComposeResult:
        with Vertical(id="save-search", classes="dialog"):
            yield SafeInput(id="search-name", compact=True, select_on_focus=False)
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#save-search")
        box.border_title = Content(wording.KEEP_AS)
        box.border_subtitle = Content(wording.KEEP_KEYS)
        box.query_one(SafeInput).focus()
        self._show_effect("")
        self.load()

    @worker(wording.SAVED_SEARCHES_NOT_READ, group="saved")
    async def load(self) -> None:
        """Read the names in use, and put in the one under which this search is already saved."""
        saved = await self.app.lanes.read(self._workspace.saved_searches)
        self._saved = {each.name: each for each in saved}
        input = self.query_one(SafeInput)
        same = next((each for each in saved if each.query == self._query), None)
        if same is not None and not input.value:
            input.value = same.name
            input.cursor_position = len(input.value)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._show_effect(event.value.strip())

    def _show_effect(self, name: str) -> None:
        self.show_message(wording.to_be_kept(self._query, self._order, self._replaced_query(name)))

    def _replaced_query(self, name: str) -> str | None:
        """Return the query that is saved under this name."""
        old = self._saved.get(name)
        return old.query if old is not None else None

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.run_write(wording.NOT_KEPT, partial(self._save, event.value.strip()))

    def _save(self, name: str) -> str:
        replaced = self._replaced_query(name)
        saved = self._workspace.save_search(name, self._query, self._sort)
        return wording.kept(saved.name, replaced)

    def action_cancel(self) -> None:
        self.dismiss(None)
