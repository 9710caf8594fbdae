"""Every sentence of Browse: its list, the search bar, the filter dialog and saved searches."""

from __future__ import annotations

from memtui.tui.text.glyphs import counted, grouped

SORTS = {
    "": "best match first",
    "newest": "newest first",
    "oldest": "oldest first",
    "confidence": "most confident first",
    "used": "most used first",
    "expiry": "soonest to expire first",
    "title": "by title",
    "store": "by store",
}

_SORTED = {
    "": "Sorted by relevance, best match first",
    "newest": "Sorted by time, newest first",
    "oldest": "Sorted by time, oldest first",
    "confidence": "Sorted by confidence, highest first",
    "used": "Sorted by use, most used first",
    "expiry": "Sorted by expiry, soonest first",
    "title": "Sorted by title, from A to Z",
    "store": "Sorted by store, newest first in each",
}

# What could not be done; an error's own text follows.
VIEW_NOT_SAVED = "Could not save the list layout"
NOT_SEARCHED = "Search failed"
VALUES_NOT_READ = "Could not load completions"
MEMORY_NOT_READ = "Could not read the memory"
NOT_COUNTED = "Could not count the memories"
SAVED_SEARCHES_NOT_READ = "Could not read the saved searches"
NOT_FORGOTTEN = "Could not delete the saved search"
NOT_KEPT = "Could not save the search"

# Empty lists.
THE_LIST = "The list"
LOOKING_BY_MEANING = "semantic search running …"
MEANING_LOADING = "semantic search is loading …"
ONLY_LIVE = "Only live memories are searched; add status:dismissed for dismissed ones."
NO_MEMORIES = "No memories yet."
AGENTS_MEMORIES = "What your agents remember will appear here."

IN_TEXT_OR_MEANING = " by text or by meaning"

# The search bar.
NOT_SEARCHED_SEE_BELOW = "search failed: see below"
MEANING_OFF = ("; semantic search is off", "")
MEANING_LOADS = ("; semantic search is loading", "; loading")

TO_LIST = "to the list"
NOTHING_TO_OPEN = "Nothing to open: the list is empty."

# The list.
MEMORIES = "Memories"
GROUPED_TITLES = {
    "entity": "by entity",
    "folder": "by folder",
    "category": "by category",
    "store": "by store",
}
GROUPED = {
    "": "No groups: one list.",
    "entity": "Grouped by entity.",
    "folder": "Grouped by folder.",
    "category": "Grouped by category.",
    "store": "Grouped by store.",
}
RANKED_IS_FLAT = "Results of a text search are ranked and not grouped."
NO_GROUPS = "The list is not grouped."
ON_HEADING = "this is a heading; select a memory below it."

# The quick views: in the bar, in the dialog, if they are empty, and when they are chosen.
QUICK_VIEWS = "Views"
VIEWS = {
    "all": "all",
    "new": "new",
    "flagged": "findings",
    "pinned": "pinned",
    "fading": "fading",
    "pending": "pending",
    "snoozed": "snoozed",
    "dismissed": "dismissed",
    "removed": "removed",
}
VIEW_NAMES = {
    **VIEWS,
    "all": "all memories",
    "new": "new since you looked",
    "flagged": "contradictions, duplicates",
}
_EMPTY_VIEWS = {
    "new": "No new memories",
    "flagged": "No open contradictions or duplicates",
    "pinned": "No pinned memories",
    "fading": "No fading memories",
    "pending": "No pending memories",
    "snoozed": "No snoozed memories",
    "dismissed": "No dismissed memories",
    "removed": "No removed memories",
}
_SHOWN_VIEWS = {
    "all": "All memories.",
    "new": "What agents added since you last marked their changes as seen.",
    "flagged": "Memories with an open contradiction or duplicate.",
    "pinned": "Pinned memories.",
    "fading": "Fading memories.",
    "pending": "Pending memories.",
    "snoozed": "Snoozed memories.",
    "dismissed": "Dismissed memories.",
    "removed": "Memories that are no longer in their store.",
}

# The filter dialog.
NARROW_PLACEHOLDER = "Type to filter"
COUNTING = "Counting …"
NO_VALUES = "No values to list: only text matches are counted."
NOTHING_TO_CHOOSE = "Nothing to select."
EVERYTHING = "all memories"
EVERYTHING_SHOWN = "No filter"
NOT_A_SAVED_SEARCH = "Only saved searches can be deleted."

# The dialog that saves a search.
KEEP_AS = "Save search as"
KEEP_KEYS = "⏎ save · esc cancel"


def words_not_found(more: str) -> str:
    return f"No memory has all of these words; {more}"


def nothing_matches(query: str, ways: str) -> str:
    """`ways` is how it was searched: IN_TEXT_OR_MEANING, `text_search_only`, or ""."""
    return f"Nothing matches “{query}”{ways}."


