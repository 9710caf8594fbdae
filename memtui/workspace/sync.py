"""Attaching stores, and taking in what agents changed in them (S-2a, S-4, S-5)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.base import Adapter, Reading, Record
from memtui.memory.records import RECORD_FIELDS, Finding, StoreInfo
from memtui.workspace import mirror, outbox
from memtui.workspace.core import NATIVE, Core

CHUNK = 2_000  # rows a transaction: a waiting person gets in between
TRIES, PAUSE = 6, 0.1  # of a pull that is overtaken; seconds, longer each time
_USE = frozenset({"times_used", "last_used_at", "heat"})  # an agent's reading is no news


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


def attach(core: Core, path: Path, name: str = "") -> list[StoreInfo]:
    """Attach the stores at `path` and read them; those attached already are read again.

    Raises Refused, saying what was looked for, where there is none.
    """
    core.writable()
    found = recognise(path)
    if name and len(found) > 1:
        raise Refused(
            "name", f"{path} holds {len(found)} stores; a name fits one only.", "Attach them one by one."
        )
    for each in attached(core):
        if name and each.name != name and Path(each.path) == found[0][1]:
            raise Refused("name", f"It is attached already, as {each.name}.", "Its name stays as it is.")
    infos = []
    for kind, root in found:
        adapter = kind(root)
        reading = adapter.read()
        store = _store_row(core, kind.format, root, name, reading)
        pull(core, store)
        infos.append(info(core, core.t.Store.get_by_id(store.id)))
    return infos


def _store_row(core: Core, format: str, root: Path, name: str, reading: Reading) -> Any:
    """The stores row: the attached one, a detached one found again, or a new one."""
    Store = core.t.Store
    with core.db.atomic():
        same = Store.get_or_none((Store.format == format) & (Store.path == str(root)))
        if same is None:
            same = _by_content(core, format, reading)
        if same is None:
            wanted = name or f"{format}:{_folder_name(root)}"
            return Store.create(
                name=_free_name(core, wanted), format=format, path=str(root), attached_at=core.clock()
            )
        if same.detached_at is not None:
            same.detached_at, same.path, same.attached_at = None, str(root), core.clock()
            same.save()
            core.db.run("UPDATE memories SET shown = 1 WHERE store_id = ?", (same.id,))
            _line(core, "person", "attached", f"Attached {same.name} again", [])
        return same


def _by_content(core: Core, format: str, reading: Reading) -> Any:
    """A detached store of this format that says mostly the same: it was moved (S-2a)."""
    if not reading.records:
        return None
    said = json.dumps([[record.ref, record.digest] for record in reading.records])
    for store in core.t.Store.select().where(
        (core.t.Store.format == format) & core.t.Store.detached_at.is_null(False)
    ):
        if os.path.lexists(store.path):
            continue  # it still stands there: this is another one
        known = core.db.one(
            "SELECT count(*) FROM memories WHERE store_id = ? AND ref IS NOT NULL AND removed_at IS NULL",
            (store.id,),
        )
        shared = core.db.one(
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


def _free_name(core: Core, wanted: str) -> str:
    name, number = wanted, 1
    while core.t.Store.get_or_none(core.t.Store.name == name) is not None:
        number += 1
        name = f"{wanted}-{number}"
    return name


def detach(core: Core, name: str) -> StoreInfo:
    """Stop watching a store; its file stays as it is, its pins, notes and history stay here (S-2a)."""
    core.writable()
    store = named(core, name)
    if store.format == NATIVE:
        raise Refused("native", "memtui's own store cannot be detached.", "Nothing was changed.")
    before = info(core, store)
    with core.db.atomic():
        core.t.Store.update(detached_at=core.clock()).where(core.t.Store.id == store.id).execute()
        core.db.run("UPDATE memories SET shown = 0 WHERE store_id = ?", (store.id,))
        _line(core, "person", "detached", f"Detached {store.name}", [])
    return before


def named(core: Core, name: str) -> Any:
    """The attached store of this name, or at this path; Refused names those there are."""
    Store = core.t.Store
    store = Store.get_or_none((Store.name == name) & Store.detached_at.is_null())
    if store is None and "/" in name:
        place = Path(name).expanduser().resolve()
        for each in attached(core):
            if Path(each.path) in (place, *place.parents) and each.format != NATIVE:
                return each
    if store is None:
        names = ", ".join(each.name for each in attached(core))
        raise Refused("no-store", f"No store named {name} is attached.", f"Attached are: {names}.")
    return store


def attached(core: Core) -> list[Any]:
    """The attached stores, our own first."""
    Store = core.t.Store
    return list(Store.select().where(Store.detached_at.is_null()).order_by(Store.id))


def info(core: Core, store: Any) -> StoreInfo:
    """One store for `stores list`: its count is of all memories but removed ones."""
    count = core.db.one(
        "SELECT count(*) FROM memories WHERE store_id = ? AND removed_at IS NULL", (store.id,)
    )
    locked = core.read_only
    if not locked:
        try:
            adapter = core.adapter(store)
            locked = adapter.locked() if adapter is not None else ""
        except (Refused, OSError) as trouble:
            locked = str(trouble)
    findings = tuple(Finding(*each) for each in json.loads(store.findings))
    return StoreInfo(
        store.name, store.format, store.path, count, locked, store.pulled_at, store.error, findings
    )


# -- pull


@dataclass(slots=True)
class News:
    """What one pull changed."""

    added: list[Record]
    changed: list[tuple[int, dict[str, Any], dict[str, Any]]]  # row, before, after
    removed: list[int]

    @property
    def counts(self) -> tuple[int, int, int]:
        return len(self.added), len(self.changed), len(self.removed)


def pull(core: Core, store: Any) -> tuple[int, int, int]:
    """Bring the mirror up to what the store says: (added, changed, removed).

    Started again where a change or a pull of this or another memtui came in between."""
    for attempt in range(TRIES):
        if attempt:
            time.sleep(attempt * PAUSE)
        turn = _Turn(core, store.id, core.t.Store.get_by_id(store.id).epoch)
        adapter = core.adapter(store)
        if adapter is None:
            return (0, 0, 0)
        try:
            reading = adapter.read()
        except OSError as trouble:
            raise Refused("io", f"{store.name} cannot be read: {trouble.strerror}.") from trouble
        with core.writing:
            outbox.reconcile(core)
            _unsettled(core, store)
            try:
                return _take(core, store, reading, turn)
            except _Overtaken:
                continue
    raise Refused("busy", f"{store.name} is being changed by another memtui.", "Try again in a moment.")


def _unsettled(core: Core, store: Any) -> None:
    """Refused where an intent waits that nobody is carrying out: its store could not be asked."""
    leases = core.db.rows(
        "SELECT DISTINCT lease FROM outbox WHERE store_id = ? AND state = 'intended'", (store.id,)
    )
    mine = core.leases.mine() if leases else ""
    if any(lease == mine or not core.leases.is_held(lease) for (lease,) in leases):
        raise Refused("unsettled", f"A change to {store.name} was cut off and is not settled yet.")


class _Overtaken(Exception):
    """The mirror was changed since the store was read: the reading may be older than it."""


@dataclass(slots=True)
class _Turn:
    """A pull's transactions: each checks that nothing came in between, and moves the epoch itself."""

    core: Core
    store_id: int
    epoch: int

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[None]:
        db = self.core.db
        with db.atomic():
            busy = db.one(
                "SELECT 1 FROM outbox WHERE store_id = ? AND state = 'intended' LIMIT 1", (self.store_id,)
            )
            if busy or db.one("SELECT epoch FROM stores WHERE id = ?", (self.store_id,)) != self.epoch:
                raise _Overtaken
            if writes:
                db.run("UPDATE stores SET epoch = epoch + 1 WHERE id = ?", (self.store_id,))
            yield
        self.epoch += writes


