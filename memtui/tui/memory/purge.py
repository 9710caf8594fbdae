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

from memtui.memory.records import Backup, Purged, Row
from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.text.glyphs import counted, grouped, moment
from memtui.tui.text.text_layout import Part, one
from memtui.tui.workers.guarded import in_words, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

SHOWN = 10
WORD = "purge"


class PurgeDialog(Dialog[Purged | None]):
    """Answers with what was erased; the word has to be typed, so no single key can do it."""

    BINDINGS = command_table.bindings(command_table.PURGE)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, ids: Sequence[int]) -> None:
        super().__init__()
        self._workspace = workspace
        self._ids = list(ids)
        self._rows: list[Row] = []
        self._backups: list[Backup] = []
        self._too = False
        self._read = False

    def compose(self) -> ComposeResult:
        with Vertical(id="purge", classes="dialog"):
            yield VerticalScroll(Static(Content("Reading …"), id="told"), can_focus=False)
            yield Static(Content(f"Type {WORD} and press ⏎ to erase. It cannot be undone."), id="ask")
            yield SafeInput(id="word", compact=True)
            yield Static(id="said")

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
            self._rows, self._backups = await self.app.lane.ask(
                lambda: (work.rows(self._ids), list(work.holding(self._ids)))
            )
        except Exception as error:  # nothing is erased that was not shown
            self.query_one("#told", Static).update(Content("They could not be read."))
            self.tell(in_words(error))
            return
        self._read = True
        self._draw()

    def _draw(self) -> None:
        self.query_one("#told", Static).update(
            purge_text(self._rows, self._backups, self._too, self.app.clock())
        )
        keys = "esc keep the memories"
        if self._backups:
            keys = f"ctrl+b backups too · {keys}"
        self.query_one("#purge").border_subtitle = Content(keys)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if not self._read:
            self.tell("What would be erased is not shown yet.")
        elif not self._rows:
            self.tell("There is nothing to erase: these memories are gone.")
        elif event.value.strip().casefold() != WORD:
            self.tell(f"Nothing was erased: type {WORD} to erase, esc to keep the memories.")
        elif not self.doing:
            self.tell("Erasing …")
            self.do("Not all was erased", partial(_erase, self._workspace, self._ids, self._too))

    def action_toggle_backups(self) -> None:
        if self._backups:
            self._too = not self._too
            self._draw()
        else:
            self.tell("No backup holds these memories." if self._read else "Still reading.")

    def action_cancel(self) -> None:
        if self.doing:
            self.tell("They are being erased; what is begun is finished first.")
        else:
            self.dismiss(None)


def purge_text(rows: Sequence[Row], backups: Sequence[Backup], too: bool, now: float) -> Content:
    """Which memories, what goes where, and which backups still hold their text."""
    parts: list[Part] = []
    for row in rows[:SHOWN]:
        parts += [(f"✗ {one(row.label, 200)}", ""), (f"  {one(row.store, 60)}", "$quiet"), ("\n", "")]
    if len(rows) > SHOWN:
        parts += [(f"  and {grouped(len(rows) - SHOWN)} more", "$quiet"), ("\n", "")]
    names = ", ".join(one(name, 60) for name in dict.fromkeys(row.store for row in rows))
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
        parts += [(f"    {moment(backup.made_at, now)}  {one(backup.store, 60)}", "$quiet"), ("\n", "")]
    if len(backups) > SHOWN:
        parts += [(f"    and {grouped(len(backups) - SHOWN)} more\n", "$quiet")]
    if too:
        parts += [("A deleted backup takes with it every other memory it holds.", "$warning")]
    return Content.assemble(*parts)


def _erase(workspace: Workspace, ids: list[int], too: bool) -> Purged:
    """In the lane: the memories, then the backups that still hold them if that was asked for."""
    purged = workspace.purge(ids)
    if not (too and purged.backups):
        return purged
    deleted = workspace.delete_backups([backup.id for backup in purged.backups])
    return replace(purged, backups=(), summary=f"{purged.summary}; deleted {counted(deleted, 'backup')}")
