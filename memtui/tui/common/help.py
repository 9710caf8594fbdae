"""The keys of a screen, from the command table, so that it cannot drift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content

from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.text_pane import TextPane
from memtui.tui.text.glyphs import fit

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

KEYS_WIDTH, COLUMN = 9, 36


class HelpDialog(Dialog[None]):
    """`?` on any screen."""

    BINDINGS = command_table.bindings(command_table.HELP)
    app: MemtuiApp

    def __init__(self, screen: str) -> None:
        super().__init__()
        self._screen = screen

    def compose(self) -> ComposeResult:
        yield TextPane(id="help", classes="dialog")

    def on_mount(self) -> None:
        pane = self.query_one(TextPane)
        pane.border_title = Content(f"Keys on {self._screen.capitalize()}")
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
    """The groups, in one or two columns of about the same height."""
    blocks = []
    for name, members in command_table.groups(screen, table).items():
        lines = [[(name, "bold $accent")]]
        for command in members:
            keys = f"  {command_table.keys_shown(command):<{KEYS_WIDTH}}"
            lines.append([(keys, "$accent"), (fit(command.help, COLUMN - len(keys) - 1).rstrip(), "")])
        blocks.append([*lines, [("", "")]])
    sides: list[list[list[tuple[str, str]]]] = [[] for _ in range(columns)]
    for block in sorted(blocks, key=len, reverse=True):
        min(sides, key=len).extend(block)
    parts: list[tuple[str, str]] = []
    for place in range(max(len(side) for side in sides)):
        for side in sides:
            line = side[place] if place < len(side) else []
            parts += line
            parts.append((" " * max(1, COLUMN - sum(len(text) for text, _ in line)), ""))
        parts.append(("\n", ""))
    return Content.assemble(*parts).rstrip()
