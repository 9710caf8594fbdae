"""The formats that memtui knows, and which stores stand at a path (S-2, S-3)."""

from __future__ import annotations

import codecs
import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import memtui.formats
from memtui.errors import NoStore, Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.media.sqlite.connection import ASIDE, tables_of
from memtui.formats.media.sqlite.store import SqliteStore

_UNCHANGED = "Nothing was changed."
_SHOWN = 12  # tables of an unknown database that are named
_HEAD = 4096  # bytes that tell what an unknown file is


@cache
def formats() -> tuple[type[Adapter], ...]:
    """All formats, by name: each module or package here that holds an adapter with a name of its own.
    They are imported only now."""
    found: dict[str, type[Adapter]] = {}
    for each in pkgutil.iter_modules(memtui.formats.__path__, "memtui.formats."):
        module = importlib.import_module(each.name)
        for kind in vars(module).values():
            if not isinstance(kind, type) or kind.__module__ not in (each.name, f"{each.name}.adapter"):
                continue
            if issubclass(kind, Adapter) and "format" in vars(kind):
                found[kind.format] = kind
    return tuple(found[name] for name in sorted(found))


def by_name(name: str) -> type[Adapter]:
    """The format of this name."""
    for adapter in formats():
        if adapter.format == name:
            return adapter
    names = ", ".join(adapter.format for adapter in formats())
    raise Refused("format", f"There is no format “{name}”: must be one of {names}.", unchanged=_UNCHANGED)


def find(path: Path) -> list[tuple[type[Adapter], Path]]:
    """The stores at `path`, and in the usual places below it if it is a folder.

    Judged by content; nothing is changed, and a database is touched by SQLite alone.
    """
    found: dict[Path, type[Adapter]] = {}
    for place in (path, *_places(path)):
        try:
            adapter, root = _at(place)
        except (Refused, OSError):
            continue  # explain() says why
        if adapter is not None:
            found.setdefault(root.resolve(), adapter)
    return [(adapter, root) for root, adapter in found.items()]


def explain(path: Path) -> Refused:
    """Why there is no store at `path`: what stands there, and what was looked for."""
    try:
        return _explained(path)
    except Refused as refusal:
        return refusal
    except OSError as trouble:
        why = (trouble.strerror or str(trouble)).lower()
        return _no_store("unreadable", f"{path} may not be read: {why}.")


def _at(path: Path) -> tuple[type[Adapter] | None, Path]:
    if _is_aside(path):
        return None, path
    is_database = tables_of(path) is not None
    for adapter in formats():
        if issubclass(adapter, SqliteStore) == is_database:
            root = adapter.recognise(path)
            if root is not None:
                return adapter, root
    return None, path


def _is_aside(path: Path) -> bool:
    return path.name.endswith(ASIDE) and not path.is_dir()


def _places(folder: Path) -> Iterator[Path]:
    """Where stores usually lie in a folder."""
    try:
        if folder.is_dir():
            yield from dict.fromkeys(folder / name for adapter in formats() for name in adapter.inside)
    except OSError:
        return


def _explained(path: Path, name: str = "") -> Refused:
    name = name or path.name
    if _is_aside(path):
        main = path.name.rpartition("-")[0]
        return Refused(
            "sidecar", f"{name} belongs to the database {main}; attach {main} itself.", unchanged=_UNCHANGED
        )
    status = path.stat() if path.exists() else None
    if status is None:
        return Refused("missing", f"There is nothing at {path}.", unchanged=_UNCHANGED)
    if path.is_dir():
        next(path.iterdir(), None)
        below = next((place for place in _places(path) if place.is_file()), None)
        if below is not None:
            return _explained(below, str(below.relative_to(path)))
        return _no_store("no-store", f"No memory store in {path}.")
    if not path.is_file():
        return _no_store("no-store", f"{path} is neither a file nor a folder.")
    if status.st_size == 0:
        advice = "An empty file is taken for a new MCP memory if it is named memory.jsonl."
        return _no_store("empty", f"{name} is an empty file.", advice)
    tables = tables_of(path)
    if tables is not None:
        return _no_store("unknown-schema", _tables(name, list(tables)))
    return _no_store("unknown-file", f"{name} is {_kind(path)}.")


def _no_store(code: str, why: str, advice: str = "") -> Refused:
    wanted = "; ".join(f"{adapter.title}: {adapter.looked_for}" for adapter in formats())
    return NoStore(code, why, advice, f"Looked for: {wanted}.", _UNCHANGED)


def _tables(file: str, names: list[str]) -> str:
    inner = ("_data", "_idx", "_content", "_docsize", "_config")  # of a full-text index
    told = [
        name
        for name in sorted(names)
        if not name.startswith("sqlite_")
        and not any(name.removesuffix(end) in names for end in inner if name.endswith(end))
    ]
    if not told:
        return f"{file} is an SQLite database without tables."
    more = f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
    return f"{file} is an SQLite database of another kind: its tables are {', '.join(told[:_SHOWN])}{more}."


def _kind(path: Path) -> str:
    """What a file that SQLite cannot read is, by its first bytes."""
    with path.open("rb") as handle:
        head = handle.read(_HEAD)
    if head.startswith(b"SQLite format 3\0"):
        return "a damaged SQLite database"
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "a binary file, or an encrypted database"
    return "a binary file, or an encrypted database" if "\0" in text else "a text file of no known format"
