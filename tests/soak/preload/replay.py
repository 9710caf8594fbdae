"""A simulated disk: what a recorded process wrote, and what of it remains after a power cut.

Until a file is synced, any part of what was written into it may be lost, in any order; until its folder is
synced, changes of its name may be lost. Changes of one name keep their order: no file system keeps a rename
but not the creation of the renamed file.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.soak.preload import record
from tests.soak.preload.record import Call

BLOCK = 4096  # a write may be kept in part: block by block


@dataclass(eq=False, slots=True)
class File:
    """A file's synced bytes and mode, and the calls since."""

    data: bytearray = field(default_factory=bytearray)
    mode: int = 0o600
    pending: list[Call] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Folder:
    """A folder's current names, and those that are synced."""

    mode: int = 0o700
    current: dict[str, File | Folder] = field(default_factory=dict)
    synced: dict[str, File | Folder] = field(default_factory=dict)


Node = File | Folder
Location = tuple[Folder, str]


@dataclass(eq=False, slots=True)
class NameChange:
    """Names that change atomically, each with its new node, or None if it is removed."""

    names: tuple[tuple[Folder, str, Node | None], ...]

    def changes(self, folder: Folder) -> bool:
        return any(each is folder for each, _, _ in self.names)

    def touches(self, other: NameChange) -> bool:
        own = {(id(folder), name) for folder, name, _ in self.names}
        return any((id(folder), name) in own for folder, name, _ in other.names)


Keep = Callable[[], bool]
"""Returns for each unsynced change whether the disk keeps it."""


def keep_nothing() -> bool:
    return False


def keep_everything() -> bool:
    return True


def keep_share(chance: random.Random, share: float) -> Keep:
    """Keep a random share."""
    return lambda: chance.random() < share


class Disk:
    """The files below a folder while recorded calls are applied to them."""

    def __init__(self, root: Path) -> None:
        """Load what is below `root`, as synced."""
        self._root = str(root)
        self._nodes: dict[int, Node] = {}
        self._unsynced: list[NameChange] = []  # in their order
        self._top = self._load(root)
        assert isinstance(self._top, Folder)

    def _load(self, path: Path) -> Node:
        status = path.lstat()
        node: Node
        if path.is_dir():
            node = Folder(status.st_mode & 0o7777)
            node.current = {each.name: self._load(each) for each in sorted(path.iterdir())}
            node.synced = dict(node.current)
        else:
            node = File(bytearray(path.read_bytes()), status.st_mode & 0o7777)
        self._nodes[status.st_ino] = node
        return node

    # -- calls

    def apply(self, call: Call) -> None:
        """Apply a recorded call."""
        match call.call:
            case record.NOTE:
                pass
            case record.WRITE | record.TRUNCATE | record.CHMOD:
                node = self._nodes[call.node]
                if isinstance(node, File):
                    node.pending.append(call)
                else:
                    node.mode = call.mode
            case record.SYNC:
                self._sync(self._nodes[call.node])
            case record.CREATE | record.MKDIR:
                created: Node = File(mode=call.mode) if call.call == record.CREATE else Folder(call.mode)
                self._nodes[call.node] = created
                self._rename((self._locate(call.path), created))
            case record.LINK:
                self._rename((self._locate(call.target), self._node(call.path)))
            case record.RENAME:
                moved = self._node(call.path)
                self._rename((self._locate(call.target), moved), (self._locate(call.path), None))
            case record.EXCHANGE:
                first, second = self._node(call.path), self._node(call.target)
                self._rename((self._locate(call.path), second), (self._locate(call.target), first))
            case record.UNLINK | record.RMDIR:
                self._rename((self._locate(call.path), None))
            case _:
                raise ValueError(f"an unknown call: {call.call}")

    def _rename(self, *changes: tuple[Location, Node | None]) -> None:
        step = NameChange(tuple((folder, name, node) for (folder, name), node in changes))
        for folder, name, node in step.names:
            _set_name(folder.current, name, node)
        self._unsynced.append(step)

    def _sync(self, node: Node) -> None:
        if isinstance(node, File):
            for call in node.pending:
                _write(node, call)
            node.pending.clear()
            return
        synced: list[NameChange] = []  # including earlier changes of the same names in another folder
        for step in reversed(self._unsynced):
            if step.changes(node) or any(step.touches(each) for each in synced):
                synced.append(step)
        for step in reversed(synced):
            self._unsynced.remove(step)
            for folder, name, to in step.names:
                _set_name(folder.synced, name, to)

    def _locate(self, path: str) -> Location:
        assert path.startswith(f"{self._root}/"), path
        *parents, name = path[len(self._root) + 1 :].split("/")
        folder: Node = self._top
        for each in parents:
            assert isinstance(folder, Folder)
            folder = folder.current[each]
        assert isinstance(folder, Folder)
        return folder, name

    def _node(self, path: str) -> Node:
        folder, name = self._locate(path)
        return folder.current[name]

    # -- power cuts

    def after_power_cut(self, keep: Keep = keep_nothing) -> Image:
        """Return what is on the disk after a power cut now, with the unsynced changes that `keep` keeps."""
        names = self._names(keep)
        files: dict[int, File] = {}

        def image_of(folder: Folder) -> Image:
            image = Image(folder.mode)
            for name, node in names.get(id(folder), folder.synced).items():
                if isinstance(node, Folder):
                    image.folders[name] = image_of(node)
                    continue
                if id(node) not in files:  # one file may have several names
                    files[id(node)] = _file_after_cut(node, keep)
                image.files[name] = files[id(node)]
            return image

        assert isinstance(self._top, Folder)
        return image_of(self._top)

    def _names(self, keep: Keep) -> dict[int, dict[str, Node]]:
        """Return the names in folders with unsynced changes of names, by the folders' ids."""
        names: dict[int, dict[str, Node]] = {}
        lost: list[NameChange] = []
        for step in self._unsynced:
            for folder, _, _ in step.names:
                names.setdefault(id(folder), dict(folder.synced))
            if any(step.touches(each) for each in lost) or not keep():
                lost.append(step)
                continue
            for folder, name, node in step.names:
                _set_name(names[id(folder)], name, node)
        return names


