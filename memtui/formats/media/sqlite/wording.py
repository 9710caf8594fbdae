"""Every sentence about changes to stores that are SQLite databases."""

from __future__ import annotations

from pathlib import Path

from memtui.errors import NotSaved, Refused

NOTHING_CHANGED = "Nothing was changed."
NOTHING_WRITTEN = "Nothing was written."
LEFT_ALONE = "It was left as it is."
FREE_SPACE = "Free some space, try again."

# Why a store is read-only.
GONE = "{file} is no longer there."
NOT_WRITABLE = "{file} may not be written by this user."
HARD_LINK = "{file} has a second name (a hard link); writing could damage it."
NEWER_SCHEMA = "{file} has schema version {version}; this memtui supports up to {newest}."
UNKNOWN_TRIGGER = "The trigger “{trigger}” on {table} is unknown; a change could set it off."

# Why the store's values differ from those that a write was based on (a Conflict).
NO_LONGER_THERE = "the memory is no longer in the store."
CHANGED_SINCE_READ = "the memory changed in the store since it was read."

# Findings.
NOT_UTF8 = "Some of its text is no UTF-8; it is left as it is."
CONFIDENCE_NOT_A_NUMBER = "The confidence “{value}” is no number."
CONFIDENCE_OUT_OF_RANGE = "The confidence {value} is outside 0–1; shown as the nearest bound."

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
    message = f"{file} is no {format} memory any more: its “{table}” are gone or others."
    return Refused("unknown-schema", message, LEFT_ALONE)


# -- opening


def missing(path: Path) -> Refused:
    return Refused("missing", f"{path} is no longer there.", NOTHING_CHANGED)


def busy(file: str) -> Refused:
    message = f"{file} is busy: another program is writing to it."
    return Refused("busy", message, f"{NOTHING_CHANGED} Try again in a moment.")


def not_a_database(file: str, error: Exception) -> Refused:
    return Refused("damaged", f"{file} cannot be read as a database: {error}.", LEFT_ALONE)


def name_not_text(file: str) -> Refused:
    return Refused("damaged", f"{file} is damaged: a name in it is no text.", LEFT_ALONE)


def disk_full_writing() -> NotSaved:
    return NotSaved("disk-full", "the disk is full.", FREE_SPACE)


def disk_full_reading(file: str) -> Refused:
    return Refused("disk-full", f"{file} cannot be read: the disk is full.", FREE_SPACE)


def not_permitted(file: str, error: Exception) -> Refused:
    return Refused("read-only", f"{file} may not be opened or written: {error}.")


def io_error_writing(error: Exception) -> NotSaved:
    return NotSaved("io", f"{error}.", NOTHING_CHANGED)


def io_error_reading(file: str, error: Exception) -> Refused:
    return Refused("io", f"{file} cannot be read: {error}.", NOTHING_CHANGED)


def refused_by_sqlite(file: str, error: Exception) -> Refused:
    return Refused("store", f"{file} refuses it: {error}.", NOTHING_CHANGED)


def copy_failed(file: str, reason: str) -> Refused:
    return Refused("unreadable", f"{file} may not be read: {reason}.", NOTHING_CHANGED)


def row_not_utf8() -> NotSaved:
    return NotSaved("not-utf8", "the row holds text that is no UTF-8.", LEFT_ALONE)


# -- writing


def changed_meanwhile() -> NotSaved:
    message = "the store changed while the change was being made."
    return NotSaved("changed", message, f"{NOTHING_WRITTEN} Try again.")


def row_changed_since(table: str) -> Refused:
    advice = f"{NOTHING_WRITTEN} Open the memory to see what stands there now."
    return Refused("changed-since", f"The row in {table} changed since.", advice)


def constraint_failed(error: Exception) -> NotSaved:
    return NotSaved("constraint", f"the store refuses it ({error}).")


def ambiguous_row(count: int) -> NotSaved:
    return NotSaved("unsure", f"{count} rows have this name.", NOTHING_WRITTEN)


def database_replaced(file: str) -> NotSaved:
    return NotSaved("swapped", f"{file} was replaced.", "Try again.")
