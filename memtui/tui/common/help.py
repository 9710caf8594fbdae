"""The help dialog: the keys of a screen, concepts, then all other keys; searchable by typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from memtui.tui import command_table, synonyms
from memtui.tui.command_table import Table
from memtui.tui.commands import names
from memtui.tui.commands.command import Command
from memtui.tui.common import wording
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.text_pane import TextPane
from memtui.tui.text.glyphs import fit
from memtui.tui.text.text_layout import Part

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

KEYS_WIDTH = 6  # cells
MAX_WIDTH, WIDTH_SHARE, FRAME = 100, 0.96, 4  # of the dialog, as its style has them
TWO_COLUMNS = 70
MIN_WIDTH = 8
MIN_HELP = 12  # cells beside the keys; with fewer left, the help of a command stands below its keys
INDENT = 2
LONGEST_QUERY, LONGEST_ECHO = 100, 60  # characters, cells


class HelpDialog(Dialog[None]):
    """The keys of one screen first, in groups; typing narrows everything that the help has."""

    BINDINGS = command_table.bindings(names.HELP)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (12, "-tall")]
    app: MemtuiApp

    def __init__(self, screen: str) -> None:
        super().__init__()
        self._screen = screen

    def compose(self) -> ComposeResult:
        with Vertical(id="help", classes="dialog"):
            yield SafeInput(
                compact=True,
                select_on_focus=False,
                placeholder=wording.FILTER_HELP,
                max_length=LONGEST_QUERY,
            )
            pane = TextPane()
            pane.can_focus = False
            yield pane

    def on_mount(self) -> None:
        box = self.query_one("#help")
        box.border_title = Content(wording.keys_on(self._screen))
        self.query_one(SafeInput).focus()
        self._draw()
        self.watch(self.query_one(TextPane), "show_vertical_scrollbar", self._show_keys)

    def _show_keys(self, scrolls: bool) -> None:
        hidden = frozenset() if scrolls else frozenset({"help.down"})
        keys = command_table.dialog_keys(names.HELP, hidden)
        self.query_one("#help").border_subtitle = Content(keys)

    def on_resize(self) -> None:
        self._draw()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._draw(keep_place=False)

    def _draw(self, *, keep_place: bool = True) -> None:
        width = min(MAX_WIDTH, int(self.size.width * WIDTH_SHARE)) - FRAME
        query = self.query_one(SafeInput).value
        text = help_text(self._screen, max(MIN_WIDTH, width), self.app.commands, query)
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


def help_text(screen: str, width: int, table: Table, query: str = "") -> Content:
    """Return the keys of the screen in groups, the concepts, and the other keys by screen or dialog.

    Only what matches the query, which is listed in one column.
    """
    columns = 2 if width >= TWO_COLUMNS and not query.strip() else 1
    sections = [
        _columns(_matching(command_table.groups(screen, table), query), columns, width),
        _concepts(query, width),
        _columns(_matching(_elsewhere(screen, table), query), columns, width),
    ]
    parts = [part for section in sections for part in section]
    return Content.assemble(*parts or [(wording.no_help(_echo(query)), "$quiet")]).rstrip()


def _echo(query: str) -> str:
    """Return a query for a message, cut where it is long."""
    query = query.strip()
    return fit(query, min(cell_len(query), LONGEST_ECHO))


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


def _concepts(query: str, width: int) -> list[Part]:
    rows = [(name, text) for name, text in wording.CONCEPTS.items() if _matches(query, f"{name} {text}")]
    parts = [(f"{wording.CONCEPTS_HEADING}\n", "bold $accent")] if rows else []
    for name, text in rows:
        left = len(name)  # of the name, which may take more than one line
        for line in _wrapped(f"{name}: {text}", width - INDENT):
            named, rest = line[:left], line[left:]
            parts += [(" " * INDENT, ""), (named, "$accent"), (rest, ""), ("\n", "")]
            left = max(0, left - len(line) - 1)
    return [*parts, ("\n", "")] if rows else []


def _columns(groups: dict[str, list[Command]], columns: int, width: int) -> list[Part]:
    """Return the groups of commands side by side, in columns of about the same height."""
    column = width // columns
    blocks = []
    for name, members in groups.items():
        lines = [[(fit(name, column - 1).rstrip(), "bold $accent")]]
        for command in members:
            lines += _command_lines(command, column)
        blocks.append([*lines, [("", "")]])
    sides: list[list[list[Part]]] = [[] for _ in range(columns)]
    for block in sorted(blocks, key=len, reverse=True) if columns > 1 else blocks:
        min(sides, key=len).extend(block)
    parts: list[Part] = []
    for row in range(max(len(side) for side in sides)):
        line: list[Part] = []
        for place, side in enumerate(sides):
            used = sum(cell_len(text) for text, _ in line)
            line.append((" " * (place * column - used), ""))
            line += side[row] if row < len(side) else []
        parts += [*line, ("\n", "")]
    return parts


def _command_lines(command: Command, width: int) -> list[list[Part]]:
    """Return the keys of a command with its help beside them, or below where they leave it too little."""
    keys = command_table.key_labels(command)
    beside = INDENT + max(KEYS_WIDTH, cell_len(keys)) + 1
    if width - beside - 1 >= MIN_HELP:
        first, *more = _wrapped(command.help, width - beside - 1)
        label = set_cell_size(f"{' ' * INDENT}{keys}", beside)
        return [[(label, "$accent"), (first, "")], *([(" " * beside + line, "")] for line in more)]
    below = INDENT * 2
    return [
        *([(" " * INDENT + line, "$accent")] for line in _wrapped(keys, width - INDENT - 1)),
        *([(" " * below + line, "")] for line in _wrapped(command.help, width - below - 1)),
    ]


def _wrapped(text: str, width: int) -> list[str]:
    """Return a text as lines of at most `width` cells; a word that is longer than a line is cut."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if cell_len(longer) <= width:
            lines[-1] = longer
        else:
            cut = word if cell_len(word) <= width else fit(word, width)
            lines = [*filter(None, lines), cut]
    return lines
