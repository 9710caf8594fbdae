"""A list that draws lines over any number of items, with a cursor that never moves by itself."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memtui.tui import command_table
from memtui.tui.messages import CursorMoved, EndReached, Opened
from memtui.tui.text.glyphs import fit

Part = tuple[str, str]


class VirtualList(ScrollView, can_focus=True):
    """One line an item, never a widget an item: a million settle as fast as ten (DESIGN section 4)."""

    BINDINGS = command_table.bindings(None)
    COMPONENT_CLASSES = {
        "line--plain",
        "line--quiet",
        "line--accent",
        "line--warn",
        "line--wrong",
        "line--track",
        "line--bar",
        "line--cursor",
        "line--cursor-idle",
        "line--marked",
    }

    cursor: reactive[int] = reactive(0, repaint=False)
    count: reactive[int] = reactive(0, repaint=False)

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.empty_lines: list[Part] = []
        """What stands here while there is nothing to list: lines of (text, style)."""
        self.divider: int | None = None
        """The item above which a line stands that is none and that the cursor passes over."""

    def divider_text(self) -> str:
        """What that line says."""
        return ""

    def row_of(self, index: int) -> int:
        """Which row an item is drawn in, counted from the first of all."""
        return index + (self.divider is not None and index >= self.divider)

    def item_at(self, row: int) -> int | None:
        """Which item is drawn in a row; None beyond the last, and for the line that is no item."""
        index = row - (self.divider is not None and row > self.divider)
        return None if row == self.divider or index >= self.count else index

    @property
    def rows(self) -> int:
        """Of all items, and of the line that is none."""
        return self.count + (self.divider is not None)

    def parts(self, index: int, width: int) -> list[Part]:
        """One line as (text, style) pairs that fill `width` cells; styles are plain, quiet, accent, …"""
        raise NotImplementedError

    @property
    def cursor_active(self) -> bool:
        """Whether keys act on the cursor's line."""
        return self.has_focus

    def is_marked(self, index: int) -> bool:
        """Whether the line is drawn as marked."""
        return False

    # Movement: the same actions as DetailPane's, so one table of keys serves both.

    def action_up(self) -> None:
        self.move_to(self.cursor - 1)

    def action_down(self) -> None:
        self.move_to(self.cursor + 1)

    def action_first(self) -> None:
        self.move_to(0)

    def action_last(self) -> None:
        self.move_to(self.count - 1)

    def action_half_down(self) -> None:
        self.move_to(self.cursor + max(1, self.page // 2))

    def action_half_up(self) -> None:
        self.move_to(self.cursor - max(1, self.page // 2))

    def action_page_down(self) -> None:
        self.move_to(self.cursor + max(1, self.page - 1))

    def action_page_up(self) -> None:
        self.move_to(self.cursor - max(1, self.page - 1))

    @property
    def page(self) -> int:
        """Lines on the screen."""
        return self.scrollable_content_region.height

    @property
    def top(self) -> int:
        """The first line on the screen."""
        return round(self.scroll_y)

    def move_to(self, index: int) -> None:
        """Put the cursor on a line and scroll just as far as needed to show it."""
        self.cursor = max(0, min(index, self.count - 1))
        self.show_cursor()

    def show_cursor(self) -> None:
        """Scroll just as far as needed; nothing moves if the cursor's line is on the screen."""
        top, page, row = self.top, self.page, self.row_of(self.cursor)
        first = row - (self.cursor == self.divider)  # the line above it belongs to it
        if first < top:
            self.scroll_to_row(first)
        elif page and row >= top + page:
            self.scroll_to_row(row - page + 1)

    def scroll_to_row(self, top: int) -> None:
        """Make `top` the first line on the screen."""
        self.scroll_to(y=max(0, top), animate=False, force=True, immediate=True)

    def refill(self, count: int, cursor: int, *, keep_place: bool, divider: int | None = None) -> None:
        """Other items now; with `keep_place` the highlighted line stays at its height on the screen,
        or out of sight where it was."""
        height = self.row_of(self.cursor) - self.top
        seen = not keep_place or not self.page or 0 <= height < self.page
        self.count, self.divider = count, divider
        self.virtual_size = Size(self.scrollable_content_region.width, self.rows)
        index = max(0, min(cursor, count - 1))
        moved = index != self.cursor
        self.cursor = index
        self.scroll_to_row(self.row_of(index) - height if keep_place else 0)
        if seen:  # who scrolled away from the cursor stays where they look
            self.show_cursor()
        self.refresh()
        if not moved:
            # The same place may hold another item.
            self.post_message(CursorMoved())

    def watch_cursor(self, before: int, after: int) -> None:
        self.redraw_line(before)
        self.redraw_line(after)
        self.post_message(CursorMoved())

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if self.count and round(new_value) + self.page >= self.rows:
            self.post_message(EndReached())

    def redraw_line(self, index: int) -> None:
        """Repaint one line."""
        y = self.row_of(index) - self.top
        if 0 <= y < self.page:
            self.refresh(Region(0, y, self.size.width, 1))

    def on_resize(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, self.rows)
        self.call_after_refresh(self.show_cursor)

    def on_focus(self) -> None:
        self.redraw_line(self.cursor)

    def on_blur(self) -> None:
        self.redraw_line(self.cursor)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or (index := self.item_at(self.top + offset.y)) is None:
            return
        if index == self.cursor and event.chain > 1:
            self.post_message(Opened())
        else:
            self.move_to(index)

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        if not self.count:
            return self._empty_line(y, width)
        if self.top + y == self.divider:
            line = fit(f"─── {self.divider_text()} ".ljust(width, "─"), width)
            return Strip([Segment(line, self._look("quiet"))]).adjust_cell_length(width)
        index = self.item_at(self.top + y)
        if index is None:
            return Strip.blank(width, self._look("plain"))
        base = Style()
        if index == self.cursor:
            base = self._ground("cursor" if self.cursor_active else "cursor-idle")
        elif self.is_marked(index):
            base = self._ground("marked")
        # A cursor without a colour of its own is reversed as a whole: each word's colour would tear it.
        segments = [
            Segment(text, base if base.reverse else self._look(style) + base)
            for text, style in self._parts(index, width)
            if text
        ]
        return Strip(segments).adjust_cell_length(width, self._look("plain") + base)

    def _parts(self, index: int, width: int) -> list[Part]:
        """A line; one that cannot be told says so, and the others stay."""
        try:
            return self.parts(index, width)
        except Exception as error:
            self.log.error(error)
            return [(fit(f"   ! This line cannot be shown: {error}", width), "warn")]

    def _empty_line(self, y: int, width: int) -> Strip:
        first = max(0, (self.page - len(self.empty_lines)) // 3)
        if not 0 <= y - first < len(self.empty_lines):
            return Strip.blank(width, self._look("plain"))
        text, style = self.empty_lines[y - first]
        room = max(1, width - 6)
        line = " " * min(3, width) + fit(text, room)
        return Strip([Segment(line, self._look(style))]).adjust_cell_length(width, self._look("plain"))

    def _look(self, name: str) -> Style:
        return self.get_component_rich_style(f"line--{name}")

    def _ground(self, name: str) -> Style:
        style = self.get_component_rich_style(f"line--{name}")
        return Style(bgcolor=style.bgcolor, bold=style.bold, reverse=style.reverse)

    def set_title(self, text: str, subtitle: Content) -> None:
        """The noun above, the counts below."""
        self.border_title = Content(text)
        self.border_subtitle = subtitle
