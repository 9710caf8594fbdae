"""What a round needs from the program that owns a store, and from the user who works in memtui."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from memtui.memory.results import Change, TransferResult
from memtui.workspace.workspace import Workspace
from tests.soak.owners.texts import Texts

S = TypeVar("S")
"""The state of a store as its owner reads it."""
Data = Mapping[str, bytes]
"""The bytes of a store's files, by name."""
STORE = "owned"
"""The store's name in memtui."""


class RoundFailed(Exception):
    """A round ended wrong; the message says how."""


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """One verb of the user: a description, the call, and a check of the state before and after it and of its
    result ("" if nothing is wrong). `refusals` are the codes with which it must be refused; empty if it must
    be done."""

    description: str
    act: Callable[[], Change | TransferResult]
    check: Callable[[S, S, Change | TransferResult], str]
    refusals: frozenset[str] = frozenset()
    minor_check: Callable[[S, S, Change | TransferResult], str] = lambda before, after, change: ""
    """Another check, whose failure does not end the round."""


class Owner(Protocol[S]):
    """A program that owns a store, used for one round after the other. Raises RoundFailed if it fails."""

    path: Path
    format: str
    written_marks: Counter[str]
    """The marks of all texts that it wrote in this round."""

    def begin(self, chance: random.Random, texts: Texts) -> None:
        """Start a round, without a store."""

    def restart(self) -> None:
        """Restart the program."""

    def write(self) -> str:
        """Write something that an agent may ask for; return a description."""

    def read(self) -> S:
        """Return the store's state as it reads it."""

    def data(self) -> Data:
        """Return the bytes of the store's files."""

    def marks(self, state: S) -> Counter[str]:
        """Return the marks of the texts in a state."""

    def differences(self, state: S, workspace: Workspace) -> str:
        """Return how a state differs from memtui's, "" if it does not."""

    def probe(self, state: S) -> None:
        """Check that its other ways to read agree with a state."""


class User(Protocol[S]):
    """A user who chooses verbs in memtui, by the state that the owner last read."""

    state: S

    def choose(self) -> Step[S]:
        """Choose a verb that is possible now."""
