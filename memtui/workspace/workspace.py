"""The verbs that screens, commands and agents call; each is a sentence."""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memtui.errors import Refused
from memtui.memory.records import (
    Change,
    Counts,
    Detail,
    Event,
    EventItem,
    Hits,
    Pulled,
    Relation,
    Row,
    StoreInfo,
    label_of,
)
from memtui.workspace import curate, journal, mirror, outbox, search, sync
from memtui.workspace.core import NATIVE, Core, _no_step
from memtui.workspace.database import in_words, open_database
from memtui.workspace.leases import Leases
from memtui.workspace.models import tables

_ROW = (
    "SELECT m.id, s.name, m.title, m.subject, substr(m.content, 1, 300), m.category, m.status, m.confidence, "
    "m.pinned, coalesce(m.updated_at, m.created_at), m.removed_at FROM json_each(?) e "
    "JOIN memories m ON m.id = e.value JOIN stores s ON s.id = m.store_id"
)
# The first memory that stands at one end of a relation.
_END = (
    "(SELECT min(m.id) FROM memories m WHERE m.store_id = r.store_id AND m.anchor = r.{} "
    "AND m.ref IS NOT NULL AND m.removed_at IS NULL)"
)
_ACTIONS = ("pin", "unpin", "confirm", "edit", "dismiss", "restore")


def _new_id() -> str:
    return uuid.uuid4().hex


