"""The verbs of `Workspace` for imports (S-74)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.memory.imported import Imported, ImportItem, ImportPreview, Unreadable
from memtui.memory.results import Change
from memtui.workspace.background import JobControl
from memtui.workspace.changes import wording
from memtui.workspace.context import NATIVE
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.context import Context


class ImportApi:
    """Memories out of files and other stores."""

    _ctx: Context
    _changing: Callable[[], AbstractContextManager[None]]

    def import_preview(
        self,
        found: Iterable[Imported | Unreadable],
        store: str = NATIVE,
        control: JobControl | None = None,
    ) -> ImportPreview:
        """Return what each of these memories is to those that are there; changes nothing. Raise Refused if
        nothing can be added to the store."""
        from memtui.workspace.changes.importing import judging

        target = catalog.find_attached(self._ctx, store)
        if reason := catalog.locked_reason(target):
            raise wording.add_locked(reason)
        return judging.judge(self._ctx, found, target, self._ctx.adapter(target), control or JobControl())

    def import_memories(
        self, chosen: Sequence[ImportItem], store: str = NATIVE, control: JobControl | None = None
    ) -> Change:
        """Add the chosen memories of a preview to a store as one change, without those that it has by now."""
        from memtui.workspace.changes.importing import adding

        self._ctx.writable()
        # Before what an interrupted one left is settled: what another import adds meanwhile is known then.
        with self._ctx.leases.alone(), self._changing():
            target = catalog.find_attached(self._ctx, store)
            if reason := catalog.locked_reason(target):
                raise wording.add_locked(reason)
            adapter = self._ctx.adapter(target)
            return adding.add(self._ctx, chosen, target, adapter, control or JobControl())
