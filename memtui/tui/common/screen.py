"""What every screen has: header, status line, footer, and the keys that mean the same everywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual import work
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from memtui.memory.results import Change
from memtui.tui.command_table import FooterItem
from memtui.tui.common.footer import Footer
from memtui.tui.common.header import Header
from memtui.tui.common.status_line import StatusLine
from memtui.tui.common.text_pane import TextPane
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import CursorMoved

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

T = TypeVar("T")
PAUSE = 0.04  # seconds that the cursor rests before a text is read


class BaseScreen(Screen[None]):
    """A list, a text beside or below it, one status line, one footer."""

    MODE: ClassVar[str] = ""
    AUTO_FOCUS = "#list"  # what is typed before the screen stands is no search
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (150, "-very-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-tall")]

    app: MemtuiApp

    def body(self) -> Iterable[Widget]:
        """The widgets between header and status line."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield Header(self.MODE)
        yield from self.body()
        yield StatusLine()
        yield Footer(self.MODE)

    def on_mount(self) -> None:
        self.app.changed.subscribe(self, self.on_change, immediate=True)

    def on_change(self, change: Change) -> None:
        """Something was changed somewhere."""
        raise NotImplementedError

    @property
    def active_pane(self) -> Widget:
        """What a movement chosen by name moves: the focused pane, else the first one."""
        lists = [each for each in self.query(VirtualList) if each.can_focus]
        panes: list[Widget] = [*lists, *self.query(TextPane)]
        return next((pane for pane in panes if pane.has_focus), panes[0])

    def blocked_reason(self, id: str) -> str:
        """Why a command cannot work on this screen now, or nothing."""
        return ""

    def update_titles(self) -> None:
        """The counts in the titles."""
        raise NotImplementedError

    def load_text(self) -> Any:
        """Read and show the text of what is under the cursor."""
        raise NotImplementedError

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self.update_titles()
        self._rest()

    @work(exclusive=True, group="rest")
    async def _rest(self) -> None:
        """Read once the cursor rests; a worker, since a busy machine makes Textual drop a late timer."""
        await asyncio.sleep(PAUSE)
        self.load_text()

    async def read(self, fn: Callable[..., T], *args: Any) -> T:
        """A read in the lane."""
        return await self.app.lanes.read(fn, *args)

    def opening_lines(self) -> list[Part]:
        """What an empty list says before there is a workspace, or when there will be none."""
        failure = self.app.failure
        if failure is None:
            return [("Opening the workspace …", "quiet")]
        quits = f"{self.app.key('app.quit')}  quit"
        lines = [(failure.message, "wrong"), (failure.hint, "plain"), ("", "plain"), (quits, "quiet")]
        return [line for line in lines if line[0] or line is lines[2]]

    def error_lines(self, what: str) -> list[Part]:
        """What an empty list says if it could not be read."""
        again = f"{self.app.key('search.reload')}  try again"
        if self.app.read_only:
            return [
                (f"{what} could not be read.", "wrong"),
                ("memtui doctor tells what is wrong; --salvage NEW saves what can be read.", "plain"),
                ("", "plain"),
                (again, "quiet"),
            ]
        return [(f"{what} could not be read: see below.", "wrong"), ("", "plain"), (again, "quiet")]

    def set_full_screen(self, full: bool) -> None:
        """The text alone on the screen, or the list with it."""
        self.set_class(full, "full")
        keys = self.query_one(Footer)
        back = FooterItem(1, self.app.key("screen.back"), "back", "screen.back")
        keys.extra = (back, FooterItem(2, "j k", "scroll")) if full else ()
        keys.hidden = frozenset(
            {"move.down", "memory.mark", "memory.open", "pair.open", "journal.open", "search.sort"}
            if full
            else ()
        )

    def action_help(self) -> None:
        from memtui.tui.common.help import HelpDialog

        self.app.push_screen(HelpDialog(self.MODE))

    def action_undo(self) -> None:
        if workspace := self.app.ready_workspace():
            self.app.run_change(partial(workspace.undo, warn=True), hint=f"{self.app.key('change.redo')} redo")

    def action_redo(self) -> None:
        if workspace := self.app.ready_workspace():
            self.app.run_change(workspace.redo)

    def action_reload(self) -> None:
        if self.app.ready_workspace():
            self.app.store_watcher.reload()
