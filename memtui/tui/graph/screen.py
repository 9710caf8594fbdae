"""The Graph screen: the relations of one memory, and the whole graph as clusters (SPEC 9)."""

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
from memtui.paths import data_folder
from memtui.text import is_clean, safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.text_pane import TextPane
from memtui.tui.graph import relation_text, wording
from memtui.tui.graph.canvas import RelationGraph
from memtui.tui.graph.cluster_list import ClusterList, column_headings, overview_text
from memtui.tui.graph.layout import LEFT, RIGHT
from memtui.tui.graph.navigation import CLUSTERS, DRAWN, LISTED, NavigationScreen, Target
from memtui.tui.graph.relation_keys import HighlightedNode
from memtui.tui.graph.relation_list import RelationList
from memtui.tui.memory.detail.detail_pane import DetailPane
from memtui.tui.messages import Opened
from memtui.tui.stores.actions import query_for
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import HEALTH

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

MAX_OBSERVATIONS = 50  # of an entity, shown at once


class GraphScreen(NavigationScreen):
    """Shows a memory in the center of its relations; ⏎ walks to the highlighted one, ⌫ back."""

    MODE = names.GRAPH
    CSS_PATH = data_folder("styles") / "graph.tcss"
    BINDINGS = command_table.bindings(names.GRAPH)

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
        self.about.border_title = Content(wording.SELECTED)
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
        """The pane of the current view."""
        return {DRAWN: self.graph, LISTED: self.listed, CLUSTERS: self.clusters}[self._view]

    # What is highlighted

    @property
    def edge(self) -> Edge | None:
        """The highlighted relation."""
        if self._view == LISTED:
            return self.listed.highlighted
        line = self.graph.highlighted if self._view == DRAWN else None
        return line.edge if line is not None else None

    @property
    def start(self) -> Node | None:
        """The node that the highlighted relation is shown from: the center, or a neighbor with two hops."""
        line = self.graph.highlighted if self._view == DRAWN else None
        if line is not None and line.via is not None:
            return line.via.node
        return self.neighborhood.center if self.neighborhood is not None else None

    @property
    def node(self) -> Node | None:
        """The highlighted node."""
        if self._view == CLUSTERS:
            return self.clusters.hub
        edge = self.edge
        return (
            edge.node
            if edge is not None
            else self.neighborhood.center
            if self.neighborhood is not None
            else None
        )

    def clusters_changed(self) -> None:
        if self._view == CLUSTERS:
            self.content_changed()
        if self._initial and (hub := self.clusters.hub) is not None:
            # No memory was chosen: start at the most connected one.
            self._go_to(Target(hub.key, from_clusters=False))
        self._initial = False

    def content_changed(self) -> None:
        self.update_titles()
        self.load_text()

    @worker(wording.MEMORY_UNREADABLE, group="detail")
    async def load_text(self) -> None:
        """Read and show the highlighted memory and its relation."""
        await self.reload_visited()
        workspace, node, edge, start = self.app.workspace, self.node, self.edge, self.start
        if workspace is None or node is None:
            self.about.show(Content(""), keep_place=False)
            self.view.show_detail(None)
            return
        detail, others = await self.read(_read, workspace, node)
        if node is not self.node:
            return  # replaced by a later request
        if self.visited is None:
            self.view.show_detail(detail)
        now, review = self.app.clock(), self.app.key("memory.pairs")
        if edge is not None and start is not None:
            width = self.about.size.width
            text = relation_text.edge_text(edge, start, detail, others, now, review, width)
        else:
            text = relation_text.node_text(node, detail, others, now, named=self._view == CLUSTERS)
        self.about.show(text, keep_place=False)
        self.update_titles()

    # Views and titles

    def set_view(self, view: str) -> None:
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
            count, left_out = self.clusters.count, found.omitted if found is not None else 0
            position = wording.cluster_position(self.clusters.cursor + 1, count, left_out) if count else ""
            query = safe_text(self._query, one_line=True, limit=40)
            self.clusters.set_title(wording.clusters_title(query), Content(position))
            legend.update(Content(f" {overview_text(found)}" if found is not None else ""))
            return
        neighborhood = self.graph.neighborhood
        if neighborhood is None:
            return
        labels = [*(step.label for step in self._trail), neighborhood.center.label]
        shown = sum(edge.kind not in self._hidden for edge in neighborhood.edges)
        hidden = len({edge.kind for edge in neighborhood.edges} & self._hidden)
        subtitle = relation_text.counts_text(neighborhood, shown, self._hops, hidden)
        if self._view == LISTED and self.listed.count:
            subtitle = f"{wording.position(self.listed.cursor + 1, self.listed.count)} · {subtitle}"
        for pane in (self.graph, self.listed):
            pane.border_title = Content(relation_text.trail_text(labels, width - 4))
            pane.border_subtitle = Content(subtitle)
        legend.update(relation_text.legend(neighborhood, width))

    # Messages

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
            self.app.show_status(wording.NO_MEMORY_UNDER_NAME, tone="error")
        elif node.count > 1:
            self._list_in_browse(node)
        else:
            self.set_full_screen(True)
            self.view.set_compact(False)
            self.load_text()
            self.view.focus()

    def _list_in_browse(self, node: Node) -> None:
        """Search for all memories of one name; characters that a query cannot contain become stars."""
        name = "".join(c if c != '"' and is_clean(c) and c not in "\n\t" else "*" for c in node.key.name)
        query = f'{query_for(node.store)} subject:"{name}"'
        self.app.start_work("go", self.app.browse, query)

    @property
    def text_beside(self) -> TextPane | None:
        return super().text_beside or (self.about if self.about.display else None)

    def action_back_along(self) -> None:
        """Go back to where a link was followed in the full text, else along the trail."""
        if self.has_class("full"):
            self.action_detail_back()
        else:
            super().action_back_along()

    def action_left(self) -> None:
        self._move_sideways(LEFT, wording.NOTHING_ON_LEFT)

    def action_right(self) -> None:
        self._move_sideways(RIGHT, wording.NOTHING_ON_RIGHT)

    def _move_sideways(self, side: str, if_nothing: str) -> None:
        if self._view == DRAWN and self.graph.has_focus:
            if not self.graph.move_sideways(side) and self.graph.cursor.side != side:
                self.app.show_status(if_nothing)
        elif self._view == LISTED:
            self.app.show_status(wording.LIST_HAS_NO_SIDES)

    def action_list(self) -> None:
        """Switch between the drawing and the list."""
        if self._view == CLUSTERS:
            self.app.show_status(wording.CLUSTERS_ARE_A_LIST)
            return
        if self._view == DRAWN:
            line = self.graph.highlighted
            self.set_view(LISTED)
            if line is not None and line.edge in self.listed.edges:
                self.listed.move_to(self.listed.edges.index(line.edge))
        else:
            edge = self.listed.highlighted
            self.set_view(DRAWN)
            if edge is not None and (cursor := self.graph.cursor_of(edge)) is not None:
                self.graph.move_to(cursor)
        self.content_changed()

    def action_kinds(self) -> None:
        """Choose the kinds shown; for the clusters, the memories counted."""
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        if self._view == CLUSTERS:
            from memtui.tui.browse.filter_dialog import FilterDialog

            self.app.push_screen(FilterDialog(workspace, self._query), self._count_filtered)
            return
        if self.neighborhood is None or not self.neighborhood.edges:
            self.app.show_status(wording.NOTHING_TO_FILTER)
            return
        from memtui.tui.common.kinds_dialog import KindsDialog

        kinds = relation_text.kind_rows(self.neighborhood)
        dialog = KindsDialog(wording.FILTER_RELATIONS, kinds, self._hidden)
        self.app.push_screen(dialog, self._hide_kinds)

    def _count_filtered(self, answer: tuple[str, str | None] | None) -> None:
        if answer is not None and answer[0] != self._query:
            self._count_search(answer[0])

    def _hide_kinds(self, hidden: set[str] | None) -> None:
        if hidden is not None and self.neighborhood is not None:
            self._hidden = hidden
            self.graph.show(self.neighborhood, hidden)
            self.listed.show(self.neighborhood, hidden)
            self.content_changed()

    def action_whole(self) -> None:
        """Show the clusters."""
        self._target = None
        self.set_view(CLUSTERS)
        self.content_changed()
        self.load()

    def action_back(self) -> None:
        """Leave the full text, else go back along the trail, to the clusters, or to the previous screen."""
        if self.has_class("full"):
            self.set_full_screen(False)
            self._main.focus()
        elif self._view == CLUSTERS:
            if self._query:
                self._count_search("")
            elif self.app.previous_mode != names.GRAPH:
                self.app.switch_mode(self.app.previous_mode)
        elif self._view == LISTED:
            self.action_list()
        elif self._trail:
            self.action_back_along()
        elif self._from_clusters:
            self.action_whole()
        elif self.app.previous_mode not in (names.GRAPH, ""):
            self.app.switch_mode(self.app.previous_mode)


def _read(workspace: Workspace, node: Node) -> tuple[Detail | None, list[str]]:
    """Return the memory of a node, and the texts of all memories of an entity."""
    if node.id is None:
        return None, []
    return workspace.detail(node.id), workspace.texts_of(node.key, MAX_OBSERVATIONS) if node.count > 1 else []
