"""Say that a memory has a relation to another: which one, then how (SPEC 7, S-8)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.errors import QueryError, Refused
from memtui.memory.graph.model import Node
from memtui.memory.memory import MemoryRow
from memtui.memory.relations import RelationOption
from memtui.memory.results import Change
from memtui.tui import command_table
from memtui.tui.common.chooser import ChoiceList, ChooserDialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part
from memtui.tui.messages import CursorMoved
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

WHICH = "⏎ choose · esc cancel"
HOW = "⏎ choose · esc another memory"
WHY = "⏎ relate · esc another kind"
WHY_NOT = "why, in a line, if you like"


class RelateDialog(ChooserDialog[Change | None]):
    """Answers with what was done."""

    BINDINGS = command_table.bindings(command_table.RELATE)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, id: int, label: str, other: MemoryRow | None = None) -> None:
        super().__init__(workspace)
        self._source, self._label = id, label
        self._other = (other.id, other.label) if other is not None else None
        self._kind: RelationOption | None = None
        self._only = other is not None  # the other one was marked before

    def compose(self) -> ComposeResult:
        with Vertical(id="relate", classes="dialog"):
            yield Static(id="from")
            yield SafeInput(id="chooser-input", compact=True, select_on_focus=False)
            yield ChoiceList(id="choices")
            yield Static(id="message")

    def on_mount(self) -> None:
        self.input.focus()
        self._step()

    def _step(self) -> None:
        box = self.query_one("#relate")
        other, kind = self._other, self._kind
        title, keys = ("Relate to which memory?", WHICH) if other is None else ("How are they related?", HOW)
        if kind is not None:
            title, keys = "Why are they related so?", WHY
        box.border_title, box.border_subtitle = Content(title), Content(keys)
        told: list[Part] = [(one_line(self._label), "bold")]
        if other is not None:
            told += [
                (f" ─ {one_line(kind.kind, 60)} ─▶ " if kind else " → ", "$quiet"),
                (one_line(other[1]), "bold"),
            ]
        self.query_one("#from", Static).update(Content.assemble(*told))
        self.input.placeholder = WHY_NOT if kind is not None else ""
        self.input.value = ""
        self.choices.display = kind is None
        self.reload()

    @worker("The choices could not be read", group="choices")
    async def load(self) -> None:
        """The memories that are found, or the kinds that there are."""
        if self._kind is not None:
            self.show_message(f"{self._kind.kind}: {self._kind.text}. {self._kind.reason}".strip())
            self.choices_loaded(self.input.value.strip())
            return
        text = self.input.value.strip()
        try:
            if self._other is None:
                await self.load_nodes(exclude=self._source)
            else:
                ends = self._source, self._other[0]
                self.choices.show(await self.app.lanes.read(self.workspace.tyings, *ends, text))
        except (QueryError, Refused) as wrong:
            self.show_message(str(wrong))
            return
        self._about()
        self.choices_loaded(text)

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self._about()

    def _about(self) -> None:
        chosen = self.choices.highlighted
        if isinstance(chosen, RelationOption):
            self.show_message("Takes this relation away." if chosen.exists else f"{chosen.kind}: {chosen.text}.")
        else:
            self.show_message("")

    def choose(self) -> None:
        chosen = self.choices.highlighted
        if self._kind is not None:
            self._begin(self._kind)
        elif chosen is None:
            self.show_message("There is nothing to choose.")
        elif isinstance(chosen, Node):
            if chosen.id is not None:  # it was found by what one of its memories says
                self._other = chosen.id, chosen.label
                self._step()
        elif chosen.exists or not chosen.takes_reason:
            self._begin(chosen)
        else:
            self._kind = chosen
            self._step()

    def _begin(self, chosen: RelationOption) -> None:
        if self._other is None:
            return
        work, source, other = self.workspace, self._source, self._other[0]
        why = self.input.value.strip() if self._kind is not None else ""
        act = partial(work.unrelate if chosen.exists else work.relate, source, chosen.kind, other)
        self.run_write("Not saved", partial(act, context=why) if why else act)

    # Keys

    def action_back(self) -> None:
        if self._kind is not None:
            self._kind = None
            self._step()
        elif self._other is None or self._only:
            self.dismiss(None)
        else:
            self._other = None
            self._step()
