"""The help dialog: the keys of a screen, generated from the command table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content

from memtui.tui import command_table
from memtui.tui.common import wording
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.text_pane import TextPane
from memtui.tui.text.glyphs import fit

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

KEYS_WIDTH, COLUMN_WIDTH = 9, 38  # cells


class HelpDialog(Dialog[None]):
    """The keys of one screen, in groups."""

    BINDINGS = command_table.bindings(command_table.HELP)
    app: MemtuiApp

    def __init__(self, screen: str) -> None:
        super().__init__()
        self._screen = screen

    def compose(self) -> ComposeResult:
        yield TextPane(id="help", classes="dialog")

    def on_mount(self) -> None:
        pane = self.query_one(TextPane)
        pane.border_title = Content(wording.keys_on(self._screen))
        pane.border_subtitle = Content(command_table.dialog_keys(command_table.HELP))
        self._draw()
        pane.focus()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        self.query_one(TextPane).show(
            help_text(self._screen, 2 if self.size.width >= 80 else 1, self.app.commands), keep_place=True
        )

    def action_close(self) -> None:
        self.dismiss()


def help_text(screen: str, columns: int, table: command_table.Table) -> Content:
    """Return the groups of commands in one or two columns of about the same height."""
    blocks = []
    for name, members in command_table.groups(screen, table).items():
        lines = [[(name, "bold $accent")]]
        for command in members:
            keys = f"  {command_table.key_labels(command):<{KEYS_WIDTH}}"
            lines.append([(keys, "$accent"), (fit(command.help, COLUMN_WIDTH - len(keys) - 1).rstrip(), "")])
        blocks.append([*lines, [("", "")]])
    halves: list[list[list[tuple[str, str]]]] = [[] for _ in range(columns)]
    for block in sorted(blocks, key=len, reverse=True):
        min(halves, key=len).extend(block)
    parts: list[tuple[str, str]] = []
    for row in range(max(len(half) for half in halves)):
        for half in halves:
            line = half[row] if row < len(half) else []
            parts += line
            parts.append((" " * max(1, COLUMN_WIDTH - sum(len(text) for text, _ in line)), ""))
        parts.append(("\n", ""))
    return Content.assemble(*parts).rstrip()
