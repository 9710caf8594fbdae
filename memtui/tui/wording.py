"""Every sentence of the app as a whole: its start, key settings, changes, commands without effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from memtui.text import after_colon, listed
from memtui.tui.text.glyphs import grouped

# The workspace.
NO_WORKSPACE = "No workspace is open."
STILL_OPENING = "The workspace is still opening."

# What could not be done; an error's own text follows.
COUNTS_NOT_READ = "Could not count the memories"
CHANGE_FAILED = "Change failed"

# Settings.
SETTINGS_NOT_WRITTEN = "Could not write the settings"
SETTINGS_EFFECTIVE = "It takes effect the next time memtui starts."

DESKTOP_CLIPBOARD = "the desktop's"


def cannot_open(reason: str) -> str:
    return f"Could not open the workspace: {reason}"


def reading_progress(store: str, part: float) -> str:
    return f"Reading {store} … {part:.0%}"


def more_problems(count: int) -> str:
    return f"and {count} more"


def undo_hint(key: str) -> str:
    return f"{key} undo"


def change_hint(hint: str) -> str:
    return f"· {hint}" if hint else ""


def change_with_skipped(summary: str, skipped: int, reason: str) -> str:
    return f"{summary} · {grouped(skipped)} skipped: {after_colon(reason)}"


def change_with_remainder(summary: str, reason: str) -> str:
    return f"{summary}, but {reason}"


def theme_set(theme: str) -> str:
    return f"Theme: {theme}"


def theme_saved(theme: str) -> str:
    return f"Theme: {theme} (saved)"


def theme_not_saved(theme: str, reason: str) -> str:
    return f"Theme: {theme} (not saved). {reason}"


def saved_in(path: Path) -> str:
    return f"in {path}"


def settings_written(path: Path) -> str:
    return f"Wrote {path}."


def quit_hint(key: str, *, inside: bool) -> str:
    """How to quit; `inside` a dialog or an input, which has to be left first."""
    return f"Press esc, then {key} to quit." if inside else f"Press {key} to quit."


def clipboards(names: list[str]) -> str:
    return listed(names)


# Keys without a command.


def works_elsewhere(key: str, tabs: Mapping[str, Sequence[str]]) -> str:
    """Where a key has a command; `tabs` by what it does there, which is left out where that is too much."""
    if len(tabs) > 2:
        return f"{key} works in {listed([tab for names in tabs.values() for tab in names])}."
    return f"{key} works in {'; '.join(f'{listed(names)}: {help}' for help, names in tabs.items())}."


def unbound_key(key: str, help_key: str) -> str:
    return f"{key} does nothing here; press {help_key} for help."


# Key settings that are not accepted.


def settings_problem(file: str, problem: str) -> str:
    return f"{file}: {problem}"


def key_problem(id: str, reason: str) -> str:
    return f"{id}: {reason}"


def dialog_key(id: str) -> str:
    return f"{id} belongs to a dialog and can't be rebound."


def unknown_command(id: str) -> str:
    return f"Unknown command “{id}”."


def keeps_key(id: str) -> str:
    return f"{id} can't be rebound."


def key_taken(key: str, by: str, screen: str) -> str:
    return f"{key} is already bound to {by} in {screen}."


def reserved_key(key: str) -> str:
    return f"{key} is reserved."


def not_a_key(key: str) -> str:
    return f"“{key}” is not a key."


def same_key(key: str, as_key: str) -> str:
    return f"{key} is the same as {as_key} in most terminals."


def write_instead(key: str, setting: str) -> str:
    return f"write {key} instead of {setting}."


def unknown_key(key: str) -> str:
    return f"unknown key “{key}”."
