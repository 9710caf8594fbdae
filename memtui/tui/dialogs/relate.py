"""Say that a memory has a relation to another: which one, then how (SPEC 7, S-8)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import QueryError, Refused
from memtui.memory.records import Change, Row, Tying
from memtui.tui import commands
from memtui.tui.dialogs.base import Dialog
from memtui.tui.dialogs.choices import MOST, ChoiceList
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.widgets.clean_input import CleanInput
from memtui.tui.widgets.line_list import Part
from memtui.tui.widgets.memory_text import one
from memtui.tui.worker import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

WHICH = "⏎ choose · esc cancel"
HOW = "⏎ choose · esc another memory"
WHY = "⏎ relate · esc another kind"
WHY_NOT = "why, in a line, if you like"


class RelateDialog(Dialog[Change | None]):
    """Answers with what was done."""

    BINDINGS = commands.bindings(commands.RELATE)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, id: int, label: str, other: Row | None = None) -> None:
        super().__init__()
        self._workspace = workspace
        self._source, self._label = id, label
        self._other = other
        self._kind: Tying | None = None
        self._only = other is not None  # the other one was marked before

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
        other, kind = self._other, self._kind
        title, keys = ("Relate to which memory?", WHICH) if other is None else ("How are they related?", HOW)
        if kind is not None:
            title, keys = "Why are they related so?", WHY
        box.border_title, box.border_subtitle = Content(title), Content(keys)
        told: list[Part] = [(one(self._label), "bold")]
        if other is not None:
            told += [
                (f" ─ {one(kind.kind, 60)} ─▶ " if kind else " → ", "$quiet"),
                (one(other.label), "bold"),
            ]
        self.query_one("#from", Static).update(Content.assemble(*told))
        self.typed.placeholder = WHY_NOT if kind is not None else ""
        self.typed.value = ""
        self.choices.display = kind is None
        self.load()

    @worker("The choices could not be read", group="choices")
    async def load(self) -> None:
        """The memories that are found, or the kinds that there are."""
        work, text, other = self._workspace, self.typed.value.strip(), self._other
        if self._kind is not None:
            self.tell(f"{self._kind.kind}: {self._kind.words}.")
            return
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
        if self._kind is not None:
            self._begin(self._kind)
        elif chosen is None:
            self.tell("There is nothing to choose.")
        elif isinstance(chosen, Row):
            self._other = chosen
            self._step()
        elif chosen.there or not chosen.says_why:
            self._begin(chosen)
        else:
            self._kind = chosen
            self._step()

    def _begin(self, chosen: Tying) -> None:
        if self._other is None:
            return
        work, source, other = self._workspace, self._source, self._other.id
        why = self.typed.value.strip() if self._kind is not None else ""
        act = partial(work.unrelate if chosen.there else work.relate, source, chosen.kind, other)
        self.do("Not saved", partial(act, context=why) if why else act)

    # Keys

    def action_up(self) -> None:
        self.choices.action_up()

    def action_down(self) -> None:
        self.choices.action_down()

    def action_back(self) -> None:
        if self._kind is not None:
            self._kind = None
            self._step()
        elif self._other is None or self._only:
            self.dismiss(None)
        else:
            self._other = None
            self._step()