def _set_name(names: dict[str, Node], name: str, node: Node | None) -> None:
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node


def _write(file: File, call: Call) -> None:
    if call.call == record.CHMOD:
        file.mode = call.mode
        return
    length = call.at if call.call == record.TRUNCATE else max(len(file.data), call.at + len(call.data))
    del file.data[length:]
    file.data.extend(bytes(length - len(file.data)))
    if call.call == record.WRITE:
        file.data[call.at : call.at + len(call.data)] = call.data


def _file_after_cut(file: File, keep: Keep) -> File:
    remaining = File(bytearray(file.data), file.mode)
    for call in file.pending:
        for part in _parts(call):
            if keep():
                _write(remaining, part)
    return remaining


def _parts(call: Call) -> Iterable[Call]:
    """Split a write into blocks, as a disk does."""
    if call.call != record.WRITE:
        yield call
        return
    at, end = call.at, call.at + len(call.data)
    while at < end:
        stop = min(end, (at // BLOCK + 1) * BLOCK)
        yield Call(record.WRITE, call.node, at, data=call.data[at - call.at : stop - call.at])
        at = stop


@dataclass(slots=True)
class Image:
    """A folder as a power cut leaves it."""

    mode: int
    files: dict[str, File] = field(default_factory=dict)
    folders: dict[str, Image] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write the image to `folder`, replacing what is there."""
        shutil.rmtree(folder, ignore_errors=True)
        self._write(folder)

    def _write(self, folder: Path) -> None:
        folder.mkdir()
        written: dict[int, Path] = {}
        for name, file in self.files.items():
            path = folder / name
            if id(file) in written:
                os.link(written[id(file)], path)
                continue
            path.write_bytes(file.data)
            path.chmod(file.mode)
            written[id(file)] = path
        for name, image in self.folders.items():
            image._write(folder / name)
        folder.chmod(self.mode)

    def digest(self) -> bytes:
        """Return a digest of all names, bytes and modes."""
        out = hashlib.sha256()
        self._update_digest(out, "")
        return out.digest()

    def _update_digest(self, out: hashlib._Hash, parents: str) -> None:
        out.update(f"{parents}/ {self.mode}\0".encode())
        for name, file in sorted(self.files.items()):
            out.update(f"{parents}/{name} {file.mode} {len(file.data)}\0".encode() + file.data)
        for name, image in sorted(self.folders.items()):
            image._update_digest(out, f"{parents}/{name}")

    def bytes_by_name(self, parents: str = "") -> dict[str, bytes]:
        """Return the bytes of all files by their paths."""
        found = {f"{parents}{name}": bytes(file.data) for name, file in self.files.items()}
        for name, image in self.folders.items():
            found |= image.bytes_by_name(f"{parents}{name}/")
        return found
