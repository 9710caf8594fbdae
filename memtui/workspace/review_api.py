"""The workspace's verbs for pairs that clash or repeat each other (SPEC 6); a part of Workspace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import Pair, PairDetail, ScanResult
from memtui.memory.contradictions.queue import QueueCounts
from memtui.memory.results import Change

if TYPE_CHECKING:
    from memtui.workspace.background import JobControl
    from memtui.workspace.context import Context


class ReviewApi:
    """Finding pairs, reading the queue, and settling them."""

    _ctx: Context
    _changing: Callable[[], AbstractContextManager[None]]

    def sweep(self, manners: JobControl | None = None, ids: Sequence[int] | None = None) -> ScanResult:
        """Compare the memories that wait (or, of these, only `ids`) with all others; takes long the first
        time, and goes on where it was cut off (S-40)."""
        from memtui.workspace.contradictions import scan

        return scan.work_off(self._ctx, manners, ids)

    def review(self) -> QueueCounts:
        """The queue in numbers."""
        from memtui.workspace.contradictions import queue

        return queue.state(self._ctx)

    def pairs(
        self,
        *,
        family: str = "",
        kind: str = "",
        store: str = "",
        state: str = "open",
        memory: int | None = None,
    ) -> list[Pair]:
        """The queue: escalated first, then the surest; `state` "" is all, of `memory` those with it."""
        from memtui.workspace.contradictions import queue

        return queue.listed(self._ctx, family=family, kind=kind, store=store, state=state, memory=memory)

    def pair(self, id: int) -> PairDetail | None:
        """One pair with both memories, a suggestion, and what each verdict would do where (S-42)."""
        from memtui.workspace.verdicts import preview

        return preview.detail(self._ctx, id)

    def settle(
        self,
        id: int,
        verdict: str,
        *,
        text: str | None = None,
        note: str = "",
        until: float | None = None,
        seen: tuple[str, str] | None = None,
    ) -> Change:
        """Give a verdict on a pair: one journal line, one unit, one undo (S-42). `text` is what a merge
        says; A stays and takes it, B gives way. `until` ends "later", a week from now unless given. With
        `seen` (`PairDetail.digests`), only while both say what the person saw."""
        from memtui.workspace.verdicts import settle

        with self._changing():
            return settle.settle(self._ctx, id, verdict, text=text, note=note, until=until, seen=seen)
