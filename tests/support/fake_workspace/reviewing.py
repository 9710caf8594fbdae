"""Pairs that clash or repeat each other: the queue, verdicts, and the sweep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memtui.errors import Refused
from memtui.memory.pairs import (
    BOTH_TRUE,
    DISCARD_BOTH,
    KEEP_A,
    KEEP_B,
    LATER,
    MERGE,
    NOT_SO,
    VERDICTS,
    Pair,
    PairDetail,
    ReviewState,
    Said,
    Swept,
)
from memtui.memory.records import Change
from memtui.workspace.manners import Manners
from tests.support.fake_workspace.changing import Changing

_LOSE = {KEEP_A: "b", MERGE: "b", KEEP_B: "a", DISCARD_BOTH: "ab"}
_DONE = {
    KEEP_A: "Kept A",
    KEEP_B: "Kept B",
    MERGE: "Merged",
    BOTH_TRUE: "Both true",
    LATER: "Later",
    DISCARD_BOTH: "Discarded both",
    NOT_SO: "Not so",
}


class Reviewing(Changing):
    """The pairs that a test lists, and those that the sweep finds."""

    def review(self) -> ReviewState:
        states = Counter(pair.state for pair in self.findings.values())
        late = sum(pair.escalated for pair in self.findings.values() if pair.state == "open")
        return ReviewState(states["open"], late, states["later"], states["settled"], len(self.to_compare))

    def pairs(
        self,
        *,
        family: str = "",
        kind: str = "",
        store: str = "",
        state: str = "open",
        memory: int | None = None,
    ) -> list[Pair]:
        self._may("pairs")
        found = [
            pair
            for pair in self.findings.values()
            if (not state or pair.state == state)
            and (not family or pair.family == family)
            and (not kind or pair.kind == kind)
            and (not store or store in pair.stores)
            and memory in (None, pair.a, pair.b)
        ]
        return sorted(found, key=lambda pair: (not pair.escalated, -pair.score))

    def pair(self, id: int) -> PairDetail | None:
        self._gate(f"pair {id}")
        self._may("pair")
        found = self.findings.get(id)
        a, b = (self.detail(found.a), self.detail(found.b)) if found is not None else (None, None)
        if found is None or a is None or b is None:
            return None
        leaves = "leaves search and what agents recall; it stays in the journal."
        outcome = {
            KEEP_A: (f"B gives way to A in {b.memory.store}: it {leaves}", "1 relation goes from B to A."),
            KEEP_B: (f"A gives way to B in {a.memory.store}: it {leaves}",),
            MERGE: ("A takes the merged text, B gives way to it.",),
            BOTH_TRUE: ("Both stay; this pair is not asked about again.",),
            LATER: ("It comes back in a week.",),
            DISCARD_BOTH: ("Both are dismissed.",),
            NOT_SO: ("Both stay; never asked again while both texts stand.",),
        }
        merged = self.merged.get(id, f"{a.memory.content}\n{b.memory.content}")
        return PairDetail(
            *(found, a, b, self.suggested.get(id), (3, 0), outcome, self.unsettled.get(id, {}), merged),
            judged=self._judged(found),
        )

    def _judged(self, pair: Pair) -> tuple[str, str]:
        return self.memories[pair.a].content, self.memories[pair.b].content

    def settle(
        self,
        id: int,
        verdict: str,
        *,
        text: str | None = None,
        note: str = "",
        until: float | None = None,
        seen: tuple[str, str] | None = None,
    ) -> Change:
        self._gate(f"settle {id}")
        self._may("settle")
        self._writable()
        if verdict not in VERDICTS:
            raise Refused("verdict", f"A verdict is one of {', '.join(VERDICTS)}.", "Nothing was changed.")
        pair = self.findings.get(id)
        if pair is None or not {pair.a, pair.b} <= self.memories.keys():
            raise Refused("nothing", "There is no such pair.", "memtui contradictions list --all shows them.")
        if seen is not None and seen != self._judged(pair):
            raise Refused("changed", "Not settled: one of the two says something else by now.", "Look again.")
        if why := self.unsettled.get(id, {}).get(verdict):
            raise Refused("blocked", f"Not settled: {why}", "Nothing was changed.")
        if verdict == MERGE and not (text or "").strip():
            raise Refused("empty", "Not merged: the text is empty.", "Write what A is to say.")
        ids, before, after = [], [], []
        for side, memory in (("a", pair.a), ("b", pair.b)):
            fields: dict[str, Any] = {}
            if side in _LOSE.get(verdict, ""):
                fields["status"] = "dismissed" if verdict == DISCARD_BOTH else "superseded"
            elif verdict == MERGE:
                fields["content"] = text
            ids.append(memory)
            before.append({name: getattr(self.memories[memory], name) for name in fields})
            self.memories[memory] = replace(self.memories[memory], **fields)
            after.append(fields)
        change = self._log("resolved", f"{_DONE[verdict]} on “{pair.labels[0]}”", ids, before, after)
        said = Said(verdict, self.clock(), "person", note, until, change.journal_id)
        self.findings[id] = replace(pair, state="later" if verdict == LATER else "settled", said=said)
        return change

    def sweep(self, manners: Manners | None = None, ids: Sequence[int] | None = None) -> Swept:
        manners = manners or Manners()
        done, found = 0, 0
        while self.to_compare and not manners.stop():
            self._gate("sweep", manners.stop)
            pair = self.to_compare.pop(0)
            done += 1
            if pair is not None:
                self.findings[pair.id] = pair
                found += 1
            manners.tell(done, len(self.to_compare))
        return Swept(done, done, found, 0, len(self.to_compare))
