"""Incremental reading of a Claude Code memory folder: a unit is a file (S-5)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from operator import itemgetter
from pathlib import Path, PurePosixPath

from memtui.formats.claude_code import document, memory_index, reader
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.contract.incremental import KnownUnits, Snapshot
from memtui.formats.contract.records import Reading, clean
from memtui.formats.media.files.tree import LIMIT, bytes_of, entry_fingerprints, unit_of

SMALL = 100  # files up to which a folder is read whole
_FEW = 50  # changed files that are read one by one


def fingerprints_in(root: Path) -> dict[str, str]:
    """Return the fingerprint of each file of the folder, by name."""
    return entry_fingerprints(reader.walk(root))


class FolderSnapshot(Snapshot):
    """One moment of a folder.

    Titles are in MEMORY.md and links go by names: where one of those may have changed, all files are read."""

    def __init__(self, root: Path, fingerprints: Mapping[str, str], read_all: Callable[[], Reading]) -> None:
        self._root, self._read_all = root, read_all
        self._known: KnownUnits | None = None
        self._names = {unit_of(name): name for name in fingerprints}
        self.fingerprints = {unit_of(name): each for name, each in fingerprints.items()}

    def units_to_read(
        self, changed: Collection[str], removed: Collection[str], known: KnownUnits
    ) -> Collection[str]:
        self._known = known
        if not (changed or removed):
            return ()
        small = len(self.fingerprints) <= SMALL or len(changed) > _FEW
        if (
            small
            or removed
            or INDEX_FILE in changed
            or any(self._affects_links(each, changed) for each in changed)
        ):
            return self.fingerprints.keys()
        return changed

    def _affects_links(self, unit: str, changed: Collection[str]) -> bool:
        """Return whether links of unchanged files may depend on this one: it is new, has another anchor than
        before, or is linked to."""
        assert self._known is not None
        name = self._names[unit]
        data = self._bytes(name)
        if data is None or len(data) > LIMIT:
            return True
        if "\ufffd" in unit:  # two names that are not UTF-8 may look alike
            return True
        note = document.read(data)
        anchor, head_name = note.anchor(name), note.text("name")
        if self._known.anchors_in([unit]) != {anchor}:
            return True
        # The name in its head before the change is unknown, and a link may have gone by that.
        return self._known.is_target([each for each in (head_name, anchor) if each], changed)

    def read(self, units: Collection[str]) -> Iterator[Reading]:
        if len(units) == len(self.fingerprints):
            yield self._read_all()
            return
        out = Reading()
        index = memory_index.read(bytes_of(self._root / INDEX_FILE) or b"")
        notes = {}
        for name in (self._names[unit] for unit in units):
            data = self._bytes(name)
            if data is not None and len(data) <= LIMIT and PurePosixPath(name).name != INDEX_FILE:
                notes[name] = document.read(data)
        for name, note in notes.items():
            out.records.append(reader.record(name, note, index, clean(name)))
        out.links += reader.links(notes, out, self._anchor_lookup(), self._anchor_of)
        yield out

    def _bytes(self, name: str) -> bytes | None:
        """Return the bytes of a file; None if it is a link by now or cannot be read."""
        path = self._root / name
        return None if path.is_symlink() else bytes_of(path)

    def _anchor_lookup(self) -> Callable[[str], str | None]:
        """Return a function from the name in a link to the anchor of the memory.

        Mostly the name is an anchor; the heads of all files are read only where it is not."""
        known = self._known
        assert known is not None
        anchors: dict[str, str] = {}
        stems: dict[str, list[str]] = {}
        for unit, name in self._names.items():
            stems.setdefault(clean(PurePosixPath(name).stem), []).append(unit)

        def anchor_of(name: str) -> str | None:
            if known.units_of([name]) and {name} >= known.anchors_in(stems.get(name, [])):
                return name
            if not anchors:
                anchors.update(reader.anchors_by_name(self._heads()))
            return anchors.get(name) or anchors.get(name.casefold())

        return anchor_of

    def _heads(self) -> Iterator[tuple[str, str, str]]:
        """Yield each memory file with its anchor and the name in its head."""
        for unit, name in sorted(self._names.items(), key=itemgetter(1)):
            anchor = self._anchor_of(unit)
            data = bytes_of(self._root / name) if anchor else None
            if anchor and data is not None:
                yield name, anchor, document.read(data).text("name")

    def _anchor_of(self, unit: str) -> str | None:
        assert self._known is not None
        return next(iter(self._known.anchors_in([unit])), None)
