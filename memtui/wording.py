"""Every sentence about paths and settings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memtui.errors import Refused

# Paths.


def url_not_supported(scheme: str) -> Refused:
    return Refused(
        "url",
        f"memtui cannot open {scheme}:// URLs: it takes paths of files and folders.",
        "Nothing was made or changed.",
    )


def foreign_workspace(path: Path) -> Refused:
    return Refused(
        "not-yours",
        f"{path} belongs to another user and is not opened.",
        "Name a workspace of yours with --workspace PATH.",
    )


# Settings: what a value must be.
TEXT = "a text"
TRUE_OR_FALSE = "true or false"
SHARE = "a number from 0 to 1"
TOP_K = "a whole number from 1 to 1000"
LIST_OF_TAGS = "a list of tags"

NOT_UTF_8 = "it is not UTF-8"
NOT_EDITABLE = "it is no settings file that can be changed"
LEFT_AS_IT_IS = "It was left as it is."

DEFAULTS_HEADER = "# Settings of memtui. What is not said here has its default."


def choice_of(choices: Iterable[str]) -> str:
    return f"one of {', '.join(choices)}"


def table(name: str) -> str:
    return f"a table: [{name}]"


def not_read(file: str, reason: object) -> str:
    return f"{file} was not read: {reason}"


def line(number: int) -> str:
    return f", line {number}"


def unknown_setting(name: str) -> str:
    return f"there is no setting “{name}”."


def bad_setting(name: str, allowed: str) -> str:
    return f"{name} must be {allowed}."


def bad_half_life(category: str, longest: int) -> str:
    return f"the half-life of {category} must be days, up to {longest:,}."


def bad_keys(command: str) -> str:
    return f'keys of {command} must be "KEY" or ["KEY", …].'


def not_written(path: Path, reason: str | None, hint: str = "") -> Refused:
    return Refused("write", f"{path} could not be written: {reason}.", hint)


def file_exists(path: Path) -> Refused:
    return Refused("there", f"{path} is there already; it was left as it is.")
