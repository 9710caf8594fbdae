"""Taking redacted values out of every table of the workspace (S-62)."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from peewee import Model

from memtui.memory.secrets.redaction import Replacements
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import Database
from memtui.workspace.db.models import (
    COLUMNS,
    Breach,
    Checkup,
    ItemBody,
    ItemState,
    Memory,
    Pair,
    Recall,
    Relation,
    RelationOverride,
    SavedSearch,
    SecretFound,
    SideRecord,
    Store,
    Unit,
    Verdict,
    ViewState,
)
from memtui.workspace.maintenance import wiping
from memtui.workspace.maintenance.redact import erase_rules, history
from memtui.workspace.mirror import memory_rows
from memtui.workspace.secrets.sweep import TEXTS, kinds_of

_LISTED = "SELECT value FROM json_each(?)"
# The texts that are kept beside memories, by table: its key, and the columns that may quote one.
_TABLES: tuple[tuple[type[Model], tuple[str, ...], tuple[str, ...]], ...] = (
    (ItemState, ("item_id",), ("why",)),
    (Pair, ("id",), ("words_a", "words_b", "reason", "topic", "clause_a", "clause_b")),
    (Verdict, ("id",), ("note", "topic", "subject")),
    (Relation, ("id",), ("source", "target", "context", "body")),
    (RelationOverride, ("store_id", "source", "kind", "target"), ("source", "target", "context", "body")),
    (SideRecord, ("id",), ("about", "words", "other")),
    (Recall, ("id",), ("text",)),
    (SavedSearch, ("name",), ("name", "query")),
    (ViewState, ("name",), ("value",)),
    (Store, ("id",), ("error", "findings")),
    (Checkup, ("store_id",), ("findings",)),
    (Breach, ("journal_id",), ("agent", "policy")),
)
_OWN = ("anchor", "place", "unit", "kept", "ties")


def erase(
    ctx: Context, ids: Sequence[int], redacted: Replacements, databases: Collection[int]
) -> tuple[int, list[str], list[str]]:
    """Take the values out of all that the workspace keeps, in one transaction; `databases` are stores of that
    kind that had them. Return how many changes can no longer be undone, the uids of other memories that have
    one of the values, and the names of rules that were switched off."""
    db = ctx.db
    db.run("PRAGMA secure_delete=ON")
    with db.atomic():
        holding = _holding(db, ids, redacted)
        lost = sum(
            history.rewrite(ctx, store.id, redacted, holding.keys())
            for store in store_rows.by_id(db).values()
            if store.format != NATIVE
        )
        _erase_rows(db, ids, redacted)
        _erase_bodies(db, redacted, holding.keys())
        for model, keys, names in _TABLES:
            _erase_table(db, model, keys, names, redacted)
        stopped = erase_rules.erase(ctx, redacted, holding.keys())
        _erase_units(db, redacted)
        _erase_findings(db, ids)
        wiping.owe(ctx, databases)
        db.run("INSERT INTO words (words) VALUES ('optimize')")  # drops what was deleted earlier
    return lost, list(holding.values()), stopped


def _holding(db: Database, ids: Sequence[int], redacted: Replacements) -> dict[int, str]:
    """Return the uids of other memories that have one of the values, by row."""
    sql = f"SELECT id, uid, {', '.join(TEXTS)} FROM memories WHERE id NOT IN ({_LISTED})"
    rows = db.rows(sql, (json.dumps(list(ids)),))
    return {id: uid for id, uid, *texts in rows if any(text and redacted.found_in(text) for text in texts)}


def _erase_rows(db: Database, ids: Sequence[int], redacted: Replacements) -> None:
    names = (*_OWN, *(name for name in COLUMNS if name not in _OWN))
    sql = f"SELECT id, {', '.join(names)} FROM memories WHERE id IN ({_LISTED})"
    for id, *values in db.rows(sql, (json.dumps(list(ids)),)):
        changed = {
            name: new
            for name, old in zip(names, values, strict=True)
            if isinstance(old, str) and (new := redacted.value(old)) != old
        }
        if changed:
            db.update_many(Memory, tuple(changed), ("id",), [(*changed.values(), id)])
            memory_rows.rehash(db, id)


def _erase_findings(db: Database, ids: Sequence[int]) -> None:
    """Forget that these memories have secrets, save for any that has one left: it stays masked and listed."""
    sql = f"SELECT id, {', '.join(TEXTS)} FROM memories WHERE id IN ({_LISTED})"
    rows = db.rows(sql, (json.dumps(list(ids)),))
    db.delete_many(
        SecretFound, ("memory_id",), [(id,) for id, *texts in rows if not any(True for _ in kinds_of(texts))]
    )


def _erase_bodies(db: Database, redacted: Replacements, holding: Collection[int]) -> None:
    sql = (
        "SELECT b.item_id, i.memory_id, b.before, b.after FROM bodies b "
        "JOIN journal_items i ON i.id = b.item_id"
    )
    rows = [
        (*(None if side is None else redacted.value(side) for side in sides), id)
        for id, memory_id, *sides in db.rows(sql)
        if memory_id not in holding and any(side and redacted.found_in(side) for side in sides)
    ]
    db.update_many(ItemBody, ("before", "after"), ("item_id",), rows)


def _erase_units(db: Database, redacted: Replacements) -> None:
    """Forget the files whose names have a value: they are read again under their own names."""
    rows = db.rows("SELECT store_id, name FROM units")
    db.delete_many(Unit, ("store_id", "name"), [row for row in rows if redacted.found_in(row[1])])


def _erase_table(
    db: Database, model: type[Model], keys: tuple[str, ...], names: tuple[str, ...], redacted: Replacements
) -> None:
    columns = ", ".join((*keys, *names))
    rows = []
    for row in db.rows(f"SELECT {columns} FROM {model._meta.table_name}"):
        key, values = row[: len(keys)], row[len(keys) :]
        if any(text and redacted.found_in(text) for text in values):
            rows.append((*map(redacted.value, values), *key))
    db.update_many(model, names, keys, rows)
