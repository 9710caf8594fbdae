"""The relations of one memory as a list: the same as the drawing, one line each (SPEC 9)."""

from __future__ import annotations

from collections.abc import Collection

from rich.cells import cell_len

from memtui.memory.graph.model import Around, Edge
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.graph.relation_text import ITSELF, glyph, kind, name
from memtui.tui.text.glyphs import fit, grouped

_STYLE = {"≠": "wrong", "»": "warn", "∴": "accent"}


class RelationList(VirtualList):
    """→ leads away from the memory, ← leads to it."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.around: Around | None = None
        self.edges: list[Edge] = []
        self._columns = (True, True, True)  # whether any has something behind it, a strength, another store

    @property
    def highlighted(self) -> Edge | None:
        """The relation under the cursor."""
        return self.edges[self.cursor] if self.cursor < len(self.edges) else None

    def show(self, around: Around | None, hidden: Collection[str]) -> None:
        """The relations of another memory, or of the same one read again: the cursor stays on its line."""
        before = self.highlighted
        same = (
            around is not None and self.around is not None and around.centre.spot == self.around.centre.spot
        )
        self.around = around
        self.edges = [e for e in around.edges if e.kind not in hidden] if around is not None else []
        nodes = [edge.node for edge in self.edges]
        self._columns = (
            any(node.relations > 1 for node in nodes),
            any(edge.strength is not None for edge in self.edges),
            len({node.store for node in nodes}) > 1,
        )
        keys = [edge.key for edge in self.edges]
        stays = same and before is not None
        cursor = self.cursor if stays else 0
        if stays and before is not None and before.key in keys:
            cursor = keys.index(before.key)
        self.refill(len(self.edges), cursor, keep_place=stays)

    def parts(self, index: int, width: int) -> list[Part]:
        edge = self.edges[index]
        itself = self.around is not None and edge.node.spot == self.around.centre.spot
        sign = glyph(edge)
        label = f"{ITSELF} itself" if itself else name(edge.node)
        more = f"+{grouped(edge.node.relations - 1)}" if edge.node.relations > 1 and not itself else ""
        strength = "" if edge.strength is None else f"{edge.strength:.2f}"
        tail: list[Part] = []
        for shown, text, cells in zip(self._columns, (more, strength), (7, 6), strict=False):
            tail += [(fit(text, cells, right=True), "quiet")] if shown else []
        if self._columns[2] and width >= 74:
            tail += [("  ", "plain"), (fit(edge.node.store, 18), "quiet")]
        tail.append((" ", "plain"))
        kinds = min(20, max(8, width // 4))
        taken = 3 + 2 + kinds + 2 + sum(cell_len(text) for text, _ in tail)
        dash = "╌" if edge.computed else " "
        return [
            (f" {'→' if edge.out else '←'}{dash}", "quiet"),
            (f"{sign} ", _STYLE.get(sign, "plain")),
            (fit(kind(edge), kinds), _STYLE.get(sign, "plain")),
            ("  ", "plain"),
            (fit(label, max(1, width - taken)), "quiet" if edge.node.id is None else "plain"),
            *tail,
        ]
