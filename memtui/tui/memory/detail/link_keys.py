"""Following the links of a memory's detail, and going back (S-8)."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.detail import Detail
from memtui.tui.command_table import FooterItem
from memtui.tui.common import wording as common_wording
from memtui.tui.common.footer import Footer
from memtui.tui.common.screen import BaseScreen
from memtui.tui.memory import wording
from memtui.tui.memory.detail import wording_detail
from memtui.tui.memory.detail.detail_pane import DetailPane
from memtui.tui.messages import CursorMoved, LinkFollowed
from memtui.tui.workers.guarded import worker

MAX_WAY = 100  # steps back that are kept


@dataclass(frozen=True, slots=True)
class Stop:
    """A memory where a link was followed, and which of its links."""

    id: int
    link: int


class LinkScreen(BaseScreen):
    """A screen with a detail pane. A link leads the cursor of the list to a memory if the list has it.

    Else the detail alone shows it, and the keys act on it, until the cursor moves."""

    view: DetailPane

    def __init__(self) -> None:
        super().__init__()
        self._way: list[Stop] = []
        self.visited: int | None = None
        """The memory that the detail alone shows."""
        self._visited_from: object = None  # what the cursor is on meanwhile

    @property
    def under_cursor(self) -> int | None:
        """The memory under the list's cursor, whatever the detail shows."""
        raise NotImplementedError

    @property
    def spot(self) -> object:
        """What the list's cursor is on: the memory; a screen with headings tells these apart, too."""
        return self.under_cursor

    def show_in_list(self, id: int) -> bool:
        """Put the list's cursor on a memory; return whether it is in the list."""
        return False

    def on_link_followed(self, message: LinkFollowed) -> None:
        if message.id is None:
            self.app.show_status(message.reason)
        elif (detail := self.view.detail) is not None:
            self._go(message.id, Stop(detail.id, self.view.selected_number), back=False)

    def action_detail_back(self) -> None:
        """Go back to the memory where the last link was followed."""
        if self._way:
            self._go(self._way[-1].id, self._way[-1], back=True)
        else:
            self.app.show_status(wording_detail.NO_WAY_BACK)

    @worker(wording.MEMORY_NOT_READ, group="link")
    async def _go(self, id: int, stop: Stop, *, back: bool) -> None:
        workspace = self.app.workspace
        if workspace is None:
            return
        detail = await self.read(workspace.detail, id)
        if back and self._way[-1:] == [stop]:
            self._way.pop()
        if detail is None:
            self.app.show_status(wording_detail.LINK_GONE, tone="error")
            return
        if back:
            self.view.want_link(id, stop.link)
        else:
            self._way = [*self._way, stop][-MAX_WAY:]
        self.visited = None
        if id == self.under_cursor or self.show_in_list(id):
            self.load_text()
        else:
            self.visited, self._visited_from = id, self.spot
            self.show_visited(detail)

    def show_visited(self, detail: Detail) -> None:
        """Show a memory that a link led to, with a line that says so."""
        notice = wording_detail.from_link(self.app.key("detail.back"))
        self.view.heading = wording_detail.MEMORY
        self.view.show_detail(detail, notice=notice)

    async def reload_visited(self) -> bool:
        """Read the visited memory again; return whether there is one."""
        id, workspace = self.visited, self.app.workspace
        if id is None or workspace is None:
            return False
        detail = await self.read(workspace.detail, id)
        if id == self.visited:
            if detail is None:  # purged meanwhile
                self.visited = None
                return False
            self.show_visited(detail)
        return True

    def end_visit(self) -> bool:
        """Show the memory under the cursor again; return whether another one was shown."""
        if self.visited is None:
            return False
        self.visited = None
        self.load_text()
        return True

    def on_cursor_moved(self, message: CursorMoved) -> None:
        if self.visited is not None and self.spot != self._visited_from:
            self.visited = None

    def set_full_screen(self, full: bool) -> None:
        super().set_full_screen(full)
        if full:
            self.view.scroll_home(animate=False)  # the text comes first
            footer = self.query_one(Footer)
            footer.extra = (*footer.extra, FooterItem(4, self.app.key("detail.next_link"), "links"))
        else:
            self.end_visit()

    def action_fields(self) -> None:
        """Fold or unfold the raw fields, here and in every other detail until the program ends."""
        if not self.view.display:
            self.app.show_status(common_wording.NO_TEXT_BESIDE)
        elif self.view.detail is None:
            self.app.show_status(wording_detail.NO_FIELDS)
        else:
            self.app.fields_unfolded = not self.app.fields_unfolded
            self.view.show_fields()
