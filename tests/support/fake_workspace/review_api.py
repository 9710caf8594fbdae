"""Contradictions and duplicates: the queue of Review, verdicts, and the scan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from memtui.errors import Refused
from memtui.formats.contract.records import clean
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
from memtui.memory.contradictions.wording import no_pair
from memtui.memory.encoding import iso
from memtui.memory.results import Change
from memtui.workspace.background import JobControl
from memtui.workspace.changes import summaries
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import VERDICT
from memtui.workspace.verdicts import plan, settle, wording
from memtui.workspace.verdicts.case import Case, refusal_of
from memtui.workspace.verdicts.unit import Step, Unit
from tests.support.fake_workspace.base import digest
from tests.support.fake_workspace.changes import Changes


class ReviewApi(Changes):
    """The pairs that a test sets, and those that the scan finds."""

    def queue_counts(self) -> QueueCounts:
        found = [self._with_snooze(pair) for pair in self.pairs_by_id.values()]
        states = Counter(pair.state for pair in found)
        escalated = sum(pair.escalated for pair in found if pair.state == "open")
        duplicates = sum(pair.family == DUPLICATE for pair in found if pair.state == "open")
        return QueueCounts(
            states["open"],
            escalated,
            states["later"],
            states["settled"],
            len(self.scan_queue),
            duplicates,
        )

    def pairs(
        self,
        *,
        family: str = "",
        kind: str = "",
        store: str = "",
        state: str = "open",
        memory: int | None = None,
    ) -> list[Pair]:
        self._raise_error("pairs")
        found = [
            pair
            for pair in map(self._with_snooze, self.pairs_by_id.values())
            if (not state or pair.state == state)
            and (not family or pair.family == family)
            and (not kind or pair.kind == kind)
            and (not store or store in pair.stores)
            and memory in (None, pair.a, pair.b)
        ]
        return sorted(found, key=lambda pair: (not pair.escalated, -pair.score))

    def _with_snooze(self, pair: Pair) -> Pair:
        """Return a pair as it is while one of its memories is snoozed."""
        ends = (self.memories.get(id) for id in (pair.a, pair.b))
        until = max((m.snoozed_until or 0.0 for m in ends if m is not None), default=0.0)
        is_hidden = pair.state == "open" and until > self.clock()
        return replace(pair, state=LATER, escalated=False) if is_hidden else pair

    def pair(self, id: int) -> PairDetail | None:
        self._gate(f"pair {id}")
        self._raise_error("pair")
        found = self.pairs_by_id.get(id)
        a, b = (self.detail(found.a), self.detail(found.b)) if found is not None else (None, None)
        if found is None or a is None or b is None:
            return None
        leaves = "leaves search and what agents recall; it stays in the journal."
        outcomes = {
            KEEP_A: (f"A replaces B in {b.memory.store}: it {leaves}", "1 relation moves from B to A."),
            KEEP_B: (f"B replaces A in {a.memory.store}: it {leaves}",),
            MERGE: ("A gets the merged text and replaces B.",),
            BOTH_TRUE: ("Both memories stay unchanged.",),
            LATER: ("It comes back in a week.",),
            DISCARD_BOTH: ("Both are dismissed.",),
            FALSE_POSITIVE: (
                "Both memories stay unchanged. You won't be asked again unless either text changes.",
            ),
        }
        refusals = {verdict: self._refusal(found, verdict) for verdict in VERDICTS}
        blocked = {verdict: refusal.reason for verdict, refusal in refusals.items() if refusal}
        merged = self.merged_texts.get(id, f"{a.memory.content}\n{b.memory.content}")
        return PairDetail(
            *(found, a, b, self.suggestions.get(id), (3, 0), outcomes, blocked, merged),
            digests=self._pair_digests(found),
        )

    def _pair_digests(self, pair: Pair) -> tuple[str, str]:
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
        self._raise_error("settle")
        self._require_writable()
        if verdict not in VERDICTS:
            raise Refused(
                "verdict", f"The verdict must be one of {', '.join(VERDICTS)}.", "Nothing was changed."
            )
        pair = self.pairs_by_id.get(id)
        if pair is None or not {pair.a, pair.b} <= self.memories.keys():
            raise no_pair(id)
        if seen is not None and seen != self._pair_digests(pair):
            raise Refused("changed", "Not resolved: one of the two texts has changed.", "Read both again.")
        if refusal := self._refusal(pair, verdict):
            raise refusal
        case = self._case(pair)
        if verdict == MERGE and not (text or "").strip() and not (text is None and case.is_exact):
            raise Refused("empty", "Not merged: the text is empty.", "Enter the text for A.")
        note = clean(note).strip()
        context, steps = self._context, self._steps(case, verdict, text, note)
        record = settle.record_step(context, case, verdict, note, until)
        items = Unit(context, [*steps, record], (pair.a, pair.b)).items
        for item in items:
            assert item.row is not None
            item.memory_id = item.row.id
        written = [item for item in items if item.after.keys() - {VERDICT}]
        settled = wording.settled(verdict, is_duplicate=case.is_duplicate, until=iso(until))
        summary = wording.settled_summary(settled, summaries.places_of(written, files=False))
        entry_id = self._carry_out("resolved", summary, items)
        return Change("resolved", (pair.a, pair.b), summary, entry_id)

    def settle_many(
        self,
        ids: Sequence[int],
        verdict: str,
        until: float | None = None,
        control: JobControl | None = None,
    ) -> Change:
        self._require_writable()
        cases = [self._case(self.pairs_by_id[id]) for id in ids]
        items = [
            item
            for case in cases
            for step in [settle.record_step(self._context, case, verdict, "", until)]
            for item in Unit(self._context, [step], (case.a.id, case.b.id)).items
        ]
        for item in items:
            assert item.row is not None
            item.memory_id = item.row.id
        settled = wording.settled(
            verdict, is_duplicate=all(case.is_duplicate for case in cases), until=iso(until)
        )
        summary = wording.settled_many(settled, len(ids))
        entry_id = self._carry_out("resolved", summary, items)
        return Change("resolved", tuple(case.a.id for case in cases), summary, entry_id)

    def _case(self, pair: Pair) -> Case:
        a, b = self._row(pair.a), self._row(pair.b)
        stores: dict[int, StoreRow] = {row.store_id: self._store_row(row.id) for row in (a, b)}
        for row in (a, b):
            if row.id in self.locked:
                stores[row.store_id] = self._store_row(row.id)
        digests = self._digests([pair.a, pair.b])
        changed = self._found_digests.get(pair.id, digests) != digests
        return Case(pair, a, b, stores, changed, self._pair_digests(pair))

    def _refusal(self, pair: Pair, verdict: str) -> Refused | None:
        """Return why a verdict cannot be given, None if it can."""
        if reason := self.blocked_verdicts.get(pair.id, {}).get(verdict):
            return wording.blocked(reason)
        return refusal_of(self._context, self._case(pair), verdict)

    def _steps(self, case: Case, verdict: str, text: str | None, note: str) -> list[Step]:
        """Return what becomes of the two memories; relations stay, where the real workspace moves them."""
        a, b, context = case.a, case.b, self._context
        assert not a.memory.ties + b.memory.ties, "the fake workspace moves no relations"
        if verdict in (LATER, BOTH_TRUE, FALSE_POSITIVE):
            return []
        if verdict == DISCARD_BOTH:
            return [plan.discard(case, row, note) for row in (a, b)]
        winner, loser = (b, a) if verdict == KEEP_B else (a, b)
        merged = plan.merge(context, case, text) if verdict == MERGE else []
        how = "merge" if verdict == MERGE else "keep"
        return [*merged, plan.supersede(context, case, winner, loser, how, note)]

    def scan(self, control: JobControl | None = None, ids: Sequence[int] | None = None) -> ScanResult:
        control = control or JobControl()
        done, found = 0, 0
        while self.scan_queue and not control.stop():
            self._gate("scan", control.stop)
            pair = self.scan_queue.pop(0)
            done += 1
            if pair is not None:
                self.pairs_by_id[pair.id] = pair
                found += 1
            control.report(done, len(self.scan_queue))
        return ScanResult(done, done, found, 0, len(self.scan_queue))
