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

from memtui.formats.contract.adapter import clean
from memtui.memory.contradictions.pairs import Decision
from memtui.memory.memory import Memory, label_of
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db.pair_status import SAYS, said
from memtui.workspace.mirror.memory_rows import MirrorRow, stored
from memtui.workspace.workspace import Workspace
from tests.support.fake_workspace.controls import Controls

# Verbs without an answer that any fake of this process was asked for; a test that ends with one here fails.
strayed: list[str] = []
Verb = TypeVar("Verb", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class StoreRow:
    """What the real functions ask of a row of `stores`; each store is changed as memtui's own is."""

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
    findings: str = "[]"
    stamp: str = ""
    changed_at: float | None = None


class Base(Controls, Workspace):
    """The life of a workspace, and how a test holds up or breaks its verbs.

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
        self._looked = 0
        self._away: dict[int, Memory] = {}  # were added, and that was taken back
        self._numbers: dict[str, int] = {}  # of the stores
        self._carried: dict[tuple[int, str], int] = {}  # the redo by which a line stands for a memory
        self._texts: dict[int, list[str | None]] = {}  # of the two of a pair, when it was found
        self._given: dict[int, list[tuple[Decision, list[str | None]]]] = {}  # verdicts on a pair, and on what
        self._refused: set[int] = set()  # lines that are passed over
        self._warned = 0  # the line of which it was said that it cannot be undone
        self._local = threading.local()

    @classmethod
    def open(cls, path: Path, **more: Any) -> NoReturn:
        raise NotImplementedError("FakeWorkspace is made of memories, not opened")

    def close(self) -> None:
        self.closed = True

    def close_thread(self) -> None:
        return

    def end(self) -> None:
        return

    def check(self) -> str:
        return ""

    def now(self) -> float:
        return self.clock()

    def tell_progress(self, tell: Callable[[str, float], None]) -> None:
        return

    @contextmanager
    def interruptible(self, stop: Callable[[], bool]) -> Iterator[None]:
        self._local.stop = stop
        try:
            yield
        finally:
            self._local.stop = None

    def _gate(self, name: str, stop: Callable[[], bool] | None = None) -> None:
        """Block until the test lets it go on, or nobody wants it any more."""
        gate = self.gates.get(name)
        if gate is not None:
            self.waiting.append(name)
            stop = stop or getattr(self._local, "stop", None)
            while not gate.wait(0.005):
                if stop is not None and stop():
                    raise InterruptedError

    def _may(self, verb: str) -> None:
        if verb in self.raising:
            raise self.raising[verb]

    def _writable(self) -> None:
        Context.writable(self._engine)

    # -- what the real functions of the workspace are given

    @property
    def _engine(self) -> Context:
        """Stands for the real one: what is asked for beside this has no answer, and fails."""
        why = "The fake workspace takes no change." if self.read_only else ""
        db = SimpleNamespace(rows=self._bodies_of_leaving)
        parts = {"read_only": why, "clock": self.clock, "actor": "person", "db": db}
        return cast(Context, SimpleNamespace(**parts, adapter=lambda store: None))

    def _bodies_of_leaving(self, sql: str, values: tuple[int]) -> list[tuple[str]]:
        raise AssertionError(f"the fake workspace has no database to ask: {sql}")

    def _held(self, id: int) -> MirrorRow:
        memory = self.memories.get(id) or self._away[id]
        gone = None if id in self.memories else self.clock()
        return MirrorRow(id, self._row(id).id, "", "", {}, None, gone, True, memory)

    def _row(self, id: int) -> StoreRow:
        """The store of a memory."""
        memory = self.memories.get(id) or self._away[id]
        return self._row_of(memory.store, locked=id in self.locked)

    def _row_of(self, name: str, *, locked: bool = False) -> StoreRow:
        number = self._numbers.setdefault(name, len(self._numbers) + 1)
        return StoreRow(number, name, locked or any(i.name == name and i.locked for i in self.attached or ()))

    def _next(self) -> int:
        """The row of the next memory."""
        return max({*self.memories, *self._away, *self.purged}, default=0) + 1


def unanswered(verb: Verb) -> Verb:
    """A verb with the signature of the real one that the fake has no answer to."""

    @wraps(verb)
    def stray(self: Base, *args: object, **more: object) -> NoReturn:
        strayed.append(verb.__name__)
        raise NotImplementedError(f"FakeWorkspace has no answer to {verb.__name__}")

    return cast(Verb, stray)


def label(memory: Memory) -> str:
    """What stands for a memory in a list."""
    return label_of(memory.title, memory.subject, memory.content)


def digest_of(memory: Memory) -> str:
    """What a verdict keeps of a memory's text, as the workspace works it out in SQL."""
    texts = [stored(name, getattr(memory, name)) for name in SAYS]
    return said("\x1f".join("" if text is None else f"={text}" for text in texts).encode())


def digest(memory: Memory) -> str:
    """What stands for the text that a verdict is given on; a row holds no half character."""
    texts: dict[str, Any] = {
        name: clean(text) for name in SAYS if isinstance(text := getattr(memory, name), str)
    }
    return digest_of(replace(memory, **texts))
