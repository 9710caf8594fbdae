"""Saving what can be read of a damaged workspace into a new one (LIMITS 4, fault 12).

The damaged file is never written: a private copy is read, table by table and rowid by rowid, stepping
over what SQLite cannot read (`salvage_pages.py`). What the attached stores still say is taken from them
at the next pull.

SQLite's `.recover` cannot do it: apsw 3.54.1 is built without sqlite3_recover and without the table
sqlite_dbpage that it reads, so it saves no row. Of 238 memories this saves 205 to 238 in thirteen
kinds of damage to pages, and none where the later half of the file is cut off.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from memtui.errors import Refused
from memtui.formats.media.sqlite.connection import columns_of, copied, quoted
from memtui.text import counted, plural
from memtui.workspace.context import NATIVE
from memtui.workspace.db import migrations
from memtui.workspace.db.models import COLUMNS, JSON_COLUMNS
from memtui.workspace.maintenance.salvage_pages import (
    BROKEN,
    PAGE,
    DamagedTable,
    adrift,
    all_of,
    open_damaged,
)
from memtui.workspace.mirror import memory_rows

# What is made anew: how far a store was read, what its memories mean, and how far they were compared.
_AFRESH = ("units", "embedding_model", "vectors", "vector_bits", "embedding_queue", "scan_queue", "scanned")
# Names in workspaces made before schema 14.
FORMER_TABLES = {
    "side_records": "asides",
    "local_relations": "ties",
    "relation_overrides": "relation_notes",
    "checkpoints": "looked",
    "decay_runs": "ageing",
    "item_states": "standings",
    "saved_searches": "saved",
    "recall_log": "queries",
}
FORMER_COLUMNS = {
    ("checkpoints", "entry_id"): "line",
    ("decay_runs", "entry_id"): "line",
    ("verdicts", "entry_id"): "line",
    ("item_states", "effective_item"): "carried_by",
    ("pairs", "digest_a"): "said_a",
    ("pairs", "digest_b"): "said_b",
    ("pairs", "is_current"): "stands",
    ("verdicts", "digest_a"): "said_a",
    ("verdicts", "digest_b"): "said_b",
}
_NOUNS = {
    "memories": ("memory", "memories"),
    "journal": ("journal line", "journal lines"),
    "journal_items": ("journal item", "journal items"),
    "bodies": ("text of the journal", "texts of the journal"),
    "item_states": ("outcome", "outcomes"),
    "outbox": ("foreign write", "foreign writes"),
    "relations": ("relation", "relations"),
    "stores": ("store", "stores"),
}


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What was saved into `target` and what was lost, rows per table; `words` say it for a person."""

    target: Path
    saved: dict[str, int]
    lost: dict[str, int]
    words: tuple[str, ...]


def salvage(path: Path, target: Path, clock: Callable[[], float]) -> Salvaged:
    """Save what can be read of the workspace at `path` into a new one at `target`.

    Refused, with nothing made, if something stands at `target` or nothing can be read."""
    if not path.is_file():
        raise Refused("missing", f"There is no workspace at {path}.", "Nothing was made.")
    _make(target)
    try:
        with copied(path) as copy:
            return _salvage(copy, path, target, clock())
    except BaseException as trouble:
        for end in ("", "-wal", "-shm", "-journal"):
            target.with_name(target.name + end).unlink(missing_ok=True)
        if isinstance(trouble, (apsw.CorruptError, apsw.NotADBError, apsw.FormatError)):
            raise Refused(
                "lost",
                f"Nothing of {path} can be read: its table of contents is gone ({trouble}).",
                "It was left as it is, and nothing was made. The attached stores still have their memories: "
                "attach them to a new workspace.",
            ) from trouble
        if isinstance(trouble, apsw.FullError):
            raise Refused(
                "disk-full", "Nothing was saved: the disk is full.", "Free some space."
            ) from trouble
        raise


def _make(target: Path) -> None:
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        raise Refused(
            "exists", f"{target} is there already and is not written over.", "Name a new file."
        ) from None
    except OSError as trouble:
        raise Refused(
            "io", f"{target} cannot be made: {trouble.strerror}.", "Name another place."
        ) from trouble


