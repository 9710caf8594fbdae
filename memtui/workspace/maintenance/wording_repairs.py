"""Every sentence of the doctor about what it repaired, and about vectors, whose checks and repairs belong
together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memtui.text import counted

ALL_SETTLED = "No changes are pending anymore."
WORDS_REBUILT = "Rebuilt the text search index from the memories."
LEASES_REMOVED = "Removed leftover lock files."
BACKUPS_CLEARED = "Removed unfinished backups."


def not_repairable(issue: str) -> str:
    return f"No automatic repair: {issue}"


def not_repaired(issue: str, error: BaseException) -> str:
    return f"Could not repair: {issue} ({error})"


def orphans_kept(issue: str) -> str:
    return f"{issue} Not deleted: the journal is append-only."


def orphans_deleted(count: int, table: str) -> str:
    return f"Deleted {counted(count, 'orphaned row')} from {table}."


def text_intact(place: str) -> str:
    return f"{place}: the text is no longer corrupted."


def text_from_store(place: str) -> str:
    return f"{place}: the text will be reloaded the next time its store is read."


def text_lost(place: str) -> str:
    return f"{place}: not changed, as there is no other copy of the text."


def text_restored(place: str, field: str) -> str:
    return f"{place}: restored the {field} from the journal."


def made_private(path: Path, mode: int) -> str:
    return f"Made {path} private (mode {mode:o})."


def not_private_path(place: str) -> str:
    return f"{place} doesn't belong to the workspace; it was not changed."


def stray_gone(name: str) -> str:
    return f"{name} is gone or belongs to a change in progress."


def stray_removed(name: str) -> str:
    return f"Removed {name}."


# -- vectors

_UNSEEN = "Semantic search skips these memories; text search still finds them."


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
    "1 entry in the semantic search index is unusable",
    "{:,} entries in the semantic search index are unusable",
    _UNSEEN,
    "indexes these memories again",
    "Queued for indexing again: {:,}.",
)
STRAY_VECTORS = VectorTexts(
    "1 row in the semantic search index doesn't belong to any memory",
    "{:,} rows in the semantic search index don't belong to any memory",
    "They are never used.",
    "deletes them",
    "Deleted from the semantic search index: {:,}.",
)
NO_VECTORS = VectorTexts(
    "1 memory is not indexed for semantic search and not queued",
    "{:,} memories are not indexed for semantic search and not queued",
    _UNSEEN,
    "queues them for indexing",
    "Queued for indexing: {:,}.",
)
FAILED_VECTORS = VectorTexts(
    "1 memory could not be indexed for semantic search",
    "{:,} memories could not be indexed for semantic search",
    _UNSEEN,
    "retries them now",
    "Queued for retry: {:,}.",
)
