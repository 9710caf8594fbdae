"""Find one memory by words (SPEC 7, 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import QueryError, Refused
from memtui.memory.records import Row
from memtui.tui import commands
from memtui.tui.dialogs.base import Dialog
from memtui.tui.dialogs.choices import MOST, ChoiceList
from memtui.tui.messages import Opened
from memtui.tui.widgets.clean_input import CleanInput
from memtui.tui.worker import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class PickDialog(Dialog[Row | None]):
    """Answers with the memory that is chosen."""

    BINDINGS = commands.bindings(commands.PICK)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, title: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._title = title

    def compose(self) -> ComposeResult:
        with Vertical(id="pick", classes="dialog"):
            yield CleanInput(id="typed", compact=True, select_on_focus=False, placeholder="words or filters")
            yield ChoiceList(id="choices")
            yield Static(id="said")

    def on_mount(self) -> None:
        box = self.query_one("#pick")
        box.border_title = Content(self._title)
        box.border_subtitle = Content(f"⏎ choose · {commands.dialog_keys(commands.PICK)}")
        self.choices = self.query_one(ChoiceList)
        self.typed = self.query_one(CleanInput)
        self.typed.focus()
        self.load()

    @worker("The memories could not be read", group="choices")
    async def load(self) -> None:
        """The memories that are found."""
        work, text = self._workspace, self.typed.value.strip()
        try:
            rows = await self.app.lane.ask(lambda: work.rows(work.search(text).ids[:MOST]))
        except (QueryError, Refused) as wrong:
            self.tell(str(wrong))
            return
        self.choices.empty = [("No memory is found by these words.", "quiet")]
        self.choices.show(rows)
        self.tell("")

    def on_input_changed(self, event: Input.Changed) -> None:
        self.load()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._choose()

    def on_opened(self, message: Opened) -> None:
        self._choose()

    def _choose(self) -> None:
        chosen = self.choices.chosen
        if isinstance(chosen, Row):
            self.dismiss(chosen)
        else:
            self.tell("There is nothing to choose.")

    def action_up(self) -> None:
        self.choices.action_up()

    def action_down(self) -> None:
        self.choices.action_down()

    def action_cancel(self) -> None:
        self.dismiss(None)
