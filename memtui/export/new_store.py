"""Memories as a new store of a format, and what that format cannot hold (S-70).

The store is made in a hidden folder beside its place and moved there at the end, so that nothing is left
behind if that fails.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from memtui.errors import Refused, driver_error
from memtui.export import new_store_relations, wording
from memtui.export.new_store_progress import Progress, Stopped
from memtui.export.registry import by_name
from memtui.formats import registry
from memtui.formats.contract import new_ids
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Fitted, Plan, Write
from memtui.formats.media.files import atomic_write
from memtui.formats.media.sqlite.store import SqliteStore
from memtui.memory.memory import DEFAULTS, Memory
from memtui.memory.relations import RelationAmong
from memtui.memory.selection.candidate import Candidate
from memtui.values import Fields
from memtui.workspace.background import JobControl
from memtui.workspace.changes.full_adds import TRANSFERRED

_STAGING = ".memtui-export-"  # begins the name of a folder in which a store is made
_SUFFIX = "-store"  # of a format whose name is that of a text
_DISK_ERRORS = ("FullError", "IOError", "CantOpenError")  # of SQLite, as the driver names them
_MAX_KEY = 55  # characters of a key before the number that tells it apart


@dataclass(frozen=True, slots=True)
class Written:
    """A memory in a new store: its fields that had to `change`, and those that the format `lost`."""

    uid: str
    changed: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewStore:
    """A store that was made: its root, the memories in it, and why others are not, by uid; how many
    relations among the memories are in it, and how many are not."""

    root: Path
    written: tuple[Written, ...]
    refused: dict[str, str] = field(default_factory=dict)
    relations: int = 0
    relations_lost: int = 0

    @property
    def changed(self) -> Counter[str]:
        """How many memories had to change, by field."""
        return Counter(name for each in self.written for name in each.changed)

    @property
    def lost(self) -> Counter[str]:
        """How many memories lost a value, by field."""
        return Counter(name for each in self.written for name in each.lost)


@cache
def store_kinds() -> dict[str, type[Adapter]]:
    """Return the store formats by their names for --as: their own, with `-store` where a text has it."""
    return {f"{each.format}{_SUFFIX if by_name(each.format) else ''}": each for each in registry.formats()}


def write_store(
    kind: type[Adapter],
    path: Path,
    memories: Sequence[Memory],
    now: float,
    relations: Sequence[RelationAmong] = (),
    *,
    inside: bool = False,
    control: JobControl | None = None,
) -> NewStore:
    """Make a store with these memories in this order, and the relations among them that its format holds, at
    `path`, or `inside` the new folder `path`.

    A format whose folder needs a name of its own is always inside. `now` is the time of the additions (Unix
    seconds) where no memory has a time: else that is the time of the newest, so that the same memories give
    the same bytes. `control` receives the progress and can stop the export. Raise Refused if something
    exists at the path, if there is no memory that the format can hold, if the store cannot be written, or
    with code "stopped"; nothing is left behind then.
    """
    if os.path.lexists(path):
        raise wording.store_place_taken(path)
    if not memories:
        raise wording.nothing_to_export()
    try:
        with _staging_folder(path.absolute().parent) as stage:
            folder = stage / path.name
            folder.mkdir(mode=0o700)
            root = kind.create(folder / kind.usual_paths[0] if issubclass(kind, SqliteStore) else folder)
            adapter = kind(root)
            progress = Progress(control or JobControl(), len(memories))
            adapter.on_step = progress.step
            with new_ids.repeatable(" ".join(each.uid for each in memories)):
                made = _fill(adapter, memories, relations, _time_of(memories, now), progress)
            top = root if root.is_file() and not inside else folder
            if not made.written:
                raise wording.none_fits(kind.title, list(made.refused.values()))
            _publish(top, path)
            return replace(made, root=path / root.relative_to(top))
    except Stopped:
        raise wording.export_stopped() from None
    except OSError as error:
        raise wording.not_written(path, (error.strerror or str(error)).lower()) from error
    except Exception as error:
        if driver_error(error) not in _DISK_ERRORS:
            raise
        raise wording.not_written(path, str(error)) from error


@contextmanager
def _staging_folder(parent: Path) -> Iterator[Path]:
    """Make a hidden folder for a store that is being made, and remove it at the end; those that a killed
    process left there are removed first."""
    for left in parent.glob(f"{_STAGING}*"):
        with suppress(OSError), _locked(left):
            shutil.rmtree(left)
    with ExitStack() as held:
        stage = None
        while stage is None:
            made = Path(tempfile.mkdtemp(prefix=_STAGING, dir=parent))
            with suppress(FileNotFoundError, BlockingIOError):  # another export took it for left
                held.enter_context(_locked(made))
                stage = made if made.is_dir() else None
        held.callback(shutil.rmtree, stage, ignore_errors=True)
        yield stage


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder, at most until the process ends; raise OSError if another one has locked it."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(fd)


def _publish(top: Path, path: Path) -> None:
    """Move a store to its place; raise Refused if another program made something there meanwhile."""
    try:
        if top.is_dir():
            os.mkdir(path, 0o700)  # a rename alone would replace an empty folder of another program
            _rename_over(top, path)
        else:
            os.link(top, path)  # unlike a rename, it never replaces a file
    except (FileExistsError, NotADirectoryError):
        raise wording.store_place_taken(path) from None
    atomic_write.sync_folder(path.absolute().parent)


def _rename_over(top: Path, empty: Path) -> None:
    try:
        os.rename(top, empty)
    except OSError:
        with suppress(OSError):
            os.rmdir(empty)
        raise


def _time_of(memories: Sequence[Memory], now: float) -> float:
    """Return when the newest of the memories was last touched, at most `now`."""
    times = [at for each in memories if (at := Candidate(each).touched_at) is not None]
    return min(now, max(times, default=now))


def _fill(
    adapter: Adapter,
    memories: Sequence[Memory],
    relations: Sequence[RelationAmong],
    now: float,
    progress: Progress,
) -> NewStore:
    names = _Names(adapter)
    fitted = [_fitted(adapter, each) for each in memories]
    # Before the memories of an entity share its fields, which are not lost then.
    lost = [_lost(memory, each) for memory, each in zip(memories, fitted, strict=True)]
    fitted = [names.apart(each) for each in fitted]
    writes = [Write("add", "", each.fields, {}, now) for each in fitted]
    results = adapter.plan(writes)
    plans: dict[str, Plan] = {}
    written: list[Written] = []
    refused: dict[str, str] = {}
    for memory, each, missing, result in zip(memories, fitted, lost, results, strict=True):
        if isinstance(result, Refused):
            refused[memory.uid] = result.reason
        else:
            plans[memory.uid] = result
            written.append(Written(memory.uid, tuple(each.changed), missing))
    held = 0
    if plans:
        progress.write(_writes(adapter, plans.values()))
        adapter.apply(list(plans.values()), "export")
        refs = {uid: plan.ref_after for uid, plan in plans.items() if plan.ref_after is not None}
        held = new_store_relations.write(adapter, refs, relations, now)
    return NewStore(adapter.root, tuple(written), refused, held, len(relations) - held)


def _writes(adapter: Adapter, plans: Collection[Plan]) -> int:
    """Return how many files, or changes of rows, these plans are written in."""
    if isinstance(adapter, SqliteStore):
        return len(plans)
    return len({edit.name for plan in plans for edit in plan.edits})


def _fitted(adapter: Adapter, memory: Memory) -> Fitted:
    """Return the memory as the format can hold it, as for a copy."""
    values = {name: getattr(memory, name) for name in TRANSFERRED}
    return adapter.fit(
        {name: value for name, value in values.items() if value != DEFAULTS[name] or name == "status"}
    )


def _lost(memory: Memory, fitted: Fitted) -> tuple[str, ...]:
    """Return the fields of the memory that the store has no place for."""
    lost = [
        name
        for name in TRANSFERRED
        if getattr(memory, name) != DEFAULTS[name]
        and name not in fitted.fields
        and name not in fitted.changed
    ]
    return (*lost, "extra") if memory.extra and "extra" not in fitted.fields else tuple(lost)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name[:_MAX_KEY]}-{number}"


class _Names:
    """Makes memories fit beside each other: unique names get a number, and memories of one entity share
    what belongs to that."""

    def __init__(self, adapter: Adapter) -> None:
        self._unique = "key" if adapter.unique_keys else "subject" if adapter.unique_subjects else ""
        self._entity, *self._shared = adapter.entity_fields or ("",)
        self._taken: set[tuple[str, str]] = set()
        self._numbers: dict[tuple[str, str], int] = {}  # the last one of each wanted name
        self._entities: dict[str, Fields] = {}

    def apart(self, fitted: Fitted) -> Fitted:
        """Return the memory as it fits beside those before it."""
        if wanted := fitted.fields.get(self._unique):
            self._number(fitted, str(wanted))
        if entity := fitted.fields.get(self._entity):
            self._share(fitted, str(entity))
        return fitted

    def _number(self, fitted: Fitted, wanted: str) -> None:
        owner = str(fitted.fields.get("owner"))
        number = self._numbers.get((owner, wanted), 1)
        while (owner, (name := _numbered(wanted, number)).casefold()) in self._taken:
            number += 1
        self._numbers[owner, wanted] = number
        self._taken.add((owner, name.casefold()))
        if number > 1:
            fitted.fields[self._unique] = name
            fitted.changed[self._unique] = (wanted, name)

    def _share(self, fitted: Fitted, entity: str) -> None:
        own = {name: fitted.fields.get(name) for name in self._shared}
        if entity not in self._entities:
            self._entities[entity] = own
            return
        for name, value in self._entities[entity].items():
            fitted.fields.pop(name, None)
            if own[name] != value:
                fitted.changed[name] = (own[name], value)
