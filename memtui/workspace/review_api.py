"""The review verbs of `Workspace`: contradictions and duplicates (SPEC 6)."""

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

    def scan(self, control: JobControl | None = None, ids: Sequence[int] | None = None) -> ScanResult:
        """Compare the queued memories, only `ids` if given, with all others; takes long the first time, and
        continues where it was cut off (S-40)."""
        from memtui.workspace.contradictions import scan

        return scan.run(self._ctx, control, ids)

    def queue_counts(self) -> QueueCounts:
        """Return the queue in numbers."""
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
        """Return pairs, escalated first, then by score; `state` "" is all, `memory` selects those with it."""
        from memtui.workspace.contradictions import queue

        return queue.listed(
            self._ctx,
            family=family,
            kind=kind,
            store=store,
            state=state,
            memories=None if memory is None else [memory],
        )

    def pair(self, id: int) -> PairDetail | None:
        """Return one pair with both memories, a suggestion, and the consequence of each verdict (S-42)."""
        from memtui.workspace.details import pair

        return pair.detail(self._ctx, id)

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
        """Settle a pair with a verdict, with one journal entry and one undo (S-42).

        `text` is that of a merge, which A gets while B is superseded; `until` (Unix seconds) ends "later", a
        week from now by default. With `seen` (`PairDetail.digests`), only if both are as the user saw them.
        """
        from memtui.workspace.verdicts import settle

        with self._changing():
            return settle.settle(self._ctx, id, verdict, text=text, note=note, until=until, seen=seen)

    def settle_many(
        self,
        ids: Sequence[int],
        verdict: str,
        until: float | None = None,
        control: JobControl | None = None,
    ) -> Change:
        """Give one verdict that changes no text (both-true, not-so, later) on pairs, with one undo; "later"
        ends at `until` (Unix seconds), a week from now by default."""
        from memtui.workspace.verdicts import settle_many

        with self._changing():
            return settle_many.settle_many(self._ctx, ids, verdict, until, control)
