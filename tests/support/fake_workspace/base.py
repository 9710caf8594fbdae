"""What all verbs of the fake workspace share: a Workspace without a database, steered by Controls."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

from memtui.errors import Refused
from memtui.memory.records import Memory, label_of
from memtui.workspace.workspace import Workspace
from tests.support.fake_workspace.controls import Controls

# Verbs without an answer that any fake of this process was asked for; a test that ends with one here fails.
strayed: list[str] = []
Verb = TypeVar("Verb", bound=Callable[..., Any])


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
        if self.read_only:
            raise Refused("read-only", "The fake workspace takes no change.", "No screen should ask for one.")


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


def counted(count: int) -> str:
    return f"{count} {'memory' if count == 1 else 'memories'}"
