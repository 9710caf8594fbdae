"""Graph: who is tied to a memory, walked from one to the next; and the whole in clusters (SPEC 9)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.memory.detail import Detail
from memtui.memory.graph.model import Edge, Node
from memtui.memory.results import Change
from memtui.paths import shipped
from memtui.text import is_clean, safe_text
from memtui.tui import command_table
from memtui.tui.common.text_pane import TextPane
from memtui.tui.graph import relation_text
from memtui.tui.graph.canvas import RelationGraph
from memtui.tui.graph.cluster_list import ClusterList, column_headings, overview_text
from memtui.tui.graph.layout import LEFT, RIGHT
from memtui.tui.graph.navigation import DRAWN, LISTED, CLUSTERS, NavigationScreen, Target
from memtui.tui.graph.relation_keys import HighlightedNode
from memtui.tui.graph.relation_list import RelationList
from memtui.tui.memory.detail_pane import DetailPane
from memtui.tui.messages import Opened
from memtui.tui.stores.actions import query_for
from memtui.tui.text.glyphs import grouped
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import HEALTH

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

MANY = 50  # observations of an entity that are told


class GraphScreen(NavigationScreen):
    """The middle is where one stands; ⏎ walks to what is highlighted, ⌫ back."""

    MODE = command_table.GRAPH
    CSS_PATH = shipped("styles") / "graph.tcss"
    BINDINGS = command_table.bindings(command_table.GRAPH)

    def __init__(self) -> None:
        super().__init__()
        self.memories = HighlightedNode(self)

    def body(self) -> Iterable[Widget]:
        yield Container(
            Static(id="heads"),
            ClusterList(id="overview"),
            RelationGraph(id="list"),
            RelationList(id="edges"),
            TextPane(id="about"),
            DetailPane(self.app.clock, id="detail"),
            Static(id="legend"),
            id="panes",
        )

    def on_mount(self) -> None:
        super().on_mount()
        self.graph = self.query_one(RelationGraph)
        self.listed = self.query_one(RelationList)
        self.clusters = self.query_one(ClusterList)
        self.view = self.query_one(DetailPane)
        self.about = self.query_one("#about", TextPane)
        self.about.border_title = Content("What is highlighted")
        self.clusters.empty_lines = self.opening_lines()
        self.set_view(self._view)
        self.watch(self.app, "workspace", self._opened)

    def _opened(self) -> None:
        if self.app.workspace is not None:
            self.load()

    def on_screen_resume(self) -> None:
        self.load()

    def on_resize(self) -> None:
        self.call_after_refresh(self.update_titles)

    @property
    def active_pane(self) -> Widget:
        panes: list[Widget] = [self._main, self.about, self.view]
        return next((pane for pane in panes if pane.has_focus), panes[0])

    @property
    def _main(self) -> Widget:
        """The pane that shows the graph now."""
        return {DRAWN: self.graph, LISTED: self.listed, CLUSTERS: self.clusters}[self._view]

    # What is highlighted

    @property
    def edge(self) -> Edge | None:
        """The highlighted relation."""
        if self._view == LISTED:
            return self.listed.highlighted
        line = self.graph.line if self._view == DRAWN else None
        return line.edge if line is not None else None

    @property
    def start(self) -> Node | None:
        """Where the highlighted relation is told from: the middle, or a neighbour with two hops."""
        line = self.graph.line if self._view == DRAWN else None
        if line is not None and line.via is not None:
            return line.via.node
        return self.around.centre if self.around is not None else None

    @property
    def node(self) -> Node | None:
        """What is highlighted itself."""
        if self._view == CLUSTERS:
            return self.clusters.hub
        edge = self.edge
        return edge.node if edge is not None else self.around.centre if self.around is not None else None

    def clusters_changed(self) -> None:
        if self._view == CLUSTERS:
            self.content_changed()
        if self._initial and (hub := self.clusters.hub) is not None:
            self._go_to(Target(hub.spot, from_clusters=False))  # nobody chose: where most is tied together
        self._initial = False

    def content_changed(self) -> None:
        self.update_titles()
        self.load_text()

    @worker("The memory could not be read", group="detail")
    async def load_text(self) -> None:
        """Read the highlighted memory, and tell how it is tied."""
        workspace, node, edge, start = self.app.workspace, self.node, self.edge, self.start
        if workspace is None or node is None:
            self.about.show(Content(""), keep_place=False)
            self.view.show_detail(None)
            return
        detail, others = await self.read(_read, workspace, node)
        if node is not self.node:
            return  # another one is wanted by now, and comes
        self.view.show_detail(detail)
        now, review = self.app.clock(), self.app.key("memory.pairs")
        if edge is not None and start is not None:
            width = self.about.size.width
            text = relation_text.edge_text(edge, start, detail, others, now, review, width)
        else:
            text = relation_text.node_text(node, detail, others, now, named=self._view == CLUSTERS)
        self.about.show(text, keep_place=False)
        self.update_titles()

    # What is shown how

    def set_view(self, view: str) -> None:
        """Drawn, as a list, or the whole in clusters."""
        self._view = view
        for name in (DRAWN, LISTED, CLUSTERS):
            self.set_class(view == name, f"-{name}")
        self.query_one("#heads").display = view == CLUSTERS
        if not self.has_class("full"):
            self._main.focus()

    def update_titles(self) -> None:
        width = max(20, self.size.width - 4)
        legend = self.query_one("#legend", Static)
        if self._view == CLUSTERS:
            found = self.clusters.overview
            self.query_one("#heads", Static).update(Content(column_headings(width)))
            of = f"of “{safe_text(self._query, one_line=True, limit=40)}”" if self._query else ""
            place = f"{grouped(self.clusters.cursor + 1)} of {grouped(self.clusters.count)}"
            more = f", {grouped(found.more)} small ones left out" if found is not None and found.more else ""
            self.clusters.set_title(
                f"Clusters {of}".rstrip(), Content(f"{place}{more}" if self.clusters.count else "")
            )
            legend.update(Content(f" {overview_text(found)}" if found is not None else ""))
            return
        around = self.graph.around
        if around is None:
            return
        labels = [*(step.label for step in self._trail), around.centre.label]
        shown = sum(edge.kind not in self._hidden for edge in around.edges)
        hidden = len({edge.kind for edge in around.edges} & self._hidden)
        subtitle = relation_text.counts_text(around, shown, self._hops, hidden)
        if self._view == LISTED and self.listed.count:
            subtitle = f"{grouped(self.listed.cursor + 1)} of {grouped(self.listed.count)} · {subtitle}"
        for pane in (self.graph, self.listed):
            pane.border_title = Content(relation_text.trail_text(labels, width - 4))
            pane.border_subtitle = Content(subtitle)
        legend.update(relation_text.legend(around, width))

    # News

    def on_change(self, change: Change) -> None:
        if change.kind == HEALTH:
            return
        self._up_to_date = False
        if self.app.screen is self or self.app.screen.is_modal:
            self.load()

    def on_opened(self, message: Opened) -> None:
        self.action_walk()

    # Keys

    def open(self, node: Node) -> None:
        if node.id is None:
            self.app.show_status("No memory stands under this name.", tone="wrong")
        elif node.count > 1:
            self._list_in_browse(node)
        else:
            self.set_full_screen(True)
            self.view.fold(False)
            self.load_text()
            self.view.focus()

    def _list_in_browse(self, node: Node) -> None:
        """All memories of one name, where each can be corrected. What cannot stand in a search is a star
        there."""
        named = "".join(c if c != '"' and is_clean(c) and c not in "\n\t" else "*" for c in node.spot.name)
        query = f'{query_for(node.store)} subject:"{named}"'
        self.app.run_worker(self.app.browse(query), group="go")

    def action_left(self) -> None:
        self._sideways(LEFT, "Nothing leads here.")

    def action_right(self) -> None:
        self._sideways(RIGHT, "It leads to nothing.")

    def _sideways(self, side: str, nothing: str) -> None:
        if self._view == DRAWN and self.graph.has_focus:
            if not self.graph.move_sideways(side) and self.graph.cursor.side != side:
                self.app.show_status(nothing)
        elif self._view == LISTED:
            self.app.show_status("A list has no sides: → leads away, ← leads here.")

    def action_list(self) -> None:
        """Drawn, or as a list of the same."""
        if self._view == CLUSTERS:
            self.app.show_status("Clusters are a list already; ⏎ walks in.")
            return
        if self._view == DRAWN:
            line = self.graph.line
            self.set_view(LISTED)
            if line is not None and line.edge in self.listed.edges:
                self.listed.move_to(self.listed.edges.index(line.edge))
        else:
            edge = self.listed.highlighted
            self.set_view(DRAWN)
            if edge is not None and (place := self.graph.cursor_of(edge)) is not None:
                self.graph.move_to(place)
        self.content_changed()

    def action_kinds(self) -> None:
        """Which kinds are shown; of the clusters, of which memories."""
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        if self._view == CLUSTERS:
            from memtui.tui.browse.filter_dialog import FilterDialog

            self.app.push_screen(FilterDialog(workspace, self._query), self._of_these)
            return
        if self.around is None or not self.around.edges:
            self.app.show_status("Nothing to filter: nothing is tied to it.")
            return
        from memtui.tui.graph.kinds_dialog import KindsDialog

        self.app.push_screen(KindsDialog(relation_text.kind_counts(self.around), self._hidden), self._hide)

    def _of_these(self, answer: tuple[str, str | None] | None) -> None:
        if answer is not None and answer[0] != self._query:
            self._count_search(answer[0])

    def _hide(self, hidden: set[str] | None) -> None:
        if hidden is not None and self.around is not None:
            self._hidden = hidden
            self.graph.show(self.around, hidden)
            self.listed.show(self.around, hidden)
            self.content_changed()

    def action_whole(self) -> None:
        """The clusters."""
        self._target = None
        self.set_view(CLUSTERS)
        self.content_changed()
        self.load()

    def action_back(self) -> None:
        """One step: out of the text, back along the trail, to the clusters, to the screen before."""
        if self.has_class("full"):
            self.set_full_screen(False)
            self._main.focus()
        elif self._view == CLUSTERS:
            if self._query:
                self._count_search("")
            elif self.app.previous_mode != command_table.GRAPH:
                self.app.switch_mode(self.app.previous_mode)
        elif self._view == LISTED:
            self.action_list()
        elif self._trail:
            self.action_back_along()
        elif self._from_clusters:
            self.action_whole()
        elif self.app.previous_mode not in (command_table.GRAPH, ""):
            self.app.switch_mode(self.app.previous_mode)


def _read(workspace: Workspace, node: Node) -> tuple[Detail | None, list[str]]:
    """The memory that stands for a node, and what all of that name say."""
    if node.id is None:
        return None, []
    return workspace.detail(node.id), workspace.said_at(node.spot, MANY) if node.count > 1 else []
