"""What is found, by store, category, status and so on, to be searched for; and the saved searches (S-32)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import QueryError, Refused
from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.browse import filter_model
from memtui.tui.browse.filter_model import Choice
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.text.glyphs import counted, fit, grouped
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.search.saved_searches import Saved
    from memtui.workspace.workspace import Workspace

SAVED = "saved"
Read = tuple[list[Choice], filter_model.Counts, str]


class NarrowInput(SafeInput):
    """Takes letters and leaves the blank to the list below."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return key != "space" and super().check_consume_key(key, character)


class ChoiceList(VirtualList):
    """Kind, whether it is chosen, value, count; the cursor is moved from the line above."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="choices")
        self.lines: list[Choice] = []
        self.on: set[tuple[str, str]] = set()

    @property
    def cursor_active(self) -> bool:
        return True

    @property
    def highlighted(self) -> Choice | None:
        """The choice under the cursor."""
        return self.lines[self.cursor] if self.cursor < len(self.lines) else None

    def show(self, lines: list[Choice], *, keep: bool) -> None:
        """Other lines now; with `keep` the cursor stays on its own."""
        at = self.highlighted
        places = [n for n, line in enumerate(lines) if at and (line.name, line.value) == (at.name, at.value)]
        self.lines = lines
        self.refill(len(lines), places[0] if keep and places else 0, keep_place=keep and bool(places))

    def parts(self, index: int, width: int) -> list[Part]:
        line = self.lines[index]
        name = fit(line.name if line.first else "", 10)
        if line.saved is not None:
            tail = fit(line.saved.query or "everything", max(8, width // 2), right=True)
            on = False
        else:
            tail = grouped(line.count) if line.count else "–"
            on = filter_model.wanted(line.name, line.value) in self.on
        room = max(1, width - 15 - len(tail))
        return [
            (" ", "plain"),
            (name, "quiet"),
            ("● " if on else "  ", "accent"),
            (fit(line.value, room), "accent" if on else "plain"),
            (" ", "plain"),
            (tail, "quiet"),
            (" ", "plain"),
        ]


class FilterDialog(Dialog[tuple[str, str | None]]):
    """Answers with the query, and with an order where a saved search has one; None where it is left."""

    BINDINGS = command_table.bindings(command_table.FILTER)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, query: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._query = query
        self._chose = False  # something, since it was opened
        self._saved: list[Choice] = []
        self._values: list[Choice] = []
        self._total = 0
        self._asked = ""  # the saved search that one more key forgets

    def compose(self) -> ComposeResult:
        with Vertical(id="filter", classes="dialog"):
            yield NarrowInput(
                id="narrow", compact=True, select_on_focus=False, placeholder="Type to see fewer"
            )
            yield ChoiceList()
            yield Static(id="message")

    def on_mount(self) -> None:
        self.box = self.query_one("#filter")
        self.box.border_title = Content("Filter")
        self.list = self.query_one(ChoiceList)
        self.list.empty_lines = [("Counting …", "quiet")]
        self.query_one("#narrow").focus()
        self.show_message("")
        self.load()

    @worker("The memories could not be counted", group="facets")
    async def load(self) -> None:
        """Count what the query finds; what was there before keeps its place."""
        saved, counts, fault = await self.app.lanes.read(_read, self._workspace, self._query)
        self._saved = saved
        self._values = filter_model.choices(counts, self._values)
        self._total = sum(count for _, count in counts.get("status", ()))
        self.list.empty_lines = [("Nothing to choose: only what has the words is counted.", "quiet")]
        self._show(keep=True)
        self.show_message(fault)

    @property
    def _narrow(self) -> str:
        return self.query_one(NarrowInput).value

    def _show(self, *, keep: bool) -> None:
        self.list.on = filter_model.chosen(self._query)
        self.list.show(filter_model.narrowed([*self._saved, *self._values], self._narrow), keep=keep)
        self._retitle()

    def _retitle(self) -> None:
        at = self.list.highlighted
        keys = command_table.dialog_keys(command_table.FILTER)
        if at is not None and at.saved is not None:
            keys = f"⏎ search · {command_table.key_of('filter.forget')} forget · esc cancel"
        self.box.border_subtitle = Content(f"{keys} · {counted(self._total, 'memory')}")

    # Keys

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._asked = ""
        self._show(keep=False)

    def on_input_submitted(self) -> None:
        self.action_search()

    def on_opened(self, message: Opened) -> None:
        self.action_choose()

    def on_cursor_moved(self, message: CursorMoved) -> None:
        if self._asked and (self.list.highlighted is None or self.list.highlighted.value != self._asked):
            self._asked = ""
            self.show_message("")
        self._retitle()

    def action_up(self) -> None:
        self.list.action_up()

    def action_down(self) -> None:
        self.list.action_down()

    def action_page_up(self) -> None:
        self.list.action_page_up()

    def action_page_down(self) -> None:
        self.list.action_page_down()

    def action_choose(self) -> None:
        line = self.list.highlighted
        if line is not None and line.saved is not None:
            self.dismiss((line.saved.query, line.saved.sort))
        elif self._toggled(line):
            self._show(keep=True)
            self.show_message("")
            self.load()

    def action_search(self) -> None:
        """For what was chosen, else for what is highlighted."""
        line = self.list.highlighted
        if line is not None and line.saved is not None:
            self.dismiss((line.saved.query, line.saved.sort))
        elif self._chose or self._toggled(line):
            self.dismiss((self._query, None))

    def _toggled(self, line: Choice | None) -> bool:
        """Whether a value could be chosen, or taken out; else the dialog says why not."""
        if line is None:
            self.show_message("There is nothing to choose.")
            return False
        try:
            self._query = filter_model.toggled(self._query, line.name, line.value)
        except QueryError as fault:
            self.show_message(error_text(fault))
            return False
        self._chose = True
        return True

    def action_forget(self) -> None:
        line = self.list.highlighted
        if line is None or line.saved is None:
            self.show_message("Only a saved search can be forgotten.")
        elif self._asked != line.value:
            self._asked = line.value
            self.show_message(
                f"{command_table.key_of('filter.forget')} again forgets “{line.value}”; no memory is touched."
            )
        else:
            self._asked = ""
            self._forget(line.saved)

    @worker("Not forgotten", group="forget", exclusive=False)
    async def _forget(self, saved: Saved) -> None:
        try:
            await self.app.lanes.write(self._workspace.forget_search, saved.name)
        except Refused as refused:
            self.show_message(f"{refused.message} {refused.hint}".strip())
            return
        self._saved = [each for each in self._saved if each.value != saved.name]
        self._show(keep=True)
        self.show_message(f"Forgotten: {saved.name}. It searched for {saved.query or 'everything'}")

    def action_cancel(self) -> None:
        """The search stays as it was."""
        self.dismiss(None)

    def show_message(self, text: str) -> None:
        """The lines of this dialog: a word about it, else what will be searched."""
        words = text or (f"/ {self._query}" if self._query.strip() else "Everything is shown.")
        self.query_one("#message", Static).update(Content(safe_text(words, one_line=True, limit=400)))


def _read(workspace: Workspace, query: str) -> Read:
    """In the lane: saved searches, facets, and what is wrong with the query."""
    saved = [Choice(SAVED, each.name, saved=each) for each in workspace.saved()]
    try:
        return saved, workspace.facets(query).counts, ""
    except QueryError as fault:
        return saved, {}, error_text(fault)
