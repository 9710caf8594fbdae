"""Both texts side by side, when the store no longer holds what was last read (S-6)."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memtui.errors import Conflict
from memtui.text import screen_text
from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog


class ConflictDialog(Dialog[str]):
    """Answers with theirs, mine or back; it writes nothing itself."""

    BINDINGS = command_table.bindings(command_table.CONFLICT)

    def __init__(self, conflict: Conflict) -> None:
        super().__init__()
        self._conflict = conflict

    def compose(self) -> ComposeResult:
        with Container(id="conflict", classes="dialog"), Vertical():
            yield Static(Content(screen_text(self._conflict.message, limit=1000)), id="message")
            with Horizontal():
                yield VerticalScroll(Static(_told(self._conflict.yours)), id="own", classes="side")
                yield VerticalScroll(Static(_told(self._conflict.theirs)), id="stored", classes="side")

    def on_mount(self) -> None:
        box = self.query_one("#conflict")
        box.border_title = Content("Changed meanwhile")
        box.border_subtitle = Content(command_table.dialog_keys(command_table.CONFLICT))
        self.query_one("#own").border_title = Content("Yours")
        self.query_one("#stored").border_title = Content("In the store now")
        self.query_one("#stored").focus()

    def action_theirs(self) -> None:
        self.dismiss("theirs")

    def action_mine(self) -> None:
        self.dismiss("mine")

    def action_back(self) -> None:
        self.dismiss("back")


def _told(fields: dict[str, Any]) -> Content:
    parts: list[tuple[str, str]] = []
    for name, value in fields.items():
        text = (
            ", ".join(map(str, value))
            if isinstance(value, (list, tuple))
            else ""
            if value is None
            else str(value)
        )
        parts += [
            (screen_text(name, one_line=True), "$accent"),
            ("\n", ""),
            (screen_text(text) or "(empty)", ""),
            ("\n\n", ""),
        ]
    return Content.assemble(*parts)
