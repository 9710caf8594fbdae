"""The folders that files need: created with the first file, removed when that file's creation is undone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path, PurePosixPath

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.hunks import FileEdit


def with_folder_counts(root: Path, plan: Plan, reverted: Sequence[FileEdit] = ()) -> Plan:
    """Return the plan with the number of folders that are created with each new file, and removed with each
    removed one. `reverted` are the edits that the plan undoes, and earlier ones that left a folder to their
    files."""
    created = {
        folder
        for edit in reverted
        if edit.before is None
        for folder in [*PurePosixPath(edit.name).parents][: edit.folder_count]
    }

    def counted(edit: FileEdit) -> FileEdit:
        if edit.before is None:
            return replace(edit, folder_count=_missing_folders(root, edit.name))
        if edit.after is not None or not (created or edit.folder_count):
            return edit
        removed = sum(1 for _ in takewhile(created.__contains__, PurePosixPath(edit.name).parents))
        return replace(edit, folder_count=removed)

    edits = tuple(map(counted, plan.edits))
    return plan if edits == plan.edits else replace(plan, edits=edits)


def _missing_folders(root: Path, name: str) -> int:
    above = list((root / name).relative_to(root).parents)[:-1]
    return sum(not (root / each).exists() for each in above)


@contextmanager
def prepared(root: Path, edits: Sequence[FileEdit]) -> Iterator[None]:
    """Create the folders of new files, with the mode of the store's own; remove them again if the body fails.
    Afterwards, remove those that were created with a file that is removed."""
    new: list[Path] = []
    try:
        for edit in edits:
            if edit.after is not None and edit.folder_count:
                new.extend(_create(root, edit.name))
        yield
    except BaseException:
        _remove_empty(reversed(new))
        raise
    for edit in edits:
        if edit.after is None and edit.folder_count:
            _remove_empty([*(root / edit.name).parents][: edit.folder_count])


def tidy(root: Path, edits: Iterable[FileEdit]) -> None:
    """Remove the folders of files that were never written. While another memtui is writing, they stay: one of
    them could be its own."""
    unused = [edit for edit in edits if edit.folder_count and not (root / edit.name).exists()]
    if unused:
        with suppress(Refused), atomic_write.lock_folder(root, patience=0.0):
            for edit in unused:
                _remove_empty([*(root / edit.name).parents][: edit.folder_count])


def _create(root: Path, name: str) -> Iterator[Path]:
    """Create the missing folders of a file; each is yielded before anything else can fail."""
    folder = atomic_write.path_inside(root, name).parent
    wanted = [each for each in (folder, *folder.parents) if each.is_relative_to(root)]
    for each in reversed(wanted):
        try:
            each.mkdir(mode=root.stat().st_mode & 0o777)
        except FileExistsError:
            continue
        yield each
        atomic_write.sync_folder(each.parent)


def _remove_empty(folders: Iterable[Path]) -> None:
    """Remove these folders as far as they are empty."""
    for each in folders:
        with suppress(OSError):
            each.rmdir()
            atomic_write.sync_folder(each.parent)
