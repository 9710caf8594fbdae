"""What all verbs of the fake workspace share: a Workspace without a database, steered by Controls."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn, TypeVar, cast

from memtui.formats.contract.records import clean
from memtui.memory.contradictions.pairs import Decision
from memtui.memory.memory import Memory, label_of
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import pair_status
from memtui.workspace.mirror.memory_rows import MirrorRow, stored
from memtui.workspace.workspace import Workspace
from tests.support.fake_workspace.controls import Controls

# Unsupported verbs that were called on any fake of this process; a test that leaves one here fails.
unsupported_calls: list[str] = []
Verb = TypeVar("Verb", bound=Callable[..., object])
Digests = list[str | None]  # of two memories; None for one that is gone


@dataclass(frozen=True, slots=True)
class StoreRow:
    """A row of `stores` as the real functions need it; every store is changed as memtui's own is."""

    id: int
    name: str
    locked: bool
    format: str = NATIVE
    detached_at: float | None = None
    path: str = ""
    attached_at: float = 0.0
    pulled_at: float | None = None
    epoch: int = 0
    error: str = ""
    error_code: str = ""
    findings: str = "[]"
    stamp: str = ""
    changed_at: float | None = None


class Base(Controls, Workspace):
    """Opening and closing a workspace, and how a test blocks its verbs or makes them fail.

    Workspace is a base class so that mypy checks each verb against the real one; its own `__init__` is not
    called, so a verb that is not overridden has no database and fails.
    """

    def __init__(
        self, memories: Sequence[Memory], *, clock: Callable[[], float] = time.time, name: str = "work.db"
    ) -> None:
        Controls.__init__(self, memories, clock=clock)
        self.path = Path("/nowhere") / name
        self.read_only = False
        self.watched = False
        self.reconciled = ()
        self._seen_upto = 0  # the journal entry up to which agents' changes were marked as seen
        self._pulled: list[int] = []
        self._removed: dict[int, Memory] = {}  # their adding was undone
        self._store_ids: dict[str, int] = {}
        self._redone_by: dict[tuple[int, str], int] = {}  # the redo that an entry's part is in effect by
        self._found_digests: dict[int, Digests] = {}  # by pair, of the two when it was found
        self._verdicts: dict[int, list[tuple[Decision, Digests]]] = {}  # by pair, each with what it judged
        self._refused_undos: set[int] = set()  # entries that are passed over
        self._warned = 0  # the entry that was reported as not undoable
        self._local = threading.local()

    @classmethod
    def open(cls, path: Path, **more: object) -> NoReturn:
        raise NotImplementedError("FakeWorkspace is made of memories, not opened")

    def close(self) -> None:
        self.closed = True

    def close_thread(self) -> None:
        return

    def stop_reading(self) -> None:
        return

    def check(self) -> str:
        return ""

    def now(self) -> float:
        return self.clock()

    def report_progress(self, report: Callable[[str, float], None]) -> None:
        return

    @contextmanager
    def interruptible(self, stop: Callable[[], bool]) -> Iterator[None]:
        self._local.stop = stop
        try:
            yield
        finally:
            self._local.stop = None

    def _gate(self, name: str, stop: Callable[[], bool] | None = None) -> None:
        """Block until the test opens the gate; raise InterruptedError once `stop` returns True."""
        gate = self.gates.get(name)
        if gate is not None:
            self.reached_gates.append(name)
            stop = stop or getattr(self._local, "stop", None)
            while not gate.wait(0.005):
                if stop is not None and stop():
                    raise InterruptedError

    def _raise_error(self, verb: str) -> None:
        """Raise the error that the test set for a verb, if any."""
        if verb in self.errors:
            raise self.errors[verb]

    def _require_writable(self) -> None:
        Context.writable(self._context)

    # -- what the real functions of the workspace are given

    @property
    def _context(self) -> Context:
        """A stand-in for the real context; any other attribute that a function uses is missing, and fails."""
        reason = "The fake workspace takes no change." if self.read_only else ""
        db = SimpleNamespace(rows=self._bodies_before_removal)
        parts = {"read_only": reason, "clock": self.clock, "actor": "person", "db": db}
        return cast(Context, SimpleNamespace(**parts, adapter=lambda store: None))

    def _bodies_before_removal(self, sql: str, values: tuple[int]) -> list[tuple[str]]:
        if "rule_bases" in sql:  # its rules set nothing
            return []
        raise AssertionError(f"the fake workspace has no database to ask: {sql}")

    def _row(self, id: int) -> MirrorRow:
        """Return the mirror row of a memory, removed ones included."""
        memory = self.memories.get(id) or self._removed[id]
        removed_at = None if id in self.memories else self.clock()
        return MirrorRow(id, self._store_row(id).id, "", "", {}, None, removed_at, True, memory)

    def _store_row(self, id: int) -> StoreRow:
        """Return the store of a memory."""
        memory = self.memories.get(id) or self._removed[id]
        return self._store_named(memory.store, locked=id in self.locked)

    def _store_named(self, name: str, *, locked: bool = False) -> StoreRow:
        number = self._store_ids.setdefault(name, len(self._store_ids) + 1)
        locked = locked or any(info.name == name and info.locked for info in self.attached or ())
        return StoreRow(number, name, locked)

    def _next_id(self) -> int:
        """Return the row id of the next memory."""
        return max({*self.memories, *self._removed, *self.purged}, default=0) + 1


def unsupported(verb: Verb) -> Verb:
    """Return a verb with the signature of a real one, which raises NotImplementedError and is noted."""

    @wraps(verb)
    def fail(self: Base, *args: object, **more: object) -> NoReturn:
        unsupported_calls.append(verb.__name__)
        raise NotImplementedError(f"FakeWorkspace has no answer to {verb.__name__}")

    return cast(Verb, fail)


def label(memory: Memory) -> str:
    """Return the label of a memory in lists."""
    return label_of(memory.title, memory.subject, memory.content)


def digest(memory: Memory) -> str:
    """Return the digest of the text that a verdict judges; a row holds no lone surrogate."""
    texts: dict[str, Any] = {  # values of fields of Memory, which `replace` types one by one
        name: clean(text) for name in pair_status.DIGESTED if isinstance(text := getattr(memory, name), str)
    }
    return digest_of(replace(memory, **texts))


def digest_of(memory: Memory) -> str:
    """Return the digest of a memory as it is, as the workspace computes it in SQL."""
    columns = [stored(name, getattr(memory, name)) for name in pair_status.DIGESTED]
    return pair_status.digest("\x1f".join("" if text is None else f"={text}" for text in columns).encode())
