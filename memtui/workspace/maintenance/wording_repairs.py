"""Every sentence of the doctor about what it repaired, and about vectors, whose checks and repairs belong
together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memtui.text import counted

ALL_SETTLED = "All changes are settled by now."
WORDS_REBUILT = "Made the words index anew from the memories."
LEASES_REMOVED = "Removed the lock files of ended processes."
BACKUPS_CLEARED = "Removed what was left of backups that were cut off."


def not_repairable(issue: str) -> str:
    return f"Left as it is: {issue}"


def not_repaired(issue: str, error: BaseException) -> str:
    return f"Not mended: {issue} ({error})"


def orphans_kept(issue: str) -> str:
    return f"{issue} They stay: the journal is append-only."


def orphans_deleted(count: int, table: str) -> str:
    return f"Deleted {counted(count, 'row')} of {table} that belonged to nothing."


def text_intact(place: str) -> str:
    return f"{place}: its text is what was written by now."


def text_from_store(place: str) -> str:
    return f"{place}: the next pull takes its text anew from its store."


def text_lost(place: str) -> str:
    return f"{place}: no other copy of its text is known; it stays as it is."


def text_restored(place: str, field: str) -> str:
    return f"{place}: has the {field} again that the journal holds."


def made_private(path: Path, mode: int) -> str:
    return f"{path} is private now (mode {mode:o})."


def not_private_path(place: str) -> str:
    return f"{place} is none of the workspace's places; it was left as it is."


def stray_gone(name: str) -> str:
    return f"{name} is not there any more, or belongs to a change under way."


def stray_removed(name: str) -> str:
    return f"Removed {name}."


# -- vectors

_UNSEEN = "Searching by meaning passes these memories over; words find them."


@dataclass(frozen=True, slots=True)
class VectorTexts:
    """The sentences of one kind of issue with vectors: one of it, several, what follows, what a repair would
    do, and what it did."""

    one: str
    many: str
    meaning: str
    repair: str
    repaired: str

    def issue(self, count: int, reason: str) -> str:
        """Return the issue's text; `reason` is "" where none is known."""
        text = self.one if count == 1 else self.many.format(count)
        return f"{text}: {reason}." if reason else f"{text}."


BAD_VECTORS = VectorTexts(
    "1 vector is unusable",
    "{:,} vectors are unusable",
    _UNSEEN,
    "lets them be made anew",
    "Vectors that are made anew: {:,}.",
)
STRAY_VECTORS = VectorTexts(
    "1 row about vectors belongs to no memory with a text",
    "{:,} rows about vectors belong to no memory with a text",
    "Nothing shows them.",
    "deletes them",
    "Rows about vectors that were deleted: {:,}.",
)
NO_VECTORS = VectorTexts(
    "1 memory has no vector and waits for none",
    "{:,} memories have no vector and wait for none",
    _UNSEEN,
    "lets them wait for one",
    "Memories that wait for their vector now: {:,}.",
)
FAILED_VECTORS = VectorTexts(
    "1 memory could not be embedded",
    "{:,} memories could not be embedded",
    _UNSEEN,
    "lets them be tried again at once",
    "Memories that are tried again now: {:,}.",
)
