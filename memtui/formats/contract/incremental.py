"""Looking at a store again: only what changed is read (S-5).

A store is made of units, each of which can be read alone: a file, a line, a block of rows. Each
has a mark that stays the same while the unit says the same. A small store is read whole, which
also tells what is odd about it as a whole; of a large one only the units that changed are read.
"""

from __future__ import annotations

import hashlib
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memtui.formats.contract.adapter import Reading

# A file that was written so lately may be written again within the same tick of its clock.
_FRESH, _COARSE = 30_000_000, 2_100_000_000  # nanoseconds


class Known(Protocol):
    """What is known of a store from before."""

    def anchors_in(self, units: Collection[str]) -> set[str]:
        """The anchors of the records that were read in these units."""

    def units_of(self, anchors: Collection[str]) -> set[str]:
        """The units in which records of these anchors were read."""

    def doubled(self) -> set[str]:
        """The anchors of records that are numbered, since another says the same."""

    def is_target(self, names: Collection[str], beside: Collection[str]) -> bool:
        """Whether a relation leads to one of these names, however spelled, told in another unit than
        those beside."""


class Look(ABC):
    """One moment of a store: `marks` maps each of its units to its mark; "" never is the same."""

    marks: Mapping[str, str]

    def scope(self, changed: Collection[str], lost: Collection[str], known: Known) -> Collection[str]:
        """The units that have to be read where these changed or are gone: they, or more."""
        return changed

    @abstractmethod
    def read(self, units: Collection[str]) -> Iterator[Reading]:
        """What these units say, in parts; all of them, if they are all that the store has."""


class WholeLook(Look):
    """A store that is one unit."""

    def __init__(self, reading: Reading, mark: str = "") -> None:
        self.marks = {"": mark}
        self._reading = reading

    def read(self, units: Collection[str]) -> Iterator[Reading]:
        yield self._reading


def mark_of(status: os.stat_result) -> str:
    """A mark of a file by what the system says of it; "" while it was written too lately to tell.

    The time of change is the system's own: no program can set it back."""
    changed = status.st_ctime_ns
    patience = _FRESH if changed % 1_000_000_000 else _COARSE
    if time.time_ns() - changed < patience:
        return ""
    return f"{changed}.{status.st_size}.{status.st_ino}"


def stamp_of(marks: Iterable[tuple[str, str]]) -> str:
    """One mark for many; "" if one of them is."""
    whole = hashlib.blake2b(digest_size=12)
    for name, mark in marks:
        if not mark:
            return ""
        whole.update(f"{name}\0{mark}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()
