"""How relations look: a glyph, a word and a colour for each sort, and what is said of one (SPEC 9)."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

from memtui.memory.detail import Detail
from memtui.memory.graph.model import NEAR, Around, Edge, Family, Node, Origin
from memtui.text import screen_text
from memtui.tui.graph.layout import Spoke
from memtui.tui.memory.memory_text import summary
from memtui.tui.text.glyphs import PIN, STATES, counted, fit, grouped
from memtui.tui.text.text_layout import Part, one_line

GLYPHS = {
    Family.CONTRADICTS: "≠",
    Family.SUPERSEDES: "»",
    Family.SUPPORTS: "+",
    Family.RESTS_ON: "∴",
    Family.RELATES: "·",
    Family.NEAR: "≈",
}
KIND_STYLES = {
    Family.CONTRADICTS: "contradicts",
    Family.SUPERSEDES: "supersedes",
    Family.SUPPORTS: "supports",
    Family.RESTS_ON: "rests-on",
    Family.RELATES: "relates",
    Family.NEAR: "near",
}
_LEGEND = {
    Family.CONTRADICTS: "contradicts",
    Family.SUPERSEDES: "supersedes",
    Family.SUPPORTS: "supports",
    Family.RESTS_ON: "rests on",
    Family.RELATES: "other",
    Family.NEAR: "alike",
}
_STYLES = {
    Family.CONTRADICTS: "$error",
    Family.SUPERSEDES: "$warning",
    Family.SUPPORTS: "$success",
    Family.RESTS_ON: "$accent",
    Family.RELATES: "$foreground",
    Family.NEAR: "$quiet",
}
MISSING = "∅"
ITSELF = "↺"


def edge_glyph(edge: Edge) -> str:
    """The sign of its sort."""
    return GLYPHS[edge.family]


def node_label(node: Node) -> str:
    """What stands for a node, safe, with what is not plain about it."""
    mark = PIN if node.pinned else STATES.get("removed" if node.removed else node.status, "")
    if node.id is None:
        mark = MISSING
    return f"{mark} {one_line(node.label)}" if mark else one_line(node.label)


def kind_label(edge: Edge) -> str:
    """The kind as it is told, and how often."""
    return (
        f"{one_line(edge.kind_label, 60) or 'no kind_label'} ×{edge.times}"
        if edge.times > 1
        else one_line(edge.kind_label, 60) or "no kind"
    )


def spoke(edge: Edge, centre: Node, *, deep: bool = False) -> Spoke:
    """One line of the drawing."""
    itself = edge.node.spot == centre.spot
    label = f"{ITSELF} itself" if itself and not deep else node_label(edge.node)
    quiet = edge.node.id is None or edge.node.removed
    return Spoke(
        edge_glyph(edge),
        kind_label(edge),
        label,
        KIND_STYLES[edge.family],
        0 if itself else max(0, edge.node.relations - 1),
        edge.computed,
        deep,
        edge.out,
        "quiet" if quiet else "plain",
    )


def legend(around: Around | None, width: int) -> Content:
    """The signs that are on the screen, in words; dashes are told where there are any."""
    families = sorted({edge.family for edge in around.edges}) if around is not None else []
    parts: list[Part] = [(" ", "")]
    for family in families:
        parts += [
            (f"{GLYPHS[family]} {_LEGEND[family]}", _STYLES[family]),
            ("   " if width >= 100 else "  ", ""),
        ]
    if around is not None and any(edge.computed for edge in around.edges):
        parts.append(("╌ found", "$quiet"))
    if around is not None and width >= 100 and any(edge.node.relations > 1 for edge in around.edges):
        parts.append(("   +n more behind it", "$quiet"))
    return Content.assemble(*parts)


def origin_text(edge: Edge, store: str, review: str) -> str:
    """Where a relation stands, in words."""
    if edge.origin is Origin.FOUND:
        return f"found by memtui, written nowhere; {review} opens it in Review"
    if edge.origin is Origin.NEAR:
        return "worked out by memtui from the meaning of both; written nowhere"
    if edge.origin is Origin.KEPT:
        return "kept in memtui"
    if edge.origin is Origin.FIELD:
        return "told by a field of the memory"
    told = f"told by {one_line(store, 40)}" if store else "told by its store"
    return f"{told}; {edge.beside} kept in memtui" if edge.beside else told


def edge_text(
    edge: Edge,
    start: Node,
    detail: Detail | None,
    others: Sequence[str],
    now: float,
    review: str,
    width: int,
) -> Content:
    """What the pane below says of the highlighted relation, and of what is at its end."""
    sign = f"{edge_glyph(edge)} {kind_label(edge)}"
    # Both ends on one line, if that tells enough of them.
    room = max(40, width - cell_len(sign) - 14)
    mine = cell_len(one_line(start.label))
    here = one_line(start.label, max(16, min(mine, room // 3)))
    there = one_line(edge.node.label, max(24, room - cell_len(here)))
    ends = (here, there) if edge.out else (there, here)
    strength = "" if edge.strength is None else f"  {edge.strength:.2f}"
    parts: list[Part] = [
        (f"{ends[0]} ", "bold" if not edge.out else "$quiet"),
        (f"─ {sign} ─▶", _STYLES[edge.family]),
        (f" {ends[1]}", "bold" if edge.out else "$quiet"),
        (strength, ""),
        ("\n", ""),
        (origin_text(edge, edge.node.store or start.store, review), "$quiet"),
    ]
    if said := " · ".join(x for x in (edge.context, edge.body) if x):
        parts += [("\n", ""), (f"“{one_line(said, 1200)}”", "italic")]
    return Content.assemble(*parts, "\n", node_text(edge.node, detail, others, now))


def node_text(
    node: Node, detail: Detail | None, others: Sequence[str], now: float, *, named: bool = False
) -> Content:
    """What the pane below says of a memory; of an entity, what all its observations say. `named`: by its
    name first."""
    if node.id is None:
        said = f"{MISSING} No memory stands under this name; only relations speak of it."
        return Content.assemble((said, "$warning"))
    if detail is None:
        return Content("")
    name_it: list[Part] = [(f"{one_line(node.label, 200)}\n", "bold")] if named else []
    store = one_line(node.store, 40)
    if node.count == 1:
        text = screen_text(detail.memory.content, limit=2000).strip()
        said = f"{summary(detail, now)} · {store}"
        return Content.assemble(*name_it, (said, "$quiet"), "\n", text)
    kind_of = one_line(detail.memory.category or "entity", 40)
    parts: list[Part] = [(f"{kind_of} · {counted(node.count, 'memory')} · {store}", "$quiet")]
    parts += [(f"\n· {one_line(text, 400)}", "") for text in others]
    if node.count > len(others):
        parts.append((f"\nand {counted(node.count - len(others), 'memory')} more", "$quiet"))
    return Content.assemble(*name_it, *parts)


def counts_text(around: Around, shown: int, hops: int, hidden: int) -> str:
    """What the border says: how many of how many, how far."""
    if not around.edges:
        return "tied to nothing"
    total = grouped(max(around.total, len(around.edges)))
    parts = [
        "1 hop" if hops == 1 else "2 hops",
        f"{grouped(shown)} of {total} shown",
        f"{counted(hidden, 'kind_label')} hidden" if hidden else "",
    ]
    return " · ".join(part for part in parts if part)


def trail_text(labels: list[str], width: int) -> str:
    """Where one came from, the last steps as far as they fit."""
    said = [one_line(label, 40) for label in labels]
    while len(said) > 1 and sum(len(each) + 3 for each in said) > width:
        said.pop(0)
    more = "… › " if len(said) < len(labels) else ""
    return more + fit(" › ".join(said), max(8, width)).rstrip()


def kind_counts(around: Around) -> list[tuple[str, Family, int]]:
    """The kinds around a memory, each with its sort and how many there are."""
    counted_by: dict[str, tuple[Family, int]] = {}
    for edge in around.edges:
        key = NEAR if edge.family is Family.NEAR and edge.origin is Origin.NEAR else edge.kind_label
        counted_by[key] = (edge.family, counted_by.get(key, (edge.family, 0))[1] + 1)
    return [(key, family, many) for key, (family, many) in counted_by.items()]
