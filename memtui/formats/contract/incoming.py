"""What an agent's write is to the memories of a store, by the rules of its format (S-85, S-100 … S-105)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar

from memtui.memory.memory import Memory
from memtui.values import Fields

LOGGED = "episode"  # the kind of what tells that another memory was added


class Effect(StrEnum):
    """What becomes of a write, and of the memories that it meets."""

    ADDS = "adds"  # it is added; what is there stays as it is
    WAITS = "waits"  # likewise, and a person has to confirm it
    SUPERSEDES = "supersedes"  # it is added; what is there is no longer current
    REINFORCES = "reinforces"  # what is there says it already, and becomes surer
    REPLACES = "replaces"  # what is there gets its text, and becomes surer


class Incoming:
    """The rules of a format. These are those of any other: what says the same becomes surer, and another
    value for a key is added beside the first one.

    A write meets the agent's own memories, of kinds that have no owner in the store also nobody's: one that
    says the same, and if it names a key, those of that key which are in use and wait for nobody.
    """

    owned_kinds: ClassVar[tuple[str, ...]] = ()  # of memories that have an owner in the store
    shared_keys: ClassVar[bool] = False  # a key has one memory in the store, whoever wrote it
    similar_keys: ClassVar[bool] = False  # whether keys that are not equal may be the same
    records_contradictions: ClassVar[bool] = False  # an add may have `Write.against`
    kinds_that_repeat: ClassVar[tuple[str, ...]] = ()  # of which a similar memory is the same one again
    waiting: ClassVar[tuple[str, ...]] = ("candidate", "pending")  # what only a person confirms
    promotes: ClassVar[bool] = False  # every write promotes what has earned it in the whole store
    edit_confirms: ClassVar[bool] = False  # an edit by an agent makes a memory surer
    keeps_vectors: ClassVar[bool] = False  # an add may have `Write.vector`
    logs_additions: ClassVar[bool] = False  # an addition is followed by one of the kind LOGGED about it

    def is_same_key(self, key: str, other: str) -> bool:
        """Return whether two keys are of one thing."""
        return key == other

    def effect_on(self, fields: Fields, there: Sequence[Memory]) -> Effect:
        """Return what a write with these fields does to the memories of its key, which say something else."""
        return Effect.ADDS

    def beginning(self, fields: Fields) -> tuple[Fields, str]:
        """Return the fields that a new memory begins with beside its own, and its status; "" leaves it to the
        format."""
        return {}, ""

    def promoted(self, status: str, confidence: float | None, times_confirmed: int) -> str:
        """Return the status that the numbers of a memory have earned: the same where none has to rise."""
        return status
