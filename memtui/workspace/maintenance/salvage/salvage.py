"""Saving what can be read of a damaged workspace into a new one (LIMITS 4, fault 12).

The damaged file is never written: a private copy is read, table by table and rowid by rowid, skipping what
SQLite cannot read (`pages.py`). What the attached stores still contain is read from them by the next pull.

SQLite's `.recover` is no alternative: apsw 3.54.1 is built without sqlite3_recover and without the table
sqlite_dbpage that it reads, so it saves no row. Of 238 memories this saves 205 to 238 in thirteen kinds of
damage to pages, and none if the second half of the file is missing.

All SQL is raw, on connections of its own: the source may be damaged and of any schema version, where models
do not fit, and nothing else of memtui has either database open.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import apsw

from memtui.formats.media.sqlite.connection import columns_of, copied, quoted
from memtui.values import SqlRow
from memtui.workspace.db import migrations
from memtui.workspace.maintenance.salvage import rebuild, wording
from memtui.workspace.maintenance.salvage.former_names import FORMER_COLUMNS, FORMER_TABLES
from memtui.workspace.maintenance.salvage.pages import (
    BROKEN,
    PAGE,
    DamagedTable,
    fetch_all,
    open_damaged,
    read_unreferenced,
)

# Tables that are rebuilt: how far stores were read, vectors, and how far the scan got.
_DERIVED = (
    "units",
    "embedding_model",
    "vectors",
    "vector_bits",
    "embedding_queue",
    "scan_queue",
    "secret_queue",
    "checkups",
    "secrets",
    "scanned",
)


@dataclass(frozen=True, slots=True)
class SalvageResult:
    """What was saved into `target` and what was lost, as rows by table; `report` has it as sentences."""

    target: Path
    saved: dict[str, int]
    lost: dict[str, int]
    report: tuple[str, ...]


def salvage(path: Path, target: Path, clock: Callable[[], float]) -> SalvageResult:
    """Save what can be read of the workspace at `path` into a new one at `target`.

    Raise Refused, with nothing created, if `target` exists or nothing can be read.
    """
    if not path.is_file():
        raise wording.missing(path)
    _create(target)
    try:
        with copied(path) as copy:
            return _salvage(copy, path, target, clock())
    except BaseException as error:
        for suffix in ("", "-wal", "-shm", "-journal"):
            target.with_name(target.name + suffix).unlink(missing_ok=True)
        if isinstance(error, (apsw.CorruptError, apsw.NotADBError, apsw.FormatError)):
            raise wording.nothing_readable(path, error) from error
        if isinstance(error, apsw.FullError):
            raise wording.disk_full() from error
        raise


def _create(target: Path) -> None:
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        raise wording.target_exists(target) from None
    except OSError as error:
        raise wording.cannot_create(target, error.strerror) from error


def _salvage(copy: Path, path: Path, target: Path, now: float) -> SalvageResult:
    source = open_damaged(copy)
    new = apsw.Connection(str(target))
    try:
        if not {"uid", "store_id", "content"} <= set(columns_of(source, "memories")):
            raise wording.not_a_workspace(path)
        new.pragma("page_size", PAGE)
        migrations.migrate(new)
        saved: dict[str, int] = {}
        lost: dict[str, int] = {}
        with new:
            for name in _tables(new):
                saved[name], lost[name] = _copy_table(source, new, name)
            missing = rebuild.missing_memories(source, new)
            rebuild.keep_sequences(source, new)
            columns = columns_of(source, "memories")
            (root,) = fetch_all(source, "SELECT rootpage FROM sqlite_master WHERE name = 'memories'")[0]
            source.close()
            found = read_unreferenced(new, copy, root, columns, missing)
            saved["memories"] += found
            lost["memories"] = max(0, lost["memories"] - found)
            rebuild.complete_stores(new, target, missing, now)
            empty, from_journal = rebuild.fill_memories(new, missing, now)
            rebuild.complete_journal(new)
            rebuild.invalidate_mirror(new)
            new.execute("INSERT INTO words (words) VALUES ('rebuild')")
        new.pragma("journal_mode", "wal")
        report = [wording.saved(target, saved), wording.lost(lost)]
        report += [wording.empty_until_pull(empty)] if empty else []
        report += [wording.restored_from_journal(from_journal)] if from_journal else []
        faults = _faults(new)
        report += [wording.GAPS_FILLED_LATER] if empty or wording.named_losses(lost) else []
        report.append(wording.faulty(faults) if faults else wording.SOUND)
        report.append(wording.open_with(path, target))
    finally:
        source.close()
        new.close()
    return SalvageResult(target, saved, lost, tuple(report))


def _tables(new: apsw.Connection) -> list[str]:
    """Return the tables to copy, in the order of the schema: stores and memories first."""
    return [
        name
        for (name,) in fetch_all(new, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
        if not name.startswith(("sqlite_", "words")) and name not in _DERIVED
    ]


def _copy_table(source: apsw.Connection, new: apsw.Connection, name: str) -> tuple[int, int]:
    """Copy a table's rows; return how many were saved, and how many lost."""
    former = name
    known = columns_of(source, name)
    if not known:
        former = FORMER_TABLES.get(name, name)
        known = columns_of(source, former)
    pairs = [(column, _former_column(name, column, known)) for column in columns_of(new, name)]
    columns = [column for column, old in pairs if old]
    if not columns:
        return 0, 0
    marks = ", ".join("?" for _ in columns)
    insert = f"INSERT OR IGNORE INTO {quoted(name)} ({', '.join(map(quoted, columns))}) VALUES ({marks})"
    table = DamagedTable(source, former, [old for _, old in pairs if old])
    rows = _all_rows(table) if _is_without_rowid(new, name) else (row[1:] for row in table.rows())
    saved = 0
    for row in rows:
        with suppress(apsw.MismatchError):  # damaged bytes that were read as a row
            new.execute(insert, row)
            saved += new.changes()
    count = table.count()
    gaps = sum(high - low + 1 for low, high in table.gaps)
    return saved, max(0, count - saved) if count is not None else gaps


def _former_column(table: str, column: str, known: list[str]) -> str:
    """Return a column's name in the damaged workspace; "" if it has none."""
    return next((name for name in (column, FORMER_COLUMNS.get((table, column))) if name in known), "")


def _is_without_rowid(new: apsw.Connection, name: str) -> bool:
    return bool(fetch_all(new, "SELECT wr FROM pragma_table_list WHERE name = ?", name)[0][0])


def _all_rows(table: DamagedTable) -> Iterator[SqlRow]:
    """Yield the rows of a small table without rowids, up to the first damage."""
    with suppress(*BROKEN, UnicodeDecodeError):
        names = ", ".join(map(quoted, table.columns))
        yield from table.connection.execute(f"SELECT {names} FROM {quoted(table.name)}")


def _faults(new: apsw.Connection) -> str:
    """Return what is still wrong with the new workspace, or ""."""
    found = [text for (text,) in new.execute("PRAGMA integrity_check(3)") if text != "ok"]
    orphans = (wording.row_without_parent(row[0], row[2]) for row in new.execute("PRAGMA foreign_key_check"))
    found += list(orphans)[:3]
    try:
        with new:
            new.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    except apsw.CorruptError as error:
        found.append(wording.words_fault(error))
    return "; ".join(found)
