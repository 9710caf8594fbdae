"""The detail pane: next to the list, compact below it, or alone on the screen (S-8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.memory.detail import Detail
from memtui.memory.groups import Group
from memtui.memory.results import MatchReason
from memtui.tui.common.text_pane import TextPane
from memtui.tui.memory import wording_detail as wording
from memtui.tui.memory.group_text import group_text
from memtui.tui.memory.memory_text import memory_text, summary

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp


class DetailPane(TextPane):
    """One memory in full; a compact one has its summary in the border.

    `heading` is its title otherwise."""

    app: MemtuiApp

    def __init__(self, clock: Callable[[], float], *, id: str) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._compact = False
        self._drawn_width = 0
        self.detail: Detail | None = None
        self._why: MatchReason | None = None
        self._typed = ""
        self.heading = "Memory"

    def on_mount(self) -> None:
        self.border_title = Content(self.heading)

    def show_detail(self, detail: Detail | None, why: MatchReason | None = None, typed: str = "") -> None:
        """Show a memory; the same one again keeps its scroll position.

        `why` and `typed` are those of `memory_text`."""
        same = detail is not None and self.detail is not None and detail.id == self.detail.id
        self.detail, self._why, self._typed = detail, why, typed
        self._draw(keep_place=same)

    def show_group(self, group: Group, name: str) -> None:
        """Show what a heading stands for, and the keys that act on all memories below it."""
        self.detail = None
        self.border_title = Content(self.heading)
        key = self.app.key
        keys = wording.group_keys(key("memory.open"), key("memory.mark"), group.count)
        self.show(Content.assemble(*group_text(group, name, self._clock(), keys)), keep_place=False)

    def set_compact(self, compact: bool) -> None:
        """Show less if there is little room."""
        if compact != self._compact:
            self._compact = compact
            self._redraw()

    def on_resize(self) -> None:
        if self._drawn_width != self._width():
            self._redraw()

    def _redraw(self) -> None:
        # After the layout that is under way, which would keep the old text's height.
        self.call_after_refresh(self._draw, keep_place=True)

    def _width(self) -> int:
        """Return the cells for text; the scrollbar's column stays free for when it appears."""
        return max(10, self.container_size.width - 1)

    def _draw(self, *, keep_place: bool) -> None:
        detail = self.detail
        if detail is None:
            self.border_title = Content(self.heading)
            self.show(Content(""), keep_place=False)
            return
        now = self._clock()
        self._drawn_width = self._width()
        self.border_title = Content(summary(detail, now)) if self._compact else Content(self.heading)
        why, typed = self._why, self._typed
        key = self.app.key
        text = memory_text(detail, now, self._width(), key, compact=self._compact, why=why, typed=typed)
        self.show(text, keep_place=keep_place)
