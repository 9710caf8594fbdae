"""Everything by name: commands with their keys, memories, saved searches, stores, themes (section 9)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from memtui.errors import Refused
from memtui.memory.memory import MemoryRow
from memtui.paths import shipped
from memtui.text import safe_text
from memtui.tui import command_table, themes
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.screen import BaseScreen
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import Opened
from memtui.tui.palette import entries
from memtui.tui.palette.entries import Entry
from memtui.tui.text.glyphs import fit
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

PAUSE = 0.08
"""Seconds after the last key before memories are searched."""


class EntryList(VirtualList):
    """Key, name with what was asked for in the accent, kind or why not."""

    def __init__(self) -> None:
        super().__init__(id="entries")
        self.can_focus = False
        self.entries: list[Entry] = []

    @property
    def cursor_active(self) -> bool:
        return True  # the line above takes the letters, this one the keys

    def show(self, entries: list[Entry], cursor: int = 0) -> None:
        """Other lines now."""
        self.entries = entries
        self.refill(len(entries), cursor, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        entry = self.entries[index]
        tail = entry.why or entry.kind
        kind = fit(tail, min(cell_len(tail), max(8, width // 2 - 8))) if tail else ""
        room = max(1, width - 11 - cell_len(kind) - 2)
        plain = "quiet" if entry.why else "plain"
        title: list[Part] = []
        for place, character in enumerate(fit(entry.title, room)):
            style = "accent" if place in entry.found and character != "…" else plain
            if title and title[-1][1] == style:
                title[-1] = (title[-1][0] + character, style)
            else:
                title.append((character, style))
        end = "warn" if entry.why else "quiet"
        return [(" ", "plain"), (fit(entry.key, 10), "accent"), *title, ("  ", "plain"), (kind, end)]


class PaletteDialog(Dialog[Callable[[], Any] | None]):
    """Answers with what to do; enter does it, esc leaves."""

    CSS_PATH = [shipped("styles") / f"{name}.tcss" for name in ("dialogs", "palette")]
    BINDINGS = command_table.bindings(command_table.PALETTE)
    app: MemtuiApp

    def __init__(self, below: BaseScreen) -> None:
        super().__init__()
        self._below = below
        self._memories: list[Entry] = []
        self._stores: list[Entry] = []
        self._saved: list[Entry] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="palette", classes="dialog"):
            yield SafeInput(
                id="palette-input",
                compact=True,
                select_on_focus=False,
                placeholder="A command, a memory, a store, a theme",
            )
            yield EntryList()

    def on_mount(self) -> None:
        app = self.app
        self.list = self.query_one(EntryList)
        self._commands = entries.command_entries(
            app.commands, self._below.MODE, self._below.blocked_reason, self._command, app.recent
        )
        self._stores = [self._store(name) for name in app.store_names]
        self._themes = [
            Entry(f"{themes.short(each.name)} theme", partial(app.use_theme, each.name), "Theme")
            for each in themes.THEMES
            if each.name != app.theme
        ]
        self.query_one("#palette").border_title = Content("Everything by name")
        self._show()
        self.query_one("#palette-input").focus()
        self._read_saved()

    @property
    def _query(self) -> str:
        return self.query_one("#palette-input", SafeInput).value

    def _show(self, *, keep: bool = False) -> None:
        query = self._query
        found = [
            *entries.matching(query, self._commands),
            *(self._memories if query.strip() else ()),
            *entries.matching(query, [*self._saved, *self._stores, *self._themes]),
        ]
        self.list.empty_lines = [
            (f"Nothing is called “{query.strip()}”, and no memory says it.", "plain"),
            ("Fewer letters find more; esc leaves.", "quiet"),
        ]
        self.list.show(found, self.list.cursor if keep else 0)
        keys = command_table.dialog_keys(command_table.PALETTE)
        self.query_one("#palette").border_subtitle = Content(f"{keys} · {len(found)}")

    # What the lines do

    def _command(self, command: command_table.Command) -> Any:
        app = self.app
        if self._below.MODE not in command.screens:
            return self._go(command)
        app.recent = [command.id, *(id for id in app.recent if id != command.id)]
        return app.run_command(command.id)

    async def _go(self, command: command_table.Command) -> None:
        """To the screen where a command works; what it is done to is chosen there."""
        await self.app.switch_mode(command.screens[0])
        tab = command_table.tab_of(command.screens[0])
        self.app.show_status(f"{command_table.keys_shown(command)} on {tab}: {command.help}.")

    def _store(self, name: str) -> Entry:
        query = f'store:"{name}"' if any(c.isspace() for c in name) else f"store:{name}"
        title = safe_text(name, one_line=True, limit=80)
        return Entry(title, partial(self.app.browse, query), "Store")

    @worker("The saved searches could not be read", group="saved")
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
            for each in await self.app.lanes.read(workspace.saved)
        ]
        if self._saved:
            self._show(keep=True)

    def _memory(self, query: str, row: MemoryRow) -> Entry:
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

    @worker("The memories could not be searched", group="palette")
    async def _search(self, query: str) -> None:
        """Memories a short pause after the last key; what was found before stands until then."""
        workspace = self.app.workspace
        if workspace is None or not query.strip():
            return
        await asyncio.sleep(PAUSE)
        try:
            rows = await self.app.lanes.read(_found, workspace, query)
        except Refused:  # half a filter is no query yet
            rows = []
        self._memories = [self._memory(query, row) for row in rows]
        self._show(keep=True)

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
        if entry.why:
            self.query_one("#palette").border_subtitle = Content(
                safe_text(entry.why, one_line=True, limit=60)
            )
        else:
            self.dismiss(entry.run)

    def action_close(self) -> None:
        self.dismiss(None)


def _found(workspace: Workspace, query: str) -> list[MemoryRow]:
    """In the lane: the best few."""
    ids = workspace.search(query, live=True).ids[: entries.MOST]
    return workspace.rows(list(ids))
