"""The dialog that asks before a project's file is trusted, or no longer (S-63)."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.importing.project_file import ProjectFile
from memtui.memory.rules.file.trusting import TrustPlan
from memtui.memory.secrets.masking import hidden
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.text_pane import TextPane
from memtui.tui.rules import wording
from memtui.tui.rules.actions import Touches
from memtui.tui.rules.trust_text import distrust_parts, trust_parts


class TrustDialog(Dialog[bool]):
    """Closes with whether to go on: `plan` is what trusting the file would do, None if it is to be
    distrusted; then `held` names its rules and policies that are kept."""

    BINDINGS = command_table.bindings(names.TRUST)

    def __init__(
        self, file: ProjectFile, plan: tuple[TrustPlan, Touches] | None, held: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self._file, self._plan, self._held = file, plan, held

    def compose(self) -> ComposeResult:
        with Vertical(id="trust", classes="dialog"):
            yield TextPane(id="preview")

    def on_mount(self) -> None:
        box = self.query_one("#trust")
        name = wording.short_path(self._file.path)
        box.border_title = Content(hidden(wording.trust_title(name, trust=self._plan is not None)))
        box.border_subtitle = Content(command_table.dialog_keys(names.TRUST))
        for pane in self.query(TextPane):  # none if a quick key has closed it already
            pane.focus()
        self.call_after_refresh(self._draw)

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        for pane in self.query(TextPane):
            self._show_in(pane)

    def _show_in(self, pane: TextPane) -> None:
        width = max(20, pane.container_size.width - 1)
        if self._plan is not None:
            parts = trust_parts(*self._plan, width)
        else:
            parts = distrust_parts(self._held, width)
        pane.show(Content.assemble(*parts).rstrip(), keep_place=True)

    def action_go(self) -> None:
        self.dismiss(True)

    def action_cancel(self) -> None:
        self.dismiss(False)
