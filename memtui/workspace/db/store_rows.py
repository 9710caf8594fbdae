"""Rows of `stores`, as the verbs see them."""

from __future__ import annotations

from typing import Protocol

from memtui.workspace.db.database import Database
from memtui.workspace.db.models import Store


class StoreRow(Protocol):
    """A row of `stores`: an attached store, or one that was (S-2a). Times: Unix seconds; `findings`: JSON."""

    @property
    def id(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def format(self) -> str: ...

    @property
    def path(self) -> str: ...

    @property
    def attached_at(self) -> float: ...

    @property
    def detached_at(self) -> float | None: ...

    @property
    def pulled_at(self) -> float | None: ...

    @property
    def epoch(self) -> int: ...

    @property
    def error(self) -> str: ...

    @property
    def error_code(self) -> str: ...

    @property
    def findings(self) -> str: ...

    @property
    def stamp(self) -> str: ...

    @property
    def locked(self) -> bool: ...

    @property
    def changed_at(self) -> float | None: ...


def get(db: Database, id: int) -> StoreRow:
    """Return the store with this id, attached or not; raise peewee's DoesNotExist if there is none."""
    return db.get(Store, id)


def find(db: Database, id: int) -> StoreRow | None:
    """Return the store with this id, or None."""
    return db.find(Store, id)


def by_id(db: Database) -> dict[int, StoreRow]:
    """Return all stores, detached ones too, by id."""
    return {store.id: store for store in db.matching(Store)}


def attached(db: Database) -> list[StoreRow]:
    """Return the attached stores, memtui's own first."""
    stores = [store for store in db.matching(Store) if store.detached_at is None]
    return sorted(stores, key=lambda store: store.id)
