"""Every sentence and heading in the text of one memory."""

from __future__ import annotations

from memtui.text import after_colon
from memtui.tui.text.glyphs import counted, grouped

# Headings.
MEMORY = "Memory"
MATCH = "Match"
PROVENANCE = "Provenance"
RELATIONS = "Relations"
DECAY = "Decay"
FINDINGS = "Findings"
RELATED_RECORDS = "Related records"
KEYS = "Keys"
HISTORY = "History"

PINNED = "★ pinned"

# What a key does about a finding.
COMPARES = "compares"
EDITS = "edits it"
REDACTS = "redacts it"
DISMISSES = "dismisses it"
RESTORES = "restores it"
SHOWS_RELATIONS = "shows its relations"
SHOWS_STORES = "shows its store"

# Links.
NO_FIELDS = "No ids or fields to show: no memory is selected."
NO_WAY_BACK = "Nothing to go back to: you haven't followed a link."
LINK_GONE = "Can't follow this link: the memory is no longer in the workspace."

UNFINISHED = "unfinished"
NO_MATCHED_WORDS = "none"


def strength(value: float) -> str:
    return f"strength {min(value, 1.0):.2f}"


def snoozed_until(moment: str) -> str:
    return f"snoozed until {moment}"


def uses(count: int) -> str:
    return counted(count, "use")


def last_used(ago: str) -> str:
    return f"last {ago}"


def cut_off(characters: int, key: str) -> str:
    """The note below a text of which `characters` are not shown."""
    rest = f"{counted(characters, 'more character')} not shown"
    return f"{rest}; press {key} to copy everything." if key else f"{rest}."


def tone(text: str) -> str:
    return f"tone: {text}"


def tokens(count: int) -> str:
    return counted(count, "token")


def key_acts(key: str, verb: str) -> str:
    return f"{key} {verb}"


def not_followed(name: str) -> str:
    return f"Can't follow this link: “{name}” is not a memory in this store."


def from_link(key: str) -> str:
    """The line above a memory that a link led to."""
    return f"Opened from a link, not in the list. {key} goes back."


def fields_line(key: str, *, unfolded: bool) -> str:
    action = "hides" if unfolded else "shows"
    return f"{'▾' if unfolded else '▸'} ids and fields{f' · {key} {action} them' if key else ''}"


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


def by_rule(rule: str, done: str) -> str:
    return f"{done} by the rule “{rule}”"


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


def heading(name: str, subject: str) -> str:
    """The title of a pane: "Memory", and whom or what the memory is about."""
    return f"{name} · {subject}" if subject else name
