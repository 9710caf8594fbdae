"""Pairs that clash or repeat each other: the queue, verdicts, and the sweep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import clean
from memtui.memory.contradictions.pairs import (
    BOTH_TRUE,
    DISCARD_BOTH,
    DUPLICATE,
    FALSE_POSITIVE,
    KEEP_A,
    KEEP_B,
    LATER,
    MERGE,
    VERDICTS,
    Pair,
    PairDetail,
    ScanResult,
)
from memtui.memory.contradictions.queue import QueueCounts
from memtui.memory.results import Change
from memtui.workspace.background import JobControl
from memtui.workspace.changes import summaries
from memtui.workspace.journal.items import VERDICT
from memtui.workspace.verdicts import plan, settle
from memtui.workspace.verdicts.case import Case, blocked_by, why_not
from memtui.workspace.verdicts.unit import Step, Unit
from tests.support.fake_workspace.base import digest
from tests.support.fake_workspace.changing import Changing


class ReviewApi(Changing):
    """The pairs that a test lists, and those that the sweep finds."""

    def review(self) -> QueueCounts:
        states = Counter(pair.state for pair in self.findings.values())
        late = sum(pair.escalated for pair in self.findings.values() if pair.state == "open")
        same = sum(pair.family == DUPLICATE for pair in self.findings.values() if pair.state == "open")
        return QueueCounts(states["open"], late, states["later"], states["settled"], len(self.to_compare), same)

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
            FALSE_POSITIVE: ("Both stay; never asked again while both texts stand.",),
        }
        whys = {verdict: self._why_not(found, verdict) for verdict in VERDICTS}
        blocked = {verdict: refusal.why for verdict, refusal in whys.items() if refusal}
        merged = self.merged.get(id, f"{a.memory.content}\n{b.memory.content}")
        return PairDetail(
            *(found, a, b, self.suggested.get(id), (3, 0), outcome, blocked, merged),
            digests=self._judged(found),
        )

    def _judged(self, pair: Pair) -> tuple[str, str]:
        return digest(self.memories[pair.a]), digest(self.memories[pair.b])

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
        if refusal := self._why_not(pair, verdict):
            raise refusal
        case = self._case(pair)
        if verdict == MERGE and not (text or "").strip() and not (text is None and case.exact):
            raise Refused("empty", "Not merged: the text is empty.", "Write what A is to say.")
        note = clean(note).strip()
        engine, steps = self._engine, self._steps(case, verdict, text, note)
        said = settle._said(engine, case, verdict, note, until)
        pieces = Unit(engine, [*steps, said], (pair.a, pair.b)).pieces
        for piece in pieces:
            assert piece.held is not None
            piece.memory_id = piece.held.id
        written = [piece for piece in pieces if piece.after.keys() - {VERDICT}]
        name = "Not the same, 1 pair" if case.repeats else "No contradiction, 1 pair"
        where = summaries.places_of(written, files=False) or "kept in memtui"
        summary = f"{settle._TOLD.get(verdict, name)}, {where}"
        line = self._carry_out("resolved", summary, pieces)
        return Change("resolved", (pair.a, pair.b), summary, line)

    def _case(self, pair: Pair) -> Case:
        a, b = self._held(pair.a), self._held(pair.b)
        rows: dict[int, Any] = {each.store_id: self._row(each.id) for each in (a, b)}
        for each in (a, b):
            if each.id in self.locked:
                rows[each.store_id] = self._row(each.id)
        changed = self._texts.get(pair.id, now := self._say([pair.a, pair.b])) != now
        return Case(pair, a, b, rows, changed, self._judged(pair))

    def _why_not(self, pair: Pair, verdict: str) -> Refused | None:
        if why := self.unsettled.get(pair.id, {}).get(verdict):
            return blocked_by(why)
        return why_not(self._engine, self._case(pair), verdict)

    def _steps(self, case: Case, verdict: str, text: str | None, note: str) -> list[Step]:
        """What becomes of the two; their relations stay, where the real one moves them along."""
        a, b, engine = case.a, case.b, self._engine
        assert not a.memory.ties + b.memory.ties, "the fake workspace moves no relations along"
        if verdict in (LATER, BOTH_TRUE, FALSE_POSITIVE):
            return []
        if verdict == DISCARD_BOTH:
            return [plan._discarded(case, each, note) for each in (a, b)]
        winner, loser = (b, a) if verdict == KEEP_B else (a, b)
        merged = plan._merged(engine, case, text) if verdict == MERGE else []
        how = "merge" if verdict == MERGE else "keep"
        return [*merged, plan._loses(engine, case, winner, loser, how, note)]

    def sweep(self, manners: JobControl | None = None, ids: Sequence[int] | None = None) -> ScanResult:
        manners = manners or JobControl()
        done, found = 0, 0
        while self.to_compare and not manners.stop():
            self._gate("sweep", manners.stop)
            pair = self.to_compare.pop(0)
            done += 1
            if pair is not None:
                self.findings[pair.id] = pair
                found += 1
            manners.tell(done, len(self.to_compare))
        return ScanResult(done, done, found, 0, len(self.to_compare))
