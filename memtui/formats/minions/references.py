"""Which minions stand beside which memory, found once for all writes of a batch."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from memtui.formats.media.files.draft import Draft
from memtui.formats.minions.json_decode import decoded, member
from memtui.formats.minions.reader import is_gone
from memtui.formats.minions.schema import slug_of

_MARK = b"minions"
Ends = tuple[str, str]


@dataclass(slots=True)
class Known:
    """Names of files by what they are about; those that went meanwhile are passed over."""

    draft: Draft
    indexes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    contradictions: dict[Ends, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, name: str, data: bytes) -> None:
        """Take one more file into account."""
        if b"memory-index" not in data and b"memory-contradiction" not in data:
            return
        minion = decoded(data)[0]
        if not isinstance(minion, dict) or is_gone(minion):
            return
        slug = slug_of(minion.get("minionTypeId"))
        if slug == "memory-index":
            self.indexes[str(member(minion, "memoryId"))].append(name)
        elif slug == "memory-contradiction":
            ends = str(member(minion, "memoryIdA")), str(member(minion, "memoryIdB"))
            self.contradictions[ends].append(name)

    def indexes_of(self, id: str) -> list[str]:
        """The files of the index minions of a memory."""
        return self._there(self.indexes.get(id, []))

    def contradictions_of(self, one: str, other: str) -> list[str]:
        """The files of the contradictions between two memories, whichever is named first."""
        found = [*self.contradictions.get((one, other), []), *self.contradictions.get((other, one), [])]
        return self._there(found)

    def _there(self, names: list[str]) -> list[str]:
        return [name for name in dict.fromkeys(names) if name in self.draft.files]


def known(draft: Draft) -> Known:
    """What is known of the files of a draft."""
    if draft.counted[0] != _MARK:
        found = Known(draft)
        for name, data in sorted(draft.files.items()):
            found.add(name, data)
        draft.counted = _MARK, found
    out = draft.counted[1]
    assert isinstance(out, Known)
    return out
