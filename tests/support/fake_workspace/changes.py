"""Changing memories: each verb as the real one does it in memtui's own store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import cast

from memtui.errors import Conflict, Refused
from memtui.memory.encoding import iso
from memtui.memory.journal import CAME, Arrivals
from memtui.memory.lifecycles.confirmation import confirmed
from memtui.memory.memory import ADDABLE, EDITABLE, Memory
from memtui.memory.results import Change, Skipped, StorePreview
from memtui.memory.stores import PullResult
from memtui.values import Fields, FieldValue
from memtui.workspace.background import JobControl
from memtui.workspace.changes import field_changes, field_values, planning, summaries, verbs, wording
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.parts import FIRST
from memtui.workspace.context import NATIVE
from memtui.workspace.db.store_rows import StoreRow as RealStoreRow
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog
from tests.support.fake_workspace.undo import Undo

NO_FIELDS: Mapping[str, FieldValue] = MappingProxyType({})


class Changes(Undo):
    """The verbs that change memories, whatever the name of their store."""

    def preview(
        self,
        action: str,
        ids: Sequence[int],
        fields: Mapping[str, FieldValue] = NO_FIELDS,
        retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
        *,
        with_entities: bool = False,
    ) -> list[StorePreview]:
        self._gate("preview")
        self._raise_error("preview")
        found: dict[str, list[ChangeItem | Skipped]] = {}
        change: planning.FieldChange
        if action == "edit":
            change = field_changes.Edit(self._context, field_values.cleaned(fields, EDITABLE), retag)
        elif action == "snooze":
            change = lambda *_: fields  # noqa: E731
        elif action == "reason":
            change = field_changes.pinned(self._context, str(fields["pinned_why"]))
        else:
            change = field_changes.of_verb(self._context, action)
        for id in ids:
            row, store = self._row(id), self._store_row(id)
            item = verbs.item_of(self._context, action, row, cast(RealStoreRow, store), change)
            found.setdefault(row.memory.store, []).append(item)
        text = planning.support(None, action).label
        return [
            StorePreview(
                store,
                sum(isinstance(item, ChangeItem) for item in items),
                text,
                blocked=Counter(item.reason for item in items if isinstance(item, Skipped)),
            )
            for store, items in found.items()
        ]

    def pin(self, ids: Sequence[int], why: str = "", control: JobControl | None = None) -> Change:
        fields = {"pinned": True, "pinned_by": "person", "pinned_why": why or None}
        again = bool(why) and all(self.memories[id].pinned for id in ids)
        return self._change("reason" if again else "pin", ids, lambda row: fields, control)

    def unpin(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        fields = {"pinned": False, "pinned_by": None, "pinned_why": None}
        return self._change("unpin", ids, lambda row: fields, control)

    def snooze(self, ids: Sequence[int], until: float | None, control: JobControl | None = None) -> Change:
        if until is None:
            return self._change("wake", ids, lambda row: {"snoozed_until": None}, control)
        day = (iso(until) or "")[:10]
        if until <= self.clock():
            raise wording.until_past(day)
        change = self._change("snooze", ids, lambda row: {"snoozed_until": float(until)}, control)
        return replace(change, summary=wording.hidden_until(day, change.summary))

    def confirm(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        return self._change("confirm", ids, lambda row: confirmed(row.memory, self.clock()), control)

    def dismiss(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        uids = {self.memories[id].uid for id in ids if id in self.memories}
        ends = {end for m in self.memories.values() for relation in m.ties for end in (m.uid, relation["to"])}
        assert not uids & ends, "the fake workspace does not say what becomes of relations"
        return self._change("dismiss", ids, lambda row: planning.dismissal_fields(None), control)

    def ids_in(self, *, store: str = "", owner: str = "", key: str = "") -> list[int]:
        name = store if store in ("", NATIVE) else self._store_info(store).name
        return [
            id
            for id, m in sorted(self.memories.items())
            if name in ("", m.store) and owner in ("", m.owner) and key in ("", m.key)
        ]

    def forget(
        self, ids: Sequence[int], control: JobControl | None = None, *, with_entities: bool = False
    ) -> Change:
        return self._change("forget", ids, lambda row: {"here": False}, control)

    def restore(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        def fields(row: MirrorRow) -> Mapping[str, FieldValue]:
            is_gone = row.removed_at is not None
            return {"here": True} if is_gone else planning.restored_fields(self._context, row, None)

        return self._change("restore", ids, fields, control)

    def edit(
        self,
        ids: Sequence[int],
        fields: Mapping[str, FieldValue],
        *,
        seen: Mapping[str, FieldValue] | None = None,
        retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
        control: JobControl | None = None,
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
            return field_changes.edited_fields(self._context, row, {**wanted, **tags})

        return self._change("edit", ids, edited, control)

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
        self,
        action: str,
        ids: Sequence[int],
        change: Callable[[MirrorRow], Mapping[str, FieldValue]],
        control: JobControl | None = None,
    ) -> Change:
        """Change the fields of memories as `change` returns them, each as far as nothing blocks it; with
        `control` until it stops, after ten at the earliest, where the gate "part" waits."""
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
        reached = len(items)
        if control is not None and control.stop():
            raise wording.stopped_first()
        if control is not None and reached > FIRST:
            control.report(FIRST, reached - FIRST)
            with suppress(InterruptedError):
                self._gate("part", control.stop)
            reached = FIRST if control.stop() else reached
        summary = summaries.summary(action, items)
        unreached = len(items) - reached
        entry_id = self._carry_out(summaries.KINDS[action], summary, items[:reached])
        return summaries.change_of(action, Outcome(entry_id, items[:reached]), skipped, unreached)
