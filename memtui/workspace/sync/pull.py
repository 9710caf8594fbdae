"""Taking in what agents changed in a store: only what changed is read, in small transactions (S-5)."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.contract.adapter import Link, Reading, Record, SideRecord
from memtui.formats.contract.incremental import Look
from memtui.memory.stores import Finding
from memtui.text import counted
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import in_words
from memtui.workspace.db.models import Store
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.mirror import memory_rows
from memtui.workspace.sync import news
from memtui.workspace.sync.news import News

CHUNK = 2_000  # rows a transaction: a waiting person gets in between
TRIES, PAUSE = 6, 0.1  # of a pull that is overtaken; seconds, longer each time


class Taken(NamedTuple):
    """What a pull took in: memories added, changed, removed; and, where no memory is another now, in how
    many units of the store the relations are."""

    added: int
    changed: int
    removed: int
    relations: int = 0

    @property
    def memories(self) -> tuple[int, int, int]:
        """The first three."""
        return self[:3]


def pull(ctx: Context, store: StoreRow, actor: str = "") -> Taken:
    """Bring the mirror up to what the store says; `actor` is who did it where that is known, else the
    store's agents did.

    Started again where a change or a pull of this or another memtui came in between."""
    total = [0, 0, 0]
    for attempt in range(TRIES):
        if attempt:
            time.sleep(attempt * PAUSE)
        row = store_rows.get(ctx.db, store.id)
        turn = _Turn(ctx, store.id, row.epoch, to_the_end=bool(actor))
        adapter = ctx.adapter(store)
        if adapter is None:
            return Taken(0, 0, 0)
        try:
            stamp = adapter.stamp()
            if stamp and stamp == row.stamp and not row.error:
                return Taken(0, 0, 0)
            with ctx.writing:
                ctx.finish_writes()
                _unsettled(ctx, store)
            with adapter.look() as look:
                return _Pull(
                    ctx, store, look, turn, row.pulled_at is None, total, actor or f"sync:{store.name}"
                ).take(stamp)
        except ConcurrentUpdate:
            continue
        except OSError as trouble:
            raise Refused("io", f"{store.name} cannot be read: {trouble.strerror}.") from trouble
    raise Refused("overtaken", f"{store.name} is being changed just now; it is read again in a moment.")


def _unsettled(ctx: Context, store: StoreRow) -> None:
    """Refused where an intent waits that nobody is carrying out: its store could not be asked."""
    leases = ctx.db.rows(
        "SELECT DISTINCT lease FROM outbox WHERE store_id = ? AND state = 'intended'", (store.id,)
    )
    mine = ctx.leases.mine() if leases else ""
    if any(lease == mine or not ctx.leases.is_held(lease) for (lease,) in leases):
        raise Refused("unsettled", f"A change to {store.name} was cut off and is not settled yet.")


class ConcurrentUpdate(Exception):
    """The mirror was changed since the store was read: the reading may be older than it."""


@dataclass(slots=True)
class _Turn:
    """A pull's transactions: each checks that nothing came in between, and moves the epoch itself.

    Between two of them a person's change gets its turn."""

    ctx: Context
    store_id: int
    epoch: int
    to_the_end: bool  # a person's own change is taken in although memtui is ending

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[None]:
        db = self.ctx.db
        # What goes wrong in our own file is told as ours: the store that is looked at has no part in it.
        with self.ctx.writing, in_words(self.ctx.path), db.atomic():
            if self.ctx.closing.is_set() and not self.to_the_end:
                raise Refused("closing", "memtui is ending; the rest is read next time.")
            busy = db.one(
                "SELECT 1 FROM outbox WHERE store_id = ? AND state = 'intended' LIMIT 1", (self.store_id,)
            )
            if busy or db.one("SELECT epoch FROM stores WHERE id = ?", (self.store_id,)) != self.epoch:
                raise ConcurrentUpdate
            if writes:
                db.run("UPDATE stores SET epoch = epoch + 1 WHERE id = ?", (self.store_id,))
            yield
        self.epoch += writes


