"""Text about nodes and relations: glyphs, labels, the legend, and the pane below the graph (SPEC 9)."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

from memtui.memory.detail import Detail
from memtui.memory.graph.model import NEAR, Edge, Family, Neighborhood, Node, Origin
from memtui.text import screen_text
from memtui.tui.graph import wording
from memtui.tui.graph.layout import Spoke
from memtui.tui.memory.detail.memory_text import summary
from memtui.tui.text.glyphs import PIN, STATES, counted, fit
from memtui.tui.text.text_layout import Part, one_line

GLYPHS = {
    Family.CONTRADICTS: "≠",
    Family.SUPERSEDES: "»",
    Family.SUPPORTS: "+",
    Family.BASED_ON: "∴",
    Family.RELATES: "·",
    Family.NEAR: "≈",
}
KIND_STYLES = {
    Family.CONTRADICTS: "contradicts",
    Family.SUPERSEDES: "supersedes",
    Family.SUPPORTS: "supports",
    Family.BASED_ON: "based-on",
    Family.RELATES: "relates",
    Family.NEAR: "near",
}
_LEGEND = {
    Family.CONTRADICTS: "contradicts",
    Family.SUPERSEDES: "replaces",
    Family.SUPPORTS: "supports",
    Family.BASED_ON: "based on",
    Family.RELATES: "other",
    Family.NEAR: "similar",
}
_STYLES = {
    Family.CONTRADICTS: "$error",
    Family.SUPERSEDES: "$warning",
    Family.SUPPORTS: "$success",
    Family.BASED_ON: "$accent",
    Family.RELATES: "$foreground",
    Family.NEAR: "$quiet",
}
MISSING = "∅"
ITSELF = "↺"


def edge_glyph(edge: Edge) -> str:
    """Return the glyph of a relation's family."""
    return GLYPHS[edge.family]


def node_label(node: Node) -> str:
    """Return a node's label, made safe, with a mark for its state."""
    mark = PIN if node.pinned else STATES.get("removed" if node.removed else node.status, "")
    if node.id is None:
        mark = MISSING
    return f"{mark} {one_line(node.label)}" if mark else one_line(node.label)


def kind_label(edge: Edge) -> str:
    """Return a relation's kind as stored, with how often it occurs if more than once."""
    kind = one_line(edge.kind, 60) or "no kind"
    return f"{kind} ×{edge.times}" if edge.times > 1 else kind


def spoke(edge: Edge, center: Node, *, nested: bool = False) -> Spoke:
    """Return one line of the drawing; `nested` for a relation of a neighbor."""
    itself = edge.node.key == center.key
    label = f"{ITSELF} itself" if itself and not nested else node_label(edge.node)
    quiet = edge.node.id is None or edge.node.removed
    return Spoke(
        edge_glyph(edge),
        kind_label(edge),
        label,
        KIND_STYLES[edge.family],
        0 if itself else max(0, edge.node.relations - 1),
        edge.computed,
        nested,
        edge.out,
        "quiet" if quiet else "plain",
    )


def legend(neighborhood: Neighborhood | None, width: int) -> Content:
    """Return the glyphs on the screen with their meaning."""
    families = sorted({edge.family for edge in neighborhood.edges}) if neighborhood is not None else []
    parts: list[Part] = [(" ", "")]
    for family in families:
        parts += [
            (f"{GLYPHS[family]} {_LEGEND[family]}", _STYLES[family]),
            ("   " if width >= 100 else "  ", ""),
        ]
    if neighborhood is not None and any(edge.computed for edge in neighborhood.edges):
        parts.append(("╌ found", "$quiet"))
    if (
        neighborhood is not None
        and width >= 100
        and any(edge.node.relations > 1 for edge in neighborhood.edges)
    ):
        parts.append((f"   {wording.MORE_RELATIONS}", "$quiet"))
    return Content.assemble(*parts)


def origin_text(edge: Edge, store: str, review: str) -> str:
    """Return where a relation is kept; `review` is the key that opens Review."""
    if edge.origin is Origin.SCAN:
        return wording.found_by_memtui(review)
    if edge.origin is Origin.SIMILAR:
        return wording.NEAR_BY_MEMTUI
    if edge.origin is Origin.LOCAL:
        return wording.KEPT_IN_MEMTUI
    if edge.origin is Origin.FIELD:
        return wording.FROM_FIELD
    text = wording.from_store(one_line(store, 40))
    return wording.with_overrides(text, edge.overrides) if edge.overrides else text


