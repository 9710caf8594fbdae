"""The dialog that merges two memories into one text (S-42, S-92)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import MERGE, PairDetail
from memtui.memory.results import Change
from memtui.memory.secrets.tokens import SecretTokens
from memtui.text import clean_text, is_clean, safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_area import SafeArea
from memtui.tui.common.text_pane import TextPane
from memtui.tui.memory.edit import MAX_EDITABLE
from memtui.tui.review import queue_filter, wording
from memtui.tui.review.comparison import Side
from memtui.tui.review.pair_text import marked_text, outcome_line

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class MergeDialog(Dialog[Change | None]):
    """Merges and returns the change, or None; a refused text stays to be corrected."""

    BINDINGS = command_table.bindings(names.MERGE)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]
    app: MemtuiApp

    def __init__(self, workspace: Workspace, found: PairDetail, sides: tuple[Side, Side]) -> None:
        super().__init__()
        self._workspace = workspace
        self._found = found
        self._sides = sides
        self._loaded_text = ""
        self._cancel_confirmed = False

    def compose(self) -> ComposeResult:
        with Vertical(id="merge", classes="dialog"):
            yield Container(TextPane(id="merge-a"), TextPane(id="merge-b"), id="both")
            yield SafeArea(id="content", soft_wrap=True, show_line_numbers=False, compact=True)
            yield Static(id="where")
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#merge")
        box.border_title = Content(wording.MERGE_A_AND_B)
        keys = command_table.dialog_keys(names.MERGE, hidden=frozenset({"merge.clean"}))
        box.border_subtitle = Content(keys)
        for letter, side in zip("ab", self._sides, strict=True):
            pane = self.query_one(f"#merge-{letter}", TextPane)
            pane.border_title = Content(letter.upper())
            pane.show(marked_text(side), keep_place=False)
        outcome = outcome_line(self._found, MERGE)
        self.query_one("#where", Static).update(Content(wording.merge_outcome(outcome)))
        self.area = self.query_one(SafeArea)
        self._tokens = SecretTokens()
        merged = self._merged = self._tokens.hide(self._found.merged_text)
        self._fill(merged)
        if self.area.read_only and len(merged) <= MAX_EDITABLE:
            box.border_subtitle = Content(keys)
            self.show_message(wording.CLEAN_FIRST)
        elif self.area.read_only:
            self.show_message(wording.too_long(len(merged)))
        self.area.focus()

    def _fill(self, text: str) -> None:
        """Load a text; one that is unsafe for the terminal or too long is made safe and read-only."""
        clean = is_clean(text) and len(text) <= MAX_EDITABLE
        self.area.load_text(text if clean else safe_text(text))
        self.area.read_only = not clean
        self.area.move_cursor(self.area.document.end)
        self._loaded_text = self.area.text

    # Keys

    def action_clean(self) -> None:
        raw = self._merged if self.area.read_only else self.area.text
        if is_clean(raw) or len(raw) > MAX_EDITABLE:
            self.show_message(wording.NOTHING_TO_CLEAN)
        else:
            self._fill(clean_text(raw))
            self.show_message(wording.CLEANED)

    def action_cancel(self) -> None:
        if self.area.text != self._loaded_text and not self._cancel_confirmed:
            self._cancel_confirmed = True
            self.show_message(wording.DROPS_TEXT)
        else:
            self.dismiss(None)

    def on_text_area_changed(self) -> None:
        self._cancel_confirmed = False

    def action_save(self) -> None:
        if self.writing:
            return
        if self.area.read_only:
            self.show_message(wording.NOT_WRITABLE)
        elif not is_clean(self.area.text):
            self.show_message(wording.UNSUPPORTED)
        elif not self.area.text.strip():
            self.show_message(wording.EMPTY_TEXT)
        else:
            try:
                [text] = self._tokens.restore(self.area.text)
            except Refused as refused:
                self.show_message(refused.message)
                return
            self.run_write(
                wording.NOT_MERGED,
                partial(queue_filter.settle, self._workspace, self._found, MERGE, text=text),
            )
