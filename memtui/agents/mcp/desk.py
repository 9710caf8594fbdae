"""Where a connected agent is served: one workspace, one agent, one call at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from memtui.agents.mcp import wording
from memtui.errors import Refused
from memtui.workspace.search.recall import Caller

if TYPE_CHECKING:
    from memtui.memory.stores import AddTarget
    from memtui.workspace.workspace import Workspace

T = TypeVar("T")
_FEW = 200  # memories that are embedded or compared before a call is answered
_GRACE = 0.6  # seconds that a call in progress has when the server ends
_log = logging.getLogger(__name__)


class Desk:
    """Serves `agent`, whose memories go into `store`. Who that is was said when the server started: no call
    says otherwise."""

    def __init__(self, opened: Workspace, agent: str, store: str, tokenizer: str = "") -> None:
        self.opened = opened
        self.agent = agent
        self.store = store
        self.tokenizer = tokenizer
        self.caller = Caller(agent)
        # A thread of its own: the workspace has a connection for each, and the event loop answers pings.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="memtui-mcp")

    async def run(self, work: Callable[[], T]) -> T:
        """Do one piece of work on the thread of the workspace, after those before it, on what other programs
        have written until then."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(self._fresh, work))

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
        state = self.opened.embedding_state()
        if self.opened.load_model() and 0 < state.pending <= _FEW and not self.opened.read_only:
            self.opened.embed()

    def compare_few(self) -> bool:
        """Compare what is new with all other memories, where that takes seconds at most; return whether all
        are compared."""
        if 0 < self.opened.queue_counts().unscanned <= _FEW and not self.opened.read_only:
            self.opened.scan()
        return not self.opened.queue_counts().unscanned

    def close(self) -> bool:
        """End the thread; return whether it ended, and the workspace can be closed: not in the middle of a
        call, which a later start settles."""
        self.opened.stop_reading()
        last = self._thread.submit(self.opened.close_thread)
        self._thread.shutdown(wait=False)
        try:
            last.result(_GRACE)
        except TookTooLong:
            return False
        return True

    def _fresh(self, work: Callable[[], T]) -> T:
        try:
            pulled = self.opened.pull()
        except Refused as refusal:  # the agent is served with what was read before
            _log.warning(wording.NOT_FRESH, refusal.message)
        else:
            for store, reason in pulled.errors.items():
                _log.warning(wording.STORE_NOT_FRESH, store, reason)
        return work()
