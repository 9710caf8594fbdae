"""What a round needs of the program that owns a store, and of the person who works in memtui beside it."""

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
"""What an owner reads in its store."""
Data = Mapping[str, bytes]
"""The bytes of a store's files by name."""
STORE = "owned"
"""What the store is called in memtui."""


class RoundFailed(Exception):
    """A round with a program ended otherwise than it must; says how."""


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """One verb of a person: what it is, how it is done, and what is wrong with what became of the first
    state, given what the verb says that it did ("" if nothing is). `refusals` are the codes with which it
    must be refused instead; empty where it must be done."""

    words: str
    act: Callable[[], Change | TransferResult]
    wrong: Callable[[S, S, Change | TransferResult], str]
    refusals: frozenset[str] = frozenset()
    beside: Callable[[S, S, Change | TransferResult], str] = lambda before, after, change: ""
    """What else is wrong, which does not keep the round from going on."""


class Owner(Protocol[S]):
    """A program that owns a store, for one round after the other. Raises Lost where it fails."""

    place: Path
    format: str
    wrote: Counter[str]
    """The marks of all texts that it was given to write in this round."""

    def begin(self, chance: random.Random, texts: Texts) -> None:
        """A round begins, without a store."""

    def restart(self) -> None:
        """Start it anew."""

    def write(self) -> str:
        """Write something that an agent may ask for; what."""

    def read(self) -> S:
        """What it reads in the store."""

    def data(self) -> Data:
        """The bytes of the store's files."""

    def marks(self, state: S) -> Counter[str]:
        """The marks of the texts that a state holds."""

    def unlike(self, state: S, workspace: Workspace) -> str:
        """How a state differs from what memtui says; "" if it does not."""

    def probe(self, state: S) -> None:
        """Ask in its other ways for what it read."""


class User(Protocol[S]):
    """Who chooses verbs in memtui, by what the owner last read."""

    state: S

    def choose(self) -> Step[S]:
        """A verb that can be tried now."""
