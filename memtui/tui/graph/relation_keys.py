"""The keys that change relations, and memories where one stands in the graph (SPEC 7)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from memtui.memory.graph.model import Edge, Node, Origin
from memtui.memory.records import Change, Row
from memtui.memory.relation_sources import Tie
from memtui.tui.memory.memory_actions import MemoryScreen
from memtui.tui.text.glyphs import counted
from memtui.tui.text.text_layout import one
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


def tie_of(edge: Edge) -> Tie:
    """Which relation an edge is, where several of a kind lead from one memory to another."""
    return Tie(edge.kind, edge.strength, edge.context, edge.body, edge.origin is Origin.KEPT)


class Pointed:
    """The highlighted memory as a list of one, for the keys that act on lists."""

    marks: set[int] = frozenset()  # type: ignore[assignment]

    def __init__(self, screen: RelationScreen) -> None:
        self._screen = screen

    @property
    def highlighted(self) -> int | None:
        """The one memory that is highlighted; None where a name stands for several, or for none."""
        node = self._screen.node
        return node.id if node is not None and node.count == 1 else None

    @property
    def ids(self) -> Sequence[int]:
        """The same as a list."""
        return [self.highlighted] if self.highlighted is not None else []

    @property
    def answers(self) -> Sequence[int]:
        """All of them were asked for."""
        return self.ids

    def row(self, id: int) -> Row | None:
        """Nothing is known of it beside its node."""
        return None

    def action_down(self) -> None:
        """The highlight stays: the graph is drawn anew."""

    def toggle_mark(self) -> None:
        """Nothing is marked in the graph."""

    def mark(self, ids: set[int]) -> None:
        """Nothing is marked in the graph."""


class RelationScreen(MemoryScreen):
    """Relate, change, turn round, take away; each says where it is written, and `u` takes it back."""

    @property
    def node(self) -> Node | None:
        """What is highlighted."""
        raise NotImplementedError

    @property
    def edge(self) -> Edge | None:
        """The highlighted relation; None in the middle."""
        raise NotImplementedError

    @property
    def start(self) -> Node | None:
        """From where the highlighted relation is told."""
        raise NotImplementedError

    def nothing(self, verb: str) -> str:
        node = self.node
        return self.no_memory() if node is not None and node.id is not None else super().nothing(verb)

    def no_memory(self) -> str:
        node = self.node
        if node is None:
            return "nothing is highlighted."
        if node.id is None:
            return f"no memory stands under “{one(node.label, 40)}”."
        walk = "⏎ on it, and once more," if self.edge is not None else "⏎"
        return f"“{one(node.label, 40)}” is {counted(node.count, 'memory')}: {walk} lists them in Browse."

    def why_not(self, id: str) -> str:
        if id in ("relation.change", "relation.remove"):
            return self._fixed()
        return super().why_not(id)

    def _fixed(self) -> str:
        """Why the highlighted relation cannot be changed; empty if it can."""
        edge = self.edge
        if edge is None:
            return "no relation is highlighted"
        if self.app.read_only:
            return "the workspace is only read"
        if edge.origin is Origin.NEAR:
            return "they are only near in meaning: nothing of it is written"
        if edge.origin is Origin.FOUND:
            return "memtui found it, nothing of it is written: Review settles it"
        if edge.origin is Origin.FIELD:
            return "a field of the memory says so: restore or edit that memory"
        return ""

    def _relation(self) -> tuple[Workspace, Edge, Node] | None:
        """The relation that a key may change, or a word about why not."""
        workspace = self.app.ready()
        if workspace is None:
            return None
        if why := self._fixed():
            hint = ""
            if self.edge is not None and self.edge.origin is Origin.FOUND and not self.app.read_only:
                hint = f"{self.app.key('memory.pairs')} Review"
            elif self.edge is None and self.node is not None:
                hint = f"{self.app.key('graph.left')} {self.app.key('graph.right')} lead to them"
            self.app.say(f"Not changed: {why}.", tone="wrong", hint=hint)
            return None
        assert self.edge is not None
        assert self.start is not None
        return workspace, self.edge, self.start

    def action_remove_relation(self) -> None:
        if (asked := self._relation()) is None:
            return
        workspace, edge, start = asked
        source, target = edge.ends
        was = tie_of(edge)
        if source is not None and target is not None and source != target:
            self.app.change(partial(workspace.unrelate, source, edge.kind, target, was=was))
        elif (known := source if source is not None else target) is not None:
            # The other end is a name alone, or the same memory.
            name = (edge.node if start.id is not None else start).spot.name
            out = source is not None
            self.app.change(partial(workspace.unrelate, known, edge.kind, name, out=out, was=was))
        else:
            self.app.say("Not changed: neither end is a memory.", tone="wrong")

    @worker("The relation could not be read", group="relate")
    async def action_change_relation(self) -> None:
        if (asked := self._relation()) is None:
            return
        workspace, edge, start = asked
        if edge.ends[0] is None or edge.ends[1] is None or edge.ends[0] == edge.ends[1]:
            what = "one end of it is no memory" if None in edge.ends else "it leads from a memory to itself"
            takes = f"{self.app.key('relation.remove')} takes it away"
            self.app.say(f"Not changed: {what}.", tone="wrong", hint=takes)
            return
        from memtui.tui.graph.relation_dialog import RelationDialog

        names = (start.label, edge.node.label) if edge.out else (edge.node.label, start.label)
        self.app.push_screen(RelationDialog(workspace, edge, names, tie_of(edge)), self._retied)

    async def _retied(self, change: Change | None) -> None:
        if change is not None:
            await self.app.announce(change)

    def action_relate_here(self) -> None:
        """From the highlighted memory to one that is found; an entity speaks by its first memory."""
        workspace, node = self.app.ready(), self.node
        if workspace is None:
            return
        if node is None or node.id is None:
            self.app.say(self.nothing("relate"), tone="wrong")
            return
        from memtui.tui.memory.relate_dialog import RelateDialog

        self.app.push_screen(RelateDialog(workspace, node.id, node.label), self._edited)
