"""Putting an export together again after each key, without the screen ever waiting for it (S-71)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual import work

from memtui.export.pack import Pack
from memtui.tui.common.dialog import Dialog
from memtui.tui.exporting import wording
from memtui.tui.exporting.pack_list import labels_of
from memtui.tui.exporting.packing import Choices, Packer, Scope
from memtui.tui.workers.guarded import error_text
from memtui.tui.workers.wording import failed
from memtui.workspace.background import JobControl

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

LARGE = 5_000  # memories from which on other reads do not wait for it
PAUSE = 0.15  # seconds without a key while the user types
PATIENCE = 0.3  # seconds until it is said that it takes longer


@dataclass(frozen=True, slots=True)
class Packed:
    """An export with the choices that it was made for, and `labels` of memories that its reasons name."""

    pack: Pack
    choices: Choices
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was chosen, for the next time, and what was done with it; no summary if nothing was."""

    choices: Choices
    summary: str = ""
    hint: str = ""


class RepackingDialog(Dialog[Outcome]):
    """A dialog that shows an export; the last one stays on the screen until the next one is there."""

    app: MemtuiApp

    def __init__(self, workspace: Workspace, choices: Choices) -> None:
        super().__init__()
        self.workspace, self.choices = workspace, choices
        self.packed: Packed | None = None
        self.is_stale = True
        """Whether what is shown is not what is chosen."""
        self.has_failed = False
        """Whether the last try failed, and nothing is under way."""
        self._packers: dict[Scope, Packer] = {}
        self._stop = threading.Event()  # ends the work that is under way

    @property
    def scope(self) -> Scope:
        """Which memories are exported."""
        raise NotImplementedError

    @property
    def overrides(self) -> Mapping[str, bool]:
        """What the user took in or out, by uid."""
        raise NotImplementedError

    def show_packed(self, packed: Packed) -> None:
        """Show an export."""
        raise NotImplementedError

    def show_progress(self, text: str) -> None:
        """Show that the work takes a while, or how far it is."""
        raise NotImplementedError

    def show_failure(self, text: str) -> None:
        """Show why there is no export."""
        raise NotImplementedError

    def on_unmount(self) -> None:
        self._stop.set()

    def repack(self, *, typing: bool = False) -> None:
        """Put the export together as it is chosen now, and end the work on an older choice; after a pause if
        the user is typing."""
        self._stop.set()
        self._stop, self.is_stale, self.has_failed = threading.Event(), True, False
        self._repack(self._stop, PAUSE if typing else 0.0)

    @work(group="pack", exclusive=True)
    async def _repack(self, stop: threading.Event, pause: float) -> None:
        await asyncio.sleep(pause)
        control = JobControl(stop=stop.is_set, report=partial(self._report, stop))
        run = partial(self._packed, self._packer(), self.choices, dict(self.overrides), control)
        # What takes long must not hold up the lists below, if the user leaves the dialog.
        reading: Awaitable[Packed] = (
            self.app.lanes.background_raw(run) if self._count > LARGE else self.app.lanes.read_raw(run)
        )
        task = asyncio.ensure_future(reading)
        try:
            await asyncio.wait({task}, timeout=PATIENCE)
            if not task.done():
                self.show_progress(wording.PACKING)
            packed = await task
        except asyncio.CancelledError:
            stop.set()
            task.cancel()
            raise
        except InterruptedError:
            return  # for a newer choice
        except Exception as error:  # whatever it was, the dialog shows it and stays
            self.has_failed = True
            self.show_failure(failed(wording.NOT_PACKED, error_text(error)))
            return
        self.packed, self.is_stale = packed, False
        self.show_packed(packed)

    @property
    def _count(self) -> int:
        """About how many memories are exported."""
        if self.scope.ids is not None:
            return len(self.scope.ids)
        return self.app.counts.live if self.app.counts is not None else LARGE + 1

    def _packer(self) -> Packer:
        """Return what packs this scope; the one before is forgotten with what it loaded."""
        if self.scope not in self._packers:
            self._packers = {self.scope: Packer(self.workspace, self.app.settings.tokenizer, self.scope)}
        return self._packers[self.scope]

    @staticmethod
    def _packed(
        packer: Packer, choices: Choices, overrides: Mapping[str, bool], control: JobControl
    ) -> Packed:
        pack = packer.pack(choices, overrides, control)
        return Packed(pack, choices, labels_of([*pack.included, *pack.left_out]))

    def _report(self, stop: threading.Event, done: int, left: int) -> None:
        """Show how far the work is; called in the thread that does it."""

        def show() -> None:
            if not stop.is_set() and self.is_stale:
                self.show_progress(wording.packing(done, done + left))

        with suppress(RuntimeError):  # the app has ended
            self.app.call_later(show)
