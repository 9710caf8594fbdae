"""Attaching and creating stores (S-2a, S-4, S-8)."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.contract.adapter import Adapter, Reading
from memtui.formats.media.sqlite.store import SqliteStore
from memtui.memory.stores import StoreInfo
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import in_words
from memtui.workspace.db.models import Checkpoint, Memory, Relation, SideRecord, Store, Unit
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.stores import catalog
from memtui.workspace.sync.pull import pull


def recognise(path: Path) -> list[tuple[type[Adapter], Path]]:
    """The stores at `path`; Refused, saying what was looked for, where there is none."""
    try:
        path = path.expanduser().resolve()
    except (OSError, RuntimeError) as trouble:  # a link that leads to itself, an unknown ~user
        raise Refused("missing", f"{path} leads nowhere.", "Nothing was changed.") from trouble
    found = registry.find(path)
    if not found:
        raise registry.explain(path)
    return found


def attach(ctx: Context, path: Path, name: str = "") -> list[StoreInfo]:
    """Attach the stores at `path` and read them; those attached already are read again.

    Raises Refused, saying what was looked for, where there is none.
    """
    ctx.writable()
    found = recognise(path)
    if name and len(found) > 1:
        raise Refused(
            "name", f"{path} holds {len(found)} stores; a name fits one only.", "Attach them one by one."
        )
    return [_attach(ctx, kind, root, name) for kind, root in found]


def _attach(ctx: Context, kind: type[Adapter], root: Path, name: str) -> StoreInfo:
    """Attach one store and read it."""
    for each in catalog.attached(ctx):
        if name and each.name != name and Path(each.path) == root:
            raise Refused("name", f"It is attached already, as {each.name}.", "Its name stays as it is.")
    before = set(store_rows.by_id(ctx.db))
    store = _store_row(ctx, kind, root, name)
    try:
        pull(ctx, store)
    except BaseException:
        if store.id not in before and not ctx.closing.is_set():
            _forget(ctx, store.id)
        raise
    return catalog.info(ctx, store_rows.get(ctx.db, store.id))


def create(ctx: Context, format: str, path: Path, name: str = "", *, folder: bool = False) -> StoreInfo:
    """Make an empty store of a format at `path`, or in the folder `path`, and attach it. Refused where
    something stands there already."""
    ctx.writable()
    kind = registry.by_name(format)
    path = path.expanduser().absolute()
    for place in (path, *(path / name for name in kind.inside)):
        if kind.recognise(place) is not None:
            why = f"There is a store of {kind.title} at {place} already."
            raise Refused("exists", why, "Nothing was made. memtui stores attach opens it.")
    if (path.is_dir() or folder) and issubclass(kind, SqliteStore):
        path = path / kind.inside[0]
    try:
        root = kind.create(path)
    except FileExistsError as trouble:
        there = trouble.filename or path
        raise Refused("exists", f"There is something at {there} already.", "Nothing was made.") from trouble
    except OSError as trouble:
        why = (trouble.strerror or str(trouble)).lower()
        raise Refused("io", f"No store could be made at {path}: {why}.", "Nothing was made.") from trouble
    try:
        with in_words(ctx.path):
            return _attach(ctx, kind, root.resolve(), name)
    except Refused as refusal:
        said = f"An empty store was made at {root}, but not attached: {refusal.message}"
        raise Refused("half", said, "memtui stores attach attaches it.") from refusal


def _forget(ctx: Context, store_id: int) -> None:
    """Take away what a first reading that failed left behind."""
    with ctx.writing, ctx.db.atomic():
        for model in (Memory, Relation, SideRecord, Unit):
            ctx.db.write(model.delete().where(model.store_id == store_id))
        ctx.db.write(Store.delete().where(Store.id == store_id))


def _store_row(ctx: Context, kind: type[Adapter], root: Path, name: str) -> StoreRow:
    """The stores row: the attached one, a detached one found again, or a new one."""
    format = kind.format
    detached = Store.select().where((Store.format == format) & Store.detached_at.is_null(False))
    gone = [
        store
        for store in ctx.db.fetch(detached)
        if not os.path.lexists(store.path)  # else it still stands there: this is another one
    ]
    reading = kind(root).read() if gone else Reading()
    with ctx.writing, ctx.db.atomic():
        same = ctx.db.first(Store.select().where((Store.format == format) & (Store.path == str(root))))
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
            entries.note(ctx, "person", "attached", f"Attached {same.name} again", [])
        return store_rows.get(ctx.db, same.id)


def _by_content(ctx: Context, gone: Sequence[Store], reading: Reading) -> Store | None:
    """Which of the stores that are gone from their places says mostly the same: it was moved (S-2a)."""
    if not reading.records:
        return None
    said = json.dumps([[record.ref, record.digest] for record in reading.records])
    for store in gone:
        known = ctx.db.one(
            "SELECT count(*) FROM memories WHERE store_id = ? AND ref IS NOT NULL AND removed_at IS NULL",
            (store.id,),
        )
        shared = ctx.db.one(
            "SELECT count(*) FROM json_each(?) e JOIN memories m ON m.store_id = ? "
            "AND m.ref = e.value ->> 0 AND m.digest = e.value ->> 1",
            (said, store.id),
        )
        if known and shared * 2 > known:
            return store
    return None


def _folder_name(root: Path) -> str:
    """The folder that tells a store apart: past the names that all such stores share."""
    parts = [part for part in (root.parts if root.is_dir() else root.parent.parts) if part != "/"]
    telling = [part for part in parts if part not in (".memory", "memory", ".claude", "memories", ".minions")]
    return (telling or parts or ["store"])[-1].lstrip(".") or "store"
