"""Changing memories, the journal of it, and taking changes back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memtui.errors import Conflict, NotUndone, Refused
from memtui.memory.contradictions.pairs import LATER, MERGE, Decision, Pair
from memtui.memory.encoding import plain
from memtui.memory.journal import AgentActivity, AgentChange, Event, EventItem
from memtui.memory.lifecycles.confirmation import confirmed
from memtui.memory.memory import EDITABLE, LIVE, Memory
from memtui.memory.results import Change, Skipped
from memtui.memory.stores import PullResult
from memtui.workspace.changes import planning, prior_writes, summaries, undo, verbs
from memtui.workspace.changes.change_item import ChangeItem, Done
from memtui.workspace.context import NATIVE
from memtui.workspace.journal import entries, history
from memtui.workspace.journal.items import NO_FIELDS, RELATION, VERDICT
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog
from tests.support.fake_workspace.base import digest, label
from tests.support.fake_workspace.reading import Reading

_UNDOABLE = (*history.VERBS, "undone", "redone")
# What a memory that was dismissed once may have become before.
_LEFT_BY = ("dismissed", "superseded", "decayed")


class Changing(Reading):
    """Each verb as the real one does it in memtui's own store, whatever the store is called."""

    def pin(self, ids: Sequence[int], why: str = "") -> Change:
        fields = {"pinned": True, "pinned_by": "person", "pinned_why": why or None}
        return self._change("pin", ids, lambda held: fields)

    def unpin(self, ids: Sequence[int]) -> Change:
        fields = {"pinned": False, "pinned_by": None, "pinned_why": None}
        return self._change("unpin", ids, lambda held: fields)

    def confirm(self, ids: Sequence[int]) -> Change:
        return self._change("confirm", ids, lambda held: confirmed(held.memory, self.clock()))

    def dismiss(self, ids: Sequence[int]) -> Change:
        uids = {self.memories[id].uid for id in ids if id in self.memories}
        ends = {end for m in self.memories.values() for tie in m.ties for end in (m.uid, tie["to"])}
        assert not uids & ends, "the fake workspace does not say what becomes of relations"
        return self._change("dismiss", ids, lambda held: planning.dismissal(None))

    def restore(self, ids: Sequence[int]) -> Change:
        return self._change("restore", ids, lambda held: planning.former(self._engine, held, None))

    def edit(
        self,
        ids: Sequence[int],
        fields: Mapping[str, Any],
        *,
        seen: Mapping[str, Any] | None = None,
        retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
    ) -> Change:
        if self.clash is not None:
            clash, self.clash = self.clash, None
            raise clash
        wanted = verbs._tidy(fields)

        def edited(held: MirrorRow) -> Mapping[str, Any]:
            theirs = {name: getattr(held.memory, name) for name in seen or {}}
            theirs = {name: value for name, value in theirs.items() if seen and value != seen[name]}
            if theirs:
                yours = {name: wanted[name] for name in theirs if name in wanted}
                raise Conflict("the memory changed since it was read.", yours, theirs)
            more = verbs._tidy({"tags": retag(held.memory.tags)}) if retag is not None else {}
            return verbs._edited(self._engine, held, {**wanted, **more})

        return self._change("edit", ids, edited)

    def add(self, fields: Mapping[str, Any], store: str = NATIVE) -> Change:
        self._writable()
        wanted = verbs._tidy(fields)
        if not str(wanted.get("content") or "").strip():
            raise Refused("empty", "Nothing was added: the memory has no text.", "Give it some.")
        row = self._row_of(store if store == NATIVE else self._store(store).name)
        if why := catalog.locked(row):
            raise Refused("read-only", why, "Nothing was added.")
        id, now = self._next(), self.clock()
        said = {"status": "confirmed", "confidence": 0.5, "source_type": "user"}
        said |= {"created_at": now, "updated_at": now}
        self._away[id] = Memory(uid=f"new{id}", store=store, ref=str(id))
        piece = self._piece(id, {"here": False}, {"here": True, **wanted, **said})
        line = self._carry_out("added", summaries.summary("add", [piece]), [piece])
        return summaries.change_of("add", Done(line, [piece]), [])

    def pull(self) -> PullResult:
        news, self.news = self.news, []
        for memory in news:
            self.memories[self._next()] = memory
        return PullResult({"codex": (len(news), 0, 0)} if news else {}, {})

    # -- the journal

    def journal(self, limit: int = 200, before: int | None = None, who: str = "") -> list[Event]:
        wanted = {"": (True, False), "you": (True,), "agents": (False,)}[who]
        return [
            event
            for event in reversed(self.events)
            if (before is None or event.id < before) and (event.actor == "person") in wanted
        ][:limit]

    def journal_items(self, line: int) -> list[EventItem]:
        return self.items[line]

    def since(self) -> AgentActivity:
        items = [
            AgentChange(
                *(id, item.uid, item.store, item.label, "changed", event.at, event.id),
                *(item.before or {}, item.after or {}, self.memories[id].content),
            )
            for event in reversed(self.events)
            if event.id > self._looked and event.actor.startswith(("agent:", "sync:"))
            for item in self.items[event.id]
            if (id := self._id(item.uid)) is not None and id in self.memories
        ]
        return AgentActivity(items, self._newest())

    def looked(self, upto: int | None = None) -> None:
        self._writable()
        self._looked = max(self._looked, self._newest() if upto is None else upto)

    def _newest(self) -> int:
        return max((event.id for event in self.events), default=0)

    def undo(self, line: int | None = None, *, warn: bool = False) -> Change:
        self._writable()
        if line is not None:
            return self._take_back(line)
        event = self._newest_of(history.VERBS)
        if event is None:
            raise self._nothing("undo", history.VERBS, "The journal shows what was changed.")
        if warn:
            self._warn(event)
        return self._or_pass_over(event, "undone", history.VERBS)

    def redo(self) -> Change:
        self._writable()
        event = self._newest_of(("undone",))
        if event is None:
            raise self._nothing("redo", ("undone",), "The journal can take back any line.")
        mine = [each for each in self.events if each.actor == "person" and each.kind in history.VERBS]
        if any(each.id > event.id for each in mine):
            why = "Nothing to redo: something else was changed since the undo."
            raise Refused("nothing", why, "The journal can take back any line.")
        return self._or_pass_over(event, "redone", ("undone",))

    def _newest_of(self, kinds: Sequence[str], *, refused: bool = False) -> Event | None:
        mine = (e for e in reversed(self.events) if e.actor == "person" and e.kind in kinds)
        left = (each for each in mine if (each.id in self._refused) is refused)
        return next((each for each in left if self._standing(each.id)), None)

    def _nothing(self, what: str, kinds: Sequence[str], hint: str) -> Refused:
        refused = self._newest_of(kinds, refused=True)
        return undo.nothing(what, None if refused is None else refused.id, hint)

    def _or_pass_over(self, event: Event, done: str, kinds: Sequence[str]) -> Change:
        try:
            return self._take_back(event.id)
        except Refused as refusal:
            self._refused.add(event.id)
            older = self._newest_of(kinds)
            then = None if older is None else (older.id, self._changed_by(older))
            raise undo.passed_over(refusal, (event.id, self._changed_by(event)), done, then) from refusal

    def _changed_by(self, event: Event) -> str:
        """The summary of the change that an event made, undid or did again."""
        events = {each.id: each for each in self.events}
        while event.kind in ("undone", "redone") and event.undoes is not None:
            event = events[event.undoes]
        return event.summary

    def _warn(self, older: Event) -> None:
        final = (e for e in reversed(self.events) if e.actor == "person" and e.kind in undo._FINAL)
        newest = next((each for each in final if each.id > older.id), None)
        if newest is not None and newest.id != self._warned:
            self._warned = newest.id
            hint = f"Once more takes back the change before it: {older.summary}."
            raise Refused("not-undoable", f"“{newest.summary}” cannot be undone.", hint)

    def _take_back(self, line: int) -> Change:
        event = next((each for each in self.events if each.id == line), None)
        if event is None:
            raise Refused("no-line", f"The journal has no line {line}.", "memtui journal lists them.")
        summary = event.summary
        assert event.kind not in entries.BY_OTHERS or not self._standing(line), "the fake takes back no pull"
        if event.kind not in (*_UNDOABLE, *entries.BY_OTHERS):
            why = f"“{summary}” cannot be taken back: it changed no memory of a store."
            raise Refused("not-undoable", why)
        todo = self._standing(line)
        if not todo:
            raise Refused("undone", f"“{summary}” is undone already, or never took effect.")
        pieces: list[ChangeItem] = []
        skipped: list[Skipped] = []
        for item in reversed(todo):
            left = self._reversed(item, line)
            if isinstance(left, ChangeItem):
                pieces.append(left)
            else:
                skipped.append(left)
        if not pieces or (skipped and self._is_whole(event)):
            raise NotUndone("changed-since", skipped[0].why, "Nothing was changed.")
        verb, kind = ("Redone", "redone") if event.kind == "undone" else ("Undone", "undone")
        told = self._changed_by(event)
        asked = len(self.items[line])
        if len(pieces) == len(todo) < asked:
            told += f" (the {len(pieces)} of {asked} that were)"
        elif len(pieces) < len(todo):
            told += f" ({len(pieces)} of {len(todo)}; the rest changed since)"
        done = Done(self._carry_out(kind, f"{verb}: {told}", pieces, undoes=line), pieces)
        for piece in pieces:
            assert piece.held is not None
            self._toggle(line, piece.held.memory.uid, done.line)
        self._refused.discard(line)
        return undo._change(verb, told, done, skipped, pieces)

    def _reversed(self, item: EventItem, line: int) -> ChangeItem | Skipped:
        """What takes an item back, or why nothing does."""
        id = self._id(item.uid)
        if id is None or item.before is None or item.after is None:
            return Skipped("", "", "erased", "Its text was erased.")
        held, store = self._held(id), self._row(id)
        piece = self._piece(id, dict(item.after), dict(item.before))
        assert RELATION not in piece.before, "the fake workspace brings no relation back"
        if not piece.before.keys() <= {VERDICT} and (why := catalog.locked(store)):
            return Skipped(item.uid, held.label, "read-only", why)
        if "here" not in piece.before and piece.before.get("updated_at") not in (
            None,
            held.memory.updated_at,
        ):
            del piece.before["updated_at"], piece.after["updated_at"]
        since = ""
        if piece.after.get("here") is False:
            later = [other for at, items in sorted(self.items.items()) if at > line for other in items]
            found = [other.before or {} for other in later if other.uid == item.uid]
            since = prior_writes.later_words(held.memory, found, EDITABLE)
        since = since or undo._since(held, piece.before, foreign=False, adapter_fields=frozenset())
        verdict = piece.after.get(VERDICT)
        if verdict is not None and verdict["judged"] != self._say([verdict["a"], verdict["b"]]):
            since = since or "one of the two says something else since, or is gone."
        return Skipped(item.uid, held.label, "changed-since", since) if since else piece

    # -- how it is done

    def _change(
        self, verb: str, ids: Sequence[int], change: Callable[[MirrorRow], Mapping[str, Any]]
    ) -> Change:
        self._writable()
        found = [id for id in dict.fromkeys(ids) if id in self.memories or id in self._away]
        if not found:
            raise Refused("nothing", "There is no such memory.", "Nothing was changed.")
        pieces: list[ChangeItem] = []
        skipped: list[Skipped] = []
        for id in found:
            held = self._held(id)
            assert verb != "restore" or held.removed_at is None, "the fake brings back no memory that is gone"
            why = planning.blocked(self._engine, verb, held, self._row(id))
            fields = {} if why else planning.changing(held, change(held))
            if fields:
                before = {name: getattr(held.memory, name) for name in fields}
                pieces.append(self._piece(id, before, fields))
            else:
                why = why or "Nothing in it would change."
                skipped.append(Skipped(held.memory.uid, held.label, "blocked", why))
        if not pieces:
            return verbs.carry_out(self._engine, verb, pieces, skipped)  # which says why not
        line = self._carry_out(summaries.KINDS[verb][0], summaries.summary(verb, pieces), pieces)
        return summaries.change_of(verb, Done(line, pieces), skipped)

    def _piece(self, id: int, before: dict[str, Any], after: dict[str, Any]) -> ChangeItem:
        return ChangeItem(self._held(id), self._row(id), before, after, memory_id=id)

    def _carry_out(
        self, kind: str, summary: str, pieces: Sequence[ChangeItem], undoes: int | None = None
    ) -> int:
        """Do it, and put it down; the journal's line."""
        line = max((event.id for event in self.events), default=0) + 1
        touched = {piece.memory_id for piece in pieces}
        pairs = [pair for pair in self.findings.values() if touched & {pair.a, pair.b}]
        for pair in pairs:
            self._find(pair)
        for piece in pieces:
            self._apply(piece, line)
        self.findings |= {pair.id: self._stands(pair) for pair in pairs}
        ids = [piece.memory_id for piece in pieces]
        all_known = {**self.memories, **self._away}
        self.items[line] = [
            EventItem(*(m.uid, label(m), m.store, "done", ""), piece.before, piece.after)
            for piece, m in ((piece, all_known[piece.memory_id]) for piece in pieces)
        ]
        event = Event(
            *(line, self.clock(), "person", kind, summary),
            undoes=undoes,
            count=len(ids),
            store=",".join(dict.fromkeys(piece.store.name for piece in pieces)),
            undoable=kind in _UNDOABLE,
            label=label(all_known[ids[0]]) if len(ids) == 1 else "",
        )
        if undoes is not None:
            event = replace(event, change=self._changed_by(event))
        self.events.append(event)
        return line

    def _apply(self, piece: ChangeItem, line: int) -> None:
        id, after = piece.memory_id, piece.after
        fields = {name: value for name, value in after.items() if name not in NO_FIELDS}
        memory = replace(self.memories.get(id) or self._away[id], **fields)
        if after.get("here", id in self.memories):
            self._away.pop(id, None)
            self.memories[id] = memory
        else:
            self.memories.pop(id, None)
            self._away[id] = memory
        gone, come = piece.before.get(VERDICT), after.get(VERDICT)
        if gone is not None:
            given = self._verdicts_on(gone)
            given[:] = [
                each for each in given if each[0].at != gone["at"] or each[0].verdict != gone["verdict"]
            ]
        if come is not None:
            said = Decision(*(come["verdict"], come["at"], come["actor"], come["note"], come["until"], line))
            a, b = come["judged"]
            judged = [*self._say([come["a"]]), b] if said.verdict == MERGE else [a, b]
            self._verdicts_on(come).append((said, judged))

    def _verdicts_on(self, value: Mapping[str, Any]) -> list[tuple[Decision, list[str | None]]]:
        pairs = self.findings.values()
        return self._given[next(each.id for each in pairs if (each.a, each.b) == (value["a"], value["b"]))]

    def _find(self, pair: Pair) -> None:
        """Remember what the two said when the pair was found: before anything is changed."""
        if pair.id not in self._texts:
            self._texts[pair.id] = says = self._say([pair.a, pair.b])
            self._given[pair.id] = [(pair.decision, says)] if pair.decision is not None else []

    def _stands(self, pair: Pair) -> Pair:
        """The pair as it is after a change: of two verdicts the one that holds counts, then the newest."""
        now = self._say([pair.a, pair.b])
        found = [self.memories[id].status in LIVE for id in (pair.a, pair.b) if id in self.memories]
        stands = found == [True, True] and now == self._texts[pair.id]
        given = self._given[pair.id]
        said = next((said for said, judged in reversed(given) if judged == now), None)
        state = "open" if stands else "over"
        if said is not None and said.verdict != LATER:
            state = "settled"
        elif said is not None and stands and (said.until or 0.0) > self.clock():
            state = "later"
        return replace(pair, state=state, decision=said or (given[-1][0] if given else None))

    def _say(self, ids: Sequence[int]) -> list[str | None]:
        return [digest(self.memories[id]) if id in self.memories else None for id in ids]

    def _bodies_of_leaving(self, sql: str, values: tuple[int]) -> list[tuple[str]]:
        """What a memory was before it left, as the database keeps it."""
        if "'superseded', 'decayed'" not in sql:
            return super()._bodies_of_leaving(sql, values)
        return [
            (json.dumps(plain(item.before)),)
            for event in reversed(self.events)
            for item in self._standing(event.id)
            if self._id(item.uid) == values[0]
            and (event.kind in _LEFT_BY or (event.kind == "resolved" and "status" in (item.after or {})))
        ][:1]

    def _id(self, uid: str) -> int | None:
        found = [id for id, m in (*self.memories.items(), *self._away.items()) if m.uid == uid]
        assert len(found) < 2, f"the uid {uid} stands for more than one memory"
        return found[0] if found else None

    def _standing(self, line: int) -> list[EventItem]:
        return [item for item in self.items.get(line, ()) if item.state == "done"]

    def _is_whole(self, event: Event) -> bool:
        while event.undoes is not None:
            event = next(each for each in self.events if each.id == event.undoes)
        return event.kind in undo._WHOLE

    def _toggle(self, line: int, uid: str, by: int) -> None:
        """What `line` did to a memory is undone; what it had undone stands again, and so on."""
        this: int | None = line
        undone = True
        while this is not None:
            if undone:
                carrier = self._carried.get((this, uid), this)
                self._mark({this, carrier}, uid, "undone")
            else:
                self._mark({this}, uid, "done")
                self._carried[this, uid] = by
            undone = not undone
            this = next(each.undoes for each in self.events if each.id == this)

    def _mark(self, lines: set[int], uid: str, state: str) -> None:
        for line in lines:
            items = self.items[line]
            self.items[line] = [replace(i, state=state) if i.uid == uid else i for i in items]
        self.events = [self._reckoned(e) if e.id in lines else e for e in self.events]

    def _reckoned(self, event: Event) -> Event:
        stands = bool(self._standing(event.id))
        return replace(
            event, state="done" if stands else "undone", undoable=stands and event.kind in _UNDOABLE
        )

    def _erase(self, uid: str) -> None:
        """No line says any more what a memory said."""
        for line, items in self.items.items():
            self.items[line] = [replace(i, before=None, after=None) if i.uid == uid else i for i in items]
