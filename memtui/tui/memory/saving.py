"""Writing what was edited, in the writing thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.errors import Conflict, Refused
from memtui.memory.detail import Detail
from memtui.memory.results import Change
from memtui.values import Fields

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


class Gone(Exception):
    """The memory is no longer in its store."""


def save(workspace: Workspace, detail: Detail | None, changes: Fields, overwrite: bool, store: str) -> Change:
    """Add a memory to a store, or edit the one that `detail` shows; with `overwrite`, whatever is stored now.

    Raise Gone if the memory is no longer in its store."""
    if detail is None:
        return workspace.add(changes, store)
    before: Detail | None = detail
    if overwrite:
        workspace.pull()
        before = workspace.detail(detail.id)
    if before is None or (overwrite and before.removed_at is not None):
        raise Gone
    seen = {name: getattr(before.memory, name) for name in changes}
    try:
        return workspace.edit([detail.id], changes, seen=seen)
    except Conflict:
        raise
    except Refused:
        now = workspace.detail(detail.id)
        if now is None or (now.removed_at is not None and detail.removed_at is None):
            raise Gone from None
        raise
