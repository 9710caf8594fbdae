"""The export dialog: what, as what, within which budget; what is in and out, and why (S-70, S-71, S-73)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from memtui.export.pack import Pack
from memtui.memory.selection.budget import MARK, OMIT, Judged, Reason
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.exporting import wording
from memtui.tui.exporting.fields import MOST_DIGITS, BudgetInput, ChoiceField
from memtui.tui.exporting.meter import meter
from memtui.tui.exporting.pack_list import PackList
from memtui.tui.exporting.packing import Choices, Scope, kinds
from memtui.tui.exporting.repacking import Outcome, Packed, RepackingDialog
from memtui.tui.exporting.target_dialog import TargetDialog
from memtui.tui.exporting.text_dialog import ExportTextDialog
from memtui.tui.messages import CursorMoved
from memtui.tui.terminal import clipboard
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

_TREATMENTS = (OMIT, MARK)
MOST_COPIED = 1_000_000  # bytes of a text that goes to a clipboard


class ExportDialog(RepackingDialog):
    """Shows the export as it would be, at each key again; copies or writes it. The first of `scopes` is
    exported until another one is chosen."""

    BINDINGS = command_table.bindings(names.EXPORT)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]
    app: MemtuiApp

    def __init__(self, workspace: Workspace, scopes: Sequence[Scope], choices: Choices) -> None:
        super().__init__(workspace, choices)
        self._scopes = scopes
        self._overrides: dict[str, bool] = {}  # what the user took in or out, by uid
        self._then: Callable[[], None] | None = None  # a key that came before its pack was made
        self._explained: tuple[PackList | None, Judged | None] = (None, None)

    def compose(self) -> ComposeResult:
        choices, titles = self.choices, [each.title for each in kinds()]
        treatments = [wording.TREATMENTS[each] for each in _TREATMENTS]
        self.what = ChoiceField([each.label for each in self._scopes], id="what")
        self.kind = ChoiceField(titles, kinds().index(choices.kind), id="as")
        budget = "" if choices.budget is None else str(choices.budget)
        self.budget = BudgetInput(
            budget, id="budget", compact=True, placeholder=wording.NO_LIMIT, max_length=MOST_DIGITS
        )
        self.pairs = ChoiceField(treatments, _TREATMENTS.index(choices.contradictions), id="pairs")
        self.included = PackList(id="in", reason_width=15)
        self.left_out = PackList(id="out", reason_width=24)
        with Vertical(id="export", classes="dialog"):
            yield _field(wording.WHAT, self.what)
            yield _field(wording.AS, self.kind)
            yield _field(wording.BUDGET, self.budget, Static(id="unit"))
            yield _field(wording.CONTRADICTIONS, self.pairs)
            yield Static(Content(wording.PACKING), id="meter")
            yield Container(self.included, self.left_out, id="preview")
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#export")
        box.border_title = Content(wording.TITLE)
        box.border_subtitle = Content(command_table.dialog_keys(names.EXPORT))
        self.included.empty_lines = [(wording.PACKING, "quiet")]
        (self.what if self.what.can_focus else self.kind).focus()
        self.repack()

    def repack(self, *, typing: bool = False) -> None:
        self._then = None  # it was pressed for another choice
        super().repack(typing=typing)

    # What is shown

    @property
    def scope(self) -> Scope:
        return self._scopes[self.what.place]

    @property
    def overrides(self) -> dict[str, bool]:
        return self._overrides

    def show_progress(self, text: str) -> None:
        self.query_one("#meter", Static).update(Content.styled(text, "$quiet"))

    def show_failure(self, text: str) -> None:
        self._then = None
        self.show_message(text)
        self.show_progress("")
        self.included.empty_lines = []
        self.included.refresh()

    def show_packed(self, packed: Packed) -> None:
        pack, labels = packed.pack, packed.labels
        self.included.empty_lines = [(wording.NONE_IN, "quiet")]
        self.left_out.empty_lines = [(wording.NONE_OUT, "quiet")]
        for part, items, title in (
            (self.included, pack.included, wording.included(len(pack.included))),
            (self.left_out, pack.left_out, wording.left_out(len(pack.left_out))),
        ):
            part.show(items, labels)
            part.border_title = Content(f" {title} ")
        self.query_one("#meter", Static).update(Content.assemble(*meter(pack, packed.choices)))
        self.query_one("#unit", Static).update(Content(wording.budget_hint(pack.unit)))
        self._explain()
        then, self._then = self._then, None
        if then is not None:
            then()

    def _explain(self) -> None:
        """Say why the memory under the cursor is in or out, or what the format takes."""
        part, text = self._part, self.choices.kind.limits
        self._explained = self._under_cursor
        if part is not None:
            judged, unit = part.highlighted, self.packed.pack.unit if self.packed is not None else ""
            is_in = part is self.included
            text = wording.why(part.reason(judged), judged.tokens, unit, is_in=is_in) if judged else ""
        self.show_message(text)

    @property
    def _part(self) -> PackList | None:
        """The list that has the focus."""
        return next((each for each in (self.included, self.left_out) if each.has_focus), None)

    @property
    def _under_cursor(self) -> tuple[PackList | None, Judged | None]:
        """The list that has the focus, and its memory under the cursor."""
        part = self._part
        return part, part.highlighted if part is not None else None

    def on_cursor_moved(self, message: CursorMoved) -> None:
        if self._under_cursor != self._explained:  # else what was said since stays
            self._explain()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._explain()

    # Choices

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.budget.budget != self.choices.budget:
            self.choices = replace(self.choices, budget=self.budget.budget)
            self.repack(typing=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_copy()

    def action_up(self) -> None:
        self._move(-1)

    def action_down(self) -> None:
        self._move(1)

    def action_left(self) -> None:
        self._move(-1)

    def action_right(self) -> None:
        self._move(1)

    def _move(self, by: int) -> None:
        """Change the field that has the focus; from a list, go to the other one."""
        if self._part is not None:
            (self.left_out if self._part is self.included else self.included).focus()
        elif self.budget.has_focus:
            self.budget.step(up=by < 0)
        elif isinstance(self.focused, ChoiceField):
            self.focused.move(by)
            self.choices = replace(
                self.choices,
                kind=kinds()[self.kind.place],
                contradictions=_TREATMENTS[self.pairs.place],
            )
            self.repack()

    def action_turn(self) -> None:
        """Take the memory under the cursor in or out; a second time, leave it to the rules again."""
        part = self._part
        if isinstance(self.focused, ChoiceField):
            self._move(1)
            return
        if part is None:
            self.show_message(wording.PICK_ONE)
            return
        judged = part.highlighted
        if judged is None:
            return
        if judged.reason is Reason.FORMAT_LIMIT:
            self.show_message(wording.kept_out(self.choices.kind.title, judged.other))
            return
        if judged.uid in self._overrides:
            del self._overrides[judged.uid]
        else:
            self._overrides[judged.uid] = part is self.left_out
        self.repack()

    # What is done with it

    def _when_packed(self, action: Callable[[], None]) -> Pack | None:
        """Return the export as it is chosen now; None if it is still put together, and `action` follows, or
        if nothing is in it."""
        if self.packed is None or self.is_stale:
            if self.has_failed:
                self.repack()
            # A key after the one that waits was meant for what that opens.
            self._then = self._then or action
            self.show_message(wording.PACKING)
            return None
        if not self.packed.pack.included:
            self.show_message(wording.NONE_TO_EXPORT)
            return None
        return self.packed.pack

    def action_copy(self) -> None:
        if self.choices.kind.store is not None:
            self.show_message(wording.STORE_NOT_COPIED)
            return
        pack = self._when_packed(self.action_copy)
        if pack is None:
            return
        size = clipboard.size_of(pack.text)
        if size > MOST_COPIED:
            self.show_message(wording.too_long(size))
        else:
            self._copy(pack)

    @worker(wording.NOT_COPIED, group="copy")
    async def _copy(self, pack: Pack) -> None:
        clipboards = await self.app.copy(pack.text, may_be_cut=False)
        if not clipboards:
            self.show_message(wording.too_long(clipboard.size_of(pack.text)))
            return
        summary = wording.copied(len(pack.included), pack.tokens, pack.unit, clipboards)
        self.dismiss(Outcome(self.choices, summary))

    def action_write(self) -> None:
        if pack := self._when_packed(self.action_write):
            dialog = TargetDialog(pack, self.choices.kind, self.workspace)
            self.app.push_screen(dialog, self._written)

    def _written(self, done: tuple[str, str] | None) -> None:
        if done is not None:
            self.dismiss(Outcome(self.choices, *done))

    def action_text(self) -> None:
        if self.choices.kind.store is not None:
            self.show_message(wording.NO_TEXT)
        elif self.packed is None or self.is_stale:
            self._when_packed(self.action_text)
        else:
            self.app.push_screen(ExportTextDialog(self.packed.pack))

    def action_cancel(self) -> None:
        self.dismiss(Outcome(self.choices))


def _field(name: str, *widgets: Widget) -> Horizontal:
    return Horizontal(Static(one_line(name), classes="name"), *widgets, classes="field")
