"""Changing memories, the journal of it, and taking changes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memtui.errors import Conflict, Refused
from memtui.memory.pairs import LATER
from memtui.memory.records import (
    EDITABLE,
    Change,
    Event,
    EventItem,
    Memory,
    Pulled,
    SinceItem,
    Skipped,
)
from memtui.workspace.core import NATIVE
from tests.support.fake_workspace.base import Base, counted, label

Fields = Mapping[str, Any]


class Changing(Base):
    """All memories take any change, apart from those that are locked."""

    def pin(self, ids: Sequence[int], why: str = "") -> Change:
        return self._each("pinned", ids, "Pinned", pinned=True, pinned_by="person", pinned_why=why or None)

    def unpin(self, ids: Sequence[int]) -> Change:
        return self._each("unpinned", ids, "Unpinned", pinned=False, pinned_by=None, pinned_why=None)

    def confirm(self, ids: Sequence[int]) -> Change:
        return self._each("confirmed", ids, "Confirmed", status="confirmed")

    def dismiss(self, ids: Sequence[int]) -> Change:
        return self._each("dismissed", ids, "Dismissed", status="dismissed")

    def restore(self, ids: Sequence[int]) -> Change:
        return self._each("restored", ids, "Restored", status="confirmed")

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
        if odd := next((name for name in fields if name not in EDITABLE), ""):
            raise Refused("no-field", f"{odd} cannot be edited.", f"Fields are {', '.join(EDITABLE)}.")
        for memory in (self.memories[id] for id in ids if id in self.memories):
            theirs = {name: getattr(memory, name) for name in seen or {}}
            theirs = {name: value for name, value in theirs.items() if seen and value != seen[name]}
            if theirs:
                yours = {name: fields[name] for name in theirs if name in fields}
                raise Conflict("Not saved: the memory changed since it was read.", yours, theirs)
        if "content" in fields and not fields["content"].strip():
            raise Refused("empty", "A memory needs a text.", "Dismiss it instead.")

        def edited(memory: Memory) -> Fields:
            return {**fields, **({"tags": retag(memory.tags)} if retag is not None else {})}

        return self._change("edited", ids, "Edited", edited)

    def add(self, fields: Mapping[str, Any], store: str = NATIVE) -> Change:
        self._writable()
        if not str(fields.get("content") or "").strip():
            raise Refused("empty", "Nothing was added: the memory has no text.", "Give it some.")
        id, now = max(self.memories, default=0) + 1, self.clock()
        said = {"confidence": 0.5, "source_type": "user", "created_at": now, "updated_at": now, **fields}
        self.memories[id] = Memory(uid=f"u{id}", store=store, ref=str(id), **said)
        return self._log("added", "Added 1 memory", [id], [{}], [fields])

    def pull(self) -> Pulled:
        news, self.news = self.news, []
        for memory in news:
            self.memories[max(self.memories, default=0) + 1] = memory
        return Pulled({"codex": (len(news), 0, 0)} if news else {}, {})

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

    def since(self) -> list[SinceItem]:
        return [
            SinceItem(
                *(id, item.uid, item.store, item.label, "changed", event.at, event.id),
                *(item.before or {}, item.after or {}, self.memories[id].content),
            )
            for event in reversed(self.events)
            if event.id > self._looked and event.actor.startswith(("agent:", "sync:"))
            for item in self.items[event.id]
            for id in self._rows(item.uid)
        ]

    def looked(self) -> None:
        self._writable()
        self._looked = max((event.id for event in self.events), default=0)

    def undo(self, line: int | None = None, *, warn: bool = False) -> Change:
        self._writable()
        asked = next((event for event in self.events if event.id == line), None)
        if line is not None and asked is None:
            raise Refused("no-line", f"The journal has no line {line}.", "memtui journal lists them.")
        if asked is not None and not asked.undoable:
            raise Refused("undone", f"“{asked.summary}” is undone already, or never took effect.")
        mine = (e for e in reversed(self.events) if e.undoable and e.actor == "person" and e.kind != "undone")
        event = asked or next(mine, None)
        if event is None:
            raise Refused("nothing", "Nothing to undo.", "The journal shows what was changed.")
        if warn and line is None and self.warning is not None:
            warning, self.warning = self.warning, None
            raise warning
        self._apply(event.id, "before")
        self._state(event.id, "undone")
        self.undone.append(event.id)
        ids = self._ids(event.id)
        return self._log("undone", f"Undone: {event.summary}", ids, None, None, undoes=event.id)

    def redo(self) -> Change:
        self._writable()
        if not self.undone:
            raise Refused("nothing", "Nothing to redo.", "The journal can take back any line.")
        id = self.undone.pop()
        self._apply(id, "after")
        self._state(id, "done")
        summary = next(event.summary for event in self.events if event.id == id)
        return self._log("redone", f"Redone: {summary}", self._ids(id), None, None, undoes=id)

    # -- how it is done

    def _each(self, kind: str, ids: Sequence[int], word: str, **fields: Any) -> Change:
        return self._change(kind, ids, word, lambda memory: fields)

    def _change(
        self, kind: str, ids: Sequence[int], word: str, fields_of: Callable[[Memory], Fields]
    ) -> Change:
        self._writable()
        ids = [id for id in ids if id in self.memories]
        if not ids:
            raise Refused("nothing", "There is no such memory.", "Nothing was changed.")
        done = [id for id in ids if id not in self.locked]
        skipped = [
            Skipped(self.memories[id].uid, label(self.memories[id]), "blocked", "the store is read-only")
            for id in ids
            if id in self.locked
        ]
        if not done:
            raise Refused("blocked", "Not changed: the store is read-only.", "Nothing was changed.")
        before, after = [], []
        for id in done:
            fields = fields_of(self.memories[id])
            before.append({name: getattr(self.memories[id], name) for name in fields})
            after.append(fields)
            self.memories[id] = replace(self.memories[id], **fields)
        return self._log(kind, f"{word} {counted(len(done))}", done, before, after, skipped)

    def _log(
        self,
        kind: str,
        summary: str,
        ids: Sequence[int],
        before: Sequence[Fields] | None,
        after: Sequence[Fields] | None,
        skipped: Sequence[Skipped] = (),
        undoes: int | None = None,
    ) -> Change:
        line = len(self.events) + 1
        self.events.append(
            Event(
                line,
                self.clock(),
                "person",
                kind,
                summary,
                undoes=undoes,
                count=len(ids),
                undoable=before is not None,
                label=label(self.memories[ids[0]]) if len(ids) == 1 else "",
            )
        )
        self.items[line] = [
            EventItem(
                *(m.uid, label(m), m.store, "done", ""),
                dict(before[n]) if before else None,
                dict(after[n]) if after else None,
            )
            for n, m in enumerate(self.memories[id] for id in ids)
        ]
        return Change(kind, tuple(ids), summary, line, tuple(skipped))

    def _rows(self, uid: str) -> list[int]:
        return [id for id, memory in self.memories.items() if memory.uid == uid]

    def _ids(self, line: int) -> list[int]:
        uids = {item.uid for item in self.items[line]}
        return [id for id, memory in self.memories.items() if memory.uid in uids]

    def _apply(self, line: int, side: str) -> None:
        for pair in self.findings.values():
            if pair.said is not None and pair.said.line == line:
                state = "later" if pair.said.verdict == LATER else "settled"
                self.findings[pair.id] = replace(pair, state="open" if side == "before" else state)
        for item in self.items[line]:
            fields = getattr(item, side)
            for id in self._rows(item.uid) if fields is not None else ():
                self.memories[id] = replace(self.memories[id], **fields)

    def _state(self, line: int, state: str) -> None:
        self.events = [
            replace(e, state=state, undoable=state == "done") if e.id == line else e for e in self.events
        ]
