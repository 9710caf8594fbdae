"""The dialog that asks before memtui's entries are taken out of a settings file (S-87)."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.memory.secrets.masking import hidden
from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.text_pane import TextPane
from memtui.tui.stores.agents import wording
from memtui.tui.stores.agents.actions import Planned
from memtui.tui.stores.agents.difference_text import difference_parts


class DisconnectDialog(Dialog[bool]):
    """Shows the difference, and closes with whether to make it."""

    BINDINGS = command_table.bindings(names.DISCONNECT)

    def __init__(self, planned: Planned) -> None:
        super().__init__()
        self._planned = planned

    def compose(self) -> ComposeResult:
        with Vertical(id="disconnect", classes="dialog"):
            yield TextPane(id="preview")

    def on_mount(self) -> None:
        box, wanted = self.query_one("#disconnect"), self._planned.connections[0]
        title = wording.disconnect_title(wanted.client, wanted.agent)
        box.border_title = Content(safe_text(hidden(title), one_line=True))
        box.border_subtitle = Content(command_table.dialog_keys(names.DISCONNECT))
        for pane in self.query(TextPane):  # none if a quick key has closed it already
            pane.focus()
            lines = difference_parts(self._planned.lines)
            pane.show(Content.assemble(*(lines or [(wording.GONE_ALREADY, "")])), keep_place=False)

    def action_go(self) -> None:
        self.dismiss(True)

    def action_cancel(self) -> None:
        self.dismiss(False)
