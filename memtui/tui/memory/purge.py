"""The dialog that erases memories permanently; it asks first, since a purge cannot be undone (S-50)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from memtui.memory.memory import MemoryRow
from memtui.memory.results import ErasureResult
from memtui.memory.stores import Backup
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.memory import wording_dialogs as wording
from memtui.tui.memory.bulk.limits import FEW
from memtui.tui.text.glyphs import moment
from memtui.tui.text.text_layout import Part, one_line
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.background import JobControl
    from memtui.workspace.workspace import Workspace

SHOWN = 10  # memories, and backups

PurgeJob: TypeAlias = "Callable[[JobControl | None], ErasureResult]"
"""A purge of many memories that was asked for, to be run in the writing thread."""


class PurgeDialog(Dialog["ErasureResult | PurgeJob | None"]):
    """Closes with what was erased, or with the job if the memories are many; a word has to be typed, so that
    no single key can do it."""

    BINDINGS = command_table.bindings(names.PURGE)
    WORD = "purge"
    """What the user types to confirm."""
    SAID = wording.PURGE
    app: MemtuiApp

    def __init__(self, workspace: Workspace, ids: Sequence[int]) -> None:
        super().__init__()
        self._workspace = workspace
        self._ids = list(ids)
        self._found: Sequence[Any] = ()  # what would be erased
        self._backups: list[Backup] = []
        self._with_backups = False
        self._is_loaded = False

    def compose(self) -> ComposeResult:
        with Vertical(id="purge", classes="dialog"):
            yield VerticalScroll(Static(Content(wording.READING), id="preview"), can_focus=False)
            yield Static(Content(self.SAID.confirm), id="confirm")
            yield SafeInput(id="word", compact=True)
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#purge")
        box.border_title = Content(self.title_of(len(self._ids)))
        box.border_subtitle = Content(wording.CANCEL_PURGE)
        self.query_one(SafeInput).focus()
        self.load()

    @worker(wording.MEMORIES_NOT_READ, group="purge-text")
    async def load(self) -> None:
        """Read what would be erased, and which backups would still hold its text."""
        try:
            self._found, self._backups = await self.app.lanes.read(self.found)
        except Exception as error:  # only what was shown can be erased
            self.query_one("#preview", Static).update(Content(wording.COULD_NOT_BE_READ))
            self.show_message(error_text(error))
            return
        self._is_loaded = True
        self._draw()

    def _draw(self) -> None:
        text = self.text_of(self._found, self._backups, self._with_backups, self.app.clock())
        self.query_one("#preview", Static).update(text)
        has_choice = self._backups or self.makes_backup()
        keys = wording.CANCEL_PURGE_WITH_BACKUPS if has_choice else wording.CANCEL_PURGE
        self.query_one("#purge").border_subtitle = Content(keys)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if not self._is_loaded:
            self.show_message(self.SAID.not_shown_yet)
        elif not self._found:
            self.show_message(self.SAID.nothing)
        elif event.value.strip().casefold() != self.WORD:
            self.show_message(self.SAID.wrong_word)
        elif not self.writing:
            erase = partial(self.erase_all, self._with_backups)
            if len(self._ids) > FEW:
                self.dismiss(erase)
            else:
                self.show_message(self.SAID.running)
                self.run_write(self.SAID.failed, partial(erase, None))

    def action_toggle_backups(self) -> None:
        if self._backups or self.makes_backup():
            self._with_backups = not self._with_backups
            self._draw()
        else:
            self.show_message(wording.NO_BACKUP_TO_DELETE if self._is_loaded else wording.STILL_READING)

    def action_cancel(self) -> None:
        if self.writing:
            self.show_message(self.SAID.still_running)
        else:
            self.dismiss(None)

    # What is erased, and how

    def title_of(self, count: int) -> str:
        """Return the title for so many memories."""
        return wording.purge_title(count)

    def found(self) -> tuple[Sequence[Any], list[Backup]]:
        """Read what would be erased, and the backups that have it; called in the reading thread."""
        work = self._workspace
        return work.rows(self._ids), list(work.backups_holding(self._ids))

    def text_of(
        self, found: Sequence[Any], backups: Sequence[Backup], with_backups: bool, now: float
    ) -> Content:
        """Return what is shown of it."""
        return purge_text(found, backups, with_backups, now)

    def makes_backup(self) -> bool:
        """Return whether a backup is made first that has what is erased."""
        return False

    def erase_all(self, with_backups: bool, control: JobControl | None) -> ErasureResult:
        """Erase, then delete the backups that still have it if `with_backups`, unless it was stopped; called
        in the writing thread."""
        done = self.run(control)
        if not (with_backups and done.backups) or done.unreached:
            return done
        deleted = self._workspace.delete_backups([backup.id for backup in done.backups])
        return replace(done, backups=(), summary=wording.erased_with_backups(done.summary, deleted))

    def run(self, control: JobControl | None) -> ErasureResult:
        """Erase the memories."""
        return self._workspace.purge(self._ids, control)


def purge_text(
    rows: Sequence[MemoryRow], backups: Sequence[Backup], with_backups: bool, now: float
) -> Content:
    """Return what would be erased where, and which backups hold it."""
    parts: list[Part] = []
    for row in rows[:SHOWN]:
        parts += [
            (f"✗ {one_line(row.label, 200)}", ""),
            (f"  {one_line(row.store, 60)}", "$quiet"),
            ("\n", ""),
        ]
    if len(rows) > SHOWN:
        parts += [(wording.more_memories(len(rows) - SHOWN), "$quiet"), ("\n", "")]
    names = ", ".join(one_line(name, 60) for name in dict.fromkeys(row.store for row in rows))
    parts += [
        (wording.PURGED_FROM, ""),
        (names, "$accent"),
        (wording.ERASED_EVERYWHERE, ""),
    ]
    return Content.assemble(*parts, *backup_parts(backups, with_backups, now))


def backup_parts(
    backups: Sequence[Backup], with_backups: bool, now: float, coming: str = ""
) -> Iterator[Part]:
    """Yield which backups hold what is erased, and whether they are deleted, too; `coming` tells of one that
    is yet to be made."""
    if not backups and not coming:
        yield wording.NO_BACKUP_HOLDS, "$quiet"
        return
    yield "\n", ""
    yield "[x] " if with_backups else "[ ] ", "bold $accent"
    yield wording.DELETE_BACKUPS, ""
    yield wording.backups_hold(len(backups)) if backups else coming, ""
    if backups and coming:
        yield f"    {coming}", ""
    for backup in backups[:SHOWN]:
        yield f"    {moment(backup.made_at, now)}  {one_line(backup.store, 60)}", "$quiet"
        yield "\n", ""
    if len(backups) > SHOWN:
        yield wording.more_backups(len(backups) - SHOWN), "$quiet"
    if with_backups:
        yield wording.BACKUPS_HOLD_MORE, "$warning"
