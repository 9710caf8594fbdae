"""Walking from memory to memory, with a trail of those visited (SPEC 9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memtui.memory.graph.model import Neighborhood, Node, NodeKey, Origin
from memtui.tui.common.virtual_list import Part
from memtui.tui.graph import wording
from memtui.tui.graph.canvas import RelationGraph
from memtui.tui.graph.clusters import ClusterScreen
from memtui.tui.graph.layout import RIGHT, Cursor
from memtui.tui.graph.relation_list import RelationList
from memtui.tui.workers.guarded import worker

MAX_TRAIL = 200  # steps kept
DRAWN, LISTED, CLUSTERS = "drawn", "as-list", "whole"  # views; the values are CSS classes


@dataclass(frozen=True, slots=True)
class Target:
    """Where to go: a `key`, or a memory by its row `id`.

    `cursor` is what to highlight there and `trail` the trail to have then. `from_clusters` tells whether the
    walk starts at the clusters, None if that does not change. `on_drawn` is called when it is on the screen.
    """

    key: NodeKey | None = None
    id: int | None = None
    cursor: Cursor | None = None
    trail: tuple[Step, ...] = ()
    from_clusters: bool | None = None
    on_drawn: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the trail: a node, its label, and what was highlighted there."""

    key: NodeKey
    label: str
    cursor: Cursor


