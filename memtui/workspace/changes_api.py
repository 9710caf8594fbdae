"""The verbs of `Workspace` that change memories, and what they would do; each reads as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import TYPE_CHECKING

from memtui.memory.replacement import Replacement
from memtui.memory.results import (
    Change,
    ErasureResult,
    Redacting,
    ReplacePreview,
    ReplacingMemory,
    Skipped,
    SplitPreview,
    StorePreview,
    TransferPreview,
    TransferResult,
)
from memtui.memory.stores import Backup
from memtui.values import FieldValue
from memtui.workspace.background import JobControl
from memtui.workspace.changes import previews, undo, verbs
from memtui.workspace.changes.replacing import replace
from memtui.workspace.changes.splitting import split
from memtui.workspace.changes.transferring import transfer
from memtui.workspace.context import NATIVE

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_NO_FIELDS: Mapping[str, FieldValue] = MappingProxyType({})


class ChangesApi:
    """Changing memories.

    A verb with a `control` reports its progress and can be stopped between two memories: what was done until
    then is one change. Without one it is carried out at once.
    """

    _ctx: Context
    _changing: Callable[[], AbstractContextManager[None]]

    def preview(
        self,
        action: str,
        ids: Sequence[int],
        fields: Mapping[str, FieldValue] = _NO_FIELDS,
        retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
        *,
        with_entities: bool = False,
    ) -> list[StorePreview]:
        """Return what a verb would do to these memories, store by store (S-8); changes nothing.

        `action` is pin, reason, unpin, snooze, wake, confirm, dismiss, forget, restore or edit. `fields` and
        `retag` are those of an edit; a snooze has its moment there, as `snoozed_until`; `with_entities` is
        that of `forget`.
        """
        return previews.preview(self._ctx, action, ids, fields, retag, with_entities=with_entities)

    def pin(self, ids: Sequence[int], why: str = "", control: JobControl | None = None) -> Change:
        """Pin memories; `why` replaces the reason of those that are all pinned already."""
        with self._changing():
            return verbs.pin(self._ctx, ids, why, control)

    def unpin(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        """Unpin memories."""
        with self._changing():
            return verbs.run(self._ctx, "unpin", ids, control)

    def snooze(self, ids: Sequence[int], until: float | None, control: JobControl | None = None) -> Change:
        """Hide memories from the Inbox and Review until a moment (Unix seconds); None shows them again."""
        with self._changing():
            return verbs.snooze(self._ctx, ids, until, control)

    def confirm(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        """Mark memories as right, at least with status confirmed."""
        with self._changing():
            return verbs.run(self._ctx, "confirm", ids, control)

    def dismiss(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        """Dismiss memories as their format does; `restore` brings them back."""
        with self._changing():
            return verbs.take_out(self._ctx, "dismiss", ids, control)

    def forget(
        self, ids: Sequence[int], control: JobControl | None = None, *, with_entities: bool = False
    ) -> Change:
        """Take memories out of their stores, as their format deletes them; `restore` brings them back until
        they are purged (S-106). Entities that lose their last memory go `with_entities`, else they stay."""
        with self._changing():
            return verbs.take_out(self._ctx, "forget", ids, control, with_entities=with_entities)

    def restore(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        """Bring back dismissed memories at their old places."""
        with self._changing():
            return verbs.run(self._ctx, "restore", ids, control)

    def edit(
        self,
        ids: Sequence[int],
        fields: Mapping[str, FieldValue],
        *,
        seen: Mapping[str, FieldValue] | None = None,
        retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
        control: JobControl | None = None,
    ) -> Change:
        """Set fields (those of memory.EDITABLE); a Conflict carries both texts.

        `retag` maps each memory's tags to new ones. `seen` are the values that the user saw: if a memory
        differs from them, that is a conflict even if the difference was pulled meanwhile.
        """
        with self._changing():
            return verbs.edit(self._ctx, ids, fields, seen, retag, control)

    def replace_preview(
        self, replacement: Replacement, ids: Sequence[int], control: JobControl | None = None
    ) -> ReplacePreview:
        """Return every place in these memories where a text would be replaced (S-54); changes nothing."""
        return replace.preview(self._ctx, replacement, ids, control)

    def replace(
        self,
        only: Sequence[ReplacingMemory],
        skipped: Sequence[Skipped] = (),
        control: JobControl | None = None,
    ) -> Change:
        """Replace the chosen hits of a preview as one change; `skipped` is reported with it."""
        with self._changing():
            return replace.replace(self._ctx, only, skipped, control)

    def add(self, fields: Mapping[str, FieldValue], store: str = NATIVE) -> Change:
        """Add a memory with fields of memory.ADDABLE to a store, memtui's own unless named."""
        with self._changing():
            return verbs.add(self._ctx, fields, store)

    def split_preview(self, id: int, parts: Sequence[str], relations: str = "first") -> SplitPreview:
        """Return what splitting a memory into these parts would do, and where; changes nothing."""
        return split.preview(self._ctx, id, parts, relations)

    def split(
        self,
        id: int,
        parts: Sequence[str],
        *,
        relations: str = "first",
        seen: Mapping[str, FieldValue] | None = None,
    ) -> Change:
        """Split a memory: the first part stays it, the others are added next to it.

        `relations` says who has its relations: the first, all or none. `seen` are the values that the user
        saw: if the memory differs from them, that is a conflict.
        """
        with self._changing():
            return split.split(self._ctx, id, parts, relations, seen)

    def preview_transfer(self, ids: Sequence[int], store: str) -> list[TransferPreview]:
        """Return what a store would hold of these memories and what not; changes nothing."""
        return transfer.preview(self._ctx, ids, store)

    def preview_transfer_stores(self, ids: Sequence[int], store: str, *, move: bool) -> list[StorePreview]:
        """Return from which stores how many of these memories would be copied or moved, and what a move does
        there; changes nothing."""
        return transfer.preview_stores(self._ctx, ids, store, move=move)

    def copy(self, ids: Sequence[int], store: str, control: JobControl | None = None) -> TransferResult:
        """Copy memories into another store, keeping what it cannot hold in memtui."""
        with self._changing():
            return transfer.transfer(self._ctx, ids, store, move=False, control=control)

    def move(self, ids: Sequence[int], store: str, control: JobControl | None = None) -> TransferResult:
        """Move memories into another store; the originals go once the copies are written."""
        with self._changing():
            return transfer.transfer(self._ctx, ids, store, move=True, control=control)

    def purge(self, ids: Sequence[int], control: JobControl | None = None) -> ErasureResult:
        """Erase memories permanently from their stores and from memtui (S-50).

        This cannot be undone; the result names the backups that still hold a text.
        """
        from memtui.workspace.maintenance.purge import purge

        with self._changing():
            return purge.purge(self._ctx, ids, control)

    def redact(
        self, ids: Sequence[int], control: JobControl | None = None, with_backups: bool = False
    ) -> ErasureResult:
        """Replace each secret of memories in their stores and in memtui (S-62), and delete the backups that
        have one if `with_backups`.

        This cannot be undone; the result names where a value may still be.
        """
        from memtui.workspace.maintenance.redact import redact

        with self._changing():
            return redact.redact(self._ctx, ids, control, with_backups)

    def redact_preview(self, ids: Sequence[int]) -> tuple[list[Redacting], list[Backup]]:
        """Return what a redaction would do in each memory, and the backups that have a secret of them."""
        from memtui.workspace.maintenance.redact import redact

        return redact.preview(self._ctx, ids), list(redact.backups_holding(self._ctx, ids))

    def undo(self, entry_id: int | None = None, *, warn: bool = False) -> Change:
        """Undo the newest change by the user, or a given journal entry (S-51).

        With `warn`, raise Refused once if the newest change cannot be undone and an older one would be.
        """
        self._ctx.writable()
        with self._changing():
            return undo.undo(self._ctx, entry_id, warn=warn)

    def redo(self) -> Change:
        """Redo what the newest undo undid."""
        self._ctx.writable()
        with self._changing():
            return undo.redo(self._ctx)
