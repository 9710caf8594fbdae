"""The workspace's own health: its file, rows, index, journal and place (S-64, S-90; LIMITS 4)."""

from __future__ import annotations

import ctypes
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import apsw

from memtui.errors import Refused
from memtui.memory.stores import Issue
from memtui.text import counted, plural
from memtui.workspace.context import Context
from memtui.workspace.db import backup_files
from memtui.workspace.db.database import damage_in
from memtui.workspace.maintenance import vector_checks
from memtui.workspace.maintenance.text_integrity import comes_back, flipped, former_text
from memtui.workspace.relations import dangling

SAFE = (3, 51, 3)  # the first SQLite that loses no acknowledged write in WAL mode
_SHOWN = 100  # rows of one kind that are told one by one
_LITTLE = 100 << 20  # bytes
_GIT_SECONDS = 2
_SALVAGE = "memtui doctor --salvage NEW saves what can be read into a new workspace."
# What hangs in the air may go where it says nothing by itself; the journal is append-only.
MAY_GO = ("bodies", "item_states", "relations", "units")


def examine(ctx: Context) -> list[Issue]:
    """Everything about the workspace itself; a check that fails is told and hides no other."""
    found: list[Issue] = []
    for check in _CHECKS:
        try:
            found += check(ctx)
        except (apsw.Error, Refused, OSError, UnicodeDecodeError) as trouble:
            what = (check.__doc__ or "").partition(";")[0].rstrip(".")
            found.append(_own("unchecked", f"Not checked: {what} ({trouble}).", ctx.path.name))
    # What a broken page makes uncheckable is said by the broken page.
    if any(each.code == "damaged" for each in found):
        found = [each for each in found if each.code != "unchecked"]
    return found


def _own(
    code: str, words: str, place: str, meaning: str = "", mend: str = "", *names: str, grave: bool = False
) -> Issue:
    return Issue("", code, place, words, meaning, mend, grave, names=names)


# -- the checks


def linked() -> str:
    """The version of SQLite that this process works with."""
    return str(apsw.sqlite_lib_version())


def _sqlite(ctx: Context) -> Iterator[Issue]:
    """The SQLite library."""
    if tuple(map(int, linked().split("."))) < SAFE:
        yield _own(
            "sqlite",
            f"SQLite {linked()} is linked; 3.51.3 is the first that is safe.",
            "SQLite",
            "With two programs at work, a change that was acknowledged can be lost. Install memtui again "
            "with a newer apsw.",
            grave=True,
        )


def _vectors(ctx: Context) -> Iterator[Issue]:
    """What searching by meaning needs."""
    ctx.db.connection()
    if ctx.db.no_meaning:
        yield _own(
            "no-meaning",
            f"sqlite-vec cannot be loaded: {ctx.db.no_meaning}.",
            "sqlite-vec",
            "Nothing is found by its meaning; words and everything else work. Install memtui again.",
        )


def _model(ctx: Context) -> Iterator[Issue]:
    """The model that knows what texts mean."""
    ctx.meaning.look(ctx)
    if ctx.meaning.phase == "failed" and not ctx.db.no_meaning:
        yield _own(
            "no-model",
            ctx.meaning.why,
            "model",
            f"Nothing is found by its meaning; words and everything else work. {ctx.meaning.hint}".strip(),
        )


def _embedded(ctx: Context) -> Iterator[Issue]:
    """The vectors, and what waits for one."""
    for kind in vector_checks.KINDS:
        count, more = kind.count(ctx.db)
        if count:
            words = kind.one if count == 1 else kind.many.format(count)
            yield _own(
                kind.code, f"{words}{more}.", "vectors", kind.meaning, "" if ctx.read_only else kind.mend
            )


def _readable(ctx: Context) -> Iterator[Issue]:
    """The pages of the file, and whether it may be written."""
    connection = ctx.db.connection()
    damage = damage_in(connection)
    if damage:
        yield _own(
            "damaged",
            f"The workspace's file is damaged: {damage}.",
            ctx.path.name,
            f"Some memories or journal lines cannot be read; the stores are not touched by it. {_SALVAGE}",
            grave=True,
        )
    elif ctx.read_only:
        yield _own("read-only", ctx.read_only, ctx.path.name, "memtui shows everything and changes nothing.")