@dataclass(slots=True)
class _Mirror:
    """What the mirror knows of a store's units (formats.look.Known)."""

    ctx: Context
    store_id: int

    def anchors_in(self, units: Collection[str]) -> set[str]:
        return self._of("anchor", "unit", units)

    def units_of(self, anchors: Collection[str]) -> set[str]:
        return self._of("unit", "anchor", anchors)

    def doubled(self) -> set[str]:
        sql = (
            "SELECT DISTINCT anchor FROM memories WHERE store_id = ? AND ref LIKE '%' || char(31) || '2' "
            "AND removed_at IS NULL"
        )
        return {row[0] for row in self.ctx.db.rows(sql, (self.store_id,))}

    def is_target(self, names: Collection[str], beside: Collection[str]) -> bool:
        sql = (
            "SELECT DISTINCT target FROM relations WHERE store_id = ? "
            "AND unit NOT IN (SELECT value FROM json_each(?))"
        )
        found = self.ctx.db.rows(sql, (self.store_id, json.dumps(list(beside))))
        wanted = {name.casefold() for name in names}
        return any(target.casefold() in wanted for (target,) in found)

    def _of(self, wanted: str, given: str, values: Collection[str]) -> set[str]:
        sql = (
            f"SELECT DISTINCT {wanted} FROM memories WHERE store_id = ? AND ref IS NOT NULL "
            f"AND removed_at IS NULL AND {given} IN (SELECT value FROM json_each(?))"
        )
        return {row[0] for row in self.ctx.db.rows(sql, (self.store_id, json.dumps(list(values))))}


