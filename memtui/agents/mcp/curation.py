"""What agents do for the quality of memories: confirm what held, and see what contradicts what."""

from __future__ import annotations

from memtui.agents.mcp.answers import Changed, PairAnswer, Pairs, Side
from memtui.agents.mcp.arguments import Id, PairLimit, given
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.effects import ADDS, READS
from memtui.memory.contradictions.pairs import CONTRADICTION, Pair
from memtui.memory.encoding import iso
from memtui.memory.results import Change

_LIMIT = 20


class Curation:
    """Contradictions and confirmations."""

    TOOLS = {"memory_contradictions": READS, "memory_reinforce": ADDS}

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def memory_contradictions(self, limit: PairLimit = _LIMIT) -> Pairs:
        """Return the open contradictions of which the agent may read both sides; a person settles them."""
        compared = self._desk.compare_few()
        pairs = self._desk.opened.pairs_for(self._desk.agent, CONTRADICTION)
        answers = [self._answer(each) for each in pairs[:limit]]
        return Pairs(pairs=answers, total=len(pairs), compared=compared)

    def memory_reinforce(self, id: Id) -> Changed:
        """Note that a memory proved right once more."""
        desk = self._desk
        row = desk.opened.find_for(desk.agent, "uid", given(id))
        return changed(desk, row, desk.opened.confirm_for(desk.agent, row))

    def _answer(self, pair: Pair) -> PairAnswer:
        a, b = self._desk.opened.memories([pair.a, pair.b])
        return PairAnswer(
            a=Side(id=a.uid, store=pair.stores[0], label=pair.labels[0]),
            b=Side(id=b.uid, store=pair.stores[1], label=pair.labels[1]),
            kind=pair.kind,
            why=pair.reason,
            score=round(pair.score, 4),
            found_at=iso(pair.found_at),
        )


def changed(desk: Desk, id: int, change: Change) -> Changed:
    """Return what a change did to the one memory that it was about."""
    (memory,) = desk.opened.memories([id])
    return Changed(id=memory.uid, summary=change.summary, journal=change.journal_id)
