"""The relations of one memory as a list, in the order of the drawing (SPEC 9)."""

from __future__ import annotations

from collections.abc import Collection

from rich.cells import cell_len

from memtui.memory.graph.model import Edge, Neighborhood
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.graph.relation_text import ITSELF, edge_glyph, kind_label, node_label
from memtui.tui.text.glyphs import fit, grouped

_STYLE = {"≠": "error", "»": "warn", "∴": "accent"}


class RelationList(VirtualList):
    """One line per relation; → leads away from the memory, ← to it."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.neighborhood: Neighborhood | None = None
        self.edges: list[Edge] = []
        self._columns = (True, True, True)  # shown: further relations, strength, store

    @property
    def highlighted(self) -> Edge | None:
        """The relation under the cursor."""
        return self.edges[self.cursor] if self.cursor < len(self.edges) else None

    def show(self, neighborhood: Neighborhood | None, hidden: Collection[str]) -> None:
        """List a memory's relations without the `hidden` kinds; the cursor stays for the same memory."""
        highlighted = self.highlighted
        same = (
            neighborhood is not None
            and self.neighborhood is not None
            and neighborhood.center.key == self.neighborhood.center.key
        )
        self.neighborhood = neighborhood
        self.edges = (
            [e for e in neighborhood.edges if e.kind not in hidden] if neighborhood is not None else []
        )
        nodes = [edge.node for edge in self.edges]
        self._columns = (
            any(node.relations > 1 for node in nodes),
            any(edge.strength is not None for edge in self.edges),
            len({node.store for node in nodes}) > 1,
        )
        keys = [edge.key for edge in self.edges]
        keep = same and highlighted is not None
        cursor = self.cursor if keep else 0
        if same and highlighted is not None and highlighted.key in keys:
            cursor = keys.index(highlighted.key)
        self.refill(len(self.edges), cursor, keep_place=keep)

    def parts(self, index: int, width: int) -> list[Part]:
        edge = self.edges[index]
        itself = self.neighborhood is not None and edge.node.key == self.neighborhood.center.key
        sign = edge_glyph(edge)
        label = f"{ITSELF} itself" if itself else node_label(edge.node)
        more = f"+{grouped(edge.node.relations - 1)}" if edge.node.relations > 1 and not itself else ""
        strength = "" if edge.strength is None else f"{edge.strength:.2f}"
        tail: list[Part] = []
        for shown, text, cells in zip(self._columns, (more, strength), (7, 6), strict=False):
            tail += [(fit(text, cells, right=True), "quiet")] if shown else []
        if self._columns[2] and width >= 74:
            tail += [("  ", "plain"), (fit(edge.node.store, 18), "quiet")]
        tail.append((" ", "plain"))
        kind_width = min(20, max(8, width // 4))
        taken = 3 + 2 + kind_width + 2 + sum(cell_len(text) for text, _ in tail)
        dash = "╌" if edge.computed else " "
        return [
            (f" {'→' if edge.out else '←'}{dash}", "quiet"),
            (f"{sign} ", _STYLE.get(sign, "plain")),
            (fit(kind_label(edge), kind_width), _STYLE.get(sign, "plain")),
            ("  ", "plain"),
            (fit(label, max(1, width - taken)), "quiet" if edge.node.id is None else "plain"),
            *tail,
        ]
