"""Read what is in the Inbox, in the background, after everything that may have changed it (S-52).

There may be 100,000 items: after a change only those are read that it touched.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from memtui.memory.inbox.items import Touched
from memtui.memory.inbox.listing import Listing, listing_of
from memtui.memory.results import Change
from memtui.tui.workers import wording

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

PAUSE_PER_CPU = 3  # pause before all is read again, in CPU times of the last such read
LONGEST_PAUSE = 30.0  # seconds
FRESH_PER_CPU = 20  # how long what was read stays fresh enough for a screen that is shown again
MOST_TOUCHED = 2_000  # memories; where more changed, all is read
KEY_PAUSE = 0.3  # seconds without a key press that a read waits for
MAX_PAUSE = 1.4  # seconds after which it begins though keys are pressed


def touched_by(change: Change) -> Touched | None:
    """Return what a change touched; None if it is not known, or too much to be read apart."""
    if not change.ids or len(change.ids) > MOST_TOUCHED:
        return None
    return Touched(frozenset(change.ids), frozenset((change.journal_id,) if change.journal_id else ()))


class InboxReader:
    """Reads the listing as often as it is asked to; requests that come during a read make one more.

    A read is numbered by the last request that it answers. What is asked for is all, or what was touched."""

    def __init__(self, app: MemtuiApp) -> None:
        self._app = app
        self._requested = 0
        self.answered = 0
        """The number of the last read that has ended."""
        self.opened: frozenset[str] = frozenset()
        """The stores whose candidates are listed one by one."""
        self.failed = False
        """Whether the last read failed."""
        self._reading = False
        self._touched: Touched | None = Touched()  # what is to be read; None for all
        self._entries: set[int] = set()  # journal entries whose changes are read, or will be
        self._ended_at = self._cpu_seconds = 0.0

    def refresh(self, touched: Touched | None = None, *, at_once: bool = False) -> int:
        """Ask for a read of all, or of what was touched; return its number. With `at_once` it waits for no
        pause between key presses."""
        if touched is not None and touched.entries and touched.entries <= self._entries:  # asked for before
            return self._requested
        if touched is not None:
            self._entries |= touched.entries
        self._touched = None if touched is None or self._touched is None else self._touched | touched
        self._requested += 1
        if not self._reading:
            self._reading = True
            self._app.start_work("inbox", self._run, at_once)
        return self._requested

    def refresh_if_stale(self) -> None:
        """Ask for a read of all, at once, if something that was snoozed is due, or the last one is long ago
        for what it costs."""
        listing = self._app.inbox
        age = time.monotonic() - self._ended_at
        due = listing is not None and listing.next_due is not None and listing.next_due <= self._app.clock()
        if listing is None or due or age > self._cpu_seconds * FRESH_PER_CPU:
            self.refresh(at_once=True)

    async def _run(self, at_once: bool) -> None:
        try:
            while self.answered < self._requested and (workspace := self._app.workspace) is not None:
                if not at_once:
                    await self._rest()
                number, at_once = self._requested, False
                before, touched, opened = self._app.inbox, self._touched, self.opened
                self._touched = Touched()
                if before is None or (touched is not None and len(touched.ids) > MOST_TOUCHED):
                    touched = None
                listing: Listing | None
                try:
                    listing = await self._app.lanes.background_raw(
                        self._read, workspace, opened, touched, before
                    )
                    self.failed = False
                except Exception as error:  # the next read may succeed, and what is listed stays
                    if not self.failed:
                        self._app.show_error(wording.INBOX_NOT_READ, error)
                    self.failed, listing, self._touched = True, before, None
                self.answered = number
                self._app.inbox = listing
        finally:
            self._reading = False

    async def _rest(self) -> None:
        """Wait while keys are pressed, and before all is read again in proportion to what it costs."""
        if self._touched is None:
            pause = min(LONGEST_PAUSE, self._cpu_seconds * PAUSE_PER_CPU)
            await asyncio.sleep(max(0.0, self._ended_at + pause - time.monotonic()))
        began = time.monotonic()
        while time.monotonic() - self._app.last_key_at < KEY_PAUSE and time.monotonic() - began < MAX_PAUSE:
            await asyncio.sleep(0.05)

    def _read(
        self, workspace: Workspace, opened: frozenset[str], touched: Touched | None, before: Listing | None
    ) -> Listing:
        if touched is not None and before is not None:
            return before.with_part(workspace.inbox(opened, touched), opened)
        begun = time.thread_time()
        try:
            return listing_of(workspace.inbox(opened))
        finally:
            self._cpu_seconds, self._ended_at = time.thread_time() - begun, time.monotonic()
