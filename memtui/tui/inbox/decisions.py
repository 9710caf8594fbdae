"""Deciding on the items of the Inbox: what is decided on leaves the list at once (S-52)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from memtui.memory.contradictions.pairs import Pair
from memtui.memory.inbox.items import STORE
from memtui.memory.inbox.listing import Key
from memtui.memory.results import Change
from memtui.tui.inbox import wording
from memtui.tui.inbox.fitting import VERDICTS, deciding, is_pair, misfit
from memtui.tui.inbox.inbox_list import InboxList
from memtui.tui.inbox.pace import Pace
from memtui.tui.memory.memory_actions import MemoryScreen, pin_or_unpin
from memtui.tui.review import verdict_keys
from memtui.tui.review.verdict_keys import VerdictScreen

if TYPE_CHECKING:
    from memtui.tui.memory.bulk.verb_dialog import Job

T = TypeVar("T")
ON_MARKS = frozenset(
    f"memory.{verb}" for verb in ("pin", "confirm", "dismiss", "snooze", "restore", "reason")
)


class DecidingScreen(MemoryScreen, VerdictScreen):
    """The verbs of memories and the verdicts on pairs, each on the item under the cursor."""

    memories: InboxList

    def __init__(self) -> None:
        super().__init__()
        self._hidden: dict[
            Key, int | None
        ] = {}  # decided on; until a read of this number, None while writing
        self._pace = Pace()
        self._asked: Key | None = None  # the item that a dialog is about
        self._appeared_at = -math.inf  # when an item came under the cursor since another went by itself

    def relist(self) -> None:
        """List what was read last, without what is hidden."""
        raise NotImplementedError

    # Leaving the list

    def _take_out(self, key: Key, until: int | None = None) -> None:
        self._hidden[key] = until
        self._pace.decided(key, time.monotonic())
        self.relist()

    def _until_written(self, key: Key, verb: Callable[..., T]) -> Callable[..., T]:
        """Return a verb that brings its item back, should the cause be there still, when it has ended."""

        def run(*args: object, **more: object) -> T:
            try:
                return verb(*args, **more)
            finally:
                self.app.call_later(self._written, key)

        return run

    def _written(self, key: Key) -> None:
        self._hidden[key] = self.app.inbox_reader.refresh(at_once=True)

    # Why a key does not fit

    def refusal(self, id: str) -> str:
        on_marks = bool(self.memories.marks) and id in ON_MARKS
        if self.visited is None and not on_marks:
            item = self.memories.item
            if reason := misfit(item, id, self.app.key):
                return reason
            if is_pair(item):
                return ""
        return super().refusal(id)

    def blocked_reason(self, id: str) -> str:
        if id in VERDICTS:
            return self.refusal(id) or VerdictScreen.blocked_reason(self, id)
        if reason := self.refusal(id):
            return reason
        item = self.memories.item
        is_memory = item is not None and item.id is not None
        return super().blocked_reason(id) if is_memory or self.visited is not None or item is None else ""

    def no_memory(self) -> str:
        return wording.EMPTY

    # Memories

    def action_pin(self) -> None:
        self._decide("pin")

    def action_confirm(self) -> None:
        self._decide("confirm")

    def action_dismiss_memory(self) -> None:
        self._decide("dismiss")

    def _decide(self, action: str) -> None:
        """Run a verb on the item under the cursor, and show the next; else as on any list of memories."""
        workspace, item, id = self.app.workspace, self.memories.item, self.current
        decides = item is not None and item.id == id and action in deciding(item)
        if (
            not decides
            or workspace is None
            or item is None
            or item.id is None
            or self.memories.marks
            or self.editor_opening
            or self.app.read_only
            or self._blocked_reason(action, item.id)
        ):
            self._run_on_selection(action)
            return
        if time.monotonic() - self._appeared_at < verdict_keys.MIN_VISIBLE_SECONDS:
            self.app.show_status(wording.JUST_APPEARED, tone="error")
            return
        verbs: dict[str, Callable[[list[int]], Change]] = {
            "confirm": workspace.confirm,
            "dismiss": workspace.dismiss,
            "pin": partial(pin_or_unpin, workspace),
        }
        hint = self.reason_hint() if action == "pin" else None
        self.app.run_change(self._until_written(item.key, verbs[action]), [item.id], hint=hint)
        self._take_out(item.key)

    def action_snooze(self) -> None:
        """Snooze a memory or a store's finding until a chosen moment, a pair for a week."""
        item, workspace = self.memories.item, self.app.ready_workspace()
        if workspace is None:
            return
        self._asked = item.key if item is not None and not self.memories.marks else None
        if self.memories.marks or self.visited is not None or item is None:
            super().action_snooze()
        elif is_pair(item):
            self.action_later()
        elif item.kind != STORE:
            super().action_snooze()
        elif self.app.read_only:
            self.app.show_status(wording.READ_ONLY, tone="error")
        else:
            from memtui.tui.inbox.put_off_dialog import PutOffDialog

            self.app.push_screen(PutOffDialog(workspace, item.store, item.code), self._put_off)

    def _put_off(self, job: Job | None) -> None:
        if job is not None and (key := self._asked) is not None:
            self.app.run_change(self._until_written(key, job.run), None, hint="")
            self._take_out(key)

    def run_job(self, job: Job | None) -> None:
        key = self._asked if job is not None and job.action == "snooze" else None
        if job is not None and key is not None and list(job.ids) == [key[1]]:
            super().run_job(replace(job, run=self._until_written(key, job.run)))
            self._take_out(key)
        else:
            super().run_job(job)

    def label_of(self, id: int) -> str:
        item = self.memories.item
        return item.label if item is not None and item.id == id else ""

    # Pairs

    @property
    def pair_id(self) -> int:
        item = self.memories.item
        return item.pair or 0 if item is not None else 0

    def settled(self, pair: Pair, verdict: str) -> None:
        self._take_out(("pair", pair.id, pair.kind), self.app.inbox_reader.refresh(at_once=True))

    def load(self) -> None:
        self.app.inbox_reader.refresh(at_once=True)
