"""Restoring a store from a backup (S-6, S-64)."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import apsw

from memtui.errors import NotRestored, Refused
from memtui.formats import backup_copy, registry
from memtui.formats.contract.adapter import Adapter
from memtui.formats.media.files import atomic_write
from memtui.memory.results import Change
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import backup_files
from memtui.workspace.db.backup_files import Copy
from memtui.workspace.db.database import translate_errors, unwritable
from memtui.workspace.db.models import Memory, Store, Unit
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.stores import backups, catalog
from memtui.workspace.sync import wording
from memtui.workspace.sync.pull import pull

_HIDDEN = ".*.memtui-*"  # names of a write's temporary files


def restore(ctx: Context, id: str) -> Change:
    """Replace a store's content with a backup; the current content is backed up first."""
    ctx.writable()
    copy = backups.find(ctx, id)
    stores = {backups.mark_of(store): store for store in catalog.attached(ctx)}
    store = stores.get(copy.mark)
    if store is None:
        raise wording.backup_of_detached(id, copy.path)
    if why := catalog.locked_reason(store):
        raise Refused("read-only", why, wording.NOTHING_CHANGED)
    return _restore_own(ctx, store, copy) if store.format == NATIVE else _restore(ctx, store, copy)


def _restore(ctx: Context, store: StoreRow, copy: Copy) -> Change:
    root = Path(store.path)
    adapter = registry.by_name(store.format)(root)
    exists = os.path.lexists(root)
    if not root.parent.is_dir():
        raise wording.folder_missing(root.parent, copy.path)
    if exists and (why := adapter.locked_reason()):
        raise NotRestored("read-only", why, wording.NOTHING_CHANGED)
    _verify(copy)
    if exists:
        _back_up_now(ctx, store, adapter, copy.path)
    try:
        backup_copy.restore(adapter, copy.path, f"{ctx.leases.own()}-{ctx.new_id()[:8]}")
    except OSError as error:
        raise NotRestored("io", backup_files.why(error), wording.NOTHING_CHANGED) from error
    entry_id = None
    try:
        with translate_errors(ctx.path):
            with ctx.db.atomic():
                added = _journal(ctx, store, copy)
                ctx.db.write(Unit.delete().where(Unit.store_id == store.id))
                epoch = Store.update(epoch=Store.epoch + 1, stamp="")
                ctx.db.write(epoch.where(Store.id == store.id))
                _reconnect_rows(ctx, store, adapter)
            entry_id = added
            news = pull(ctx, store, ctx.actor)
        parts = wording.restored_counts(*news.memories)
    except (Refused, OSError) as error:  # the store is restored nevertheless
        why = error.message if isinstance(error, Refused) else f"{error.strerror}."
        if entry_id:
            parts = [wording.restored_but_unreadable(why)]
        else:
            parts = [wording.restored_but_not_journaled(unwritable(error))]
    summary = f"{_summary(store, copy)}: {', '.join(parts) or wording.NO_NEWS}"
    return Change("restored-backup", (), summary, entry_id)


def clear_up(ctx: Context, dead: Sequence[str]) -> None:
    """Remove the temporary files of restores that were cut off, whose leases are `dead`.

    Their content was backed up first. If it was not, an agent wrote it at that moment, and it is kept next
    to its file under a visible name.
    """
    settled_later = {token for (token,) in ctx.db.rows("SELECT token FROM outbox WHERE state = 'intended'")}
    for store in catalog.attached(ctx):
        root = Path(store.path)
        with suppress(Refused, OSError):
            for file in list(root.rglob(_HIDDEN) if root.is_dir() else root.parent.glob(_HIDDEN)):
                token, _, what = file.name.rpartition(".memtui-")[2].rpartition(".")
                lease = next((each for each in dead if token.startswith(f"{each}-")), None)
                if lease is not None and token not in settled_later and not ctx.leases.is_held(lease):
                    _clear(ctx, store, file, what)
    ctx.leases.sweep()


def _clear(ctx: Context, store: StoreRow, file: Path, what: str) -> None:
    """Remove a temporary file: the new version, or the old one that it replaced."""
    root, path = Path(store.path), file.with_name(file.name.rpartition(".memtui-")[0][1:])
    name = str(path.relative_to(root if root.is_dir() else root.parent))
    kept = [
        copy.path
        for copy in backup_files.copies(ctx.path, backups.mark_of(store))
        if copy.path.suffix == ".tar"
    ]
    if what == "new" or any(backup_copy.file_in(copy, name) == file.read_bytes() for copy in kept):
        file.unlink(missing_ok=True)
    elif what == "old":
        atomic_write.keep_visible(file, path)


def _verify(copy: Copy) -> None:
    """Raise Refused if a copy is damaged: it must never replace a store."""
    try:
        backup_copy.verify(copy.path)
    except (Refused, apsw.Error) as error:
        raise wording.backup_damaged(backup_files.why(error)) from error


def _back_up_now(ctx: Context, store: StoreRow, adapter: Adapter | None, keep: Path) -> None:
    try:
        with backup_files.held(ctx.path):
            backups.make_copy(ctx, backups.mark_of(store), adapter, ctx.clock(), keep)
    except (Refused, OSError, apsw.Error) as error:
        raise wording.not_backed_up_first(store.name, backup_files.why(error)) from error


def _reconnect_rows(ctx: Context, store: StoreRow, adapter: Adapter) -> None:
    """Give dismissed memories that are in their store again their refs, so that the next pull recognizes
    them."""
    rows = ctx.db.rows(
        "SELECT m.id, o.plan ->> 'ref' FROM memories m JOIN outbox o ON o.item_id = m.moved "
        "WHERE m.store_id = ? AND m.ref IS NULL AND o.plan IS NOT NULL",
        (store.id,),
    )
    present = adapter.read_refs([ref for _, ref in rows if ref]) if rows else {}
    for id, ref in rows:
        taken = ctx.db.one("SELECT 1 FROM memories WHERE store_id = ? AND ref = ?", (store.id, ref))
        if ref in present and taken is None:
            ctx.db.write(Memory.update(ref=ref, moved=None, digest="").where(Memory.id == id))


def _restore_own(ctx: Context, store: StoreRow, copy: Copy) -> Change:
    """Fill the workspace from its copy in one transaction, an ordinary change to other memtuis; the copy must
    have the same schema."""
    connection = ctx.db.connection()
    with backup_copy.open_copy(copy.path) as old:
        versions = [int(each.pragma("user_version")) for each in (old, connection)]
    if versions[0] != versions[1]:
        raise wording.other_version(f"memtui --workspace {shlex.quote(str(copy.path))}")
    _verify(copy)
    _back_up_now(ctx, store, None, copy.path)
    epoch = ctx.db.one("SELECT max(epoch) FROM stores")
    backup_copy.restore_database(connection, copy.path)
    entry_id, outcome = None, wording.OWN_STORE_RESTORED
    try:
        with translate_errors(ctx.path), ctx.db.atomic():
            ctx.db.write(Store.update(epoch=epoch + 1, stamp=""))
            added = _journal(ctx, store, copy)
        entry_id = added
    except (Refused, OSError) as error:
        outcome += f", {wording.restored_but_not_journaled(unwritable(error))}"
    return Change("restored-backup", (), f"{_summary(store, copy)}: {outcome}", entry_id)


def _journal(ctx: Context, store: StoreRow, copy: Copy) -> int:
    return entries.add(ctx, ctx.actor, "restored-backup", _summary(store, copy), [])


def _summary(store: StoreRow, copy: Copy) -> str:
    return wording.restored(store.name, datetime.fromtimestamp(copy.made_at))
