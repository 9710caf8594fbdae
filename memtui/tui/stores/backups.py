"""The backups of one store, and going back to one (S-6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.errors import Refused
from memtui.memory.results import Change
from memtui.memory.stores import Backup, StoreInfo
from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.stores.store_text import short_path, size_words
from memtui.tui.text.glyphs import ago, counted, fit, moment
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

LOOK = "⏎ restore · esc close"
ASK = "y restore it · esc keep what is there"


class BackupList(VirtualList):
    """A line a backup, newest first: when, how long ago, how big."""

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
        """Other lines now."""
        self.backups = backups
        self.refill(len(backups), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        backup, now = self.backups[index], self._clock()
        room = max(1, width - 16 - 12 - 10)
        return [
            (" ", "plain"),
            (fit(moment(backup.made_at, now), 15), "plain"),
            (fit(ago(backup.made_at, now), 12), "quiet"),
            (fit(size_words(backup.size), 8, right=True), "plain"),
            ("  ", "plain"),
            (fit(backup.id, room), "quiet"),
        ]


EVERYTHING = " All that memtui keeps goes back with it: the journal since then, pins, attached stores."


class BackupsDialog(Dialog[Change | None]):
    """⏎ asks and `y` restores: the key that confirms is not the one that asks."""

    BINDINGS = command_table.bindings(command_table.BACKUPS)
    SAYS = 1000
    app: MemtuiApp

    def __init__(self, workspace: Workspace, info: StoreInfo, clock: Callable[[], float]) -> None:
        super().__init__()
        self._workspace = workspace
        self._info = info
        self._clock = clock
        self._asked: Backup | None = None
        self._restoring = False

    def compose(self) -> ComposeResult:
        with Vertical(id="backups", classes="dialog"):
            yield BackupList(self._clock, id="backup-list")
            yield Static(id="message")

    def on_mount(self) -> None:
        self.box = self.query_one("#backups")
        self.box.border_title = Content(f"Backups of {safe_text(self._info.name, one_line=True, limit=80)}")
        self.backups = self.query_one(BackupList)
        self.backups.focus()
        self._unask()
        self.load()

    @worker("The backups could not be read", group="backups")
    async def load(self) -> None:
        try:
            backups = await self.app.lanes.read(self._workspace.backups, self._info.name)
        except Exception as error:
            self.backups.empty_lines = [("The backups could not be read.", "wrong")]
            self.backups.refresh()
            self.show_message(error_text(error))
            return
        self.backups.empty_lines = [
            ("No backups yet.", "plain"),
            ("One is made before the first write of a day;", "quiet"),
            ("the newest ten are kept.", "quiet"),
        ]
        self.backups.show(backups)

    # Keys

    def action_ask(self) -> None:
        backup = self.backups.highlighted
        if backup is None:
            self.show_message("There is nothing to restore.")
        elif self.app.read_only:
            self.show_message("Not restored: the workspace was opened read-only.")
        else:
            self._asked = backup
            now = counted(self._info.count, "memory")
            self.show_message(
                f"{short_path(self._info.path)}, {now} now, becomes what it was at "
                f"{moment(backup.made_at, self._clock())}. What stands there now is backed up first."
                + (EVERYTHING if self._info.format == "native" else "")
            )
            self.box.border_subtitle = Content(ASK)

    def action_restore(self) -> None:
        if self._asked is None:
            self.show_message("⏎ chooses the backup under the cursor; y then restores it.")
        elif not self._restoring:
            self._restoring = True
            self.show_message("Restoring …")
            self._restore(self._asked.id)

    @worker("Not restored", group="restore", exclusive=False)
    async def _restore(self, id: str) -> None:
        try:
            change = await self.app.lanes.write(self._workspace.restore_backup, id)
        except Refused as refused:
            self._unask()
            self.show_message(f"{refused.message} {refused.hint}".strip())
        except Exception as error:  # whatever it was: the store is as it was told
            self._unask()
            self.show_message(f"Not restored: {error_text(error)}")
        else:
            self.dismiss(change)
        finally:
            self._restoring = False

    def action_back(self) -> None:
        if self._restoring:
            self.show_message("It is being restored; what is begun is finished first.")
        elif self._asked is not None:
            self._unask()
        else:
            self.dismiss(None)

    def on_opened(self, message: Opened) -> None:
        self.action_ask()

    def on_cursor_moved(self, message: CursorMoved) -> None:
        if self._asked is not None and self._asked != self.backups.highlighted:
            self._unask()

    def _unask(self) -> None:
        self._asked = None
        self.box.border_subtitle = Content(LOOK)
        self.show_message("A backup is the whole store as it was before a day's first write.")