def _take(core: Core, store: Any, reading: Reading, turn: _Turn) -> tuple[int, int, int]:
    known = {
        row[0]: row[1:]
        for row in core.db.rows(
            "SELECT m.ref, m.id, m.digest, m.place, m.removed_at FROM memories m "
            "WHERE m.store_id = ? AND m.ref IS NOT NULL",
            (store.id,),
        )
    }
    first = core.t.Store.get_by_id(store.id).pulled_at is None
    news = News([], [], [])
    renewed: list[tuple[int, Record]] = []
    fresh: list[Record] = []
    moved_places: list[tuple[str, int]] = []
    here: set[str] = set()
    for record in reading.records:
        if record.ref in here:
            record = replace(record, ref=f"{record.ref}\x1f{len(here)}")
            reading.odd(
                "doubled", record.place, "The store names two memories alike; this one is only shown."
            )
        here.add(record.ref)
        row = known.get(record.ref)
        if row is None:
            fresh.append(record)
        elif row[1] != record.digest or (row[3] is None) != (record.removed_at is None):
            renewed.append((row[0], record))
        elif row[2] != record.place:
            moved_places.append((record.place, row[0]))
    gone = [row[0] for ref, row in known.items() if ref not in here and row[3] is None]
    links = mirror.links_differ(core.db, store.id, reading.links)
    chunks = [fresh[start : start + CHUNK] for start in range(0, len(fresh), CHUNK)] or [[]]
    for chunk in chunks[:-1]:
        with turn.transaction(writes=True):
            mirror.insert(core.db, store.id, store.format, store.path, chunk, core.clock())
            if not first:
                _journal(core, store, News(chunk, [], []))
    with turn.transaction(writes=bool(fresh or renewed or gone or moved_places or links)):
        mirror.insert(core.db, store.id, store.format, store.path, chunks[-1], core.clock())
        for id, record in renewed:
            _renew(core, id, record, news)
        for id in gone:
            core.db.run("UPDATE memories SET removed_at = ? WHERE id = ?", (core.clock(), id))
            news.removed.append(id)
        core.db.run_many("UPDATE memories SET place = ? WHERE id = ?", moved_places)
        if links:
            mirror.set_links(core.db, store.id, reading.links)
        findings = json.dumps([list(asdict(each).values()) for each in reading.findings[:1000]])
        core.t.Store.update(pulled_at=core.clock(), error="", findings=findings).where(
            core.t.Store.id == store.id
        ).execute()
        if first:
            _line(core, "person", "attached", f"Attached {store.name}: {_many(len(fresh))}", [])
        else:
            news.added = chunks[-1]
            _journal(core, store, news)
    return len(fresh), len(news.changed), len(news.removed)


