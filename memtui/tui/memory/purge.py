"""Erase memories for good: the one thing that asks, since it cannot be undone (S-50)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from memtui.memory.memory import MemoryRow
from memtui.memory.results import PurgeResult
from memtui.memory.stores import Backup
from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.text.glyphs import counted, grouped, moment
from memtui.tui.text.text_layout import Part, one_line
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

SHOWN = 10
WORD = "purge"


class PurgeDialog(Dialog[PurgeResult | None]):
    """Answers with what was erased; the word has to be typed, so no single key can do it."""

    BINDINGS = command_table.bindings(command_table.PURGE)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, ids: Sequence[int]) -> None:
        super().__init__()
        self._workspace = workspace
        self._ids = list(ids)
        self._rows: list[MemoryRow] = []
        self._backups: list[Backup] = []
        self._too = False
        self._read = False

    def compose(self) -> ComposeResult:
        with Vertical(id="purge", classes="dialog"):
            yield VerticalScroll(Static(Content("Reading …"), id="preview"), can_focus=False)
            yield Static(Content(f"Type {WORD} and press ⏎ to erase. It cannot be undone."), id="confirm")
            yield SafeInput(id="word", compact=True)
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#purge")
        box.border_title = Content(f"Purge {counted(len(self._ids), 'memory')}")
        box.border_subtitle = Content("esc keep the memories")
        self.query_one(SafeInput).focus()
        self.load()

    @worker("The memories could not be read", group="purge-text")
    async def load(self) -> None:
        """Read what would go, and where its text would still stand."""
        work = self._workspace
        try:
            self._rows, self._backups = await self.app.lanes.read(
                lambda: (work.rows(self._ids), list(work.holding(self._ids)))
            )
        except Exception as error:  # nothing is erased that was not shown
            self.query_one("#preview", Static).update(Content("They could not be read."))
            self.show_message(error_text(error))
            return
        self._read = True
        self._draw()

    def _draw(self) -> None:
        self.query_one("#preview", Static).update(
            purge_text(self._rows, self._backups, self._too, self.app.clock())
        )
        keys = "esc keep the memories"
        if self._backups:
            keys = f"ctrl+b backups too · {keys}"
        self.query_one("#purge").border_subtitle = Content(keys)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if not self._read:
            self.show_message("What would be erased is not shown yet.")
        elif not self._rows:
            self.show_message("There is nothing to erase: these memories are gone.")
        elif event.value.strip().casefold() != WORD:
            self.show_message(f"Nothing was erased: type {WORD} to erase, esc to keep the memories.")
        elif not self.writing:
            self.show_message("Erasing …")
            self.run_write("Not all was erased", partial(_erase, self._workspace, self._ids, self._too))

    def action_toggle_backups(self) -> None:
        if self._backups:
            self._too = not self._too
            self._draw()
        else:
            self.show_message("No backup holds these memories." if self._read else "Still reading.")

    def action_cancel(self) -> None:
        if self.writing:
            self.show_message("They are being erased; what is begun is finished first.")
        else:
            self.dismiss(None)


def purge_text(rows: Sequence[MemoryRow], backups: Sequence[Backup], too: bool, now: float) -> Content:
    """Which memories, what goes where, and which backups still hold their text."""
    parts: list[Part] = []
    for row in rows[:SHOWN]:
        parts += [(f"✗ {one_line(row.label, 200)}", ""), (f"  {one_line(row.store, 60)}", "$quiet"), ("\n", "")]
    if len(rows) > SHOWN:
        parts += [(f"  and {grouped(len(rows) - SHOWN)} more", "$quiet"), ("\n", "")]
    names = ", ".join(one_line(name, 60) for name in dict.fromkeys(row.store for row in rows))
    parts += [
        ("\nErased from ", ""),
        (names, "$accent"),
        (", and from all that memtui keeps: its list, search and journal texts.\n", ""),
    ]
    if not backups:
        return Content.assemble(*parts, ("No backup holds their text.", "$quiet"))
    parts += [("\n", ""), (f"{'[x]' if too else '[ ]'} ", "bold $accent"), ("delete the backups too: ", "")]
    parts += [(f"{counted(len(backups), 'backup')} still hold{'s' * (len(backups) == 1)} their text\n", "")]
    for backup in backups[:SHOWN]:
        parts += [(f"    {moment(backup.made_at, now)}  {one_line(backup.store, 60)}", "$quiet"), ("\n", "")]
    if len(backups) > SHOWN:
        parts += [(f"    and {grouped(len(backups) - SHOWN)} more\n", "$quiet")]
    if too:
        parts += [("A deleted backup takes with it every other memory it holds.", "$warning")]
    return Content.assemble(*parts)


def _erase(workspace: Workspace, ids: list[int], too: bool) -> PurgeResult:
    """In the lane: the memories, then the backups that still hold them if that was asked for."""
    purged = workspace.purge(ids)
    if not (too and purged.backups):
        return purged
    deleted = workspace.delete_backups([backup.id for backup in purged.backups])
    return replace(purged, backups=(), summary=f"{purged.summary}; deleted {counted(deleted, 'backup')}")
