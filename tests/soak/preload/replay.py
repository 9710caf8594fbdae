"""A disk that forgets: what a recorded process wrote, and what of it a power cut leaves.

Until a file is synced, any part of what was written into it since may be lost, in any order; until
its folder is synced, what was done to its name may be lost. What was done to one name is kept in its
order: no file system lets a rename outlive the creation of what it renames.
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
    """A file's bytes and mode as they are on the disk for sure, and what was done since."""

    data: bytearray = field(default_factory=bytearray)
    mode: int = 0o600
    pending: list[Call] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Folder:
    """A folder's names as they are now, and as they are on the disk for sure."""

    mode: int = 0o700
    now: dict[str, File | Folder] = field(default_factory=dict)
    sure: dict[str, File | Folder] = field(default_factory=dict)


Node = File | Folder
Place = tuple[Folder, str]


@dataclass(eq=False, slots=True)
class NameChange:
    """Names that change in one step: afterwards each leads to this node, or to none."""

    names: tuple[tuple[Folder, str, Node | None], ...]

    def changes(self, folder: Folder) -> bool:
        return any(each is folder for each, _, _ in self.names)

    def touches(self, other: NameChange) -> bool:
        mine = {(id(folder), name) for folder, name, _ in self.names}
        return any((id(folder), name) in mine for folder, name, _ in other.names)


Keep = Callable[[], bool]
"""Says of each thing that was not synced whether the disk has it all the same."""


def keep_nothing() -> bool:
    return False


def keep_everything() -> bool:
    return True


def keep_share(chance: random.Random, share: float) -> Keep:
    """That share of it, at random."""
    return lambda: chance.random() < share


class Disk:
    """The files below a folder while a recorded process works on them."""

    def __init__(self, root: Path) -> None:
        """What stands below `root` now counts as being on the disk for sure."""
        self._root = str(root)
        self._nodes: dict[int, Node] = {}
        self._unsynced: list[NameChange] = []  # in their order
        self._top = self._taken_in(root)
        assert isinstance(self._top, Folder)

    def _taken_in(self, path: Path) -> Node:
        status = path.lstat()
        node: Node
        if path.is_dir():
            node = Folder(status.st_mode & 0o7777)
            node.now = {each.name: self._taken_in(each) for each in sorted(path.iterdir())}
            node.sure = dict(node.now)
        else:
            node = File(bytearray(path.read_bytes()), status.st_mode & 0o7777)
        self._nodes[status.st_ino] = node
        return node

    # -- what is done

    def do(self, call: Call) -> None:
        """One recorded call."""
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
                made: Node = File(mode=call.mode) if call.call == record.CREATE else Folder(call.mode)
                self._nodes[call.node] = made
                self._rename((self._place(call.one), made))
            case record.LINK:
                self._rename((self._place(call.two), self._at(call.one)))
            case record.RENAME:
                moved = self._at(call.one)
                self._rename((self._place(call.two), moved), (self._place(call.one), None))
            case record.EXCHANGE:
                one, two = self._at(call.one), self._at(call.two)
                self._rename((self._place(call.one), two), (self._place(call.two), one))
            case record.UNLINK | record.RMDIR:
                self._rename((self._place(call.one), None))
            case _:
                raise ValueError(f"an unknown call: {call.call}")

    def _rename(self, *changes: tuple[Place, Node | None]) -> None:
        step = NameChange(tuple((folder, name, node) for (folder, name), node in changes))
        for folder, name, node in step.names:
            _set_name(folder.now, name, node)
        self._unsynced.append(step)

    def _sync(self, node: Node) -> None:
        if isinstance(node, File):
            for call in node.pending:
                _write(node, call)
            node.pending.clear()
            return
        taken: list[NameChange] = []  # with what was done to the same names before, in another folder
        for step in reversed(self._unsynced):
            if step.changes(node) or any(step.touches(each) for each in taken):
                taken.append(step)
        for step in reversed(taken):
            self._unsynced.remove(step)
            for folder, name, to in step.names:
                _set_name(folder.sure, name, to)

    def _place(self, path: str) -> Place:
        assert path.startswith(f"{self._root}/"), path
        *above, name = path[len(self._root) + 1 :].split("/")
        folder: Node = self._top
        for each in above:
            assert isinstance(folder, Folder)
            folder = folder.now[each]
        assert isinstance(folder, Folder)
        return folder, name

    def _at(self, path: str) -> Node:
        folder, name = self._place(path)
        return folder.now[name]

    # -- what is left

    def after_a_cut(self, keep: Keep = keep_nothing) -> Image:
        """What stands on the disk if the power goes now; of what was not synced, what `keep` keeps."""
        names = self._names(keep)
        files: dict[int, File] = {}

        def left(folder: Folder) -> Image:
            image = Image(folder.mode)
            for name, node in names.get(id(folder), folder.sure).items():
                if isinstance(node, Folder):
                    image.folders[name] = left(node)
                    continue
                if id(node) not in files:  # one file may have several names
                    files[id(node)] = _cut(node, keep)
                image.files[name] = files[id(node)]
            return image

        assert isinstance(self._top, Folder)
        return left(self._top)

    def _names(self, keep: Keep) -> dict[int, dict[str, Node]]:
        """What the folders hold whose names were changed and not synced, by the folders' ids."""
        names: dict[int, dict[str, Node]] = {}
        lost: list[NameChange] = []
        for step in self._unsynced:
            for folder, _, _ in step.names:
                names.setdefault(id(folder), dict(folder.sure))
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


def _cut(file: File, keep: Keep) -> File:
    left = File(bytearray(file.data), file.mode)
    for call in file.pending:
        for part in _parts(call):
            if keep():
                _write(left, part)
    return left


def _parts(call: Call) -> Iterable[Call]:
    """A write block by block, as a disk takes it."""
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
    """A folder as a cut leaves it."""

    mode: int
    files: dict[str, File] = field(default_factory=dict)
    folders: dict[str, Image] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Bring it into `folder`, in place of what is there."""
        shutil.rmtree(folder, ignore_errors=True)
        self._write(folder)

    def _write(self, folder: Path) -> None:
        folder.mkdir()
        there: dict[int, Path] = {}
        for name, file in self.files.items():
            path = folder / name
            if id(file) in there:
                os.link(there[id(file)], path)
                continue
            path.write_bytes(file.data)
            path.chmod(file.mode)
            there[id(file)] = path
        for name, image in self.folders.items():
            image._write(folder / name)
        folder.chmod(self.mode)

    def digest(self) -> bytes:
        """The same for images of which all names, bytes and modes are."""
        out = hashlib.sha256()
        self._into(out, "")
        return out.digest()

    def _into(self, out: hashlib._Hash, above: str) -> None:
        out.update(f"{above}/ {self.mode}\0".encode())
        for name, file in sorted(self.files.items()):
            out.update(f"{above}/{name} {file.mode} {len(file.data)}\0".encode() + file.data)
        for name, image in sorted(self.folders.items()):
            image._into(out, f"{above}/{name}")

    def bytes_by_name(self, above: str = "") -> dict[str, bytes]:
        """All files by their paths."""
        found = {f"{above}{name}": bytes(file.data) for name, file in self.files.items()}
        for name, image in self.folders.items():
            found |= image.bytes_by_name(f"{above}{name}/")
        return found
