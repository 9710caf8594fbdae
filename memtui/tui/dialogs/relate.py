"""Say that a memory has a relation to another: which one, then how (SPEC 7, S-8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import QueryError, Refused
from memtui.memory.records import Change, Row, Tying
from memtui.text import safe_text
from memtui.tui import commands
from memtui.tui.dialogs.base import Dialog
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.widgets.clean_input import CleanInput
from memtui.tui.widgets.glyphs import fit
from memtui.tui.widgets.line_list import LineList, Part
from memtui.tui.widgets.memory_text import one
from memtui.tui.worker import in_words, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

MOST = 200  # memories that are offered
WHICH = "⏎ choose · esc cancel"
HOW = "⏎ relate · esc another memory"


class ChoiceList(LineList):
    """What can be chosen now: memories, or kinds of relation; the cursor is moved from the input."""

    can_focus = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.choices: list[Row] | list[Tying] = []

    @property
    def chosen(self) -> Row | Tying | None:
        """What is under the cursor."""
        return self.choices[self.cursor] if self.cursor < len(self.choices) else None

    @property
    def lit(self) -> bool:
        return True

    def show(self, choices: list[Row] | list[Tying]) -> None:
        """Other lines now."""
        self.choices = choices
        self.refill(len(choices), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        each = self.choices[index]
        if isinstance(each, Row):
            store = fit(one(each.store), min(24, max(1, width // 3)))
            return [(" ", "plain"), (fit(one(each.label), max(1, width - len(store) - 3)), "plain"),
                    ("  ", "plain"), (store, "quiet")]  # fmt: skip
        kind = fit(one(each.kind), min(20, width))
        words = "stands already: ⏎ takes it away" if each.there else one(each.words)
        return [(" ", "plain"), (kind, "accent" if each.there else "plain"), ("  ", "plain"),
                (fit(words, max(1, width - 24)), "quiet")]  # fmt: skip


class RelateDialog(Dialog[Change | None]):
    """Answers with what was done."""

    BINDINGS = commands.bindings(commands.RELATE)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, id: int, label: str, other: Row | None = None) -> None:
        super().__init__()
        self._workspace = workspace
        self._source, self._label = id, label
        self._other = other
        self._only = other is not None  # the other one was marked before
        self._going = False

    def compose(self) -> ComposeResult:
        with Vertical(id="relate", classes="dialog"):
            yield Static(id="from")
            yield CleanInput(id="typed", compact=True, select_on_focus=False)
            yield ChoiceList(id="choices")
            yield Static(id="said")

    def on_mount(self) -> None:
        self.choices = self.query_one(ChoiceList)
        self.typed = self.query_one(CleanInput)
        self.typed.focus()
        self._step()

    def _step(self) -> None:
        box = self.query_one("#relate")
        other = self._other
        box.border_title = Content("Relate to which memory?" if other is None else "How are they related?")
        box.border_subtitle = Content(WHICH if other is None else HOW)
        told: list[Part] = [(one(self._label), "bold")]
        if other is not None:
            told += [(" → ", "$quiet"), (one(other.label), "bold")]
        self.query_one("#from", Static).update(Content.assemble(*told))
        self.typed.value = ""
        self.load()

    @worker("The choices could not be read", group="choices")
    async def load(self) -> None:
        """The memories that are found, or the kinds that there are."""
        work, text, other = self._workspace, self.typed.value.strip(), self._other
        try:
            if other is None:
                rows = await self.app.lane.ask(lambda: work.rows(work.search(text).ids[:MOST]))
                self.choices.empty = [("No memory is found by these words.", "quiet")]
                self.choices.show([row for row in rows if row.id != self._source])
            else:
                kinds = await self.app.lane.ask(work.tyings, self._source, other.id, text)
                self.choices.show(kinds)
        except (QueryError, Refused) as wrong:
            self.tell(str(wrong))
            return
        self._about()

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self._about()

    def _about(self) -> None:
        chosen = self.choices.chosen
        if isinstance(chosen, Tying):
            self.tell("Takes this relation away." if chosen.there else f"{chosen.kind}: {chosen.words}.")
        else:
            self.tell("")

    def on_input_changed(self, event: Input.Changed) -> None:
        self.load()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._choose()

    def on_opened(self, message: Opened) -> None:
        self._choose()

    def _choose(self) -> None:
        chosen = self.choices.chosen
        if chosen is None:
            self.tell("There is nothing to choose.")
        elif isinstance(chosen, Row):
            self._other = chosen
            self._step()
        elif self._other is not None and not self._going:
            self._going = True
            self._go(chosen, self._other.id)

    @worker("Not saved", group="relate", exclusive=False)
    async def _go(self, chosen: Tying, other: int) -> None:
        act = self._workspace.unrelate if chosen.there else self._workspace.relate
        try:
            change = await self.app.lane.change(act, self._source, chosen.kind, other)
        except Refused as refused:
            self.tell(f"{refused.message} {refused.hint}".strip())
        except Exception as error:  # whatever it was, the person must read it
            self.tell(f"Not saved: {in_words(error)}")
        else:
            self.dismiss(change)
        finally:
            self._going = False

    # Keys

    def action_up(self) -> None:
        self.choices.action_up()

    def action_down(self) -> None:
        self.choices.action_down()

    def action_back(self) -> None:
        if self._other is None or self._only:
            self.dismiss(None)
        else:
            self._other = None
            self._step()

    def tell(self, text: str) -> None:
        """The lines of this dialog; the screen's is below it."""
        self.query_one("#said", Static).update(Content(safe_text(text, one_line=True, limit=600)))
