"""Keep the present search under a name (S-32)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import Refused
from memtui.text import safe_text
from memtui.tui import commands
from memtui.tui.dialogs.base import Dialog
from memtui.tui.widgets.clean_input import CleanInput
from memtui.tui.worker import in_words, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.saved import Saved
    from memtui.workspace.workspace import Workspace


class SaveSearchDialog(Dialog[str | None]):
    """Answers with what was done, in a sentence; a refused name stays to be mended."""

    BINDINGS = commands.bindings(commands.SAVE)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, query: str, sort: str, order: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._query, self._sort, self._order = query, sort, order
        self._kept: dict[str, Saved] = {}
        self._saving = False

    def compose(self) -> ComposeResult:
        with Vertical(id="save-search", classes="dialog"):
            yield CleanInput(id="search-name", compact=True, select_on_focus=False)
            yield Static(id="said")

    def on_mount(self) -> None:
        box = self.query_one("#save-search")
        box.border_title = Content("Keep this search as")
        box.border_subtitle = Content("⏎ keep · esc cancel")
        box.query_one(CleanInput).focus()
        self._about("")
        self.load()

    @worker("The saved searches could not be read", group="saved")
    async def load(self) -> None:
        """The names that are taken; the one that this search has already is offered."""
        saved = await self.app.lane.ask(self._workspace.saved)
        self._kept = {each.name: each for each in saved}
        input = self.query_one(CleanInput)
        same = next((each for each in saved if each.query == self._query), None)
        if same is not None and not input.value:
            input.value = same.name
            input.cursor_position = len(input.value)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._about(event.value.strip())

    def _about(self, name: str) -> None:
        old = self._kept.get(name)
        replaced = f" It takes the place of: {old.query or 'everything'}" if old is not None else ""
        self.tell(f"{self._query or 'everything'}, {self._order}.{replaced}")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if not self._saving:
            self._saving = True
            self._save(event.value.strip())

    @worker("Not kept", group="save", exclusive=False)
    async def _save(self, name: str) -> None:
        old = self._kept.get(name)
        try:
            save = self._workspace.save_search
            saved = await self.app.lane.change(save, name, self._query, self._sort)
        except Refused as refused:
            self.tell(f"{refused.message} {refused.hint}".strip())
        except Exception as error:  # whatever it was: the name typed stays
            self.tell(f"Not kept: {in_words(error)}")
        else:
            place = f" in the place of: {old.query or 'everything'}" if old is not None else "."
            self.dismiss(f"Kept as “{saved.name}”{place}")
        finally:
            self._saving = False

    def action_cancel(self) -> None:
        self.dismiss(None)

    def tell(self, text: str) -> None:
        """The lines of this dialog; the screen's is below it."""
        self.query_one("#said", Static).update(Content(safe_text(text, one_line=True, limit=600)))
