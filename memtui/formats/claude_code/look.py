"""Looking again at a Claude Code memory folder: a unit is a file (S-5)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath

from memtui.formats.base import Reading, clean
from memtui.formats.claude_code import index, note, reading
from memtui.formats.claude_code.index import NAME
from memtui.formats.look import Known, Look, mark_of

SMALL = 300  # files up to which a folder is read whole
_FEW = 50  # changed files that are read one by one


def marks_in(root: Path) -> dict[str, str]:
    """Each file of the folder with its mark; a link's is that of what it leads to."""
    marks: dict[str, str] = {}
    for name, entry, trouble in reading.walk(root):
        try:
            marks[name] = mark_of(os.stat(entry) if trouble else entry.stat(follow_symlinks=False))
        except FileNotFoundError:  # it went meanwhile, or is a link that leads nowhere
            continue
    return marks


class FolderLook(Look):
    """Titles stand in MEMORY.md and links go by names: where those may have changed, all is read."""

    def __init__(self, root: Path, marks: Mapping[str, str], whole: Callable[[], Reading]) -> None:
        self._root, self._whole = root, whole
        self._known: Known | None = None
        self.marks = marks

    def scope(self, changed: Collection[str], lost: Collection[str], known: Known) -> Collection[str]:
        self._known = known
        if not (changed or lost):
            return ()
        small = len(self.marks) <= SMALL or len(changed) > _FEW
        if small or lost or NAME in changed or any(not known.anchors_in([name]) for name in changed):
            return self.marks.keys()
        return changed

    def read(self, units: Collection[str]) -> Iterator[Reading]:
        if len(units) == len(self.marks):
            yield self._whole()
            return
        out = Reading()
        lines = index.read(reading.bytes_of(self._root / NAME) or b"")
        notes = {}
        for name in units:
            data = reading.bytes_of(self._root / name)
            if data is not None and len(data) <= note.LIMIT and PurePosixPath(name).name != NAME:
                notes[name] = note.read(data)
        for name, found in notes.items():
            out.records.append(reading.record(name, found, lines, clean(name)))
        out.links += reading.links(notes, out, self._elsewhere())
        yield out

    def _elsewhere(self) -> Callable[[str], str | None]:
        """What a file that was not read now is called, by its name or by its file's."""
        known = self._known
        assert known is not None
        files: dict[str, str] = {}

        def anchor(said: str) -> str | None:
            if known.units_of([said]):
                return said
            if not files:
                for name in self.marks:
                    stem = PurePosixPath(name).stem
                    files.setdefault(name, name)
                    files.setdefault(stem, name)
                    files.setdefault(stem.casefold(), name)
            file = files.get(said) or files.get(said.casefold())
            return next(iter(known.anchors_in([file])), None) if file is not None else None

        return anchor
