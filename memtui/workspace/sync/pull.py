"""Reading what agents changed in a store: only changed units, in small transactions (S-5).

Statements over units and refs are one each for up to 2,000 rows: a first pull has a hundred thousand.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from memtui.formats import registry
from memtui.formats.contract.incremental import Snapshot
from memtui.formats.contract.records import Link, Reading, Record, SideRecord
from memtui.memory.stores import Finding
from memtui.values import Fields
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.models import Memory, Store, Unit
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.mirror import memory_rows
from memtui.workspace.sync import news, wording
from memtui.workspace.sync.news import News

CHUNK = 2_000  # rows per transaction, so that a waiting change of the user's gets in between
MAX_ATTEMPTS, RETRY_SECONDS = 6, 0.1  # of a pull that is overtaken by a change; seconds, longer each time


class PullCounts(NamedTuple):
    """Memories added, changed and removed by a pull; if none, the number of units with changed relations."""

    added: int
    changed: int
    removed: int
    relations: int = 0

    @property
    def memories(self) -> tuple[int, int, int]:
        """The numbers added, changed and removed."""
        return self[:3]


def pull(ctx: Context, store: StoreRow, actor: str = "") -> PullCounts:
    """Update the mirror from the store; `actor` is who changed it, the store's agents if unknown.

    Restarted if a change or a pull of this or another memtui came in between.
    """
    total = [0, 0, 0]
    for attempt in range(MAX_ATTEMPTS):
        if attempt:
            time.sleep(attempt * RETRY_SECONDS)
        row = store_rows.get(ctx.db, store.id)
        guard = _EpochGuard(ctx, store.id, row.epoch, ignores_closing=bool(actor))
        adapter = ctx.adapter(store)
        if adapter is None:
            return PullCounts(0, 0, 0)
        try:
            stamp = adapter.fingerprint()
            if stamp and stamp == row.stamp and not row.error:
                return PullCounts(0, 0, 0)
            with ctx.writing:
                ctx.finish_writes()
                _require_settled(ctx, store)
            with adapter.snapshot() as snapshot:
                first = row.pulled_at is None
                return _Pull(ctx, store, snapshot, guard, first, total, actor or f"sync:{store.name}").run(
                    stamp
                )
        except ConcurrentUpdate:
            continue
        except OSError as error:
            raise wording.store_unreadable(store.name, error.strerror) from error
    raise wording.overtaken(store.name)


def _require_settled(ctx: Context, store: StoreRow) -> None:
    """Raise Refused if an intent is left that no process carries out, since its store was unreachable."""
    leases = ctx.db.rows(
        "SELECT DISTINCT lease FROM outbox WHERE store_id = ? AND state = 'intended'", (store.id,)
    )
    own = ctx.leases.own() if leases else ""
    if any(lease == own or not ctx.leases.is_held(lease) for (lease,) in leases):
        raise wording.unsettled(store.name)


class ConcurrentUpdate(Exception):
    """The mirror has changed since the store was read, so the reading may be outdated."""


@dataclass(slots=True)
class _EpochGuard:
    """The transactions of a pull: each checks that the epoch is unchanged, and advances it if it writes.

    A change by the user may run between two of them.
    """

    ctx: Context
    store_id: int
    epoch: int
    ignores_closing: bool  # the user's own change is read although memtui is closing

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[None]:
        db = self.ctx.db
        # Errors of the workspace's own file must not be reported as the store's.
        with self.ctx.writing, translate_errors(self.ctx.path), db.atomic():
            if self.ctx.closing.is_set() and not self.ignores_closing:
                raise wording.closing()
            busy = db.one(
                "SELECT 1 FROM outbox WHERE store_id = ? AND state = 'intended' LIMIT 1", (self.store_id,)
            )
            if busy or db.one("SELECT epoch FROM stores WHERE id = ?", (self.store_id,)) != self.epoch:
                raise ConcurrentUpdate
            if writes:
                db.write(Store.update(epoch=self.epoch + 1).where(Store.id == self.store_id))
            yield
        self.epoch += writes


@dataclass(slots=True)
class _Mirror:
    """Implements `KnownUnits` on the mirror."""

    ctx: Context
    store_id: int

    def anchors_in(self, units: Collection[str]) -> set[str]:
        return self._of("anchor", "unit", units)

    def units_of(self, anchors: Collection[str]) -> set[str]:
        return self._of("unit", "anchor", anchors)

    def duplicate_anchors(self) -> set[str]:
        sql = (
            "SELECT DISTINCT anchor FROM memories WHERE store_id = ? AND ref LIKE '%' || char(31) || '2' "
            "AND removed_at IS NULL"
        )
        return {row[0] for row in self.ctx.db.rows(sql, (self.store_id,))}

    def is_target(self, names: Collection[str], except_units: Collection[str]) -> bool:
        sql = (
            "SELECT DISTINCT target FROM relations WHERE store_id = ? "
            "AND unit NOT IN (SELECT value FROM json_each(?))"
        )
        found = self.ctx.db.rows(sql, (self.store_id, json.dumps(list(except_units))))
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
    """One pull: chunks of the store are compared with the mirror as they are read."""

    ctx: Context
    store: StoreRow
    snapshot: Snapshot
    guard: _EpochGuard
    first: bool
    total: list[int]  # counts what was read before a restart, too
    actor: str
    seen: set[int] = field(default_factory=set)  # hashes of the refs read
    fresh: list[Record] = field(default_factory=list)  # unknown to the mirror, kept for the last chunk
    links: list[Link] = field(default_factory=list)
    side_records: list[SideRecord] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)  # units read so far

    def run(self, stamp: str) -> PullCounts:
        db, id, marks = self.ctx.db, self.store.id, self.snapshot.fingerprints
        known: dict[str, str] = dict(db.rows("SELECT name, mark FROM units WHERE store_id = ?", (id,)))
        changed = {unit for unit, mark in marks.items() if not mark or known.get(unit) != mark}
        lost = known.keys() - marks.keys()
        units: Collection[str] = marks.keys()
        if known:
            units = self.snapshot.units_to_read(changed, lost, _Mirror(self.ctx, id))
        whole = not known or len(units) == len(marks)
        last: list[Record] = []
        changed_relations = 0
        for chunk in self._chunks(units if whole or units else ()):
            if last:
                with self.guard.transaction(writes=True):
                    self._forget_marks(known, units)
                    self._compare(last)
                self.read.update(record.unit for record in last)
                self.ctx.on_progress(self.store.name, len(self.read) / max(1, len(units)))
            last = chunk
        with self.guard.transaction(writes=bool(last or changed or lost or not known)):
            gone = self._gone(last, None if whole else [*units, *lost])
            self._compare(last, gone)
            if units or lost:
                where = None
                if self.unread or not whole:
                    where = [unit for unit in (*units, *lost) if not self._is_unread(unit)]
                changed_relations = len(memory_rows.set_relations(db, id, where, self.links))
                memory_rows.set_side_records(db, id, where, self.side_records)
            self._keep_marks(known, lost)
            self._close(stamp, whole and bool(units or not known))
        if self.read:
            self.ctx.on_progress(self.store.name, 1.0)
        memories = self.total[0], self.total[1], self.total[2]
        return PullCounts(*memories, 0 if self.first or any(memories) else changed_relations)

    def _chunks(self, units: Collection[str]) -> Iterator[list[Record]]:
        """Yield the records of these units in chunks; links, side records and findings are collected."""
        pending: list[Record] = []
        if not units and self.snapshot.fingerprints:
            return
        for reading in self.snapshot.read(units):
            self.links += reading.links
            self.side_records += reading.side_records
            pending += self._with_unique_refs(reading)
            self.findings += reading.findings
            self.unread += reading.unread
            while len(pending) > CHUNK:
                yield pending[:CHUNK]
                pending = pending[CHUNK:]
        yield pending

    def _with_unique_refs(self, reading: Reading) -> Iterator[Record]:
        """Yield the records, renaming repeated refs."""
        for record in reading.records:
            if hash(record.ref) in self.seen:
                record = replace(record, ref=f"{record.ref}\x1f{len(self.seen)}")
                reading.add_finding("doubled", record.place, wording.DOUBLED_REF)
            self.seen.add(hash(record.ref))
            yield record

    def _gone(self, last: list[Record], units: Collection[str] | None) -> list[int]:
        """Return the rows of these units (all if None) whose records were not read."""
        where, values = "", list[int | str]([self.store.id])
        if units is not None:
            where = " AND unit IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(list(units)))
        rows = self.ctx.db.rows(
            "SELECT id, ref, unit FROM memories WHERE store_id = ? AND ref IS NOT NULL "
            f"AND removed_at IS NULL{where}",
            values,
        )
        return [id for id, ref, unit in rows if hash(ref) not in self.seen and not self._is_unread(unit)]

    def _is_unread(self, unit: str) -> bool:
        """Return whether a unit exists but is unreadable now; its rows stay as last read."""
        return any(unit == each or (each.endswith("/") and unit.startswith(each)) for each in self.unread)

    def _compare(self, records: list[Record], gone: Collection[int] | None = None) -> None:
        """Bring records into the mirror and journal the news; the last chunk comes with the rows that are
        gone."""
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
        found = News(registry.by_name(store.format).incidental_fields)
        fresh: list[Record] = []
        moved: list[tuple[str, str, int]] = []
        for record in records:
            row = known.get(record.ref)
            if row is None:
                fresh.append(record)
                continue
            id, digest, place, unit, removed_at = row
            if digest != record.digest or (removed_at is None) != (record.removed_at is None):
                # memtui empties the digest to have a record read again, which is not an agent's change.
                news.update_row(ctx, id, record, found if digest else News())
            elif (place, unit) != (record.place, record.unit):
                moved.append((record.place, record.unit, id))
        if not (self.first or last or len(self.fresh) + len(fresh) > CHUNK // 10):
            self.fresh += fresh  # may turn out to be moved ones in a later chunk
            fresh = []
        elif last:
            fresh = self.fresh + fresh
        found.added = fresh
        if last and not self.first:
            matched = news.match_rows(ctx, store, found, gone)
            gone = [id for id in gone if id not in matched]
        memory_rows.insert(db, store.id, store.format, store.path, found.added, ctx.clock())
        db.update_many(Memory, ("place", "unit"), ("id",), moved)
        db.update_many(Memory, ("removed_at",), ("id",), [(ctx.clock(), id) for id in gone])
        found.removed += gone
        for place, count in enumerate(found.counts):
            self.total[place] += count
        if not self.first:
            news.journal(ctx, store, found, self.actor)

    def _forget_marks(self, known: dict[str, str], units: Collection[str]) -> None:
        """Delete the marks of these units before the first chunk is written.

        If this pull is cut off, their rows are a mix of old and new, and the next pull must read all of them.
        """
        names = [(self.store.id, unit) for unit in units if known.pop(unit, None) is not None]
        self.ctx.db.delete_many(Unit, ("store_id", "name"), names)

    def _keep_marks(self, known: dict[str, str], lost: Collection[str]) -> None:
        db, id = self.ctx.db, self.store.id
        new = [
            (id, unit, mark) for unit, mark in self.snapshot.fingerprints.items() if known.get(unit) != mark
        ]
        db.insert_many(Unit, ("store_id", "name", "mark"), new, replace=True)
        db.delete_many(Unit, ("store_id", "name"), [(id, unit) for unit in lost])

    def _close(self, stamp: str, whole: bool) -> None:
        ctx = self.ctx
        values: Fields = {"pulled_at": ctx.clock(), "error": "", "error_code": "", "stamp": stamp}
        if whole:
            values["findings"] = json.dumps(
                [[each.code, each.place, each.text] for each in self.findings[:1000]]
            )
        if any(self.total):
            values["changed_at"] = values["pulled_at"]
        ctx.db.write(Store.update(values).where(Store.id == self.store.id))
        if self.first:
            # All memories, not only those of this run: an earlier first pull may have been cut off.
            sql = "SELECT count(*) FROM memories WHERE store_id = ? AND removed_at IS NULL"
            number = ctx.db.one(sql, (self.store.id,))
            entries.add(ctx, "person", "attached", wording.attached(self.store.name, number), [])
