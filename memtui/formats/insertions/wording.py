"""Every sentence about entries in other programs' settings files."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.text import size_text

NOT_CHANGED = "Nothing was changed."


def not_ours(file: str, name: str) -> Refused:
    advice = "memtui changes only entries that it made."
    return Refused(
        "not-ours", f"{file} has an entry {name} that runs another command.", advice, unchanged=NOT_CHANGED
    )


def unparsable(file: str, line: int, column: int) -> Refused:
    return Refused("unparsable", f"{file} can't be parsed: line {line}, column {column}.", NOT_CHANGED)


def not_utf8(file: str) -> Refused:
    return Refused("unparsable", f"{file} isn't valid UTF-8.", NOT_CHANGED)


def unfit(file: str, name: str) -> Refused:
    return Refused(
        "unfit",
        f"{file} is laid out so that {name} can't be changed without changing more.",
        "Edit it by hand.",
        unchanged=NOT_CHANGED,
    )


def link(file: str) -> Refused:
    return Refused(
        "link", f"{file} is a symbolic link.", "Name the file that it leads to.", unchanged=NOT_CHANGED
    )


def not_a_file(file: str) -> Refused:
    return Refused("not-a-file", f"{file} isn't a file.", NOT_CHANGED)


def another_users(file: str) -> Refused:
    return Refused("owner", f"{file} belongs to another user.", NOT_CHANGED)


def too_large(file: str, most: int) -> Refused:
    return Refused("too-big", f"{file} is larger than {size_text(most)}.", NOT_CHANGED)


def unreadable(file: str, why: str | None) -> Refused:
    return Refused("unreadable", f"{file} can't be read: {why}.", NOT_CHANGED)


def not_writable(file: str, why: str | None) -> Refused:
    return Refused("not-writable", f"{file} can't be written: {why}.", NOT_CHANGED)


def read_only(file: str) -> Refused:
    return Refused("read-only", f"{file} is read-only.", "Make it writable first.", unchanged=NOT_CHANGED)


def keeps_changing(file: str) -> Refused:
    return Refused(
        "busy", f"{file} keeps changing while it is edited.", "Try again in a moment.", unchanged=NOT_CHANGED
    )
