"""The list of suggestions for the search bar: names of filters and their values (S-31)."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.content import Content

from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import SuggestionClicked
from memtui.tui.text.glyphs import fit, grouped

MAX_SHOWN = 8
MAX_OVER_LIST = 3  # where no detail is shown that could be covered instead of the results
MAX_WIDTH, MIN_WIDTH = 44, 26  # cells

Suggestion = tuple[str, str, int | None]
"""The text that is inserted, its name, and how many memories have it."""


class SuggestionList(VirtualList):
    """A short list over the detail, so that the results stay in sight; the search bar has the focus and opens
    and closes it."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="suggestions")
        self.suggestions: list[Suggestion] = []
        self._column = 0  # of the part that is completed
        self.chosen = False
        """Whether the highlighted one was chosen with up or down."""

    def on_mount(self) -> None:
        self.display = False
        self.border_subtitle = Content(command_table.dialog_keys(names.SUGGESTIONS))

    @property
    def cursor_active(self) -> bool:
        return self.chosen

    @property
    def open(self) -> bool:
        """Whether it is shown."""
        return bool(self.display)

    @property
    def current(self) -> str:
        """The text that would be inserted now."""
        return self.suggestions[self.cursor][0]

    def show(self, suggestions: list[Suggestion], column: int) -> None:
        """Replace the suggestions for what is `column` cells from the left; an empty list closes it."""
        if suggestions == self.suggestions:
            return
        self.suggestions, self.chosen, self._column = suggestions, False, column
        self.display = bool(suggestions)
        if not suggestions:
            self.count = 0
            return
        self.place()
        self.refill(len(suggestions), 0, keep_place=False)

    def place(self) -> None:
        """Give it its place over the detail, which is beside the results or below them; where there is none,
        over the first results, but low."""
        if not self.suggestions:
            return
        names = (safe_text(name, one_line=True, limit=MAX_WIDTH) for _, name, _ in self.suggestions)
        width = min(MAX_WIDTH, max(MIN_WIDTH, max(map(cell_len, names)) + 12))
        results, detail = (self.screen.query_one(id).region for id in ("#list", "#detail"))
        most, left, down = MAX_OVER_LIST, self._column, 0
        if detail.height > MAX_OVER_LIST + 1:
            most, down = min(MAX_SHOWN, detail.height - 2), detail.y - results.y
            if detail.x > results.x:
                width, left = min(width, detail.width), max(left, detail.x)
        self.styles.width = width
        self.styles.height = min(most, len(self.suggestions)) + 2
        self.styles.offset = (max(0, min(left, self.screen.size.width - width)), down)

    def close(self) -> None:
        """Hide it."""
        self.show([], 0)

    def step(self, by: int) -> bool:
        """Choose the next or the previous one; return False beyond the last."""
        index = self.cursor + by if self.chosen else 0
        if index >= len(self.suggestions):
            return False
        self.chosen = index >= 0
        self.move_to(index)
        self.redraw_line(self.cursor)
        return True

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and self.top + offset.y < self.count:
            self.move_to(self.top + offset.y)
            self.post_message(SuggestionClicked())
        event.prevent_default()  # a suggestion cannot be opened

    def parts(self, index: int, width: int) -> list[Part]:
        _, name, count = self.suggestions[index]
        tail = "" if count is None else f"{grouped(count)} "
        return [
            (" ", "plain"),
            (fit(name, width - 1 - len(tail)), "plain"),
            (tail, "quiet"),
        ]
