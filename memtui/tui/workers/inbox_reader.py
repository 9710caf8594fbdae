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
        self._whole = False  # whether all is to be read
        self._touched = Touched()  # else what
        self._whole_at_once = self._part_at_once = False  # without a pause
        self._entries: set[int] = set()  # journal entries whose changes are read, or will be
        self._ended_at = self._cpu_seconds = 0.0  # when all was read, and what that cost

    def refresh(self, touched: Touched | None = None, *, at_once: bool = False) -> int:
        """Ask for a read of all, or of what was touched; return its number. With `at_once` it waits for no
        pause between key presses."""
        if touched is None or self.failed:
            self._whole, self._whole_at_once = True, self._whole_at_once or at_once
        else:
            self._part_at_once = self._part_at_once or at_once
            if touched.entries and touched.entries <= self._entries:  # asked for before
                return self._requested
            self._entries |= touched.entries
            self._touched |= touched
        self._requested += 1
        if not self._reading:
            self._reading = True
            self._app.start_work("inbox", self._run)
        return self._requested

    def refresh_if_stale(self) -> None:
        """Ask for a read of all, at once, if something that was snoozed is due, or the last one is long ago
        for what it costs."""
        listing = self._app.inbox
        age = time.monotonic() - self._ended_at
        due = listing is not None and listing.next_due is not None and listing.next_due <= self._app.clock()
        if listing is None or due or age > self._cpu_seconds * FRESH_PER_CPU:
            self.refresh(at_once=True)

    async def _run(self) -> None:
        try:
            while (self._whole or self.answered < self._requested) and self._app.workspace is not None:
                await self._read_next(self._app.workspace, whole=await self._rest())
        finally:
            self._reading = False

    async def _read_next(self, workspace: Workspace, *, whole: bool) -> None:
        number, before, opened, touched = self._requested, self._app.inbox, self.opened, self._touched
        whole = whole or before is None or len(touched.ids) > MOST_TOUCHED
        self._touched, self._part_at_once = Touched(), False
        if whole:
            self._whole = self._whole_at_once = False
        listing: Listing | None
        try:
            listing = await self._app.lanes.background_raw(
                self._read, workspace, opened, None if whole else touched, before
            )
            self.failed = False
        except Exception as error:  # the next read, of all, may succeed, and what is listed stays
            if not self.failed:
                self._app.show_error(wording.INBOX_NOT_READ, error)
            self.failed, listing = True, before
        self.answered = number
        self._app.inbox = listing

    async def _rest(self) -> bool:
        """Wait for a pause between key presses, and before all is read in proportion to what that costs;
        return whether all is read. What was touched does not wait for the rest."""
        began = time.monotonic()
        due = self._ended_at + min(LONGEST_PAUSE, self._cpu_seconds * PAUSE_PER_CPU)
        while not self._whole_at_once and not self._part_at_once:
            now = time.monotonic()
            if now - self._app.last_key_at >= KEY_PAUSE or now - began >= MAX_PAUSE:
                if self._whole and now >= due:
                    return True
                if not self._whole or self._touched != Touched():
                    return False
            await asyncio.sleep(0.05)
        return self._whole_at_once

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
