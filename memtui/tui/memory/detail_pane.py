"""The detail pane: beside the list, folded under it, or alone on the screen (S-8)."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content

from memtui.memory.detail import Detail
from memtui.memory.results import MatchReason
from memtui.tui.common.text_pane import TextPane
from memtui.tui.memory.memory_text import memory_text, summary


class DetailPane(TextPane):
    """One memory in full; folded, its meta stands in the border."""

    def __init__(self, clock: Callable[[], float], *, id: str) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._compact = False
        self._drawn = 0
        self.detail: Detail | None = None
        self._why: MatchReason | None = None
        self._typed = ""
        self.named = "Memory"
        """What stands above it where there is room for its meta below."""

    def on_mount(self) -> None:
        self.border_title = Content(self.named)

    def show_detail(self, detail: Detail | None, why: MatchReason | None = None, typed: str = "") -> None:
        """Another memory, or the same one read again: then the place is kept. `why` it was found, by a
        question whose last word `typed` may be a beginning."""
        same = detail is not None and self.detail is not None and detail.id == self.detail.id
        self.detail, self._why, self._typed = detail, why, typed
        self._draw(keep_place=same)

    def fold(self, compact: bool) -> None:
        """Whether there is little room."""
        if compact != self._compact:
            self._compact = compact
            self._redraw()

    def on_resize(self) -> None:
        if self._drawn != self._width():
            self._redraw()

    def _redraw(self) -> None:
        # Not within the layout that is going on: it would keep the old text's height.
        self.call_after_refresh(self._draw, keep_place=True)

    def _width(self) -> int:
        """Room for text; the scrollbar's column stays free, so that it may come and go."""
        return max(10, self.container_size.width - 1)

    def _draw(self, *, keep_place: bool) -> None:
        detail = self.detail
        if detail is None:
            self.border_title = Content(self.named)
            self.show(Content(""), keep_place=False)
            return
        now = self._clock()
        self._drawn = self._width()
        self.border_title = Content(summary(detail, now)) if self._compact else Content(self.named)
        why, typed = self._why, self._typed
        key = self.app.key  # type: ignore[attr-defined]
        text = memory_text(detail, now, self._width(), key, compact=self._compact, why=why, typed=typed)
        self.show(text, keep_place=keep_place)
