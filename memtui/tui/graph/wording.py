"""Every sentence of the Graph screen."""

from __future__ import annotations

from memtui.tui.text.glyphs import counted, grouped

# Titles and placeholders.
HIGHLIGHTED = "What is highlighted"
WHICH_RELATIONS = "Which relations?"
THIS_RELATION = "This relation"
WALK_TO_WHICH = "Walk to which memory?"
WORDS_OR_FILTERS = "words or filters"
CLUSTER_COLUMN = "most tied together"

# What could not be done.
GRAPH_UNREADABLE = "The graph could not be read"
GRAPH_UNCOUNTED = "The graph could not be counted"
MEMORY_UNREADABLE = "The memory could not be read"
MEMORIES_UNREADABLE = "The memories could not be read"
RELATION_UNREADABLE = "The relation could not be read"
NOT_SAVED = "Not saved"

# Clusters.
NO_MATCH = "No memory matches this search."
NO_MEMORIES = "No memories yet, so nothing is tied to anything."
STILL_COUNTING = "The clusters are still being counted."
CLUSTERS_ARE_A_LIST = "Clusters are a list already; ⏎ walks in."

# Walking.
MEMORY_GONE = "This memory is gone from the workspace."
SPOT_GONE = "Nothing stands there any more, and nothing leads there."
NO_RELATIONS = "Nothing is tied to it."
NOTHING_SHOWN = "Nothing to walk to: nothing is shown."
LEADS_BACK = "This relation leads back to where you are."
AT_CLUSTERS = "This is where walking begins."
TRAIL_START = "The trail begins here."
WALK_IN_FIRST = "Walk in first: ⏎."
ONE_HOP = "One hop."
TWO_HOPS = "A little of what each neighbour is tied to."
NOTHING_ON_LEFT = "Nothing leads here."
NOTHING_ON_RIGHT = "It leads to nothing."
LIST_HAS_NO_SIDES = "A list has no sides: → leads away, ← leads here."
NOTHING_TO_FILTER = "Nothing to filter: nothing is tied to it."
NO_MEMORY_UNDER_NAME = "No memory stands under this name."
NEAR_HIDDEN = "What is near in meaning is not shown any more."
NOTHING_NEAR = "Nothing lies near it in meaning."

# Origins of a relation.
NEAR_BY_MEMTUI = "worked out by memtui from the meaning of both; written nowhere"
KEPT_IN_MEMTUI = "kept in memtui"
STATED_BY_FIELD = "told by a field of the memory"
STATED_BY_STORE = "told by its store"

# Why a relation cannot be changed.
NO_RELATION_HIGHLIGHTED = "no relation is highlighted"
READ_ONLY = "the workspace is only read"
ONLY_NEAR = "they are only near in meaning: nothing of it is written"
ONLY_FOUND = "memtui found it, nothing of it is written: Review settles it"
ONLY_FIELD = "a field of the memory says so: restore or edit that memory"
ONE_END_NO_MEMORY = "one end of it is no memory"
LEADS_TO_ITSELF = "it leads from a memory to itself"
NO_END_IS_MEMORY = "neither end is a memory"
NOTHING_HIGHLIGHTED = "nothing is highlighted."

# The dialogs.
NOTHING_TO_CHOOSE = "There is nothing to choose."
BAD_STRENGTH = "Not saved: the strength is a number from 0 to 1, or nothing."
REVERSED = "It will lead the other way."

# The pane and the legend below the graph.
NO_MEMORY_HERE = "No memory stands under this name; only relations speak of it."
MORE_BEHIND = "+n more behind it"
TIED_TO_NOTHING = "tied to nothing"


def found_by_memtui(review: str) -> str:
    return f"found by memtui, written nowhere; {review} opens it in Review"


def more_above(count: int) -> str:
    return f"↑ {grouped(count)} more"


def more_below(count: int) -> str:
    return f"↓ {grouped(count)} more"


def more_memories(count: int) -> str:
    return f"and {counted(count, 'memory')} more"


def looking(fraction: float) -> str:
    return f"Looking how all hangs together … {fraction:.0%}"


def counting(fraction: float) -> str:
    return f"counting {fraction:.0%}"


def none_related(memories: int) -> str:
    return f"None of {counted(memories, 'memory')} is tied to another one."


def choose_and_relate(find: str, relate: str) -> str:
    return f"{find}  choose a memory, {relate} relates it"


def near_from_there(near: str) -> str:
    return f"{near}  there shows what is near in meaning"


def relate_it(relate: str) -> str:
    return f"{relate}  relate it to another memory"


def near_key(near: str) -> str:
    return f"{near}  what is near in meaning   "


def best_connected(whole: str) -> str:
    return f"{whole}  the best connected"


def shows_clusters(whole: str) -> str:
    return f"{whole} shows all clusters"


def near_shown(count: int) -> str:
    return f"{counted(count, 'memory')} near in meaning; dashed, written nowhere."


def not_embedded(count: int) -> str:
    return f"{counted(count, 'memory')} not read yet"


def overview(
    nodes: int, relations: int, clusters: int, unrelated: int, outside: int, to_themselves: int
) -> str:
    """The whole graph in one line."""
    parts = (
        counted(nodes, "node"),
        counted(relations, "relation"),
        counted(clusters, "cluster"),
        f"{grouped(unrelated)} {TIED_TO_NOTHING}" if unrelated else "",
        _lead(outside, "out of it"),
        _lead(to_themselves, "to themselves" if to_themselves > 1 else "to itself"),
    )
    return " · ".join(part for part in parts if part)


def _lead(count: int, where: str) -> str:
    return f"{grouped(count)} {'lead' if count > 1 else 'leads'} {where}" if count else ""


def clusters_title(query: str) -> str:
    return f"Clusters of “{query}”" if query else "Clusters"


def cluster_position(number: int, total: int, left_out: int) -> str:
    more = f", {grouped(left_out)} small ones left out" if left_out else ""
    return f"{position(number, total)}{more}"


def position(number: int, total: int) -> str:
    return f"{grouped(number)} of {grouped(total)}"


def relation_counts(shown: int, total: int, hops: int, hidden_kinds: int) -> str:
    parts = (
        "1 hop" if hops == 1 else "2 hops",
        f"{grouped(shown)} of {grouped(total)} shown",
        f"{counted(hidden_kinds, 'kind')} hidden" if hidden_kinds else "",
    )
    return " · ".join(part for part in parts if part)


def no_memory_under(label: str) -> str:
    return f"no memory stands under “{label}”."


def several_memories(label: str, count: int, *, on_relation: bool) -> str:
    walk = "⏎ on it, and once more," if on_relation else "⏎"
    return f"“{label}” is {counted(count, 'memory')}: {walk} lists them in Browse."


def not_changed(reason: str) -> str:
    return f"Not changed: {reason}."


def opens_review(review: str) -> str:
    return f"{review} Review"


def lead_to_relations(left: str, right: str) -> str:
    return f"{left} {right} lead to them"


def removes_it(remove: str) -> str:
    return f"{remove} takes it away"


def stated_by(store: str) -> str:
    return f"told by {store}" if store else STATED_BY_STORE


def with_overrides(origin: str, overridden: str) -> str:
    """`overridden`: the fields of the relation that memtui keeps beside the store."""
    return f"{origin}; {overridden} {KEPT_IN_MEMTUI}"
