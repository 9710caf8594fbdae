"""The user's key settings: which of them are accepted, and the table of commands with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from textual.keys import Keys

from memtui.tui import wording
from memtui.tui.command_table import COMMANDS, Table, textual_key
from memtui.tui.commands.names import ALL, CONNECTIONS, DETAIL

_RESERVED = (*"0123456789", "escape", "esc", "ctrl+c", "ctrl+q")
# The same byte as another key in most terminals.
_ALIASES = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+h": "backspace", "ctrl+j": "enter"}
_NAMED = {key.value for key in Keys if re.fullmatch("[a-z]+|f[0-9]+", key.value)} - {"ignore", "return"} | {
    "space"
}


def apply_key_settings(keys: Mapping[str, tuple[str, ...]]) -> tuple[Table, list[str]]:
    """Return the table with the user's keys by command id, and why some settings are rejected."""
    configurable = {command.id for command in COMMANDS if command.screens[0] in (*ALL, CONNECTIONS, DETAIL)}
    accepted: dict[str, tuple[str, ...]] = {}
    problems: list[str] = []
    for id, wanted in keys.items():
        if id not in configurable:
            exists = any(command.id == id for command in COMMANDS)
            problems.append(wording.dialog_key(id) if exists else wording.unknown_command(id))
        elif id.startswith("screen."):
            problems.append(wording.keeps_key(id))
        elif reason := next((text for key in wanted if (text := _unusable(key))), ""):
            problems.append(wording.key_problem(id, reason))
        else:
            accepted[id] = wanted
    while conflict := _conflict(table := _with_keys(accepted), accepted):
        id, problem = conflict
        del accepted[id]
        problems.append(problem)
    return table, problems


def _with_keys(keys: Mapping[str, tuple[str, ...]]) -> Table:
    return tuple(
        replace(command, keys=keys[command.id]) if command.id in keys else command for command in COMMANDS
    )


def _conflict(table: Table, accepted: Mapping[str, tuple[str, ...]]) -> tuple[str, str] | None:
    """Return the id of the last setting whose key another command has on the same screen, and the reason."""
    by_id = {command.id: command for command in table}
    for id in reversed(list(accepted)):
        command = by_id[id]
        for other in table:
            keys = [key for key in command.keys if key in other.keys]
            screens = [screen for screen in command.screens if screen in other.screens]
            if other.id != id and keys and screens:
                return id, wording.key_problem(
                    id, wording.key_taken(keys[0], other.id, screens[0].capitalize())
                )
    return None


def _unusable(key: str) -> str:
    """Return why a key cannot be set, or ""."""
    if key in _RESERVED:
        return wording.reserved_key(key)
    if len(key) == 1:
        return "" if key.isprintable() and not key.isspace() else wording.not_a_key(key)
    if key in _ALIASES:
        return wording.same_key(key, _ALIASES[key])
    parts = key.split("+")
    if parts[0] == "shift" and len(parts) == 2 and len(parts[1]) == 1:
        return wording.write_instead(parts[1].upper(), key)
    known = parts[-1] in _NAMED or (len(parts) > 1 and len(parts[-1]) == 1 and parts[-1].isalnum())
    return "" if known and set(parts[:-1]) <= {"ctrl", "alt", "shift"} else wording.unknown_key(key)


def textual_keymap(table: Table) -> dict[str, str]:
    """Return the keys that differ from COMMANDS, by binding id, in Textual's format."""
    return {
        command.id: ",".join(textual_key(key) for key in command.keys)
        for command, default in zip(table, COMMANDS, strict=True)
        if command.keys != default.keys
    }
