"""The attached stores: listing, naming, locking, detaching (S-2a, S-4, S-8)."""

from __future__ import annotations

import json
from pathlib import Path

from peewee import fn

from memtui.errors import Refused
from memtui.formats.contract.records import clean
from memtui.memory.stores import Finding, StoreInfo
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import rule_queue, store_rows
from memtui.workspace.db.models import Memory, PolicyRow, Store
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.stores import wording

NAME_LENGTH = 80  # characters


def detach(ctx: Context, name: str) -> StoreInfo:
    """Stop watching a store; its file stays as it is, its pins, notes and history stay in the workspace
    (S-2a)."""
    ctx.writable()
    store = find_attached(ctx, name)
    if store.format == NATIVE:
        raise wording.cannot_detach_own()
    before = info(ctx, store)
    with ctx.db.atomic():
        ctx.db.write(Store.update(detached_at=ctx.clock()).where(Store.id == store.id))
        ctx.db.write(Memory.update(shown=False).where(Memory.store_id == store.id))
        entries.add(ctx, "person", "detached", wording.DETACHED.format(store=store.name), [])
    return before


def rename(ctx: Context, name: str, new: str) -> StoreInfo:
    """Rename an attached store; names are unique, since `store:` filters by them."""
    ctx.writable()
    store, new = find_attached(ctx, name), " ".join(clean(new).split())
    if store.format == NATIVE:
        raise wording.cannot_rename_own()
    if not new or len(new) > NAME_LENGTH:
        raise wording.bad_name_length(NAME_LENGTH)
    with ctx.db.atomic():
        if ctx.db.first(Store.select().where((Store.name == new) & (Store.id != store.id))) is not None:
            raise wording.name_taken(new)
        if new != store.name:
            ctx.db.write(Store.update(name=new).where(Store.id == store.id))
            _rename_in_policies(ctx, store.name, new)
            summary = wording.RENAMED.format(store=store.name, new=new)
            entries.add(ctx, ctx.actor, "renamed", summary, [])
    return info(ctx, store_rows.get(ctx.db, store.id))


def _rename_in_policies(ctx: Context, name: str, new: str) -> None:
    """Let the agents that write to a store go on writing to it under its new name."""
    parts = fn.json_set(PolicyRow.parts, "$.writes_to", new)
    writes_to = fn.json_extract(PolicyRow.parts, "$.writes_to")
    ctx.db.write(PolicyRow.update(parts=parts).where(writes_to == name))


def lock(ctx: Context, name: str, locked: bool) -> StoreInfo:
    """Refuse every change to a store, or allow them again."""
    ctx.writable()
    store = find_attached(ctx, name)
    with ctx.db.atomic():
        if bool(store.locked) != locked:
            ctx.db.write(Store.update(locked=locked).where(Store.id == store.id))
            kind, summary = ("locked", wording.LOCKED) if locked else ("unlocked", wording.UNLOCKED)
            entries.add(ctx, ctx.actor, kind, summary.format(store=store.name), [])
            if not locked:  # rules could do nothing there meanwhile
                ctx.db.run(rule_queue.OF_STORE, (store.id,))
    return info(ctx, store_rows.get(ctx.db, store.id))


def locked_reason(store: StoreRow) -> str:
    """Return why the user allows no change in a store; "" if changes are allowed."""
    return wording.locked(store.name) if store.locked else ""


def find_attached(ctx: Context, name: str) -> StoreRow:
    """Return the attached store with this name or path; raise Refused, listing the attached ones."""
    name = clean(name)  # no store's name has what a database cannot hold
    named = [each for each in ctx.db.matching(Store, name=name) if each.detached_at is None]
    store: StoreRow | None = named[0] if named else None
    if store is None and "/" in name:
        place = Path(name).expanduser().resolve()
        for each in attached(ctx):
            if Path(each.path) in (place, *place.parents) and each.format != NATIVE:
                return each
    if store is None:
        ends = [each for each in attached(ctx) if each.name.rpartition(":")[2] == name]
        if len(ends) == 1:
            return ends[0]
        raise wording.not_attached(name, (each.name for each in attached(ctx)))
    return store


def attached(ctx: Context) -> list[StoreRow]:
    """Return the attached stores, memtui's own first."""
    return store_rows.attached(ctx.db)


def info(ctx: Context, store: StoreRow) -> StoreInfo:
    """Return a store as listed; its count leaves out removed memories."""
    count = ctx.db.one(
        "SELECT (SELECT count(*) FROM memories WHERE store_id = ?1) - (SELECT count(*) FROM memories "
        "WHERE store_id = ?1 AND (removed_at IS NOT NULL OR shown = 0) AND removed_at IS NOT NULL)",
        (store.id,),
    )
    reason, is_missing = ctx.read_only or locked_reason(store), False
    if not reason:
        try:
            adapter = ctx.adapter(store)
            reason = adapter.locked_reason() if adapter is not None else ""
        except Refused as refusal:
            reason, is_missing = refusal.message, refusal.code == "missing"
        except OSError as error:
            reason = str(error)
    return StoreInfo(
        store.name,
        store.format,
        store.path,
        count,
        reason,
        store.pulled_at,
        store.error,
        tuple(Finding(*each) for each in json.loads(store.findings)),
        bool(store.locked),
        store.changed_at,
        store.attached_at,
        store.error_code,
        is_missing,
    )


def free_name(ctx: Context, wanted: str) -> str:
    """Return `wanted`, with a number appended if it is taken."""
    name, number = wanted, 1
    while ctx.db.matching(Store, name=name):
        number += 1
        name = f"{wanted}-{number}"
    return name


def ensure_own(ctx: Context) -> None:
    """Create the row of memtui's own store in a new workspace."""
    own = "SELECT 1 FROM stores WHERE format = ?"  # not a peewee query: compiling one takes 0.5 ms
    if ctx.db.one(own, (NATIVE,)):
        return
    with ctx.db.atomic():
        if not ctx.db.one(own, (NATIVE,)):  # another process may have just created it
            now, path = ctx.clock(), str(ctx.path)
            new = Store.insert(name=NATIVE, format=NATIVE, path=path, attached_at=now, pulled_at=now)
            ctx.db.write(new)
