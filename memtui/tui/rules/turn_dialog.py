"""The dialog that asks before a rule that touches many memories is switched, or one redacts (S-60)."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.memory.rules.rule import REDACT, Rule
from memtui.memory.rules.trial import Trial
from memtui.memory.secrets.masking import hidden
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.text_pane import TextPane
from memtui.tui.rules import wording
from memtui.tui.rules.trial_text import redacts_parts, trial_parts


class TurnDialog(Dialog[bool]):
    """Closes with whether the rule is to be switched: on, with what it would touch; off, with how many
    memories it `held`. One that is on is to be saved with what it would touch then, where it has a trial."""

    BINDINGS = command_table.bindings(names.TURN_RULE)

    def __init__(self, rule: Rule, trial: Trial | None, held: int) -> None:
        super().__init__()
        self._rule, self._trial, self._held = rule, trial, held

    def compose(self) -> ComposeResult:
        with Vertical(id="turn-rule", classes="dialog"):
            yield TextPane(id="preview")

    def on_mount(self) -> None:
        box = self.query_one("#turn-rule")
        is_edited = self._rule.on and self._trial is not None
        turns = wording.turn_title(self._rule.name, on=not self._rule.on)
        box.border_title = Content(hidden(wording.edit_title(self._rule.name) if is_edited else turns))
        box.border_subtitle = Content(command_table.dialog_keys(names.TURN_RULE))
        for pane in self.query(TextPane):  # none if a quick key has closed it already
            pane.focus()
        self.call_after_refresh(self._draw)

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        for pane in self.query(TextPane):
            self._show_in(pane)

    def _show_in(self, pane: TextPane) -> None:
        if self._trial is None:
            pane.show(Content(wording.takes_back(self._held)), keep_place=True)
            return
        width = max(20, pane.container_size.width - 1)
        parts = redacts_parts(self._trial, width) if self._rule.does(REDACT) else []
        parts += trial_parts(self._trial, width, self.app.store_names, on=False)
        pane.show(Content.assemble(*parts).rstrip(), keep_place=True)

    def action_go(self) -> None:
        self.dismiss(True)

    def action_cancel(self) -> None:
        self.dismiss(False)
