"""The exact text of an export, before it is copied or written (S-71)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.export.pack import Pack
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.text_pane import TextPane
from memtui.tui.exporting import wording
from memtui.tui.text.pieces import MIN_WIDTH, Piece, assembled, wrapped
from memtui.tui.text.stored_text import stored_lines

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

_MOST = 100_000  # characters that are shown


class ExportTextDialog(Dialog[None]):
    """The text alone; it fills the screen and scrolls with the list's keys."""

    BINDINGS = command_table.bindings(names.EXPORT_TEXT)
    app: MemtuiApp

    def __init__(self, pack: Pack) -> None:
        super().__init__()
        self._pack = pack

    def compose(self) -> ComposeResult:
        with Vertical(id="export-text", classes="dialog"):
            yield TextPane()

    def on_mount(self) -> None:
        box = self.query_one("#export-text")
        box.border_title = Content(wording.text_title(self._pack.tokens, self._pack.unit))
        box.border_subtitle = Content(command_table.dialog_keys(names.EXPORT_TEXT))
        self.query_one(TextPane).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        pane = self.query_one(TextPane)
        width = max(MIN_WIDTH, pane.container_size.width - 1)
        pane.show(assembled(piece for line in self._lines(width) for piece in line), keep_place=True)

    def _lines(self, width: int) -> Iterator[list[Piece]]:
        text = self._pack.text
        yield from stored_lines(text[:_MOST].removesuffix("\n"), width, "", _MOST)
        if len(text) > _MOST:
            yield wrapped([Piece(wording.more_text(len(text) - _MOST), "$quiet")], width)

    def action_back(self) -> None:
        self.dismiss(None)
