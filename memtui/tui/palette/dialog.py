"""The palette: commands with their keys, memories, saved searches, stores and themes by name (section 9)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from memtui.errors import Refused
from memtui.memory.memory import MemoryRow
from memtui.paths import data_folder
from memtui.text import safe_text
from memtui.tui import command_table, themes
from memtui.tui.commands import names
from memtui.tui.commands.command import Command
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.screen import BaseScreen
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import Opened
from memtui.tui.palette import entries, wording
from memtui.tui.palette.entries import Entry
from memtui.tui.text.glyphs import fit
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

PAUSE = 0.08
"""Seconds after the last key before memories are searched."""


class EntryList(VirtualList):
    """A line per entry: key, title with the matching characters marked, kind or why it is blocked."""

    def __init__(self) -> None:
        super().__init__(id="entries")
        self.can_focus = False
        self.entries: list[Entry] = []

    @property
    def cursor_active(self) -> bool:
        return True  # the input has the focus, but up, down and enter act on the list

    def show(self, entries: list[Entry], cursor: int = 0) -> None:
        """Replace the entries."""
        self.entries = entries
        self.refill(len(entries), cursor, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        entry = self.entries[index]
        tail = entry.blocked_reason or entry.kind
        kind = fit(tail, min(cell_len(tail), max(8, width // 2 - 8))) if tail else ""
        room = max(1, width - 11 - cell_len(kind) - 2)
        plain = "quiet" if entry.blocked_reason else "plain"
        title: list[Part] = []
        for index, character in enumerate(fit(entry.title, room)):
            style = "accent" if index in entry.matched and character != "…" else plain
            if title and title[-1][1] == style:
                title[-1] = (title[-1][0] + character, style)
            else:
                title.append((character, style))
        tail_style = "warn" if entry.blocked_reason else "quiet"
        return [(" ", "plain"), (fit(entry.key, 10), "accent"), *title, ("  ", "plain"), (kind, tail_style)]


class PaletteDialog(Dialog[Callable[[], object] | None]):
    """Closes with the function of the chosen entry, None if it was left."""

    CSS_PATH = [data_folder("styles") / f"{name}.tcss" for name in ("dialogs", "palette")]
    BINDINGS = command_table.bindings(names.PALETTE)
    app: MemtuiApp

    def __init__(self, screen_below: BaseScreen) -> None:
        super().__init__()
        self._screen_below = screen_below
        self._memories: list[Entry] = []
        self._stores: list[Entry] = []
        self._saved: list[Entry] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="palette", classes="dialog"):
            yield SafeInput(
                id="palette-input",
                compact=True,
                select_on_focus=False,
                placeholder=wording.PLACEHOLDER,
            )
            yield EntryList()

    def on_mount(self) -> None:
        app = self.app
        self.list = self.query_one(EntryList)
        self._commands = entries.command_entries(
            app.commands,
            self._screen_below.MODE,
            self._screen_below.blocked_reason,
            self._run_command,
            app.recent_commands,
        )
        self._stores = [self._store_entry(name) for name in app.store_names]
        self._themes = [
            Entry(wording.theme(themes.short(theme.name)), partial(app.use_theme, theme.name), "Theme")
            for theme in themes.THEMES
            if theme.name != app.theme
        ]
        self.query_one("#palette").border_title = Content(wording.TITLE)
        self._show()
        self.query_one("#palette-input").focus()
        self._read_saved()

    @property
    def _query(self) -> str:
        return self.query_one("#palette-input", SafeInput).value

    def _show(self, *, keep_cursor: bool = False) -> None:
        query = self._query
        found = [
            *entries.matching(query, self._commands, by_synonyms=True),
            *(self._memories if query.strip() else ()),
            *entries.matching(query, [*self._saved, *self._stores]),
            *entries.matching(query, self._themes, by_synonyms=True),
        ]
        self.list.empty_lines = [
            (wording.nothing_found(query.strip()), "plain"),
            (wording.FEWER_LETTERS, "quiet"),
        ]
        self.list.show(found, self.list.cursor if keep_cursor else 0)
        keys = command_table.dialog_keys(names.PALETTE)
        self.query_one("#palette").border_subtitle = Content(wording.count(keys, len(found)))

    # What the entries run

    def _run_command(self, command: Command) -> object:
        app = self.app
        if self._screen_below.MODE not in command.screens:
            return self._go_to(command)
        app.recent_commands = [command.id, *(id for id in app.recent_commands if id != command.id)]
        return app.run_command(command.id)

    async def _go_to(self, command: Command) -> None:
        """Open a screen that has the command, without running it: what it acts on is chosen there."""
        await self.app.switch_mode(command.screens[0])
        keys, tab = command_table.key_labels(command), command_table.tab_label(command.screens[0])
        self.app.show_status(wording.command_on(keys, tab, command.help))

    def _store_entry(self, name: str) -> Entry:
        query = f'store:"{name}"' if any(c.isspace() for c in name) else f"store:{name}"
        title = safe_text(name, one_line=True, limit=80)
        return Entry(title, partial(self.app.browse, query), "Store")

    @worker(wording.SAVED_SEARCHES_NOT_READ, group="saved")
    async def _read_saved(self) -> None:
        workspace = self.app.workspace
        if workspace is None:
            return
        self._saved = [
            Entry(
                safe_text(each.name, one_line=True, limit=80),
                partial(self.app.browse, each.query, None, each.sort),
                "Saved search",
            )
            for each in await self.app.lanes.read(workspace.saved_searches)
        ]
        if self._saved:
            self._show(keep_cursor=True)

    def _memory_entry(self, query: str, row: MemoryRow) -> Entry:
        title = safe_text(row.label, one_line=True, limit=200)
        store = self.app.store_names.get(row.store, "memory")
        return Entry(
            title, partial(self.app.browse, query, row.id), safe_text(store, one_line=True, limit=30)
        )

    # Typing

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._memories = [] if not event.value.strip() else self._memories
        self._show()
        self._search(event.value)

    @worker(wording.NOT_SEARCHED, group="palette")
    async def _search(self, query: str) -> None:
        """Search memories a short pause after the last key; those found before are shown until then."""
        workspace = self.app.workspace
        if workspace is None or not query.strip():
            return
        await asyncio.sleep(PAUSE)
        try:
            rows = await self.app.lanes.read(_search_memories, workspace, query)
        except Refused:  # a filter that is still being typed
            rows = []
        self._memories = [self._memory_entry(query, row) for row in rows]
        self._show(keep_cursor=True)

    # Keys

    def action_up(self) -> None:
        self.list.action_up()

    def action_down(self) -> None:
        self.list.action_down()

    def on_opened(self, message: Opened) -> None:
        self.action_run()

    def on_input_submitted(self) -> None:
        self.action_run()

    def action_run(self) -> None:
        if self.list.cursor >= len(self.list.entries):
            return
        entry = self.list.entries[self.list.cursor]
        if entry.blocked_reason:
            self.query_one("#palette").border_subtitle = Content(
                safe_text(entry.blocked_reason, one_line=True, limit=60)
            )
        else:
            self.dismiss(entry.run)

    def action_close(self) -> None:
        self.dismiss(None)


def _search_memories(workspace: Workspace, query: str) -> list[MemoryRow]:
    """Return the best matches; runs in the reading thread."""
    ids = workspace.search(query, live=True).ids[: entries.MAX_MEMORIES]
    return workspace.rows(list(ids))
