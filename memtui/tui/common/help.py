"""The help dialog: the keys of a screen, concepts, then all other keys; searchable by typing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from memtui.tui import command_table, synonyms
from memtui.tui.command_table import Command, Table
from memtui.tui.common import wording
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.text_pane import TextPane
from memtui.tui.text.glyphs import fit

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

KEYS_WIDTH, COLUMN_WIDTH = 9, 38  # cells
Part = tuple[str, str]


class HelpDialog(Dialog[None]):
    """The keys of one screen first, in groups; typing narrows everything that the help has."""

    BINDINGS = command_table.bindings(command_table.HELP)
    app: MemtuiApp

    def __init__(self, screen: str) -> None:
        super().__init__()
        self._screen = screen

    def compose(self) -> ComposeResult:
        with Vertical(id="help", classes="dialog"):
            yield SafeInput(compact=True, select_on_focus=False, placeholder=wording.FILTER_HELP)
            pane = TextPane()
            pane.can_focus = False
            yield pane

    def on_mount(self) -> None:
        box = self.query_one("#help")
        box.border_title = Content(wording.keys_on(self._screen))
        box.border_subtitle = Content(command_table.dialog_keys(command_table.HELP))
        self.query_one(SafeInput).focus()
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._draw(keep_place=False)

    def _draw(self, *, keep_place: bool = True) -> None:
        columns = 2 if self.size.width >= 80 else 1
        query = self.query_one(SafeInput).value
        text = help_text(self._screen, columns, self.app.commands, query)
        self.query_one(TextPane).show(text, keep_place=keep_place)

    def action_up(self) -> None:
        self.query_one(TextPane).action_up()

    def action_down(self) -> None:
        self.query_one(TextPane).action_down()

    def action_page_up(self) -> None:
        self.query_one(TextPane).action_page_up()

    def action_page_down(self) -> None:
        self.query_one(TextPane).action_page_down()

    def action_close(self) -> None:
        search = self.query_one(SafeInput)
        if search.value:
            search.value = ""
        else:
            self.dismiss()


def help_text(screen: str, columns: int, table: Table, query: str = "") -> Content:
    """Return the keys of the screen in groups, the concepts, and the other keys by screen or dialog.

    Only what matches the query; each section is one or two columns of about the same height.
    """
    sections = [
        _columns(_matching(command_table.groups(screen, table), query), columns),
        _concepts(query),
        _columns(_matching(_elsewhere(screen, table), query), columns),
    ]
    parts = [part for section in sections for part in section]
    return Content.assemble(*parts or [(wording.no_help(query.strip()), "$quiet")]).rstrip()


def _elsewhere(screen: str, table: Table) -> dict[str, list[Command]]:
    """Return the commands that the screen lacks, by the screens and dialogs that have them."""
    found: dict[str, list[Command]] = {}
    for command in table:
        if screen not in command.screens and command.keys:
            found.setdefault(", ".join(each.capitalize() for each in command.screens), []).append(command)
    return found


def _matching(groups: dict[str, list[Command]], query: str) -> dict[str, list[Command]]:
    """Return what of the groups matches: a command by its heading, keys and help."""
    if not query.strip():
        return groups
    found = {
        name: [c for c in members if _matches(query, f"{name} {command_table.key_labels(c)} {c.help}")]
        for name, members in groups.items()
    }
    return {name: members for name, members in found.items() if members}


def _matches(query: str, text: str) -> bool:
    return synonyms.find(query, text) is not None


def _concepts(query: str) -> list[Part]:
    lines = [
        [(f"  {name}: ", "$accent"), (text, ""), ("\n", "")]
        for name, text in wording.CONCEPTS.items()
        if _matches(query, f"{name} {text}")
    ]
    if not lines:
        return []
    return [
        (f"{wording.CONCEPTS_HEADING}\n", "bold $accent"),
        *(p for line in lines for p in line),
        ("\n", ""),
    ]


def _columns(groups: dict[str, list[Command]], columns: int) -> Iterable[Part]:
    """Return the groups of commands side by side, in columns of about the same height."""
    blocks = []
    for name, members in groups.items():
        lines = [[(fit(name, COLUMN_WIDTH - 1).rstrip(), "bold $accent")]]
        for command in members:
            keys = f"  {command_table.key_labels(command):<{KEYS_WIDTH}}"
            lines.append([(keys, "$accent"), (fit(command.help, COLUMN_WIDTH - len(keys) - 1).rstrip(), "")])
        blocks.append([*lines, [("", "")]])
    halves: list[list[list[Part]]] = [[] for _ in range(columns)]
    for block in sorted(blocks, key=len, reverse=True):
        min(halves, key=len).extend(block)
    parts: list[Part] = []
    for row in range(max(len(half) for half in halves)):
        for half in halves:
            line = half[row] if row < len(half) else []
            parts += line
            parts.append((" " * max(1, COLUMN_WIDTH - sum(len(text) for text, _ in line)), ""))
        parts.append(("\n", ""))
    return parts
