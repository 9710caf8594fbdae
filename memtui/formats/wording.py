"""Sentences of the modules above the formats: registry, discovery, backup copies, misspelled links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from memtui.errors import NoStore, NotRestored, Refused
from memtui.text import counted

NOTHING_CHANGED = "Nothing was changed."


def read_only(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_CHANGED)


def no_longer_misspelled(name: str) -> Refused:
    return Refused("gone", f"“{name}” no longer appears in the file.", NOTHING_CHANGED)


# -- registry

NO_STORE_IN_FOLDER = "No memory store found in {path}."
NEITHER_FILE_NOR_FOLDER = "{path} is neither a file nor a folder."
EMPTY_FILE = "{name} is empty."
EMPTY_FILE_ADVICE = (
    "An empty file counts as a store only if it is named memory.jsonl (a new MCP memory store)."
)
UNKNOWN_FILE = "{name} is {kind}."
NO_TABLES = "{file} is an SQLite database with no tables."

# Kinds of unknown files.
DAMAGED_DATABASE = "a damaged SQLite database"
BINARY_FILE = "a binary file or an encrypted database"
TEXT_FILE = "a text file in an unknown format"


def unknown_format(name: str, known: Iterable[str]) -> Refused:
    message = f"Unknown format “{name}”: must be one of {', '.join(known)}."
    return Refused("format", message, unchanged=NOTHING_CHANGED)


def no_store(code: str, reason: str, advice: str, formats: Iterable[tuple[str, str]]) -> NoStore:
    """`formats` are the titles, with what each needs to see."""
    looked_for = "; ".join(f"{title}: {recognised_by}" for title, recognised_by in formats)
    return NoStore(code, reason, advice, f"Looked for: {looked_for}.", NOTHING_CHANGED)


def nothing_at(path: Path) -> Refused:
    return Refused("missing", f"{path} does not exist.", unchanged=NOTHING_CHANGED)


def unreadable_path(path: Path, reason: str) -> str:
    return f"Could not read {path}: {reason}."


def sidecar(name: str, database: str) -> Refused:
    message = f"{name} belongs to the database {database}; attach {database} itself."
    return Refused("sidecar", message, unchanged=NOTHING_CHANGED)


def unknown_tables(file: str, tables: Sequence[str], more: int) -> str:
    rest = f" and {more} more" if more > 0 else ""
    return f"{file} is an SQLite database in an unknown format, with the tables {', '.join(tables)}{rest}."


# -- discovery

TOO_LARGE_TO_COUNT = "Too large to count now; it will be counted once attached."
UNKNOWN_DATABASE = "Unknown database"


def unreadable(reason: str) -> str:
    return f"Could not read it: {reason}."


def findings(count: int) -> str:
    return counted(count, "warning")


def unreadable_store(error: Exception) -> str:
    return f"Could not read it: {error!r}"


# -- backup copies


def failed_check(problem: str) -> Refused:
    return Refused("damaged", f"the copy fails SQLite's integrity check: {problem}")


def unreadable_copy(error: Exception) -> Refused:
    return Refused("damaged", f"the copy can't be read: {error}.")


def truncated_copy() -> Refused:
    return Refused("damaged", "the copy is truncated.")


def different_page_size(store: int, backup: int) -> NotRestored:
    """The page sizes in bytes."""
    return NotRestored(
        "page-size",
        f"page sizes differ: {store:,} bytes in the store, {backup:,} in the backup.",
        f"{NOTHING_CHANGED} Move the store's file out of the way, then restore again.",
    )


def still_open(file: str) -> NotRestored:
    return NotRestored(
        "busy",
        f"{file} was deleted, but another program still has it open.",
        f"{NOTHING_CHANGED} Close that program first.",
    )


def not_put_back(message: str, name: str) -> Refused:
    return Refused("partly", f"{message} Could not restore {name}.")
