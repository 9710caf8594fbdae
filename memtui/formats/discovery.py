"""The stores in the known places of a machine (S-3): found, counted, and left as they are.

Each format says where its stores lie (`known_places`); agents' settings name more. What stands
there is judged by content alone, and one place's trouble never hides the others.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

from memtui.errors import Refused
from memtui.formats import agent_config, registry
from memtui.formats.agent_config import Here
from memtui.formats.contract.adapter import Adapter
from memtui.formats.media.sqlite.connection import quoted, snapshot, writable
from memtui.formats.media.sqlite.store import SqliteStore
from memtui.memory.stores import DiscoveredStore
from memtui.text import counted

MOST_PATHS = 300  # that one pattern gives
MOST_MEMORIES = 20_000  # that are counted by reading
MOST_BYTES, MOST_TEXT = 1 << 26, 1 << 24  # of a database, and of files that have to be parsed
UNKNOWN = "unknown"  # the format of a database that is none of ours
_ENTRIES = 5_000  # of one folder that are looked at
_NEVER = (Path("/proc"), Path("/sys"), Path("/dev"))
_TOO_LARGE = "Too large to count now; it is counted once it is attached."
# Refusals that tell of something that is there; the others say that there is no store.
_TELLING = ("unknown-schema", "unreadable", "busy", "read-only", "io", "store")


def discover(
    home: Path | None = None, cwd: Path | None = None, environ: Mapping[str, str] | None = None
) -> list[DiscoveredStore]:
    """The stores in the known places and in agents' settings, each once. Changes nothing."""
    here = _here(home, cwd, environ)
    found: dict[Path, DiscoveredStore] = {}
    for path, adapter in _candidates(here):
        try:
            for each in _judged(path, adapter):
                found.setdefault(Path(each.path), each)
        except (OSError, ValueError, RuntimeError):  # it went away, or its name is none
            continue
    return list(found.values())


def places() -> list[str]:
    """Where is looked, for a person."""
    known = dict.fromkeys(place for adapter in registry.formats() for place in adapter.known_places)
    return [*known, *agent_config.FILES]


def _here(home: Path | None, cwd: Path | None, environ: Mapping[str, str] | None) -> Here:
    nowhere = Path("/nonexistent")
    with suppress(RuntimeError):  # a user without a home
        home = home or Path.home()
    with suppress(OSError):  # the working folder was deleted
        cwd = cwd or Path.cwd()
    return Here(home or nowhere, cwd or nowhere, os.environ if environ is None else environ)


def _candidates(here: Here) -> Iterator[tuple[Path, type[Adapter] | None]]:
    """Paths that may be stores, and the format that looks there."""
    for adapter in registry.formats():
        for pattern in adapter.known_places:
            for path in islice(_expanded(pattern, here), MOST_PATHS):
                yield path, adapter
    for path in agent_config.named_paths(here):
        if _worth_a_look(path):
            yield path, None


def _expanded(pattern: str, here: Here) -> Iterator[Path]:
    """The paths that a pattern means; a folder that may not be read has none."""
    if pattern.startswith("$"):
        value = here.environ.get(pattern[1:], "")
        if value and "\0" not in value:
            path = here.home / value[2:] if value.startswith("~/") else here.cwd / value
            yield from [path] if os.path.lexists(path) else []
        return
    start, *parts = pattern.split("/")
    yield from _below(here.home if start == "~" else here.cwd, parts)


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


def _worth_a_look(path: Path) -> bool:
    """Programs are no stores, and what is large and not ours would have to be copied to be asked."""
    with suppress(OSError):
        status = path.stat()
        if path.is_dir():
            return True
        program = status.st_mode & 0o111 and status.st_size > 0 and path.suffix not in (".db", ".jsonl")
        return not program and (writable(path) or status.st_size <= MOST_BYTES)
    return False


def _judged(path: Path, looking: type[Adapter] | None) -> Iterator[DiscoveredStore]:
    """What stands at a path. Where nobody knows it, a known place tells of a database all the same."""
    real = path.resolve()
    if any(real.is_relative_to(folder) for folder in _NEVER):
        return
    stores = registry.find(path)
    for adapter, root in stores:
        count, trouble = _counted(adapter, root)
        yield DiscoveredStore(adapter.format, adapter.title, str(root), count, trouble)
    if stores or looking is None or not path.is_file():
        return
    refusal = registry.explain(path)
    broken = refusal.code == "unknown-file" and issubclass(looking, SqliteStore)
    if broken or refusal.code in _TELLING:
        why = refusal.why
        strange = refusal.code == "unknown-schema"
        kind = (UNKNOWN, "Unknown database") if strange else (looking.format, looking.title)
        yield DiscoveredStore(*kind, str(real), None, why)


def _counted(kind: type[Adapter], root: Path) -> tuple[int | None, str]:
    """How many memories a store has, and what is odd in it."""
    try:
        adapter = kind(root)
        if _is_large(adapter):
            return None, _TOO_LARGE
        reading = adapter.read()
    except Refused as refusal:
        return None, refusal.message
    except OSError as trouble:
        return None, f"It may not be read: {(trouble.strerror or str(trouble)).lower()}."
    except Exception as trouble:  # a store that no reader foresaw must not hide the others
        return None, f"It cannot be read: {trouble!r}"
    odd = len(reading.findings)
    count = sum(record.removed_at is None for record in reading.records)
    return count, "" if not odd else counted(odd, "odd thing")


def _is_large(adapter: Adapter) -> bool:
    if isinstance(adapter, SqliteStore):
        if adapter.root.stat().st_size <= MOST_BYTES:
            with snapshot(adapter.root) as connection:
                for table in adapter.writes_to:
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
