"""The list of suggestions for an input: what can stand at its cursor (S-31)."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import SuggestionClicked
from memtui.tui.text.glyphs import fit, grouped

MAX_SHOWN = 8
MAX_WIDTH, MIN_WIDTH = 44, 26  # cells

Suggestion = tuple[str, str, int | None]
"""The text that is inserted, its name, and how many memories have it."""


class SuggestionList(VirtualList):
    """A short list over what is below the input, which has the focus, and opens and closes it."""

    can_focus = False

    def __init__(self, *, id: str = "suggestions", width: int = MAX_WIDTH) -> None:
        super().__init__(id=id)
        self._most_width = width  # cells
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
        """Give it its place for the part that is completed."""
        if not self.suggestions:
            return
        names = (safe_text(name, one_line=True, limit=self._most_width) for _, name, _ in self.suggestions)
        width = min(self._most_width, max(MIN_WIDTH, max(map(cell_len, names)) + 12))
        width, most, left, down = self.frame(width, self._column)
        self.styles.width = width
        self.styles.height = min(most, len(self.suggestions)) + 2
        self.styles.offset = (left, down)

    def frame(self, width: int, column: int) -> tuple[int, int, int, int]:
        """Return its width in cells, how many suggestions it shows at once, and how far it is from where it
        is in the layout, right and down; `column` is that of the part that is completed, on the screen."""
        box = self.parent.content_region if isinstance(self.parent, Widget) else self.screen.region
        return width, MAX_SHOWN, max(0, min(column - box.x, box.width - width)), 0

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