def _renew(core: Core, id: int, record: Record, news: News) -> None:
    """One changed record; `news` hears of it unless only the counts of use moved."""
    (old,) = mirror.held(core.db, [id])
    mirror.renew(core.db, id, record, old.kept)
    if (old.removed_at is None) != (record.removed_at is None):
        if record.removed_at is None:
            news.changed.append((id, {"here": False}, {"here": True}))
        else:
            news.removed.append(id)
        return
    (new,) = mirror.held(core.db, [id])
    differ = [
        name
        for name in sorted(RECORD_FIELDS - _USE)
        if getattr(old.memory, name) != getattr(new.memory, name)
    ]
    if differ:
        before = {name: getattr(old.memory, name) for name in differ}
        news.changed.append((id, before, {name: getattr(new.memory, name) for name in differ}))


def _journal(core: Core, store: Any, news: News) -> None:
    """One line of what agents did; nothing where they did nothing."""
    added, changed, removed = news.counts
    if not (added or changed or removed):
        return
    parts = [f"{n} {word}" for n, word in ((added, "added"), (changed, "changed"), (removed, "removed")) if n]
    items: list[tuple[int, dict[str, Any], dict[str, Any]]] = [*news.changed]
    refs = json.dumps([record.ref for record in news.added])
    ids = core.db.rows(
        "SELECT id FROM memories WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))",
        (store.id, refs),
    )
    items += [(row[0], {"here": False}, {"here": True}) for row in ids]
    items += [(id, {"here": True}, {"here": False}) for id in news.removed]
    _line(core, f"sync:{store.name}", "pulled", f"{store.name}: {', '.join(parts)}", items)


def _many(count: int) -> str:
    return "1 memory" if count == 1 else f"{count:,} memories"


def _line(
    core: Core,
    actor: str,
    kind: str,
    summary: str,
    items: Sequence[tuple[int, Mapping[str, Any], Mapping[str, Any]]],
) -> None:
    """A journal line of something that is no unit: nothing is written to a store."""
    line = core.t.Line.create(at=core.clock(), actor=actor, kind=kind, summary=summary).id
    for id, before, after in items:
        uid, store_id = core.db.rows("SELECT uid, store_id FROM memories WHERE id = ?", (id,))[0]
        digests = outbox.digests_of(before, after)
        outbox.write_item(core, line, (id, uid, store_id), digests, (before, after), ("done", ""))
