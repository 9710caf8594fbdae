"""The verbs of `Workspace` for what needs the person, and for secrets (S-52, S-62)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.memory.inbox.items import Inbox, Touched
from memtui.memory.results import Change
from memtui.workspace.secrets.found import MemoryWithSecrets

if TYPE_CHECKING:
    from memtui.workspace.background import JobControl
    from memtui.workspace.context import Context


class InboxApi:
    """The queue of what waits, and the sweep that finds secrets."""

    _ctx: Context
    _changing: Callable[[], AbstractContextManager[None]]

    def inbox(self, opened: Iterable[str] = (), touched: Touched | None = None) -> Inbox:
        """Return what waits for the person over all stores, the most harmful first; of the stores in `opened`
        also each candidate. With `touched`, of single memories and pairs only those that it names."""
        from memtui.workspace.inbox import queue

        return queue.listed(self._ctx, opened, touched)

    def snooze_findings(self, store: str, code: str, until: float) -> Change:
        """Hide the findings of one kind in a store from the Inbox until a moment (Unix seconds)."""
        from memtui.workspace.inbox import queue

        with self._changing():
            return queue.snooze_finding(self._ctx, store, code, until)

    def sweep_secrets(
        self,
        control: JobControl | None = None,
        on_found: Callable[[Iterable[int]], object] = lambda ids: None,
    ) -> int:
        """Search the memories that are new or changed for secrets; return how many were searched. `on_found`
        is told the memories whose secrets are others than those known before."""
        from memtui.workspace.secrets import sweep

        return sweep.run(self._ctx, control, on_found)

    def mark_no_secret(self, ids: Sequence[int]) -> Change:
        """Note that what was found as secrets in these memories is none: it is shown from then on, wherever
        it stands; raise Refused if nothing was found."""
        from memtui.workspace.inbox import no_secret

        with self._changing():
            return no_secret.mark(self._ctx, ids)

    def check_stores(self, control: JobControl | None = None) -> bool:
        """Have the doctor examine the stores in which something may have changed; return whether it finds
        anything else than before."""
        from memtui.workspace.background import JobControl
        from memtui.workspace.maintenance import checkup

        return checkup.run(self._ctx, control or JobControl())

    def memories_with_secrets(self) -> list[MemoryWithSecrets]:
        """Return the memories in which the sweep found a secret, the longest known first."""
        from memtui.workspace.secrets import found

        return list(found.listed(self._ctx))
