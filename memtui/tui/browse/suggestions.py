"""What the word under the cursor of the search line could become: names of filters and their values,
over the list and never in its way (S-31)."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.content import Content

from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import Taken
from memtui.tui.text.glyphs import fit, grouped

MOST = 8  # offers on the screen
WIDEST, LEAST = 44, 26  # cells

Offer = tuple[str, str, int | None]
"""What is put in, what it is called, and how many memories have it."""


class Suggestions(VirtualList):
    """A short list that the search line opens, moves in and closes; the letters stay there."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="suggestions")
        self.offers: list[Offer] = []
        self.chosen = False  # up or down was pressed

    def on_mount(self) -> None:
        self.display = False
        self.border_subtitle = Content(command_table.dialog_keys(command_table.OFFERS))

    @property
    def cursor_active(self) -> bool:
        return self.chosen

    @property
    def open(self) -> bool:
        """Whether it stands there."""
        return bool(self.display)

    @property
    def current(self) -> str:
        """What would be put in now."""
        return self.offers[self.cursor][0]

    def show(self, offers: list[Offer], column: int) -> None:
        """Other offers now, `column` cells from the left; none closes it."""
        if offers == self.offers:
            return
        self.offers, self.chosen = offers, False
        self.display = bool(offers)
        if not offers:
            self.count = 0
            return
        widest = max(cell_len(safe_text(name, one_line=True, limit=WIDEST)) for _, name, _ in offers)
        width = min(WIDEST, max(LEAST, widest + 12))
        self.styles.width = width
        self.styles.height = min(MOST, len(offers)) + 2
        self.styles.offset = (max(0, min(column, self.screen.size.width - width)), 0)
        self.refill(len(offers), 0, keep_place=False)

    def close(self) -> None:
        """Nothing is offered any more."""
        self.show([], 0)

    def step(self, by: int) -> bool:
        """The next or previous one; False beyond the last, where the list below goes on."""
        to = self.cursor + by if self.chosen else 0
        if to >= len(self.offers):
            return False
        self.chosen = to >= 0
        self.move_to(to)
        self.redraw_line(self.cursor)
        return True

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and self.top + offset.y < self.count:
            self.move_to(self.top + offset.y)
            self.post_message(Taken())
        event.prevent_default()  # nothing here is opened

    def parts(self, index: int, width: int) -> list[Part]:
        _, name, count = self.offers[index]
        tail = "" if count is None else f"{grouped(count)} "
        return [
            (" ", "plain"),
            (fit(name, width - 1 - len(tail)), "plain"),
            (tail, "quiet"),
        ]
