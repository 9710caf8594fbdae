"""The graph of relations as inline SVG: nodes in two columns on an ellipse, labels outside it.

Each label has a row of its own on its side, so that labels never overlap; the order keeps related nodes near
each other, and depends on nothing but the relations.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

from memtui.export.inert_text import encoded
from memtui.export.report import wording
from memtui.export.report.markup import Html, element, inert
from memtui.memory.graph.model import Family, family_of
from memtui.memory.report import Drawn, RelationPicture
from memtui.memory.secrets import contains_secret

_WIDTH = 900
_ROW = 30  # height of a row
_CELL = 7.3  # width of a character of a monospaced label
_CELLS = 30  # of a label at most
_RADIUS = 6
_SIDE = (_CELLS + 3) * _CELL  # width of the labels on each side
_STYLES = {Family.CONTRADICTS: "contradicts", Family.SUPERSEDES: "supersedes"}
_ARROW = 9
_BEND = 0.35  # how far an arrow is drawn to the middle


def drawing(picture: RelationPicture) -> Html:
    """Return the drawing of the relations; it has one or more nodes."""
    order = _order(len(picture.nodes), picture.relations)
    rows = -(-len(order) // 2)
    height = (rows + 1) * _ROW
    places = {node: _place(at, rows, height) for at, node in enumerate(order)}
    arrows = _merged(picture.relations)
    return element(
        "svg",
        element("title", wording.GRAPH_TITLE),
        *(_arrow(places[start], places[end], kinds, height) for (start, end), kinds in arrows.items()),
        *(_node(label_of(picture, node), *places[node]) for node in order),
        viewBox=f"0 0 {_WIDTH} {height}",
        role="img",
        class_="graph",
        font_size=12,
        font_family="ui-monospace, Menlo, Consolas, monospace",
    )


def label_of(picture: RelationPicture, node: int) -> str:
    """Return the label of a node, short enough for its side, without anything that acts on a browser."""
    label = picture.nodes[node].label
    if not label or contains_secret(label):
        return wording.HOLDS_SECRET
    return short(" ".join(encoded(label).split()) or "?")


def short(text: str) -> str:
    """Return a text cut to what a label has room for."""
    if cells(text) <= _CELLS:
        return text
    while cells(text) >= _CELLS:
        text = text[: min(len(text) - 1, _CELLS)]
    return f"{text}…"


def cells(text: str) -> int:
    """Return how many columns a text takes in a monospaced font."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def _order(count: int, relations: Sequence[Drawn]) -> list[int]:
    """Return the nodes so that those with relations to each other are near: each one next to where the one
    before it leads."""
    near: dict[int, set[int]] = {node: set() for node in range(count)}
    for each in relations:
        near[each.source].add(each.target)
        near[each.target].add(each.source)
    order: dict[int, None] = {}
    for start in sorted(near, key=lambda node: (-len(near[node]), node)):
        waiting = [start]
        while waiting:
            node = waiting.pop()
            if node not in order:
                order[node] = None
                waiting += sorted(near[node], key=lambda each: (len(near[each]), -each), reverse=True)
    return list(order)


def _place(at: int, rows: int, height: int) -> tuple[float, float, bool]:
    """Return where a node is, and whether it is on the left: down the right side, then up the left one."""
    left = at >= rows
    row = 2 * rows - 1 - at if left else at
    y = (row + 1) * _ROW
    middle, tall, wide = height / 2, height / 2, _WIDTH / 2 - _SIDE
    x = wide * math.sqrt(max(0.0, 1 - ((y - middle) / tall) ** 2))
    return (_WIDTH / 2 - x if left else _WIDTH / 2 + x), y, left


def _merged(relations: Sequence[Drawn]) -> dict[tuple[int, int], list[str]]:
    """Return the kinds of the relations from one node to another."""
    merged: dict[tuple[int, int], list[str]] = {}
    for each in relations:
        merged.setdefault((each.source, each.target), []).append(each.kind)
    return merged


def _node(label: str, x: float, y: float, left: bool) -> Html:
    fitted = {} if label.isascii() else {"textLength": cells(label) * _CELL}
    edge = _SIDE - _RADIUS if left else _WIDTH - _SIDE + _RADIUS
    return element(
        "g",
        element("line", class_="leader", x1=x, y1=y, x2=edge, y2=y),
        element("circle", cx=x, cy=y, r=_RADIUS),
        element(
            "text", label, x=edge - 4 if left else edge + 4, y=y + 4,
            text_anchor="end" if left else "start", **fitted,
        ),
    )  # fmt: skip


def _arrow(
    start: tuple[float, float, bool], end: tuple[float, float, bool], kinds: Sequence[str], height: int
) -> Html:
    """Return a bent arrow; one the other way between the same two bends elsewhere."""
    (x1, y1, _), (x2, y2, _) = start, end
    length = math.hypot(x2 - x1, y2 - y1) or 1
    aside = 12 / length
    bend_x = (x1 + x2) / 2 * (1 - _BEND) + _WIDTH / 2 * _BEND - (y2 - y1) * aside
    bend_y = (y1 + y2) / 2 * (1 - _BEND) + height / 2 * _BEND + (x2 - x1) * aside
    to_end = math.hypot(x2 - bend_x, y2 - bend_y) or 1
    ux, uy = (x2 - bend_x) / to_end, (y2 - bend_y) / to_end
    tip_x, tip_y = x2 - ux * _RADIUS, y2 - uy * _RADIUS
    base_x, base_y = tip_x - ux * _ARROW, tip_y - uy * _ARROW
    across_x, across_y = -uy * _ARROW * 0.4, ux * _ARROW * 0.4
    corners = (
        (tip_x, tip_y),
        (base_x + across_x, base_y + across_y),
        (base_x - across_x, base_y - across_y),
    )
    style = min((family_of(kind) for kind in kinds), default=Family.RELATES)
    names = ", ".join(wording.HOLDS_SECRET if contains_secret(kind) else inert(kind) for kind in kinds)
    return element(
        "g",
        element("title", names),
        element(
            "path", d=f"M{x1:.1f} {y1:.1f}Q{bend_x:.1f} {bend_y:.1f} {base_x:.1f} {base_y:.1f}", class_="line"
        ),
        element("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners)),
        class_=f"arrow {_STYLES.get(style, 'other')}",
    )