class NavigationScreen(ClusterScreen):
    """Keeps the current neighborhood on the screen until the next one is read; the last request wins."""

    graph: RelationGraph
    listed: RelationList

    def __init__(self) -> None:
        super().__init__()
        self._trail: list[Step] = []
        self._hops, self._near = 1, False
        self._hidden: set[str] = set()
        self._view = CLUSTERS
        self._target: Target | None = None
        self._from_clusters = False  # the walk started at the clusters
        self._initial = True  # nothing has been shown, and no memory was chosen

    @property
    def neighborhood(self) -> Neighborhood | None:
        """The neighborhood on the screen; None while the clusters are shown."""
        return self.graph.neighborhood if self._view != CLUSTERS else None

    def set_view(self, view: str) -> None:
        """Show the drawing, the list, or the clusters."""
        raise NotImplementedError

    def content_changed(self) -> None:
        """Update titles and text after what is shown or highlighted has changed."""
        raise NotImplementedError

    def open(self, node: Node) -> None:
        """Show everything about the memory in the center."""
        raise NotImplementedError

    def show_memory(self, id: int) -> None:
        """Start at a memory, as another screen asks."""
        self._go_to(Target(id=id, from_clusters=False))

    def _go_to(self, target: Target) -> None:
        """Go to a target; a later call replaces one that is not on the screen yet."""
        self._target, self._initial = target, False
        self._load_target()

    @worker(wording.GRAPH_UNREADABLE, group="graph")
    async def _load_target(self) -> None:
        workspace, target = self.app.workspace, self._target
        if workspace is None or target is None:
            return
        hops, near = self._hops, self._near

        def read() -> Neighborhood | None:
            key = target.key or (workspace.node_key(target.id) if target.id is not None else None)
            return workspace.neighborhood(key, hops=hops, near=near) if key is not None else None

        try:
            found = await self.read(read)
        except Exception:
            self._target = None
            raise
        if self._target is not target:
            return  # replaced by a later target
        self._target = None
        if found is None:
            message = wording.MEMORY_GONE if target.id is not None else wording.SPOT_GONE
            self.app.show_status(message, tone="error")
            return
        self._trail = list(target.trail)
        if target.from_clusters is not None:
            self._from_clusters = target.from_clusters
        self.graph.show(found, self._hidden, cursor=target.cursor)
        self.listed.show(found, self._hidden)
        self.graph.empty_lines = self._no_relations()
        if self._view == CLUSTERS:
            self.set_view(DRAWN)
        self.content_changed()
        if target.on_drawn is not None:
            target.on_drawn()

    def _no_relations(self) -> list[Part]:
        key = self.app.key
        near = "" if self._near else wording.near_key(key("graph.near"))
        return [
            (wording.NO_RELATIONS, "plain"),
            (wording.relate_it(key("memory.relate")), "quiet"),
            (near + wording.best_connected(key("graph.whole")), "quiet"),
        ]

    def load(self) -> None:
        """Read what is on the screen again, or the pending target; the cursor stays on its line."""
        if self.app.workspace is None:
            return
        if self._target is not None:
            self._load_target()
        elif self._view == CLUSTERS:
            if not self._up_to_date:
                self._recount()
        elif self.graph.neighborhood is not None:
            self._reread()

    def _reread(self, on_drawn: Callable[[], object] | None = None) -> None:
        if self.graph.neighborhood is not None:
            key = self.graph.neighborhood.center.key
            self._go_to(Target(key, cursor=self.graph.cursor, trail=tuple(self._trail), on_drawn=on_drawn))

    def action_walk(self) -> None:
        """Walk to what is highlighted; on the center, show the whole memory."""
        node = self.node
        if node is None:
            is_counting = self._view == CLUSTERS and self._cancel_count is not None
            self.app.show_status(wording.STILL_COUNTING if is_counting else wording.NOTHING_SELECTED)
        elif self._view == CLUSTERS:
            self._go_to(Target(node.key, from_clusters=True))
        elif self.edge is None:
            self.open(node)
        elif self.neighborhood is not None and node.key == self.neighborhood.center.key:
            self.app.show_status(wording.LEADS_BACK)
        else:
            side = self.graph.cursor.side if self._view == DRAWN else RIGHT
            self._go_to(Target(node.key, cursor=Cursor(side, 0), trail=self._extended_trail()))

    def _extended_trail(self) -> tuple[Step, ...]:
        if self.neighborhood is None:
            return ()
        center = self.neighborhood.center
        return (*self._trail[-MAX_TRAIL:], Step(center.key, center.label, self.graph.cursor))

    def action_back_along(self) -> None:
        """One step back along the trail."""
        if self._view == CLUSTERS:
            self.app.show_status(wording.AT_CLUSTERS)
        elif not self._trail:
            self.app.show_status(
                wording.TRAIL_START, hint=wording.shows_clusters(self.app.key("graph.whole"))
            )
        else:
            *trail, step = self._trail
            self._go_to(Target(step.key, cursor=step.cursor, trail=tuple(trail)))

    def action_hops(self) -> None:
        """Switch between one hop and two."""
        if self._view == CLUSTERS:
            self.app.show_status(wording.OPEN_CLUSTER_FIRST)
            return
        self._hops = 3 - self._hops
        if self._view == LISTED:
            self.set_view(DRAWN)
        self._reread()
        self.app.show_status(wording.TWO_HOPS if self._hops == 2 else wording.ONE_HOP)

    def action_near(self) -> None:
        """Show or hide what is near in meaning."""
        if self._view == CLUSTERS:
            self.app.show_status(wording.OPEN_CLUSTER_FIRST)
            return
        self._near = not self._near
        self._reread(self._announce_near)

    @worker(wording.GRAPH_UNREADABLE, group="near")
    async def _announce_near(self) -> None:
        workspace, neighborhood = self.app.workspace, self.neighborhood
        if workspace is None or neighborhood is None:
            return
        if not self._near:
            self.app.show_status(wording.NEAR_HIDDEN)
        elif count := sum(edge.origin is Origin.SIMILAR for edge in neighborhood.edges):
            self.app.show_status(wording.near_shown(count), tone="done")
        else:
            state = await self.read(workspace.embedding_state)
            pending = wording.not_embedded(state.pending) if state.pending else ""
            self.app.show_status(wording.NOTHING_NEAR, hint=state.error or pending)

    def action_find(self) -> None:
        """Walk to a memory found by words."""
        from memtui.tui.graph.find_dialog import FindDialog

        if workspace := self.app.ready_workspace():
            self.app.push_screen(FindDialog(workspace, wording.GO_TO_MEMORY), self._go_to_found)

    def _go_to_found(self, node: Node | None) -> None:
        if node is not None:
            from_clusters = True if self._view == CLUSTERS else None
            self._go_to(Target(node.key, trail=self._extended_trail(), from_clusters=from_clusters))
