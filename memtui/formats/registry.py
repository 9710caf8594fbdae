"""The formats that memtui knows, and finding the stores at a path (S-2, S-3)."""

from __future__ import annotations

import codecs
import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import memtui.formats
from memtui.errors import Refused
from memtui.formats import wording
from memtui.formats.contract.adapter import Adapter
from memtui.formats.media.sqlite.connection import SIDECARS, tables_of
from memtui.formats.media.sqlite.store import SqliteStore

_PACKAGE = "memtui.formats."
_MOST_TABLES = 12  # of an unknown database that are named
_SAMPLE_BYTES = 4096  # of an unknown file, to tell its kind
_FULL_TEXT_SUFFIXES = (
    "_data",
    "_idx",
    "_content",
    "_docsize",
    "_config",
)  # of a full-text index's own tables


@cache
def formats() -> tuple[type[Adapter], ...]:
    """Return all formats, by name: each module or package here with an adapter that has a `format`.

    They are imported by the first call only.
    """
    found = {
        adapter.format: adapter
        for each in pkgutil.iter_modules(memtui.formats.__path__, _PACKAGE)
        for adapter in _formats_in(each.name)
    }
    return tuple(found[name] for name in sorted(found))


@cache
def by_name(name: str) -> type[Adapter]:
    """Return the format of this name. Raises Refused if there is none.

    Others are not imported: it is asked for whatever is attached, by hooks that have no time for more.
    """
    for module in pkgutil.iter_modules(memtui.formats.__path__, _PACKAGE):
        if module.name == _PACKAGE + name.replace("-", "_"):
            for adapter in _formats_in(module.name):
                if adapter.format == name:
                    return adapter
    raise wording.unknown_format(name, (adapter.format for adapter in formats()))


def _formats_in(name: str) -> Iterator[type[Adapter]]:
    """Import a module, and yield the formats that it has."""
    for value in vars(importlib.import_module(name)).values():
        if not isinstance(value, type) or value.__module__ not in (name, f"{name}.adapter"):
            continue
        if issubclass(value, Adapter) and "format" in vars(value):
            yield value


def find(path: Path) -> list[tuple[type[Adapter], Path]]:
    """Return the stores (format, root) at `path`, and in the usual places below it if it is a folder.

    Judged by content. Changes nothing; databases are only opened by SQLite.
    """
    found: dict[Path, type[Adapter]] = {}
    for place in (path, *_usual_places(path)):
        try:
            adapter, root = _store_at(place)
        except (Refused, OSError):
            continue  # explain() returns why
        if adapter is not None:
            found.setdefault(root.resolve(), adapter)
    return [(adapter, root) for root, adapter in found.items()]


def explain(path: Path) -> Refused:
    """Return why there is no store at `path`: what is there instead, and what was looked for."""
    try:
        return _explain(path)
    except Refused as refusal:
        return refusal
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return _no_store("unreadable", wording.unreadable_path(path, reason))


def _store_at(path: Path) -> tuple[type[Adapter] | None, Path]:
    if _is_sidecar(path):
        return None, path
    is_database = tables_of(path) is not None
    for adapter in formats():
        if issubclass(adapter, SqliteStore) == is_database:
            root = adapter.recognise(path)
            if root is not None:
                return adapter, root
    return None, path


def _is_sidecar(path: Path) -> bool:
    return path.name.endswith(SIDECARS) and not path.is_dir()


def _usual_places(folder: Path) -> Iterator[Path]:
    try:
        if folder.is_dir():
            yield from dict.fromkeys(folder / name for adapter in formats() for name in adapter.usual_paths)
    except OSError:
        return


def _explain(path: Path, name: str = "") -> Refused:
    name = name or path.name
    if _is_sidecar(path):
        return wording.sidecar(name, path.name.rpartition("-")[0])
    status = path.stat() if path.exists() else None
    if status is None:
        return wording.nothing_at(path)
    if path.is_dir():
        next(path.iterdir(), None)  # raises OSError if the folder may not be read
        below = next((place for place in _usual_places(path) if place.is_file()), None)
        if below is not None:
            return _explain(below, str(below.relative_to(path)))
        return _no_store("no-store", wording.NO_STORE_IN_FOLDER.format(path=path))
    if not path.is_file():
        return _no_store("no-store", wording.NEITHER_FILE_NOR_FOLDER.format(path=path))
    if status.st_size == 0:
        return _no_store("empty", wording.EMPTY_FILE.format(name=name), wording.EMPTY_FILE_ADVICE)
    tables = tables_of(path)
    if tables is not None:
        return _no_store("unknown-schema", _describe_tables(name, list(tables)))
    return _no_store("unknown-file", wording.UNKNOWN_FILE.format(name=name, kind=_kind_of(path)))


def _no_store(code: str, reason: str, advice: str = "") -> Refused:
    known = ((adapter.title, adapter.recognised_by) for adapter in formats())
    return wording.no_store(code, reason, advice, known)


def _describe_tables(file: str, names: Sequence[str]) -> str:
    own = [
        name
        for name in sorted(names)
        if not name.startswith("sqlite_")
        and not any(name.removesuffix(end) in names for end in _FULL_TEXT_SUFFIXES if name.endswith(end))
    ]
    if not own:
        return wording.NO_TABLES.format(file=file)
    return wording.unknown_tables(file, own[:_MOST_TABLES], len(own) - _MOST_TABLES)


def _kind_of(path: Path) -> str:
    """Return what kind of file it is that SQLite cannot read, by its first bytes."""
    with path.open("rb") as handle:
        start = handle.read(_SAMPLE_BYTES)
    if start.startswith(b"SQLite format 3\0"):
        return wording.DAMAGED_DATABASE
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return wording.BINARY_FILE
    return wording.BINARY_FILE if "\0" in text else wording.TEXT_FILE
