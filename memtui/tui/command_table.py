"""The table of commands, from which bindings, footer, help and docs/keys.md are made.

The user's own keys are applied in `keymap`."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from typing import NamedTuple

from textual.binding import Binding, BindingType
from textual.keys import _character_to_key

from memtui.tui import wording
from memtui.tui.commands.command import Command
from memtui.tui.commands.in_dialogs import DIALOG_COMMANDS
from memtui.tui.commands.names import BROWSE, DECAY, GRAPH, INBOX, JOURNAL, REVIEW, RULES, STORES
from memtui.tui.commands.on_screens import SCREEN_COMMANDS

COMMANDS = (*SCREEN_COMMANDS, *DIALOG_COMMANDS)

# The tabs of the header: digit, name, mode.
TABS = (
    ("1", "Browse", BROWSE),
    ("2", "Inbox", INBOX),
    ("3", "Review", REVIEW),
    ("4", "Graph", GRAPH),
    ("5", "Decay", DECAY),
    ("6", "Rules", RULES),
    ("7", "Journal", JOURNAL),
    ("8", "Stores", STORES),
)

Table = tuple[Command, ...]
"""COMMANDS, or the same with the user's keys."""

_KEY_LABELS = {
    "up": "↑",
    "down": "↓",
    "escape": "esc",
    "enter": "⏎",
    "backspace": "⌫",
    "delete": "del",
    "left": "←",
    "right": "→",
    "pagedown": "pgdn",
    "pageup": "pgup",
}

_CHARACTERS = {_character_to_key(character): character for character in map(chr, range(33, 127))}
"""The characters by Textual's names of their keys."""

# Bound with priority: these are handled before the next key of a burst is (which is typed into what they
# open), and before a pane scrolls sideways.
_PRIORITY = frozenset(
    (
        *("search.focus", "list.views", "filter.choose", "pair.left", "pair.right"),
        *("graph.left", "graph.right", "tie.remove", "replace.next", "edit.next", "rule_form.next"),
    )
)


FIRST_RANK = 3


class FooterItem(NamedTuple):
    """What the footer draws of a command; without an id a click has no effect."""

    rank: int
    key: str
    label: str
    id: str = ""


def bindings(screen: str | None) -> list[BindingType]:
    """Return the bindings of a screen or dialog; with None those of a focused pane."""
    commands = [c for c in COMMANDS if (c.pane if screen is None else not c.pane and screen in c.screens)]
    return [
        Binding(
            textual_key(key),
            command.action,
            command.help,
            show=False,
            priority=command.id in _PRIORITY,
            id=command.id,
        )
        for command in commands
        for key in command.keys
    ]


def textual_key(key: str) -> str:
    """Return Textual's name of a key."""
    return _character_to_key(key) if len(key) == 1 else key


def key_of(id: str, table: Table = COMMANDS) -> str:
    """Return the label of a command's first key, "" if it has none."""
    command = next(command for command in table if command.id == id)
    return key_label(command.keys[0]) if command.keys else ""


def key_label(key: str) -> str:
    """Return a key as it is shown, ⏎ for enter."""
    return _KEY_LABELS.get(key, key)


def key_labels(command: Command) -> str:
    """Return the labels of all keys of a command."""
    return " ".join(key_label(key) for key in command.keys)


def footer_items(
    screen: str,
    hidden: frozenset[str] = frozenset(),
    table: Table = COMMANDS,
    first: Collection[str] = (),
) -> list[FooterItem]:
    """Return the footer's items of a screen, in reading order. What is in `first` is drawn even where the
    table has no rank for it, and kept longest next to help, undo and moving."""
    items = []
    for command in table:
        rank = FIRST_RANK if command.id in first else command.footer
        if rank and screen in command.screens and command.id not in hidden:
            arrows = command.id == "move.down" and command.keys[0] == "down"
            key = "↑↓" if arrows else key_label(command.keys[0])
            items.append(FooterItem(rank, key, command.label, command.id))
    return items


def dialog_keys(dialog: str, hidden: frozenset[str] = frozenset()) -> str:
    """Return the keys of a dialog for its border, without those of `hidden`: ctrl+s save · esc cancel."""
    return " · ".join(
        f"{key_label(command.keys[0])} {command.label}"
        for command in COMMANDS
        if dialog in command.screens and command.label and command.id not in hidden
    )


def groups(screen: str, table: Table = COMMANDS) -> dict[str, list[Command]]:
    """Return the commands of a screen by group, in the table's order."""
    found: dict[str, list[Command]] = {}
    for command in table:
        if screen in command.screens and command.keys:
            found.setdefault(command.group, []).append(command)
    return found


def tabs_elsewhere(key: str, screen: str, table: Table = COMMANDS) -> dict[str, list[str]]:
    """Return the tabs of the other screens that have a command with this key, by the command's help."""
    found: dict[str, list[str]] = {}
    for _, _, mode in TABS:
        for command in table:
            if mode != screen and mode in command.screens and key in map(textual_key, command.keys):
                found.setdefault(command.help, []).append(tab_label(mode))
    return found


def unbound_key_text(key: str, screen: str, table: Table = COMMANDS) -> str:
    """Return what to say of a key without a command on a screen: where it has one."""
    *modifiers, last = key.split("+")
    label = "+".join((*modifiers, key_label(_character(last))))
    if tabs := tabs_elsewhere(key, screen, table):
        return wording.works_elsewhere(label, tabs)
    return wording.unbound_key(label, key_of("app.help", table))


def _character(key: str) -> str:
    """Return the character that a key types, by Textual's name of it; keys that type none as they are.

    >>> _character("trade_mark_sign"), _character("ampersand"), _character("f2")
    ('™', '&', 'f2')
    """
    if key in _CHARACTERS:
        return _CHARACTERS[key]
    try:
        character = unicodedata.lookup(key.replace("_", " ").upper())
    except KeyError:
        return key
    return character if character.isprintable() and character != " " else key


def tab_label(mode: str) -> str:
    """Return the tab of a mode: Stores (8)."""
    return next(f"{name} ({digit})" for digit, name, known in TABS if known == mode)
