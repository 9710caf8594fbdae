"""The dialog that shows how the doctor would repair a store's findings, and asks (S-52, S-91)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memtui.memory.results import Change
from memtui.memory.stores import Issue
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.inbox import wording
from memtui.tui.memory.bulk.verb_dialog import Job
from memtui.tui.text.text_layout import Part, one_line
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

MOST = 100  # findings that are listed


class RepairDialog(Dialog[Job | None]):
    """Closes with the job, None if it was left; the store is examined first."""

    BINDINGS = command_table.bindings(names.BULK)

    def __init__(self, workspace: Workspace, store: str, shown: str, code: str) -> None:
        """`shown` is the store's name as it is shown."""
        super().__init__()
        self._workspace = workspace
        self._store, self._shown, self._code = store, shown, code
        self._issues: Sequence[Issue] | None = None  # None until they are read

    def compose(self) -> ComposeResult:
        with Vertical(id="repair", classes="dialog verb"):
            yield VerticalScroll(Static(Content(wording.EXAMINING), id="preview"))
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#repair")
        box.border_title = Content(wording.repair_title(one_line(self._shown, 40)))
        box.border_subtitle = Content(wording.DO_KEYS)
        self._examine()

    @worker(wording.NOT_EXAMINED, group="preview")
    async def _examine(self) -> None:
        read = self._workspace.repairable
        issues = await self.app.lanes.background(read, self._store, self._code)
        self._issues = issues
        if not issues:
            self.query_one("#preview", Static).update(Content(wording.NOTHING_TO_REPAIR))
            return
        parts: list[Part] = [(wording.would_repair(len(issues)), "bold"), ("\n\n", "")]
        for issue in issues[:MOST]:
            parts += [(f"{one_line(issue.place, 200)}: {one_line(issue.text, 300)}", ""), ("\n", "")]
            parts += [(f"  {one_line(issue.repair, 300)}", "$quiet"), ("\n", "")]
        if len(issues) > MOST:
            parts.append((wording.more_like_it(len(issues) - MOST), "$quiet"))
        self.query_one("#preview", Static).update(Content.assemble(*parts))

    def action_go(self) -> None:
        if self._issues is None:
            self.show_message(wording.EXAMINING)
        elif issues := self._issues:
            work = self._workspace
            self.dismiss(
                Job("repair", (), lambda control: Change("mended", (), " ".join(work.repair(issues))))
            )
        else:
            self.dismiss(None)

    def action_cancel(self) -> None:
        self.dismiss(None)
