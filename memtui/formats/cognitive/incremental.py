"""Incremental reading of a tree: what a file says may depend on the files that it names (S-5)."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from memtui.formats.cognitive.paths import split_name
from memtui.formats.cognitive.reader import Tree
from memtui.formats.contract.incremental import KnownUnits
from memtui.formats.contract.records import Reading
from memtui.formats.media.files.tree import TreeSnapshot, unit_of

if TYPE_CHECKING:
    from memtui.formats.cognitive import Cognitive

_MANY = 100  # names and ids of changed memories, above which all files are read


class CognitiveSnapshot(TreeSnapshot):
    """One moment of a tree; of a large one the changed files are read, and those that name their memories."""

    _store: Cognitive

    def units_to_read(
        self, changed: Collection[str], removed: Collection[str], known: KnownUnits
    ) -> Collection[str]:
        units = super().units_to_read(changed, removed, known)
        if not (changed or removed) or len(units) == len(self.fingerprints):
            return units
        # Episodes link to a moved file by its former name, of which only the short id is still right.
        ends = {f"{split_name(self._names.get(unit, unit))[1]}.md" for unit in (*changed, *removed)}
        ids = {record.anchor for record in self._read(changed).records}
        mentions = [each.encode() for each in (ends | ids | known.anchors_in([*changed, *removed])) if each]
        if len(mentions) > _MANY:
            return self.fingerprints.keys()
        dependent = {
            unit_of(name) for name, data in self._files.items() if any(each in data for each in mentions)
        }
        return dependent & self.fingerprints.keys() | set(units)

    @cached_property
    def _files(self) -> Tree:
        return Tree.of(self._store.load()[0])

    def _read(self, units: Collection[str]) -> Reading:
        names = {self._names[unit] for unit in units if unit in self._names}
        return self._store.parse_files(names & self._files.keys(), self._files)
