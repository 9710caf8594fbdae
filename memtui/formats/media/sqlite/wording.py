"""Every sentence about changes to stores that are SQLite databases."""

from __future__ import annotations

from pathlib import Path

from memtui.errors import NotSaved, Refused

NOTHING_CHANGED = "Nothing was changed."
NOTHING_WRITTEN = "Nothing was written."
LEFT_ALONE = "It was not changed."
FREE_SPACE = "Free up some space and try again."

# Why a store is read-only.
GONE = "{file} no longer exists."
NOT_WRITABLE = "No write permission for {file}."
HARD_LINK = "{file} has more than one hard link; writing could damage it."
NEWER_SCHEMA = "{file} has schema version {version}; this version of memtui supports up to {newest}."
UNKNOWN_TRIGGER = "Unknown trigger “{trigger}” on {table}; a change could fire it."

# Why the store's values differ from those that a write was based on (a Conflict).
NO_LONGER_THERE = "the memory is no longer in the store."
CHANGED_SINCE_READ = "the memory has changed in the store since it was read."

# Findings.
NOT_UTF8 = "Some of the text is not valid UTF-8; it was not changed."
CONFIDENCE_NOT_A_NUMBER = "Confidence “{value}” is not a number."
CONFIDENCE_OUT_OF_RANGE = "Confidence {value} is outside 0–1; shown as the nearest bound."

# What is wrong with an embedding, and with times.
INVALID_JSON = "not valid JSON"
NOT_NUMBERS = "not a list of numbers"
NOT_A_VECTOR = "not a vector"
TRUNCATED = "truncated"
NOT_FINITE = "contains NaN or Infinity"


def read_only(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_CHANGED)


def uses_not_counted(reason: str) -> Refused:
    return Refused("read-only", reason, "Nothing was counted.")


def another_schema(file: str, format: str, table: str) -> Refused:
    message = f"{file} is no longer a {format} store: its table “{table}” is missing or different."
    return Refused("unknown-schema", message, LEFT_ALONE)


# -- opening


def missing(path: Path) -> Refused:
    return Refused("missing", f"{path} no longer exists.", NOTHING_CHANGED)


def busy(file: str) -> Refused:
    message = f"{file} is busy: another program is writing to it."
    return Refused("busy", message, f"{NOTHING_CHANGED} Try again in a moment.")


def not_a_database(file: str, error: Exception) -> Refused:
    return Refused("damaged", f"Could not read {file} as a database: {error}.", LEFT_ALONE)


def name_not_text(file: str) -> Refused:
    return Refused(
        "damaged", f"{file} is damaged: the name of a table or column is not valid UTF-8.", LEFT_ALONE
    )


def disk_full_writing() -> NotSaved:
    return NotSaved("disk-full", "the disk is full.", FREE_SPACE)


def disk_full_reading(file: str) -> Refused:
    return Refused("disk-full", f"Could not read {file}: the disk is full.", FREE_SPACE)


def not_permitted(file: str, error: Exception) -> Refused:
    return Refused("read-only", f"Could not open {file} or write to it: {error}.")


def io_error_writing(error: Exception) -> NotSaved:
    return NotSaved("io", f"{error}.", NOTHING_CHANGED)


def io_error_reading(file: str, error: Exception) -> Refused:
    return Refused("io", f"Could not read {file}: {error}.", NOTHING_CHANGED)


def refused_by_sqlite(file: str, error: Exception) -> Refused:
    return Refused("store", f"SQLite error in {file}: {error}.", NOTHING_CHANGED)


def copy_failed(file: str, reason: str) -> Refused:
    return Refused("unreadable", f"Could not read {file}: {reason}.", NOTHING_CHANGED)


def row_not_utf8() -> NotSaved:
    return NotSaved("not-utf8", "the row has text that is not valid UTF-8.", LEFT_ALONE)


# -- writing


def changed_meanwhile() -> NotSaved:
    message = "the store changed during the write."
    return NotSaved("changed", message, f"{NOTHING_WRITTEN} Try again.")


def row_changed_since(table: str) -> Refused:
    advice = f"{NOTHING_WRITTEN} Open the memory to see its current text."
    return Refused("changed-since", f"The row in {table} has changed since.", advice)


def constraint_failed(error: Exception) -> NotSaved:
    return NotSaved("constraint", f"the store rejected the change ({error}).")


def ambiguous_row(count: int) -> NotSaved:
    return NotSaved("unsure", f"expected one row, found {count:,}.", NOTHING_WRITTEN)


def database_replaced(file: str) -> NotSaved:
    return NotSaved("swapped", f"{file} was replaced.", "Try again.")
