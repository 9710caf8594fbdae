"""The answers to the matches of a preview, one after another, as `git add -p` asks for them (S-54)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memtui.memory.replacement import Hit
from memtui.memory.results import ReplacingMemory


class Answers:
    """Which matches are to be replaced; answering changes nothing anywhere."""

    def __init__(self, memories: Sequence[ReplacingMemory]) -> None:
        self._places = [(memory, hit) for memory in memories for hit in memory.hits]
        self._given: list[bool] = []  # of the first places
        self._runs: list[int] = []  # how many places each answer was for

    @property
    def total(self) -> int:
        """How many matches there are."""
        return len(self._places)

    @property
    def place(self) -> int:
        """How many matches are answered."""
        return len(self._given)

    @property
    def current(self) -> tuple[ReplacingMemory, Hit] | None:
        """The match to be answered next, with its memory; None after the last one."""
        return self._places[self.place] if self.place < self.total else None

    def answer(self, *, yes: bool, rest: bool = False) -> None:
        """Accept or skip the next match, or with `rest` all that are left."""
        count = self.total - self.place if rest else 1
        self._given += [yes] * count
        self._runs.append(count)

    def take_back(self) -> bool:
        """Take the last answer back, for all matches that it was for; return whether there was one."""
        if not self._runs:
            return False
        del self._given[-self._runs.pop() :]
        return True

    def chosen(self) -> list[ReplacingMemory]:
        """Return the memories with accepted matches, with these alone."""
        memories: dict[int, ReplacingMemory] = {}
        hits: dict[int, list[Hit]] = {}
        for (memory, hit), yes in zip(self._places, self._given, strict=False):
            if yes:
                memories[memory.id] = memory
                hits.setdefault(memory.id, []).append(hit)
        return [replace(memory, hits=tuple(hits[id])) for id, memory in memories.items()]


def count_by_store(memories: Sequence[ReplacingMemory]) -> list[tuple[str, int, int]]:
    """Return the numbers of memories and of matches in each store, the largest first."""
    counts: dict[str, tuple[int, int]] = {}
    for memory in memories:
        before = counts.get(memory.store, (0, 0))
        counts[memory.store] = before[0] + 1, before[1] + len(memory.hits)
    ranked = sorted(counts.items(), key=lambda each: -each[1][0])
    return [(store, *count) for store, count in ranked]