def _salvage(copy: Path, path: Path, target: Path, now: float) -> Salvaged:
    source = open_damaged(copy)
    new = apsw.Connection(str(target))
    try:
        if not {"uid", "store_id", "content"} <= set(columns_of(source, "memories")):
            raise Refused("not-a-workspace", f"{path} is no memtui workspace.", "Nothing was made.")
        new.pragma("page_size", PAGE)
        migrations.migrate(new)
        saved: dict[str, int] = {}
        lost: dict[str, int] = {}
        with new:
            for name in _tables(new):
                saved[name], lost[name] = _take(source, new, name)
            missing = _missing(source, new)
            _keep_counting(source, new)
            there = columns_of(source, "memories")
            (root,) = all_of(source, "SELECT rootpage FROM sqlite_master WHERE name = 'memories'")[0]
            source.close()
            found = adrift(new, copy, root, there, missing)
            saved["memories"] += found
            lost["memories"] = max(0, lost["memories"] - found)
            _mend_stores(
                new, target, {known["store_id"] for known in missing.values() if known.get("store_id")}, now
            )
            filled, restorable_fields = _fill(new, missing, now)
            _mend_journal(new)
            _read_afresh(new)
            new.execute("INSERT INTO words (words) VALUES ('rebuild')")
        new.pragma("journal_mode", "wal")
        words = _words(path, target, saved, lost, filled, restorable_fields, _checked(new))
    finally:
        source.close()
        new.close()
    return Salvaged(target, saved, lost, words)


def _tables(new: apsw.Connection) -> list[str]:
    """The tables of rows; the words index is made anew. Stores and memories first."""
    return [
        name
        for (name,) in all_of(new, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
        if not name.startswith(("sqlite_", "words")) and name not in _AFRESH
    ]


def _take(source: apsw.Connection, new: apsw.Connection, name: str) -> tuple[int, int]:
    """Copy a table's rows: how many were saved, and how many lost."""
    former = name
    there = columns_of(source, name)
    if not there:
        former = FORMER_TABLES.get(name, name)
        there = columns_of(source, former)
    found = [(column, _former_column(name, column, there)) for column in columns_of(new, name)]
    columns = [column for column, old in found if old]
    if not columns:
        return 0, 0
    marks = ", ".join("?" for _ in columns)
    insert = f"INSERT OR IGNORE INTO {quoted(name)} ({', '.join(map(quoted, columns))}) VALUES ({marks})"
    table = DamagedTable(source, former, [old for _, old in found if old])
    rows = _whole(table) if _without_rowid(new, name) else (row[1:] for row in table.rows())
    saved = 0
    for row in rows:
        with suppress(apsw.MismatchError):  # noise that was taken for a row
            new.execute(insert, row)
            saved += new.changes()
    count = table.count()
    gaps = sum(high - low + 1 for low, high in table.gaps)
    return saved, max(0, count - saved) if count is not None else gaps


def _former_column(table: str, column: str, known: list[str]) -> str:
    """What a column is called in the damaged workspace; "" where it has none."""
    return next((name for name in (column, FORMER_COLUMNS.get((table, column))) if name in known), "")


def _without_rowid(new: apsw.Connection, name: str) -> bool:
    return bool(all_of(new, "SELECT wr FROM pragma_table_list WHERE name = ?", name)[0][0])


def _whole(table: DamagedTable) -> Iterator[tuple[Any, ...]]:
    """The rows of a small table without rowids."""
    with suppress(*BROKEN, UnicodeDecodeError):
        names = ", ".join(map(quoted, table.columns))
        yield from table.connection.execute(f"SELECT {names} FROM {quoted(table.name)}")


def _missing(source: apsw.Connection, new: apsw.Connection) -> dict[int, dict[str, Any]]:
    """The memories that indexes still name, but whose rows are gone: what the indexes say of each."""
    there = {id for (id,) in new.execute("SELECT id FROM memories")}
    out: dict[int, dict[str, Any]] = {}
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
                    if id not in there:
                        out.setdefault(id, {}).update(zip(names, values, strict=True))
    return out


def _keep_counting(source: apsw.Connection, new: apsw.Connection) -> None:
    """No id is given twice, those of lost rows neither."""
    with suppress(*BROKEN):
        for name, last in source.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
            new.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (last, name))
            if not new.changes():
                new.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, last))


