"""The dialog that attaches a store by its path (S-2, S-3)."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory.stores import StoreInfo
from memtui.tui.stores import wording
from memtui.tui.stores.path_dialog import PathDialog
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


class AttachDialog(PathDialog[list[StoreInfo] | None]):
    """Returns the stores attached, or None."""

    KEYS, HELP = wording.ATTACH_KEYS, wording.ATTACH_HELP

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(wording.ATTACH_A_STORE)
        self._workspace = workspace

    def begin(self, path: str) -> None:
        self._close_when_attached(self.app.lanes.background(self._workspace.attach, path))

    @worker(wording.NOT_ATTACHED, group="attach", exclusive=False)
    async def _close_when_attached(self, attaching: Awaitable[list[StoreInfo]]) -> None:
        try:
            infos = await attaching
        except Refused as refused:
            self.show_message(f"{refused.message} {refused.hint}".strip())
        except Exception as error:  # of any kind: the path must not be lost
            self.show_message(wording.failed(wording.NOT_ATTACHED, error_text(error)))
        else:
            self.dismiss(infos)
        finally:
            self.reading = False

    def action_cancel(self) -> None:
        if self.reading:
            self.show_message(wording.READING_ON)
        else:
            self.dismiss(None)
