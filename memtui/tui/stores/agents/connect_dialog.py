"""The dialog that connects an agent's program: the settings file, the agent's name, and what would change
(S-87)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import Refused
from memtui.memory.results import Change
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.text_pane import TextPane
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.stores.agents import actions, wording
from memtui.tui.stores.agents.actions import Choice, Planned
from memtui.tui.stores.agents.difference_text import difference_parts
from memtui.tui.stores.store_text import fit_end, short_path
from memtui.tui.text.glyphs import fit
from memtui.tui.workers.guarded import error_text

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

PAUSE = 0.1  # seconds after the last key before the file is read
LONGEST = 100  # characters of a name that is typed


class ClientList(VirtualList):
    """One line per settings file: whose it is, whether those of this folder, its path."""

    can_focus = False
    choices: Sequence[Choice] = ()

    @property
    def highlighted(self) -> Choice | None:
        """The settings under the cursor."""
        return self.choices[self.cursor] if self.cursor < len(self.choices) else None

    @property
    def cursor_active(self) -> bool:
        return True

    def show(self, choices: Sequence[Choice]) -> None:
        """List the settings."""
        self.choices = choices
        self.refill(len(choices), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        choice = self.choices[index]
        whose = wording.THIS_FOLDER if choice.project else wording.YOUR_SETTINGS
        agent = wording.connected_as(choice.agent) if choice.agent else ""
        shown = fit(agent, min(24, width // 4)) if agent else ""
        room = max(1, width - 31 - len(shown))
        return [
            (" ", "plain"),
            (fit(choice.client, 13), "plain"),
            (fit(whose, 15), "quiet"),
            (fit_end(short_path(str(choice.file)), room), "quiet"),
            ("  ", "plain"),
            (shown, "accent"),
        ]


def _name_for(choice: Choice) -> str:
    """Return the name that an agent gets unless another is typed."""
    return choice.agent or choice.client


class ConnectDialog(Dialog[Change | None]):
    """Closes with the change, None if it was left. The input has the agent's name: what the client is
    connected as, or else its own name, until another is typed. The keys of the list move it meanwhile."""

    BINDINGS = command_table.bindings(names.CONNECT)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._planned: Planned | None = None  # None until it is known, or where it cannot be done
        self._reading = True  # what it would be is not known yet

    def compose(self) -> ComposeResult:
        with Vertical(id="connect", classes="dialog"):
            yield ClientList(id="clients")
            with Horizontal(classes="field"):
                yield Static(Content(wording.AGENT_LABEL), classes="label")
                yield SafeInput(id="agent", compact=True, select_on_focus=False, max_length=LONGEST)
            yield Static(Content(wording.READING_SETTINGS), id="message")
            yield TextPane(id="preview")

    def on_mount(self) -> None:
        box = self.query_one("#connect")
        box.border_title = Content(wording.CONNECT)
        box.border_subtitle = Content(command_table.dialog_keys(names.CONNECT))
        self.input.focus()
        self.load()

    @work(group="choices")
    async def load(self) -> None:
        """List the settings, with those that are connected."""
        try:
            self.clients.show(await self.app.lanes.background(actions.choices, self._workspace))
        except Exception as error:  # whatever it was, it is shown
            self._reading = False
            self.show_message(error_text(error))

    @property
    def clients(self) -> ClientList:
        """The settings to choose from."""
        return self.query_one(ClientList)

    @property
    def input(self) -> SafeInput:
        """The agent's name."""
        return self.query_one(SafeInput)

    def on_cursor_moved(self, message: CursorMoved) -> None:
        if (choice := self.clients.highlighted) is not None:
            self.input.placeholder = _name_for(choice)
        self._look()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._look()

    def _look(self) -> None:
        self._planned, self._reading = None, True
        self.look()

    @work(exclusive=True, group="look")
    async def look(self) -> None:
        """Show what connecting would change."""
        choice = self.clients.highlighted
        if choice is None:
            return
        await asyncio.sleep(PAUSE)
        agent = self.input.value.strip() or _name_for(choice)
        pane = self.query_one("#preview", TextPane)
        try:
            planned = await self.app.lanes.read_raw(actions.plan_connection, self._workspace, choice, agent)
        except Exception as error:  # whatever it was, it is shown and the dialog stays
            same = isinstance(error, Refused) and error.code == "no-change"
            pane.show(Content(""), keep_place=False)
            self.show_message(wording.connected_already(agent) if same else error_text(error))
            self._reading = False
            return
        self._planned, self._reading = planned, False
        lines = difference_parts(planned.lines)
        pane.show(Content.assemble(*(lines or [(wording.SAME_BYTES, "")])), keep_place=False)
        self.show_message(wording.CONNECT_HELP)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_go()

    def on_opened(self, message: Opened) -> None:
        self.action_go()

    def action_go(self) -> None:
        if self._planned is not None:
            self.run_write(
                wording.NOT_CONNECTED, partial(self._workspace.connect, *self._planned.connections)
            )
        elif self._reading:  # nobody agrees to what was not shown
            self.show_message(wording.NOT_SHOWN_YET)

    def action_up(self) -> None:
        self.clients.action_up()

    def action_down(self) -> None:
        self.clients.action_down()

    def action_page_up(self) -> None:
        self.query_one("#preview", TextPane).action_page_up()

    def action_page_down(self) -> None:
        self.query_one("#preview", TextPane).action_page_down()

    def action_cancel(self) -> None:
        if not self.writing:  # else what is being written would be announced nowhere
            self.dismiss(None)