def edge_text(
    edge: Edge,
    start: Node,
    detail: Detail | None,
    others: Sequence[str],
    now: float,
    review: str,
    width: int,
) -> Content:
    """Return the text below the graph for the highlighted relation and the node at its end."""
    sign = f"{edge_glyph(edge)} {kind_label(edge)}"
    # Both ends on one line, as far as the labels stay recognizable.
    room = max(40, width - cell_len(sign) - 14)
    start_width = cell_len(one_line(start.label))
    near_end = one_line(start.label, max(16, min(start_width, room // 3)))
    far_end = one_line(edge.node.label, max(24, room - cell_len(near_end)))
    ends = (near_end, far_end) if edge.out else (far_end, near_end)
    strength = "" if edge.strength is None else f"  {edge.strength:.2f}"
    parts: list[Part] = [
        (f"{ends[0]} ", "bold" if not edge.out else "$quiet"),
        (f"─ {sign} ─▶", _STYLES[edge.family]),
        (f" {ends[1]}", "bold" if edge.out else "$quiet"),
        (strength, ""),
        ("\n", ""),
        (origin_text(edge, edge.node.store or start.store, review), "$quiet"),
    ]
    if stated := " · ".join(x for x in (edge.context, edge.body) if x):
        parts += [("\n", ""), (f"“{one_line(stated, 1200)}”", "italic")]
    return Content.assemble(*parts, "\n", node_text(edge.node, detail, others, now))


def node_text(
    node: Node, detail: Detail | None, others: Sequence[str], now: float, *, named: bool = False
) -> Content:
    """Return the text below the graph for a memory, or for an entity with its observations.

    `others` are the texts of an entity's memories; `named` puts the label first.
    """
    if node.id is None:
        return Content.assemble((f"{MISSING} {wording.NO_MEMORY_HERE}", "$warning"))
    if detail is None:
        return Content("")
    heading: list[Part] = [(f"{one_line(node.label, 200)}\n", "bold")] if named else []
    store = one_line(node.store, 40)
    if node.count == 1:
        text = screen_text(detail.memory.content, limit=2000).strip()
        line = f"{summary(detail, now)} · {store}"
        return Content.assemble(*heading, (line, "$quiet"), "\n", text)
    category = one_line(detail.memory.category or "entity", 40)
    parts: list[Part] = [(f"{category} · {counted(node.count, 'memory')} · {store}", "$quiet")]
    parts += [(f"\n· {one_line(text, 400)}", "") for text in others]
    if node.count > len(others):
        parts.append((f"\n{wording.more_memories(node.count - len(others))}", "$quiet"))
    return Content.assemble(*heading, *parts)


def counts_text(neighborhood: Neighborhood, shown: int, hops: int, hidden: int) -> str:
    """Return the counts in the border: hops, relations shown of all, kinds hidden."""
    if not neighborhood.edges:
        return wording.UNRELATED
    return wording.relation_counts(shown, max(neighborhood.total, len(neighborhood.edges)), hops, hidden)


def trail_text(labels: list[str], width: int) -> str:
    """Return the last steps of a trail, as many as fit."""
    steps = [one_line(label, 40) for label in labels]
    while len(steps) > 1 and sum(len(step) + 3 for step in steps) > width:
        steps.pop(0)
    more = "… › " if len(steps) < len(labels) else ""
    return more + fit(" › ".join(steps), max(8, width)).rstrip()


def kind_rows(neighborhood: Neighborhood) -> list[tuple[str, str, str, int]]:
    """Return the kinds of relations of a memory with sign, name and count."""
    by_kind: dict[str, tuple[Family, int]] = {}
    for edge in neighborhood.edges:
        key = NEAR if edge.family is Family.NEAR and edge.origin is Origin.SIMILAR else edge.kind
        by_kind[key] = (edge.family, by_kind.get(key, (edge.family, 0))[1] + 1)
    return [
        (kind, GLYPHS[family], kind or wording.NO_KIND, count) for kind, (family, count) in by_kind.items()
    ]
