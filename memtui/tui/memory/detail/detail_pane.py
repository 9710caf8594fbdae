"""The detail pane: next to the list, compact below it, or alone on the screen (S-8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.actions import SkipAction
from textual.content import Content
from textual.geometry import Region, Spacing
from textual.style import Style

from memtui.memory.detail import Detail
from memtui.memory.groups import Group
from memtui.memory.results import MatchReason
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.screen import BaseScreen
from memtui.tui.common.text_pane import TextPane
from memtui.tui.memory.detail import wording_detail as wording
from memtui.tui.memory.detail.group_text import group_text
from memtui.tui.memory.detail.memory_text import headline, memory_text
from memtui.tui.messages import LinkFollowed
from memtui.tui.text.pieces import Link, Piece, assembled, links_in, place_of
from memtui.tui.text.text_layout import one_line

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp


FRAME = 4  # columns of the border and the padding


class DetailPane(TextPane):
    """One memory in full; a compact one has its summary in the border. A cursor goes from link to link.

    `heading` is its title otherwise."""

    BINDINGS = command_table.bindings(names.DETAIL)
    COMPONENT_CLASSES = {"link--cursor"}
    app: MemtuiApp

    def __init__(self, clock: Callable[[], float], *, id: str) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._compact = False
        self._drawn_width = 0
        self.detail: Detail | None = None
        self._group: tuple[Group, str] | None = None  # what a heading stands for, shown in place of a memory
        self._why: MatchReason | None = None
        self._typed = ""
        self._notice = ""
        self._pieces: list[Piece] = []
        self._selected: Link | None = None
        self._wanted: tuple[int, int] | None = None  # a memory, and which of its links is to be selected
        self.heading = wording.MEMORY

    def on_mount(self) -> None:
        self.border_title = Content(self.heading)
        self.watch(self.app, "theme", self._theme_changed, init=False)

    def _theme_changed(self) -> None:
        if self._selected is not None:  # it is drawn in a colour of the theme
            self.call_after_refresh(self._show_text, keep_place=True)

    def on_blur(self) -> None:
        self._select(None)

    # What is shown

    def show_detail(
        self, detail: Detail | None, why: MatchReason | None = None, typed: str = "", *, notice: str = ""
    ) -> None:
        """Show a memory; the same one again keeps its scroll position and its selected link.

        The rest is as in `memory_text`."""
        same = detail is not None and self.detail is not None and detail.id == self.detail.id
        self.detail, self._why, self._typed, self._notice = detail, why, typed, notice
        self._group = None
        if not same:
            self._selected = None
        self._draw(keep_place=same)
        if self._wanted is not None and detail is not None:
            id, number = self._wanted
            self._wanted = None
            links = links_in(self._pieces)
            if detail.id == id and number < len(links) and self.has_focus:
                self._selected = links[number]
                self._show_text(keep_place=True)
                self.call_after_refresh(self._show_selected)

    def show_group(self, group: Group, name: str) -> None:
        """Show what a heading stands for, and the keys that act on all memories below it."""
        self.detail, self._group, self._selected = None, (group, name), None
        self._draw(keep_place=False)

    def _group_content(self) -> Content:
        if self._group is None:
            return Content("")
        (group, name), key = self._group, self.app.key
        keys = wording.group_keys(key("memory.open"), key("memory.mark"), group.count)
        return Content.assemble(*group_text(group, name, self._clock(), keys))

    def set_compact(self, compact: bool) -> None:
        """Show less if there is little room."""
        if compact != self._compact:
            self._compact = compact
            self._redraw()

    def show_fields(self) -> None:
        """Draw the raw fields as the app has them, folded, or unfolded and in sight."""
        before = self._rows
        self._draw(keep_place=True)
        if self._rows > before:
            self.call_after_refresh(self._show_last, self._rows - before + 1)

    @property
    def _rows(self) -> int:
        return sum(piece.text.count("\n") for piece in self._pieces)

    def _show_last(self, rows: int) -> None:
        """Scroll down to the last rows, or to the first of them if the pane is lower."""
        page = self.scrollable_content_region.height
        self.scroll_to(y=self.virtual_size.height - max(rows, page), animate=False)

    def on_resize(self) -> None:
        if self._drawn_width != self._width():
            self._redraw()

    def _redraw(self) -> None:
        # After the layout that is under way, which would keep the old text's height.
        self.call_after_refresh(self._draw, keep_place=True)

    def _width(self) -> int:
        """Return the cells for text; the scrollbar's column stays free for when it appears.

        A hidden pane is drawn as it will be when it has the whole screen."""
        return max(10, (self.container_size.width or self.app.size.width - FRAME) - 1)

    def _key(self, id: str) -> str:
        """Return the key of a command; "" if this screen lacks it."""
        mode = self.screen.MODE if isinstance(self.screen, BaseScreen) else ""
        is_here = any(command.id == id and mode in command.screens for command in self.app.commands)
        return self.app.key(id) if is_here else ""

    def _draw(self, *, keep_place: bool) -> None:
        detail = self.detail
        if detail is None:
            self._pieces = []
            self.border_title = Content(self.heading)
            self.show(self._group_content(), keep_place=keep_place)
            return
        now = self._clock()
        self._drawn_width = self._width()
        heading = wording.heading(self.heading, one_line(detail.memory.subject or "", 60))
        self.border_title = Content(headline(detail, now) if self._compact else heading)
        before = links_in(self._pieces)
        self._pieces = memory_text(
            detail,
            now,
            self._width(),
            self._key,
            compact=self._compact,
            why=self._why,
            typed=self._typed,
            unfolded=self.app.fields_unfolded,
            notice=self._notice,
        )
        if self._selected is not None:
            self._selected = _same_link(self._selected, before, links_in(self._pieces))
        self._show_text(keep_place=keep_place)

    def _show_text(self, *, keep_place: bool) -> None:
        cursor = self._cursor_style() if self._selected is not None else ""
        self.show(assembled(self._pieces, self._selected, cursor), keep_place=keep_place)

    def _cursor_style(self) -> str | Style:
        """Return the style of the selected link. Textual's visual style leaves out that it is reversed."""
        is_reversed = self.get_component_styles("link--cursor").text_style.reverse
        return "bold reverse" if is_reversed else self.get_visual_style("link--cursor")

    # Links

    @property
    def has_links(self) -> bool:
        return any(piece.link is not None for piece in self._pieces)

    @property
    def selected_number(self) -> int:
        """Which link is selected, counted from 0; 0 if none is."""
        links = links_in(self._pieces)
        return links.index(self._selected) if self._selected in links else 0

    def want_link(self, id: int, number: int) -> None:
        """Select a link of memory `id` when that is shown, as it was when the link was followed."""
        self._wanted = id, number

    def action_next_link(self) -> None:
        self._step(1)

    def action_previous_link(self) -> None:
        self._step(-1)

    def _step(self, step: int) -> None:
        """Select the next link, or leave the pane behind the last one, as the key does elsewhere."""
        links = links_in(self._pieces)
        place = links.index(self._selected) + step if self._selected in links else 0 if step > 0 else -1
        if not 0 <= place < len(links):
            self._select(None)
            raise SkipAction
        self._select(links[place])

    def _select(self, link: Link | None) -> None:
        if link is self._selected:
            return
        self._selected = link
        self._show_text(keep_place=True)
        self._show_selected()

    def _show_selected(self) -> None:
        """Scroll the selected link into sight."""
        if self._selected is not None:
            region = self._region(self._selected)
            self.scroll_to_region(region, animate=False, spacing=Spacing(1, 0, 1, 0))

    def _region(self, link: Link) -> Region:
        """Return the rows of a link."""
        text, width = assembled(self._pieces), self._drawn_width
        start, end = place_of(self._pieces, link)
        first, last = (text[:at].get_height({}, width) for at in (start + 1, end))
        return Region(0, first - 1, 1, last - first + 1)

    def action_follow(self) -> None:
        """Follow the selected link; one that was scrolled out of sight is shown first."""
        link, detail = self._selected, self.detail
        if link is None or detail is None:
            raise SkipAction
        region = self._region(link)
        top, height = round(self.scroll_y), self.scrollable_content_region.height
        if region.y < top or region.y >= top + height:
            self._show_selected()
        else:
            self.post_message(LinkFollowed(link.id, link.reason))


def _same_link(link: Link, before: list[Link], after: list[Link]) -> Link | None:
    """Return the link of a text that was drawn anew which is in the place of the one before."""
    number = before.index(link) if link in before else len(after)
    return after[number] if number < len(after) and after[number].leads_as(link) else None
