"""Checks of one attached store: what its reader found, who may use it, and what interrupted writes left
(S-90, S-91)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import apsw

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.checkup import capped
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.records import Reading
from memtui.formats.media.sqlite.connection import opened
from memtui.formats.media.sqlite.store import SqliteStore
from memtui.formats.relation_checks import broken_relations
from memtui.memory.stores import Issue
from memtui.workspace.changes import store_repairs
from memtui.workspace.changes import wording as change_wording
from memtui.workspace.context import Context
from memtui.workspace.db.damage import damage_in
from memtui.workspace.db.models import OutboxEntry
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.maintenance import finding_help, wording
from memtui.workspace.maintenance.environment import TRACKED, git_state, low_disk_space

_PERSONAL = frozenset(
    {"user", "preference", "contact", "identity", "hard_preference", "soft_preference", "health"}
)
_MAX_BYTES = 1 << 26  # of a database whose pages are all checked
_MAX_AGE_FINDINGS = 100
_MAX_TEXT = 800  # characters of a text that quotes a store
_MAX_FILES = 5_000  # of a store's folder that are checked
_SEVERE = frozenset({"missing", "damaged", "unknown-schema"})  # codes of unavailable stores


def examine(ctx: Context, store: StoreRow, disks: set[int]) -> list[Issue]:
    """Return the issues of one store; an error in it is one of them.

    `disks` has the device numbers of the disks checked so far, to which the store's is added.
    """
    name = str(store.name)
    found: list[Issue] = []
    try:
        adapter = ctx.adapter(store)
        assert adapter is not None
        found += _check_path(adapter, name, disks)
        if type(adapter).recognise(adapter.root) is None and not _is_empty(adapter):
            raise _unrecognised(adapter)
        reading = adapter.read()
        broken = list(broken_relations(reading))
        reading.findings += islice(adapter.age_findings(reading, ctx.clock()), _MAX_AGE_FINDINGS)
        reading.findings += broken
        found += _run_checkup(adapter, name, reading, ctx.clock())
        found += _finding_issues(adapter, name, reading)
        found += _check_access(adapter, name, reading)
        found += _check_writable(adapter, name)
        found += _check_stray_files(ctx, adapter, name)
        if isinstance(adapter, SqliteStore):
            found += _check_pages(adapter, name)
    except Refused as refusal:
        meaning = wording.UNAVAILABLE_MEANINGS.get(refusal.code, wording.KEPT)
        severe = refusal.code in _SEVERE
        found.append(Issue(name, refusal.code, str(store.path), refusal.message, meaning, "", severe))
    except Exception as error:
        cause = getattr(error, "orig", error)  # peewee wraps the driver's errors
        reason = cause.strerror if isinstance(cause, OSError) and cause.strerror else repr(cause)
        text = wording.unreadable(reason)
        found.append(Issue(name, "unreadable", str(store.path), text, wording.KEPT))
    return found


def _is_empty(adapter: Adapter) -> bool:
    """Return whether it is a file that was emptied, which still counts as a store of its format."""
    return adapter.root.is_file() and adapter.root.stat().st_size == 0


def _unrecognised(adapter: Adapter) -> Refused:
    """Return why the store at its path is no longer recognised as one of its format."""
    refusal = registry.explain(adapter.root)
    damaged = isinstance(adapter, SqliteStore) and refusal.code == "unknown-file"
    if refusal.code in ("busy", "unreadable"):
        return refusal
    text = wording.other_format(adapter.title, refusal.reason)
    return Refused("damaged" if damaged else "unknown-schema", text)


def _check_path(adapter: Adapter, name: str, disks: set[int]) -> Iterator[Issue]:
    root = adapter.root
    if root.is_symlink() or root.resolve() != root:
        text = wording.symlink(root.resolve())
        yield Issue(name, "symlink", str(root), text, wording.SYMLINK_MEANING)
    if root.stat().st_dev not in disks:
        disks.add(root.stat().st_dev)
        yield from low_disk_space(root, name)


def _run_checkup(adapter: Adapter, name: str, reading: Reading, now: float) -> Iterator[Issue]:
    """Add the findings of the doctor's own checks to the reading; if they fail, the others are kept."""
    try:
        reading.findings += capped(adapter.checkup(reading, now))
    except (apsw.Error, OSError, ValueError) as error:
        yield Issue(name, "unchecked", str(adapter.root), wording.not_all_checked(error))


