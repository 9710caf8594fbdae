"""The dialog that edits one relation: kind, strength, texts and direction (SPEC 7)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import Refused
from memtui.memory.graph.model import Edge
from memtui.memory.relations import RelationSpec
from memtui.memory.results import Change
from memtui.text import is_clean, safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part
from memtui.tui.graph import wording
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

FIELDS = {"kind": "kind", "strength": "strength", "context": "reason", "body": "text"}
MAX_LENGTH = 4_000  # characters of a text that can be edited in one line


class RelationDialog(Dialog[Change | None]):
    """Writes what was changed to where the relation is kept; returns the change, or None."""

    BINDINGS = command_table.bindings(names.RELATION)
    app: MemtuiApp

    def __init__(
        self, workspace: Workspace, edge: Edge, names: tuple[str, str], current: RelationSpec
    ) -> None:
        super().__init__()
        self._current = current
        self._initial: dict[str, str] = {}
        self._workspace, self._edge, self._names = workspace, edge, names
        source, target = edge.ends
        assert source is not None
        assert target is not None
        self._ends = source, target
        self._reverse = False

    def compose(self) -> ComposeResult:
        with Vertical(id="tie", classes="dialog"):
            yield Static(id="from")
            for name, label in FIELDS.items():
                with Horizontal(classes="field"):
                    yield Static(label, classes="name")
                    yield SafeInput(id=name, compact=True, select_on_focus=False)
            yield Static(id="where")
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#tie")
        box.border_title = Content(wording.EDIT_RELATION)
        box.border_subtitle = Content(command_table.dialog_keys(names.RELATION))
        edge = self._edge
        strength = "" if edge.strength is None else f"{edge.strength:g}"
        self._raw = {"kind": edge.kind, "strength": strength, "context": edge.context, "body": edge.body}
        for name, raw in self._raw.items():
            field = self._field(name)
            editable = is_clean(raw) and "\n" not in raw and len(raw) <= MAX_LENGTH
            field.value = raw if editable else safe_text(raw, one_line=True, limit=MAX_LENGTH)
            field.disabled = not editable
            self._initial[name] = field.value
        self._draw()
        self._field("kind").focus()
        self._show_destination()

    def _field(self, name: str) -> SafeInput:
        return self.query_one(f"#{name}", SafeInput)

    def _draw(self) -> None:
        first, last = reversed(self._names) if self._reverse else self._names
        kind = one_line(self._field("kind").value, 60) or "…"
        parts: list[Part] = [
            (one_line(first, 120), "bold"),
            (f" ─ {kind} ─▶ ", "$accent"),
            (one_line(last, 120), "bold"),
        ]
        self.query_one("#from", Static).update(Content.assemble(*parts))

    @worker(wording.RELATION_UNREADABLE, group="holds")
    async def _show_destination(self) -> None:
        """Show where the relation's fields are written."""
        source, target = self._ends
        ask = self._workspace.update_consequence
        try:
            words = await self.app.lanes.read(ask, source, self._edge.kind, target, self._current)
        except Refused as refused:
            for name in FIELDS:
                self._field(name).disabled = True
            self.show_message(refused.message)
            return
        self.query_one("#where", Static).update(Content(safe_text(words, one_line=True, limit=400)))

    def on_input_changed(self, event: Input.Changed) -> None:
        self._draw()
        self.show_message("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_save()

    def action_reverse(self) -> None:
        self._reverse = not self._reverse
        self._draw()
        self.show_message(wording.REVERSED if self._reverse else "")

    def action_remove(self) -> None:
        source, target = self._ends
        self.run_write(
            wording.NOT_SAVED,
            partial(self._workspace.unrelate, source, self._edge.kind, target, was=self._current),
        )

    def action_save(self) -> None:
        values = {name: self._value(name) for name in FIELDS}
        strength = self._strength()
        if strength is not None and not 0 <= strength <= 1 and strength != self._current.strength:
            self.show_message(wording.BAD_STRENGTH)
            self._field("strength").focus()
            return
        wanted = RelationSpec(values["kind"], strength, values["context"], values["body"])
        source, target = self._ends
        write = partial(
            self._workspace.update_relation, source, self._edge.kind, target, wanted, was=self._current
        )
        self.run_write(wording.NOT_SAVED, partial(write, reverse=self._reverse))

    def _value(self, name: str) -> str:
        """Return a field's value; the exact stored one if it was not edited."""
        value = self._field(name).value
        return self._raw[name] if value == self._initial[name] else value

    def _strength(self) -> float | None:
        """Return the strength entered, the stored one if it was not edited, −1 if it is no number."""
        text = self._field("strength").value
        if text == self._initial["strength"]:
            return self._current.strength
        try:
            return float(text) if text.strip() else None
        except ValueError:
            return -1.0

    def action_cancel(self) -> None:
        self.dismiss(None)
