"""Attaching and creating stores (S-2a, S-4, S-8)."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.records import Reading
from memtui.formats.media.sqlite.store import SqliteStore
from memtui.memory.stores import StoreInfo
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.models import Checkpoint, Memory, Relation, SideRecord, Store, Unit
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.stores import catalog
from memtui.workspace.sync import wording
from memtui.workspace.sync.pull import pull


def recognise(path: Path) -> list[tuple[type[Adapter], Path]]:
    """Return the stores at `path`; raise Refused, naming what was looked for, if there is none."""
    try:
        path = path.expanduser().resolve()
    except (OSError, RuntimeError) as error:  # a symlink loop, an unknown ~user
        raise wording.leads_nowhere(path) from error
    found = registry.find(path)
    if not found:
        raise registry.explain(path)
    return found


def attach(ctx: Context, path: Path, name: str = "") -> list[StoreInfo]:
    """Attach the stores at `path` and read them; attached ones are read again.

    Raise Refused, naming what was looked for, if there is none.
    """
    ctx.writable()
    found = recognise(path)
    if name and len(found) > 1:
        raise wording.one_name_for_several(path, len(found))
    return [_attach(ctx, kind, root, name) for kind, root in found]


def _attach(ctx: Context, kind: type[Adapter], root: Path, name: str) -> StoreInfo:
    """Attach one store and read it."""
    for each in catalog.attached(ctx):
        if name and each.name != name and Path(each.path) == root:
            raise wording.attached_as(each.name)
    before = set(store_rows.by_id(ctx.db))
    store = _store_row(ctx, kind, root, name)
    try:
        pull(ctx, store)
    except BaseException:
        if store.id not in before and not ctx.closing.is_set():
            _delete_rows(ctx, store.id)
        raise
    return catalog.info(ctx, store_rows.get(ctx.db, store.id))


def create(ctx: Context, format: str, path: Path, name: str = "", *, folder: bool = False) -> StoreInfo:
    """Create an empty store of a format at `path`, or inside the folder `path`, and attach it.

    Raise Refused if something exists there.
    """
    ctx.writable()
    kind = registry.by_name(format)
    path = path.expanduser().absolute()
    for place in (path, *(path / name for name in kind.usual_paths)):
        if kind.recognise(place) is not None:
            raise wording.store_exists(kind.title, place)
    if (path.is_dir() or folder) and issubclass(kind, SqliteStore):
        path = path / kind.usual_paths[0]
    try:
        root = kind.create(path)
    except FileExistsError as error:
        raise wording.path_exists(error.filename or path) from error
    except OSError as error:
        raise wording.not_created(path, (error.strerror or str(error)).lower()) from error
    try:
        with translate_errors(ctx.path):
            return _attach(ctx, kind, root.resolve(), name)
    except Refused as refusal:
        raise wording.created_not_attached(root, refusal.message) from refusal


def _delete_rows(ctx: Context, store_id: int) -> None:
    """Delete what a failed first read left behind."""
    with ctx.writing, ctx.db.atomic():
        for model in (Memory, Relation, SideRecord, Unit):
            ctx.db.write(model.delete().where(model.store_id == store_id))
        ctx.db.write(Store.delete().where(Store.id == store_id))


def _store_row(ctx: Context, kind: type[Adapter], root: Path, name: str) -> StoreRow:
    """Return the store's row: an attached one, a detached one recognized, or a new one."""
    format = kind.format
    gone = [
        store
        for store in ctx.db.matching(Store, format=format)
        if store.detached_at is not None
        if not os.path.lexists(store.path)  # it exists elsewhere, so this is another store
    ]
    reading = kind(root).read() if gone else Reading()
    with ctx.writing, ctx.db.atomic():
        same = next(iter(ctx.db.matching(Store, format=format, path=str(root))), None)
        if same is None:
            same = _by_content(ctx, gone, reading)
        if same is None:
            wanted = name or f"{format}:{_folder_name(root)}"
            free = catalog.free_name(ctx, wanted)
            new = Store.insert(name=free, format=format, path=str(root), attached_at=ctx.clock())
            return store_rows.get(ctx.db, ctx.db.write(new))
        if same.detached_at is not None:
            again = Store.update(detached_at=None, path=str(root), attached_at=ctx.clock(), stamp="")
            ctx.db.write(again.where(Store.id == same.id))
            # Undos may have been refused because the store was detached.
            ctx.db.write(Checkpoint.delete().where(Checkpoint.name.startswith("refused:")))
            ctx.db.write(Memory.update(shown=True).where(Memory.store_id == same.id))
            entries.add(ctx, "person", "attached", wording.attached_again(same.name), [])
        return store_rows.get(ctx.db, same.id)


def _by_content(ctx: Context, gone: Sequence[Store], reading: Reading) -> Store | None:
    """Return the missing store with mostly the same content, which was moved (S-2a)."""
    if not reading.records:
        return None
    records = json.dumps([[record.ref, record.digest] for record in reading.records])
    for store in gone:
        known = ctx.db.one(
            "SELECT count(*) FROM memories WHERE store_id = ? AND ref IS NOT NULL AND removed_at IS NULL",
            (store.id,),
        )
        shared = ctx.db.one(
            "SELECT count(*) FROM json_each(?) e JOIN memories m ON m.store_id = ? "
            "AND m.ref = e.value ->> 0 AND m.digest = e.value ->> 1",
            (records, store.id),
        )
        if known and shared * 2 > known:
            return store
    return None


def _folder_name(root: Path) -> str:
    """Return the innermost folder name that is not common to all such stores."""
    parts = [part for part in (root.parts if root.is_dir() else root.parent.parts) if part != "/"]
    specific = [
        part for part in parts if part not in (".memory", "memory", ".claude", "memories", ".minions")
    ]
    return (specific or parts or ["store"])[-1].lstrip(".") or "store"
