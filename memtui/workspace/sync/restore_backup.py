"""Going back to a backup of a store (S-6, S-64)."""

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
from memtui.workspace.db.database import in_words, unwritable
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.stores import backups, catalog
from memtui.workspace.sync.pull import pull

_HIDDEN = ".*.memtui-*"  # names of files that a write puts aside


def restore(ctx: Context, id: str) -> Change:
    """Make a store what a copy holds; what stands there now is copied first."""

    ctx.writable()
    copy = backups.find(ctx, id)
    stores = {backups.mark_of(store): store for store in catalog.attached(ctx)}
    store = stores.get(copy.mark)
    if store is None:
        raise Refused(
            "no-store",
            f"The store of the backup {id} is not attached.",
            f"Nothing was changed. Attach it again, or look at the copy itself: {copy.path}",
        )
    if why := catalog.locked(store):
        raise Refused("read-only", why, "Nothing was changed.")
    return _restore_own(ctx, store, copy) if store.format == NATIVE else _restore(ctx, store, copy)


def _restore(ctx: Context, store: StoreRow, copy: Copy) -> Change:

    root = Path(store.path)
    adapter = registry.by_name(store.format)(root)
    there = os.path.lexists(root)
    if not root.parent.is_dir():
        raise NotRestored(
            "missing",
            f"the folder {root.parent} is no longer there.",
            f"Nothing was changed. Make it again first; the copy is {copy.path}",
        )
    if there and (why := adapter.locked()):
        raise NotRestored("read-only", f"{why}", "Nothing was changed.")
    _sound(copy)
    if there:
        _copy_now(ctx, store, adapter, copy.path)
    try:
        backup_copy.put_back(adapter, copy.path, f"{ctx.leases.mine()}-{ctx.new_id()[:8]}")
    except OSError as trouble:
        raise NotRestored("io", f"{backup_files.why(trouble)}", "Nothing was changed.") from trouble
    line = None
    try:
        with in_words(ctx.path):
            with ctx.db.atomic():
                noted = _line(ctx, store, copy)
                ctx.db.run("DELETE FROM units WHERE store_id = ?", (store.id,))
                ctx.db.run("UPDATE stores SET epoch = epoch + 1, stamp = '' WHERE id = ?", (store.id,))
                _stand_again(ctx, store, adapter)
            line = noted
            news = pull(ctx, store, ctx.actor)
        told = [
            f"{n:,} {word}"
            for n, word in zip(news.memories, ("added", "changed", "removed"), strict=True)
            if n
        ]
    except (Refused, OSError) as trouble:  # it is restored all the same
        why = trouble.message if isinstance(trouble, Refused) else f"{trouble.strerror}."
        told = [f"but it cannot be read: {why}" if line else f"but {unwritable(trouble)}: no journal entry"]
    return Change("restored-backup", (), f"{_summary(store, copy)}: {', '.join(told) or 'no news'}", line)


def clear_up(ctx: Context, dead: Sequence[str]) -> None:
    """Remove the hidden files of restores that were cut off, whose leases are `dead`. What they hold was
    copied first; where it is something else, an agent wrote it in that moment, and it is kept beside its
    file under a visible name."""

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
    """Remove a hidden file, a new one or the old one that it took the place of."""
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
        atomic_write.keep_in_sight(file, path)


def _sound(copy: Copy) -> None:
    """Refused where a copy is damaged: it never takes the place of a store."""
    try:
        backup_copy.verify(copy.path)
    except (Refused, apsw.Error) as trouble:
        raise NotRestored(
            "damaged",
            f"the backup is damaged ({backup_files.why(trouble)})",
            "Nothing was changed. memtui backup list shows the others.",
        ) from trouble


def _copy_now(ctx: Context, store: StoreRow, adapter: Adapter | None, keep: Path) -> None:
    try:
        with backup_files.held(ctx.path):
            backups.make_copy(ctx, backups.mark_of(store), adapter, ctx.clock(), keep)
    except (Refused, OSError, apsw.Error) as trouble:
        raise NotRestored(
            "backup",
            f"{store.name} as it is now could not be backed up first: {backup_files.why(trouble)}",
            "Nothing was changed.",
        ) from trouble


def _stand_again(ctx: Context, store: StoreRow, adapter: Adapter) -> None:
    """Rows of memories that had been taken out of their store and stand there again: the next pull
    finds them by their refs, and not as strangers."""
    rows = ctx.db.rows(
        "SELECT m.id, o.plan ->> 'ref' FROM memories m JOIN outbox o ON o.item_id = m.moved "
        "WHERE m.store_id = ? AND m.ref IS NULL AND o.plan IS NOT NULL",
        (store.id,),
    )
    there = adapter.read_refs([ref for _, ref in rows if ref]) if rows else {}
    for id, ref in rows:
        taken = ctx.db.one("SELECT 1 FROM memories WHERE store_id = ? AND ref = ?", (store.id, ref))
        if ref in there and not taken:
            ctx.db.run("UPDATE memories SET ref = ?, moved = NULL, digest = '' WHERE id = ?", (ref, id))


def _restore_own(ctx: Context, store: StoreRow, copy: Copy) -> Change:
    """Our own file is filled from its copy in one transaction, which other memtuis take for a change
    like any other; only a copy of the same schema can be."""
    connection = ctx.db.connection()
    with backup_copy.closed(copy.path) as old:
        versions = [int(each.pragma("user_version")) for each in (old, connection)]
    if versions[0] != versions[1]:
        raise NotRestored(
            "older",
            "this backup was made by another version of memtui.",
            "Nothing was changed. Open the copy as a workspace of its own: "
            f"memtui --workspace {shlex.quote(str(copy.path))}",
        )
    _sound(copy)
    _copy_now(ctx, store, None, copy.path)
    epoch = ctx.db.one("SELECT max(epoch) FROM stores")
    backup_copy.put_database_back(connection, copy.path)
    line, told = None, "all that memtui keeps"
    try:
        with in_words(ctx.path), ctx.db.atomic():
            ctx.db.run("UPDATE stores SET epoch = ?, stamp = ''", (epoch + 1,))
            noted = _line(ctx, store, copy)
        line = noted
    except (Refused, OSError) as trouble:
        told += f", but {unwritable(trouble)}: no journal entry"
    return Change("restored-backup", (), f"{_summary(store, copy)}: {told}", line)


def _line(ctx: Context, store: StoreRow, copy: Copy) -> int:

    return entries.note(ctx, ctx.actor, "restored-backup", _summary(store, copy), [])


def _summary(store: StoreRow, copy: Copy) -> str:
    made = datetime.fromtimestamp(copy.made_at)
    return f"Restored {store.name} to the backup of {made:%Y-%m-%d %H:%M}"