class Workspace:
    """One open workspace. May be called from several threads; writes wait for each other."""

    def __init__(self, core: Core, told: Sequence[str]) -> None:
        self._core = core
        self.path = core.path
        self.read_only = bool(core.read_only)
        self.reconciled = tuple(told)  # what was settled after an interruption, in sentences

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        read_only: bool = False,
        clock: Callable[[], float] = time.time,
        new_id: Callable[[], str] = _new_id,
        actor: str = "person",
        on_step: Callable[[str], None] = _no_step,
    ) -> Workspace:
        """Open or make the workspace at `path` (S-1); Refused says why it cannot be.

        Intents that a dead process left are settled first (S-7).
        """
        db, reason = open_database(path, read_only=read_only)
        core = Core(path, db, tables(db), Leases(path), clock, new_id, actor, reason, on_step)
        told: list[str] = []
        if not reason:
            with core.writing, in_words(path):
                _own_store(core)
                told = outbox.reconcile(core)
        return cls(core, told)

    def close(self) -> None:
        """Close this thread's connection and give the lease back."""
        self._core.leases.close()
        self._core.db.close()

    def close_thread(self) -> None:
        """Close the calling thread's connection; for threads that end before the workspace does."""
        self._core.db.close()

    # -- reading

    def search(self, text: str, *, live: bool = True, sort: str = "") -> Hits:
        """The memories that match a query (S-30, S-31); QueryError points at what is wrong.

        With `live`, only live ones unless the query asks for a status."""
        return search.search(self._core.db, text, live=live, sort=sort)

    def rows(self, ids: Sequence[int]) -> list[Row]:
        """One line each, in the given order; ids that are gone are left out."""
        rows = {row[0]: row for row in self._core.db.rows(_ROW, (json.dumps(list(ids)),))}
        return [
            Row(
                id=row[0],
                store=row[1],
                label=label_of(row[2], row[3], row[4]),
                category=row[5] or "",
                status=row[6],
                confidence=row[7],
                pinned=bool(row[8]),
                updated_at=row[9],
                removed=row[10] is not None,
            )
            for row in (rows[i] for i in ids if i in rows)
        ]

    def memories(self, ids: Sequence[int]) -> list[Any]:
        """Whole memories in the given order (`list --json`)."""
        return [each.memory for each in mirror.held(self._core.db, ids)]

    def find(self, uid: str) -> int:
        """The row of a uid or of its unambiguous beginning; Refused otherwise."""
        rows = self._core.db.rows(
            "SELECT id, uid FROM memories WHERE uid >= ? AND uid < ? || '~' ORDER BY uid LIMIT 2", (uid, uid)
        )
        if len(rows) == 1 or (rows and rows[0][1] == uid):
            return int(rows[0][0])
        if rows:
            raise Refused("ambiguous", f"More than one memory's uid begins with {uid}.", "Give more of it.")
        raise Refused("no-memory", f"There is no memory with the uid {uid}.", "memtui list shows them.")

    def detail(self, id: int) -> Detail | None:
        """Everything about one memory; None if there is no such row."""
        core = self._core
        found = mirror.held(core.db, [id])
        if not found:
            return None
        held = found[0]
        store = core.t.Store.get_by_id(held.store_id)
        try:
            adapter = core.adapter(store)
            blocked = {action: curate.blocked(core, action, held) for action in _ACTIONS}
        except Refused as refusal:
            adapter, blocked = None, dict.fromkeys(_ACTIONS, refusal.message)
        return Detail(
            id=held.id,
            memory=held.memory,
            place=held.place,
            path=store.path,
            removed_at=held.removed_at,
            consequences={
                **{action: curate.consequence(adapter, action) for action in _ACTIONS},
                **{f"edit {name}": curate.consequence(adapter, "edit", name) for name in curate.EDITABLE},
            },
            blocked={action: why for action, why in blocked.items() if why},
            relations=tuple(self._relations(held)),
            history=tuple(journal.history(core, held.id)),
        )

    def _relations(self, held: mirror.Held) -> list[Relation]:
        if not held.anchor:
            return []
        rows = self._core.db.rows(
            "SELECT source, kind, target, strength, context, "
            f"{_END.format('source')}, {_END.format('target')} "
            "FROM relations r WHERE store_id = ? AND (source = ? OR target = ?) ORDER BY r.id LIMIT 500",
            (held.store_id, held.anchor, held.anchor),
        )
        return [
            Relation(
                source, kind, target, strength, context,
                held.id if source == held.anchor else one,
                held.id if target == held.anchor else two,
            )
            for source, kind, target, strength, context, one, two in rows
        ]  # fmt: skip

    def counts(self) -> Counts:
        """The header's numbers."""
        live, everything = self._core.db.rows(
            "SELECT (SELECT count(*) FROM memories WHERE live = 1), "
            "(SELECT count(*) FROM memories WHERE shown AND removed_at IS NULL)"
        )[0]
        stores = len([store for store in sync.attached(self._core) if store.format != NATIVE])
        return Counts(live, everything, stores)

    def journal(self, limit: int = 200, before: int | None = None) -> list[Event]:
        """The newest journal lines, newest first."""
        return journal.events(self._core, limit, before)

    def journal_items(self, line: int) -> list[EventItem]:
        """What one line did, memory by memory."""
        return journal.items(self._core, line)

    # -- stores

    def stores(self) -> list[StoreInfo]:
        """The attached stores, our own first."""
        return [sync.info(self._core, store) for store in sync.attached(self._core)]

    def recognise(self, path: Path) -> None:
        """Refused, saying what was looked for, if there is no store at `path`; changes nothing."""
        sync.recognise(path)

    def attach(self, path: str | os.PathLike[str], name: str = "") -> list[StoreInfo]:
        """Attach and read the stores at `path` (S-2)."""
        with self._changing():
            return sync.attach(self._core, Path(path), name)

    def detach(self, name: str) -> StoreInfo:
        """Stop watching a store; everything that memtui knows of it stays (S-2a)."""
        with self._changing():
            return sync.detach(self._core, name)

    def pull(self) -> Pulled:
        """Take in what agents changed, store by store; one that fails does not stop the others."""
        news: dict[str, tuple[int, int, int]] = {}
        errors: dict[str, str] = {}
        core = self._core
        if core.read_only:
            return Pulled(news, errors)
        for store in sync.attached(core):
            if store.format == NATIVE:
                continue
            try:
                counts = sync.pull(core, store)
                if any(counts):
                    news[store.name] = counts
                continue
            except Refused as refusal:
                errors[store.name] = refusal.message
            except Exception as trouble:  # a store that no reader foresaw must not hide the others
                errors[store.name] = f"It cannot be read: {trouble!r}"
            with in_words(core.path):
                error = errors[store.name]
                core.t.Store.update(error=error).where(core.t.Store.id == store.id).execute()
        return Pulled(news, errors)

    # -- changing

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """One change at a time; what an interruption left is settled before it."""
        core = self._core
        with core.writing, in_words(core.path):
            if not core.read_only:
                outbox.reconcile(core)
            yield

    def pin(self, ids: Sequence[int], why: str = "") -> Change:
        """Keep: what must stay."""
        with self._changing():
            return curate.pin(self._core, ids, why)

    def unpin(self, ids: Sequence[int]) -> Change:
        """Take the pin off."""
        with self._changing():
            return curate.unpin(self._core, ids)

    def confirm(self, ids: Sequence[int]) -> Change:
        """A person's word that it is right: at least confirmed."""
        with self._changing():
            return curate.confirm(self._core, ids)

    def dismiss(self, ids: Sequence[int]) -> Change:
        """What is wrong goes, as its format lets it go; restorable."""
        with self._changing():
            return curate.dismiss(self._core, ids)

    def restore(self, ids: Sequence[int]) -> Change:
        """Bring back what was dismissed, at its old place."""
        with self._changing():
            return curate.restore(self._core, ids)

    def edit(
        self, ids: Sequence[int], fields: Mapping[str, Any], *, seen: Mapping[str, Any] | None = None
    ) -> Change:
        """Set fields (content, title, category, tags, key, subject); Conflict shows both texts.

        `seen` are the values that the person had before them: where the memory says something
        else by now, it is a conflict even if that was taken in meanwhile."""
        with self._changing():
            return curate.edit(self._core, ids, fields, seen)

    def add(self, fields: Mapping[str, Any], store: str = NATIVE) -> Change:
        """A new memory in a store, our own unless named."""
        with self._changing():
            return curate.add(self._core, fields, store)

    def undo(self, line: int | None = None) -> Change:
        """Take back the newest change by a person, or the journal's line (S-51)."""
        self._core.writable()
        with self._changing():
            return journal.undo(self._core, line)

    def redo(self) -> Change:
        """Do again what the newest undo took back."""
        self._core.writable()
        with self._changing():
            return journal.redo(self._core)


def _own_store(core: Core) -> None:
    if core.t.Store.get_or_none(core.t.Store.format == NATIVE) is None:
        with core.db.atomic():
            if core.t.Store.get_or_none(core.t.Store.format == NATIVE) is None:
                core.t.Store.create(
                    name=NATIVE,
                    format=NATIVE,
                    path=str(core.path),
                    attached_at=core.clock(),
                    pulled_at=core.clock(),
                )
