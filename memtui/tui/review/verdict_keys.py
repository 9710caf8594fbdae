"""The keys that give a verdict on the pair that is painted; and why one cannot be given now (S-42)."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from memtui.errors import Refused
from memtui.memory.contradictions import pairs
from memtui.memory.contradictions.pairs import Pair, PairDetail
from memtui.memory.results import Change
from memtui.tui.common.screen import BaseScreen
from memtui.tui.review import queue_filter
from memtui.tui.review.pair_list import GONE, PairList
from memtui.tui.review.pair_text import COMMAND_OF, Side, given_as
from memtui.tui.workers.guarded import worker

MIN_VISIBLE_SECONDS = 0.2
"""Seconds that a pair has to stand before a key can settle it: a key pressed twice settles one pair."""
VERDICT_OF = {id: verdict for verdict, id in COMMAND_OF.items()}


class VerdictScreen(BaseScreen):
    """Settles what its queue highlights, once that was drawn long enough to be seen."""

    queue: PairList

    def __init__(self) -> None:
        super().__init__()
        self._begun = False  # the queue was read
        self._found: PairDetail | None = None
        self._sides: tuple[Side, Side] | None = None
        self._painted, self._painted_at = 0, 0.0
        self._missing = 0  # the pair under the cursor, where one of the two is gone
        self._settling: set[int] = set()
        self._taken_back: dict[int, str] = {}

    def load(self) -> Any:
        """Read the pairs that wait."""
        raise NotImplementedError

    def _seen(self, id: int) -> None:
        if self._painted != id:
            self._painted, self._painted_at = id, time.monotonic()

    @property
    def stands(self) -> bool:
        """Whether what is under the cursor has been drawn; an empty queue has."""
        pair = self.queue.highlighted
        return self._begun and (pair is None or pair.id in (self._painted, self._missing))

    def blocked_reason(self, id: str) -> str:
        if not id.startswith("pair.") or id == "pair.filter":
            return ""
        if self.app.workspace is None:
            return "no workspace is open"
        if self.queue.highlighted is None:
            return "no pair is shown"
        return self._refused(VERDICT_OF[id]) if id in VERDICT_OF else ""

    def _refused(self, verdict: str) -> str:
        """Why a verdict cannot be given on the pair under the cursor, or nothing."""
        pair, found = self.queue.highlighted, self._found
        if pair is None:
            return "Nothing to settle: no pair is shown."
        if self.app.read_only:
            return "Nothing can be settled: the workspace is only read."
        if pair.id in self._settling:
            return "The verdict on this pair is still being written."
        if told := self.queue.said.get(pair.id):
            return "This pair is over: nothing clashes any more." if told == GONE else f"Settled: {told}."
        if found is None or found.pair.id != pair.id or self._painted != pair.id:
            return "Not taken: this pair is not on the screen yet."
        if time.monotonic() - self._painted_at < MIN_VISIBLE_SECONDS:
            return "Not taken: this pair has only just come up."
        return found.blocked.get(verdict, "")

    def _verdict(self, verdict: str) -> PairDetail | None:
        """The pair that a key may settle, or a word about why it may not."""
        if self.app.ready_workspace() is None:
            return None
        if why := self._refused(verdict):
            pair = self.queue.highlighted
            over = pair is None or self.queue.said.get(pair.id) == GONE
            undo = "" if over or self.app.read_only else f"{self.app.key('change.undo')} undo"
            self.app.show_status(why, tone="wrong", hint=undo)
            return None
        return self._found

    def action_keep_a(self) -> None:
        self._settle_now(pairs.KEEP_A)

    def action_keep_b(self) -> None:
        self._settle_now(pairs.KEEP_B)

    def action_later(self) -> None:
        self._settle_now(pairs.LATER)

    def action_discard(self) -> None:
        self._settle_now(pairs.DISCARD_BOTH)

    def action_not_so(self) -> None:
        self._settle_now(pairs.FALSE_POSITIVE)

    def _settle_now(self, verdict: str) -> None:
        if (found := self._verdict(verdict)) is not None:
            self._settling.add(found.pair.id)
            self._settle(found, verdict)

    @worker("Not settled", group="settle", exclusive=False)
    async def _settle(self, seen: PairDetail, verdict: str) -> None:
        workspace, pair = self.app.workspace, seen.pair
        assert workspace is not None
        try:
            change = await self.app.lanes.write(queue_filter.settle, workspace, seen, verdict)
        except Refused:
            self.load()  # the pair may be another by now
            raise
        finally:
            self._settling.discard(pair.id)
        await self._settled(pair, verdict, change)

    async def _settled(self, pair: Pair, verdict: str, change: Change | None) -> None:
        """The next pair by itself, unless the person went elsewhere meanwhile."""
        if change is None:
            return
        queue = self.queue
        queue.said = {**queue.said, pair.id: given_as(verdict, pair.family)}
        self._taken_back.pop(pair.id, None)
        here = queue.highlighted
        if here is not None and here.id == pair.id and (place := queue.next_open()) is not None:
            queue.move_to(place)
        queue.refresh()
        await self.app.announce(change)

    def action_merge(self) -> None:
        from memtui.tui.review.merge_dialog import MergeDialog

        workspace, found = self.app.ready_workspace(), self._verdict(pairs.MERGE)
        if workspace is not None and found is not None and self._sides is not None:
            dialog = MergeDialog(workspace, found, self._sides)
            self.app.push_screen(dialog, partial(self._settled, found.pair, pairs.MERGE))

    def action_both(self) -> None:
        from memtui.tui.review.both_true_dialog import BothTrueDialog

        workspace, found = self.app.ready_workspace(), self._verdict(pairs.BOTH_TRUE)
        if workspace is not None and found is not None:
            dialog = BothTrueDialog(workspace, found)
            self.app.push_screen(dialog, partial(self._settled, found.pair, pairs.BOTH_TRUE))
