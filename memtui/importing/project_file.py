"""The rules file of a project, `.memtui/rules.toml` in its folder: finding it, reading it, and how it stands
to what a person trusted (S-63)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from memtui.errors import Refused
from memtui.importing.rules_file import read_rules_bytes, rules_text
from memtui.memory.rules.file import wording as file_wording
from memtui.memory.rules.file import wording_project as wording
from memtui.memory.rules.file.project import PLACE, is_place
from memtui.memory.rules.file.reading import RulesFile, read
from memtui.memory.rules.file.trusting import TrustedFile


class FileState(StrEnum):
    """How a project's file stands to what was trusted of it."""

    UNTRUSTED = "untrusted"
    TRUSTED = "trusted"
    CHANGED = "changed"  # since it was trusted
    GONE = "gone"  # what was trusted still holds
    UNUSABLE = "unusable"  # no file, another user's, …


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """A project's file and its state; `trusted` is what was trusted of it, None for nothing, `why` the reason
    why it cannot be used."""

    path: str
    state: FileState
    trusted: TrustedFile | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class FileContent:
    """What a project's file holds, with the digest of its bytes."""

    path: str
    digest: str
    file: RulesFile


def find(trusted: Collection[str] = ()) -> str | None:
    """Return the path of the file that belongs to the working directory: in it or above, below the home
    folder and the root, where one exists or is one of those `trusted`; None if there is none."""
    try:
        start = Path.cwd()
    except OSError:  # the folder was removed
        return None
    home = os.path.realpath(os.path.expanduser("~"))
    for folder in (start, *start.parents):
        if str(folder) in (home, folder.anchor):
            return None
        path = str(folder.joinpath(*PLACE))
        if path in trusted or os.path.lexists(path):
            return path
    return None


def path_of(given: Path) -> str:
    """Return the path by which a project's file is known: where its folder really is. Raise Refused for
    another file."""
    if not is_place(given.absolute()):
        raise wording.not_a_project_file(str(given))
    return str(Path(os.path.realpath(given.absolute().parent.parent)).joinpath(*PLACE))


def content(path: str, check_query: Callable[[str], object]) -> FileContent:
    """Return what a project's file holds; raise Refused if it cannot be used."""
    data = _bytes(path)
    return FileContent(path, _digest(data), read(rules_text(path, data), check_query, of_project=True))


def states(trusted: Sequence[TrustedFile]) -> list[ProjectFile]:
    """Return the files that are trusted, and that of the working directory, which comes first."""
    by_path = {each.path: each for each in trusted}
    here = find(by_path)
    paths = dict.fromkeys([*([here] if here is not None else []), *by_path])
    return [_state(path, by_path.get(path)) for path in paths]


def state(path: str, trusted: Sequence[TrustedFile]) -> ProjectFile:
    """Return how one file stands."""
    return _state(path, next((each for each in trusted if each.path == path), None))


def told(file: ProjectFile, name: str, trust: str, distrust: str) -> str:
    """Return what a person is told of a file, "" if it is as it was trusted; `trust` and `distrust` are the
    commands or keys."""
    if file.trusted is None:
        if file.state is FileState.UNTRUSTED:
            return wording.untrusted(name, trust)
        return wording.unusable(name, file.why)
    if file.state is FileState.CHANGED:
        return wording.changed(name, file.trusted.at, trust)
    if file.state is FileState.GONE:
        return wording.gone(name, distrust)
    return wording.unusable_now(name, file.why) if file.why else ""


def _state(path: str, trusted: TrustedFile | None) -> ProjectFile:
    if trusted is not None and not os.path.lexists(path):
        return ProjectFile(path, FileState.GONE, trusted)
    try:
        digest = _digest(_bytes(path))
    except Refused as refused:
        return ProjectFile(path, FileState.UNUSABLE, trusted, refused.reason)
    if trusted is None:
        return ProjectFile(path, FileState.UNTRUSTED)
    same = trusted.digest == digest
    return ProjectFile(path, FileState.TRUSTED if same else FileState.CHANGED, trusted)


def _bytes(path: str) -> bytes:
    """Return the bytes of a file that is its project's and the user's own; raise Refused for another."""
    try:
        path.encode()
    except UnicodeEncodeError:
        raise file_wording.unreadable(path, "its path isn't valid UTF-8") from None
    project, real = Path(path).parent.parent, os.path.realpath(path)
    try:
        if os.stat(os.path.dirname(path)).st_uid != os.geteuid():
            raise wording.another_users(path)
    except OSError as error:
        raise file_wording.unreadable(path, (error.strerror or str(error)).lower()) from error
    if not Path(real).is_relative_to(os.path.realpath(project)):
        raise wording.outside(path)
    return read_rules_bytes(Path(real), path)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
