"""One text in the place of two: both above, the merged one below to be edited (S-42, S-92)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.memory.contradictions.pairs import MERGE, PairDetail
from memtui.memory.results import Change
from memtui.text import clean_text, is_clean, safe_text
from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_area import SafeArea
from memtui.tui.common.text_pane import TextPane
from memtui.tui.memory.edit import LONGEST
from memtui.tui.review import queue_filter
from memtui.tui.review.pair_text import Side, marked_text, outcome_line

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class MergeDialog(Dialog[Change | None]):
    """ctrl+s merges, esc leaves both as they are; a refused text stays to be mended."""

    BINDINGS = command_table.bindings(command_table.MERGE)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]
    app: MemtuiApp

    def __init__(self, workspace: Workspace, found: PairDetail, sides: tuple[Side, Side]) -> None:
        super().__init__()
        self._workspace = workspace
        self._found = found
        self._sides = sides
        self._start = ""
        self._leaving = False

    def compose(self) -> ComposeResult:
        with Vertical(id="merge", classes="dialog"):
            yield Container(TextPane(id="merge-a"), TextPane(id="merge-b"), id="both")
            yield SafeArea(id="content", soft_wrap=True, show_line_numbers=False, compact=True)
            yield Static(id="where")
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#merge")
        box.border_title = Content("Merge A and B")
        keys = command_table.dialog_keys(command_table.MERGE)
        box.border_subtitle = Content(keys.replace(" · ctrl+l clean", ""))
        for letter, side in zip("ab", self._sides, strict=True):
            pane = self.query_one(f"#merge-{letter}", TextPane)
            pane.border_title = Content(letter.upper())
            pane.show(marked_text(side), keep_place=False)
        where = outcome_line(self._found, MERGE)
        self.query_one("#where", Static).update(Content(f"ctrl+s  {where}"))
        self.area = self.query_one(SafeArea)
        merged = self._found.merged_text
        self._fill(merged)
        if self.area.read_only and len(merged) <= LONGEST:
            box.border_subtitle = Content(keys)
            self.show_message("It cannot be edited as it stands: ctrl+l takes the odd characters out.")
        elif self.area.read_only:
            self.show_message(f"The two have {len(merged):,} characters together: too long to edit here.")
        self.area.focus()

    def _fill(self, text: str) -> None:
        """Raw text stands in an editor only if it cannot act on a terminal."""
        clean = is_clean(text) and len(text) <= LONGEST
        self.area.load_text(text if clean else safe_text(text))
        self.area.read_only = not clean
        self.area.move_cursor(self.area.document.end)
        self._start = self.area.text

    # Keys

    def action_clean(self) -> None:
        raw = self._found.merged_text if self.area.read_only else self.area.text
        if is_clean(raw) or len(raw) > LONGEST:
            self.show_message("Nothing to clean here.")
        else:
            self._fill(clean_text(raw))
            self.show_message("Cleaned; ctrl+s merges so.")

    def action_cancel(self) -> None:
        if self.area.text != self._start and not self._leaving:
            self._leaving = True
            self.show_message("esc again drops your text; both memories stay as they are.")
        else:
            self.dismiss(None)

    def on_text_area_changed(self) -> None:
        self._leaving = False

    def action_save(self) -> None:
        if self.writing:
            return
        if self.area.read_only:
            self.show_message("Not merged: the text cannot be written as it stands.")
        elif not is_clean(self.area.text):
            self.show_message("Not merged: the text holds odd characters; ctrl+l takes them out.")
        elif not self.area.text.strip():
            self.show_message("Not merged: write something first; esc leaves.")
        else:
            text = self.area.text
            self.run_write(
                "Not merged", partial(queue_filter.settle, self._workspace, self._found, MERGE, text=text)
            )
