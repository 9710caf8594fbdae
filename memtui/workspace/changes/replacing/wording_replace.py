"""Every sentence about finding and replacing text in memories (S-54)."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.memory.wording_replacement import NOTHING_REPLACED

CHANGED_SINCE_PREVIEW = "It changed since the preview; nothing was replaced in it."
REMOVED_SINCE_PREVIEW = "It was removed since the preview."
TOOK_TOO_LONG = "Searching it took too long with this pattern."


def pattern_too_slow() -> Refused:
    return Refused(
        "too-slow",
        f"{NOTHING_REPLACED}: searching takes too long with this pattern.",
        "Avoid nested repeats such as (a+)+, or narrow the query.",
    )


def key_taken(uid: str, key: str) -> Refused:
    return Refused(
        "key-taken",
        f"{NOTHING_REPLACED}: {uid} would get the key “{key}”, which another memory in its store has.",
        "Narrow the query, or leave keys out with --in.",
    )