def text_search_only(sort_key: str) -> str:
    return f" by text; sort by best match ({sort_key}) to search by meaning too"


def grouped_by(by: str, ranked: bool) -> str:
    return f"{GROUPED[by]} {RANKED_IS_FLAT}" if by and ranked else GROUPED[by]


def no_groups(key: str) -> str:
    return f"{NO_GROUPS} Press {key} to group it."


def on_more(count: int, open_key: str) -> str:
    return f"this line stands for {grouped(count)} more; {open_key} shows them."


def clear_search(key: str) -> str:
    return f"{key}  clear search"


def write_first(key: str) -> str:
    return f"{key}  add a memory"


def attach_store(key: str) -> str:
    return f"{key}  attach an agent's store"


def found_count(answers: int, live: int | None, related: int, *, at_least: bool) -> str:
    """How many of the `live` memories answer the search; `at_least` if there are more."""
    total = f"{grouped(answers)}{'+' if at_least else ''}"
    of = f" of {grouped(live)}" if live is not None else ""
    return f"{total}{of}{f', {grouped(related)} related' if related else ''}"


def found_how(how: str, meaning: str, found: str) -> str:
    return f"{how}{meaning} · {found}"


def unread_memories(count: int) -> tuple[str, ...]:
    """How many memories search by meaning does not know yet, the longest text first."""
    return f" ({grouped(count)} not indexed yet)", f" ({grouped(count)} to index)", ""


def shown_which(filter_key: str) -> str:
    """Which memories are listed unless the query says otherwise."""
    return f"live · {filter_key} filter"


def list_place(place: int, count: int, total: int) -> str:
    """Where the cursor is; `total` is more than `count` while the rest of the list is being read."""
    text = f"{grouped(place)} of {grouped(count)}" if count else ""
    return f"{text}, {grouped(total)} in total" if total > count else text


def marked(count: int, hidden: int) -> str:
    text = f"{grouped(count)} marked"
    return f"{text}, {grouped(hidden)} not in this search" if hidden else text


def news_elsewhere(above: int, below: int, folded: list[str]) -> str:
    """Where news is that is out of sight, e.g. “new: 3 above, 5 below, in ▸ deploy.md”; "" for none."""
    parts = [f"{grouped(count)} {where}" for count, where in ((above, "above"), (below, "below")) if count]
    if folded:
        more = f" and {counted(len(folded) - 1, 'other group')}" if len(folded) > 1 else ""
        parts.append(f"in ▸ {folded[0]}{more}")
    return f"new: {', '.join(parts)}" if parts else ""


def more_views(key: str) -> str:
    return f"{key} views"


def view_keys(keys: str) -> str:
    return f"letter or {keys}"


def view_shown(code: str, back_key: str, journal_key: str) -> str:
    if code == "all":
        return _SHOWN_VIEWS[code]
    marking = f" Mark them as seen in the Journal ({journal_key})." if code == "new" else ""
    return f"{_SHOWN_VIEWS[code]}{marking} {back_key} shows all."


def empty_view(code: str, rest: str) -> str:
    """What an empty view is empty of; `rest` is what else was searched for."""
    return f"{_EMPTY_VIEWS[code]} match “{rest}”." if rest else f"{_EMPTY_VIEWS[code]}."


def leave_view(key: str) -> str:
    return f"{key}  leave this view"


def other_views(key: str) -> str:
    return f"{key}  other views"


def nothing_to_keep(search_key: str) -> str:
    return f"Nothing to save: no search and no filter. Press {search_key} to search."


def kept_hint(filter_key: str) -> str:
    return f"({filter_key} to open or delete)"


def sorted_by(sort: str, *, words_only: bool) -> str:
    rest = " Text search only." if words_only else ""
    return f"{_SORTED[sort]}.{rest}"


# The filter dialog.


def saved_search_keys(forget_key: str) -> str:
    return f"⏎ search · {forget_key} delete · esc cancel"


def filter_keys(keys: str, total: int) -> str:
    return f"{keys} · {counted(total, 'memory')}"


def forget_again(key: str, name: str) -> str:
    return f"Press {key} again to delete “{name}”. No memories are deleted."


def forgotten(name: str, query: str) -> str:
    return f"Deleted saved search “{name}”: {query or EVERYTHING}"


# The dialog that saves a search.


def to_be_kept(query: str, order: str, replaced: str | None) -> str:
    """What would be kept; `replaced` is the query of the saved search with this name, if there is one."""
    rest = f" Replaces: {replaced or EVERYTHING}" if replaced is not None else ""
    return f"{query or EVERYTHING}, {order}.{rest}"


def kept(name: str, replaced: str | None) -> str:
    place = f", replacing: {replaced or EVERYTHING}" if replaced is not None else ""
    return f"Saved as “{name}”{place}"
