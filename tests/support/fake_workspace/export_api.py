"""What exports need: memories with their strengths and open pairs, and a real counter of tokens."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.base import inputs_of
from memtui.memory.memory import Memory
from memtui.memory.relations import RelationAmong
from memtui.memory.secrets.masking import Masking
from memtui.memory.selection.candidate import Candidate
from memtui.memory.tokens import TokenCounter
from memtui.workspace.workspace import Workspace
from tests.support.fake_workspace.review_api import ReviewApi


class ExportApi(ReviewApi):
    """Candidates for exports; all memories decay by memtui's own lifecycle."""

    def candidates(
        self,
        ids: Sequence[int],
        relevance: Mapping[int, float] = MappingProxyType({}),
        masking: Masking | None = None,
    ) -> list[Candidate]:
        self._gate("candidates")
        self._raise_error("candidates")
        return [
            Candidate(
                self.memories[id],
                relevance.get(id),
                self._strength(self.memories[id]),
                self._in_open_pair(id, CONTRADICTION),
                self._in_open_pair(id, DUPLICATE),
                id,
            )
            for id in ids
            if id in self.memories
        ]

    def ids_of(self, uids: Collection[str]) -> list[int]:
        return sorted(id for id, memory in self.memories.items() if memory.uid in uids)

    def seen_at(self, ids: Sequence[int]) -> float:
        return self.now()

    def relations_among(self, ids: Sequence[int]) -> list[RelationAmong]:
        return []  # none are made here

    def require_outside_stores(self, path: Path) -> None:
        return

    def token_counter(self, setting: str = "") -> TokenCounter:
        return Workspace.token_counter(self, setting)

    def _strength(self, memory: Memory) -> float | None:
        now = self.clock()
        score = float(by_name("memtui").scores(inputs_of(memory, now), now).current)
        return None if math.isnan(score) else score

    def _in_open_pair(self, id: int, family: str) -> frozenset[str]:
        """Return the uids of what is in an open pair with a memory."""
        pairs = map(self._with_snooze, self.pairs_by_id.values())
        found = (each for each in pairs if each.family == family and each.state == "open")
        others = (each.b if each.a == id else each.a for each in found if id in (each.a, each.b))
        return frozenset(self.memories[other].uid for other in others)
