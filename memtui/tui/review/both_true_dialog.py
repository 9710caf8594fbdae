"""The dialog of the verdict “both are true”, with an optional note (S-42)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.memory.contradictions.pairs import BOTH_TRUE, PairDetail
from memtui.memory.results import Change
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.review import queue_filter, wording
from memtui.tui.review.pair_text import outcome_line

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class BothTrueDialog(Dialog[Change | None]):
    """Settles the pair and returns the change, or None; a refused note stays to be corrected."""

    BINDINGS = command_table.bindings(names.BOTH_TRUE)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, found: PairDetail) -> None:
        super().__init__()
        self._workspace = workspace
        self._found = found

    def compose(self) -> ComposeResult:
        with Vertical(id="note", classes="dialog"):
            yield SafeInput(
                id="said-note",
                compact=True,
                select_on_focus=False,
                placeholder=wording.NOTE_PLACEHOLDER,
            )
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#note")
        box.border_title = Content(wording.BOTH_TRUE)
        box.border_subtitle = Content(wording.both_true_keys(command_table.dialog_keys(names.BOTH_TRUE)))
        box.query_one(SafeInput).focus()
        self.show_message(outcome_line(self._found, BOTH_TRUE))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        note = event.value.strip()
        settle = partial(queue_filter.settle, self._workspace, self._found, BOTH_TRUE, note=note)
        self.run_write(wording.NOT_RESOLVED, settle)

    def action_cancel(self) -> None:
        self.dismiss(None)
