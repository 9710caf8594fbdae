"""Every sentence that background work puts on the status line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.text import after_colon
from memtui.tui.text.glyphs import counted, grouped

# What could not be done; an error's own text follows.
INBOX_NOT_READ = "Could not load the Inbox"
STORES_NOT_READ = "Could not read the stores"

READING_STORES = "Reading stores …"
NOTHING_NEW = "Already up to date."
DAMAGED_WORKSPACE = "the workspace file is damaged; memtui doctor --salvage NEW recovers what can be read"

# How many memories were added, changed, removed, and how many relations changed, in this order.
_NEWS = ("new", "changed", "removed", "relation{} changed")
NEWS_KINDS = len(_NEWS)


def embedding_progress(done: int, total: int) -> str:
    return f"Indexing for semantic search … {grouped(done)} of {grouped(total)}"


def text_only(reason: str) -> str:
    return f"Text search only. {reason}"


def scan_progress(done: int, total: int) -> str:
    return f"Comparing memories … {grouped(done)} of {grouped(total)}"


def unreadable_store(store: str, error: str, *, names_store: bool) -> str:
    return error if names_store else f"{store}: {error}"


def more_unreadable(count: int, stores_key: str) -> str:
    return f"and {counted(count, 'other store')}; press {stores_key} to see them"


def shown_as_last_read(store: str, error: str) -> str:
    return f"Showing {store} as last read: {error}"


def loaded(news: Mapping[str, Sequence[int]]) -> str:
    """Return what is new by store, e.g. “Loaded 2 new · 1 changed in base-coat.”"""
    texts = [f"{kinds} in {store}" for store, numbers in news.items() if (kinds := _kinds(numbers))]
    if len(texts) < 4:
        return f"Loaded {'; '.join(texts)}."
    all_of = [sum(numbers) for numbers in zip(*news.values(), strict=True)]
    return f"Loaded {_kinds(all_of)} from {counted(len(texts), 'store')}."


def _kinds(numbers: Sequence[int]) -> str:
    pairs = zip(numbers, _NEWS, strict=True)
    return " · ".join(f"{grouped(n)} {kind.format('' if n == 1 else 's')}" for n, kind in pairs if n)


def failed(action: str, reason: str) -> str:
    return f"{action}: {after_colon(reason)}"


def with_hint(message: str, hint: str) -> str:
    return f"{message} {hint}".strip()


# A verb on many memories.


def bulk_progress(doing: str, done: int, total: int) -> str:
    if not done:
        return f"{doing} {counted(total, 'memory')} …"
    return f"{doing} {grouped(done)} of {counted(total, 'memory')} …"


def stopping(doing: str, done: int, total: int, *, quits: bool) -> str:
    then = "stopping, then quitting …" if quits else "stopping …"
    return f"{bulk_progress(doing, done, total).removesuffix(' …')}: {then}"


def stop_hint(key: str) -> str:
    return f"{key} stops"
