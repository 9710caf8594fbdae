"""Where a connected agent is served: one workspace, one agent, one call at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from contextlib import AbstractContextManager
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from memtui.agents.mcp import wording
from memtui.agents.mcp.call import Call
from memtui.errors import Refused

if TYPE_CHECKING:
    from memtui.memory.stores import AddTarget
    from memtui.workspace.search.recall import Caller
    from memtui.workspace.workspace import Workspace

T = TypeVar("T")
_FEW = 200  # memories that are embedded or compared before a call is answered
_GRACE = 0.6  # seconds that a call in progress has when the server ends
_log = logging.getLogger(__name__)


class Desk:
    """Serves `agent`, whose memories go into `store`, "" for the one that its policy says. Who that is was
    said when the server started: no call says otherwise. The workspace is opened by the first call: a client
    is greeted before."""

    def __init__(
        self, opening: AbstractContextManager[Workspace], agent: str, store: str, tokenizer: str = ""
    ) -> None:
        self.agent = agent
        self.store = store
        self.tokenizer = tokenizer
        self.call = Call("")  # the one in progress
        self.closing = False
        self._opening = opening
        self._opened: Workspace | None = None
        self._failed: BaseException | None = None
        # A thread of its own: the workspace has a connection for each, and the event loop answers pings.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="memtui-mcp")

    @property
    def opened(self) -> Workspace:
        """The workspace; for the thread of the desk."""
        if self._failed is not None:
            raise self._failed
        if self._opened is None:
            try:
                self._opened = self._opening.__enter__()
                self.store = self.store or self._opened.store_for(self.agent)
                self.target()
            except BaseException as error:
                self._failed = error  # no later call tries again: whoever serves the desk ends
                raise
        return self._opened

    @cached_property
    def caller(self) -> Caller:
        """The agent, as it asks."""
        from memtui.workspace.search.recall import Caller

        return Caller(self.agent)

    async def run(self, call: Call, work: Callable[[], T]) -> T:
        """Do one piece of work on the thread of the workspace, after those before it, on what other programs
        have written until then. If the caller is cancelled, the work ends soon or is not begun."""
        try:
            doing = self._thread.submit(partial(self._do, call, work))
        except RuntimeError:  # the desk is closed
            raise wording.ended() from None
        try:
            return await asyncio.wrap_future(doing)
        except asyncio.CancelledError:
            call.stop()
            raise

    def target(self, store: str = "") -> AddTarget:
        """Return what a store holds of a new memory, by default the agent's; raise Refused if it is not
        attached."""
        name = store or self.store
        found = next((each for each in self.opened.add_targets() if each.store == name), None)
        if found is None:
            raise wording.store_gone(name)
        return found

    def embed_few(self) -> None:
        """Embed what is new before a question, where that takes seconds at most."""
        opened, state = self.opened, self.opened.embedding_state()
        if state.phase == "waiting":
            self.call.begin(wording.LOADING)
        if opened.load_model() and 0 < state.pending <= _FEW and not opened.read_only:
            opened.embed(self.call.control(wording.EMBEDDING))

    def compare_few(self) -> bool:
        """Compare what is new with all other memories, where that takes seconds at most; return whether all
        are compared."""
        if 0 < self.opened.queue_counts().unscanned <= _FEW and not self.opened.read_only:
            self.opened.scan(self.call.control(wording.COMPARING))
        return not self.opened.queue_counts().unscanned

    def close(self) -> bool:
        """End the thread; return whether it ended, with the workspace closed: not in the middle of a call,
        which a later start settles."""
        self.closing = True
        self.call.stop()
        if self._opened is not None:
            self._opened.stop_reading()
        last = self._thread.submit(self._close)
        self._thread.shutdown(wait=False)
        try:
            last.result(_GRACE)
        except TookTooLong:
            return False
        return True

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close_thread()
            self._opening.__exit__(None, None, None)

    def _do(self, call: Call, work: Callable[[], T]) -> T:
        self.call = call
        with self.opened.calling(call.tool, call.session):
            self._pull()
            if call.stopped:
                raise wording.stopped()
            return work()

    def _pull(self) -> None:
        try:
            pulled = self.opened.pull()
        except Refused as refusal:  # the agent is served with what was read before
            _log.warning(wording.NOT_FRESH, refusal.message)
        else:
            for store, reason in pulled.errors.items():
                _log.warning(wording.STORE_NOT_FRESH, store, reason)
