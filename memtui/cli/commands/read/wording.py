"""Every sentence of the commands that only read."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.memory.groups import Group
from memtui.text import after_colon, counted

# Lists and searches.
NO_CATEGORY = "no category"
NO_MEMORIES = "No memories yet."
NOT_RANKED = "Too many matches to rank; showing the newest first."
RELATED_HEADING = "── related ──"  # above the memories that do not answer the query
NO_VECTORS = "Text search only: no memory is indexed for semantic search yet. To index: memtui embed"
MATCHES = "matches the filters"

# Contradictions and duplicates.
OUTDATED = "outdated"
EFFECTS_HEADING = "Effect of each verdict"

# What needs the person.
INBOX_EMPTY = "Nothing needs you."
SEARCHING = "searching for secrets"
NO_SECRETS = "No memory contains a secret."

# One memory.
ORIGIN = "Provenance"
RELATIONS = "Relations"
FORECAST = "Decay"
PROBLEMS = "Findings"
RELATED_RECORDS = "Related records in its store"
CONSEQUENCES = "Effect of each change"

# The relation graph.
NO_RELATIONS = "No relations. To add one: memtui relate UID KIND OTHER"
NO_KIND = "(no kind)"
COUNTING = "computing clusters"

# Statistics.
JOURNAL_ENTRIES_BY = "journal entries by"
NO_MODEL = "(no model yet)"
FOR_EMBED = "run memtui embed"

# Saved searches.
NO_SAVED_SEARCHES = "No saved searches yet. To save one: memtui saved add NAME QUERY"


def heading(group: Group) -> str:
    facts = [group.name or NO_CATEGORY, group.kind, counted(group.count, "memory")]
    if group.contradictions:
        facts.append(f"{group.contradictions:,} contradicted")
    if group.duplicates:
        facts.append(f"{group.duplicates:,} duplicated")
    return " · ".join(fact for fact in dict.fromkeys((*facts, group.store)) if fact)


def no_match(query: str) -> str:
    return f"No memories match “{query}”."


def no_answer(query: str) -> str:
    return f"No results for “{query}”."


def shown_of(shown: int, total: int, at_least: bool) -> str:
    return f"Showing {shown:,} of {'more than ' if at_least else ''}{total:,}; --limit N shows more."


def related(count: int) -> str:
    if count == 1:
        return "The last result is only related to the query."
    return f"The last {count:,} results are only related to the query."


def no_saved_search(name: str) -> Refused:
    return Refused("no-search", f"No saved search named {name}.", "To list them: memtui saved list")


def text_search_only(reason: str, hint: str = "") -> str:
    return f"Text search only: {reason} {hint}".rstrip()


def without_vector(count: int) -> str:
    are = counted(count, "memory is", "memories are")
    return f"{are} not indexed for semantic search yet (text search only). To index: memtui embed"


def matched_by_text(rank: int | None, terms: Iterable[str], coverage: float) -> str:
    place = f"rank {rank} " if rank else ""
    return f"{place}by text ({', '.join(terms)}; {coverage:.0%})"


def cosine(value: float) -> str:
    return f"cosine {value:.2f}"


def recency(value: float) -> str:
    return f"recency {value:.3f}"


def score(value: float) -> str:
    return f"score {value:.3f}"


def no_store(name: str) -> Refused:
    return Refused("no-store", f"No store named {name}.", "memtui stores list shows all stores.")


def no_pairs(noun: str, all_states: bool) -> str:
    return f"No {'' if all_states else 'open '}{noun}."


def not_compared(count: int) -> str:
    return f"{counted(count, 'memory')} not compared yet. To compare: memtui contradictions scan"


def state(state: str) -> str:
    return OUTDATED if state == "over" else state


def place_in_store(place: str, store: str) -> str:
    return f"{place} in {store}"


def decision(verdict: str, actor: str, at: str | None, note: str) -> str:
    return f"Verdict: {verdict} by {actor}, {at}{f': {note}' if note else ''}"


def suggestion(verdict: str, reason: str) -> str:
    return f"Suggested: {verdict or 'none'}. {reason}"


def blocked(reason: str) -> str:
    return f"unavailable: {after_colon(reason)}"


def resolve_by(id: int) -> str:
    return f"To resolve: memtui contradictions resolve {id} VERDICT"


def node_heading(label: str, memories: int, store: str) -> str:
    many = f" ({memories:,} memories)" if memories > 1 else ""
    return f"{label}{many}, {store}"


def relations_shown(total: int, shown: int) -> str:
    return f"Showing {shown:,} of {total:,} relations."


def overview(nodes: int, relations: int, clusters: int, isolated: int, outside: int, loops: int) -> str:
    return (
        f"{counted(nodes, 'node')}, {counted(relations, 'relation')}, "
        f"{counted(clusters, 'cluster')}; "
        f"unrelated: {isolated:,}; external relations: {outside:,}; "
        f"self-relations: {loops:,}."
    )


def unknown_answers(count: int) -> str:
    answers = counted(count, "expected answer is", "expected answers are")
    return f"{answers} not among the memories of the same group and can't be found."


def only_words_measured(reason: str) -> str:
    return f"Measuring text search only: {reason}"


def offered_as_duplicates(share: float) -> str:
    return f"Contradictions mistaken for duplicates: {share:.2%}"


def saved(name: str, query: str) -> str:
    return f"Saved {name}: {query}"


def deleted(name: str) -> str:
    return f"Deleted saved search {name}. No memories were changed."


def inbox_item(label: str, reason: str) -> str:
    return f"{label} · {reason}" if label else reason


def searched_for_secrets(searched: int, found: int) -> str:
    texts = counted(searched, "new or changed memory", "new or changed memories")
    return f"Searched {texts}; {counted(found, 'memory', 'memories')} in all with a secret."
