"""The key that shows the secrets of one memory for a few seconds (S-62)."""

from __future__ import annotations

import asyncio

from memtui.memory.detail import Detail
from memtui.memory.secrets.masking import Masking
from memtui.tui.memory import wording
from memtui.tui.memory.verb_keys import VerbScreen
from memtui.tui.workers.guarded import worker

SECONDS = 10.0  # that secrets are shown


class RevealScreen(VerbScreen):
    """A screen on which the secrets of the memory in the detail can be shown."""

    _revealed: Detail | None = None  # with its secrets; it may be shown no longer
    _masked: Detail | None = None  # the same memory
    _masking_timer: asyncio.TimerHandle | None = None

    @property
    def revealed(self) -> int | None:
        """The memory whose secrets are on the screen."""
        return (
            self._revealed.id if self._revealed is not None and self.view.detail is self._revealed else None
        )

    @worker(wording.MEMORY_NOT_READ, group="reveal")
    async def action_reveal(self) -> None:
        workspace, id = self.app.ready_workspace(), self.current
        if workspace is None:
            return
        if id is None:
            self.app.show_status(self.nothing_to("reveal"))
            return
        if not self.view.display:
            self.app.show_status(wording.open_to_reveal(self.app.key("memory.open")))
            return
        found = await self.app.lanes.read_raw(workspace.detail, id)
        if found is None or id != self.current:
            return
        masking = Masking()
        shown = masking.of(found)
        if not masking.count:
            self.app.show_status(wording.NO_SECRETS)
            return
        self._revealed, self._masked = found, shown
        self.view.show_detail(found, notice=wording.REVEALED)
        self.app.show_status(wording.revealed(masking.count, int(SECONDS)))
        self._stop_timer()
        self._masking_timer = asyncio.get_running_loop().call_later(SECONDS, self.mask_again)

    def mask_again(self) -> None:
        """Mask what the key revealed, if it is still on the screen."""
        self._stop_timer()
        if self.revealed is not None:
            self.view.show_detail(self._masked)
        self._revealed = self._masked = None

    def _stop_timer(self) -> None:
        if self._masking_timer is not None:
            self._masking_timer.cancel()
            self._masking_timer = None

    def on_screen_suspend(self) -> None:
        self.mask_again()

    def on_unmount(self) -> None:
        self._stop_timer()
