"""Every sentence of the Graph screen."""

from __future__ import annotations

from memtui.tui.text.glyphs import counted, grouped

# Titles and placeholders.
SELECTED = "Selected"
FILTER_RELATIONS = "Filter relations"
NO_KIND = "no kind"
EDIT_RELATION = "Edit relation"
GO_TO_MEMORY = "Go to memory"
WORDS_OR_FILTERS = "Words or filters"
CLUSTER_COLUMN = "best connected"

# What could not be done.
GRAPH_UNREADABLE = "Could not load the graph"
CLUSTERS_UNCOUNTED = "Could not compute the clusters"
MEMORY_UNREADABLE = "Could not load the memory"
MEMORIES_UNREADABLE = "Could not load the memories"
RELATION_UNREADABLE = "Could not load the relation"
NOT_SAVED = "Not saved"

# Clusters.
NO_MATCH = "No memories match this search."
NO_MEMORIES = "No memories yet, so no relations."
STILL_COUNTING = "Still computing the clusters."
CLUSTERS_ARE_A_LIST = "Clusters are already a list. Press ⏎ to open one."

# Walking.
MEMORY_GONE = "This memory is no longer in the workspace."
SPOT_GONE = "Nothing left to show: no memory or relation uses this name anymore."
NO_RELATIONS = "No relations."
NOTHING_SELECTED = "Nothing selected."
LEADS_BACK = "This relation leads back to the current memory."
AT_CLUSTERS = "Already showing the clusters."
TRAIL_START = "Already at the starting memory."
OPEN_CLUSTER_FIRST = "Open a cluster first (⏎)."
ONE_HOP = "First hop only."
TWO_HOPS = "Second hop (partial)."
NOTHING_ON_LEFT = "No incoming relations."
NOTHING_ON_RIGHT = "No outgoing relations."
LIST_HAS_NO_SIDES = "Left and right keys do nothing in the list; its arrows show direction."
NOTHING_TO_FILTER = "Nothing to filter: no relations."
NO_MEMORY_UNDER_NAME = "No memory has this name."
NEAR_HIDDEN = "Similar memories hidden."
NOTHING_NEAR = "No similar memories."

# Origins of a relation.
NEAR_BY_MEMTUI = "similar in meaning; computed by memtui, not stored"
KEPT_IN_MEMTUI = "kept in memtui"
FROM_FIELD = "from a field of the memory"
FROM_STORE = "from its store"

# Why a relation cannot be changed.
NO_RELATION_HIGHLIGHTED = "no relation selected"
READ_ONLY = "the workspace is read-only"
ONLY_NEAR = "the two are only similar in meaning; no relation is stored"
ONLY_FOUND = "it was found by memtui and is not stored; resolve it in Review"
ONLY_FIELD = "it comes from a field of the memory; restore or edit that memory"
ONE_END_NO_MEMORY = "one end is not a memory"
LEADS_TO_ITSELF = "it relates a memory to itself"
NO_END_IS_MEMORY = "neither end is a memory"
NONE_SELECTED = "no memory selected."

# The dialogs.
NOTHING_TO_CHOOSE = "Nothing to choose from."
BAD_STRENGTH = "Not saved: strength must be empty or a number from 0 to 1."
REVERSED = "Saving will reverse the direction."

# The pane and the legend below the graph.
NO_MEMORY_HERE = "No memory has this name; only relations mention it."
MORE_RELATIONS = "+n more relations"
UNRELATED = "no relations"


def found_by_memtui(review: str) -> str:
    return f"found by memtui, not stored; press {review} to open it in Review"


def more_above(count: int) -> str:
    return f"↑ {grouped(count)} more"


def more_below(count: int) -> str:
    return f"↓ {grouped(count)} more"


def more_memories(count: int) -> str:
    return f"and {counted(count, 'more memory')}"


def computing_clusters(fraction: float) -> str:
    return f"Computing clusters … {fraction:.0%}"


def computing(fraction: float) -> str:
    return f"computing {fraction:.0%}"


def none_related(memories: int) -> str:
    return f"{counted(memories, 'memory')}, no relations."


def choose_and_relate(find: str, relate: str) -> str:
    return f"{find}  find a memory, then {relate} to relate it"


def near_from_there(near: str) -> str:
    return f"{near}   show similar memories (once a memory is open)"


def relate_it(relate: str) -> str:
    return f"{relate}  relate it to another memory"


def near_key(near: str) -> str:
    return f"{near}  similar memories   "


def best_connected(whole: str) -> str:
    return f"{whole}  all clusters"


def shows_clusters(whole: str) -> str:
    return f"{whole} shows all clusters"


def near_shown(count: int) -> str:
    return f"{counted(count, 'similar memory')} shown with dashed lines; not stored."


def not_embedded(count: int) -> str:
    return f"{counted(count, 'memory')} not indexed yet"


def overview(
    nodes: int, relations: int, clusters: int, unrelated: int, outside: int, to_themselves: int
) -> str:
    """The whole graph in one line."""
    parts = (
        counted(nodes, "node"),
        counted(relations, "relation"),
        counted(clusters, "cluster"),
        f"{grouped(unrelated)} unrelated" if unrelated else "",
        f"{grouped(outside)} external" if outside else "",
        counted(to_themselves, "self-relation") if to_themselves else "",
    )
    return " · ".join(part for part in parts if part)


def clusters_title(query: str) -> str:
    return f"Clusters for “{query}”" if query else "Clusters"


def cluster_position(number: int, total: int, left_out: int) -> str:
    more = f", {grouped(left_out)} small ones not shown" if left_out else ""
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
    return f"no memory is named “{label}”."


def several_memories(label: str, count: int, *, on_relation: bool) -> str:
    keys = "⏎ twice" if on_relation else "⏎"
    return f"“{label}” contains {counted(count, 'memory')}; press {keys} to list them in Browse."


def not_changed(reason: str) -> str:
    return f"Not changed: {reason}."


def opens_review(review: str) -> str:
    return f"{review} Review"


def lead_to_relations(left: str, right: str) -> str:
    return f"{left} {right} select one"


def removes_it(remove: str) -> str:
    return f"{remove} removes it"


def from_store(store: str) -> str:
    return f"from {store}" if store else FROM_STORE


def with_overrides(origin: str, overridden: str) -> str:
    """`overridden`: the fields of the relation that memtui keeps in place of the store."""
    return f"{origin}; {overridden} {KEPT_IN_MEMTUI}"
