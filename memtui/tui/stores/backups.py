"""The dialog that lists the backups of a store and restores one (S-6)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.errors import Refused
from memtui.memory.results import Change
from memtui.memory.stores import Backup, StoreInfo
from memtui.text import safe_text, size_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.stores import wording
from memtui.tui.stores.store_text import OWN, short_path
from memtui.tui.text.glyphs import ago, fit, moment
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class BackupList(VirtualList):
    """One line per backup, newest first: when, how long ago, size."""

    def __init__(self, clock: Callable[[], float], *, id: str) -> None:
        super().__init__(id=id)
        self._clock = clock
        self.backups: list[Backup] = []
        self.empty_lines = [("Reading …", "quiet")]

    @property
    def highlighted(self) -> Backup | None:
        """The backup under the cursor."""
        return self.backups[self.cursor] if self.cursor < len(self.backups) else None

    def show(self, backups: list[Backup]) -> None:
        """List other backups."""
        self.backups = backups
        self.refill(len(backups), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        backup, now = self.backups[index], self._clock()
        room = max(1, width - 16 - 12 - 10)
        return [
            (" ", "plain"),
            (fit(moment(backup.made_at, now), 15), "plain"),
            (fit(ago(backup.made_at, now), 12), "quiet"),
            (fit(size_text(backup.size), 8, right=True), "plain"),
            ("  ", "plain"),
            (fit(backup.id, room), "quiet"),
        ]


class BackupsDialog(Dialog[Change | None]):
    """⏎ asks, `y` confirms: a key pressed twice restores nothing. Returns the change, or None."""

    BINDINGS = command_table.bindings(names.BACKUPS)
    SAYS = 1000
    app: MemtuiApp

    def __init__(self, workspace: Workspace, info: StoreInfo, clock: Callable[[], float]) -> None:
        super().__init__()
        self._workspace = workspace
        self._info = info
        self._clock = clock
        self._to_confirm: Backup | None = None
        self._restoring = False

    def compose(self) -> ComposeResult:
        with Vertical(id="backups", classes="dialog"):
            yield BackupList(self._clock, id="backup-list")
            yield Static(id="message")

    def on_mount(self) -> None:
        self.box = self.query_one("#backups")
        self.box.border_title = Content(
            wording.backups_of(safe_text(self._info.name, one_line=True, limit=80))
        )
        self.backups = self.query_one(BackupList)
        self.backups.focus()
        self._withdraw()
        self.load()

    @worker(wording.BACKUPS_UNREADABLE, group="backups")
    async def load(self) -> None:
        try:
            backups = await self.app.lanes.read(self._workspace.backups, self._info.name)
        except Exception as error:
            self.backups.empty_lines = [(f"{wording.BACKUPS_UNREADABLE}.", "error")]
            self.backups.refresh()
            self.show_message(error_text(error))
            return
        self.backups.empty_lines = [
            (wording.NO_BACKUPS, "plain"),
            (wording.BACKUPS_ARE_MADE, "quiet"),
            (wording.BACKUPS_ARE_KEPT, "quiet"),
        ]
        self.backups.show(backups)

    # Keys

    def action_ask(self) -> None:
        backup = self.backups.highlighted
        if backup is None:
            self.show_message(wording.NOTHING_TO_RESTORE)
        elif self.app.read_only:
            self.show_message(wording.RESTORE_READ_ONLY)
        else:
            self._to_confirm = backup
            self.show_message(
                wording.confirm_restore(
                    short_path(self._info.path),
                    self._info.count,
                    moment(backup.made_at, self._clock()),
                    is_workspace=self._info.format == OWN,
                )
            )
            self.box.border_subtitle = Content(wording.CONFIRM_KEYS)

    def action_restore(self) -> None:
        if self._to_confirm is None:
            self.show_message(wording.CHOOSE_A_BACKUP)
        elif not self._restoring:
            self._restoring = True
            self.show_message(wording.RESTORING)
            restoring = self.app.lanes.write(self._workspace.restore_backup, self._to_confirm.id)
            self._close_when_restored(restoring)

    @worker(wording.NOT_RESTORED, group="restore", exclusive=False)
    async def _close_when_restored(self, restoring: Awaitable[Change]) -> None:
        try:
            change = await restoring
        except Refused as refused:
            self._withdraw()
            self.show_message(f"{refused.message} {refused.hint}".strip())
        except Exception as error:  # of any kind: the dialog has to show it
            self._withdraw()
            self.show_message(wording.failed(wording.NOT_RESTORED, error_text(error)))
        else:
            self.dismiss(change)
        finally:
            self._restoring = False

    def action_back(self) -> None:
        if self._restoring:
            self.show_message(wording.RESTORING_ON)
        elif self._to_confirm is not None:
            self._withdraw()
        else:
            self.dismiss(None)

    def on_opened(self, message: Opened) -> None:
        self.action_ask()

    def on_cursor_moved(self, message: CursorMoved) -> None:
        if self._to_confirm is not None and self._to_confirm != self.backups.highlighted:
            self._withdraw()

    def _withdraw(self) -> None:
        self._to_confirm = None
        self.box.border_subtitle = Content(wording.BACKUP_KEYS)
        self.show_message(wording.BACKUP_HELP)
