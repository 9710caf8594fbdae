"""Copies of stores as they were before a day's first write (S-6, S-64, S-90)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from weakref import WeakKeyDictionary

import apsw

from memtui.errors import Refused
from memtui.formats import backup_copy
from memtui.formats.contract.adapter import Adapter
from memtui.formats.media.sqlite.connection import copy_database
from memtui.memory.stores import Backup
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import backup_files, store_rows
from memtui.workspace.db.backup_files import Copy
from memtui.workspace.db.database import Database
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.stores import wording

LARGEST = 64 << 20  # bytes of a workspace that is copied before a day's first change to its own memories
# The days on which this process made, or found, a store's copy: nobody looks at the folder twice.
_known: WeakKeyDictionary[Database, dict[str, date]] = WeakKeyDictionary()


def before_write(ctx: Context, store: StoreRow, adapter: Adapter | None) -> None:
    """Copy a store that is about to be written for the first time today; Refused where that fails."""
    mark, now = mark_of(store), ctx.clock()
    known = _known.setdefault(ctx.db, {})
    today = date.fromtimestamp(now)
    if known.get(mark) == today or (adapter is not None and not adapter.root.exists()):
        return  # where the store is gone, the write itself says so
    if adapter is not None or ctx.path.stat().st_size <= LARGEST:
        try:
            with backup_files.held(ctx.path):
                days = {date.fromtimestamp(copy.made_at) for copy in backup_files.copies(ctx.path, mark)}
                if today not in days:
                    make_copy(ctx, mark, adapter, now)
        except (Refused, OSError, apsw.Error) as trouble:
            reason, folder = backup_files.why(trouble), backup_files.folder_of(ctx.path)
            raise wording.backup_failed(store.name, reason, folder) from trouble
    known[mark] = today


def make_copy(ctx: Context, mark: str, adapter: Adapter | None, now: float, keep: Path | None = None) -> Copy:
    """A copy of a store, our own if `adapter` is None, while the folder is held."""
    if adapter is not None:
        end = backup_copy.suffix_of(adapter)
        return backup_files.make(
            ctx.path, mark, end, now, lambda target: backup_copy.copy_store(adapter, target), keep
        )

    def write(target: Path) -> None:
        connection = ctx.db.connection()
        with connection:
            connection.execute("SELECT 1 FROM stores").fetchone()
            copy_database(connection, target)

    return backup_files.make(ctx.path, mark, "db", now, write, keep)


def mark_of(store: StoreRow) -> str:
    return (
        backup_files.WORKSPACE if store.format == NATIVE else backup_files.mark_of(store.format, store.path)
    )


def listed(ctx: Context, store: str = "") -> list[Backup]:
    """The copies, newest first; `store` is a name or "" for all. One whose store is unknown by now
    has "" for its name."""
    names = {mark_of(row): row.name for row in store_rows.by_id(ctx.db).values()}
    if store and store not in names.values():
        raise wording.unknown_store(store, names.values())
    found = [backup_of(copy, names) for copy in backup_files.copies(ctx.path)]
    return [backup for backup in found if store in ("", backup.store)]


def backup_of(copy: Copy, names: dict[str, str]) -> Backup:
    """A copy, with the name that its store has today."""
    return Backup(copy.id, names.get(copy.mark, ""), copy.made_at, str(copy.path), copy.size)


def delete(ctx: Context, ids: Sequence[str]) -> int:
    """Delete copies for good; how many there were."""
    ctx.writable()
    found = [find(ctx, id) for id in dict.fromkeys(ids)]
    for copy in found:
        copy.path.unlink(missing_ok=True)
    _known.pop(ctx.db, None)
    return len(found)


def find(ctx: Context, id: str) -> Copy:
    for copy in backup_files.copies(ctx.path):
        if copy.id == id:
            return copy
    raise wording.no_backup(id)