def _mend_stores(new: apsw.Connection, target: Path, named: set[int], now: float) -> None:
    """Our own store is the new file; one whose line is lost stands in the list as detached.

    `named` are those that only the rows name which are to be filled."""
    new.execute("UPDATE stores SET path = ? WHERE format = ?", (str(target), NATIVE))
    own = new.execute("SELECT 1 FROM stores WHERE format = ?", (NATIVE,)).fetchone()
    lost = all_of(
        new,
        "SELECT store_id FROM memories UNION SELECT store_id FROM journal_items "
        "UNION SELECT store_id FROM outbox EXCEPT SELECT id FROM stores ORDER BY 1",
    )
    there = {id for (id,) in new.execute("SELECT id FROM stores")}
    for id in sorted({id for (id,) in lost} | (named - there)):
        is_own = id == 1 and own is None
        new.execute(
            "INSERT INTO stores (id, name, format, path, attached_at, detached_at, pulled_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                *((id, NATIVE, NATIVE, str(target)) if is_own else (id, f"lost-{id}", "lost", "")),
                *(now, None if is_own else now, now),
            ),
        )
        if not is_own:
            new.execute("UPDATE memories SET shown = 0 WHERE store_id = ?", (id,))


def _fill(new: apsw.Connection, missing: dict[int, dict[str, Any]], now: float) -> tuple[int, int]:
    """Give lost rows their place back: those of stores are filled by the next pull, our own are made of
    what the journal holds. How many of each."""
    own = {id for (id,) in new.execute("SELECT id FROM stores WHERE format = ?", (NATIVE,))}
    filled = restorable_fields = 0
    for id, uid, store_id in all_of(
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
            restorable_fields += _remake(new, id, known, now)
        elif known.get("ref") is not None:
            new.execute(
                "INSERT OR IGNORE INTO memories (id, uid, store_id, ref, anchor, seen_at) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (id, known["uid"], known["store_id"], known["ref"], known.get("anchor") or "", now),
            )
            filled += new.changes()
    return filled, restorable_fields


def _remake(new: apsw.Connection, id: int, known: dict[str, Any], now: float) -> int:
    """One of our own memories from the journal; nothing where its texts were erased."""
    said: dict[str, Any] = {}
    for (after,) in new.execute(
        "SELECT b.after FROM journal_items i JOIN bodies b ON b.item_id = i.id "
        "JOIN item_states st ON st.item_id = i.id WHERE i.memory_id = ? AND st.state = 'done' ORDER BY i.id",
        (id,),
    ):
        with suppress(ValueError):
            body = json.loads(after or "{}")
            said |= body if isinstance(body, dict) else {}
    if not said.get("content"):
        return 0
    removed = now if said.get("here") is False else None
    fields = {name: memory_rows.stored(name, value) for name, value in said.items() if name in COLUMNS}
    new.execute(
        f"INSERT OR IGNORE INTO memories (id, uid, store_id, ref, seen_at, removed_at, {', '.join(fields)}) "
        f"VALUES ({', '.join('?' * (6 + len(fields)))})",
        (
            id,
            known["uid"],
            known["store_id"],
            known.get("ref") or known["uid"],
            now,
            removed,
            *fields.values(),
        ),
    )
    return new.changes()


def _mend_journal(new: apsw.Connection) -> None:
    """No part of the journal hangs in the air: a lost line is named as lost, what belongs to a lost item
    goes, an unknown outcome is told as unknown."""
    new.execute(
        "INSERT INTO journal (id, at, actor, kind, summary) SELECT DISTINCT i.journal_id, "
        "coalesce((SELECT max(j.at) FROM journal j WHERE j.id < i.journal_id), 0), "
        "'rule:salvage', 'lost', 'A line that could not be read' "
        "FROM journal_items i WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.id = i.journal_id)"
    )
    new.execute(
        "INSERT INTO journal (id, at, actor, kind, summary) SELECT undoes, at, 'rule:salvage', "
        "'lost', 'A line that could not be read' FROM journal l WHERE undoes IS NOT NULL "
        "AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.id = l.undoes) GROUP BY undoes"
    )
    for table in ("bodies", "item_states", "outbox"):
        new.execute(f"DELETE FROM {table} WHERE item_id NOT IN (SELECT id FROM journal_items)")
    new.execute(
        "INSERT INTO item_states (item_id, state, why, effective_item) "
        "SELECT id, 'failed', 'What became of it could not be read.', id FROM journal_items "
        "WHERE id NOT IN (SELECT item_id FROM item_states)"
    )


def _read_afresh(new: apsw.Connection) -> None:
    """The next pull takes every store's text anew; what is no JSON any more says nothing."""
    new.execute("UPDATE stores SET stamp = ''")
    texts = ", ".join(memory_rows.TEXTS)
    new.create_scalar_function("mark_of", _mark_of, deterministic=True)
    # What a store says now is news of its agents only where the row still says what was read before.
    sound = f"coalesce(hash = mark_of({texts}), content <> '')"
    new.execute(f"UPDATE memories SET digest = CASE WHEN {sound} THEN '?' ELSE '' END")
    for table in ("relations", "relation_overrides"):
        new.execute(f"DELETE FROM {table} WHERE store_id NOT IN (SELECT id FROM stores)")
    defaults = {"extra": "{}", "kept": "{}", "value": None}
    for name in (*JSON_COLUMNS, "kept"):
        new.execute(
            f"UPDATE memories SET {name} = ? WHERE {name} IS NOT NULL AND NOT json_valid({name})",
            (defaults.get(name, "[]"),),
        )
    new.execute(f"UPDATE memories SET hash = mark_of({texts}) WHERE hash IS NULL")


def _mark_of(*texts: Any) -> int | None:
    """A row's mark, for SQL; none of noise that was taken for a row."""
    return memory_rows.hash_of(*texts) if all(isinstance(text, str | None) for text in texts) else None


def _checked(new: apsw.Connection) -> str:
    """What is still wrong with the new workspace; "" if nothing is."""
    found = [text for (text,) in new.execute("PRAGMA integrity_check(3)") if text != "ok"]
    found += [f"{row[0]} without its {row[2]}" for row in new.execute("PRAGMA foreign_key_check")][:3]
    try:
        with new:
            new.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    except apsw.CorruptError as trouble:
        found.append(f"the words index: {trouble}")
    return "; ".join(found)


def _words(
    path: Path,
    target: Path,
    saved: dict[str, int],
    lost: dict[str, int],
    filled: int,
    restorable_fields: int,
    wrong: str,
) -> tuple[str, ...]:
    """What became of it, in sentences."""
    told = [f"Saved into {target}: {_count('memories', saved)}, {_count('journal', saved)}."]
    gone = [_count(name, lost) for name in _NOUNS if lost.get(name)]
    told.append(f"Lost: {', '.join(gone)}." if gone else "Nothing was lost.")
    if filled:
        stand = plural(filled, "stands", "stand")
        told.append(f"{filled:,} of them {stand} empty until the store is read again, at the next pull.")
    if restorable_fields:
        were = plural(restorable_fields, "was", "were")
        told.append(f"{restorable_fields:,} of them {were} made again from what the journal holds.")
    told.append("At the next pull every attached store is read anew and fills the gaps.")
    told.append(
        f"The new workspace has a fault: {wrong}." if wrong else "The new workspace was checked: sound."
    )
    told.append(f"{path} was left as it is. Open the new one: memtui --workspace {shlex.quote(str(target))}")
    return tuple(told)


def _count(name: str, counts: dict[str, int]) -> str:
    number = counts[name]
    one, many = _NOUNS[name]
    return counted(number, one, many)