def has_moved(ctx: Context) -> bool:
    """Whether the file that is open is no longer the one at its path (fault 20)."""
    moved = ctypes.c_int(0)
    known = ctx.db.connection().file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(moved))
    return bool(known and moved.value)


def _moved(ctx: Context) -> Iterator[Issue]:
    """Whether the file still stands at its path."""
    if has_moved(ctx):
        yield _own(
            "moved",
            f"{ctx.path} was deleted or replaced while it is open.",
            ctx.path.name,
            "What is changed now goes into a file that nobody will find again. Close memtui, put the file "
            "back, then open it anew.",
            grave=True,
        )


def _tied(ctx: Context) -> Iterator[Issue]:
    """Rows without what they belong to."""
    counts: dict[tuple[str, str], int] = {}
    for table, _, parent, _ in ctx.db.connection().execute("PRAGMA foreign_key_check"):
        counts[table, parent] = counts.get((table, parent), 0) + 1
    for (table, parent), count in counts.items():
        goes = table in MAY_GO
        yield _own(
            "orphans",
            f"{counted(count, 'row')} of {table} {plural(count, 'belongs', 'belong')} to no row of {parent}.",
            f"{table} → {parent}",
            "Nothing shows them."
            if goes
            else "The history of some memories has gaps; nothing else is harmed.",
            "deletes them" if goes else "",
            table,
            parent,
        )


def _words(ctx: Context) -> Iterator[Issue]:
    """The words index."""
    if ctx.read_only or not _out_of_step(ctx):
        return
    yield _own(
        "words",
        "The words index is out of step with the memories.",
        "words",
        "A search may miss memories, or find some by words that they no longer hold; no memory is harmed.",
        "makes it anew from the memories",
    )


def _out_of_step(ctx: Context) -> bool:
    """Whether the index says something else than the rows; to be asked, it needs the write lock."""
    try:
        with ctx.writing, ctx.db.atomic():
            ctx.db.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    except apsw.CorruptError:
        return True
    return False


def _texts(ctx: Context) -> Iterator[Issue]:
    """The mark of each row's texts."""
    for number, (id, uid, whole) in enumerate(flipped(ctx)):
        if number == _SHOWN:
            yield _own("text", "There are more such rows.", "memories", grave=True)
            return
        mend = "lets the next pull take its text anew from its store" if comes_back(ctx, id) else ""
        if not mend and former_text(ctx, id, whole) is not None:
            mend = "gives it back the text that the journal holds"
        yield _own(
            "text",
            "Its text is not what was written: a byte was changed on the disk.",
            f"memory {uid}",
            "What you read may be wrong."
            if mend
            else "What you read may be wrong, and no other copy is known: read it, correct it and save it.",
            "" if ctx.read_only else mend,
            uid,
            grave=True,
        )


def _unsettled(ctx: Context) -> Iterator[Issue]:
    """Changes that were cut off."""
    rows = ctx.db.rows(
        "SELECT DISTINCT s.name, j.summary, o.lease FROM outbox o JOIN journal_items i ON i.id = o.item_id "
        "JOIN journal j ON j.id = i.journal_id JOIN stores s ON s.id = o.store_id WHERE o.state = 'intended'"
    )
    for name, summary, lease in rows:
        if _is_mine(ctx, lease) or not ctx.leases.is_held(lease):
            yield Issue(
                name,
                "unsettled",
                ctx.path.name,
                f"A change was cut off and is not settled: {summary}.",
                "memtui takes nothing in from this store until it knows whether the change was written.",
                "" if ctx.read_only else "asks the store, then finishes the change or reports it as not done",
            )


def _is_mine(ctx: Context, lease: str) -> bool:
    return lease.startswith(f"{os.getpid()}-") and ctx.leases.is_held(lease)


