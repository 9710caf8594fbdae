"""One relation: its kind, its strength, what is said of it, which way it leads (SPEC 7)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import Refused
from memtui.memory.graph.model import Edge
from memtui.memory.records import Change
from memtui.memory.relation_sources import Tie
from memtui.text import is_clean, safe_text
from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part
from memtui.tui.text.text_layout import one
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

FIELDS = {"kind": "kind", "strength": "strength", "context": "why", "body": "text"}
LONGEST = 4_000  # characters of a text that is edited in one line


class RelationDialog(Dialog[Change | None]):
    """ctrl+s writes what was changed, where the relation stands; esc leaves it as it is."""

    BINDINGS = command_table.bindings(command_table.TIE)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, edge: Edge, names: tuple[str, str], was: Tie) -> None:
        super().__init__()
        self._was = was
        self._start: dict[str, str] = {}
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
            yield Static(id="said")

    def on_mount(self) -> None:
        box = self.query_one("#tie")
        box.border_title = Content("This relation")
        box.border_subtitle = Content(command_table.dialog_keys(command_table.TIE))
        edge = self._edge
        strength = "" if edge.strength is None else f"{edge.strength:g}"
        self._raw = {"kind": edge.kind, "strength": strength, "context": edge.context, "body": edge.body}
        for name, raw in self._raw.items():
            field = self._field(name)
            fits = is_clean(raw) and "\n" not in raw and len(raw) <= LONGEST
            field.value = raw if fits else safe_text(raw, one_line=True, limit=LONGEST)
            field.disabled = not fits
            self._start[name] = field.value
        self._draw()
        self._field("kind").focus()
        self._look()

    def _field(self, name: str) -> SafeInput:
        return self.query_one(f"#{name}", SafeInput)

    def _draw(self) -> None:
        first, last = reversed(self._names) if self._reverse else self._names
        kind = one(self._field("kind").value, 60) or "…"
        told: list[Part] = [
            (one(first, 120), "bold"),
            (f" ─ {kind} ─▶ ", "$accent"),
            (one(last, 120), "bold"),
        ]
        self.query_one("#from", Static).update(Content.assemble(*told))

    @worker("The relation could not be read", group="holds")
    async def _look(self) -> None:
        """Where what is said of it is written."""
        source, target = self._ends
        ask = self._workspace.retie_words
        try:
            words = await self.app.lane.ask(ask, source, self._edge.kind, target, self._was)
        except Refused as refused:
            for name in FIELDS:
                self._field(name).disabled = True
            self.tell(refused.message)
            return
        self.query_one("#where", Static).update(Content(safe_text(words, one_line=True, limit=400)))

    def on_input_changed(self, event: Input.Changed) -> None:
        self._draw()
        self.tell("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_save()

    def action_reverse(self) -> None:
        self._reverse = not self._reverse
        self._draw()
        self.tell("It will lead the other way." if self._reverse else "")

    def action_remove(self) -> None:
        source, target = self._ends
        self.do(
            "Not saved", partial(self._workspace.unrelate, source, self._edge.kind, target, was=self._was)
        )

    def action_save(self) -> None:
        said = {name: self._said(name) for name in FIELDS}
        strength = self._strength()
        if strength is not None and not 0 <= strength <= 1 and strength != self._was.strength:
            self.tell("Not saved: the strength is a number from 0 to 1, or nothing.")
            self._field("strength").focus()
            return
        tie = Tie(said["kind"], strength, said["context"], said["body"])
        source, target = self._ends
        act = partial(self._workspace.retie, source, self._edge.kind, target, tie, was=self._was)
        self.do("Not saved", partial(act, reverse=self._reverse))

    def _said(self, name: str) -> str:
        """What a field says; one that nobody touched says what it said, to the letter."""
        value = self._field(name).value
        return self._raw[name] if value == self._start[name] else value

    def _strength(self) -> float | None:
        """The strength as it was, where nobody touched it; −1 for what is no number."""
        text = self._field("strength").value
        if text == self._start["strength"]:
            return self._was.strength
        try:
            return float(text) if text.strip() else None
        except ValueError:
            return -1.0

    def action_cancel(self) -> None:
        self.dismiss(None)
