"""Stores that are a tree of files, each of which can be read alone (S-5, LIMITS 3).

A format defines what one file contains (`parse_file`) and which findings concern all files together
(`survey`). Which files count, reading only those that changed, links, and read-only files are here.
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

from memtui.formats.contract.incremental import KnownUnits, Snapshot, combine_fingerprints, file_fingerprint
from memtui.formats.contract.records import Reading, Record, clean, numbered
from memtui.formats.media.files import wording
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.store import FileStore

LIMIT = 1 << 20  # bytes; a longer file is not read as a memory
TOO_LARGE = "too-large"  # the code of the finding about it
SMALL = 100  # files up to which a tree is read whole

# What `walk` yields besides regular files.
LINK = "link"  # to a file of the store
ELSEWHERE = "elsewhere"  # a link to a folder, to something outside of the store, or to nothing
UNREADABLE = "closed"  # a folder that may not be read; its name ends with a slash
NOT_A_FILE = "odd"  # neither a file nor a link: a pipe, a device, a folder that is named like a file

_PAGE = 4096  # bytes
_FEW = 500  # changed files up to which they are read one by one
_VERSIONS = 3  # of a file that stay parsed: before a change, after it, and one that was tried between

Entry = tuple[str, os.DirEntry[str], str]  # name, entry, and "" or one of the kinds above
Entries = Iterator[Entry]


class TreeStore(FileStore):
    """An adapter over a folder of files. A format adds parse_file, survey, revise, recognise, support_for."""

    suffixes: ClassVar[tuple[str, ...]]  # of the names of its files
    depth: ClassVar[int] = 3  # folders below the root that are read
    # Files that others depend on: if one changes, all are read.
    shared_files: ClassVar[frozenset[str]] = frozenset()
    _fingerprints: Mapping[str, str] = MappingProxyType({})  # of the files at the last fingerprint()

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._file_cache = FileCache()
        # By file, the versions parsed last: bytes, what they depend on, content.
        self._parsed_files: dict[str, list[tuple[bytes, Hashable, Reading]]] = {}

    def belongs(self, name: str) -> bool:
        """Return whether a file of this name, inside the root, belongs to the store."""
        return True

    @abstractmethod
    def parse_file(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        """Return the content of one file. Never raises.

        May read those of the others in `files` that `depends_on_files` returns. Records, links and side
        records have unit_of(name) as their unit.
        """

    def depends_on_files(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Hashable:
        """Return all that `parse_file` takes from other files: while it is equal, so is the result."""
        return tuple(files.get(each) for each in sorted(self.shared_files))

    def survey(self, files: Mapping[str, bytes], out: Reading) -> None:
        """Add the findings about all files together to `out`."""

    # -- read

    def load(self) -> tuple[dict[str, bytes], dict[str, int]]:
        return self._load(None)

    def _load(
        self, only: Collection[str] | None, entries: Iterable[Entry] | None = None
    ) -> tuple[dict[str, bytes], dict[str, int]]:
        files: dict[str, bytes] = {}
        modes: dict[str, int] = {}
        for name, path, kind in self.walk() if entries is None else entries:
            if (only is not None and name not in only) or kind in (ELSEWHERE, UNREADABLE, NOT_A_FILE):
                continue
            try:
                status = path.stat()
            except OSError:  # it was removed meanwhile
                continue
            data = self._file_cache.bytes_of(name, path, status)
            if data is not None:
                files[name], modes[name] = data, stat.S_IMODE(status.st_mode)
        return files, modes

    def walk(self) -> Entries:
        """Yield the store's files."""
        for name, entry, kind in walk(self.root, self.suffixes, self.depth):
            if kind == UNREADABLE or self.belongs(name):
                yield name, entry, kind

    def read(self) -> Reading:
        out = super().read()
        add_entry_findings(self.walk(), out)
        return out

    def parse(self, files: Mapping[str, bytes]) -> Reading:
        out = self.parse_files(files, files)
        self.survey(files, out)
        return out

    def parse_files(self, names: Collection[str], files: Mapping[str, bytes]) -> Reading:
        """Return the content of these files, each memory under a distinct ref."""
        out = Reading()
        seen: Counter[str] = Counter()
        for name in sorted(names):
            data = files[name]
            if len(data) > LIMIT:
                add_too_large(name, out)
            elif reason := damage(data):
                text = wording.READ_ONLY_FILE.format(name=clean(name), reason=reason)
                out.add_finding("read-only", clean(name), text)
            if len(data) <= LIMIT:
                content = self._parse_file(name, data, files)
                out.records += [_with_distinct_ref(record, seen, out) for record in content.records]
                out.links += content.links
                out.side_records += content.side_records
                out.findings += content.findings
        return out

    def _parse_file(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        others = self.depends_on_files(name, data, files)
        versions = self._parsed_files.get(name, [])
        for known, dependencies, reading in versions:
            if known == data and dependencies == others:
                return reading
        reading = self.parse_file(name, data, files)
        self._parsed_files[name] = [(data, others, reading), *versions[: _VERSIONS - 1]]
        return reading

    def fingerprint(self) -> str:
        self._fingerprints = self._read_fingerprints()
        return combine_fingerprints(self._fingerprints.items())

    def _read_fingerprints(self) -> dict[str, str]:
        return entry_fingerprints(self.walk())

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        # Taken before the files are read: what changes meanwhile has another fingerprint next time.
        yield TreeSnapshot(self, self._fingerprints or self._read_fingerprints())

    # -- write

    def locked_reason(self) -> str:
        if not self.root.is_dir():
            return wording.STORE_GONE.format(store=self.root.name)
        if not os.access(self.root, os.W_OK):
            return wording.STORE_NOT_WRITABLE.format(store=self.root.name)
        return ""


class FileCache:
    """Files that were read, with their fingerprints: one change loads a store several times, but reads most
    of its files once."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[str, bytes]] = {}

    def bytes_of(self, name: str, path: os.DirEntry[str], status: os.stat_result) -> bytes | None:
        """Return the bytes of a file with this status; None if it cannot be read."""
        fingerprint, known = file_fingerprint(status), self._files.get(name)
        if known is not None and known[0] == fingerprint != "":
            return known[1]
        data = bytes_of(path, status=status)
        if data is not None:
            self._files[name] = fingerprint, data
        return data


class TreeSnapshot(Snapshot):
    """A snapshot whose units are files. A small tree is read whole, and so is one whose memories may have
    equal refs."""

    def __init__(self, store: TreeStore, fingerprints: Mapping[str, str]) -> None:
        self._store = store
        self._names = {unit_of(name): name for name in fingerprints}
        self.fingerprints = {unit_of(name): each for name, each in fingerprints.items()}
        self._found: tuple[Collection[str], Reading] = ((), Reading())  # units that were read to choose them

    def units_to_read(
        self, changed: Collection[str], removed: Collection[str], known: KnownUnits
    ) -> Collection[str]:
        if not (changed or removed):
            return ()
        if len(self.fingerprints) <= SMALL or len(changed) > _FEW:
            return self.fingerprints.keys()
        if not self._store.shared_files.isdisjoint((*changed, *removed)) or known.duplicate_anchors():
            return self.fingerprints.keys()
        found = self._read(changed)
        self._found = changed, found
        if any(each.code == TOO_LARGE for each in found.findings):  # findings are of a whole reading
            return self.fingerprints.keys()
        anchors = {record.anchor for record in found.records} | known.anchors_in([*changed, *removed])
        anchors.discard("")
        if known.units_of(anchors) <= {*changed, *removed}:
            return changed
        return self.fingerprints.keys()

    def read(self, units: Collection[str]) -> Iterator[Reading]:
        if len(units) == len(self.fingerprints):
            yield self._store.read()
        else:
            yield self._found[1] if units == self._found[0] else self._read(units)

    def _read(self, units: Collection[str]) -> Reading:
        names = {self._names[unit] for unit in units if unit in self._names}
        entries = list(self._store.walk())  # once: a folder of thousands of files takes longest
        files = self._store._load(names | self._store.shared_files, entries)[0]
        out = self._store.parse_files(names & files.keys(), files)
        kinds = {name: kind for name, _, kind in entries if kind in (UNREADABLE, NOT_A_FILE)}
        out.unread += [unit_of(name) for name in names - files.keys() if kinds.get(name) != NOT_A_FILE]
        out.unread += [clean(name) for name, kind in kinds.items() if kind == UNREADABLE]
        return out


def walk(root: Path, suffixes: tuple[str, ...], depth: int) -> Entries:
    """Yield the files below `root` whose names have one of these suffixes, links, and folders that may not be
    read. Hidden files and folders are skipped."""
    return _below(_entries(os.fspath(root)), "", os.path.realpath(root), suffixes, depth)


def add_entry_findings(entries: Iterable[tuple[str, os.DirEntry[str], str]], out: Reading) -> None:
    """Add findings about what cannot be read, or is never written; the rest is read nevertheless."""
    for name, entry, kind in entries:
        place = clean(name)
        if kind == UNREADABLE:
            out.add_finding("unreadable", place, wording.FOLDER_UNREADABLE)
            out.unread.append(place)
        elif kind == NOT_A_FILE:
            text = wording.FOLDER_NAMED_LIKE_FILE if entry.is_dir() else wording.NOT_A_FILE
            out.add_finding("no-file", place, text)
        elif kind:
            text = wording.LINK_TO_FILE if kind == LINK else wording.LINK_ELSEWHERE
            out.add_finding("link", place, text)
        elif not os.access(entry, os.R_OK):
            out.add_finding("unreadable", place, wording.FILE_UNREADABLE)
            out.unread.append(unit_of(name))
        elif place != name:
            out.add_finding("odd-name", place, wording.NAME_NOT_UTF8)


def add_too_large(name: str, out: Reading) -> None:
    """Add the finding about a file that is too large; what was read of it before stays as it was."""
    out.add_finding(TOO_LARGE, clean(name), wording.NOT_READ.format(name=clean(name)))
    out.unread.append(unit_of(name))


def entry_fingerprints(entries: Iterable[tuple[str, os.DirEntry[str], str]]) -> dict[str, str]:
    """Return the fingerprint of each entry: of a link's target, or of the link itself if that is missing."""
    fingerprints: dict[str, str] = {}
    for name, entry, kind in entries:
        if kind == UNREADABLE:
            continue
        try:  # of thousands of files: entering `suppress` would cost as much again
            fingerprints[name] = file_fingerprint(entry.stat(follow_symlinks=False))
        except OSError:
            continue
        if entry.is_symlink():
            with suppress(OSError):
                fingerprints[name] = file_fingerprint(os.stat(entry))
    return fingerprints


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return sorted(found, key=attrgetter("name"))


def _below(
    entries: list[os.DirEntry[str]], prefix: str, root: str, suffixes: tuple[str, ...], depth: int
) -> Entries:
    for each in entries:
        if each.name.startswith("."):
            continue
        name = prefix + each.name
        named = each.name.endswith(suffixes)
        if each.is_symlink():
            real = os.path.realpath(each)
            if named and os.path.isfile(real) and real.startswith(root + os.sep):
                yield name, each, LINK
            elif named or os.path.isdir(real):
                yield name, each, ELSEWHERE
        elif named and each.is_file():
            yield name, each, ""
        elif named and not (each.is_dir() and prefix.count("/") >= depth):
            yield name, each, NOT_A_FILE
        if each.is_symlink() or not each.is_dir() or prefix.count("/") >= depth:
            continue
        try:
            inside = _entries(each.path) if os.access(each.path, os.R_OK | os.X_OK) else None
        except FileNotFoundError:  # it was removed meanwhile
            continue
        except OSError:
            inside = None
        if inside is None:
            yield f"{name}/", each, UNREADABLE
        else:
            yield from _below(inside, f"{name}/", root, suffixes, depth)


def bytes_of(
    path: str | os.PathLike[str], limit: int = LIMIT + 1, status: os.stat_result | None = None
) -> bytes | None:
    """Return the first `limit` bytes of a file (one more than allowed, by default); None if it cannot be read
    or is not a regular file: a pipe would block. `status` is its current status, if known."""
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
    """Return the first bytes of a file of about this size. Buffers are no larger than needed: with many small
    files, allocating them costs most."""
    data = b""
    while len(data) < limit:
        more = os.read(fd, min(limit - len(data), max(size + 1 - len(data), _PAGE)))
        if not more:
            break
        data += more
    return data


def is_file(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a file, or a link to one; a link that leads in a circle is none."""
    return os.path.isfile(entry.path)


def unit_of(name: str) -> str:
    """Return the unit of a file: its name, made unique by the bytes in hex if the name is not UTF-8."""
    text = clean(name)
    return name if text == name else f"{text}/{os.fsencode(name).hex()}"


def damage(data: bytes) -> str:
    """Return why a file with these bytes is read-only, "" if it is not."""
    if len(data) > LIMIT:
        return wording.TOO_LARGE
    try:
        data.decode()
    except UnicodeDecodeError:
        return wording.NOT_UTF8
    return ""


def ensure_writable(folder: Path, draft: Draft, name: str) -> None:
    """Raise Refused if a file must stay as it is."""
    path = os.path.join(folder, name)
    reason = damage(draft.files[name]) if name in draft.files else ""
    if os.path.islink(path):
        raise wording.link_not_saved(name)
    if reason:
        raise wording.damaged_file(name, reason)
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise wording.file_not_writable(name)


def _with_distinct_ref(record: Record, seen: Counter[str], out: Reading) -> Record:
    ref = numbered(record.ref, seen)
    if ref == record.ref:
        return record
    out.add_finding("doubled", record.place, wording.DUPLICATE_ID)
    return replace(record, ref=ref)
