"""Find one memory by words (SPEC 7, 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.errors import QueryError, Refused
from memtui.memory.graph.model import Node
from memtui.tui import command_table
from memtui.tui.common.chooser import ChoiceList, ChoosingDialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class FindDialog(ChoosingDialog[Node | None]):
    """Answers with the node that is chosen."""

    BINDINGS = command_table.bindings(command_table.PICK)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, title: str) -> None:
        super().__init__(workspace)
        self._title = title

    def compose(self) -> ComposeResult:
        with Vertical(id="pick", classes="dialog"):
            yield SafeInput(id="typed", compact=True, select_on_focus=False, placeholder="words or filters")
            yield ChoiceList(id="choices")
            yield Static(id="said")

    def on_mount(self) -> None:
        box = self.query_one("#pick")
        box.border_title = Content(self._title)
        box.border_subtitle = Content(f"⏎ choose · {command_table.dialog_keys(command_table.PICK)}")
        self.typed.focus()
        self.load()

    @worker("The memories could not be read", group="choices")
    async def load(self) -> None:
        """The memories that are found."""
        text = self.typed.value.strip()
        try:
            await self.offer()
        except (QueryError, Refused) as wrong:
            self.tell(str(wrong))
            return
        self.tell("")
        self.offered(text)

    def choose(self) -> None:
        chosen = self.choices.chosen
        if isinstance(chosen, Node):
            self.dismiss(chosen)
        else:
            self.tell("There is nothing to choose.")

    def action_cancel(self) -> None:
        self.dismiss(None)
