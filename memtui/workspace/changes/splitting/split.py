"""Splitting one memory into several (SPEC 7).

The first part stays the memory that it was, the others are added to the same store. All of it is one change:
one write to the store, one journal entry, one undo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import clean
from memtui.formats.media.files import atomic_write
from memtui.memory import splitting
from memtui.memory.results import Change, Skipped, SplitPreview
from memtui.memory.splitting import FIRST, RELATIONS
from memtui.values import FieldValue
from memtui.workspace.changes import field_values, outbox, planning, wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.combined_plan import combined
from memtui.workspace.changes.field_changes import edited_fields
from memtui.workspace.changes.revert.entry import ensure_all_or_nothing
from memtui.workspace.changes.splitting import new_parts, wording_split
from memtui.workspace.changes.splitting.relations import Owned, RelationChange, owned
from memtui.workspace.changes.summaries import places_of
from memtui.workspace.changes.verbs import READS, item_of, read_conflicting
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow


def preview(ctx: Context, id: int, parts: Sequence[str], relations: str = FIRST) -> SplitPreview:
    """Return what splitting a memory into these parts would do, and where. Writes nothing; raise Refused if
    it is not possible."""
    unit = _Unit(ctx, id, parts, relations)
    unit.plan(unit.items)
    unit.raise_refused()
    memory = unit.row.memory
    return SplitPreview(
        memory.uid,
        memory.store,
        tuple(unit.parts),
        wording_split.where(
            len(unit.parts),
            wording_split.place(memory.store, unit.target_names),
            _entity(unit),
            unit.keys,
            wording_split.kept_fields(unit.kept),
            wording_split.relations(relations, len(unit.owned.own), unit.owned.of_entity, unit.owned.in_text),
        ),
        unit.keys,
        len(unit.owned.own),
        splitting.is_reworded(memory.content, unit.parts),
    )


def split(
    ctx: Context,
    id: int,
    parts: Sequence[str],
    relations: str = FIRST,
    seen: Mapping[str, FieldValue] | None = None,
) -> Change:
    """Split a memory into these parts; `relations` says which of them has its relations: first, all or none.

    Raise Refused, with nothing changed, if any part of it cannot be done, and Conflict if the memory no
    longer has the values that the user had `seen`.
    """
    ctx.writable()
    unit = _Unit(ctx, id, parts, relations, seen)
    for reads_left in reversed(range(READS)):
        unit.plan(unit.items)
        if not read_conflicting(ctx, "edit", unit.items, retry=reads_left > 0):
            break
    unit.raise_refused()
    summary = wording_split.summary(len(unit.parts), places_of([unit.first], files=False))
    outcome = outbox.run(ctx, new_parts.SPLIT, summary, unit.items, replan=unit.plan)
    read_conflicting(ctx, "edit", outcome.items, retry=False)
    ensure_all_or_nothing(ctx, outcome)
    written = wording_split.summary(
        len(unit.parts), wording_split.place(unit.row.memory.store, unit.target_names)
    )
    notes = dict.fromkeys(i.plan.text for i in unit.items if i.plan is not None and i.plan.text)
    kept = wording_split.kept_fields(unit.kept)
    text = "; ".join(filter(None, (written, kept, *notes))) + outcome.pending_note
    ids = tuple(item.memory_id for item in (unit.first, *unit.added))
    return Change(new_parts.SPLIT, ids, text, outcome.entry_id)


class _Unit:
    """The items of one split: the first part, the memories at the other ends of its relations, and the new
    parts."""

    def __init__(
        self,
        ctx: Context,
        id: int,
        parts: Sequence[str],
        relations: str,
        seen: Mapping[str, FieldValue] | None = None,
    ) -> None:
        """Work out the items; raise Refused if the memory cannot be split so."""
        self._ctx = ctx
        found = memory_rows.load(ctx.db, [id])
        if not found:
            raise wording.no_such_memory()
        self.row = found[0]
        if relations not in RELATIONS:
            raise wording_split.unknown_choice(relations, RELATIONS)
        stores = store_rows.by_id(ctx.db)
        store = stores[self.row.store_id]
        if reason := planning.blocked_reason(ctx, new_parts.SPLIT, self.row, store):
            raise wording.none_possible("blocked", [reason])
        self.parts = [splitting.tidy(clean(part)) for part in parts]
        _refuse_changed(self.row, self.parts[:1], seen or {})
        splitting.check(self.row.memory.content, self.parts)
        joined, content = "\n".join(self.parts), self.row.memory.content
        field_values.refuse_masks({"content": joined}, {"content": content})
        self._adapter = ctx.adapter(store)
        first = item_of(ctx, "edit", self.row, store, self._edited)
        assert not isinstance(first, Skipped)  # the first part is another text
        first.adapter, first.all_or_nothing = self._adapter, True
        self.first = first
        self.added = new_parts.items(ctx, self.row, store, self._adapter, self.parts[1:])
        self.owned: Owned = owned(ctx, self.row, self._adapter)
        self._set_local(first)
        self._edit = dict(first.before), dict(first.after), dict(first.local_fields)
        change = RelationChange(ctx, relations, self.owned.own, first, self.added, stores)
        self._relation_writes = change.writes
        self.items = [first, *change.others, *self.added]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the new parts, or the subjects under which their store has them."""
        memory = self.row.memory
        names = (item.after.get("key") for item in self.added)
        if not memory.key:
            names = (item.after.get("subject") for item in self.added)
            names = (name for name in names if name != memory.subject)
        return tuple(str(name) for name in names if name)

    @property
    def target_names(self) -> str:
        """The names of the files that the parts are in; "" for memtui's own store."""
        plans = [item.plan for item in (self.first, *self.added) if item.plan is not None]
        return "" if self._adapter is None else self._adapter.target_names(plans)

    @property
    def kept(self) -> tuple[str, ...]:
        """The fields of the new parts that their store cannot hold."""
        if self._adapter is None:
            return ()
        fields = (name for item in self.added for name in item.local_fields)
        return tuple(dict.fromkeys(name for name in fields if name in new_parts.TAKEN_OVER or name == "key"))

    def plan(self, group: Sequence[ChangeItem]) -> None:
        """Plan these items of the store; those that memtui alone keeps need no plan."""
        asked = [(item, write) for item in group for write in self._writes(item)]
        if self._adapter is None or not asked:
            return
        results: Sequence[Plan | Refused]
        try:
            results = self._adapter.plan([write for _, write in asked])
        except Refused as refusal:
            results = [refusal for _ in asked]
        except OSError as error:
            results = [atomic_write.refusal(error) for _ in asked]
        for item in group:
            own = [r for (each, _), r in zip(asked, results, strict=True) if each is item]
            item.refused = next((result for result in own if isinstance(result, Refused)), None)
            plans = [result for result in own if isinstance(result, Plan)]
            item.plan = combined(plans) if plans and item.refused is None else None

    def raise_refused(self) -> None:
        """Raise the first refusal: nothing is written if any part cannot be."""
        for item in self.items:
            if item.refused is not None:
                raise item.refused

    def _edited(self, row: MirrorRow, _: type[Adapter] | None) -> Mapping[str, FieldValue]:
        return edited_fields(self._ctx, row, {"content": self.parts[0]})

    def _set_local(self, item: ChangeItem) -> None:
        stored = planning.store_fields(self._adapter, "edit", item)
        item.local_fields = {name: value for name, value in item.after.items() if name not in stored}

    def _writes(self, item: ChangeItem) -> list[Write]:
        ctx, adapter = self._ctx, self._adapter
        if adapter is None:
            return []
        if item.row is None:
            return [Write("add", "", item.added_fields, {}, ctx.clock(), who=ctx.actor)]
        edits = []
        before, after, local = self._edit
        if item is self.first and local.keys() != after.keys():
            edit = ChangeItem(item.row, item.store, before, after, local)
            edits = [planning.build_write(ctx, adapter, "edit", edit, {})]
        return [*edits, *self._relation_writes.get(id(item), ())]


def _refuse_changed(row: MirrorRow, first: Sequence[str], seen: Mapping[str, FieldValue]) -> None:
    stored = {name: now for name in seen if (now := getattr(row.memory, name)) != seen[name]}
    if stored:
        raise Conflict(wording.CHANGED_SINCE_READ, dict.fromkeys(stored, first[0] if first else ""), stored)


def _entity(unit: _Unit) -> str:
    has_entity = unit.first.adapter is not None and unit.first.adapter.entity_fields
    return str(unit.row.memory.subject or "") if has_entity else ""
