"""Every sentence and heading in the text of one memory."""

from __future__ import annotations

from memtui.text import after_colon
from memtui.tui.text.glyphs import counted, grouped

# Headings.
MATCH = "Match"
PROVENANCE = "Provenance"
RELATIONS = "Relations"
DECAY = "Decay"
FINDINGS = "Findings"
RELATED_RECORDS = "Related records"
DETAILS = "Details"
KEYS = "Keys"
HISTORY = "History"

UNFINISHED = "unfinished"
NO_MATCHED_WORDS = "none"


def strength(value: float) -> str:
    return f"strength {min(value, 1.0):.2f}"


def uses(count: int) -> str:
    return counted(count, "use")


def last_used(ago: str) -> str:
    return f"last {ago}"


def cut_off(characters: int, key: str) -> str:
    """The note below a text of which `characters` are not shown."""
    return f"\n{counted(characters, 'more character')} not shown; press {key} to copy everything.\n"


def tone(text: str) -> str:
    return f"tone: {text}"


def tokens(count: int) -> str:
    return counted(count, "token")


def compares_pairs(key: str) -> str:
    return f"Press {key} to compare in Review."


def blocked(reason: str) -> str:
    return f"not available: {after_colon(reason)}"


def unknown_fields(count: int) -> str:
    return f"and {counted(count, 'more field')} unknown to memtui"


def more_records(count: int) -> str:
    return f"and {count} more"


# Why it was found.


def matched_words(words: str, rank: str) -> str:
    """The matched words; `rank` is the memory's place by words, "" without one."""
    words = words or NO_MATCHED_WORDS
    return f"{words}; ranked {rank} by text" if rank else words


def by_meaning(cosine: float, nearness: str) -> str:
    return f"{cosine:.2f}, {nearness}"


def score(value: float, recency: float) -> str:
    return f"{value:.2f}, including {recency:.2f} for recency"


# History.


def history_entry(actor: str, summary: str, state: str, reason: str) -> str:
    state = f" ({state})" if state else ""
    reason = f": {reason}" if reason else ""
    return f"{actor}: {summary}{state}{reason}"


# The line of counts.


def other_findings(count: int) -> str:
    return counted(count, "other finding")


def with_contradictions(count: int) -> str:
    return f"{counted(count, 'memory')} with an open contradiction"


def with_duplicates(count: int) -> str:
    return f"{counted(count, 'memory')} with an open duplicate"


def newest_change(when: str) -> str:
    return f"Newest change: {when}"


def group_keys(open_key: str, mark_key: str, count: int) -> str:
    return f"{open_key} folds or unfolds; {mark_key} marks all {grouped(count)}. Other keys act on all below."


def replaces(count: int) -> str:
    return f"replaces {count}"


def based_on(count: int) -> str:
    return f"based on {count}"


def basis_for(count: int) -> str:
    return f"basis for {count}"


def frozen(reason: str) -> str:
    return f"{reason}: no decay"


def coming(when: str, what: str) -> str:
    return f"{when}: {what}"
