"""The keys by which memories leave their store for another, or for good (S-8, S-9)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memtui.memory.results import Change, ErasureResult, TransferResult
from memtui.tui.memory import wording
from memtui.tui.memory.bulk.wording import DOING
from memtui.tui.memory.selection import writes
from memtui.tui.memory.verb_keys import VerbScreen

if TYPE_CHECKING:
    from memtui.tui.memory.purge import PurgeJob
    from memtui.tui.memory.transfer_dialog import TransferJob


class LeavingScreen(VerbScreen):
    """A screen on which memories are copied, moved, purged and redacted."""

    @writes
    def action_purge(self) -> None:
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        ids = self.selected()
        if not ids:
            self.app.show_status(self.nothing_to("purge"))
            return
        from memtui.tui.memory.purge import PurgeDialog

        self.app.push_screen(PurgeDialog(workspace, ids), partial(self._purge_asked, len(ids)))

    async def _purge_asked(self, count: int, purged: ErasureResult | PurgeJob | None) -> None:
        if isinstance(purged, ErasureResult):
            await self._purged(purged)
        elif purged is not None:
            self.app.run_bulk(purged, DOING["purge"], count, self._purged)

    async def _purged(self, purged: ErasureResult) -> str:
        change = Change("dismissed", purged.ids, purged.summary)
        backups = wording.backups_left(len(purged.backups))
        return await self.app.announce(change, hint=wording.purge_hint(backups, purged.notes))

    @writes
    def action_redact(self) -> None:
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        ids = self.selected()
        if not ids:
            self.app.show_status(self.nothing_to("redact"))
            return
        from memtui.tui.memory.redact_dialog import RedactDialog

        self.app.push_screen(RedactDialog(workspace, ids), partial(self._redact_asked, len(ids)))

    async def _redact_asked(self, count: int, redacted: ErasureResult | PurgeJob | None) -> None:
        if isinstance(redacted, ErasureResult):
            await self._redacted(redacted)
        elif redacted is not None:
            self.app.run_bulk(redacted, DOING["redact"], count, self._redacted)

    async def _redacted(self, redacted: ErasureResult) -> str:
        change = Change("redacted", redacted.ids, redacted.summary)
        backups = wording.backups_left(len(redacted.backups))
        # What to do at once comes first, since a narrow status line is cut.
        notes = (*redacted.notes[-1:], backups, *redacted.notes[:-1])
        return await self.app.announce(change, hint=wording.purge_hint("", tuple(filter(None, notes))))

    @writes
    def action_copy_to(self) -> None:
        self._transfer(move=False)

    @writes
    def action_move_to(self) -> None:
        self._transfer(move=True)

    def _transfer(self, *, move: bool) -> None:
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        ids = self.selected()
        if not ids:
            self.app.show_status(self.nothing_to("move" if move else "copy"))
            return
        from memtui.tui.memory.transfer_dialog import TransferDialog

        self.app.push_screen(TransferDialog(workspace, ids, move), self._transfer_asked)

    async def _transfer_asked(self, done: TransferResult | TransferJob | None) -> None:
        from memtui.tui.memory.transfer_dialog import TransferJob

        if isinstance(done, TransferJob):
            doing = DOING["move" if done.move else "copy"]
            self.app.run_bulk(done.run, doing, done.count, self._transferred)
        elif done is not None:
            await self._transferred(done)

    async def _transferred(self, done: TransferResult) -> str:
        from memtui.tui.memory.transfer_dialog import transfer_report

        if done.change.unreached:
            self.unmark(done.originals)
        hint = wording.transfer_hint(self.app.key("change.undo"), transfer_report(done))
        return await self.app.announce(done.change, hint=hint)
