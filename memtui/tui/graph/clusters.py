"""The graph as a whole: counted in a thread of its own, told in clusters (SPEC 9)."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.memory.graph.model import Overview
from memtui.tui.common.virtual_list import Part
from memtui.tui.graph.cluster_list import ClusterList
from memtui.tui.graph.relation_keys import RelationScreen
from memtui.tui.text.glyphs import counted
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

REST = 3.0  # times as long as counting took, it rests before news has it count again


class ClusterScreen(RelationScreen):
    """Counts what hangs together among all memories, or those of a search; one count at a time."""

    clusters: ClusterList

    def __init__(self) -> None:
        super().__init__()
        self._query = ""  # of which memories the clusters are
        self._counting: threading.Event | None = None  # set: this count is wanted no more
        self._counted = False  # the clusters are as things are

    def _count_of(self, query: str) -> None:
        """Of other memories from now on."""
        self._query = query
        self._stop_counting()
        self._count()

    def _count_anew(self) -> None:
        """Something changed: what is being counted is finished first."""
        self._counted = False
        if self._counting is None:
            self._count()

    def _stop_counting(self) -> None:
        if self._counting is not None:
            self._counting.set()
            self._counting = None

    def on_unmount(self) -> None:
        self._stop_counting()

    def _count(self) -> None:
        self._counting = threading.Event()
        self._counted = True  # what changes from here on is counted next time
        self._work_out(self._counting)

    @worker("The graph could not be counted", group="count", exclusive=False)
    async def _work_out(self, stop: threading.Event) -> None:
        workspace = self.app.workspace
        began = time.monotonic()
        if workspace is None:
            return
        try:
            self._tell_far(stop, 0.0)
            # Beside the lanes: news of the stores must not wait for it.
            found = await asyncio.to_thread(_whole, workspace, self._query, self._far(stop), stop.is_set)
        except BaseException:
            self._counted = False
            raise
        finally:
            mine = self._counting is stop
            if mine:
                self._counting = None
        if found is None or not mine:
            return
        self.clusters.empty = self._nothing(found)
        self.clusters.show(found)
        self.shown()
        if not self._counted:
            self.set_timer(REST * (time.monotonic() - began), self._count_again)

    def _count_again(self) -> None:
        if not self._counted and self.app.screen is self:
            self._count_anew()

    def shown(self) -> None:
        """The clusters are others now."""
        raise NotImplementedError

    def _far(self, stop: threading.Event) -> Callable[[float], None]:
        def far(part: float) -> None:
            with suppress(RuntimeError):  # the app has ended
                self.app.call_later(self._tell_far, stop, part)

        return far

    def _tell_far(self, stop: threading.Event, part: float) -> None:
        if self._counting is not stop:
            return
        if not self.clusters.count:
            self.clusters.empty = [(f"Looking how all hangs together … {part:.0%}", "quiet")]
            self.clusters.refresh()
        self.clusters.border_subtitle = Content(f"counting {part:.0%}")

    def _nothing(self, found: Overview) -> list[Part]:
        key = self.app.key
        if not found.nodes:
            said = (
                "No memory matches this search."
                if self._query
                else "No memories yet, so nothing is tied to anything."
            )
            return [(said, "plain")]
        return [
            (f"None of {counted(found.nodes, 'memory')} is tied to another one.", "plain"),
            ("", "plain"),
            (f"{key('graph.find')}  choose a memory, {key('memory.relate')} relates it", "quiet"),
            (f"{key('graph.near')}  there shows what is near in meaning", "quiet"),
        ]


def _whole(
    workspace: Workspace, query: str, tell: Callable[[float], None], stop: Callable[[], bool]
) -> Overview | None:
    """The clusters of what a search finds, all of it."""
    try:
        if not query.strip():
            return workspace.overview(None, tell, stop)
        hits = workspace.search(query)
        if hits.capped:
            hits = workspace.search(query, sort="newest")
        return workspace.overview(hits.ids, tell, stop)
    finally:
        workspace.close_thread()  # the next count may be another thread's
