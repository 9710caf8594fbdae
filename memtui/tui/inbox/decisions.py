"""Deciding on the items of the Inbox: what is decided on leaves the list at once (S-52)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from memtui.memory.contradictions.pairs import LATER, Pair
from memtui.memory.inbox.items import FINDINGS, Touched
from memtui.memory.inbox.listing import Key, Listing
from memtui.memory.results import Change
from memtui.tui.inbox import wording
from memtui.tui.inbox.fitting import VERDICTS, deciding, is_pair, misfit
from memtui.tui.inbox.inbox_list import InboxList
from memtui.tui.inbox.pace import Pace
from memtui.tui.memory.memory_actions import MemoryScreen, pin_or_unpin
from memtui.tui.review import verdict_keys
from memtui.tui.review.verdict_keys import VerdictScreen
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.inbox_reader import touched_by

if TYPE_CHECKING:
    from memtui.tui.inbox.put_off_dialog import Run
    from memtui.tui.memory.bulk.verb_dialog import Job
    from memtui.workspace.workspace import Workspace

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
        self._changed: set[int] = set()  # memories that were changed since the program was started
        self._bulk_pairs: set[int] = set()  # pairs whose copies a bulk verb took
        self._listed: set[Key] = set()
        self._gone: set[Key] = set()  # what was listed once
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
            touched: Touched | None = None
            try:
                done = verb(*args, **more)
                touched = touched_by(done) if isinstance(done, Change) else None
                return done
            finally:
                self.app.call_later(self._written, key, touched)

        return run

    def _written(self, key: Key, touched: Touched | None) -> None:
        self._hidden[key] = self.app.inbox_reader.refresh(touched, at_once=True)

    def note_gone(self, listing: Listing) -> None:
        """Note what is no longer listed, whoever removed it."""
        self._gone = (self._gone | (self._listed - listing.places.keys())) - listing.places.keys()
        self._listed = set(listing.places)
        self.count_gone()

    def count_gone(self) -> None:
        """Count what left the list with a change that was not made item by item: a redaction, a bulk verb.
        The change may be told before or after the list is read."""
        counted, now = set(self._pace.keys), time.monotonic()
        for key in self._gone - counted:
            if key[1] in (self._bulk_pairs if key[0] == "pair" else self._changed):
                self._pace.decided(key, now)

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
        if id in VERDICTS and not is_pair(self.memories.item):
            return self.refusal(id)
        if id in VERDICTS:
            return self.refusal(id) or VerdictScreen.blocked_reason(self, id)
        if reason := self.refusal(id):
            return reason
        item = self.memories.item
        is_memory = item is not None and item.id is not None
        return super().blocked_reason(id) if is_memory or self.visited is not None or item is None else ""

    def no_memory(self) -> str:
        inbox = self.app.inbox
        return wording.ALL_HIDDEN if inbox is not None and inbox.total else wording.EMPTY

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
        if (
            item is None
            or item.id != id
            or action not in deciding(item)
            or workspace is None
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
        """Snooze a memory, a pair, a store's finding or a breach until a chosen moment."""
        item, workspace = self.memories.item, self.writable()
        if workspace is None:
            return
        self._asked = item.key if item is not None and not self.memories.marks else None
        if self.memories.marks or self.visited is not None or item is None:
            super().action_snooze()
        elif item.pair is not None:
            self.snooze_pairs(workspace, [item.pair])
        elif item.kind in FINDINGS:
            store, code = item.store, item.code
            title = wording.put_off_title(one_line(self.memories.store_names.get(store, store), 30))
            self._ask_when(
                workspace, [], title, wording.put_off_until,
                lambda until, control: workspace.snooze_findings(store, code, until),
            )  # fmt: skip
        else:
            super().action_snooze()

    def snooze_pairs(self, workspace: Workspace, ids: Sequence[int]) -> None:
        """Ask until when these pairs are snoozed."""
        self._ask_when(
            workspace, ids, wording.snooze_pairs_title(len(ids)), wording.pairs_return,
            lambda until, control: workspace.settle_many(ids, LATER, until, control),
        )  # fmt: skip

    def _ask_when(
        self, workspace: Workspace, ids: Sequence[int], title: str, means: Callable[[str], str], run: Run
    ) -> None:
        from memtui.tui.inbox.put_off_dialog import PutOffDialog

        self.app.push_screen(PutOffDialog(workspace, ids, title, means, run), self.run_job)

    def writable(self) -> Workspace | None:
        """Return the workspace; None, after showing why, if nothing can be written."""
        workspace = self.app.ready_workspace()
        if workspace is not None and self.app.read_only:
            self.app.show_status(wording.READ_ONLY, tone="error")
            return None
        return workspace

    def run_job(self, job: Job | None) -> None:
        if job is not None:
            self._bulk_pairs |= self.memories.marked_pairs
        key = self._asked if job is not None and job.action in ("snooze", "repair") else None
        if job is not None and key is not None and (not job.ids or list(job.ids) == [key[1]]):
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
        touched = Touched(frozenset((pair.a, pair.b)))
        self._take_out(("pair", pair.id, pair.kind), self.app.inbox_reader.refresh(touched, at_once=True))

    def load(self) -> None:
        self.app.inbox_reader.refresh(at_once=True)
