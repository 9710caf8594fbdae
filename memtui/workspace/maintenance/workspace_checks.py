"""Checks of the workspace itself: its file, rows, index, journal and place (S-64, S-90; LIMITS 4).

Queries here are raw SQL: pragmas, commands of the full-text index, and joins over several tables.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import apsw
from peewee import PeeweeException

from memtui.errors import Refused
from memtui.memory.stores import Issue
from memtui.workspace.context import Context
from memtui.workspace.db import backup_files
from memtui.workspace.db.damage import damage_in
from memtui.workspace.maintenance import vector_checks, wording
from memtui.workspace.maintenance.environment import TRACKED, UNTRACKED, git_state, low_disk_space
from memtui.workspace.maintenance.text_integrity import corrupted_rows, is_in_store, journaled_text
from memtui.workspace.relations import dangling

MIN_SAFE_SQLITE = (3, 51, 3)  # the first SQLite that loses no acknowledged write in WAL mode
_MAX_TEXTS = 100  # corrupted texts that are reported one by one
# Tables whose orphans may be deleted, since they say nothing alone; the journal is append-only.
DELETABLE = ("bodies", "item_states", "relations", "units")


def examine(ctx: Context) -> list[Issue]:
    """Return the issues of the workspace itself; a check that fails is reported and hides no other."""
    found: list[Issue] = []
    for label, check in _CHECKS:
        try:
            found += check(ctx)
        except (apsw.Error, PeeweeException, Refused, OSError, UnicodeDecodeError) as error:
            found.append(_issue("unchecked", wording.not_checked(label, error), ctx.path.name))
    # Damaged pages explain why other checks failed.
    if any(each.code == "damaged" for each in found):
        found = [each for each in found if each.code != "unchecked"]
    return found


def _issue(
    code: str, text: str, place: str, meaning: str = "", repair: str = "", *names: str, severe: bool = False
) -> Issue:
    """Return an issue of the workspace, which has no store's name."""
    return Issue("", code, place, text, meaning, repair, severe, names=names)


# -- the checks


def sqlite_version() -> str:
    """Return the version of the linked SQLite."""
    return str(apsw.sqlite_lib_version())


def _check_sqlite(ctx: Context) -> Iterator[Issue]:
    if tuple(map(int, sqlite_version().split("."))) < MIN_SAFE_SQLITE:
        text = wording.old_sqlite(sqlite_version())
        yield _issue("sqlite", text, "SQLite", wording.OLD_SQLITE_MEANING, severe=True)


def _check_vector_search(ctx: Context) -> Iterator[Issue]:
    ctx.db.connection()
    if ctx.db.vector_search_error:
        text = wording.no_vector_search(ctx.db.vector_search_error)
        yield _issue("no-meaning", text, "sqlite-vec", wording.NO_VECTOR_SEARCH_MEANING)


def _check_model(ctx: Context) -> Iterator[Issue]:
    ctx.model.try_loading(ctx)
    if ctx.model.phase == "failed" and not ctx.db.vector_search_error:
        yield _issue("no-model", ctx.model.why, "model", wording.no_model_meaning(ctx.model.hint))


def _check_vectors(ctx: Context) -> Iterator[Issue]:
    for check in vector_checks.CHECKS:
        count, reason = check.count(ctx.db)
        if count:
            repair = "" if ctx.read_only else check.texts.repair
            text = check.texts.issue(count, reason)
            yield _issue(check.code, text, "vectors", check.texts.meaning, repair)


def _check_pages(ctx: Context) -> Iterator[Issue]:
    name = ctx.path.name
    if damage := damage_in(ctx.db.connection()):
        yield _issue("damaged", wording.damaged(damage), name, wording.DAMAGED_MEANING, severe=True)
    elif ctx.read_only:
        yield _issue("read-only", ctx.read_only, name, wording.READ_ONLY_MEANING)


def has_moved(ctx: Context) -> bool:
    """Return whether the open file is no longer the one at its path (fault 20)."""
    moved = ctypes.c_int(0)
    known = ctx.db.connection().file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(moved))
    return bool(known and moved.value)


def _check_moved(ctx: Context) -> Iterator[Issue]:
    if has_moved(ctx):
        yield _issue("moved", wording.moved(ctx.path), ctx.path.name, wording.MOVED_MEANING, severe=True)


def _check_orphans(ctx: Context) -> Iterator[Issue]:
    counts: dict[tuple[str, str], int] = {}
    for table, _, parent, _ in ctx.db.connection().execute("PRAGMA foreign_key_check"):
        counts[table, parent] = counts.get((table, parent), 0) + 1
    for (table, parent), count in counts.items():
        deletable = table in DELETABLE
        yield _issue(
            "orphans",
            wording.orphans(count, table, parent),
            f"{table} → {parent}",
            wording.NOTHING_SHOWS_THEM if deletable else wording.HISTORY_GAPS,
            wording.DELETES_THEM if deletable else "",
            table,
            parent,
        )


def _check_words(ctx: Context) -> Iterator[Issue]:
    if not ctx.read_only and _words_are_stale(ctx):
        yield _issue(
            "words", wording.STALE_WORDS, "words", wording.STALE_WORDS_MEANING, wording.REBUILDS_WORDS
        )


