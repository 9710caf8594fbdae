"""The app's status line: what is shown, and for how long."""

from __future__ import annotations

import asyncio
import time

from textual import events
from textual.app import App
from textual.reactive import reactive

from memtui.errors import Refused
from memtui.memory.secrets.masking import hidden
from memtui.tui.messages import Status
from memtui.tui.workers import wording
from memtui.tui.workers.guarded import error_text

DURATION = {"quiet": 10.0, "done": 15.0, "error": 30.0}  # seconds that a status is shown, by tone
READING_TIME = 4.0  # seconds after which a change or an error may disappear with its view
KEYS_END = {"quiet": 2.0, "done": READING_TIME}  # seconds after which the next key ends a status, by tone


class StatusApp(App[None]):
    """An app with a status line."""

    status: reactive[Status] = reactive(Status())

    def __init__(self) -> None:
        super().__init__()
        self._status_at_input = Status()  # what was shown when a key or the mouse was last pressed
        self._shown_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, (events.Key, events.MouseDown)):
            self._end_read_status()
            self._status_at_input = self.status
        await super().on_event(event)

    def show_status(
        self, text: str, *, tone: str = "quiet", hint: str = "", about: str = "", working: bool = False
    ) -> None:
        """Show a status for as long as it takes to read it; that of work which goes on until the next one."""
        self.status = Status(hidden(text), tone, hidden(hint), about, working)
        self._shown_at = time.monotonic()
        self.stop_status_timer()
        if text and not working:
            # The loop's own timer: Textual drops a late one on a busy machine, and waits for workers.
            self._timer = asyncio.get_running_loop().call_later(DURATION[tone], self.show_status, "")

    def show_refusal(self, refused: Refused) -> None:
        """Show why nothing was changed, and what to do."""
        self.show_status(refused.message, tone="error", hint=refused.hint)

    def show_error(self, failed: str, error: Exception) -> None:
        """Log an error and show it behind `failed`, what could not be done."""
        self.log.error(error)
        self.show_status(wording.failed(failed, error_text(error)), tone="error")

    def _end_read_status(self) -> None:
        """Clear what the user has had time to read before a key is handled; errors and work stay."""
        status, least = self.status, KEYS_END.get(self.status.tone)
        if status.text and least is not None and not status.working and self._shown_for > least:
            self.show_status("")

    @property
    def _shown_for(self) -> float:
        return time.monotonic() - self._shown_at

    def clear_old_status(self) -> None:
        """Clear a status that belongs to the screen or the list being left.

        A change or an error stays until it could be read, and so does what the last key press led to."""
        has_been_read = self.status.tone == "quiet" or self._shown_for > READING_TIME
        if has_been_read and self.status is self._status_at_input:
            self.show_status("")

    def stop_status_timer(self) -> None:
        """Keep the status as it is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
