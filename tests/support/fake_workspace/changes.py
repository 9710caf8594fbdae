"""Changing memories: each verb as the real one does it in memtui's own store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from memtui.errors import Conflict, Refused
from memtui.memory.encoding import iso
from memtui.memory.journal import CAME, Arrivals
from memtui.memory.lifecycles.confirmation import confirmed
from memtui.memory.memory import ADDABLE, EDITABLE, Memory
from memtui.memory.results import Change, Skipped
from memtui.memory.stores import PullResult
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import field_values, planning, summaries, verbs, wording
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.context import NATIVE
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog
from tests.support.fake_workspace.undo import Undo


class Changes(Undo):
    """The verbs that change memories, whatever the name of their store."""

    def pin(self, ids: Sequence[int], why: str = "") -> Change:
        fields = {"pinned": True, "pinned_by": "person", "pinned_why": why or None}
        return self._change("pin", ids, lambda row: fields)

    def unpin(self, ids: Sequence[int]) -> Change:
        fields = {"pinned": False, "pinned_by": None, "pinned_why": None}
        return self._change("unpin", ids, lambda row: fields)

    def snooze(self, ids: Sequence[int], until: float | None) -> Change:
        if until is None:
            return self._change("wake", ids, lambda row: {"snoozed_until": None})
        day = (iso(until) or "")[:10]
        if until <= self.clock():
            raise wording.until_past(day)
        change = self._change("snooze", ids, lambda row: {"snoozed_until": float(until)})
        return replace(change, summary=f"{change.summary}; {wording.hidden_until(day)}")

    def confirm(self, ids: Sequence[int]) -> Change:
        return self._change("confirm", ids, lambda row: confirmed(row.memory, self.clock()))

    def dismiss(self, ids: Sequence[int]) -> Change:
        uids = {self.memories[id].uid for id in ids if id in self.memories}
        ends = {end for m in self.memories.values() for relation in m.ties for end in (m.uid, relation["to"])}
        assert not uids & ends, "the fake workspace does not say what becomes of relations"
        return self._change("dismiss", ids, lambda row: planning.dismissal_fields(None))

    def ids_in(self, *, store: str = "", owner: str = "", key: str = "") -> list[int]:
        name = store if store in ("", NATIVE) else self._store_info(store).name
        return [
            id
            for id, m in sorted(self.memories.items())
            if name in ("", m.store) and owner in ("", m.owner) and key in ("", m.key)
        ]

    def forget(self, ids: Sequence[int]) -> Change:
        return self._change("forget", ids, lambda row: {"here": False})

    def restore(self, ids: Sequence[int]) -> Change:
        def fields(row: MirrorRow) -> Mapping[str, FieldValue]:
            is_gone = row.removed_at is not None
            return {"here": True} if is_gone else planning.restored_fields(self._context, row, None)

        return self._change("restore", ids, fields)

    def edit(
        self,
        ids: Sequence[int],
        fields: Mapping[str, FieldValue],
        *,
        seen: Mapping[str, FieldValue] | None = None,
        retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
    ) -> Change:
        if self.conflict is not None:
            conflict, self.conflict = self.conflict, None
            raise conflict
        wanted = field_values.cleaned(fields, EDITABLE)

        def edited(row: MirrorRow) -> Mapping[str, FieldValue]:
            stored = {name: getattr(row.memory, name) for name in seen or {}}
            stored = {name: value for name, value in stored.items() if seen and value != seen[name]}
            if stored:
                local = {name: wanted[name] for name in stored if name in wanted}
                raise Conflict(wording.CHANGED_SINCE_READ, local, stored)
            tags = (
                field_values.cleaned({"tags": retag(row.memory.tags)}, EDITABLE) if retag is not None else {}
            )
            return verbs.edited_fields(self._context, row, {**wanted, **tags})

        return self._change("edit", ids, edited)

    def add(self, fields: Mapping[str, FieldValue], store: str = NATIVE) -> Change:
        self._require_writable()
        wanted = field_values.cleaned(fields, ADDABLE)
        if not str(wanted.get("content") or "").strip():
            raise Refused("empty", "Nothing was added: a memory needs text.", "Enter some text.")
        row = self._store_named(store if store == NATIVE else self._store_info(store).name)
        if reason := catalog.locked_reason(row):
            raise Refused("read-only", reason, wording.NOTHING_ADDED)
        id, now = self._next_id(), self.clock()
        field_values.check_order({"created_at": now}, wanted)
        defaults: Fields = {"status": "confirmed", "confidence": 0.5, "source_type": "user"}
        defaults |= {"created_at": now, "updated_at": now}
        self._removed[id] = Memory(uid=f"new{id}", store=store, ref=str(id))
        item = self._item(id, {"here": False}, {"here": True, **defaults, **wanted})
        entry_id = self._carry_out("added", summaries.summary("add", [item]), [item])
        return summaries.change_of("add", Outcome(entry_id, [item]), [])

    def pull(self) -> PullResult:
        news, self.news = self.news, []
        for memory in news:
            self._pulled.append(self._next_id())
            self.memories[self._pulled[-1]] = memory
        return PullResult({"codex": (len(news), 0, 0)} if news else {}, {})

    def arrivals(self, after: int | None) -> Arrivals:
        """Return what was pulled; in place of an entry, `after` is how many were before."""
        count = len(self._pulled)
        return Arrivals(dict.fromkeys(self._pulled[count if after is None else after :], CAME), count)

    def _change(
        self, action: str, ids: Sequence[int], change: Callable[[MirrorRow], Mapping[str, FieldValue]]
    ) -> Change:
        """Change the fields of memories as `change` returns them, each as far as nothing blocks it."""
        self._require_writable()
        found = [id for id in dict.fromkeys(ids) if id in self.memories or id in self._removed]
        if not found:
            raise wording.no_such_memory()
        items: list[ChangeItem] = []
        skipped: list[Skipped] = []
        for id in found:
            row = self._row(id)
            reason = planning.blocked_reason(self._context, action, row, self._store_row(id))
            fields = {} if reason else planning.changed_fields(row, change(row))
            if fields:
                before = {n: not v if n == "here" else getattr(row.memory, n) for n, v in fields.items()}
                items.append(self._item(id, before, fields))
            else:
                reason = reason or wording.NOTHING_DIFFERENT
                skipped.append(Skipped(row.memory.uid, row.label, "blocked", reason))
        if not items:
            return verbs.carry_out(self._context, action, items, skipped)  # raises Refused with the reason
        entry_id = self._carry_out(summaries.KINDS[action], summaries.summary(action, items), items)
        return summaries.change_of(action, Outcome(entry_id, items), skipped)
