"""Every sentence of Browse: its list, the search bar, the filter dialog and saved searches."""

from __future__ import annotations

from memtui.tui.text.glyphs import counted, grouped

SORTS = {
    "": "best match first",
    "newest": "newest first",
    "oldest": "oldest first",
    "confidence": "surest first",
    "used": "most used first",
    "expiry": "first to expire first",
    "title": "by title",
    "store": "by store",
}

# What could not be done; an error's own text follows.
NOT_SEARCHED = "The memories could not be searched"
VALUES_NOT_READ = "The values could not be read"
MEMORY_NOT_READ = "The memory could not be read"
NOT_COUNTED = "The memories could not be counted"
SAVED_SEARCHES_NOT_READ = "The saved searches could not be read"
NOT_FORGOTTEN = "Not forgotten"
NOT_KEPT = "Not kept"

# Empty lists.
THE_LIST = "The list"
LOOKING_BY_MEANING = "looking by meaning …"
MEANING_LOADING = "meaning loads in the background …"
ONLY_LIVE = "Only live memories are searched; status:dismissed shows others."
NO_MEMORIES = "No memories yet."
AGENTS_MEMORIES = "What your agents remember will stand here."

BY_WORDS_OR_MEANING = ", by words or by meaning"

# The search bar.
NOT_SEARCHED_SEE_BELOW = "not searched: see below"
MEANING_OFF = ("; meaning is off", "")
MEANING_LOADS = ("; meaning loads in the background", "; meaning loads")

TO_LIST = "to the list"
NOTHING_TO_OPEN = "Nothing to open: the list is empty."

# The filter dialog.
NARROW_PLACEHOLDER = "Type to see fewer"
COUNTING = "Counting …"
NO_VALUES = "Nothing to choose: only what has the words is counted."
NOTHING_TO_CHOOSE = "There is nothing to choose."
EVERYTHING = "everything"
EVERYTHING_SHOWN = "Everything is shown."
NOT_A_SAVED_SEARCH = "Only a saved search can be forgotten."

# The dialog that saves a search.
KEEP_AS = "Keep this search as"
KEEP_KEYS = "⏎ keep · esc cancel"


def words_not_found(more: str) -> str:
    return f"No memory says all of these words; {more}"


def nothing_matches(query: str, ways: str) -> str:
    """`ways` is how it was searched: BY_WORDS_OR_MEANING, `by_words_alone`, or ""."""
    return f"Nothing matches “{query}”{ways}."


def by_words_alone(sort_key: str) -> str:
    return f" by words alone; {sort_key} sorts by the best match again, which finds by meaning"


def clear_search(key: str) -> str:
    return f"{key}  clear the search"


def write_first(key: str) -> str:
    return f"{key}  write the first one"


def attach_store(key: str) -> str:
    return f"{key}  attach the store of an agent"


def found_count(answers: int, live: int | None, related: int, *, at_least: bool) -> str:
    """How many of the `live` memories answer the search; `at_least` if there are more."""
    total = f"{grouped(answers)}{'+' if at_least else ''}"
    of = f" of {grouped(live)}" if live is not None else ""
    return f"{total}{of}{f', {grouped(related)} related' if related else ''}"


def found_how(how: str, meaning: str, found: str) -> str:
    return f"{how}{meaning} · {found}"


def unread_memories(count: int) -> tuple[str, ...]:
    """How many memories search by meaning does not know yet, the longest text first."""
    return f" ({grouped(count)} not read yet)", f" ({grouped(count)} to read)", ""


def shown_which(order: str, filter_key: str) -> str:
    """Which memories are listed, and in which order unless that is told elsewhere."""
    return f"live · {order} · {filter_key} filter" if order else f"live · {filter_key} filter"


def list_place(place: int, count: int, total: int) -> str:
    """Where the cursor is; `total` is more than `count` while the rest of the list is being read."""
    text = f"{grouped(place)} of {grouped(count)}" if count else ""
    return f"{text}, {grouped(total)} in all" if total > count else text


def marked(count: int, hidden: int) -> str:
    text = f"{grouped(count)} marked"
    return f"{text}, {grouped(hidden)} not in this search" if hidden else text


def new_above(count: int) -> str:
    return f"↑ {grouped(count)} new above"


def nothing_to_keep(search_key: str) -> str:
    return f"Nothing to keep: everything is shown. {search_key} searches."


def kept_hint(filter_key: str) -> str:
    return f"· {filter_key} shows and forgets it"


def sorted_by(order: str, *, words_only: bool) -> str:
    rest = ": what has the words, not what is near in meaning" if words_only else ""
    return f"Sorted {order}{rest}."


# The filter dialog.


def saved_search_keys(forget_key: str) -> str:
    return f"⏎ search · {forget_key} forget · esc cancel"


def filter_keys(keys: str, total: int) -> str:
    return f"{keys} · {counted(total, 'memory')}"


def forget_again(key: str, name: str) -> str:
    return f"{key} again forgets “{name}”; no memory is touched."


def forgotten(name: str, query: str) -> str:
    return f"Forgotten: {name}. It searched for {query or EVERYTHING}"


# The dialog that saves a search.


def to_be_kept(query: str, order: str, replaced: str | None) -> str:
    """What would be kept; `replaced` is the query of the saved search with this name, if there is one."""
    rest = f" It takes the place of: {replaced or EVERYTHING}" if replaced is not None else ""
    return f"{query or EVERYTHING}, {order}.{rest}"


def kept(name: str, replaced: str | None) -> str:
    place = f" in the place of: {replaced or EVERYTHING}" if replaced is not None else "."
    return f"Kept as “{name}”{place}"
