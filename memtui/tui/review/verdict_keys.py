"""The keys that give a verdict on the pair on the screen, and why one cannot be given now (S-42)."""

from __future__ import annotations

import time
from collections.abc import Awaitable
from functools import partial

from memtui.errors import Refused
from memtui.memory.contradictions import pairs
from memtui.memory.contradictions.pairs import Pair, PairDetail
from memtui.memory.results import Change
from memtui.tui.memory.detail.link_keys import LinkScreen
from memtui.tui.review import queue_filter, wording
from memtui.tui.review.comparison import Side
from memtui.tui.review.pair_list import OVER
from memtui.tui.review.pair_text import COMMAND_OF
from memtui.tui.workers.guarded import worker

MIN_VISIBLE_SECONDS = 0.2
"""How long a pair must be on the screen before a key can settle it: a key pressed twice settles one pair."""
VERDICT_OF = {id: verdict for verdict, id in COMMAND_OF.items()}


class VerdictScreen(LinkScreen):
    """Settles the highlighted pair, once it has been on the screen long enough to be seen."""

    def __init__(self) -> None:
        super().__init__()
        self._was_read = False  # the queue has been read
        self._found: PairDetail | None = None
        self._sides: tuple[Side, Side] | None = None
        self._drawn_id, self._drawn_at = 0, 0.0
        self._missing = 0  # the pair under the cursor, if one of its memories is gone
        self._settling: set[int] = set()
        self._undone: dict[int, str] = {}  # verdicts that were undone, by pair id

    @property
    def pair_id(self) -> int:
        """The id of the pair under the cursor; 0 if there is none."""
        raise NotImplementedError

    def verdict_on(self, id: int) -> str:
        """Return the verdict that was given on a listed pair, in words, or ""."""
        return ""

    def settled(self, pair: Pair, verdict: str) -> None:
        """Note a verdict that was given, and go to the next pair unless the cursor was moved meanwhile."""
        raise NotImplementedError

    def load(self) -> object:
        """Read the open pairs."""
        raise NotImplementedError

    def _mark_drawn(self, id: int) -> None:
        if self._drawn_id != id:
            self._drawn_id, self._drawn_at = id, time.monotonic()

    @property
    def is_drawn(self) -> bool:
        """Whether the highlighted pair has been drawn; true for an empty queue."""
        return self._was_read and self.pair_id in (0, self._drawn_id, self._missing)

    def blocked_reason(self, id: str) -> str:
        if not id.startswith("pair.") or id == "pair.filter":
            return ""
        if self.app.workspace is None:
            return wording.NO_WORKSPACE
        if not self.pair_id:
            return wording.NO_PAIR
        return self._verdict_blocked(VERDICT_OF[id]) if id in VERDICT_OF else ""

    def _verdict_blocked(self, verdict: str) -> str:
        """Return why a verdict cannot be given on the highlighted pair, or ""."""
        id, found = self.pair_id, self._found
        if not id:
            return wording.NO_PAIR_SELECTED
        if self.app.read_only:
            return wording.READ_ONLY
        if id in self._settling:
            return wording.STILL_WRITING
        if given := self.verdict_on(id):
            return wording.PAIR_IS_OVER if given == OVER else wording.settled(given)
        if found is None or found.pair.id != id or self._drawn_id != id:
            return wording.NOT_DRAWN
        if time.monotonic() - self._drawn_at < MIN_VISIBLE_SECONDS:
            return wording.JUST_DRAWN
        return found.blocked.get(verdict, "")

    def _settleable_pair(self, verdict: str) -> PairDetail | None:
        """Return the pair that a key may settle, else None after a message."""
        if self.app.ready_workspace() is None:
            return None
        if reason := self._verdict_blocked(verdict):
            over = not self.pair_id or self.verdict_on(self.pair_id) == OVER
            undo = "" if over or self.app.read_only else wording.undo(self.app.key("change.undo"))
            self.app.show_status(reason, tone="error", hint=undo)
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
        workspace, found = self.app.workspace, self._settleable_pair(verdict)
        if workspace is not None and found is not None:
            self._settling.add(found.pair.id)
            settling = self.app.lanes.write(queue_filter.settle, workspace, found, verdict)
            self._await_settling(found.pair, verdict, settling)

    @worker(wording.NOT_RESOLVED, group="settle", exclusive=False)
    async def _await_settling(self, pair: Pair, verdict: str, settling: Awaitable[Change | None]) -> None:
        try:
            change = await settling
        except Refused:
            self.load()  # the pair may have changed
            raise
        finally:
            self._settling.discard(pair.id)
        await self._after_settling(pair, verdict, change)

    async def _after_settling(self, pair: Pair, verdict: str, change: Change | None) -> None:
        if change is not None:
            self._undone.pop(pair.id, None)
            self.settled(pair, verdict)
            await self.app.announce(change)

    def action_merge(self) -> None:
        from memtui.tui.review.merge_dialog import MergeDialog

        workspace, found = self.app.ready_workspace(), self._settleable_pair(pairs.MERGE)
        if workspace is not None and found is not None and self._sides is not None:
            dialog = MergeDialog(workspace, found, self._sides)
            self.app.push_screen(dialog, partial(self._after_settling, found.pair, pairs.MERGE))

    def action_both(self) -> None:
        from memtui.tui.review.both_true_dialog import BothTrueDialog

        workspace, found = self.app.ready_workspace(), self._settleable_pair(pairs.BOTH_TRUE)
        if workspace is not None and found is not None:
            dialog = BothTrueDialog(workspace, found)
            self.app.push_screen(dialog, partial(self._after_settling, found.pair, pairs.BOTH_TRUE))
