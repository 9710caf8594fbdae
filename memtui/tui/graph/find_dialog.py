"""The dialog that finds a memory by words or filters (SPEC 7, 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.errors import QueryError, Refused
from memtui.memory.graph.model import Node
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.chooser import ChoiceList, ChooserDialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.graph import wording
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class FindDialog(ChooserDialog[Node | None]):
    """Returns the node that was chosen, or None."""

    BINDINGS = command_table.bindings(names.FIND_MEMORY)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, title: str) -> None:
        super().__init__(workspace)
        self._title = title

    def compose(self) -> ComposeResult:
        with Vertical(id="pick", classes="dialog"):
            yield SafeInput(
                id="chooser-input", compact=True, select_on_focus=False, placeholder=wording.WORDS_OR_FILTERS
            )
            yield ChoiceList(id="choices")
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#pick")
        box.border_title = Content(self._title)
        box.border_subtitle = Content(f"⏎ choose · {command_table.dialog_keys(names.FIND_MEMORY)}")
        self.input.focus()
        self.load()

    @worker(wording.MEMORIES_UNREADABLE, group="choices")
    async def load(self) -> None:
        """List the memories that match what is typed."""
        text = self.input.value.strip()
        try:
            await self.load_nodes()
        except (QueryError, Refused) as error:
            self.show_message(str(error))
            return
        self.show_message("")
        self.choices_loaded(text)

    def choose(self) -> None:
        chosen = self.choices.highlighted
        if isinstance(chosen, Node):
            self.dismiss(chosen)
        else:
            self.show_message(wording.NOTHING_TO_CHOOSE)

    def action_cancel(self) -> None:
        self.dismiss(None)
