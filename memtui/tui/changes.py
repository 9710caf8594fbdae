"""Changes: one verb, one Change, one status (ARCHITECTURE, 'One change, all the way')."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from rich.text import Text
from textual.signal import Signal

from memtui.errors import Refused
from memtui.memory.results import Change
from memtui.memory.secrets.masking import hidden
from memtui.text import safe_text
from memtui.tui import wording
from memtui.tui.messages import Status
from memtui.tui.status import StatusApp
from memtui.tui.workers.bulk_run import BulkRun
from memtui.tui.workers.lanes import Lanes

if TYPE_CHECKING:
    from memtui.workspace.background import JobControl
    from memtui.workspace.session.effects import AgentEffect

P = ParamSpec("P")
T = TypeVar("T")
SOON = 0.5  # seconds after which a change that still runs is shown


class ChangingApp(StatusApp):
    """An app that runs verbs in the writing thread, and announces what they changed."""

    def __init__(self) -> None:
        super().__init__()
        self.lanes = Lanes()
        self._bulk: list[BulkRun] = []  # the verbs on many memories: one is running, others wait for it
        self._is_quitting = False
        self._unannounced = 0  # verbs on many memories whose result is not shown yet
        self._last_words: list[str] = []  # what became of those that quitting stopped
        self.changed: Signal[Change] = Signal(self, "changed")
        """Every change, whoever made it and wherever it was asked for."""

    def key(self, id: str) -> str:
        """Return the label of a command's key."""
        raise NotImplementedError

    async def refresh_counts(self, change: Change | None = None) -> None:
        """Read the header's counts and the Inbox again, of the Inbox what a change touched."""
        raise NotImplementedError

    async def read_effects(self, change: Change) -> Sequence[AgentEffect]:
        """Return what a change makes of what agents see."""
        raise NotImplementedError

    def run_change(
        self, verb: Callable[..., Change], *args: object, hint: str | None = None, doing: str = ""
    ) -> None:
        """Queue a verb for the writing thread, and announce its change; it goes on if its screen is left.
        `doing` is shown while it takes long.

        It is queued at once: a key that quits may follow before any worker begins."""
        change = self.lanes.write(verb, *args)
        self.start_work("change", self._announce_when_done, change, partial(self.announce, hint=hint), doing)

    def run_bulk(
        self,
        verb: Callable[[JobControl], T],
        doing: str,
        total: int,
        announce: Callable[[T], Coroutine[Any, Any, str]],
    ) -> None:
        """Queue a verb on many memories, and show its progress; `stop_bulk` ends it between two of them.

        `doing` names it ("Dismissing"), `total` counts the memories, `announce` shows its result."""
        run = BulkRun(self, doing, total, self.key("screen.back"))
        self._bulk.append(run)
        if self._is_quitting:
            run.stop(quits=True)
        self._unannounced += 1
        result = self.lanes.write(verb, run.control)
        result.add_done_callback(partial(self._bulk_ended, run))
        self.start_work("change", self._announce_bulk, result, announce)

    def stop_bulk(self) -> bool:
        """Stop the verb on many memories that is running, or if it is ending already the next one in the
        queue; return whether there is any."""
        if run := next((each for each in self._bulk if not each.is_stopping), None):
            run.stop()
        return bool(self._bulk)

    async def action_quit(self) -> None:
        """Quit; first stop the verbs on many memories between two, and print what they did (S-50)."""
        if self._is_quitting or not self._bulk:
            self.exit()
            return
        self._is_quitting = True
        for run in reversed(self._bulk):  # the one that is running is shown
            run.stop(quits=True)

    def end_bulk(self) -> None:
        """Have the verbs on many memories end soon, since the app ends; may be called in any thread."""
        for run in tuple(self._bulk):
            run.ask_to_stop()

    def _bulk_ended(self, run: BulkRun, done: object) -> None:
        run.ended = True
        self._bulk.remove(run)

    def start_work(
        self, group: str, work: Callable[P, Coroutine[Any, Any, object]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Start a worker of the app.

        Its coroutine is made when the worker begins: one that never began would be reported at exit."""
        call: Any = partial(work, *args, **kwargs)  # Textual's types know no coroutine function with a result
        self.run_worker(call, group=group)

    async def _announce_when_done(
        self,
        running: Awaitable[T],
        announce: Callable[[T], Coroutine[Any, Any, str]],
        doing: str = "",
    ) -> str:
        """Show what became of a verb, and return it."""
        try:
            if doing and not (await asyncio.wait([asyncio.ensure_future(running)], timeout=SOON))[0]:
                self.show_status(doing, working=True)
            result = await running
        except Refused as refused:
            self.show_refusal(refused)
            return refused.message
        except Exception as error:  # a bug in a verb must not end the app
            self.show_error(wording.CHANGE_FAILED, error)
            return self.status.text
        return await announce(result)

    async def _announce_bulk(
        self, running: Awaitable[T], announce: Callable[[T], Coroutine[Any, Any, str]]
    ) -> None:
        text = hidden(await self._announce_when_done(running, announce))
        self._last_words.append(safe_text(text, one_line=True))
        self._unannounced -= 1
        if not self._unannounced:
            if self._is_quitting:
                self.exit(message=Text("\n".join(self._last_words)))
            self._last_words.clear()

    async def announce(self, change: Change, *, hint: str | None = None) -> str:
        """Show a change on the status line, publish it, and return what is shown; `hint` is how to undo it,
        by default with u."""
        if hint is None:  # what changed nothing cannot be undone: u would undo the change before
            hint = wording.undo_hint(self.key("change.undo")) if change.journal_id is not None else ""
        text = change.summary
        if change.skipped:
            left = [each for each in change.skipped if each.code != "partly"]
            if left:
                text = wording.change_with_skipped(text, len(left), left[0].reason)
            else:
                text = wording.change_with_remainder(text, change.skipped[0].reason)
        self.show_status(text, tone="done", hint=wording.change_hint(hint))
        await self.refresh_counts(change)
        self.changed.publish(change)
        if change.journal_id is not None:
            self.start_work("effects", self._add_effects, change, self.status)
        return text

    async def _add_effects(self, change: Change, shown: Status) -> None:
        """Add to a change's line what it makes of what agents see, unless another line took its place."""
        try:
            found = await self.read_effects(change)
        except Exception as error:  # the change itself was announced
            self.log.error(error)
            return
        if found and self.status is shown:
            from memtui.workspace.session.wording import agent_effect

            text = " · ".join((shown.text, *map(agent_effect, found)))
            self.show_status(text, tone=shown.tone, hint=shown.hint, about=shown.about)
