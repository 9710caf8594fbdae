"""Reading a store again: only what changed is read (S-5).

A store consists of units that can be read independently: a file, a line, a block of rows. The fingerprint
of a unit stays the same while its content does. A small store is read whole, which also finds what is
wrong with it as a whole; of a large one only the changed units are read.
"""

from __future__ import annotations

import hashlib
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Protocol

from memtui.formats.contract.records import Reading

# A file whose change time is younger may be written again within the same tick of that clock. File systems
# that store whole seconds need longer. Nanoseconds.
_FINE_TICK, _COARSE_TICK = 30_000_000, 2_100_000_000


class KnownUnits(Protocol):
    """What the mirror knows of a store's units from the last read."""

    def anchors_in(self, units: Collection[str]) -> set[str]:
        """Return the anchors of the records that were read in these units."""

    def units_of(self, anchors: Collection[str]) -> set[str]:
        """Return the units in which records of these anchors were read."""

    def duplicate_anchors(self) -> set[str]:
        """Return the anchors of records that are numbered, since another has the same text."""

    def is_target(self, names: Collection[str], except_units: Collection[str]) -> bool:
        """Return whether a relation outside of `except_units` leads to one of these names, in any
        spelling."""


class Snapshot(ABC):
    """One moment of a store: `fingerprints` maps each unit to its fingerprint; "" never counts as equal."""

    fingerprints: Mapping[str, str]

    def units_to_read(
        self, changed: Collection[str], removed: Collection[str], known: KnownUnits
    ) -> Collection[str]:
        """Return the units to read when these changed or were removed: the changed ones, or more."""
        return changed

    @abstractmethod
    def read(self, units: Collection[str]) -> Iterator[Reading]:
        """Yield the content of these units in parts; of the whole store, if they are all its units."""


class WholeSnapshot(Snapshot):
    """A store that is one unit."""

    def __init__(self, reading: Reading, fingerprint: str = "") -> None:
        self.fingerprints = {"": fingerprint}
        self._reading = reading

    def read(self, units: Collection[str]) -> Iterator[Reading]:
        yield self._reading


def file_fingerprint(status: os.stat_result) -> str:
    """Return a fingerprint of a file from its metadata; "" if it was written too recently to be sure.

    Uses the change time, which no program can set back."""
    changed = status.st_ctime_ns
    tick = _FINE_TICK if changed % 1_000_000_000 else _COARSE_TICK
    if time.time_ns() - changed < tick:
        return ""
    return f"{changed}.{status.st_size}.{status.st_ino}"


def combine_fingerprints(fingerprints: Iterable[tuple[str, str]]) -> str:
    """Return one fingerprint for many named ones; "" if one of them is."""
    combined = hashlib.blake2b(digest_size=12)
    for name, fingerprint in fingerprints:
        if not fingerprint:
            return ""
        combined.update(f"{name}\0{fingerprint}\n".encode("utf-8", "surrogateescape"))
    return combined.hexdigest()
