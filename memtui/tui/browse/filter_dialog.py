"""The filter dialog: what is found by store, category, status and so on, and the saved searches (S-32)."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import QueryError, Refused
from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.browse import filter_model, wording
from memtui.tui.browse.filter_model import Choice
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.text.glyphs import fit, grouped
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.search.saved_searches import SavedSearch
    from memtui.workspace.workspace import Workspace

SAVED = "saved"


class NarrowInput(SafeInput):
    """An input that leaves the space key to the list below it."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return key != "space" and super().check_consume_key(key, character)


class FilterList(VirtualList):
    """A line per choice: its filter, whether it is chosen, value, count; the input moves the cursor."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="choices")
        self.choices: list[Choice] = []
        self.chosen: set[tuple[str, str]] = set()

    @property
    def cursor_active(self) -> bool:
        return True

    @property
    def highlighted(self) -> Choice | None:
        """The choice under the cursor."""
        return self.choices[self.cursor] if self.cursor < len(self.choices) else None

    def show(self, choices: list[Choice], *, keep_cursor: bool) -> None:
        """Replace the choices; with `keep_cursor` the highlighted one stays highlighted."""
        old = self.highlighted
        places = [
            n for n, each in enumerate(choices) if old and (each.name, each.value) == (old.name, old.value)
        ]
        self.choices = choices
        keep = keep_cursor and bool(places)
        self.refill(len(choices), places[0] if keep else 0, keep_place=keep)

    def parts(self, index: int, width: int) -> list[Part]:
        choice = self.choices[index]
        name = fit(choice.name if choice.first else "", 10)
        if choice.saved is not None:
            tail = fit(choice.saved.query or wording.EVERYTHING, max(8, width // 2), right=True)
            chosen = False
        else:
            tail = grouped(choice.count) if choice.count else "–"
            chosen = filter_model.normalized(choice.name, choice.value) in self.chosen
        room = max(1, width - 15 - len(tail))
        return [
            (" ", "plain"),
            (name, "quiet"),
            ("● " if chosen else "  ", "accent"),
            (fit(choice.value, room), "accent" if chosen else "plain"),
            (" ", "plain"),
            (tail, "quiet"),
            (" ", "plain"),
        ]


class FilterDialog(Dialog[tuple[str, str | None]]):
    """Closes with the query, and the order of a saved search (else None); with None if it was left."""

    BINDINGS = command_table.bindings(names.FILTER)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, query: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._query = query
        self._has_chosen = False  # a value was chosen since the dialog was opened
        self._saved: list[Choice] = []
        self._values: list[Choice] = []
        self._total = 0
        self._to_forget = ""  # the saved search that the same key again forgets

    def compose(self) -> ComposeResult:
        with Vertical(id="filter", classes="dialog"):
            yield NarrowInput(
                id="narrow", compact=True, select_on_focus=False, placeholder=wording.NARROW_PLACEHOLDER
            )
            yield FilterList()
            yield Static(id="message")

    def on_mount(self) -> None:
        self.box = self.query_one("#filter")
        self.box.border_title = Content("Filter")
        self.list = self.query_one(FilterList)
        self.list.empty_lines = [(wording.COUNTING, "quiet")]
        self.query_one("#narrow").focus()
        self.show_message("")
        self.load()

    @worker(wording.NOT_COUNTED, group="facets")
    async def load(self) -> None:
        """Count what the query finds; values that are listed keep their places."""
        saved, counts, error = await self.app.lanes.read(_read, self._workspace, self._query)
        self._saved = saved
        self._values = filter_model.choices(counts, self._values)
        self._total = sum(count for _, count in counts.get("status", ()))
        self.list.empty_lines = [(wording.NO_VALUES, "quiet")]
        self._show(keep_cursor=True)
        self.show_message(error)

    @property
    def _narrow_text(self) -> str:
        return self.query_one(NarrowInput).value

    def _show(self, *, keep_cursor: bool) -> None:
        self.list.chosen = filter_model.chosen(self._query)
        choices = filter_model.narrowed([*self._saved, *self._values], self._narrow_text)
        self.list.show(choices, keep_cursor=keep_cursor)
        self._show_keys()

    def _show_keys(self) -> None:
        choice = self.list.highlighted
        keys = command_table.dialog_keys(names.FILTER)
        if choice is not None and choice.saved is not None:
            keys = wording.saved_search_keys(command_table.key_of("filter.forget"))
        self.box.border_subtitle = Content(wording.filter_keys(keys, self._total))

    # Keys

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._to_forget = ""
        self._show(keep_cursor=False)

    def on_input_submitted(self) -> None:
        self.action_search()

    def on_opened(self, message: Opened) -> None:
        self.action_choose()

    def on_cursor_moved(self, message: CursorMoved) -> None:
        if self._to_forget and (
            self.list.highlighted is None or self.list.highlighted.value != self._to_forget
        ):
            self._to_forget = ""
            self.show_message("")
        self._show_keys()

    def action_up(self) -> None:
        self.list.action_up()

    def action_down(self) -> None:
        self.list.action_down()

    def action_page_up(self) -> None:
        self.list.action_page_up()

    def action_page_down(self) -> None:
        self.list.action_page_down()

    def action_choose(self) -> None:
        choice = self.list.highlighted
        if choice is not None and choice.saved is not None:
            self.dismiss((choice.saved.query, choice.saved.sort))
        elif self._toggle(choice):
            self._show(keep_cursor=True)
            self.show_message("")
            self.load()

    def action_search(self) -> None:
        """Search for what was chosen, else for what is highlighted."""
        choice = self.list.highlighted
        if choice is not None and choice.saved is not None:
            self.dismiss((choice.saved.query, choice.saved.sort))
        elif self._has_chosen or self._toggle(choice):
            self.dismiss((self._query, None))

    def _toggle(self, choice: Choice | None) -> bool:
        """Add a value to the query or remove it; show why and return False if that is not possible."""
        if choice is None:
            self.show_message(wording.NOTHING_TO_CHOOSE)
            return False
        try:
            self._query = filter_model.toggled(self._query, choice.name, choice.value)
        except QueryError as error:
            self.show_message(error_text(error))
            return False
        self._has_chosen = True
        return True

    def action_forget(self) -> None:
        choice = self.list.highlighted
        if choice is None or choice.saved is None:
            self.show_message(wording.NOT_A_SAVED_SEARCH)
        elif self._to_forget != choice.value:
            self._to_forget = choice.value
            self.show_message(wording.forget_again(command_table.key_of("filter.forget"), choice.value))
        else:
            self._to_forget = ""
            forgetting = self.app.lanes.write(self._workspace.delete_search, choice.saved.name)
            self._drop_when_forgotten(choice.saved, forgetting)

    @worker(wording.NOT_FORGOTTEN, group="forget", exclusive=False)
    async def _drop_when_forgotten(self, saved: SavedSearch, forgetting: Awaitable[object]) -> None:
        try:
            await forgetting
        except Refused as refused:
            self.show_message(error_text(refused))
            return
        self._saved = [each for each in self._saved if each.value != saved.name]
        self._show(keep_cursor=True)
        self.show_message(wording.forgotten(saved.name, saved.query))

    def action_cancel(self) -> None:
        """Leave the search as it was."""
        self.dismiss(None)

    def show_message(self, text: str) -> None:
        """Show a message, or for "" the query as it is now."""
        text = text or (f"/ {self._query}" if self._query.strip() else wording.EVERYTHING_SHOWN)
        self.query_one("#message", Static).update(Content(safe_text(text, one_line=True, limit=400)))


def _read(workspace: Workspace, query: str) -> tuple[list[Choice], filter_model.Counts, str]:
    """Return the saved searches, the counts, and what is wrong with the query."""
    saved = [Choice(SAVED, each.name, saved=each) for each in workspace.saved_searches()]
    try:
        return saved, workspace.facets(query).counts, ""
    except QueryError as error:
        return saved, {}, error_text(error)
