"""What a format counts in all files of a store, kept up to date file by file while a batch is planned.

Each addition asks for a free name, or for what most files have: counted anew, a batch would take a time that
grows with the square of its additions.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from memtui.formats.media.files.draft import Draft

Mark: TypeAlias = Callable[[str, bytes, int], Hashable]
"""What is counted of a file, by its name, bytes and permission bits; a pure function, the same object at each
call. None is not counted."""

_NUMBERS = "free-numbers"


class Tally:
    """How many files have each mark."""

    def __init__(self, mark: Mark) -> None:
        self.counts: Counter[Hashable] = Counter()
        self._mark = mark
        self._marks: dict[str, Hashable] = {}

    def update(self, names: Iterable[str], files: Mapping[str, bytes], modes: Mapping[str, int]) -> None:
        """Count these files as they are now."""
        for name in names:
            old = self._marks.pop(name, None)
            if old is not None:
                self.counts[old] -= 1
                if not self.counts[old]:
                    del self.counts[old]
            if name in files:
                new = self._mark(name, files[name], modes.get(name, 0o600))
                if new is not None:
                    self._marks[name] = new
                    self.counts[new] += 1

    def first_of(self, marks: Iterable[Hashable], files: Iterable[str]) -> Hashable:
        """Return which of these marks the first file with one of them has; None if no file has one."""
        wanted = frozenset(marks)
        return next((self._marks[name] for name in files if self._marks.get(name) in wanted), None)


def folded(name: str, data: bytes, mode: int) -> str:
    """Return the name of a file, whatever its case."""
    return name.casefold()


def mode_of(name: str, data: bytes, mode: int) -> int:
    """Return the permission bits of a file."""
    return mode


def free_name(draft: Draft, folder: Path, name_of: Callable[[int], str]) -> str:
    """Return the first of `name_of(1)`, `name_of(2)` … that no file in the draft or the folder has, whatever
    its case."""
    taken = draft.tally(folded)
    removals, numbers = draft.caches.get(_NUMBERS, (b"", (-1, {})))[1]
    if removals != draft.removals:  # else all numbers before the last one are still taken
        numbers = {}
        draft.caches[_NUMBERS] = b"", (draft.removals, numbers)
    first = name_of(1)
    number = numbers.get(first, 1)
    while (name := name_of(number)).casefold() in taken or os.path.lexists(folder / name):
        number += 1
    numbers[first] = number
    return name
