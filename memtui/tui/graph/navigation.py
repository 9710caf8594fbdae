"""Walking the graph: one wish at a time, and a trail of where one was (SPEC 9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memtui.memory.graph.model import Around, Node, Origin, Spot
from memtui.tui.common.virtual_list import Part
from memtui.tui.graph.canvas import RelationGraph
from memtui.tui.graph.clusters import ClusterScreen
from memtui.tui.graph.layout import RIGHT, Cursor
from memtui.tui.graph.relation_list import RelationList
from memtui.tui.text.glyphs import counted
from memtui.tui.workers.guarded import worker

LONGEST = 200  # steps of the trail
DRAWN, LISTED, WHOLE = "drawn", "as-list", "whole"  # what the screen shows


@dataclass(frozen=True, slots=True)
class Target:
    """Where one is going: a spot, or a memory's row; what is highlighted there, and the trail by then.
    `whole` says whether one walks in from the clusters (None: no change of that); `then` is called once it
    is drawn."""

    spot: Spot | None = None
    id: int | None = None
    at: Cursor | None = None
    trail: tuple[Step, ...] = ()
    whole: bool | None = None
    then: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """Where one was: a spot, what it is called, and what was highlighted there."""

    spot: Spot
    label: str
    at: Cursor


class NavigationScreen(ClusterScreen):
    """What is drawn stays until the next neighbourhood is read; a later wish replaces an earlier."""

    graph: RelationGraph
    listed: RelationList

    def __init__(self) -> None:
        super().__init__()
        self._trail: list[Step] = []
        self._hops, self._near = 1, False
        self._hidden: set[str] = set()
        self._shows = WHOLE
        self._target: Target | None = None
        self._in_from_whole = False  # one walked in from the clusters
        self._first = True  # nothing was shown yet, and no memory was chosen

    @property
    def around(self) -> Around | None:
        """The neighbourhood that is on the screen."""
        return self.graph.around if self._shows != WHOLE else None

    def show_as(self, shows: str) -> None:
        """Drawn, as a list, or the whole in clusters."""
        raise NotImplementedError

    def stands(self) -> None:
        """What is on the screen is another neighbourhood now."""
        raise NotImplementedError

    def open(self, node: Node) -> None:
        """All that is known of what stands in the middle."""
        raise NotImplementedError

    def show_of(self, id: int) -> None:
        """Begin at a memory, asked for elsewhere."""
        self._walk(Target(id=id, whole=False))

    def _walk(self, target: Target) -> None:
        """Go there; until it is drawn, all stays as it is, and a later wish counts."""
        self._target, self._first = target, False
        self._walk_there()

    @worker("The graph could not be read", group="graph")
    async def _walk_there(self) -> None:
        workspace, target = self.app.workspace, self._target
        if workspace is None or target is None:
            return
        hops, near = self._hops, self._near

        def read() -> Around | None:
            spot = target.spot or (workspace.spot(target.id) if target.id is not None else None)
            return workspace.around(spot, hops=hops, near=near) if spot is not None else None

        try:
            found = await self.ask(read)
        except Exception:
            self._target = None
            raise
        if self._target is not target:
            return  # something else is wanted by now
        self._target = None
        if found is None:
            gone = "This memory is gone from the workspace."
            nothing = "Nothing stands there any more, and nothing leads there."
            self.app.say(gone if target.id is not None else nothing, tone="wrong")
            return
        self._trail = list(target.trail)
        if target.whole is not None:
            self._in_from_whole = target.whole
        self.graph.show(found, self._hidden, at=target.at)
        self.listed.show(found, self._hidden)
        self.graph.empty = self._alone()
        if self._shows == WHOLE:
            self.show_as(DRAWN)
        self.stands()
        if target.then is not None:
            target.then()

    def _alone(self) -> list[Part]:
        key = self.app.key
        lines: list[Part] = [("Nothing is tied to it.", "plain")]
        lines.append((f"{key('memory.relate')}  relate it to another memory", "quiet"))
        near = f"{key('graph.near')}  what is near in meaning   " if not self._near else ""
        lines.append((f"{near}{key('graph.whole')}  the best connected", "quiet"))
        return lines

    def load(self) -> None:
        """Read again what is on the screen, or go on to where one is going; the cursor stays on its line."""
        if self.app.workspace is None:
            return
        if self._target is not None:
            self._walk_there()
        elif self._shows == WHOLE:
            if not self._counted:
                self._count_anew()
        elif self.graph.around is not None:
            self._again()

    def _again(self, then: Callable[[], object] | None = None) -> None:
        if self.graph.around is not None:
            spot = self.graph.around.centre.spot
            self._walk(Target(spot, at=self.graph.at, trail=tuple(self._trail), then=then))

    def action_walk(self) -> None:
        """To what is highlighted; from the middle, all of that memory."""
        node = self.node
        if node is None:
            counts = self._shows == WHOLE and self._counting is not None
            self.app.say(
                "The clusters are still being counted." if counts else "Nothing to walk to: nothing is shown."
            )
        elif self._shows == WHOLE:
            self._walk(Target(node.spot, whole=True))
        elif self.edge is None:
            self.open(node)
        elif self.around is not None and node.spot == self.around.centre.spot:
            self.app.say("This relation leads back to where you are.")
        else:
            side = self.graph.at.side if self._shows == DRAWN else RIGHT
            self._walk(Target(node.spot, at=Cursor(side, 0), trail=self._trail_from_here()))

    def _trail_from_here(self) -> tuple[Step, ...]:
        if self.around is None:
            return ()
        centre = self.around.centre
        return (*self._trail[-LONGEST:], Step(centre.spot, centre.label, self.graph.at))

    def action_back_along(self) -> None:
        """One step back along the trail."""
        if self._shows == WHOLE:
            self.app.say("This is where walking begins.")
        elif not self._trail:
            self.app.say("The trail begins here.", hint=f"{self.app.key('graph.whole')} shows all clusters")
        else:
            *trail, step = self._trail
            self._walk(Target(step.spot, at=step.at, trail=tuple(trail)))

    def action_hops(self) -> None:
        """One hop, or two."""
        if self._shows == WHOLE:
            self.app.say("Walk in first: ⏎.")
            return
        self._hops = 3 - self._hops
        if self._shows == LISTED:
            self.show_as(DRAWN)
        self._again()
        self.app.say("A little of what each neighbour is tied to." if self._hops == 2 else "One hop.")

    def action_near(self) -> None:
        """What is near in meaning, too, or no more."""
        if self._shows == WHOLE:
            self.app.say("Walk in first: ⏎.")
            return
        self._near = not self._near
        self._again(self._tell_near)

    @worker("The graph could not be read", group="near")
    async def _tell_near(self) -> None:
        workspace, around = self.app.workspace, self.around
        if workspace is None or around is None:
            return
        if not self._near:
            self.app.say("What is near in meaning is not shown any more.")
        elif many := sum(edge.origin is Origin.NEAR for edge in around.edges):
            self.app.say(f"{counted(many, 'memory')} near in meaning; dashed, written nowhere.", tone="done")
        else:
            state = await self.ask(workspace.meaning)
            waits = state.why or (f"{counted(state.waiting, 'memory')} not read yet" if state.waiting else "")
            self.app.say("Nothing lies near it in meaning.", hint=waits)

    def action_find(self) -> None:
        """Walk to a memory that is found by words."""
        from memtui.tui.graph.find_dialog import FindDialog

        if workspace := self.app.ready():
            self.app.push_screen(FindDialog(workspace, "Walk to which memory?"), self._found)

    def _found(self, node: Node | None) -> None:
        if node is not None:
            whole = True if self._shows == WHOLE else None
            self._walk(Target(node.spot, trail=self._trail_from_here(), whole=whole))
