"""The folders that files need: made with the first, taken away again where that one is taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path, PurePosixPath

from memtui.errors import Refused
from memtui.formats.contract.adapter import Planned
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import FileEdit


def told(root: Path, plan: Planned, undone: Sequence[FileEdit] = ()) -> Planned:
    """The plan with how many folders come with each new file, and go with each that is taken back;
    `undone` are the edits that it takes back, and those that were before and left a folder to its files."""
    came = {
        folder
        for edit in undone
        if edit.before is None
        for folder in [*PurePosixPath(edit.name).parents][: edit.folders]
    }

    def counted(edit: FileEdit) -> FileEdit:
        if edit.before is None:
            return replace(edit, folders=_missing(root, edit.name))
        if edit.after is not None or not (came or edit.folders):
            return edit
        go = sum(1 for _ in takewhile(came.__contains__, PurePosixPath(edit.name).parents))
        return replace(edit, folders=go)

    edits = tuple(map(counted, plan.edits))
    return plan if edits == plan.edits else replace(plan, edits=edits)


def _missing(root: Path, name: str) -> int:
    above = list((root / name).relative_to(root).parents)[:-1]
    return sum(not (root / each).exists() for each in above)


@contextmanager
def made(root: Path, edits: Sequence[FileEdit]) -> Iterator[None]:
    """Folders for the files that are made, as open as the store's own; gone again where that fails.
    Afterwards those go that came with a file that is taken back."""
    new: list[Path] = []
    try:
        for edit in edits:
            if edit.after is not None and edit.folders:
                new.extend(_make(root, edit.name))
        yield
    except BaseException:
        _take_away(reversed(new))
        raise
    for edit in edits:
        if edit.after is None and edit.folders:
            _take_away([*(root / edit.name).parents][: edit.folders])


def tidy(root: Path, edits: Iterable[FileEdit]) -> None:
    """Remove the folders of files that were never written. Where another memtui is writing, they stay:
    one of them could be its own."""
    unused = [edit for edit in edits if edit.folders and not (root / edit.name).exists()]
    if unused:
        with suppress(Refused), atomic_write.alone(root, patience=0.0):
            for edit in unused:
                _take_away([*(root / edit.name).parents][: edit.folders])


def _make(root: Path, name: str) -> Iterator[Path]:
    """Make the folders of a file; each is given out before anything else can fail."""
    folder = atomic_write.inside(root, name).parent
    wanted = [each for each in (folder, *folder.parents) if each.is_relative_to(root)]
    for each in reversed(wanted):
        try:
            each.mkdir(mode=root.stat().st_mode & 0o777)
        except FileExistsError:
            continue
        yield each
        atomic_write.sync_folder(each.parent)


def _take_away(folders: Iterable[Path]) -> None:
    """Those that nothing came to stand in."""
    for each in folders:
        with suppress(OSError):
            each.rmdir()
            atomic_write.sync_folder(each.parent)
