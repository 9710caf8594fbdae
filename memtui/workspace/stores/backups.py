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

# Larger workspaces, in bytes, are not copied before a day's first change to their own memories.
MAX_WORKSPACE_BYTES = 64 << 20
_backed_up_on: WeakKeyDictionary[Database, dict[str, date]] = WeakKeyDictionary()


def before_write(ctx: Context, store: StoreRow, adapter: Adapter | None) -> None:
    """Back up a store before its first write of the day; raise Refused if that fails."""
    mark, now = mark_of(store), ctx.clock()
    days_by_mark = _backed_up_on.setdefault(ctx.db, {})
    today = date.fromtimestamp(now)
    if days_by_mark.get(mark) == today or (adapter is not None and not adapter.root.exists()):
        return  # a missing store is reported by the write
    if adapter is not None or ctx.path.stat().st_size <= MAX_WORKSPACE_BYTES:
        try:
            with backup_files.held(ctx.path):
                days = {date.fromtimestamp(copy.made_at) for copy in backup_files.copies(ctx.path, mark)}
                if today not in days:
                    make_copy(ctx, mark, adapter, now)
        except (Refused, OSError, apsw.Error) as error:
            reason, folder = backup_files.why(error), backup_files.folder_of(ctx.path)
            raise wording.backup_failed(store.name, reason, folder) from error
    days_by_mark[mark] = today


def is_due(ctx: Context, store: StoreRow, adapter: Adapter | None) -> bool:
    """Return whether a change of a store now would be its first of the day, before which it is backed up."""
    if adapter is None and ctx.path.stat().st_size > MAX_WORKSPACE_BYTES:
        return False
    today = date.fromtimestamp(ctx.clock())
    copies = backup_files.copies(ctx.path, mark_of(store))
    return all(date.fromtimestamp(copy.made_at) != today for copy in copies)


def make_copy(ctx: Context, mark: str, adapter: Adapter | None, now: float, keep: Path | None = None) -> Copy:
    """Copy a store (memtui's own if `adapter` is None); the caller holds the folder's lock."""
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
    """Return the key under which a store's backups are filed."""
    return (
        backup_files.WORKSPACE if store.format == NATIVE else backup_files.mark_of(store.format, store.path)
    )


def listed(ctx: Context, store: str = "") -> list[Backup]:
    """Return the backups, newest first; `store` is a name, or "" for all.

    A backup's `store` is "" if no store has its key any more.
    """
    names = {mark_of(row): row.name for row in store_rows.by_id(ctx.db).values()}
    if store and store not in names.values():
        raise wording.unknown_store(store, names.values())
    found = [backup_of(copy, names) for copy in backup_files.copies(ctx.path)]
    return [backup for backup in found if store in ("", backup.store)]


def backup_of(copy: Copy, names: dict[str, str]) -> Backup:
    """Return a copy as a Backup, with its store's current name."""
    return Backup(copy.id, names.get(copy.mark, ""), copy.made_at, str(copy.path), copy.size)


def delete(ctx: Context, ids: Sequence[str]) -> int:
    """Delete backups and return how many."""
    ctx.writable()
    found = [find(ctx, id) for id in dict.fromkeys(ids)]
    for copy in found:
        copy.path.unlink(missing_ok=True)
    _backed_up_on.pop(ctx.db, None)
    return len(found)


def find(ctx: Context, id: str) -> Copy:
    """Return the backup with this id; raise Refused if there is none."""
    for copy in backup_files.copies(ctx.path):
        if copy.id == id:
            return copy
    raise wording.no_backup(id)
