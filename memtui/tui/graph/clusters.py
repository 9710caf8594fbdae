"""Counting the clusters of the whole graph, in a thread of its own (SPEC 9)."""

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
from memtui.tui.graph import wording
from memtui.tui.graph.cluster_list import ClusterList
from memtui.tui.graph.relation_keys import RelationScreen
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

PAUSE_FACTOR = 3.0  # pause before changes start another count, in durations of the last one


class ClusterScreen(RelationScreen):
    """Counts the clusters of all memories, or of those that a search finds; one count at a time."""

    clusters: ClusterList

    def __init__(self) -> None:
        super().__init__()
        self._query = ""  # whose memories are counted; all if empty
        self._cancel_count: threading.Event | None = None  # of the running count
        self._up_to_date = False  # nothing has changed since the last count began

    def _count_search(self, query: str) -> None:
        """Count the memories of a search, from now on."""
        self._query = query
        self._stop_count()
        self._start_count()

    def _recount(self) -> None:
        """Count again, after the running count if there is one."""
        self._up_to_date = False
        if self._cancel_count is None:
            self._start_count()

    def _stop_count(self) -> None:
        if self._cancel_count is not None:
            self._cancel_count.set()
            self._cancel_count = None

    def on_unmount(self) -> None:
        self._stop_count()

    def _start_count(self) -> None:
        self._cancel_count = threading.Event()
        self._up_to_date = True  # what changes from here on needs another count
        self._run_count(self._cancel_count)

    @worker(wording.CLUSTERS_UNCOUNTED, group="count", exclusive=False)
    async def _run_count(self, stop: threading.Event) -> None:
        workspace = self.app.workspace
        began = time.monotonic()
        if workspace is None:
            return
        try:
            self._show_progress(stop, 0.0)
            # Not in a lane: changes in the stores must not wait for it.
            found = await asyncio.to_thread(
                _read_overview, workspace, self._query, self._progress(stop), stop.is_set
            )
        except BaseException:
            self._up_to_date = False
            raise
        finally:
            is_current = self._cancel_count is stop
            if is_current:
                self._cancel_count = None
        if found is None or not is_current:
            return
        self.clusters.empty_lines = self._no_clusters(found)
        self.clusters.show(found)
        self.clusters_changed()
        if not self._up_to_date:
            self.set_timer(PAUSE_FACTOR * (time.monotonic() - began), self._recount_if_stale)

    def _recount_if_stale(self) -> None:
        if not self._up_to_date and self.app.screen is self:
            self._recount()

    def clusters_changed(self) -> None:
        """Update the screen after other clusters were listed."""
        raise NotImplementedError

    def _progress(self, stop: threading.Event) -> Callable[[float], None]:
        """Return a callback for the counting thread, which takes the fraction done."""

        def report(fraction: float) -> None:
            with suppress(RuntimeError):  # the app has ended
                self.app.call_later(self._show_progress, stop, fraction)

        return report

    def _show_progress(self, stop: threading.Event, fraction: float) -> None:
        if self._cancel_count is not stop:
            return
        if not self.clusters.count:
            self.clusters.empty_lines = [(wording.computing_clusters(fraction), "quiet")]
            self.clusters.refresh()
        self.clusters.border_subtitle = Content(wording.computing(fraction))

    def _no_clusters(self, found: Overview) -> list[Part]:
        key = self.app.key
        if not found.nodes:
            return [(wording.NO_MATCH if self._query else wording.NO_MEMORIES, "plain")]
        return [
            (wording.none_related(found.nodes), "plain"),
            ("", "plain"),
            (wording.choose_and_relate(key("graph.find"), key("memory.relate")), "quiet"),
            (wording.near_from_there(key("graph.near")), "quiet"),
        ]


def _read_overview(
    workspace: Workspace, query: str, report: Callable[[float], None], stop: Callable[[], bool]
) -> Overview | None:
    """Return the clusters of all memories that a search finds; None if it was stopped."""
    try:
        if not query.strip():
            return workspace.overview(None, report, stop)
        hits = workspace.search(query)
        if hits.capped:
            hits = workspace.search(query, sort="newest")
        return workspace.overview(hits.ids, report, stop)
    finally:
        workspace.close_thread()  # the next count may run in another thread
