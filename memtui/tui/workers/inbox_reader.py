"""Read what is in the Inbox, in the background, after everything that may have changed it (S-52)."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from memtui.memory.inbox.listing import Listing, listing_of
from memtui.tui.workers import wording

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

PAUSE_PER_CPU = 3  # pause between two reads, in CPU times of the last one
KEY_PAUSE = 0.3  # seconds without a key press that a read waits for
MAX_PAUSE = 1.4  # seconds after which it begins though keys are pressed


class InboxReader:
    """Reads the listing as often as it is asked to; requests that come during a read make one more.

    A read is numbered by the last request that it answers."""

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
        self._ended_at = self._cpu_seconds = 0.0

    def refresh(self, *, at_once: bool = False) -> int:
        """Ask for a read; return its number. With `at_once` it waits for no pause between key presses."""
        self._requested += 1
        if not self._reading:
            self._reading = True
            self._app.start_work("inbox", self._run, at_once)
        return self._requested

    async def _run(self, at_once: bool) -> None:
        try:
            while self.answered < self._requested and (workspace := self._app.workspace) is not None:
                if not at_once:
                    await self._rest()
                number, at_once = self._requested, False
                listing: Listing | None
                try:
                    listing = await self._app.lanes.background(self._read, workspace, self.opened)
                    self.failed = False
                except Exception as error:  # the next read may succeed, and what is listed stays
                    if not self.failed:
                        self._app.show_error(wording.INBOX_NOT_READ, error)
                    self.failed, listing = True, self._app.inbox
                self.answered, self._ended_at = number, time.monotonic()
                self._app.inbox = listing
        finally:
            self._reading = False

    async def _rest(self) -> None:
        """Wait in proportion to the CPU time of the last read, and while keys are pressed."""
        began = time.monotonic()
        pause = min(MAX_PAUSE, self._cpu_seconds * PAUSE_PER_CPU)
        await asyncio.sleep(max(0.0, self._ended_at + pause - began))
        while time.monotonic() - self._app.last_key_at < KEY_PAUSE and time.monotonic() - began < MAX_PAUSE:
            await asyncio.sleep(0.05)

    def _read(self, workspace: Workspace, opened: frozenset[str]) -> Listing:
        begun = time.thread_time()
        try:
            return listing_of(workspace.inbox(opened))
        finally:
            self._cpu_seconds = time.thread_time() - begun
