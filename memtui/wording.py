"""Every sentence about paths and settings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memtui.errors import Refused

# Paths.


def url_not_supported(scheme: str) -> Refused:
    return Refused(
        "url",
        f"Can't open {scheme}:// URLs, only paths to files and folders.",
        "Nothing was created or changed.",
    )


def foreign_workspace(path: Path) -> Refused:
    return Refused(
        "not-yours",
        f"Can't open {path}: it belongs to another user.",
        "Choose a workspace of your own with --workspace PATH.",
    )


# Settings: what a value must be.
TEXT = "a string"
TRUE_OR_FALSE = "true or false"
SHARE = "a number from 0 to 1"
TOP_K = "a whole number from 1 to 1000"
LIST_OF_TAGS = "a list of tags"

NOT_UTF_8 = "not valid UTF-8"
NOT_A_FILE = "not a regular file"
NO_SUCH_USER = "no such user"
NUMBER_TOO_LONG = "it contains a number that is too long"
NOT_EDITABLE = "not a valid settings file"
NOT_CHANGED = "The file was not changed."

DEFAULTS_HEADER = "# memtui settings. Settings that are not listed here keep their defaults."


def choice_of(choices: Iterable[str]) -> str:
    return f"one of {', '.join(choices)}"


def table(name: str) -> str:
    return f"a table: [{name}]"


def not_read(file: str, reason: object) -> str:
    return f"Could not read {file}: {reason}"


def line(number: int) -> str:
    return f", line {number}"


def unknown_setting(name: str) -> str:
    return f"unknown setting “{name}”."


def bad_setting(name: str, allowed: str) -> str:
    return f"{name} must be {allowed}."


def bad_half_life(category: str, longest: int) -> str:
    return f"the half-life of {category} must be a number of days, at most {longest:,}."


def bad_keys(command: str) -> str:
    return f'the keys for {command} must be "KEY" or ["KEY", …].'


def not_written(path: Path, reason: str | None, hint: str = "") -> Refused:
    return Refused("write", f"Could not write {path}: {reason}.", hint)


def holds_a_table(name: str) -> str:
    return f"{name} is a table in that file"


def file_exists(path: Path) -> Refused:
    return Refused("there", f"{path} already exists; it was not changed.")
