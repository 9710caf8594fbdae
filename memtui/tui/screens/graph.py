"""Graph: who is tied to a memory, walked from one to the next; and the whole in clusters (SPEC 9)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.memory.graph import Around, Edge, Node, Origin, Overview, Spot
from memtui.memory.records import Change, Detail, Row
from memtui.paths import shipped
from memtui.text import safe_text
from memtui.tui import commands
from memtui.tui.messages import Opened
from memtui.tui.news import HEALTH
from memtui.tui.screens.tying import Pointed, TyingScreen
from memtui.tui.widgets import relation_text as told
from memtui.tui.widgets.cluster_list import ClusterList, heads, whole
from memtui.tui.widgets.edge_list import EdgeList
from memtui.tui.widgets.glyphs import counted, grouped
from memtui.tui.widgets.graph_layout import LEFT, RIGHT, Cursor
from memtui.tui.widgets.line_list import Part
from memtui.tui.widgets.memory_view import MemoryView
from memtui.tui.widgets.relation_graph import RelationGraph
from memtui.tui.widgets.text_pane import TextPane
from memtui.tui.worker import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

LONGEST = 200  # steps of the trail
MANY = 50  # observations of an entity that are told
DRAWN, LISTED, WHOLE = "drawn", "as-list", "whole"  # what the screen shows


@dataclass(frozen=True, slots=True)
class Step:
    """Where one was: a spot, what it is called, and what was highlighted there."""

    spot: Spot
    label: str
    at: Cursor


class GraphScreen(TyingScreen):
    """The middle is where one stands; ⏎ walks to what is highlighted, ⌫ back."""

    MODE = commands.GRAPH
    CSS_PATH = shipped("styles") / "graph.tcss"
    BINDINGS = commands.bindings(commands.GRAPH)

    def __init__(self) -> None:
        super().__init__()
        self._trail: list[Step] = []
        self._hops, self._near = 1, False
        self._hidden: set[str] = set()
        self._shows = WHOLE
        self._query = ""  # of which memories the overview is
        self._wanted: tuple[Spot, Cursor | None] | None = None
        self._counting: threading.Event | None = None  # set: the overview is wanted no more
        self._counted = False  # the overview is as things are
        self.memories = Pointed(self)

    def body(self) -> Iterable[Widget]:
        yield Container(
            Static(id="heads"),
            ClusterList(id="overview"),
            RelationGraph(id="list"),
            EdgeList(id="edges"),
            TextPane(id="about"),
            MemoryView(self.app.clock, id="detail"),
            Static(id="legend"),
            id="panes",
        )

    def on_mount(self) -> None:
        super().on_mount()
        self.graph = self.query_one(RelationGraph)
        self.listed = self.query_one(EdgeList)
        self.clusters = self.query_one(ClusterList)
        self.view = self.query_one(MemoryView)
        self.about = self.query_one("#about", TextPane)
        self.about.border_title = Content("What is highlighted")
        self.clusters.empty = self.waiting()
        self._show_as(self._shows)
        self.watch(self.app, "workspace", self._opened)

    def _opened(self) -> None:
        if self.app.workspace is not None:
            self.load()

    def on_screen_resume(self) -> None:
        self.load()

    def on_resize(self) -> None:
        self.call_after_refresh(self.retitle)

    @property
    def pane_in_use(self) -> Widget:
        panes: list[Widget] = [self._main, self.about, self.view]
        return next((pane for pane in panes if pane.has_focus), panes[0])

    @property
    def _main(self) -> Widget:
        """The pane that shows the graph now."""
        return {DRAWN: self.graph, LISTED: self.listed, WHOLE: self.clusters}[self._shows]

    # What is highlighted

    @property
    def around(self) -> Around | None:
        """The neighbourhood that is on the screen."""
        return self.graph.around if self._shows != WHOLE else None

    @property
    def edge(self) -> Edge | None:
        """The highlighted relation."""
        if self._shows == LISTED:
            return self.listed.highlighted
        line = self.graph.line if self._shows == DRAWN else None
        return line.edge if line is not None else None

    @property
    def start(self) -> Node | None:
        """Where the highlighted relation is told from: the middle, or a neighbour with two hops."""
        line = self.graph.line if self._shows == DRAWN else None
        if line is not None and line.via is not None:
            return line.via.node
        return self.around.centre if self.around is not None else None

    @property
    def node(self) -> Node | None:
        """What is highlighted itself."""
        if self._shows == WHOLE:
            return self.clusters.hub
        edge = self.edge
        return edge.node if edge is not None else self.around.centre if self.around is not None else None

    # Walking

    def show_of(self, id: int) -> None:
        """Begin at a memory, asked for elsewhere."""
        self._begin(id)

    @worker("The graph could not be read", group="graph")
    async def _begin(self, id: int) -> None:
        workspace = self.app.workspace
        if workspace is None:
            return
        spot = await self.ask(workspace.spot, id)
        if spot is None:
            self.app.say("This memory is gone from the workspace.", tone="wrong")
            return
        self._trail = []
        await self._go(workspace, spot, None)

    def _walk(self, spot: Spot, at: Cursor | None) -> None:
        self._wanted = (spot, at)
        self._walk_there()

    @worker("The graph could not be read", group="graph")
    async def _walk_there(self) -> None:
        workspace, wanted = self.app.workspace, self._wanted
        if workspace is not None and wanted is not None:
            await self._go(workspace, *wanted)

    async def _go(self, workspace: Workspace, spot: Spot, at: Cursor | None) -> None:
        read = partial(workspace.around, spot, hops=self._hops, near=self._near)
        found = await self.ask(read)
        if found is None:
            self.app.say("Nothing stands there any more, and nothing leads there.", tone="wrong")
            return
        self.graph.show(found, self._hidden, at=at)
        self.listed.show(found, self._hidden)
        self.graph.empty = self._alone()
        if self._shows == WHOLE:
            self._show_as(DRAWN)
        self._stands()

    def _stands(self) -> None:
        self.retitle()
        self.load_text()

    def _alone(self) -> list[Part]:
        key = self.app.key
        lines: list[Part] = [("Nothing is tied to it.", "plain")]
        lines.append((f"{key('memory.relate')}  relate it to another memory", "quiet"))
        if not self._near:
            lines.append((f"{key('graph.near')}  show what is near in meaning", "quiet"))
        return lines

    def load(self) -> None:
        """Read again what is on the screen; the cursor stays on its line."""
        if self.app.workspace is None:
            return
        if self._shows == WHOLE:
            if not self._counted and self._counting is None:
                self._count()
        elif self.graph.around is not None:
            self._walk(self.graph.around.centre.spot, self.graph.at)

    @worker("The memory could not be read", group="detail")
    async def load_text(self) -> None:
        """Read the highlighted memory, and tell how it is tied."""
        workspace, node, edge, start = self.app.workspace, self.node, self.edge, self.start
        if workspace is None or node is None:
            self.about.show(Content(""), keep_place=False)
            self.view.show_detail(None)
            return
        detail, others = await self.ask(_read, workspace, node)
        if node is not self.node:
            return  # another one is wanted by now, and comes
        self.view.show_detail(detail)
        now, review = self.app.clock(), self.app.key("memory.pairs")
        if edge is not None and start is not None:
            width = self.about.size.width
            text = told.about_edge(edge, start, detail, others, now, review, width)
        else:
            text = told.about_node(node, detail, others, now)
        self.about.show(text, keep_place=False)
        self.retitle()

    # The whole

    @worker("The graph could not be counted", group="count")
    async def _count(self) -> None:
        workspace = self.app.workspace
        if workspace is None:
            return
        stop = self._counting = threading.Event()

        def far(part: float) -> None:
            with suppress(RuntimeError):  # the app has ended
                self.app.call_later(self._tell_far, stop, part)

        self._tell_far(stop, 0.0)
        found = await self.app.lane.look(_whole, workspace, self._query, far, stop.is_set)
        if found is None or self._counting is not stop:
            return
        self._counting, self._counted = None, True
        self.clusters.empty = self._nothing(found)
        self.clusters.show(found)
        self._stands()

    def _tell_far(self, stop: threading.Event, part: float) -> None:
        if self._counting is not stop:
            return
        if not self.clusters.count:
            self.clusters.empty = [(f"Looking how all hangs together … {part:.0%}", "quiet")]
            self.clusters.refresh()
        self.clusters.title("Clusters", Content(f"counting {part:.0%}"))

    def _nothing(self, found: Overview) -> list[Part]:
        key = self.app.key
        if not found.nodes:
            return [("No memories yet, so nothing is tied to anything." if not self._query else
                     "No memory matches this search.", "plain")]  # fmt: skip
        return [
            (f"None of {counted(found.nodes, 'memory')} is tied to another one.", "plain"),
            ("", "plain"),
            (f"{key('graph.find')}  choose a memory, {key('memory.relate')} relates it", "quiet"),
            (f"{key('graph.near')}  there shows what is near in meaning", "quiet"),
        ]

    # What is shown how

    def _show_as(self, shows: str) -> None:
        """Drawn, as a list, or the whole in clusters."""
        self._shows = shows
        for name in (DRAWN, LISTED, WHOLE):
            self.set_class(shows == name, f"-{name}")
        self.query_one("#heads").display = shows == WHOLE
        if not self.has_class("full"):
            self._main.focus()

    def retitle(self) -> None:
        width = max(20, self.size.width - 4)
        legend = self.query_one("#legend", Static)
        if self._shows == WHOLE:
            found = self.clusters.overview
            self.query_one("#heads", Static).update(Content(heads(width)))
            of = f"of “{safe_text(self._query, one_line=True, limit=40)}”" if self._query else ""
            place = f"{grouped(self.clusters.cursor + 1)} of {grouped(self.clusters.count)}"
            more = f", {grouped(found.more)} small ones left out" if found is not None and found.more else ""
            self.clusters.title(
                f"Clusters {of}".rstrip(), Content(f"{place}{more}" if self.clusters.count else "")
            )
            legend.update(Content(f" {whole(found)}" if found is not None else ""))
            return
        around = self.graph.around
        if around is None:
            return
        labels = [*(step.label for step in self._trail), around.centre.label]
        shown = sum(edge.kind not in self._hidden for edge in around.edges)
        hidden = len({edge.kind for edge in around.edges} & self._hidden)
        subtitle = told.counts(around, shown, self._hops, hidden)
        if self._shows == LISTED and self.listed.count:
            subtitle = f"{grouped(self.listed.cursor + 1)} of {grouped(self.listed.count)} · {subtitle}"
        for pane in (self.graph, self.listed):
            pane.border_title = Content(told.trail_of(labels, width - 4))
            pane.border_subtitle = Content(subtitle)
        legend.update(told.legend(around, width))

    # News

    def on_change(self, change: Change) -> None:
        if change.kind == HEALTH:
            return
        self._counted = False
        if self._counting is not None:
            self._counting.set()
            self._counting = None
        if self.app.screen is self or self.app.screen.is_modal:
            self.load()

    def on_opened(self, message: Opened) -> None:
        self.action_walk()

    # Keys

    def action_walk(self) -> None:
        """To what is highlighted; from the middle, all of that memory."""
        node = self.node
        if node is None:
            self.app.say("Nothing to walk to: nothing is shown.")
        elif self._shows == WHOLE:
            self._trail = []
            self._walk(node.spot, None)
        elif self.edge is None:
            self._open(node)
        elif self.around is not None and node.spot == self.around.centre.spot:
            self.app.say("This relation leads back to where you are.")
        else:
            self._remember()
            side = self.graph.at.side if self._shows == DRAWN else RIGHT
            self._walk(node.spot, Cursor(side, 0))

    def _remember(self) -> None:
        if self.around is not None:
            centre = self.around.centre
            self._trail = [*self._trail[-LONGEST:], Step(centre.spot, centre.label, self.graph.at)]

    def _open(self, node: Node) -> None:
        if node.id is None:
            self.app.say("No memory stands under this name.", tone="wrong")
        elif node.count > 1:
            self._list_in_browse(node)
        else:
            self.set_full(True)
            self.view.fold(False)
            self.load_text()
            self.view.focus()

    def _list_in_browse(self, node: Node) -> None:
        """All memories of one name, where each can be corrected."""
        store = f'store:"{node.store}"'
        query = f'{store} subject:"{node.label}"'
        self.app.run_worker(self.app.browse(query), group="go")

    def action_back_along(self) -> None:
        """One step back along the trail."""
        if self._shows == WHOLE:
            self.app.say("This is where walking begins.")
        elif not self._trail:
            self.app.say("The trail begins here.", hint=f"{self.app.key('graph.whole')} shows all clusters")
        else:
            step = self._trail.pop()
            self._walk(step.spot, step.at)

    def action_left(self) -> None:
        self._sideways(LEFT, "Nothing leads here.")

    def action_right(self) -> None:
        self._sideways(RIGHT, "It leads to nothing.")

    def _sideways(self, side: str, nothing: str) -> None:
        if self._shows == DRAWN and self.graph.has_focus:
            if not self.graph.sideways(side) and self.graph.at.side != side:
                self.app.say(nothing)
        elif self._shows == LISTED:
            self.app.say("A list has no sides: → leads away, ← leads here.")

    def action_list(self) -> None:
        """Drawn, or as a list of the same."""
        if self._shows == WHOLE:
            self.app.say("Clusters are a list already; ⏎ walks in.")
            return
        if self._shows == DRAWN:
            line = self.graph.line
            self._show_as(LISTED)
            if line is not None and line.edge in self.listed.edges:
                self.listed.move_to(self.listed.edges.index(line.edge))
        else:
            edge = self.listed.highlighted
            self._show_as(DRAWN)
            if edge is not None and (place := self.graph.place_of_edge(edge)) is not None:
                self.graph.point(place)
        self._stands()

    def action_kinds(self) -> None:
        """Which kinds are shown; of the clusters, of which memories."""
        workspace = self.app.ready()
        if workspace is None:
            return
        if self._shows == WHOLE:
            from memtui.tui.dialogs.filter import FilterDialog

            self.app.push_screen(FilterDialog(workspace, self._query), self._of_these)
            return
        if self.around is None or not self.around.edges:
            self.app.say("Nothing to filter: nothing is tied to it.")
            return
        from memtui.tui.dialogs.kinds import KindsDialog

        self.app.push_screen(KindsDialog(told.kind_counts(self.around), self._hidden), self._hide)

    def _of_these(self, answer: tuple[str, str | None] | None) -> None:
        if answer is not None and answer[0] != self._query:
            self._query, self._counted, self._counting = answer[0], False, None
            self.load()

    def _hide(self, hidden: set[str] | None) -> None:
        if hidden is not None and self.around is not None:
            self._hidden = hidden
            self.graph.show(self.around, hidden)
            self.listed.show(self.around, hidden)
            self._stands()

    def action_hops(self) -> None:
        """One hop, or two."""
        if self._shows == WHOLE:
            self.app.say("Walk in first: ⏎.")
            return
        self._hops = 3 - self._hops
        if self._shows == LISTED:
            self._show_as(DRAWN)
        self.load()
        self.app.say("A little of what each neighbour is tied to." if self._hops == 2 else "One hop.")

    def action_near(self) -> None:
        """What is near in meaning, too, or no more."""
        if self._shows == WHOLE:
            self.app.say("Walk in first: ⏎.")
            return
        self._near = not self._near
        self._tell_near()

    @worker("The graph could not be read", group="graph")
    async def _tell_near(self) -> None:
        workspace = self.app.workspace
        if workspace is None or self.around is None:
            return
        await self._go(workspace, self.around.centre.spot, self.graph.at)
        if not self._near:
            self.app.say("Only what is told.")
        elif many := sum(edge.origin is Origin.NEAR for edge in self.around.edges):
            self.app.say(f"{counted(many, 'memory')} near in meaning; dashed, written nowhere.", tone="done")
        else:
            state = await self.ask(workspace.meaning)
            waits = state.why or (f"{counted(state.waiting, 'memory')} not read yet" if state.waiting else "")
            self.app.say("Nothing lies near it in meaning.", hint=waits)

    def action_whole(self) -> None:
        """The clusters."""
        self._show_as(WHOLE)
        self._stands()
        self.load()

    def action_find(self) -> None:
        """Walk to a memory that is found by words."""
        from memtui.tui.dialogs.pick import PickDialog

        if workspace := self.app.ready():
            self.app.push_screen(PickDialog(workspace, "Walk to which memory?"), self._found)

    def _found(self, row: Row | None) -> None:
        if row is not None:
            if self._shows != WHOLE:
                self._remember()
            self._arrive(row.id)

    @worker("The graph could not be read", group="graph")
    async def _arrive(self, id: int) -> None:
        workspace = self.app.workspace
        spot = await self.ask(workspace.spot, id) if workspace is not None else None
        if workspace is not None and spot is not None:
            await self._go(workspace, spot, None)

    def action_back(self) -> None:
        """One step: out of the text, back along the trail, to the clusters, to the screen before."""
        if self.has_class("full"):
            self.set_full(False)
            self._main.focus()
        elif self._shows == WHOLE:
            if self._query:
                self._of_these(("", None))
            elif self.app.came_from != commands.GRAPH:
                self.app.switch_mode(self.app.came_from)
        elif self._shows == LISTED:
            self.action_list()
        elif self._trail:
            self.action_back_along()
        elif self.app.came_from not in (commands.GRAPH, ""):
            self.app.switch_mode(self.app.came_from)


def _read(workspace: Workspace, node: Node) -> tuple[Detail | None, list[str]]:
    """The memory that stands for a node, and what all of that name say."""
    if node.id is None:
        return None, []
    return workspace.detail(node.id), workspace.said_at(node.spot, MANY) if node.count > 1 else []


def _whole(
    workspace: Workspace, query: str, tell: Callable[[float], None], stop: Callable[[], bool]
) -> Overview | None:
    """The clusters of what a search finds, all of it."""
    if not query.strip():
        return workspace.overview(None, tell, stop)
    hits = workspace.search(query)
    if hits.capped:
        hits = workspace.search(query, sort="newest")
    return workspace.overview(hits.ids, tell, stop)
