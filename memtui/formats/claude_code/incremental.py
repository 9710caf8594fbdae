"""Looking again at a Claude Code memory folder: a unit is a file (S-5)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from operator import itemgetter
from pathlib import Path, PurePosixPath

from memtui.formats.claude_code import document, memory_index, reader
from memtui.formats.claude_code.memory_index import NAME
from memtui.formats.contract.adapter import Reading, clean
from memtui.formats.contract.incremental import Known, Look
from memtui.formats.media.files.tree import LIMIT, bytes_of, marks_of, unit_of

SMALL = 100  # files up to which a folder is read whole
_FEW = 50  # changed files that are read one by one


def marks_in(root: Path) -> dict[str, str]:
    """Each file of the folder with its mark."""
    return marks_of(reader.walk(root))


class FolderLook(Look):
    """Titles stand in MEMORY.md and links go by names: where those may have changed, all is read."""

    def __init__(self, root: Path, marks: Mapping[str, str], whole: Callable[[], Reading]) -> None:
        self._root, self._whole = root, whole
        self._known: Known | None = None
        self._names = {unit_of(name): name for name in marks}
        self.marks = {unit_of(name): mark for name, mark in marks.items()}

    def scope(self, changed: Collection[str], lost: Collection[str], known: Known) -> Collection[str]:
        self._known = known
        if not (changed or lost):
            return ()
        small = len(self.marks) <= SMALL or len(changed) > _FEW
        if small or lost or NAME in changed or any(self._is_called_anew(unit, changed) for unit in changed):
            return self.marks.keys()
        return changed

    def _is_called_anew(self, unit: str, changed: Collection[str]) -> bool:
        """Whether other files may hang on what this one is: it is new, or called otherwise than
        before, and they link to it by that."""
        assert self._known is not None
        name = self._names[unit]
        data = self._bytes(name)
        if data is None or len(data) > LIMIT:
            return True
        if "\ufffd" in unit:  # several names that are no text may be shown alike
            return True
        found = document.read(data)
        anchor, said = found.anchor(name), found.says("name")
        if self._known.anchors_in([unit]) != {anchor}:
            return True
        # What its head called it before is not known: a link may have gone, or go now, by that.
        return self._known.is_target([name for name in (said, anchor) if name], changed)

    def read(self, units: Collection[str]) -> Iterator[Reading]:
        if len(units) == len(self.marks):
            yield self._whole()
            return
        out = Reading()
        lines = memory_index.read(bytes_of(self._root / NAME) or b"")
        notes = {}
        for name in (self._names[unit] for unit in units):
            data = self._bytes(name)
            if data is not None and len(data) <= LIMIT and PurePosixPath(name).name != NAME:
                notes[name] = document.read(data)
        for name, found in notes.items():
            out.records.append(reader.record(name, found, lines, clean(name)))
        out.links += reader.links(notes, out, self._called(), self._anchor_of)
        yield out

    def _bytes(self, name: str) -> bytes | None:
        """What a file holds; None where it is none of the store's, or a link by now."""
        path = self._root / name
        return None if path.is_symlink() else bytes_of(path)

    def _called(self) -> Callable[[str], str | None]:
        """The anchor of a memory by what a link calls it: mostly that is its anchor; else all heads
        are asked."""
        known = self._known
        assert known is not None
        names: dict[str, str] = {}
        stems: dict[str, list[str]] = {}
        for unit, name in self._names.items():
            stems.setdefault(clean(PurePosixPath(name).stem), []).append(unit)

        def anchor(said: str) -> str | None:
            if known.units_of([said]) and {said} >= known.anchors_in(stems.get(said, [])):
                return said
            if not names:
                names.update(reader.calls(self._heads()))
            return names.get(said) or names.get(said.casefold())

        return anchor

    def _heads(self) -> Iterator[tuple[str, str, str]]:
        for unit, name in sorted(self._names.items(), key=itemgetter(1)):
            anchor = self._anchor_of(unit)
            data = bytes_of(self._root / name) if anchor else None
            if anchor and data is not None:
                yield name, anchor, document.read(data).says("name")

    def _anchor_of(self, unit: str) -> str | None:
        assert self._known is not None
        return next(iter(self._known.anchors_in([unit])), None)
