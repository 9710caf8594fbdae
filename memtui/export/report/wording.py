"""Every sentence of a report."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.text import counted, listed

TITLE = "What your agents remember"
HOLDS_SECRET = "holds a secret"
NARROWED = "Only memories that match "

SECTIONS = {
    "contents": "What is in which store",
    "time": "Memories over time",
    "strength": "How strong memories are",
    "leaving": "What leaves when",
    "pairs": "Contradictions and duplicates",
    "entities": "Entities with the most memories",
    "relations": "Relations",
    "used": "Most used",
    "newest": "Newest",
}

# Names of numbers and columns.
MEMORIES = "memories"
LIVE = "live"
PINNED = "pinned"
OPEN_CONTRADICTIONS = "open contradictions"
OPEN_DUPLICATES = "open duplicates"
HOLDING_SECRETS = "hold a secret"
BY_STORE = "By store"
BY_CATEGORY = "By category"
BY_STATUS = "By status"
NO_CATEGORY = "no category"
STORE_COLUMNS = ("Store", "Format", "Memories", "Live", "Pinned")
CATEGORY_COLUMNS = ("Category", "Memories")
STATUS_COLUMNS = ("Status", "Memories")
LEAVING_COLUMNS = ("Leaves", "Memory", "Store", "Rule")
ENTITY_COLUMNS = ("Entity", "Store", "Memories", "Contradicted")
BEST_COLUMNS = ("Best connected", "Store", "Relations")
RELATION_COLUMNS = ("From", "Relation", "To")
USED_COLUMNS = ("Memory", "Store", "Uses")
NEWEST_COLUMNS = ("Memory", "Category", "Store", "Created")
OWN_FORMAT = "memtui"

SHOW_NUMBERS = "Show the numbers"
SHOW_RELATIONS = "Show the relations as a list"

# Over time.
PERIODS = {"week": "week from Monday", "month": "month"}
DATES = (
    "All dates are UTC. A memory without a date of creation counts on the day when memtui first read it. The "
    "second chart has the last change only, of memories that were changed after their creation."
)

# Decay.
STRENGTH = "strength"
STRENGTH_NOTE = "The strength of live memories now, from 0 to 1, by the lifecycle of their store."
ABOVE_ONE = "over 1"
NOTHING_LEAVES = "Decay removes none of these memories."
LEAVING_TITLE = "Memories that decay removes, by week"
WEEK_FROM = "week from"
NEXT_TO_LEAVE = "Next to leave"
DUE = "due now"
FAR_FUTURE = "far future"

# Pairs.
CONTRADICTIONS = "Contradictions"
DUPLICATES = "Duplicates"
ESCALATED = "open for more than 7 days"
NO_REASON = "The reason is not shown: one of the two holds a secret."

# Entities and relations.
NO_ENTITIES = "No memory names an entity."
NO_RELATIONS = "No relations among these memories."
GRAPH_TITLE = "The best connected, and what is related to them"

NONE_USED = "No store has counted a use of these memories."
EMPTY = "No memories yet."
EMPTY_HINT = (
    "To attach the stores of your agents, run memtui stores discover, then memtui stores attach PATH."
)
NO_MATCH = "No memories match. Reports take the query language of memtui list."


def made_at(moment: str) -> str:
    return f"memtui report, {moment[:10]} {moment[11:16]} UTC"


def narrowed_to(count: int) -> str:
    return f": {counted(count, 'memory')}"


def leave_within(days: int) -> str:
    return f"leave within {days} days"


def first_of(shown: int, total: int) -> str:
    return f"Showing the first {shown:,} of {total:,}."


def column(label: str, count: int) -> str:
    return f"{label}: {count:,}"


def created_by(unit: str) -> str:
    return f"Memories created per {unit}"


def changed_by(unit: str) -> str:
    return f"Memories last changed per {unit}"


def earlier(count: int, first: str) -> str:
    return f"Not drawn: {count:,} before {first}."


def in_future(count: int) -> str:
    return f"Not drawn: {count:,} dated in the future."


def lifecycle(title: str) -> str:
    return f"Lifecycle: {title}"


def strength_by(title: str, count: int) -> str:
    return f"{counted(count, 'memory')} by strength ({title})"


def without_strength(count: int) -> str:
    return (
        f"{counted(count, 'memory')} without a strength: {'its' if count == 1 else 'their'} format has none."
    )


def leaving(due: int, within: Sequence[tuple[int, int]], ever: int, of: int) -> str:
    soon = listed([f"{count:,} within {days} days" for days, count in within])
    return f"Due now: {due:,}. With those, decay removes {soon}; {ever:,} of {of:,} live memories in all."


def not_compared(count: int) -> str:
    return f"{counted(count, 'memory')} not compared yet. To compare: memtui contradictions scan"


def no_pairs(family: str) -> str:
    return f"No open {family}s."


def with_count(heading: str, count: int) -> str:
    return f"{heading}: {count:,}"


def graph_in_numbers(nodes: int, relations: int) -> str:
    ends = counted(nodes, "memory or entity", "memories and entities")
    return f"{counted(relations, 'relation')} among {ends}."


def graph_caption(nodes: int, all_nodes: int, relations: int, among: int) -> str:
    cut = [f"{nodes:,} of {all_nodes:,} are drawn"] if nodes < all_nodes else []
    cut += [f"{relations:,} of {among:,} relations among them are drawn"] if relations < among else []
    part = "".join(f"{each}. " for each in cut)
    return (
        f"{part}An arrow leads from a memory to what it is related to. Dashed: contradicts. Dotted: replaces."
    )


def written(count: int, to: str) -> str:
    """What was written `to` a file; "" is standard output."""
    return f"Wrote a report on {counted(count, 'memory')}{f' to {to}' if to else ''}."
