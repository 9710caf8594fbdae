"""Reading and writing settings files that belong to other programs: atomically, compared just before, and no
copy of them is kept (S-87)."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memtui.errors import Refused
from memtui.formats.insertions import wording
from memtui.formats.insertions.editing import Entries, found, with_entries, without_entries
from memtui.formats.insertions.insertion import Inserted, Written
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.digests import digest, digest_of
from memtui.values import Json

MOST_BYTES = 10 << 20
_TRIES = 5  # where the program that owns the file writes at the same moments
_TOKEN = "connect"  # always the same, so that what a killed process left is found
ADOPTED = Written("", "", Inserted())  # of an entry that was there already: nothing is known


@dataclass(frozen=True, slots=True)
class Edit:
    """The bytes of a file before and after an edit, None for no file, and what is to be kept of it."""

    before: bytes | None
    after: bytes | None
    written: Written | None


def read(path: Path) -> bytes | None:
    """Return the bytes of a settings file, None if there is none.

    Raises Refused for a link, for anything that is no file, for another user's and for a very large one.
    """
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            raise wording.link(str(path))
        if not stat.S_ISREG(status.st_mode):
            raise wording.not_a_file(str(path))
        if status.st_uid != os.geteuid():
            raise wording.another_users(str(path))
        if status.st_size > MOST_BYTES:
            raise wording.too_large(str(path), MOST_BYTES)
        return atomic_write.read(path.parent, path.name)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise wording.unreadable(str(path), error.strerror) from error


def values(path: Path, entries: Entries) -> list[Json]:
    """Return the value of each entry as the file has it, None where it has none; raise Refused as `read`."""
    return found(path, read(path), entries)


def plan(path: Path, old: Entries | None, written: Written | None, new: Entries | None) -> Edit:
    """Return what bringing a file from `old` entries to `new` ones would do; None: no entries.

    `written` is what is known of the old ones. Entries that are there and were not written by this workspace
    are taken over. Raises Refused if an entry of that name is not memtui's, or the file cannot be edited.
    """
    before = after = read(path)
    entries = old or new
    if entries is None:
        return Edit(before, before, None)
    there = found(path, before, entries)
    if before is not None and any(each is not None for each in there):
        if new is not None and old is None and there == [each.value for each in new.insertions]:
            return Edit(before, before, ADOPTED)
        after = without_entries(path, before, entries, written)
    if new is None:
        return Edit(before, after, None)
    base = after
    after, inserted = with_entries(path, base, new)
    folders = tuple(str(each) for each in reversed(path.parents) if not each.exists())
    known = written.folders if written is not None else ()
    return Edit(before, after, Written(digest_of(base), digest(after), inserted, known + folders))


def edit(path: Path, old: Entries | None, written: Written | None, new: Entries | None) -> Written | None:
    """Do what `plan` returns; return what is to be kept of it."""
    try:
        for _ in range(_TRIES):
            planned = plan(path, old, written, new)
            if planned.before == planned.after:
                return planned.written
            try:
                _write(path, planned)
            except Refused as refused:
                if refused.code != "changed":
                    raise
                continue
            if planned.after is None and written is not None:
                _remove_folders(written)
            return planned.written
    except OSError as error:
        raise wording.not_writable(str(path), error.strerror) from error
    raise wording.keeps_changing(str(path))


def _write(path: Path, planned: Edit) -> None:
    if planned.before is not None and not os.access(path, os.W_OK):
        raise wording.read_only(str(path))
    try:
        atomic_write.make_folders(path.parent)
        with atomic_write.lock_folder(path.parent):
            digests = digest_of(planned.before), digest_of(planned.after)
            atomic_write.tidy(path.parent, path.name, _TOKEN, *digests)
            atomic_write.change(path.parent, path.name, planned.before, planned.after, _TOKEN)
    except BaseException:
        if planned.before is None and planned.written is not None:
            _remove_folders(planned.written)
        raise


def _remove_folders(written: Written) -> None:
    """Remove the folders that were made for a file, if nothing else is in them."""
    with suppress(OSError):
        for folder in reversed(written.folders):
            os.rmdir(folder)
