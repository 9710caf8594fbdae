"""The dialog that asks which file or store to import, reads it, and compares it with what is there (S-74)."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work

from memtui.memory.imported import ImportPreview
from memtui.tui.stores.importing import wording
from memtui.tui.stores.path_dialog import PathDialog
from memtui.tui.workers.guarded import error_text
from memtui.workspace.background import JobControl

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


class ImportPathDialog(PathDialog[ImportPreview | None]):
    """Returns what an import would do, None if it was left; reading and comparing can be stopped."""

    KEYS, HELP = wording.KEYS, wording.HELP

    def __init__(self, workspace: Workspace, store: str) -> None:
        super().__init__(wording.title(store))
        self._workspace, self._store = workspace, store
        self._stop = threading.Event()

    def begin(self, path: str) -> None:
        self._stop = threading.Event()
        self._read(path, self._stop)

    @work(group="import")
    async def _read(self, path: str, stop: threading.Event) -> None:
        control = JobControl(stop=stop.is_set, report=partial(self._report, stop))
        try:
            found = await self.app.lanes.background_raw(read, self._workspace, path, self._store, control)
        except Exception as error:  # of any kind: the path must not be lost
            if not stop.is_set():
                self._end(error_text(error))
            return
        if stop.is_set():
            return
        if found.items:
            self.dismiss(found)
        else:
            self._end(wording.NOTHING_IN_IT)

    def _end(self, message: str) -> None:
        self.reading = False
        self.show_message(message)

    def _report(self, stop: threading.Event, done: int, left: int) -> None:
        """Show how far the comparison is; called in the thread that compares."""

        def show() -> None:
            if self.reading and not stop.is_set():
                self.show_message(wording.comparing(done, done + left))

        with suppress(RuntimeError):  # the app has ended
            self.app.call_later(show)

    def on_unmount(self) -> None:
        self._stop.set()  # where the program ends meanwhile

    def action_cancel(self) -> None:
        if self.reading:
            self._stop.set()
            self._end(wording.STOPPED)
        else:
            self.dismiss(None)


def read(workspace: Workspace, path: str, store: str, control: JobControl) -> ImportPreview:
    """Return what an import of a file or store would do; raise Refused if it cannot be read."""
    from memtui.importing import sources

    place = Path(path)
    with suppress(RuntimeError):  # there is no such user
        place = place.expanduser()
    return workspace.import_preview(sources.read(place), store, control)
