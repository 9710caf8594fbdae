"""One of two memories that are compared: beside the other, or above it where there is little room."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content

from memtui.text import safe_text
from memtui.tui.common.text_pane import TextPane
from memtui.tui.common.virtual_list import VirtualList
from memtui.tui.review.pair_text import Side, rows_of, side_text, side_title


class PairPanel(TextPane):
    """Up and down go through the queue, also from here; pages scroll the text."""

    def __init__(self, letter: str, clock: Callable[[], float], queue: VirtualList, *, id: str) -> None:
        super().__init__(id=id)
        self._letter = letter
        self._clock = clock
        self._queue = queue
        self._folded = False
        self._drawn = (0, 0)
        self._pair = 0
        self._key = self._open = ""
        self.side: Side | None = None

    def show_side(self, side: Side | None, pair: int, key: str, opens: str = "") -> None:
        """Another memory now, or the same read again: then its place is kept. `key` says what keeps it, and
        `opens` is the key that shows all of it."""
        same = side is not None and pair == self._pair
        self.side, self._pair = side, pair
        self._open = opens
        self._key = safe_text(key, one_line=True, limit=40)
        self._draw(keep_place=same)

    def fold(self, folded: bool) -> None:
        """Whether there is little room."""
        self._folded = folded
        self._redraw()

    def on_resize(self) -> None:
        if self._drawn != self._room():
            self._redraw()

    def _redraw(self) -> None:
        # Not within the layout that is going on: it would keep the old text's height.
        self.call_after_refresh(self._draw, keep_place=True)

    def _room(self) -> tuple[int, int]:
        return max(10, self.container_size.width - 1), self.container_size.height

    def _draw(self, *, keep_place: bool) -> None:
        side = self.side
        if side is None:
            self.border_title, self.border_subtitle = Content(self._letter), Content("")
            self.show(Content(""), keep_place=False)
            return
        now = self._clock()
        self._drawn = self._room()
        title = side_title(self._letter, side, now, folded=self._folded)
        framed = bool(self.styles.border_left[0])
        self.border_title = Content(title if framed else f" {title} ")  # a frame brings its blanks
        text = side_text(side, now, self.size.width - 3, self.size.height, folded=self._folded)
        self.show(text, keep_place=keep_place)
        said = "".join(each for each, _ in side.text)
        hint = f"{self._open} all of it · " if rows_of(said, self.size.width - 3) >= self.size.height else ""
        self.border_subtitle = Content(f"{hint}{self._key}")

    def action_up(self) -> None:
        self._queue.action_up()

    def action_down(self) -> None:
        self._queue.action_down()

    def action_first(self) -> None:
        self._queue.action_first()

    def action_last(self) -> None:
        self._queue.action_last()
