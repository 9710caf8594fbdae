"""The keys as Markdown: all of them for docs/keys.md, and the most important ones for the README."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.tui.command_table import COMMANDS, key_label, key_of
from memtui.tui.commands.command import Command
from memtui.tui.commands.names import ALL

# What the README shows.
MAIN = (
    "search.focus",
    "memory.pin",
    "memory.confirm",
    "memory.edit",
    "memory.dismiss",
    "memory.mark",
    "memory.graph",
    "change.undo",
    "change.redo",
    "search.reload",
    "app.palette",
    "app.help",
)


def main_keys() -> str:
    """Return the table of the most important keys."""
    by_id = {command.id: command for command in COMMANDS}
    return _table(by_id[id] for id in MAIN)


def all_keys() -> str:
    """Return a heading and a table for every screen and dialog; first the keys of all screens."""
    places = dict.fromkeys(place for command in COMMANDS for place in command.screens)
    sections = [("Every screen", [command for command in COMMANDS if command.screens == ALL])]
    sections += [
        (place.capitalize(), [c for c in COMMANDS if place in c.screens and c.screens != ALL])
        for place in places
    ]
    return "\n".join(f"## {title}\n\n{_table(commands)}" for title, commands in sections)


def _table(commands: Iterable[Command]) -> str:
    return "\n".join(("| key | action |", "|---|---|", *map(_row, commands))) + "\n"


def _row(command: Command) -> str:
    labels = (key_label(key).replace("|", "\\|") for key in command.keys)  # a bare one would end its cell
    keys = " ".join(f"`{label}`" for label in labels)
    by_name = f"`{key_of('app.palette')}`, by name"
    return f"| {keys or by_name} | {command.help} |"
