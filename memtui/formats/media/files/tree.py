"""Stores that are a tree of files each of which stands alone (S-5, LIMITS 3).

A format says what one file says (`part`), and what is odd about all of them together (`survey`).
Which files count, reading only those that changed, links, and files that may not be written are here.
"""

from __future__ import annotations

import os
import stat
from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

from memtui.errors import NotSaved
from memtui.formats.contract.adapter import Reading, Record, clean
from memtui.formats.contract.incremental import Known, Look, mark_of, stamp_of
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.store import FileStore, numbered

LIMIT = 1 << 20  # bytes; a longer file is no memory
SMALL = 100  # files up to which a tree is read whole
CLOSED = "closed"  # what a folder is that may not be read
ODD = "odd"  # what is neither a file nor a link: a pipe, a device, a folder that is named like a file
_PAGE = 4096  # bytes
_FEW = 500  # changed files that are read one by one


class TreeStore(FileStore):
    """An adapter over a folder of files. A format adds part, survey, revise, recognise, supports."""

    suffixes: ClassVar[tuple[str, ...]]  # how the names of its files end
    depth: ClassVar[int] = 3  # folders below the root that are read
    wide: ClassVar[frozenset[str]] = frozenset()  # files on which what others say hangs: all is read anew
    _marks: Mapping[str, str] = MappingProxyType({})  # the files as stamp() last saw them

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._held = Held()
        self._said: dict[str, tuple[bytes, Hashable, Reading]] = {}  # and what they say

    def belongs(self, name: str) -> bool:
        """Whether a file of this name, inside the root, is the store's."""
        return True

    @abstractmethod
    def part(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        """What one file says; of the others in `files` only those that depends_on_files() tells may be asked.
        Never raises. Records, links and asides have unit_of(name) as their unit."""

    def depends_on_files(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Hashable:
        """All that part() takes from other files: while it is equal, the file says the same."""
        return tuple(files.get(each) for each in sorted(self.wide))

    def survey(self, files: Mapping[str, bytes], out: Reading) -> None:
        """Note in `out` what is odd about all files together."""

    # -- read

    def load(self) -> tuple[dict[str, bytes], dict[str, int]]:
        return self._load(None)

    def _load(self, only: Collection[str] | None) -> tuple[dict[str, bytes], dict[str, int]]:
        files: dict[str, bytes] = {}
        modes: dict[str, int] = {}
        for name, path, trouble in self.walk():
            if (only is not None and name not in only) or trouble in ("elsewhere", CLOSED, ODD):
                continue
            try:
                status = path.stat()
            except OSError:  # it went meanwhile
                continue
            data = self._held.bytes_of(name, path, status)
            if data is not None:
                files[name], modes[name] = data, stat.S_IMODE(status.st_mode)
        return files, modes

    def walk(self) -> Iterator[tuple[str, os.DirEntry[str], str]]:
        """The store's files: name, entry, and what else it may be (see `walk` below)."""
        for name, entry, trouble in walk(self.root, self.suffixes, self.depth):
            if trouble == CLOSED or self.belongs(name):
                yield name, entry, trouble

    def read(self) -> Reading:
        out = super().read()
        note_oddities(self.walk(), out)
        return out

    def parse(self, files: Mapping[str, bytes]) -> Reading:
        out = self.parts(files, files)
        self.survey(files, out)
        return out

    def parts(self, names: Collection[str], files: Mapping[str, bytes]) -> Reading:
        """What these files say, each memory under a ref of its own."""
        out = Reading()
        seen: Counter[str] = Counter()
        for name in sorted(names):
            data = files[name]
            if harm := damage(data):
                out.odd("read-only", clean(name), f"{clean(name)} {harm}; it is left as it is.")
            if len(data) <= LIMIT:
                told = self._part(name, data, files)
                out.records += [_singly(record, seen, out) for record in told.records]
                out.links += told.links
                out.asides += told.asides
                out.findings += told.findings
        return out

    def _part(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        others = self.depends_on_files(name, data, files)
        known = self._said.get(name)
        if known is None or known[:2] != (data, others):
            known = self._said[name] = data, others, self.part(name, data, files)
        return known[2]

    def stamp(self) -> str:
        self._marks = self._marked()
        return stamp_of(self._marks.items())

    def _marked(self) -> dict[str, str]:
        return marks_of(self.walk())

    @contextmanager
    def look(self) -> Iterator[Look]:
        # As they were before the files are read: what changes meanwhile is another mark next time.
        yield TreeLook(self, self._marks or self._marked())

    # -- write

    def locked(self) -> str:
        if not self.root.is_dir():
            return f"{self.root.name} is no longer there."
        return "" if os.access(self.root, os.W_OK) else f"{self.root.name} may not be written by this user."


class Held:
    """Files that were read, with their marks: one change reads a store several times, and most files once."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[str, bytes]] = {}

    def bytes_of(self, name: str, path: os.DirEntry[str], status: os.stat_result) -> bytes | None:
        """What a file says."""
        mark, known = mark_of(status), self._files.get(name)
        if known is not None and known[0] == mark != "":
            return known[1]
        data = bytes_of(path, status=status)
        if data is not None:
            self._files[name] = mark, data
        return data


class TreeLook(Look):
    """Units are files. A small tree is read whole, and so is one where memories may be called alike."""

    def __init__(self, store: TreeStore, marks: Mapping[str, str]) -> None:
        self._store = store
        self._names = {unit_of(name): name for name in marks}
        self.marks = {unit_of(name): mark for name, mark in marks.items()}

    def scope(self, changed: Collection[str], lost: Collection[str], known: Known) -> Collection[str]:
        if not (changed or lost):
            return ()
        if len(self.marks) <= SMALL or len(changed) > _FEW:
            return self.marks.keys()
        if not self._store.wide.isdisjoint((*changed, *lost)) or known.doubled():
            return self.marks.keys()
        said = self._parts(changed)
        anchors = {record.anchor for record in said.records} | known.anchors_in([*changed, *lost])
        anchors.discard("")
        if known.units_of(anchors) <= {*changed, *lost}:
            return changed
        return self.marks.keys()

    def read(self, units: Collection[str]) -> Iterator[Reading]:
        yield self._store.read() if len(units) == len(self.marks) else self._parts(units)

    def _parts(self, units: Collection[str]) -> Reading:
        names = {self._names[unit] for unit in units if unit in self._names}
        files = self._store._load(names | self._store.wide)[0]
        out = self._store.parts(names & files.keys(), files)
        closed = {name: trouble for name, _, trouble in self._store.walk() if trouble in (CLOSED, ODD)}
        out.unread += [unit_of(name) for name in names - files.keys() if closed.get(name) != ODD]
        out.unread += [clean(name) for name, trouble in closed.items() if trouble == CLOSED]
        return out


def walk(root: Path, suffixes: tuple[str, ...], depth: int) -> Iterator[tuple[str, os.DirEntry[str], str]]:
    """The files below `root` whose names end so, and links: name, entry, and for a link what it leads
    to: "link" a file of the store, "elsewhere" a folder, something outside, or nothing. Hidden ones are
    none. A folder that may not be read is CLOSED, its name with a slash behind it."""
    return _below(_entries(os.fspath(root)), "", os.path.realpath(root), suffixes, depth)


def note_oddities(walked: Iterable[tuple[str, os.DirEntry[str], str]], out: Reading) -> None:
    """Note what cannot be read, or never is written; the rest is read all the same."""
    for name, entry, trouble in walked:
        if trouble == CLOSED:
            words = "The folder may not be read by this user; what it held is shown as last read."
            out.odd("unreadable", clean(name), words)
            out.unread.append(clean(name))
        elif trouble == ODD:
            what = "A folder that is named like a file." if entry.is_dir() else "Neither a file nor a folder."
            out.odd("no-file", clean(name), what)
        elif trouble:
            what = "read-only" if trouble == "link" else "left out"
            out.odd("link", clean(name), f"A link: what it leads to is {what}.")
        elif not os.access(entry, os.R_OK):
            out.odd("unreadable", clean(name), "The file may not be read by this user.")
            out.unread.append(unit_of(name))
        elif clean(name) != name:
            out.odd("odd-name", clean(name), "The file's name is not UTF-8.")


def marks_of(walked: Iterable[tuple[str, os.DirEntry[str], str]]) -> dict[str, str]:
    """Each entry with its mark: that of what a link leads to, its own where that is nothing."""
    marks: dict[str, str] = {}
    for name, entry, trouble in walked:
        if trouble == CLOSED:
            continue
        with suppress(OSError):
            marks[name] = mark_of(entry.stat(follow_symlinks=False))
        if entry.is_symlink():
            with suppress(OSError):
                marks[name] = mark_of(os.stat(entry))
    return marks


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return sorted(found, key=attrgetter("name"))


def _below(
    entries: list[os.DirEntry[str]], prefix: str, home: str, suffixes: tuple[str, ...], depth: int
) -> Iterator[tuple[str, os.DirEntry[str], str]]:
    for each in entries:
        if each.name.startswith("."):
            continue
        name = prefix + each.name
        ours = each.name.endswith(suffixes)
        if each.is_symlink():
            real = os.path.realpath(each)
            if ours and os.path.isfile(real) and real.startswith(home + os.sep):
                yield name, each, "link"
            elif ours or os.path.isdir(real):
                yield name, each, "elsewhere"
        elif ours and each.is_file():
            yield name, each, ""
        elif ours and not (each.is_dir() and prefix.count("/") >= depth):
            yield name, each, ODD
        if each.is_symlink() or not each.is_dir() or prefix.count("/") >= depth:
            continue
        try:
            inside = _entries(each.path) if os.access(each.path, os.R_OK | os.X_OK) else None
        except FileNotFoundError:  # it went meanwhile
            continue
        except OSError:
            inside = None
        if inside is None:
            yield f"{name}/", each, CLOSED
        else:
            yield from _below(inside, f"{name}/", home, suffixes, depth)


def bytes_of(
    path: str | os.PathLike[str], limit: int = LIMIT + 1, status: os.stat_result | None = None
) -> bytes | None:
    """The first bytes of a file, one more than may be; None if it cannot be read, or is no regular file:
    a pipe would keep its reader waiting. `status` is what the system said of it just now."""
    try:
        status = status or os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            return None
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            return _read(fd, status.st_size, limit)
        finally:
            os.close(fd)
    except OSError:
        return None


def _read(fd: int, size: int, limit: int) -> bytes:
    """The first bytes of a file of about this size. No more room is made than they take: that costs most
    where files are small and many."""
    data = b""
    while len(data) < limit:
        more = os.read(fd, min(limit - len(data), max(size + 1 - len(data), _PAGE)))
        if not more:
            break
        data += more
    return data


def is_file(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a file, or a link to one; a link that leads round in a circle is none."""
    return os.path.isfile(entry.path)


def unit_of(name: str) -> str:
    """A file as a unit: its name, or what stands for one that is no text."""
    said = clean(name)
    return name if said == name else f"{said}/{os.fsencode(name).hex()}"


def damage(data: bytes) -> str:
    """Why a file is read-only, in words; empty if it is not."""
    if len(data) > LIMIT:
        return "is larger than 1 MiB"
    try:
        data.decode()
    except UnicodeDecodeError:
        return "is not UTF-8"
    return ""


def may_write(folder: Path, draft: Draft, name: str) -> None:
    """Raise Refused where a file must stay as it is."""
    path = os.path.join(folder, name)
    harm = damage(draft.files[name]) if name in draft.files else ""
    if os.path.islink(path):
        raise NotSaved("link", f"{name} is a link; links inside a store are read-only.")
    if harm:
        raise NotSaved("read-only", f"{name} {harm}, so it is left as it is.")
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise NotSaved("read-only", f"{name} may not be written by this user.")


def _singly(record: Record, seen: Counter[str], out: Reading) -> Record:
    ref = numbered(record.ref, seen)
    if ref == record.ref:
        return record
    out.odd("doubled", record.place, "Another file has the same id; each is shown as a memory of its own.")
    return replace(record, ref=ref)