@dataclass(slots=True)
class _Pull:
    """One pull: parts of the store are compared with the mirror as they are read."""

    ctx: Context
    store: StoreRow
    look: Look
    turn: _Turn
    first: bool
    total: list[int]  # what was taken in before it was overtaken counts, too
    actor: str
    here: set[int] = field(default_factory=set)  # marks of the refs that were met
    fresh: list[Record] = field(default_factory=list)  # those that the mirror did not have, for the last part
    links: list[Link] = field(default_factory=list)
    asides: list[SideRecord] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)  # units that were met so far

    def take(self, stamp: str) -> Taken:
        db, id, marks = self.ctx.db, self.store.id, self.look.marks
        known: dict[str, str] = dict(db.rows("SELECT name, mark FROM units WHERE store_id = ?", (id,)))
        changed = {unit for unit, mark in marks.items() if not mark or known.get(unit) != mark}
        lost = known.keys() - marks.keys()
        units: Collection[str] = marks.keys()
        if known:
            units = self.look.scope(changed, lost, _Mirror(self.ctx, id))
        whole = not known or len(units) == len(marks)
        last: list[Record] = []
        retold = 0
        for chunk in self._chunks(units if whole or units else ()):
            if last:
                with self.turn.transaction(writes=True):
                    self._forget_marks(known, units)
                    self._compare(last)
                self.read.update(record.unit for record in last)
                self.ctx.on_progress(self.store.name, len(self.read) / max(1, len(units)))
            last = chunk
        with self.turn.transaction(writes=bool(last or changed or lost or not known)):
            gone = self._gone(last, None if whole else [*units, *lost])
            self._compare(last, gone)
            if units or lost:
                where = None
                if self.unread or not whole:
                    where = [unit for unit in (*units, *lost) if not self._is_unread(unit)]
                retold = len(memory_rows.set_links(db, id, where, self.links))
                memory_rows.set_asides(db, id, where, self.asides)
            self._keep_marks(known, lost)
            self._close(stamp, whole and bool(units or not known))
        if self.read:
            self.ctx.on_progress(self.store.name, 1.0)
        memories = self.total[0], self.total[1], self.total[2]
        return Taken(*memories, 0 if self.first or any(memories) else retold)

    def _chunks(self, units: Collection[str]) -> Iterator[list[Record]]:
        """The records of these units, so many at a time; links and findings are gathered."""
        held: list[Record] = []
        if not units and self.look.marks:
            return
        for reading in self.look.read(units):
            self.links += reading.links
            self.asides += reading.asides
            held += self._singly(reading)
            self.findings += reading.findings
            self.unread += reading.unread
            while len(held) > CHUNK:
                yield held[:CHUNK]
                held = held[CHUNK:]
        yield held

    def _singly(self, reading: Reading) -> Iterator[Record]:
        """The records, each with a ref of its own."""
        for record in reading.records:
            if hash(record.ref) in self.here:
                record = replace(record, ref=f"{record.ref}\x1f{len(self.here)}")
                reading.odd(
                    "doubled", record.place, "The store names two memories alike; this one is only shown."
                )
            self.here.add(hash(record.ref))
            yield record

    def _gone(self, last: list[Record], units: Collection[str] | None) -> list[int]:
        """The rows of what was read again, or is no more, whose records were not met."""
        where, values = "", list[int | str]([self.store.id])
        if units is not None:
            where = " AND unit IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(list(units)))
        rows = self.ctx.db.rows(
            "SELECT id, ref, unit FROM memories WHERE store_id = ? AND ref IS NOT NULL "
            f"AND removed_at IS NULL{where}",
            values,
        )
        return [id for id, ref, unit in rows if hash(ref) not in self.here and not self._is_unread(unit)]

    def _is_unread(self, unit: str) -> bool:
        """Whether a unit stands there, and only may not be read now: it is as it was last read."""
        return any(unit == each or (each.endswith("/") and unit.startswith(each)) for each in self.unread)

    def _compare(self, records: list[Record], gone: Collection[int] | None = None) -> None:
        """Take some records in, inside a transaction, and journal what is news; the last ones come with what
        is gone."""
        last, gone = gone is not None, list(gone or ())
        ctx, db, store = self.ctx, self.ctx.db, self.store
        known = {
            row[0]: row[1:]
            for row in db.rows(
                "SELECT ref, id, digest, place, unit, removed_at FROM memories "
                "WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))",
                (store.id, json.dumps([record.ref for record in records])),
            )
        }
        told = News(registry.by_name(store.format).in_passing)
        fresh: list[Record] = []
        moved: list[tuple[str, str, int]] = []
        for record in records:
            row = known.get(record.ref)
            if row is None:
                fresh.append(record)
                continue
            id, digest, place, unit, removed_at = row
            if digest != record.digest or (removed_at is None) != (record.removed_at is None):
                # An empty digest is our own mark: read afresh, which is no news of an agent.
                news.renew(ctx, id, record, told if digest else News())
            elif (place, unit) != (record.place, record.unit):
                moved.append((record.place, record.unit, id))
        if not (self.first or last or len(self.fresh) + len(fresh) > CHUNK // 10):
            self.fresh += fresh  # a later part tells whether they are what left elsewhere
            fresh = []
        elif last:
            fresh = self.fresh + fresh
        told.added = fresh
        if last and not self.first:
            went_on = news.follow(ctx, store, told, gone)
            gone = [id for id in gone if id not in went_on]
        memory_rows.insert(db, store.id, store.format, store.path, told.added, ctx.clock())
        db.run_many("UPDATE memories SET place = ?, unit = ? WHERE id = ?", moved)
        for id in gone:
            db.run("UPDATE memories SET removed_at = ? WHERE id = ?", (ctx.clock(), id))
        told.removed += gone
        for place, count in enumerate(told.counts):
            self.total[place] += count
        if not self.first:
            news.journal(ctx, store, told, self.actor)

    def _forget_marks(self, known: dict[str, str], units: Collection[str]) -> None:
        """Before a part is taken in: if this pull does not come to its end, the next one must read all of
        these units again. Until then their rows are a mixture of old and new, which tells no scope."""
        names = [(self.store.id, unit) for unit in units if known.pop(unit, None) is not None]
        self.ctx.db.run_many("DELETE FROM units WHERE store_id = ? AND name = ?", names)

    def _keep_marks(self, known: dict[str, str], lost: Collection[str]) -> None:
        db, id = self.ctx.db, self.store.id
        new = [(id, unit, mark) for unit, mark in self.look.marks.items() if known.get(unit) != mark]
        db.run_many("INSERT OR REPLACE INTO units (store_id, name, mark) VALUES (?, ?, ?)", new)
        db.run_many("DELETE FROM units WHERE store_id = ? AND name = ?", [(id, unit) for unit in lost])

    def _close(self, stamp: str, whole: bool) -> None:
        ctx = self.ctx
        said: dict[str, Any] = {"pulled_at": ctx.clock(), "error": "", "stamp": stamp}
        if whole:
            said["findings"] = json.dumps(
                [[each.code, each.place, each.text] for each in self.findings[:1000]]
            )
        if any(self.total):
            said["changed_at"] = said["pulled_at"]
        ctx.db.write(Store.update(said).where(Store.id == self.store.id))
        if self.first:
            # All that stands in it, not this reading's part: one before may have been broken off.
            sql = "SELECT count(*) FROM memories WHERE store_id = ? AND removed_at IS NULL"
            number = ctx.db.one(sql, (self.store.id,))
            told = f"Attached {self.store.name}: {counted(number, 'memory')}"
            entries.note(ctx, "person", "attached", told, [])
