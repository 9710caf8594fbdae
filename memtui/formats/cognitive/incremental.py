"""Looking at a tree again: what a file says may hang on those that it names (S-5)."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from memtui.formats.cognitive.paths import parted
from memtui.formats.cognitive.reader import Tree
from memtui.formats.contract.adapter import Reading
from memtui.formats.contract.incremental import Known
from memtui.formats.media.files.tree import TreeLook, unit_of

if TYPE_CHECKING:
    from memtui.formats.cognitive import Cognitive

_MANY = 100  # memories that changed, above which all is read anew


class CognitiveLook(TreeLook):
    """Of a large tree, the files that changed are read, and those that name one of their memories."""

    _store: Cognitive

    def scope(self, changed: Collection[str], lost: Collection[str], known: Known) -> Collection[str]:
        units = super().scope(changed, lost, known)
        if not (changed or lost) or len(units) == len(self.marks):
            return units
        # Episodes name a file that was moved as it was called then, but for the digits.
        names = {f"{parted(self._names.get(unit, unit))[1]}.md" for unit in (*changed, *lost)}
        ids = {record.anchor for record in self._parts(changed).records}
        calls = [each.encode() for each in (names | ids | known.anchors_in([*changed, *lost])) if each]
        if len(calls) > _MANY:
            return self.marks.keys()
        also = {unit_of(n) for n, data in self._files.items() if any(call in data for call in calls)}
        return also & self.marks.keys() | set(units)

    @cached_property
    def _files(self) -> Tree:
        return Tree.of(self._store.load()[0])

    def _parts(self, units: Collection[str]) -> Reading:
        names = {self._names[unit] for unit in units if unit in self._names}
        return self._store.parts(names & self._files.keys(), self._files)
