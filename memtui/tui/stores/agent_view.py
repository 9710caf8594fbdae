"""The dialog that shows what an agent is given of a store when a session starts (S-72)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.text_pane import TextPane
from memtui.tui.stores import actions, wording
from memtui.tui.stores.agent_view_text import MIN_WIDTH, agent_view_text
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.tui.stores.actions import AgentText
    from memtui.workspace.workspace import Workspace

_NAME = 60  # characters of a store's name in the title


class AgentViewDialog(Dialog[None]):
    """The text with what was left out below it; it fills the screen and scrolls with the list's keys."""

    BINDINGS = command_table.bindings(names.AGENT_VIEW)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, store: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._store = store
        self._found: AgentText | None = None

    def compose(self) -> ComposeResult:
        with Vertical(id="agent-view", classes="dialog"):
            yield TextPane()

    def on_mount(self) -> None:
        self.box = self.query_one("#agent-view")
        self.pane = self.query_one(TextPane)
        name = safe_text(self._store, one_line=True, limit=_NAME)
        self.box.border_title = Content(name)
        self.box.border_subtitle = Content(command_table.dialog_keys(names.AGENT_VIEW))
        self.pane.show(Content.styled(wording.READING_VIEW, "$quiet"), keep_place=False)
        self.pane.focus()
        self.load()

    @worker(wording.VIEW_UNREADABLE, group="agent-view")
    async def load(self) -> None:
        try:
            found = await self.app.lanes.read(
                actions.read_agent_text, self._workspace, self._store, self.app.settings.tokenizer
            )
        except Exception as error:  # whatever it was, it is shown here
            text = wording.failed(wording.VIEW_UNREADABLE, error_text(error))
            self.pane.show(Content.styled(safe_text(text), "$error"), keep_place=False)
            return
        self._found = found
        name = safe_text(self._store, one_line=True, limit=_NAME)
        view = found.view.view
        client = found.view.title if view is not None else ""
        cut = len({ref for each in view.cut for ref in each.refs}) if view is not None else 0
        self.box.border_title = Content(wording.view_title(client, name, found.tokens, found.unit, cut))
        self._draw()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        if self._found is not None:
            width = max(MIN_WIDTH, self.pane.container_size.width - 1)
            self.pane.show(agent_view_text(self._found.view, width), keep_place=True)

    def action_back(self) -> None:
        self.dismiss(None)
