"""Completing a salvaged workspace: rows whose parents were lost, and memories known by name only.

All SQL is raw, like that of `salvage.py`. The functions run in one transaction on the new database.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import apsw

from memtui.values import Fields, SqlValue
from memtui.workspace.context import NATIVE
from memtui.workspace.db.models import COLUMNS, JSON_COLUMNS
from memtui.workspace.journal.items import IN_STORE
from memtui.workspace.maintenance.salvage import wording
from memtui.workspace.maintenance.salvage.pages import BROKEN, fetch_all
from memtui.workspace.mirror import memory_rows

# Memories whose rows are lost, by id: what indexes and the journal have of them (uid, store_id, ref, anchor).
Missing: TypeAlias = dict[int, dict[str, SqlValue]]

_RULE = "rule:salvage"  # who made the journal entries that replace lost ones


def missing_memories(source: apsw.Connection, new: apsw.Connection) -> Missing:
    """Return the memories that indexes of the damaged workspace still name, but whose rows are lost."""
    present = {id for (id,) in new.execute("SELECT id FROM memories")}
    missing: Missing = {}
    for names, index in (
        (("uid",), "sqlite_autoindex_memories_1"),
        (("store_id", "ref"), "memories_ref"),
        (("store_id", "anchor"), "memories_anchor"),
    ):
        for order in ("ASC", "DESC"):
            with suppress(*BROKEN, UnicodeDecodeError):
                for id, *values in source.execute(
                    f"SELECT id, {', '.join(names)} FROM memories INDEXED BY {index} "
                    f"ORDER BY {', '.join(f'{name} {order}' for name in names)}"
                ):
                    if id not in present:
                        missing.setdefault(id, {}).update(zip(names, values, strict=True))
    return missing


def keep_sequences(source: apsw.Connection, new: apsw.Connection) -> None:
    """Carry the last ids over, so that no id is used twice, not even one of a lost row."""
    with suppress(*BROKEN):
        for name, last in source.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
            new.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (last, name))
            if not new.changes():
                new.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, last))


def complete_stores(new: apsw.Connection, target: Path, missing: Missing, now: float) -> None:
    """Make the new file memtui's own store, and list stores whose rows are lost as detached."""
    new.execute("UPDATE stores SET path = ? WHERE format = ?", (str(target), NATIVE))
    own = new.execute("SELECT 1 FROM stores WHERE format = ?", (NATIVE,)).fetchone()
    lost = fetch_all(
        new,
        "SELECT store_id FROM memories UNION SELECT store_id FROM journal_items "
        "UNION SELECT store_id FROM outbox EXCEPT SELECT id FROM stores ORDER BY 1",
    )
    named = {known["store_id"] for known in missing.values() if known.get("store_id")}
    present = {id for (id,) in new.execute("SELECT id FROM stores")}
    for id in sorted({id for (id,) in lost} | (named - present)):
        is_own = id == 1 and own is None
        row = (id, NATIVE, NATIVE, str(target)) if is_own else (id, f"lost-{id}", "lost", "")
        new.execute(
            "INSERT INTO stores (id, name, format, path, attached_at, detached_at, pulled_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*row, now, None if is_own else now, now),
        )
        if not is_own:
            new.execute("UPDATE memories SET shown = 0 WHERE store_id = ?", (id,))


def fill_memories(new: apsw.Connection, missing: Missing, now: float) -> tuple[int, int]:
    """Insert rows for the missing memories: empty ones for the next pull to fill, and memtui's own from the
    journal. Return how many of each; memories that only the journal names are added to `missing`."""
    own = {id for (id,) in new.execute("SELECT id FROM stores WHERE format = ?", (NATIVE,))}
    empty = from_journal = 0
    for id, uid, store_id in fetch_all(
        new,
        "SELECT DISTINCT memory_id, uid, store_id FROM journal_items i "
        "WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = i.memory_id)",
    ):
        known = missing.setdefault(id, {})
        known.setdefault("uid", uid)
        known.setdefault("store_id", store_id)
    for id, known in missing.items():
        if known.get("uid") is None or known.get("store_id") is None:
            continue
        if known["store_id"] in own:
            from_journal += _insert_from_journal(new, id, known, now)
        elif known.get("ref") is not None:
            new.execute(
                "INSERT OR IGNORE INTO memories (id, uid, store_id, ref, anchor, seen_at) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (id, known["uid"], known["store_id"], known["ref"], known.get("anchor") or "", now),
            )
            empty += new.changes()
    return empty, from_journal


