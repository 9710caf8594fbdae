"""A list that draws only its visible lines, with a cursor that only the user moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memtui.tui import command_table
from memtui.tui.common import wording
from memtui.tui.messages import CursorMoved, EndReached, Opened
from memtui.tui.text.glyphs import fit

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

Part = tuple[str, str]
"""A text and its style."""


class VirtualList(ScrollView, can_focus=True):
    """One or two drawn lines per item and no widgets: a million items load as fast as ten (LIMITS 6)."""

    app: MemtuiApp

    BINDINGS = command_table.bindings(None)
    COMPONENT_CLASSES = {
        "line--plain",
        "line--quiet",
        "line--accent",
        "line--heading",
        "line--news",
        "line--warn",
        "line--error",
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
        """Lines of (text, style) that are shown while there are no items."""
        self.divider: int | None = None
        """Index of the item below a dividing line, which the cursor skips; None for no line."""

    def divider_text(self) -> str:
        """Return the label of the dividing line."""
        return ""

    def is_led(self, index: int) -> bool:
        """Whether an item is shown together with the line above it, which leads it in."""
        return index == self.divider

    def rows_before(self, index: int) -> int:
        """Return how many rows the items before one take, without the dividing line."""
        return index

    def item_in(self, row: int) -> int:
        """Return the item in a row, counted without the dividing line."""
        return row

    @property
    def divider_row(self) -> int | None:
        """The row of the dividing line."""
        return None if self.divider is None else self.rows_before(self.divider)

    def row_of(self, index: int) -> int:
        """Return the first row of an item, counted from the start of the list."""
        return self.rows_before(index) + (self.divider is not None and index >= self.divider)

    def height_of(self, index: int) -> int:
        """Return how many rows an item takes."""
        return self.rows_before(index + 1) - self.rows_before(index)

    def item_at(self, row: int) -> int | None:
        """Return the index of the item in a row; None for the dividing line and beyond the last item."""
        divider = self.divider_row
        index = self._near(row)
        return None if row == divider or index >= self.count else index

    @property
    def rows(self) -> int:
        """How many there are: those of the items and the dividing line."""
        return self.rows_before(self.count) + (self.divider is not None)

    @property
    def shown_items(self) -> range:
        """The items that are on the screen, if only in part."""
        return range(self._near(self.top), min(self.count, self._near(self.top + max(self.page, 1) - 1) + 1))

    def _near(self, row: int) -> int:
        """Return the item in a row, or that below the dividing line."""
        divider = self.divider_row
        return self.item_in(row - (divider is not None and row > divider))

    def parts(self, index: int, width: int) -> list[Part]:
        """Return a line as (text, style) pairs that fill `width` cells.

        Styles are the names behind `line--` in COMPONENT_CLASSES."""
        raise NotImplementedError

    def second_parts(self, index: int, width: int) -> list[Part]:
        """Return the second line of an item that takes two rows."""
        return []

    @property
    def cursor_active(self) -> bool:
        """Whether keys act on the highlighted line; it is drawn dimmer if not."""
        return self.has_focus

    def is_marked(self, index: int) -> bool:
        """Return whether the line is drawn as marked."""
        return False

    # Movement; TextPane has the same actions, so one key table serves both.

    def action_up(self) -> None:
        self.move_to(self.cursor - 1)

    def action_down(self) -> None:
        self.move_to(self.cursor + 1)

    def action_first(self) -> None:
        self.move_to(0)

    def action_last(self) -> None:
        self.move_to(self.count - 1)

    def action_half_down(self) -> None:
        self.move_to(self.cursor + max(1, self._items_on_page // 2))

    def action_half_up(self) -> None:
        self.move_to(self.cursor - max(1, self._items_on_page // 2))

    def action_page_down(self) -> None:
        self.move_to(self.cursor + max(1, self._items_on_page - 1))

    def action_page_up(self) -> None:
        self.move_to(self.cursor - max(1, self._items_on_page - 1))

    @property
    def page(self) -> int:
        """How many lines fit on the screen."""
        return self.scrollable_content_region.height

    @property
    def _items_on_page(self) -> int:
        return self.page // max(1, self.height_of(self.cursor)) if self.count else self.page

    @property
    def top(self) -> int:
        """The first row on the screen."""
        return round(self.scroll_y)

    def move_to(self, index: int) -> None:
        """Put the cursor on an item and scroll just as far as needed to show it."""
        self.cursor = max(0, min(index, self.count - 1))
        self.show_cursor()

    def show_cursor(self) -> None:
        """Scroll just as far as needed to show the cursor."""
        top, page, row = self.top, self.page, self.row_of(self.cursor)
        first, last = row - self.is_led(self.cursor), row + self.height_of(self.cursor) - 1
        if first < top:
            self.scroll_to_row(first)
        elif page and last >= top + page:
            self.scroll_to_row(last - page + 1)

    def scroll_to_row(self, top: int) -> None:
        """Make `top` the first row on the screen."""
        self.scroll_to(y=max(0, top), animate=False, force=True, immediate=True)

    def refill(self, count: int, cursor: int, *, keep_place: bool, divider: int | None = None) -> None:
        """Replace the items and put the cursor on `cursor`.

        With `keep_place` the highlighted line keeps its height on the screen, or stays out of sight."""
        height = self.row_of(self.cursor) - self.top
        visible = not keep_place or not self.page or 0 <= height < self.page
        self.count, self.divider = count, divider
        self.virtual_size = Size(self.scrollable_content_region.width, self.rows)
        index = max(0, min(cursor, count - 1))
        moved = index != self.cursor
        self.cursor = index
        self.scroll_to_row(self.row_of(index) - height if keep_place else 0)
        if visible:  # a user who scrolled away from the cursor is not taken back
            self.show_cursor()
        self.refresh()
        if not moved:
            # The same index may hold another item.
            self.post_message(CursorMoved())

    def watch_cursor(self, before: int, after: int) -> None:
        self.redraw_line(before)
        self.redraw_line(after)
        self.post_message(CursorMoved())

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if self.count and round(new_value) + self.page >= self.rows:
            self.post_message(EndReached())

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        if shown:  # it does not know how far down the list is
            self.vertical_scrollbar.position = self.scroll_y

    def redraw_line(self, index: int) -> None:
        """Repaint one item."""
        y = self.row_of(index) - self.top
        end = y + self.height_of(index)
        if end > 0 and y < self.page:
            self.refresh(Region(0, max(0, y), self.size.width, end - max(0, y)))

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
        row = self.top + y
        if row == self.divider_row:
            line = fit(f"─── {self.divider_text()} ".ljust(width, "─"), width)
            return Strip([Segment(line, self._style("quiet"))]).adjust_cell_length(width)
        index = self.item_at(row)
        if index is None:
            return Strip.blank(width, self._style("plain"))
        base = Style()
        if index == self.cursor:
            base = self._background("cursor" if self.cursor_active else "cursor-idle")
        elif self.is_marked(index):
            base = self._background("marked")
        # In themes without a cursor colour the line is reversed as a whole; mixed colours would break it up.
        segments = [
            Segment(text, base if base.reverse else self._style(style) + base)
            for text, style in self._safe_parts(index, width, first=row == self.row_of(index))
            if text
        ]
        return Strip(segments).adjust_cell_length(width, self._style("plain") + base)

    def _safe_parts(self, index: int, width: int, *, first: bool) -> list[Part]:
        """Return `parts`, or an error in their place, so that the other lines stay."""
        try:
            return self.parts(index, width) if first else self.second_parts(index, width)
        except Exception as error:
            self.log.error(error)
            return [(fit(wording.line_failed(error), width), "warn")]

    def _empty_line(self, y: int, width: int) -> Strip:
        first = max(0, (self.page - len(self.empty_lines)) // 3)
        if not 0 <= y - first < len(self.empty_lines):
            return Strip.blank(width, self._style("plain"))
        text, style = self.empty_lines[y - first]
        room = max(1, width - 6)
        line = " " * min(3, width) + fit(text, room)
        return Strip([Segment(line, self._style(style))]).adjust_cell_length(width, self._style("plain"))

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"line--{name}")

    def _background(self, name: str) -> Style:
        style = self.get_component_rich_style(f"line--{name}")
        return Style(bgcolor=style.bgcolor, bold=style.bold, reverse=style.reverse)

    def set_title(self, text: str, subtitle: Content) -> None:
        """Set the border's title, a noun, and its subtitle, the counts."""
        self.border_title = Content(text)
        self.border_subtitle = subtitle
