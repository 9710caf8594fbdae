"""The base of every screen: header, status line, footer, and the keys that mean the same everywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, ParamSpec, TypeVar

from textual import work
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from memtui.memory.results import Change
from memtui.tui.command_table import FooterItem
from memtui.tui.common import wording
from memtui.tui.common.footer import Footer
from memtui.tui.common.header import Header
from memtui.tui.common.status_line import StatusLine
from memtui.tui.common.text_pane import TextPane
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import CursorMoved

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

T = TypeVar("T")
P = ParamSpec("P")
SCROLLED = 3  # lines that a text is scrolled at once while the list has the focus
PAUSE = 0.04  # seconds that the cursor rests before the text under it is read

NOT_IN_FULL = frozenset(
    {"move.down", "memory.mark", "memory.open", "pair.open", "journal.open", "inbox.open", "search.sort"}
)
"""What the footer leaves out while a text has the whole screen."""


class BaseScreen(Screen[None]):
    """A list, a text next to or below it, one status line, one footer."""

    MODE: ClassVar[str] = ""
    AUTO_FOCUS = "#list"  # keys pressed while the screen is being made are commands, not a search
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
        """React to a change of any screen or store."""
        raise NotImplementedError

    @property
    def active_pane(self) -> Widget:
        """The pane that a movement from the palette moves: the focused one, else the first."""
        lists = [each for each in self.query(VirtualList) if each.can_focus]
        panes: list[Widget] = [*lists, *self.query(TextPane)]
        return next((pane for pane in panes if pane.has_focus), panes[0])

    def blocked_reason(self, id: str) -> str:
        """Return why the command `id` cannot run on this screen now, or ""."""
        return ""

    def refusal(self, id: str) -> str:
        """Return why the command `id` must not run now, whatever it would look at first, or ""."""
        return ""

    def update_titles(self) -> None:
        """Show the counts in the panes' titles."""
        raise NotImplementedError

    def load_text(self) -> object:
        """Read and show the text of what is under the cursor."""
        raise NotImplementedError

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self.update_titles()
        self._load_text_soon()

    @work(exclusive=True, group="rest")
    async def _load_text_soon(self) -> None:
        """Read once the cursor rests; a worker, since Textual drops late timers on a busy machine."""
        await asyncio.sleep(PAUSE)
        self.load_text()

    async def read(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `fn` in the reading thread."""
        return await self.app.lanes.read(fn, *args, **kwargs)

    def opening_lines(self) -> list[Part]:
        """Return the lines of an empty list while the workspace opens, or if it cannot be opened."""
        failure = self.app.failure
        if failure is None:
            return [(wording.OPENING_WORKSPACE, "quiet")]
        hint: list[Part] = [(failure.hint, "plain")] if failure.hint else []
        key = self.app.key("app.quit")
        return [(failure.message, "error"), *hint, ("", "plain"), (wording.quit_line(key), "quiet")]

    def error_lines(self, subject: str) -> list[Part]:
        """Return the lines of an empty list that could not be read; `subject` names it."""
        retry = wording.retry_line(self.app.key("search.reload"))
        if self.app.read_only:
            return [
                (wording.not_read(subject), "error"),
                (wording.DOCTOR_HELPS, "plain"),
                ("", "plain"),
                (retry, "quiet"),
            ]
        return [(wording.not_read_see_below(subject), "error"), ("", "plain"), (retry, "quiet")]

    def set_full_screen(self, full: bool) -> None:
        """Show the text alone, or next to the list."""
        self.set_class(full, "full")
        footer = self.query_one(Footer)
        back = FooterItem(1, self.app.key("screen.back"), "back", "screen.back")
        footer.extra = (back, FooterItem(2, "j k", "scroll")) if full else ()
        footer.hidden = NOT_IN_FULL if full else frozenset()

    @property
    def text_beside(self) -> TextPane | None:
        """The text that belongs to the list and is on the screen, if any."""
        panes = [pane for pane in self.query(TextPane) if pane.id == "detail" and pane.display]
        return panes[0] if panes else None

    def action_detail_down(self) -> None:
        self._scroll_text(SCROLLED)

    def action_detail_up(self) -> None:
        self._scroll_text(-SCROLLED)

    def _scroll_text(self, lines: int) -> None:
        """Scroll the text beside the list, which keeps the focus."""
        if (pane := self.text_beside) is not None:
            pane.scroll_lines(lines)
        else:
            self.app.show_status(wording.NO_TEXT_BESIDE)

    def action_help(self) -> None:
        from memtui.tui.common.help import HelpDialog

        self.app.push_screen(HelpDialog(self.MODE))

    def action_undo(self) -> None:
        if workspace := self.app.ready_workspace():
            hint = wording.redo_hint(self.app.key("change.redo"))
            self.app.run_change(partial(workspace.undo, warn=True), hint=hint, doing=wording.UNDOING)

    def action_redo(self) -> None:
        if workspace := self.app.ready_workspace():
            self.app.run_change(workspace.redo, doing=wording.REDOING)

    def action_reload(self) -> None:
        if self.app.ready_workspace():
            self.app.store_watcher.reload()
