"""Every sentence of the commands that only read."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.text import counted

# Lists and searches.
NO_MEMORIES = "There are no memories yet."
NOT_RANKED = "Too many matches to rank them: newest first."
RELATED_HEADING = "── related ──"  # above the memories that do not answer the query
NO_VECTORS = "Searched by words alone: no memory has a vector yet; memtui embed reads them."
MATCHES = "it matches"

# Contradictions and duplicates.
EFFECTS_HEADING = "What each verdict does"

# One memory.
ORIGIN = "Why it is believed"
RELATIONS = "What it is tied to"
FORECAST = "How it ages"
PROBLEMS = "What is wrong with it"
RELATED_RECORDS = "Beside it in its store"
CONSEQUENCES = "What a change does"

# The relation graph.
NO_RELATIONS = "Nothing is tied to it. memtui relate ties it to another memory."
NO_KIND = "(no kind)"

# Statistics.
JOURNAL_LINES_BY = "journal lines by"
NO_MODEL = "(no model yet)"
FOR_EMBED = "for memtui embed"

# Saved searches.
NO_SAVED_SEARCHES = "No search is kept yet. memtui saved add NAME QUERY keeps one."


def no_match(query: str) -> str:
    return f"No memory matches “{query}”."


def no_answer(query: str) -> str:
    return f"No memory answers “{query}”."


def shown_of(shown: int, total: int, at_least: bool) -> str:
    return f"{shown:,} of {'more than ' if at_least else ''}{total:,}; --limit N shows more."


def related(count: int) -> str:
    which = "The last one is" if count == 1 else f"The last {count:,} are"
    return f"{which} only related to the query."


def no_saved_search(name: str) -> Refused:
    return Refused("no-search", f"There is no saved search {name}.", "memtui saved lists those there are.")


def by_words_alone(reason: str, hint: str = "") -> str:
    return f"Searched by words alone: {reason} {hint}".rstrip()


def without_vector(count: int) -> str:
    have = counted(count, "memory has", "memories have")
    return f"{have} no vector yet and can be found by words alone; memtui embed reads them."


def matched_by_words(rank: int | None, terms: Iterable[str], coverage: float) -> str:
    place = f"rank {rank} " if rank else ""
    return f"{place}by words ({', '.join(terms)}; {coverage:.0%})"


def cosine(value: float) -> str:
    return f"cosine {value:.2f}"


def recency(value: float) -> str:
    return f"recency {value:.3f}"


def score(value: float) -> str:
    return f"score {value:.3f}"


def no_store(name: str) -> Refused:
    return Refused("no-store", f"No store is named {name}.", "memtui stores list shows them.")


def no_pairs(noun: str, all_states: bool) -> str:
    return f"There {'are no' if all_states else 'are no open'} {noun}."


def not_compared(count: int) -> str:
    return f"{counted(count, 'memory')} not compared yet: memtui contradictions scan"


def no_pair(id: int) -> Refused:
    return Refused("no-pair", f"There is no pair {id}.", "memtui contradictions list --all shows them.")


def place_in_store(place: str, store: str) -> str:
    return f"{place} in {store}"


def decision(verdict: str, actor: str, at: str | None, note: str) -> str:
    return f"Said: {verdict} by {actor}, {at}{f': {note}' if note else ''}"


def suggestion(verdict: str, reason: str) -> str:
    return f"Suggested: {verdict or 'nothing'}. {reason}"


def blocked(reason: str) -> str:
    return f"not now: {reason}"


def resolve_by(id: int) -> str:
    return f"Say which: memtui contradictions resolve {id} VERDICT"


def node_heading(label: str, memories: int, store: str) -> str:
    many = f" ({memories:,} memories)" if memories > 1 else ""
    return f"{label}{many}, {store}"


def relations_shown(total: int, shown: int) -> str:
    return f"{total:,} relations in all; {shown:,} are shown."


def overview(nodes: int, relations: int, clusters: int, isolated: int, outside: int, loops: int) -> str:
    return (
        f"{counted(nodes, 'node')}, {counted(relations, 'relation')}, "
        f"{counted(clusters, 'cluster')}; "
        f"tied to no other: {isolated:,}; leading out of it: {outside:,}; "
        f"to themselves: {loops:,}."
    )


def unknown_answers(count: int) -> str:
    return f"{count:,} of the right answers are no memory of their group; they are never found."


def only_words_measured(reason: str) -> str:
    return f"Only words are measured: {reason}"


def offered_as_duplicates(share: float) -> str:
    return f"Contradictions that would be offered for merging: {share:.2%}"


def saved(name: str, query: str) -> str:
    return f"Kept {name}: {query}"


def forgotten(name: str) -> str:
    return f"Forgot {name}. No memory was changed."