def _leases(ctx: Context) -> Iterator[Issue]:
    """Which other processes write here, and what dead ones left."""
    folder = ctx.path.with_name(ctx.path.name + ".leases")
    stale = 0
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        if _is_mine(ctx, file.name):
            continue
        if ctx.leases.is_held(file.name):
            process = file.name.partition("-")[0]
            yield _own("in-use", f"Process {process} changes this workspace, too.", folder.name)
        else:
            stale += 1
    if stale:
        yield _own(
            "stale-leases",
            f"{counted(stale, 'lock file')} of ended processes {plural(stale, 'lies', 'lie')} about.",
            folder.name,
            "A memtui was ended in the middle; what it was doing is settled at each start.",
            "" if ctx.read_only else "removes them",
        )


def _half_made(ctx: Context) -> Iterator[Issue]:
    """Backups that were cut off."""
    folder = backup_files.folder_of(ctx.path)
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        if file.name.startswith("."):
            yield _own(
                "half-backup",
                f"{file.name.lstrip('.')} was being made when memtui was ended.",
                str(file),
                "It is no backup; the finished ones are whole.",
                "" if ctx.read_only else "removes it",
            )


def _private(ctx: Context) -> Iterator[Issue]:
    """Who may read the file and its folder."""
    for path, wanted in private_places(ctx):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & ~wanted & 0o077:
            mine = path.stat().st_uid == os.geteuid()
            yield _own(
                "permissions",
                f"Others may use it (mode {mode:o}).",
                str(path),
                "It holds the text of all your memories.",
                f"makes it private (mode {mode & wanted:o})" if mine else "",
                grave=bool(mode & 0o022),
            )


def private_places(ctx: Context) -> Iterator[tuple[Path, int]]:
    """What must be private, and the most that its mode may be: a folder that is not memtui's own only
    must not let others swap the file."""
    for end in ("", "-wal", "-shm", ".leases", ".backups"):
        path = ctx.path.with_name(ctx.path.name + end)
        if path.exists():
            yield path, 0o700 if path.is_dir() else 0o600
    folder = ctx.path.parent
    if folder.name in (".memtui", "memtui"):
        yield folder, 0o700
    elif not folder.stat().st_mode & stat.S_ISVTX:
        yield folder, 0o755


def _place(ctx: Context) -> Iterator[Issue]:
    """The disk and the repository in which the file lies."""
    yield from short_of_space(ctx.path, "")
    if in_git(ctx.path) == "tracked":
        yield _own(
            "git",
            "Git tracks the workspace.",
            str(ctx.path),
            "Whoever gets the repository gets the text of all your memories. Take it out: git rm --cached.",
        )
    elif in_git(ctx.path) == "untracked":
        yield _own(
            "git",
            "The workspace lies in a Git repository that does not ignore it.",
            str(ctx.path),
            "A git add of everything would put all your memories into the repository; add it to .gitignore.",
        )


def short_of_space(path: Path, store: str) -> Iterator[Issue]:
    """Less than 1 % or 100 MB free where `path` lies."""
    usage = shutil.disk_usage(path if path.is_dir() else path.parent)
    if usage.free < max(_LITTLE, usage.total // 100):
        yield Issue(
            store,
            "disk",
            str(path.parent),
            f"Only {usage.free >> 20:,} MB are free on its disk.",
            "A change may be refused for want of space; what is there is safe.",
        )


def in_git(path: Path) -> str:
    """tracked, untracked, or "" outside of repositories, where it is ignored, and where git does not say."""
    folder = path if path.is_dir() else path.parent
    if not any((each / ".git").exists() for each in (folder, *folder.parents)):
        return ""
    if _git(folder, "ls-files", "--error-unmatch", "--", str(path)) == 0:
        return "tracked"
    return "untracked" if _git(folder, "check-ignore", "-q", "--", str(path)) == 1 else ""


def _git(folder: Path, *words: str) -> int | None:
    """How git answers; None if it does not. Nothing that the repository's own settings name is run."""
    careful = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks")
    try:
        done = subprocess.run(
            ["git", *careful, "-C", str(folder), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.returncode


_CHECKS = (
    _sqlite,
    _vectors,
    _model,
    _readable,
    _moved,
    _tied,
    dangling.look,
    _words,
    _embedded,
    _texts,
    _unsettled,
    _leases,
    _half_made,
    _private,
    _place,
)
