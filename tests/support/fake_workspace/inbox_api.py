"""The Inbox: what waits among the memories and pairs of the fake, and what a test adds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from memtui.memory.contradictions.pairs import CONTRADICTION as CONTRADICTIONS
from memtui.memory.encoding import iso
from memtui.memory.inbox.items import (
    CANDIDATES,
    CONTRADICTION,
    DUPLICATE,
    ESCALATED,
    LEAVING,
    PENDING,
    SECRET,
    STORE,
    Inbox,
    InboxItem,
    Touched,
    in_order,
)
from memtui.memory.memory import LIVE, Memory
from memtui.memory.results import Change
from memtui.workspace.background import JobControl
from memtui.workspace.changes import wording
from memtui.workspace.inbox.pairs import both_labels
from memtui.workspace.journal.history import VERBS
from memtui.workspace.secrets.found import MemoryWithSecrets
from tests.support.fake_workspace.base import label
from tests.support.fake_workspace.review_api import ReviewApi


class InboxApi(ReviewApi):
    """Pending memories, candidates, pairs, findings, and the items that a test sets."""

    def inbox(self, opened: Iterable[str] = (), touched: Touched | None = None) -> Inbox:
        self._gate("inbox")
        self._raise_error("inbox")
        items = [*self._waiting(), *self._pair_items(), *self._finding_items(), *self._added_items()]
        for store in opened:
            items += self._one_by_one("candidate", CANDIDATES, store)
        snoozed = [each.snoozed_until for each in self.memories.values() if each.snoozed_until]
        off = [*snoozed, *self.put_off.values()]
        later = [d.until for pair in self.pairs() if (d := pair.decision) and d.until]
        done = {
            item.uid
            for event in self.events
            if event.actor == "person" and event.kind in VERBS and event.state == "done"
            for item in self.items.get(event.id, ())
        }
        due = [at for at in (*off, *later) if at > self.clock()]
        only, anew = self._only(touched), touched.stores if touched is not None else frozenset()
        if only is not None:
            items = [each for each in items if only & {each.id, *each.sides} or _is_asked(each, anew)]
        return Inbox(in_order(items), len(done), min(due, default=None), only, anew)

    def _only(self, touched: Touched | None) -> frozenset[int] | None:
        if touched is None:
            return None
        uids = {item.uid for entry in touched.entries for item in self.items.get(entry, ())}
        return touched.ids | {id for id, each in self.memories.items() if each.uid in uids}

    def snooze_findings(self, store: str, code: str, until: float) -> Change:
        self._require_writable()
        self.put_off[store, code] = until
        summary = wording.finding_snoozed(store, (iso(until) or "")[:10])
        return Change("snoozed", (), summary, self._carry_out("snoozed", summary, []))

    def sweep_secrets(
        self,
        control: JobControl | None = None,
        on_found: Callable[[Iterable[int]], object] = lambda ids: None,
    ) -> int:
        self._require_writable()
        return 0

    def mark_no_secret(self, ids: Sequence[int]) -> Change:
        self._require_writable()
        self.inbox_items = [each for each in self.inbox_items if each.id not in ids or each.kind != SECRET]
        summary = wording.marked_no_secret(1)
        return Change("no-secret", tuple(ids), summary, self._carry_out("no-secret", summary, []))

    def check_stores(self, control: JobControl | None = None) -> bool:
        return False

    def memories_with_secrets(self) -> list[MemoryWithSecrets]:
        return []

    def _waiting(self) -> Iterator[InboxItem]:
        yield from self._one_by_one("pending", PENDING)
        for store in dict.fromkeys(each.store for each in self.memories.values()):
            if found := list(self._one_by_one("candidate", CANDIDATES, store)):
                since = min(each.since or 0.0 for each in found)
                yield InboxItem(CANDIDATES, store, "", "candidates", since, count=len(found))

    def _one_by_one(self, status: str, kind: str, store: str = "") -> Iterator[InboxItem]:
        for id, memory in self.memories.items():
            if memory.status == status and store in ("", memory.store) and self._is_awake(memory):
                data = {"confidence": memory.confidence}
                yield InboxItem(
                    kind, memory.store, label(memory), status, memory.created_at, id,
                    uids=(memory.uid,), data=data,
                )  # fmt: skip

    def _added_items(self) -> Iterator[InboxItem]:
        """Yield the items that the test set, as long as their memory is awake, and live if it may leave: a
        secret stays in its store when its memory is dismissed."""
        for item in self.inbox_items:
            found = self.memories.get(item.id or 0)
            leaves = item.kind != LEAVING or (found is not None and found.status in LIVE and not found.pinned)
            if found is None or (self._is_awake(found) and leaves):
                yield item

    def _is_awake(self, memory: Memory) -> bool:
        return memory.snoozed_until is None or memory.snoozed_until <= self.clock()

    def _pair_items(self) -> Iterator[InboxItem]:
        for pair in self.pairs():
            kind = CONTRADICTION if pair.family == CONTRADICTIONS else DUPLICATE
            yield InboxItem(
                ESCALATED if pair.escalated and kind == CONTRADICTION else kind,
                " · ".join(dict.fromkeys(pair.stores)),
                both_labels(*pair.labels),
                pair.kind,
                pair.found_at,
                pair=pair.id,
                sides=(pair.a, pair.b),
                score=pair.score,
                uids=(self.memories[pair.a].uid, self.memories[pair.b].uid),
            )

    def _finding_items(self) -> Iterator[InboxItem]:
        for info in self._store_infos():
            if info.error:
                yield InboxItem(STORE, info.name, info.error, info.error_code or "unreadable", info.pulled_at)
            for finding in info.findings:
                if self.put_off.get((info.name, finding.code), 0.0) <= self.clock():
                    data = {"place": finding.place, "meaning": ""}
                    yield InboxItem(STORE, info.name, finding.text, finding.code, data=data)


def _is_asked(item: InboxItem, anew: frozenset[str]) -> bool:
    """Whether an item is about a whole store, or a candidate of one of these."""
    return not (item.id or item.sides) or (item.kind == CANDIDATES and item.store in anew)
