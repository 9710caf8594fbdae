"""The dialog that hides a store's finding from the Inbox for a while (S-52)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from memtui.memory.results import Change
from memtui.tui.inbox import wording
from memtui.tui.memory.bulk import wording as bulk_wording
from memtui.tui.memory.bulk.snooze_dialog import SnoozeDialog
from memtui.tui.memory.bulk.verb_dialog import Job
from memtui.tui.text.glyphs import moment
from memtui.tui.text.text_layout import one_line

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


class PutOffDialog(SnoozeDialog):
    """Offers the same moments as for memories; no store is written to, so nothing is previewed."""

    def __init__(self, workspace: Workspace, store: str, code: str) -> None:
        super().__init__(workspace, ())
        self._store, self._code = store, code

    def set_titles(self) -> None:
        box = self.query_one(".dialog")
        box.border_title = Content(wording.put_off_title(one_line(self._store, 30)))
        box.border_subtitle = Content(bulk_wording.keys("snooze"))

    def load(self) -> None:  # type: ignore[override]  # there is nothing to read
        self.previews = []
        self.draw()

    def _find_snoozed(self) -> None:  # type: ignore[override]  # a finding that is listed is not snoozed
        return

    @property
    def possible(self) -> int:
        return 1

    def effect(self, until: float) -> str:
        now = self.app.clock()
        return super().effect(until) if until <= now else wording.put_off_until(moment(until, now))

    def job(self) -> Job | None:
        if not self.is_possible() or (until := self.until()) is None:
            return None
        work, store, code = self._workspace, self._store, self._code
        day = moment(until, self.app.clock())

        def put_off(control: object) -> Change:
            work.put_off_findings(store, code, until)
            return Change("snoozed", (), wording.put_off(one_line(store, 60), day))

        return Job("snooze", (), put_off)
