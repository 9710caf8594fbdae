"""The keys of the Graph screen that change relations and memories (SPEC 7)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from memtui.memory.graph.model import Edge, Node, Origin
from memtui.memory.memory import MemoryRow
from memtui.memory.relations import RelationSpec
from memtui.memory.results import Change
from memtui.tui.graph import wording
from memtui.tui.memory.memory_actions import MemoryScreen
from memtui.tui.memory.selection import writes
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


def relation_spec(edge: Edge) -> RelationSpec:
    """Return what identifies an edge among several of its kind between the same two memories."""
    return RelationSpec(edge.kind, edge.strength, edge.context, edge.body, edge.origin is Origin.LOCAL)


class HighlightedNode:
    """The highlighted node as a list of at most one memory, for the keys that act on lists."""

    def __init__(self, screen: RelationScreen) -> None:
        self._screen = screen

    @property
    def marks(self) -> set[int]:
        """No memories: the graph has no marks."""
        return set()

    @property
    def highlighted(self) -> int | None:
        """The highlighted memory; None if the node is a name of several memories, or of none."""
        node = self._screen.node
        return node.id if node is not None and node.count == 1 else None

    @property
    def below(self) -> list[int]:
        """No memories: the graph has no headings."""
        return []

    @property
    def ids(self) -> Sequence[int]:
        """The highlighted memory as a list."""
        return [self.highlighted] if self.highlighted is not None else []

    @property
    def answers(self) -> Sequence[int]:
        """The same: nothing is listed that was not asked for."""
        return self.ids

    def row(self, id: int) -> MemoryRow | None:
        """Return None: only the node of a memory is known here."""
        return None

    def advance(self) -> None:
        """Do nothing: the graph is drawn again with the same highlight."""

    def toggle_mark(self) -> None:
        """Do nothing: the graph has no marks."""

    def mark(self, ids: set[int]) -> None:
        """Do nothing: the graph has no marks."""


class RelationScreen(MemoryScreen):
    """Adds, changes and removes relations, in the store or in memtui; all of it can be undone."""

    @property
    def node(self) -> Node | None:
        """The highlighted node."""
        raise NotImplementedError

    @property
    def edge(self) -> Edge | None:
        """The highlighted relation; None on the center."""
        raise NotImplementedError

    @property
    def start(self) -> Node | None:
        """The node that the highlighted relation is shown from."""
        raise NotImplementedError

    def nothing_to(self, verb: str) -> str:
        node = self.node
        return self.no_memory() if node is not None and node.id is not None else super().nothing_to(verb)

    def no_memory(self) -> str:
        node = self.node
        if node is None:
            return wording.NONE_SELECTED
        if node.id is None:
            return wording.no_memory_under(one_line(node.label, 40))
        label, on_relation = one_line(node.label, 40), self.edge is not None
        return wording.several_memories(label, node.count, on_relation=on_relation)

    def blocked_reason(self, id: str) -> str:
        if id in ("relation.change", "relation.remove"):
            return self._unchangeable_reason()
        return super().blocked_reason(id)

    def _unchangeable_reason(self) -> str:
        """Return why the highlighted relation cannot be changed, or ""."""
        edge = self.edge
        if edge is None:
            return wording.NO_RELATION_HIGHLIGHTED
        if self.app.read_only:
            return wording.READ_ONLY
        if edge.origin is Origin.SIMILAR:
            return wording.ONLY_NEAR
        if edge.origin is Origin.SCAN:
            return wording.ONLY_FOUND
        if edge.origin is Origin.FIELD:
            return wording.ONLY_FIELD
        return ""

    def _changeable_relation(self) -> tuple[Workspace, Edge, Node] | None:
        """Return the relation that a key may change, else None after a message."""
        workspace = self.app.ready_workspace()
        if workspace is None:
            return None
        if reason := self._unchangeable_reason():
            hint = ""
            if self.edge is not None and self.edge.origin is Origin.SCAN and not self.app.read_only:
                hint = wording.opens_review(self.app.key("memory.pairs"))
            elif self.edge is None and self.node is not None:
                hint = wording.lead_to_relations(self.app.key("graph.left"), self.app.key("graph.right"))
            self.app.show_status(wording.not_changed(reason), tone="error", hint=hint)
            return None
        assert self.edge is not None
        assert self.start is not None
        return workspace, self.edge, self.start

    def action_remove_relation(self) -> None:
        if (relation := self._changeable_relation()) is None:
            return
        workspace, edge, start = relation
        source, target = edge.ends
        current = relation_spec(edge)
        if source is not None and target is not None and source != target:
            self.app.run_change(partial(workspace.unrelate, source, edge.kind, target, was=current))
        elif (memory := source if source is not None else target) is not None:
            # The other end is only a name, or the same memory.
            name = (edge.node if start.id is not None else start).key.name
            out = source is not None
            self.app.run_change(partial(workspace.unrelate, memory, edge.kind, name, out=out, was=current))
        else:
            self.app.show_status(wording.not_changed(wording.NO_END_IS_MEMORY), tone="error")

    @worker(wording.RELATION_UNREADABLE, group="relate")
    async def action_change_relation(self) -> None:
        if (relation := self._changeable_relation()) is None:
            return
        workspace, edge, start = relation
        if edge.ends[0] is None or edge.ends[1] is None or edge.ends[0] == edge.ends[1]:
            reason = wording.ONE_END_NO_MEMORY if None in edge.ends else wording.LEADS_TO_ITSELF
            hint = wording.removes_it(self.app.key("relation.remove"))
            self.app.show_status(wording.not_changed(reason), tone="error", hint=hint)
            return
        from memtui.tui.graph.relation_dialog import RelationDialog

        names = (start.label, edge.node.label) if edge.out else (edge.node.label, start.label)
        self.app.push_screen(
            RelationDialog(workspace, edge, names, relation_spec(edge)), self._announce_change
        )

    async def _announce_change(self, change: Change | None) -> None:
        if change is not None:
            await self.app.announce(change)

    @writes
    def action_relate_here(self) -> None:
        """Relate the highlighted memory to one to be found; an entity is represented by its first memory."""
        workspace, node = self.app.ready_workspace(), self.node
        if workspace is None:
            return
        if node is None or node.id is None:
            self.app.show_status(self.nothing_to("relate"), tone="error")
            return
        from memtui.tui.memory.relate_dialog import RelateDialog

        self.app.push_screen(RelateDialog(workspace, node.id, node.label), self._edited)