def _words_are_stale(ctx: Context) -> bool:
    """Return whether the words index differs from the rows; the check needs the write lock."""
    try:
        with ctx.writing, ctx.db.atomic():
            ctx.db.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    except apsw.CorruptError:
        return True
    return False


def _check_texts(ctx: Context) -> Iterator[Issue]:
    for number, row in enumerate(corrupted_rows(ctx)):
        if number == _MAX_TEXTS:
            yield _issue("text", wording.MORE_CORRUPTED_TEXTS, "memories", severe=True)
            return
        repair = wording.TEXT_FROM_STORE if is_in_store(ctx, row.id) else ""
        if not repair and journaled_text(ctx, row) is not None:
            repair = wording.TEXT_FROM_JOURNAL
        yield _issue(
            "text",
            wording.CORRUPTED_TEXT,
            f"memory {row.uid}",
            wording.CORRUPTED_TEXT_MEANING if repair else wording.NO_OTHER_COPY_MEANING,
            "" if ctx.read_only else repair,
            row.uid,
            severe=True,
        )


def _check_unsettled(ctx: Context) -> Iterator[Issue]:
    rows = ctx.db.rows(
        "SELECT DISTINCT s.name, j.summary, o.lease FROM outbox o JOIN journal_items i ON i.id = o.item_id "
        "JOIN journal j ON j.id = i.journal_id JOIN stores s ON s.id = o.store_id WHERE o.state = 'intended'"
    )
    for name, summary, lease in rows:
        if _is_own(ctx, lease) or not ctx.leases.is_held(lease):
            repair = "" if ctx.read_only else wording.SETTLES
            text = wording.unsettled(summary)
            yield Issue(name, "unsettled", ctx.path.name, text, wording.UNSETTLED_MEANING, repair)


def _is_own(ctx: Context, lease: str) -> bool:
    return lease.startswith(f"{os.getpid()}-") and ctx.leases.is_held(lease)


def _check_leases(ctx: Context) -> Iterator[Issue]:
    folder = ctx.path.with_name(ctx.path.name + ".leases")
    stale = 0
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        # Another memtui that has it open, such as an agent's server, is none: they take turns.
        stale += not ctx.leases.is_held(file.name)
    if stale:
        repair = "" if ctx.read_only else wording.REMOVES_THEM
        text = wording.stale_leases(stale)
        yield _issue("stale-leases", text, folder.name, wording.STALE_LEASES_MEANING, repair)


def _check_backups(ctx: Context) -> Iterator[Issue]:
    folder = backup_files.folder_of(ctx.path)
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        if file.name.startswith("."):
            repair = "" if ctx.read_only else wording.REMOVES_IT
            text = wording.unfinished_backup(file.name.lstrip("."))
            yield _issue("half-backup", text, str(file), wording.UNFINISHED_BACKUP_MEANING, repair)


def _check_permissions(ctx: Context) -> Iterator[Issue]:
    for path, allowed in private_paths(ctx):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & ~allowed & 0o077:
            own = path.stat().st_uid == os.geteuid()
            yield _issue(
                "permissions",
                wording.permissions(mode),
                str(path),
                wording.PERMISSIONS_MEANING,
                wording.makes_private(mode & allowed) if own else "",
                severe=bool(mode & 0o022),
            )


def private_paths(ctx: Context) -> Iterator[tuple[Path, int]]:
    """Yield the paths that must be private, each with the most permissive mode allowed. A folder that memtui
    did not make must only keep others from replacing the file."""
    for suffix in ("", "-wal", "-shm", ".leases", ".backups", ".token"):
        path = ctx.path.with_name(ctx.path.name + suffix)
        if path.exists():
            yield path, 0o700 if path.is_dir() else 0o600
    folder = ctx.path.parent
    if folder.name in (".memtui", "memtui"):
        yield folder, 0o700
    elif not folder.stat().st_mode & stat.S_ISVTX:
        yield folder, 0o755


def _check_environment(ctx: Context) -> Iterator[Issue]:
    yield from low_disk_space(ctx.path, "")
    state = git_state(ctx.path)
    if state == TRACKED:
        yield _issue("git", wording.GIT_TRACKED, str(ctx.path), wording.GIT_TRACKED_MEANING)
    elif state == UNTRACKED:
        yield _issue("git", wording.GIT_UNTRACKED, str(ctx.path), wording.GIT_UNTRACKED_MEANING)


_CHECKS: tuple[tuple[str, Callable[[Context], Iterable[Issue]]], ...] = (
    (wording.CHECK_SQLITE, _check_sqlite),
    (wording.CHECK_VECTOR_SEARCH, _check_vector_search),
    (wording.CHECK_MODEL, _check_model),
    (wording.CHECK_PAGES, _check_pages),
    (wording.CHECK_MOVED, _check_moved),
    (wording.CHECK_ORPHANS, _check_orphans),
    (wording.CHECK_DANGLING, dangling.issues),
    (wording.CHECK_WORDS, _check_words),
    (wording.CHECK_VECTORS, _check_vectors),
    (wording.CHECK_TEXTS, _check_texts),
    (wording.CHECK_UNSETTLED, _check_unsettled),
    (wording.CHECK_LEASES, _check_leases),
    (wording.CHECK_BACKUPS, _check_backups),
    (wording.CHECK_PERMISSIONS, _check_permissions),
    (wording.CHECK_ENVIRONMENT, _check_environment),
)
