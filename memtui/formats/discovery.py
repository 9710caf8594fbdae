"""Finding and counting the stores in the known places of a machine, without changing them (S-3).

Each format lists where its stores usually are (`known_places`); agents' settings name more paths. What is
there is judged by content alone, and an error at one place never hides the others.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

from memtui.errors import Refused
from memtui.formats import agent_config, registry, wording
from memtui.formats.agent_config import PathContext
from memtui.formats.contract.adapter import Adapter
from memtui.formats.media.sqlite.connection import quoted, snapshot, writable
from memtui.formats.media.sqlite.store import SqliteStore
from memtui.memory.stores import DiscoveredStore

MOST_PATHS = 300  # for one pattern
MOST_MEMORIES = 20_000  # in a store that is counted by reading it
MOST_BYTES, MOST_TEXT = 1 << 26, 1 << 24  # bytes of a database, and of files that have to be parsed
UNKNOWN = "unknown"  # the format of a database that no adapter recognises
_ENTRIES = 5_000  # of one folder that are read
_EXCLUDED = (Path("/proc"), Path("/sys"), Path("/dev"))
# Codes of refusals that mean that something is there; with all others there is no store.
_REPORTED = ("unknown-schema", "unreadable", "busy", "read-only", "io", "store")


def discover(
    home: Path | None = None, cwd: Path | None = None, environ: Mapping[str, str] | None = None
) -> list[DiscoveredStore]:
    """Return the stores in the known places and in agents' settings, each once. Changes nothing."""
    context = _context(home, cwd, environ)
    found: dict[Path, DiscoveredStore] = {}
    for path, adapter in _candidates(context):
        try:
            for each in _stores_at(path, adapter):
                found.setdefault(Path(each.path), each)
        except (OSError, ValueError, RuntimeError):  # it was removed, or is not a valid path
            continue
    return list(found.values())


def places() -> list[str]:
    """Return the places that are searched, as shown to the user."""
    known = dict.fromkeys(place for adapter in registry.formats() for place in adapter.known_places)
    return [*known, *agent_config.FILES]


def _context(home: Path | None, cwd: Path | None, environ: Mapping[str, str] | None) -> PathContext:
    nowhere = Path("/nonexistent")
    with suppress(RuntimeError):  # a user without a home
        home = home or Path.home()
    with suppress(OSError):  # the working folder was deleted
        cwd = cwd or Path.cwd()
    return PathContext(home or nowhere, cwd or nowhere, os.environ if environ is None else environ)


def _candidates(context: PathContext) -> Iterator[tuple[Path, type[Adapter] | None]]:
    """Yield paths that may be stores, with the format that lists the place, if any."""
    for adapter in registry.formats():
        for pattern in adapter.known_places:
            for path in islice(_expand(pattern, context), MOST_PATHS):
                yield path, adapter
    for path in agent_config.named_paths(context):
        if _is_candidate(path):
            yield path, None


def _expand(pattern: str, context: PathContext) -> Iterator[Path]:
    """Yield the existing paths that match a pattern; none in a folder that may not be read."""
    if pattern.startswith("$"):
        value = context.environ.get(pattern[1:], "")
        if value and "\0" not in value:
            path = context.home / value[2:] if value.startswith("~/") else context.cwd / value
            yield from [path] if os.path.lexists(path) else []
        return
    start, *parts = pattern.split("/")
    yield from _below(context.home if start == "~" else context.cwd, parts)


def _below(folder: Path, parts: list[str]) -> Iterator[Path]:
    if not parts:
        if os.path.lexists(folder):
            yield folder
        return
    part, *rest = parts
    if not any(sign in part for sign in "*?["):
        yield from _below(folder / part, rest)
        return
    try:
        with os.scandir(folder) as entries:
            names = [each.name for each in islice(entries, _ENTRIES)]
    except OSError:
        return
    for name in sorted(names):
        hidden = name.startswith(".") and not part.startswith(".")
        if not hidden and fnmatch.fnmatchcase(name, part):
            yield from _below(folder / name, rest)


def _is_candidate(path: Path) -> bool:
    """Return whether a path in settings may be a store. Programs are not, and a large database that the user
    may not write to would have to be copied to be opened."""
    with suppress(OSError):
        status = path.stat()
        if path.is_dir():
            return True
        program = status.st_mode & 0o111 and status.st_size > 0 and path.suffix not in (".db", ".jsonl")
        return not program and (writable(path) or status.st_size <= MOST_BYTES)
    return False


def _stores_at(path: Path, listed_by: type[Adapter] | None) -> Iterator[DiscoveredStore]:
    """Yield the stores at a path. In a known place, a database that no format recognises is reported too."""
    real = path.resolve()
    if any(real.is_relative_to(folder) for folder in _EXCLUDED):
        return
    stores = registry.find(path)
    for adapter, root in stores:
        count, problem = _count(adapter, root)
        yield DiscoveredStore(adapter.format, adapter.title, str(root), count, problem)
    if stores or listed_by is None or not path.is_file():
        return
    refusal = registry.explain(path)
    is_broken = refusal.code == "unknown-file" and issubclass(listed_by, SqliteStore)
    if is_broken or refusal.code in _REPORTED:
        is_unknown = refusal.code == "unknown-schema"
        kind = (UNKNOWN, wording.UNKNOWN_DATABASE) if is_unknown else (listed_by.format, listed_by.title)
        yield DiscoveredStore(*kind, str(real), None, refusal.reason)


def _count(kind: type[Adapter], root: Path) -> tuple[int | None, str]:
    """Return the number of memories in a store (None if unknown), and what is wrong with it."""
    try:
        adapter = kind(root)
        if _is_large(adapter):
            return None, wording.TOO_LARGE_TO_COUNT
        reading = adapter.read()
    except Refused as refusal:
        return None, refusal.message
    except OSError as error:
        return None, wording.unreadable((error.strerror or str(error)).lower())
    except Exception as error:  # a store that no reader foresaw must not hide the others
        return None, wording.unreadable_store(error)
    findings = len(reading.findings)
    count = sum(record.removed_at is None for record in reading.records)
    return count, "" if not findings else wording.findings(findings)


def _is_large(adapter: Adapter) -> bool:
    if isinstance(adapter, SqliteStore):
        if adapter.root.stat().st_size <= MOST_BYTES:
            with snapshot(adapter.root) as connection:
                for table in adapter.written_tables:
                    sql = f"SELECT count(*) FROM (SELECT 1 FROM {quoted(table)} LIMIT {MOST_MEMORIES + 1})"
                    rows = connection.execute(sql).fetchone()
                    if rows and rows[0] > MOST_MEMORIES:
                        return True
            return False
        return True
    size = 0
    for files, file in enumerate(_files(adapter.root)):
        size += file.stat(follow_symlinks=False).st_size
        if files > MOST_MEMORIES or size > MOST_TEXT:
            return True
    return False


def _files(root: Path) -> Iterator[os.DirEntry[str] | Path]:
    if not root.is_dir():
        yield root
        return
    folders = [str(root)]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for each in entries:
                    if each.is_dir(follow_symlinks=False):
                        folders.append(each.path)
                    elif each.name.endswith((".md", ".json", ".jsonl")):
                        yield each
        except OSError:
            continue