def _finding_issues(adapter: Adapter, name: str, reading: Reading) -> Iterator[Issue]:
    """Yield an issue for each finding, with what follows from it and its repair."""
    has_misspelt = any(finding.code in store_repairs.LINK_CODES for finding in reading.findings)
    corrections = store_repairs.meant_names(adapter) if has_misspelt else {}
    for finding in reading.findings:
        repair = change_wording.ADDS_LINE if store_repairs.can_add_line(adapter, finding.code) else ""
        text, place = finding.text, finding.place or adapter.root.name
        if correct := corrections.get((finding.code, finding.place, finding.about)):
            repair = change_wording.changes_link(_shorten(finding.about), _shorten(correct))
            text = change_wording.with_suggestion(text, correct)
        yield Issue(
            name,
            finding.code,
            place if repair else _shorten(place),  # a repair needs the exact place
            _shorten(text),
            finding_help.meaning(adapter, finding.code),
            repair,
            finding.code in adapter.severe_findings,
            finding.about if repair else _shorten(finding.about),
        )


def _shorten(text: str) -> str:
    """Cut a long text in the middle, so that its end can be read however long a name in it is."""
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 100]}…{text[-99:]}"


def _check_access(adapter: Adapter, name: str, reading: Reading) -> Iterator[Issue]:
    """Yield who else can read or change the store: other users of the machine or of a repository."""
    root = adapter.root
    personal = sum(record.fields.get("category") in _PERSONAL for record in reading.records)
    readable = [file.name for file in _files(root) if _others_may(file, 0o004)]
    if any(_others_may(file, 0o002) for file in _files(root)):
        meaning = wording.world_writable_meaning(root)
        yield Issue(name, "world-writable", str(root), wording.WORLD_WRITABLE, meaning)
    if readable:
        text, meaning = wording.world_readable(readable), wording.world_readable_meaning(personal, root)
        yield Issue(name, "world-readable", str(root), text, meaning)
    # Git knows files only: a folder is tracked if a file in it is.
    if git_state(next(iter(_files(root)), root)) == TRACKED:
        meaning = wording.store_tracked_meaning(personal)
        yield Issue(name, "git", str(root), wording.STORE_TRACKED, meaning)


def _others_may(path: Path, mode: int) -> bool:
    """Return whether any user can reach a file and use it as `mode` says."""
    if not path.stat(follow_symlinks=False).st_mode & mode:
        return False
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)


def _check_writable(adapter: Adapter, name: str) -> Iterator[Issue]:
    """Yield what keeps memtui from changing the store."""
    for file in _files(adapter.root):
        if file.stat(follow_symlinks=False).st_nlink > 1:
            yield Issue(name, "hard-link", str(file), wording.hard_link(file.name), wording.HARD_LINK_MEANING)
            return
    if reason := adapter.locked_reason():
        yield Issue(name, adapter.lock_code(), str(adapter.root), reason, wording.LOCKED_MEANING)


def _check_pages(adapter: Adapter, name: str) -> Iterator[Issue]:
    """Yield the damage in the pages of a database."""
    if adapter.root.stat().st_size > _MAX_BYTES:
        return
    with opened(adapter.root) as connection:
        damage = damage_in(connection)
    if damage:
        text, meaning = wording.damaged_database(damage), wording.DAMAGED_STORE_MEANING
        yield Issue(name, "damaged", str(adapter.root), text, meaning, "", True)


def _check_stray_files(ctx: Context, adapter: Adapter, name: str) -> Iterator[Issue]:
    for file in stray_files(ctx, adapter):
        is_new = file.name.endswith(".new")
        yield Issue(
            name,
            "stray",
            str(file),
            wording.stray_file(file.name),
            wording.STRAY_NEW_MEANING if is_new else wording.STRAY_OLD_MEANING,
            wording.REMOVES_IT if is_new and not ctx.read_only else "",
        )


def stray_files(ctx: Context, adapter: Adapter) -> Iterator[Path]:
    """Yield the temporary files of interrupted writes, hidden or made visible, except of those that are
    not settled yet."""
    unsettled = OutboxEntry.select(OutboxEntry.token).where(OutboxEntry.state == "intended").distinct()
    tokens = {entry.token for entry in ctx.db.fetch(unsettled)}
    folder = adapter.root if adapter.root.is_dir() else adapter.root.parent
    for file in _entries(folder):
        _, sign, token = file.name.rpartition(".memtui-")
        if not sign:
            continue
        if token.startswith("recovered-"):
            yield file
            continue
        token, _, version = token.rpartition(".")
        if file.name.startswith(".") and version in ("new", "old") and token not in tokens:
            yield file


def _files(root: Path) -> Iterator[Path]:
    """Yield the files of a store."""
    if not root.is_dir():
        yield root
        return
    yield from (file for file in _entries(root) if file.suffix in (".md", ".json", ".jsonl"))


def _entries(folder: Path) -> Iterator[Path]:
    """Yield the first files below a folder; links are not followed."""
    yield from (file for file in islice(_walk(folder), _MAX_FILES) if not file.is_symlink())


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder in an order that does not depend on the disk."""
    for parent, folders, names in os.walk(folder, followlinks=False):
        folders.sort()
        yield from (Path(parent, name) for name in sorted(names))
