"""The attached stores: which there are, their names, whether they may be changed (S-2a, S-4, S-8)."""

from __future__ import annotations

import json
from pathlib import Path

from memtui.errors import Refused
from memtui.formats.contract.adapter import clean
from memtui.memory.records import Finding, StoreInfo
from memtui.workspace.context import NATIVE, Core
from memtui.workspace.db.rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.stores import wording

NAME_LENGTH = 80  # characters


def detach(core: Core, name: str) -> StoreInfo:
    """Stop watching a store; its file stays as it is, its pins, notes and history stay here (S-2a)."""
    core.writable()
    store = named(core, name)
    if store.format == NATIVE:
        raise wording.cannot_detach_own()
    before = info(core, store)
    with core.db.atomic():
        core.t.Store.update(detached_at=core.clock()).where(core.t.Store.id == store.id).execute()
        core.db.run("UPDATE memories SET shown = 0 WHERE store_id = ?", (store.id,))
        entries.note(core, "person", "detached", wording.DETACHED.format(store=store.name), [])
    return before


def rename(core: Core, name: str, new: str) -> StoreInfo:
    """Another name for an attached store; unique, so that `store:` means one."""
    core.writable()
    store, new = named(core, name), " ".join(clean(new).split())
    if store.format == NATIVE:
        raise wording.cannot_rename_own()
    if not new or len(new) > NAME_LENGTH:
        raise wording.bad_name_length(NAME_LENGTH)
    Store = core.t.Store
    with core.db.atomic():
        if Store.get_or_none((Store.name == new) & (Store.id != store.id)) is not None:
            raise wording.name_taken(new)
        if new != store.name:
            Store.update(name=new).where(Store.id == store.id).execute()
            summary = wording.RENAMED.format(store=store.name, new=new)
            entries.note(core, core.actor, "renamed", summary, [])
    return info(core, Store.get_by_id(store.id))


def lock(core: Core, name: str, locked: bool) -> StoreInfo:
    """Refuse every change to a store, or allow them again."""
    core.writable()
    store = named(core, name)
    with core.db.atomic():
        if bool(store.locked) != locked:
            core.t.Store.update(locked=locked).where(core.t.Store.id == store.id).execute()
            kind, summary = ("locked", wording.LOCKED) if locked else ("unlocked", wording.UNLOCKED)
            entries.note(core, core.actor, kind, summary.format(store=store.name), [])
    return info(core, core.t.Store.get_by_id(store.id))


def locked(store: StoreRow) -> str:
    """Why the user allows no change in a store; "" if changes are allowed."""
    return wording.locked(store.name) if store.locked else ""


def named(core: Core, name: str) -> StoreRow:
    """The attached store with this name or path; Refused lists the attached ones."""
    Store = core.t.Store
    store: StoreRow | None = Store.get_or_none((Store.name == name) & Store.detached_at.is_null())
    if store is None and "/" in name:
        place = Path(name).expanduser().resolve()
        for each in attached(core):
            if Path(each.path) in (place, *place.parents) and each.format != NATIVE:
                return each
    if store is None:
        ends = [each for each in attached(core) if each.name.rpartition(":")[2] == name]
        if len(ends) == 1:
            return ends[0]
        raise wording.not_attached(name, (each.name for each in attached(core)))
    return store


def attached(core: Core) -> list[StoreRow]:
    """The attached stores, our own first."""
    Store = core.t.Store
    return list(Store.select().where(Store.detached_at.is_null()).order_by(Store.id))


def info(core: Core, store: StoreRow) -> StoreInfo:
    """One store for `stores list`: its count is of all memories but removed ones."""
    count = core.db.one(
        "SELECT (SELECT count(*) FROM memories WHERE store_id = ?1) - (SELECT count(*) FROM memories "
        "WHERE store_id = ?1 AND (removed_at IS NOT NULL OR shown = 0) AND removed_at IS NOT NULL)",
        (store.id,),
    )
    why = core.read_only or locked(store)
    if not why:
        try:
            adapter = core.adapter(store)
            why = adapter.locked() if adapter is not None else ""
        except (Refused, OSError) as trouble:
            why = str(trouble)
    return StoreInfo(
        store.name,
        store.format,
        store.path,
        count,
        why,
        store.pulled_at,
        store.error,
        tuple(Finding(*each) for each in json.loads(store.findings)),
        bool(store.locked),
        store.changed_at,
        store.attached_at,
    )


def free_name(core: Core, wanted: str) -> str:
    name, number = wanted, 1
    while core.t.Store.get_or_none(core.t.Store.name == name) is not None:
        number += 1
        name = f"{wanted}-{number}"
    return name
