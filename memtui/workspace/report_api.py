"""The verb of `Workspace` for reports (S-75); it only reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.memory.report import Report
from memtui.workspace.db.database import translate_errors

if TYPE_CHECKING:
    from memtui.workspace.context import Context


class ReportApi:
    """What a report shows."""

    _ctx: Context

    def report(self, ids: Sequence[int] | None = None) -> Report:
        """Return what a report shows of these memories, of all that are in their stores if None."""
        from memtui.workspace.report import read

        with translate_errors(self._ctx.path):
            return read.read(self._ctx, ids)
