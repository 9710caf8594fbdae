"""The workspace's tables as peewee models, bound to one database; `schema/` is what makes them.

Models carry the verbs. The hot paths (list window, search, pull) use plain rows: a model
costs eight times as much as a row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from peewee import AutoField, BigIntegerField, BooleanField, FloatField, IntegerField, Model, TextField

from memtui.memory.records import LISTS, MEMORY_FIELDS, TIMES

JSON_COLUMNS = (*LISTS, "value", "extra")
# Section 3's fields that are columns of `memories` under the same name.
COLUMNS = tuple(name for name in MEMORY_FIELDS if name not in ("uid", "store", "ref"))
_REALS = (*TIMES, "importance", "confidence")
_COUNTS = ("times_used", "times_confirmed", "promotion_count")


def _field(name: str) -> Any:
    if name == "pinned":
        return BooleanField(default=False)
    if name in _REALS:
        return FloatField(null=True)
    if name == "token_count":
        return IntegerField(null=True)
    if name in _COUNTS:
        return IntegerField(default=0)
    if name in ("kind", "content", "status", *JSON_COLUMNS):
        return TextField()
    return TextField(null=True)


def _store(on: Any) -> Any:
    class Store(Model):
        """An attached store, or one that was (S-2a)."""

        name = TextField(unique=True)
        format = TextField()
        path = TextField()
        attached_at = FloatField()
        detached_at = FloatField(null=True)
        pulled_at = FloatField(null=True)
        epoch = IntegerField(default=0)
        error = TextField(default="")
        findings = TextField(default="[]")
        stamp = TextField(default="")
        locked = BooleanField(default=False)
        changed_at = FloatField(null=True)

        class Meta:
            table_name = "stores"
            database = on

    return Store


def _memory(database: Any) -> Any:
    own = {
        "id": AutoField(),
        "uid": TextField(unique=True),
        "store_id": IntegerField(),
        "ref": TextField(null=True),
        "anchor": TextField(default=""),
        "place": TextField(default=""),
        "digest": TextField(default=""),
        "unit": TextField(default=""),
        "hash": BigIntegerField(null=True),
        "kept": TextField(default="{}"),
        "moved": IntegerField(null=True),
        "seen_at": FloatField(),
        "removed_at": FloatField(null=True),
        "shown": BooleanField(default=True),
    }
    meta = type("Meta", (), {"table_name": "memories", "database": database})
    return type("Memory", (Model,), own | {name: _field(name) for name in COLUMNS} | {"Meta": meta})


def _line(on: Any) -> Any:
    class Line(Model):
        """One journal line (S-50)."""

        at = FloatField()
        actor = TextField()
        kind = TextField()
        summary = TextField()
        undoes = IntegerField(null=True)

        class Meta:
            table_name = "journal"
            database = on

    return Line


def _body(on: Any) -> Any:
    class Body(Model):
        """The texts of an item, erasable."""

        item_id = IntegerField(primary_key=True)
        before = TextField(null=True)
        after = TextField(null=True)

        class Meta:
            table_name = "bodies"
            database = on

    return Body


def _standing(on: Any) -> Any:
    class Standing(Model):
        """How an item stands now."""

        item_id = IntegerField(primary_key=True)
        state = TextField()
        why = TextField(default="")
        undone_by = IntegerField(null=True)
        carried_by = IntegerField(null=True)

        class Meta:
            table_name = "standings"
            database = on

    return Standing


def _outbox(on: Any) -> Any:
    class Outbox(Model):
        """A foreign write, intended or settled (S-7)."""

        item_id = IntegerField(primary_key=True)
        store_id = IntegerField()
        plan = TextField(null=True)
        state = TextField()
        lease = TextField()
        token = TextField()

        class Meta:
            table_name = "outbox"
            database = on

    return Outbox


_MODELS: dict[str, Callable[[Any], Any]] = {
    "Store": _store,
    "Memory": _memory,
    "Line": _line,
    "Body": _body,
    "Standing": _standing,
    "Outbox": _outbox,
}


class Tables:
    """The models Store, Memory, Line, Body, Standing and Outbox on one database.

    Each is made when it is first asked for: making them all takes a third of opening a workspace.
    """

    def __init__(self, database: Any) -> None:
        self._database = database

    def __getattr__(self, name: str) -> Any:
        if name not in _MODELS:
            raise AttributeError(name)
        model = _MODELS[name](self._database)
        setattr(self, name, model)
        return model
