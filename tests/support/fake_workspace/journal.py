"""The journal, and how a change is carried out: on the memories, on the pairs they are in, as an entry."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memtui.memory.agents.figures import Overtaken
from memtui.memory.contradictions.pairs import LATER, MERGE, Decision, Pair
from memtui.memory.encoding import plain
from memtui.memory.journal import AgentActivity, AgentChange, Event, EventItem
from memtui.memory.memory import LIVE
from memtui.values import Fields, FieldValue
from memtui.workspace.agents.listing import ListedAgent
from memtui.workspace.changes import wording_undo
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.journal import history
from memtui.workspace.journal.items import PSEUDO_FIELDS, VERDICT
from tests.support.fake_workspace.base import Digests, digest, label
from tests.support.fake_workspace.reads import Reads

UNDOABLE = (*history.VERBS, "undone", "redone")
# Kinds of entries that may precede the dismissal of a memory that was dismissed before.
_REMOVED_BY = ("dismissed", "superseded", "decayed")


class Journal(Reads):
    """Entries, what each did to a memory, and what of it is still in effect."""

    def journal(
        self, limit: int = 200, before: int | None = None, who: str = "", session: str = ""
    ) -> list[Event]:
        by_user = {"": (True, False), "you": (True,), "agents": (False,)}.get(who)
        return [
            event
            for event in reversed(self.events)
            if (before is None or event.id < before)
            and (event.actor == who if by_user is None else (event.actor == "person") in by_user)
            and event.session.startswith(session)
        ][:limit]

    def agents(self) -> list[ListedAgent]:
        self._raise_error("agents")
        return list(self.listed_agents)

    def overtaken(self, agent: str) -> list[Overtaken]:
        return list(self.given.get(agent, ()))

    def journal_items(self, entry_id: int) -> list[EventItem]:
        return self.items[entry_id]

    def agent_activity(self) -> AgentActivity:
        items = [
            AgentChange(
                *(id, item.uid, item.store, item.label, "changed", event.at, event.id),
                *(item.before or {}, item.after or {}, self.memories[id].content),
                actor=event.actor,
                tool=event.tool,
                session=event.session,
            )
            for event in reversed(self.events)
            if event.id > self._seen_upto and event.actor.startswith(("agent:", "sync:"))
            for item in self.items[event.id]
            if (id := self._id_of(item.uid)) is not None and id in self.memories
        ]
        return AgentActivity(items, self._newest_id())

    def mark_seen(self, upto: int | None = None) -> None:
        self._require_writable()
        self._seen_upto = max(self._seen_upto, self._newest_id() if upto is None else upto)

    def _newest_id(self) -> int:
        return max((event.id for event in self.events), default=0)

    def _in_effect(self, entry_id: int) -> list[EventItem]:
        return [item for item in self.items.get(entry_id, ()) if item.state == "done"]

    def _summary_of_change(self, event: Event) -> str:
        """Return the summary of the change that an entry made, undid or redid, and how much of it."""
        events = {each.id: each for each in self.events}
        part = len(self.items[event.id])
        while event.kind in ("undone", "redone") and event.undoes is not None:
            event = events[event.undoes]
        total = len(self.items[event.id])
        return wording_undo.only_done_part(event.summary, part, total) if part < total else event.summary

    def _id_of(self, uid: str) -> int | None:
        found = [id for id, m in (*self.memories.items(), *self._removed.items()) if m.uid == uid]
        assert len(found) < 2, f"the uid {uid} is that of more than one memory"
        return found[0] if found else None

    def _bodies_before_removal(self, sql: str, values: tuple[int]) -> list[tuple[str]]:
        """Return what a memory was before it was removed, as the database stores it."""
        if "'superseded', 'decayed'" not in sql:
            return super()._bodies_before_removal(sql, values)
        return [
            (json.dumps(plain(item.before)),)
            for event in reversed(self.events)
            for item in self._in_effect(event.id)
            if self._id_of(item.uid) == values[0]
            and (event.kind in _REMOVED_BY or (event.kind == "resolved" and "status" in (item.after or {})))
        ][:1]

    # -- carrying out a change

    def _item(self, id: int, before: Fields, after: Fields) -> ChangeItem:
        return ChangeItem(self._row(id), self._store_row(id), before, after, memory_id=id)

    def _carry_out(
        self, kind: str, summary: str, items: Sequence[ChangeItem], undoes: int | None = None
    ) -> int:
        """Carry out a change and return the id of its journal entry."""
        entry_id = self._newest_id() + 1
        changed = {item.memory_id for item in items}
        pairs = [pair for pair in self.pairs_by_id.values() if changed & {pair.a, pair.b}]
        for pair in pairs:
            self._remember_digests(pair)
        for item in items:
            self._apply(item, entry_id)
        self.pairs_by_id |= {pair.id: self._updated_pair(pair) for pair in pairs}
        ids = [item.memory_id for item in items]
        all_known = {**self.memories, **self._removed}
        self.items[entry_id] = [
            EventItem(*(m.uid, label(m), m.store, "done", ""), item.before, item.after)
            for item, m in ((item, all_known[item.memory_id]) for item in items)
        ]
        event = Event(
            *(entry_id, self.clock(), "person", kind, summary),
            undoes=undoes,
            count=len(ids),
            store=",".join(dict.fromkeys(item.store.name for item in items)),
            undoable=kind in UNDOABLE,
            label=label(all_known[ids[0]]) if len(ids) == 1 else "",
        )
        if undoes is not None:
            event = replace(event, change=self._summary_of_change(event))
        self.events.append(event)
        return entry_id

    def _apply(self, item: ChangeItem, entry_id: int) -> None:
        id, after = item.memory_id, item.after
        fields = {name: value for name, value in after.items() if name not in PSEUDO_FIELDS}
        memory = replace(self.memories.get(id) or self._removed[id], **fields)
        if after.get("here", id in self.memories):
            self._removed.pop(id, None)
            self.memories[id] = memory
        else:
            self.memories.pop(id, None)
            self._removed[id] = memory
        withdrawn, given = item.before.get(VERDICT), after.get(VERDICT)
        if withdrawn is not None:
            verdicts = self._verdicts_on(withdrawn)
            verdicts[:] = [
                (decision, judged)
                for decision, judged in verdicts
                if decision.at != withdrawn["at"] or decision.verdict != withdrawn["verdict"]
            ]
        if given is not None:
            decision = Decision(
                *(given["verdict"], given["at"], given["actor"], given["note"], given["until"], entry_id)
            )
            a, b = given["judged"]
            judged = [*self._digests([given["a"]]), b] if decision.verdict == MERGE else [a, b]
            self._verdicts_on(given).append((decision, judged))

    def _erase(self, uid: str) -> None:
        """Remove the text of a memory from all entries."""
        for entry_id, items in self.items.items():
            self.items[entry_id] = [
                replace(item, before=None, after=None) if item.uid == uid else item for item in items
            ]

    # -- pairs after a change

    def _verdicts_on(self, value: Mapping[str, FieldValue]) -> list[tuple[Decision, Digests]]:
        """Return the verdicts on the pair that a journaled verdict is about."""
        pairs = self.pairs_by_id.values()
        return self._verdicts[next(pair.id for pair in pairs if (pair.a, pair.b) == (value["a"], value["b"]))]

    def _remember_digests(self, pair: Pair) -> None:
        """Keep the digests of the two memories as they were when the pair was found, before any change."""
        if pair.id not in self._found_digests:
            self._found_digests[pair.id] = digests = self._digests([pair.a, pair.b])
            self._verdicts[pair.id] = [(pair.decision, digests)] if pair.decision is not None else []

    def _updated_pair(self, pair: Pair) -> Pair:
        """Return the pair as it is after a change: the newest verdict on the present texts counts, if there
        is none the newest of all."""
        now = self._digests([pair.a, pair.b])
        live = [self.memories[id].status in LIVE for id in (pair.a, pair.b) if id in self.memories]
        is_current = live == [True, True] and now == self._found_digests[pair.id]
        verdicts = self._verdicts[pair.id]
        valid = next((decision for decision, judged in reversed(verdicts) if judged == now), None)
        state = "open" if is_current else "over"
        if valid is not None and valid.verdict != LATER:
            state = "settled"
        elif valid is not None and is_current and (valid.until or 0.0) > self.clock():
            state = "later"
        return replace(pair, state=state, decision=valid or (verdicts[-1][0] if verdicts else None))

    def _digests(self, ids: Sequence[int]) -> Digests:
        return [digest(self.memories[id]) if id in self.memories else None for id in ids]
