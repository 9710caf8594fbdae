"""The form of a rule: its parts, and below them what it would touch (S-60)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import QueryError, Refused
from memtui.memory.query.completion import CompletionContext
from memtui.memory.query.language import parse
from memtui.memory.results import Change
from memtui.memory.rules.rule import MAX_NAME, MAX_NOTE, OF_STORE, SETTLE, Rule
from memtui.memory.rules.trial import Trial
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.text_pane import TextPane
from memtui.tui.completing.completing_input import CompletingInput
from memtui.tui.completing.completion import Completion
from memtui.tui.completing.suggestions import SuggestionList
from memtui.tui.rules import action_language, wording
from memtui.tui.rules.action_language import ActionLanguage
from memtui.tui.rules.trial_text import trial_parts
from memtui.tui.workers.guarded import error_text, worker
from memtui.tui.workers.wording import failed

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

PAUSE = 0.1  # seconds after the last key before a rule is tried
_FIELD_OF = {
    "name": "rule-name",
    "query": "rule-when",
    "action": "rule-do",
    "note": "rule-note",
}  # by the code of a refusal


class RuleDialog(Dialog[tuple[Change, str] | None]):
    """Closes with the change and the rule's name, None if it was left; until then what was typed stays.

    `rule` is what it begins with; it is `known` if it is kept already."""

    BINDINGS = command_table.bindings(names.RULE)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]

    def __init__(self, workspace: Workspace, rule: Rule, *, known: bool) -> None:
        super().__init__()
        self._workspace = workspace
        self._rule = rule
        self._is_known = known
        self._trial: Trial | None = None
        self._acts = False  # whether the rule that was tried does anything yet

    def compose(self) -> ComposeResult:
        when = Completion(SuggestionList(id="when-suggestions"), self._read_query_values)
        do = Completion(
            SuggestionList(id="do-suggestions", width=64), self._read_action_values, ActionLanguage()
        )
        self._when, self._do = when, do
        rule = self._rule
        actions = ", ".join(each.text for each in rule.actions)
        fields: list[tuple[str, str, SafeInput, Completion | None]] = [
            (wording.NAME_FIELD, wording.NAME_HINT, self._plain(rule.name, "rule-name", MAX_NAME), None),
            (wording.WHEN_FIELD, wording.WHEN_HINT, CompletingInput(rule.when, when, id="rule-when"), when),
            (wording.DO_FIELD, wording.DO_HINT, CompletingInput(actions, do, id="rule-do"), do),
            (wording.NOTE_FIELD, wording.NOTE_HINT, self._plain(rule.note, "rule-note", MAX_NOTE), None),
        ]
        with Vertical(id="rule", classes="dialog"):
            for label, hint, field, completion in fields:
                field.placeholder = hint
                with Horizontal(classes="field"):
                    yield Static(Content(label), classes="label")
                    yield field
                if completion is not None:
                    yield completion.suggestions
            yield Static(id="message")
            yield TextPane(id="preview")

    @staticmethod
    def _plain(text: str, id: str, limit: int) -> SafeInput:
        return SafeInput(text, id=id, compact=True, max_length=limit, select_on_focus=False)

    def on_mount(self) -> None:
        box = self.query_one("#rule")
        title = wording.edit_title(self._rule.name) if self._is_known else wording.NEW_RULE
        box.border_title = Content(title)
        box.border_subtitle = Content(command_table.dialog_keys(names.RULE))
        self.query_one("#preview").border_title = Content(
            wording.APPLIES if self._rule.on else wording.DRY_RUN
        )
        self.query_one("#rule-name").focus()
        self.try_it()

    def on_resize(self) -> None:
        for completion in (self._when, self._do):
            self.call_after_refresh(completion.suggestions.place)
        self.call_after_refresh(self._draw)

    # Completion

    @worker(wording.VALUES_NOT_READ, group="values")
    async def _read_query_values(self, part: CompletionContext) -> None:
        values = await self.app.lanes.read(self._workspace.values, part.name, part.prefix)
        self._when.set_values(part, values)

    @worker(wording.VALUES_NOT_READ, group="values")
    async def _read_action_values(self, part: CompletionContext) -> None:
        if part.name == SETTLE:  # in favour of a store
            start = part.prefix.removeprefix(OF_STORE)
            stores = await self.app.lanes.read(self._workspace.values, "store", start)
            values = [(OF_STORE + store, count) for store, count in stores]
        else:
            values = await self.app.lanes.read(self._workspace.values, part.name, part.prefix)
        self._do.set_values(part, values)

    # The dry run

    def on_input_changed(self, event: Input.Changed) -> None:
        self.try_it()

    def on_descendant_blur(self) -> None:
        self.try_it()  # what is unfinished is a fault once its field is left

    @work(exclusive=True, group="trial")
    async def try_it(self) -> None:
        """Show what is wrong with the rule, else what it would touch."""
        await asyncio.sleep(PAUSE)
        rule = self._typed()
        if rule is None:
            self._show(None)
            return
        try:
            trial = await self.app.lanes.read(self._workspace.try_rule, rule)
        except QueryError as error:
            self._show_fault(error)
        except Exception as error:  # whatever it was, the form stays
            self._show(None)
            self.show_message(failed(wording.NOT_TRIED, error_text(error)))
        else:
            self._acts = bool(rule.actions)
            self._show(trial)
            self.show_message("" if self._acts else wording.NO_ACTION)

    def _typed(self) -> Rule | None:
        """Return the rule as it was typed so far; None, after showing why, if it cannot be tried."""
        when, do = self.query_one("#rule-when", CompletingInput), self.query_one("#rule-do", CompletingInput)
        when.mark(None)
        do.mark(None)
        try:
            query = parse(when.value)
        except QueryError as error:
            if error.unfinished and when.has_focus:
                self.show_message("")
            else:
                self._show_fault(error)
            return None
        cursor = do.cursor_position if do.has_focus else None
        actions, fault = action_language.read(do.value, cursor)
        if fault is not None:
            start, end, refused = fault
            do.mark((start, end))
            self.show_message(refused.message)
            return None
        if query.is_empty:
            self.show_message(wording.TYPE_QUERY)
            return None
        name = self.query_one("#rule-name", SafeInput).value
        note = self.query_one("#rule-note", SafeInput).value
        rule = self._rule
        return Rule(rule.id, name, when.value, tuple(actions), note, rule.position, rule.on)

    def _show_fault(self, error: QueryError) -> None:
        self.query_one("#rule-when", CompletingInput).mark((error.start, error.end))
        self._show(None)
        self.show_message(error_text(error))

    def _show(self, trial: Trial | None) -> None:
        self._trial = trial
        self._draw()

    def _draw(self) -> None:
        pane, trial = self.query_one("#preview", TextPane), self._trial
        width = max(20, pane.container_size.width - 1)
        names, on = self.app.store_names, self._rule.on
        parts = trial_parts(trial, width, names, on=on, acts=self._acts) if trial is not None else ()
        pane.show(Content.assemble(*parts).rstrip(), keep_place=True)

    # Keys

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_save()

    def action_save(self) -> None:
        if self.writing:
            return
        new = self._typed()
        if new is not None and self._is_known and new.begins_to_redact(self._rule):
            self._ask(new)
        else:
            self._start_saving()

    @worker(wording.NOT_TRIED, group="ask")
    async def _ask(self, new: Rule) -> None:
        """Ask before a rule that is on begins to redact, then save it."""
        from memtui.tui.rules.turn_dialog import TurnDialog

        trial = await self.app.lanes.read(self._workspace.try_rule, new)
        self.app.push_screen(TurnDialog(new, trial, 0), self._save_if)

    def _save_if(self, agreed: bool | None) -> None:
        if agreed:
            self._start_saving()

    def _start_saving(self) -> None:
        name, when, do, note = (self.query_one(f"#{id}", SafeInput).value for id in _FIELD_OF.values())
        actions = do.split(",")
        self.writing = True
        self._close_when_saved(self.app.lanes.write(self._save, name, when, actions, note), name)

    def _save(self, name: str, when: str, actions: Sequence[str], note: str) -> Change:
        work = self._workspace
        if self._is_known:
            return work.edit_rule(self._rule.name, new_name=name, when=when, actions=actions, note=note)
        return work.add_rule(name, when, actions, note)

    @work(group="write", exclusive=False)
    async def _close_when_saved(self, saving: Awaitable[Change], name: str) -> None:
        try:
            change = await saving
        except Refused as refused:
            self._show_refusal(refused)
        except Exception as error:  # whatever it was, it is shown and the form stays
            self.show_message(failed(wording.NOT_SAVED, error_text(error)))
        else:
            self.dismiss((change, " ".join(name.split())))
        finally:
            self.writing = False

    def _show_refusal(self, refused: Refused) -> None:
        """Show why the rule was not saved, with the cursor in the field in question."""
        if refused.code in _FIELD_OF:
            self.query_one(f"#{_FIELD_OF[refused.code]}").focus()
        if isinstance(refused, QueryError) and refused.end:
            self._show_fault(refused)
        self.show_message(error_text(refused))

    def action_next(self) -> None:
        """Accept what is suggested for what was typed, else go to the next field."""
        field = self.focused
        if isinstance(field, CompletingInput) and field.completion.accepts:
            field.completion.accept()
        else:
            self.focus_next()

    def action_page_up(self) -> None:
        self.query_one("#preview", TextPane).action_page_up()

    def action_page_down(self) -> None:
        self.query_one("#preview", TextPane).action_page_down()

    def action_cancel(self) -> None:
        if not self.writing:  # else what is being saved would be announced nowhere
            self.dismiss(None)
