"""The dialog that snoozes what is no memory: pairs, and the findings of a store (S-52)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.memory.results import Change
from memtui.tui.memory.bulk import wording as bulk_wording
from memtui.tui.memory.bulk.snooze_dialog import SnoozeDialog
from memtui.tui.memory.bulk.verb_dialog import Job
from memtui.tui.text.glyphs import moment

if TYPE_CHECKING:
    from memtui.workspace.background import JobControl
    from memtui.workspace.workspace import Workspace

Run = Callable[[float, "JobControl | None"], Change]
"""Snoozes until a moment (Unix seconds)."""


class PutOffDialog(SnoozeDialog):
    """Offers the same moments as for memories; no store is written to, so nothing is previewed.

    `ids` are those of pairs; `means` says what the choice of a day means."""

    def __init__(
        self, workspace: Workspace, ids: Sequence[int], title: str, means: Callable[[str], str], run: Run
    ) -> None:
        super().__init__(workspace, ids)
        self._title, self._means, self._run = title, means, run

    def set_titles(self) -> None:
        box = self.query_one(".dialog")
        box.border_title = Content(self._title)
        box.border_subtitle = Content(bulk_wording.keys("snooze"))

    def load(self) -> None:  # type: ignore[override]  # there is nothing to read
        self.previews = []
        self.draw()

    def _find_snoozed(self) -> None:  # type: ignore[override]  # what is listed is not snoozed
        return

    @property
    def possible(self) -> int:
        return 1

    def effect(self, until: float) -> str:
        now = self.app.clock()
        return super().effect(until) if until <= now else self._means(moment(until, now))

    def job(self) -> Job | None:
        if not self.is_possible() or (until := self.until()) is None:
            return None
        return Job("snooze", self.ids, lambda control: self._run(until, control))
