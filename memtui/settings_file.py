"""Writing the settings file; a failure leaves it as it was, and nothing behind (S-82)."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT
from tomlkit.toml_document import TOMLDocument

from memtui import wording
from memtui.settings import Settings, defaults_text, load
from memtui.values import Json

BOM = "\ufeff"
NEW_FILE_MODE = 0o600


def save(path: Path, values: Mapping[str, Json]) -> Settings:
    """Set values in the file and return its settings; everything else in it stays, comments included.

    If there is no file, one with only these values is created. Raise Refused if it cannot be read or written.
    """
    before = None
    try:
        target = _target(path)
        before = _status(target)
        text = wording.DEFAULTS_HEADER + "\n" if before is None else target.read_bytes().decode()
        _replace(target, _edited(text, values).encode(), before)
    except Exception as error:  # whatever it was: the file is the user's, and may hold anything
        hint = wording.NOT_CHANGED if before is not None else ""
        raise wording.not_written(path, _reason(error), hint) from error
    return load(target).settings


def write_defaults(path: Path) -> Path:
    """Create the file, readable by its owner only; raise Refused if it exists or cannot be written."""
    try:
        target = _target(path)
        exists = _status(target) is not None
        if not exists:
            _replace(target, defaults_text().encode(), None)
    except Exception as error:  # whatever it was, no file was created
        raise wording.not_written(path, _reason(error)) from error
    if exists:
        raise wording.file_exists(path)
    return path


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error) if isinstance(error, _NotEditable) else wording.NOT_EDITABLE


class _NotEditable(Exception):
    """Why the file cannot be edited."""


def _target(path: Path) -> Path:
    """Return the file that a path names, at the end of all links."""
    try:
        path = path.expanduser()
    except RuntimeError:
        raise _NotEditable(wording.NO_SUCH_USER) from None
    try:
        return path.resolve()
    except RuntimeError:  # links in a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def _status(target: Path) -> os.stat_result | None:
    """Return the status of a file that can be written, None if there is none."""
    try:
        status = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise _NotEditable(wording.NOT_A_FILE)
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return status


def _edited(text: str, values: Mapping[str, Json]) -> str:
    """Return the text of a settings file with values set, and with its own line ends."""
    bom = BOM if text.startswith(BOM) else ""
    try:
        document = tomlkit.parse(text.removeprefix(bom))
        for name, value in values.items():
            if isinstance(value, dict):
                _set_table(document, name, value)
            elif isinstance(document.get(name), (dict, AoT)):
                raise _NotEditable(wording.holds_a_table(name))
            else:
                document[name] = value
    except (TOMLKitError, RecursionError) as error:
        raise _NotEditable(wording.NOT_EDITABLE) from error
    edited = tomlkit.dumps(document)
    only_crlf = "\r\n" in text and not re.search(r"(?<!\r)\n", text)
    return bom + (re.sub(r"(?<!\r)\n", "\r\n", edited) if only_crlf else edited)


def _set_table(document: TOMLDocument, name: str, values: Mapping[str, Json]) -> None:
    """Set keys of a table, replacing those that differ only in case."""
    if name not in document:
        document[name] = tomlkit.table()
    table: Json = document[name]
    for key, value in values.items():
        for other in [each for each in table if each != key and each.casefold() == key.casefold()]:
            del table[other]
        table[key] = value


def _replace(target: Path, data: bytes, before: os.stat_result | None) -> None:
    """Replace or create the file atomically; it keeps its permissions and, where permitted, its owner."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_leftovers(target)
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, NEW_FILE_MODE)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if before is not None:
                _make_alike(handle, before)
            os.fsync(handle)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _make_alike(handle: int, before: os.stat_result) -> None:
    """Give an open file the owner, group and permissions of another."""
    for owner, group in ((before.st_uid, -1), (-1, before.st_gid)):
        with suppress(PermissionError):  # only root may give a file away
            os.fchown(handle, owner, group)
    os.fchmod(handle, before.st_mode & 0o777)


def _remove_leftovers(target: Path) -> None:
    """Remove the temporary files of processes that ended while they wrote."""
    for each in target.parent.glob(".*"):
        prefix, _, process = each.name.rpartition(".")
        if prefix != f".{target.name}" or not process.isdecimal():
            continue
        if int(process) == os.getpid() or not _is_running(int(process)):
            with suppress(OSError):
                each.unlink()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # another user's
        return True
    return True
