"""Every sentence about finding and replacing text in memories (S-54)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.errors import NotReplaced, Refused
from memtui.text import counted

CHANGED_SINCE_PREVIEW = "It changed since the preview; nothing was replaced in it."
REMOVED_SINCE_PREVIEW = "It was removed since the preview."
TOOK_TOO_LONG = "It took too long to search with this pattern."
MOST_PLACES = 3  # that are named


def pattern_too_slow() -> Refused:
    return NotReplaced(
        "too-slow",
        "searching takes too long with this pattern.",
        "Avoid nested repeats such as (a+)+, or narrow the query.",
    )


def key_taken(uid: str, key: str) -> Refused:
    return NotReplaced(
        "key-taken",
        f"{uid} would get the key “{key}”, which another memory in its store already has.",
        "Narrow the query, or leave keys out.",
    )


def replaced(hits: int, places: Sequence[tuple[str, int]], *, stopped: bool = False) -> str:
    """What was replaced where; `places` has the numbers of memories by store, the largest first."""
    total = sum(count for _, count in places)
    shown = places if len(places) <= MOST_PLACES + 1 else places[:MOST_PLACES]
    where = [f"{place} {count:,}" for place, count in shown]
    if len(places) > len(shown):
        where.append(f"and {counted(len(places) - len(shown), 'other store')}")
    done = f"Replaced {counted(hits, 'match', 'matches')} in {counted(total, 'memory')} ({', '.join(where)})"
    return f"{done}, then stopped" if stopped else done
