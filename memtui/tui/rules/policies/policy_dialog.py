"""The form of a policy: its parts, each with what is wrong with it, and below them what would hold (S-61)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import Refused
from memtui.memory.policies import editing
from memtui.memory.policies import wording as refusals
from memtui.memory.policies.policy import Policy
from memtui.memory.query.completion import CompletionContext
from memtui.memory.results import Change
from memtui.memory.secrets.masking import hidden
from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.text_pane import TextPane
from memtui.tui.completing.completing_input import CompletingInput
from memtui.tui.completing.completion import Completion
from memtui.tui.completing.suggestions import SuggestionList
from memtui.tui.rules.policies import wording
from memtui.tui.rules.policies.policy_fields import (
    AGENT,
    STORE,
    FieldLanguage,
    Typed,
    parts_of,
    read,
    texts_of,
)
from memtui.tui.rules.policies.policy_text import holding_parts, stored_parts
from memtui.tui.rules.policies.reading import Policies
from memtui.tui.workers.guarded import error_text, worker
from memtui.tui.workers.wording import failed

if TYPE_CHECKING:
    from memtui.workspace.remember.checking import Breaching
    from memtui.workspace.workspace import Workspace

PAUSE = 0.1  # seconds after the last key before the memories are checked
_FIELD_OF = {
    "agent": AGENT,
    "limit": "most",
    "expiry": "expiry",
    "pattern": "sensitive",
    "category": "categories",
    "no-store": STORE,
}  # by the code of a refusal


class PolicyDialog(Dialog[tuple[Change, str] | None]):
    """Closes with the change and the agent's name, None if it was left; until then what was typed stays.

    `policy` is what it begins with, None for a new one."""

    BINDINGS = command_table.bindings(names.POLICY)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]

    def __init__(self, workspace: Workspace, known: Policies, policy: Policy | None) -> None:
        super().__init__()
        self._workspace = workspace
        self._known = known
        self._old = policy
        self._before = policy or Policy("")
        self._texts = texts_of(self._before)  # as they were
        self._breaches: list[Breaching] | None = None
        self._checked: Policy | None = None  # the policy that `_breaches` are of
        self._others = [each for each in known.own if each is not policy]
        self._told: dict[str, tuple[str, str]] = {}  # by field, what was not saved and why

    def compose(self) -> ComposeResult:
        with Vertical(id="policy", classes="dialog"):
            for name, (label, hint) in wording.FIELDS.items():
                suggestions = SuggestionList(id=f"{name}-suggestions", width=56)
                completion = Completion(suggestions, partial(self._read_values, name), FieldLanguage(name))
                field = CompletingInput(self._texts[name], completion, id=f"policy-{name}")
                field.placeholder = hint
                with Horizontal(classes="field"):
                    yield Static(Content(label), classes="label")
                    yield field
                yield Static(id=f"fault-{name}", classes="fault")
                yield suggestions
            yield Static(id="message")
            yield TextPane(id="preview")

    def on_mount(self) -> None:
        box = self.query_one("#policy")
        title = wording.NEW if self._old is None else wording.edit_title(self._old.agent)
        box.border_title = Content(safe_text(hidden(title), one_line=True))
        box.border_subtitle = Content(command_table.dialog_keys(names.POLICY))
        self.query_one("#preview").border_title = Content(wording.PREVIEW)
        self._field(AGENT if self._old is None else "read").focus()
        self.look()

    def on_resize(self) -> None:
        for each in self.query(SuggestionList):
            self.call_after_refresh(each.place)
        self.call_after_refresh(self._draw)

    def _field(self, name: str) -> CompletingInput:
        return self.query_one(f"#policy-{name}", CompletingInput)

    # Completion

    def _read_values(self, name: str, part: CompletionContext) -> None:
        self._load_values(name, part)

    @worker(wording.VALUES_NOT_READ, group="values")
    async def _load_values(self, name: str, part: CompletionContext) -> None:
        values = await self.app.lanes.read(self._workspace.values, part.name, part.prefix)
        if name == AGENT:  # one that has a policy already cannot have another
            values = [each for each in values if editing.find(self._others, each[0]) is None]
        self._field(name).completion.set_values(part, values)

    # What is typed

    def on_input_changed(self, event: Input.Changed) -> None:
        self.show_message("")
        self.look()

    def on_descendant_blur(self) -> None:
        self.look()  # what is unfinished is a fault once its field is left

    def look(self) -> None:
        """Show what is wrong with the fields, and what would hold."""
        typed = self._typed()
        for name in wording.FIELDS:
            field = self._field(name)
            is_begun = field.has_focus or (name == AGENT and not field.value)
            told, why = self._told.get(name, ("", ""))
            if not (why and told == field.value):
                why = "" if is_begun else typed.faults.get(name, "")
            line = self.query_one(f"#fault-{name}", Static)
            line.update(Content(safe_text(hidden(why), one_line=True)))
            line.display = bool(why)
            field.mark((0, len(field.value)) if why and field.value else None)
        self._draw()
        self.check()

    def _typed(self) -> Typed:
        return read(self._before, self._values(), self._others)

    def _values(self) -> dict[str, str]:
        return {name: self._field(name).value for name in wording.FIELDS}

    def _tell(self, faults: Mapping[str, str]) -> None:
        """Show why the policy was not saved, with the cursor in the first field in question."""
        self._told = {name: (self._field(name).value, why) for name, why in faults.items()}
        self._field(next(iter(faults))).focus()
        self.look()

    # What would hold

    @work(exclusive=True, group="check")
    async def check(self) -> None:
        """Count the stored memories that the policy would refuse."""
        await asyncio.sleep(PAUSE)
        policy = self._typed().policy
        if policy == self._checked or not policy.agent:
            return
        try:
            found = await self.app.lanes.read(self._workspace.check_policies, [policy])
        except Exception as error:  # whatever it was, the form stays
            self.show_message(failed(wording.NOT_CHECKED, error_text(error)))
        else:
            self._checked, self._breaches = policy, found
            self._draw()

    def _draw(self) -> None:
        pane, policy = self.query_one("#preview", TextPane), self._typed().policy
        if not policy.agent:
            pane.show(Content(wording.WHAT_FOR), keep_place=True)
            return
        width = max(20, pane.container_size.width - 1)
        others = [each for each in self._known.listed if each not in (self._old, policy)]
        stored = stored_parts(self._breaches if policy == self._checked else None, width)
        parts = [*holding_parts(policy, [policy, *others], width), *stored]
        pane.show(Content.assemble(*parts[1:]).rstrip(), keep_place=True)  # the heading is the first line

    # Keys

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_save()

    def action_save(self) -> None:
        if self.writing:
            return
        typed = self._typed()
        if typed.faults:
            self._tell(typed.faults)
        elif self._old is None and typed.policy == Policy(typed.policy.agent):
            self.show_message(wording.NOTHING_LIMITED)
        else:
            agent, texts = typed.policy.agent, self._values()
            changed = {name: text for name, text in texts.items() if text != self._texts[name]}
            self.writing = True
            self._close_when_saved(self.app.lanes.write(self._save, agent, changed), agent)

    def _save(self, agent: str, changed: Mapping[str, str]) -> Change:
        """Set what was changed, in the writing thread."""
        work, old = self._workspace, self._old
        if old is None and editing.find([each for each in work.policies() if not each.store], agent):
            raise refusals.has_policy(agent)
        return work.set_policy(agent, instead_of=old.agent if old else None, **parts_of(changed))

    @work(group="write", exclusive=False)
    async def _close_when_saved(self, saving: Awaitable[Change], agent: str) -> None:
        try:
            change = await saving
        except Refused as refused:
            self._show_refusal(refused)
        except Exception as error:  # whatever it was, it is shown and the form stays
            self.show_message(failed(wording.NOT_SAVED, error_text(error)))
        else:
            self.dismiss((change, agent))
        finally:
            self.writing = False

    def _show_refusal(self, refused: Refused) -> None:
        """Show why the policy was not saved, at the field in question if it is one."""
        if (name := _FIELD_OF.get(refused.code)) is not None:
            self._tell({name: refused.message})
        else:
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
