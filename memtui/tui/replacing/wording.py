"""Every sentence of find and replace on screen (S-54)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.text import after_colon, capitalized
from memtui.tui.text.glyphs import counted, grouped

# What could not be done; an error's own text follows.
NOT_SEARCHED = "Search failed"
NOT_REPLACED = "The replacement did not finish"

# The list on Browse.
STILL_LOADING = "Can't replace yet: the list is still loading."

# What to find.
FIND, REPLACEMENT = "find", "replace with"
SWITCHES = {
    "regex": ("regular expression", r"\1 in the replacement is the first group"),
    "ignore_case": ("ignore case", ""),
    "keep_case": ("keep case", "as it was: name, Name or NAME"),
    "content": ("content", "search this field"),
    "title": ("title", ""),
    "subject": ("subject", ""),
    "key": ("key", ""),
    "tags": ("tags", ""),
}
"""The label of each switch, and what it does."""
NO_FIELD = "Select at least one field to search."
STOPPING = "Stopping …"
STOPPED = "Stopped. Nothing was replaced."
NOTHING_ACCEPTED = "Nothing was replaced."

# Match by match.
ASK_TITLE = "Replace the accepted matches"
LEAVE_AGAIN = "Press esc again to leave without replacing anything."
ANSWER_FIRST = "Answer with y or n; q replaces the matches accepted so far."
ASKED = "Press ⏎ to replace, u to go back."
NO_ANSWER_YET = "No answer to undo."
NOTHING_YET = "Nothing accepted yet."
IN_LINK = "In a link: the link breaks unless its target is renamed too."


def find_title(where: str) -> str:
    return f"Find and replace {where}"


def in_marked(count: int) -> str:
    return f"in {grouped(count)} marked"


def in_group(name: str, count: int) -> str:
    return f"in {name} ({grouped(count)})"


def in_results(count: int) -> str:
    return f"in the {grouped(count)} results" if count != 1 else "in the one result"


def in_list(count: int) -> str:
    return f"in all {counted(count, 'memory')}" if count != 1 else "in the one memory"


def only_related(mark_key: str) -> str:
    return f"Nothing to replace: all results are only related. Press {mark_key} to mark one."


def searching(done: int, total: int) -> str:
    if done == total:
        return "Checking what can be written …"
    return f"Searching … {grouped(done)} of {counted(total, 'memory')}"


def refused(reason: str, advice: str) -> str:
    return f"{capitalized(reason)} {advice}".strip()


def no_match(memories: int, *, ignore_case: bool) -> str:
    hint = "" if ignore_case else " The search was case-sensitive; turn on ignore case to find more."
    return f"No match in {counted(memories, 'memory')}.{hint}"


def none_changeable(memories: int, reason: str) -> str:
    return f"The matches in {counted(memories, 'memory')} can't be replaced: {after_colon(reason)}"


# Match by match.


def hit_title(place: int, hits: int, memories: int) -> str:
    return f"Match {grouped(place)} of {grouped(hits)} · {counted(memories, 'memory')}"


def hit_place(store: str, field: str, tag: int) -> str:
    """Where a match is; `tag` is the number of the tag, 0 outside of tags."""
    return f"{store} · {field} {tag}" if tag else f"{store} · {field}"


def kept_in_memtui(field: str) -> str:
    return f"Its store has no {field}: kept in memtui."


def accepted(hits: int, stores: Sequence[tuple[str, int]]) -> str:
    """What would be replaced; `stores` has the numbers of memories by store."""
    memories = sum(count for _, count in stores)
    where = ", ".join(f"{store} {grouped(count)}" for store, count in stores)
    return f"Accepted: {_matches(hits)} in {counted(memories, 'memory')} ({where})."


WRITTEN_WHEN = "Accepted matches are replaced after the last answer, or with q."


def question(accepted: int, hits: int, memories: int) -> str:
    return f"Replace {grouped(accepted)} of {_matches(hits)} in {counted(memories, 'memory')}?"


def in_store(memories: int, hits: int) -> str:
    return f"{counted(memories, 'memory')}, {_matches(hits)}"


def other_stores(count: int) -> str:
    return f"and {counted(count, 'other store')}"


def one_change(undo_key: str) -> str:
    return f"This is one change: {undo_key} undoes all of it."


def skipped(count: int, reasons: Sequence[tuple[str, int]]) -> str:
    """Which memories are left out; `reasons` with how many memories have each, the most frequent first."""
    first, number = reasons[0]
    if len(reasons) == 1:
        return f"Skipped {counted(count, 'memory')}: {after_colon(first)}"
    return f"Skipped {counted(count, 'memory')}, {grouped(number)} of them: {after_colon(first)}"


def replacing(done: int, total: int) -> str:
    return f"Replacing … {grouped(done)} of {counted(total, 'memory')}"


STOPPING_WRITE = "Stopping after this store …"


def _matches(count: int) -> str:
    return f"{grouped(count)} match{'' if count == 1 else 'es'}"
