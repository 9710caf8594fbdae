"""The pane of one of the two memories of a pair (S-42)."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content

from memtui.text import safe_text
from memtui.tui.common.text_pane import TextPane
from memtui.tui.common.virtual_list import VirtualList
from memtui.tui.review import wording
from memtui.tui.review.comparison import Side
from memtui.tui.review.pair_text import row_count, side_text, side_title


class PairPanel(TextPane):
    """Shows one side; up and down move in the queue, page keys scroll the text."""

    def __init__(self, letter: str, clock: Callable[[], float], queue: VirtualList, *, id: str) -> None:
        super().__init__(id=id)
        self._letter = letter
        self._clock = clock
        self._queue = queue
        self._folded = False
        self._drawn_size = (0, 0)
        self._pair_id = 0
        self._key_hint = self._open_key = ""
        self.side: Side | None = None

    def show_side(self, side: Side | None, pair_id: int, key_hint: str, open_key: str = "") -> None:
        """Show a side; the scroll position stays for the same pair.

        `key_hint` tells which key keeps this memory, `open_key` is the key that shows its full text.
        """
        same = side is not None and pair_id == self._pair_id
        self.side, self._pair_id = side, pair_id
        self._open_key = open_key
        self._key_hint = safe_text(key_hint, one_line=True, limit=40)
        self._draw(keep_place=same)

    def fold(self, folded: bool) -> None:
        """Set whether to show only what fits into little room."""
        self._folded = folded
        self._redraw()

    def on_resize(self) -> None:
        if self._drawn_size != self._room():
            self._redraw()

    def _redraw(self) -> None:
        # Not during a layout, which would keep the old text's height.
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
        self._drawn_size = self._room()
        title = side_title(self._letter, side, now, folded=self._folded)
        framed = bool(self.styles.border_left[0])
        self.border_title = Content(title if framed else f" {title} ")  # a frame adds the blanks
        text = side_text(side, now, self.size.width - 3, self.size.height, folded=self._folded)
        self.show(text, keep_place=keep_place)
        rows = row_count("".join(text for text, _ in side.text), self.size.width - 3)
        hint = wording.open_all(self._open_key) if rows >= self.size.height else ""
        self.border_subtitle = Content(f"{hint}{self._key_hint}")

    def action_up(self) -> None:
        self._queue.action_up()

    def action_down(self) -> None:
        self._queue.action_down()

    def action_first(self) -> None:
        self._queue.action_first()

    def action_last(self) -> None:
        self._queue.action_last()
