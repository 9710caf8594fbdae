"""Every sentence and heading in the text of one memory."""

from __future__ import annotations

from memtui.text import plural
from memtui.tui.text.glyphs import counted

# Headings.
WHY_FOUND = "Why it is here"
WHY_BELIEVED = "Why it is believed"
RELATIONS = "What it is tied to"
DECAY = "How it ages"
PROBLEMS = "What is wrong with it"
RELATED_RECORDS = "Beside it in its store"
DETAILS = "Details"
KEYS = "What the keys do"
HISTORY = "History"

NOT_FINISHED = "not finished"
NO_MATCHED_WORDS = "none of them"


def strength(value: float) -> str:
    return f"strength {min(value, 1.0):.2f}"


def uses(count: int) -> str:
    return counted(count, "use")


def last_used(ago: str) -> str:
    return f"last {ago}"


def cut_off(characters: int) -> str:
    """The note below a text of which `characters` are not shown."""
    more = f"{counted(characters, 'character')} more {plural(characters, 'is', 'are')} not shown"
    return f"\n{more}; y copies all of it.\n"


def tone(text: str) -> str:
    return f"tone: {text}"


def tokens(count: int) -> str:
    return counted(count, "token")


def compares_pairs(key: str) -> str:
    return f"{key} compares them in Review."


def blocked(reason: str) -> str:
    return f"not now: {reason}"


def unknown_fields(count: int) -> str:
    return f"and {counted(count, 'field')} more that memtui does not know"


def more_records(count: int) -> str:
    return f"and {count} more"


# Why it was found.


def matched_words(words: str, rank: str) -> str:
    """The matched words; `rank` is the memory's place by words, "" without one."""
    words = words or NO_MATCHED_WORDS
    return f"{words}; {rank} by words" if rank else words


def by_meaning(cosine: float, nearness: str) -> str:
    return f"{cosine:.2f}, {nearness}"


def score(value: float, recency: float) -> str:
    return f"{value:.2f}, recency {recency:.2f} of it"


# History.


def history_entry(actor: str, summary: str, state: str, reason: str) -> str:
    state = f" ({state})" if state else ""
    reason = f": {reason}" if reason else ""
    return f"{actor}: {summary}{state}{reason}"


# The line of counts.


def wrong(count: int) -> str:
    return f"{count} wrong"


def supersedes(count: int) -> str:
    return f"supersedes {count}"


def rests_on(count: int) -> str:
    return f"rests on {count}"


def rest_on_it(count: int) -> str:
    return f"{count} rest{'s' if count == 1 else ''} on it"


def frozen(reason: str) -> str:
    return f"{reason}: nothing ages it"


def coming(when: str, what: str) -> str:
    return f"{when}: {what}"