def _insert_from_journal(new: apsw.Connection, id: int, known: dict[str, SqlValue], now: float) -> int:
    """Insert one of memtui's own memories from the journal; return 0 if its texts were erased."""
    fields: Fields = {}
    for (after,) in new.execute(
        "SELECT b.after FROM journal_items i JOIN bodies b ON b.item_id = i.id "
        "JOIN item_states st ON st.item_id = i.id WHERE i.memory_id = ? AND st.state = 'done' ORDER BY i.id",
        (id,),
    ):
        with suppress(ValueError):
            body = json.loads(after or "{}")
            fields |= body if isinstance(body, dict) else {}
    if not fields.get("content"):
        return 0
    removed_at = now if fields.get(IN_STORE) is False else None
    columns = {name: memory_rows.stored(name, value) for name, value in fields.items() if name in COLUMNS}
    ref = known.get("ref") or known["uid"]
    row = (id, known["uid"], known["store_id"], ref, now, removed_at, *columns.values())
    new.execute(
        "INSERT OR IGNORE INTO memories "
        f"(id, uid, store_id, ref, seen_at, removed_at, {', '.join(columns)}) "
        f"VALUES ({', '.join('?' * len(row))})",
        row,
    )
    return new.changes()


def complete_journal(new: apsw.Connection) -> None:
    """Leave no row of the journal without its parent: insert entries marked as lost, delete what belongs to
    lost items, and give items without a state one that says so."""
    new.execute(
        "INSERT INTO journal (id, at, actor, kind, summary) SELECT DISTINCT i.journal_id, "
        "coalesce((SELECT max(j.at) FROM journal j WHERE j.id < i.journal_id), 0), ?, 'lost', ? "
        "FROM journal_items i WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.id = i.journal_id)",
        (_RULE, wording.LOST_ENTRY),
    )
    new.execute(
        "INSERT INTO journal (id, at, actor, kind, summary) SELECT undoes, at, ?, 'lost', ? "
        "FROM journal l WHERE undoes IS NOT NULL "
        "AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.id = l.undoes) GROUP BY undoes",
        (_RULE, wording.LOST_ENTRY),
    )
    for table in ("bodies", "item_states", "outbox"):
        new.execute(f"DELETE FROM {table} WHERE item_id NOT IN (SELECT id FROM journal_items)")
    new.execute(
        "INSERT INTO item_states (item_id, state, why, effective_item) "
        "SELECT id, 'failed', ?, id FROM journal_items "
        "WHERE id NOT IN (SELECT item_id FROM item_states)",
        (wording.LOST_STATE,),
    )


def invalidate_mirror(new: apsw.Connection) -> None:
    """Have the next pull read every store completely, and replace what is no longer JSON by empty values."""
    new.execute("UPDATE stores SET stamp = ''")
    texts = ", ".join(memory_rows.TEXTS)
    new.create_scalar_function("hash_of", _hash_or_none, deterministic=True)
    # A difference to the store counts as an agent's change only if the row is intact: others get no digest.
    intact = f"coalesce(hash = hash_of({texts}), content <> '')"
    new.execute(f"UPDATE memories SET digest = CASE WHEN {intact} THEN '?' ELSE '' END")
    for table in ("relations", "relation_overrides"):
        new.execute(f"DELETE FROM {table} WHERE store_id NOT IN (SELECT id FROM stores)")
    defaults = {"extra": "{}", "kept": "{}", "value": None}
    for name in (*JSON_COLUMNS, "kept"):
        new.execute(
            f"UPDATE memories SET {name} = ? WHERE {name} IS NOT NULL AND NOT json_valid({name})",
            (defaults.get(name, "[]"),),
        )
    new.execute(f"UPDATE memories SET hash = hash_of({texts}) WHERE hash IS NULL")


def _hash_or_none(*texts: SqlValue) -> int | None:
    """Return a row's hash, None for damaged bytes that were read as a row."""
    return memory_rows.hash_of(*texts) if all(isinstance(text, str | None) for text in texts) else None
