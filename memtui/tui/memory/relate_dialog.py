"""The dialog that relates a memory to another: which one, then how, then why (SPEC 7, S-8)."""

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
from memtui.tui.commands import names
from memtui.tui.common.chooser import ChoiceList, ChooserDialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part
from memtui.tui.memory import wording_dialogs as wording
from memtui.tui.messages import CursorMoved
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class RelateDialog(ChooserDialog[Change | None]):
    """Closes with the change, None if it was left.

    The first step, choosing the memory `other`, is skipped if it is given.
    """

    BINDINGS = command_table.bindings(names.RELATE)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, id: int, label: str, other: MemoryRow | None = None) -> None:
        super().__init__(workspace)
        self._source_id, self._label = id, label
        self._other = (other.id, other.label) if other is not None else None
        self._kind: RelationOption | None = None
        self._is_other_fixed = other is not None

    def compose(self) -> ComposeResult:
        with Vertical(id="relate", classes="dialog"):
            yield Static(id="from")
            yield SafeInput(id="chooser-input", compact=True, select_on_focus=False)
            yield ChoiceList(id="choices")
            yield Static(id="message")

    def on_mount(self) -> None:
        self.input.focus()
        self._show_step()

    def _show_step(self) -> None:
        box = self.query_one("#relate")
        other, kind = self._other, self._kind
        title, keys = wording.CHOOSE_MEMORY if other is None else wording.CHOOSE_KIND
        if kind is not None:
            title, keys = wording.GIVE_REASON
        box.border_title, box.border_subtitle = Content(title), Content(keys)
        parts: list[Part] = [(one_line(self._label), "bold")]
        if other is not None:
            parts += [
                (f" ─ {one_line(kind.kind, 60)} ─▶ " if kind else " → ", "$quiet"),
                (one_line(other[1]), "bold"),
            ]
        self.query_one("#from", Static).update(Content.assemble(*parts))
        self.input.placeholder = wording.REASON_PLACEHOLDER if kind is not None else ""
        self.input.value = ""
        self.choices.display = kind is None
        self.reload()

    @worker(wording.CHOICES_NOT_READ, group="choices")
    async def load(self) -> None:
        """Load the memories that match the input, or the kinds of relation."""
        if self._kind is not None:
            self.show_message(wording.kind_and_effect(self._kind.kind, self._kind.text, self._kind.reason))
            self.choices_loaded(self.input.value.strip())
            return
        text = self.input.value.strip()
        try:
            if self._other is None:
                await self.load_nodes(exclude=self._source_id)
            else:
                ends = self._source_id, self._other[0]
                self.choices.show(await self.app.lanes.read(self.workspace.relation_options, *ends, text))
        except (QueryError, Refused) as error:
            self.show_message(error.message)
            return
        self._show_effect()
        self.choices_loaded(text)

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self._show_effect()

    def _show_effect(self) -> None:
        chosen = self.choices.highlighted
        if isinstance(chosen, RelationOption):
            effect = wording.kind_and_effect(chosen.kind, chosen.text)
            self.show_message(wording.REMOVES_RELATION if chosen.exists else effect)
        else:
            self.show_message("")

    def choose(self) -> None:
        chosen = self.choices.highlighted
        if self._kind is not None:
            self._run(self._kind)
        elif chosen is None:
            self.show_message(wording.NOTHING_TO_CHOOSE)
        elif isinstance(chosen, Node):
            if chosen.id is not None:  # None for a node without a memory
                self._other = chosen.id, chosen.label
                self._show_step()
        elif chosen.exists or not chosen.takes_reason:
            self._run(chosen)
        else:
            self._kind = chosen
            self._show_step()

    def _run(self, chosen: RelationOption) -> None:
        if self._other is None:
            return
        work, source, other = self.workspace, self._source_id, self._other[0]
        why = self.input.value.strip() if self._kind is not None else ""
        act = partial(work.unrelate if chosen.exists else work.relate, source, chosen.kind, other)
        self.run_write(wording.NOT_SAVED, partial(act, context=why) if why else act)

    # Keys

    def action_back(self) -> None:
        if self._kind is not None:
            self._kind = None
            self._show_step()
        elif self._other is None or self._is_other_fixed:
            self.dismiss(None)
        else:
            self._other = None
            self._show_step()
