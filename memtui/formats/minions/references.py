"""Which index and contradiction minions belong to which memory, found once for all writes of a batch."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from memtui.formats.media.files.draft import Draft
from memtui.formats.minions.json_decode import decode, member
from memtui.formats.minions.reader import is_deleted
from memtui.formats.minions.schema import slug_of

_CACHED = "references"


@dataclass(slots=True)
class References:
    """Names of files by the memories that they refer to; files removed meanwhile are left out of results."""

    draft: Draft
    indexes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    contradictions: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, name: str, data: bytes) -> None:
        """Add the references of one file."""
        if b"memory-index" not in data and b"memory-contradiction" not in data:
            return
        minion = decode(data)[0]
        if not isinstance(minion, dict) or is_deleted(minion):
            return
        slug = slug_of(minion.get("minionTypeId"))
        if slug == "memory-index":
            self.indexes[str(member(minion, "memoryId"))].append(name)
        elif slug == "memory-contradiction":
            ends = str(member(minion, "memoryIdA")), str(member(minion, "memoryIdB"))
            self.contradictions[ends].append(name)

    def indexes_of(self, id: str) -> list[str]:
        """Return the files of a memory's index minions."""
        return self._existing(self.indexes.get(id, []))

    def contradictions_of(self, id: str, other: str) -> list[str]:
        """Return the files of the contradictions between two memories, in either order."""
        found = [*self.contradictions.get((id, other), []), *self.contradictions.get((other, id), [])]
        return self._existing(found)

    def _existing(self, names: list[str]) -> list[str]:
        return [name for name in dict.fromkeys(names) if name in self.draft.files]


def references(draft: Draft) -> References:
    """Return the references in the draft's files."""
    if _CACHED not in draft.caches:
        found = References(draft)
        for name, data in sorted(draft.files.items()):
            found.add(name, data)
        draft.caches[_CACHED] = b"", found
    cached = draft.caches[_CACHED][1]
    assert isinstance(cached, References)
    return cached
