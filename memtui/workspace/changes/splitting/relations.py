"""Who has the relations of a memory once it is split: its first part, each part, or no part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memtui.formats.contract.adapter import Adapter, SupportKind
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Link
from memtui.memory.relations import Relation
from memtui.memory.splitting import ALL, NONE
from memtui.values import Fields, FieldValue
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.relating import relate
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import RELATION, RELATION_OVERRIDES, RELATIONS
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.relations.lookup import relations_of


@dataclass(slots=True)
class Owned:
    """The relations of one memory: its own, which a split asks about; those that its entity has; and those
    that are links in its text."""

    own: list[Relation] = field(default_factory=list)
    of_entity: int = 0
    in_text: int = 0


def owned(ctx: Context, row: MirrorRow, adapter: Adapter | None) -> Owned:
    """Return the relations of a memory by what they belong to."""
    out = Owned()
    for each in relations_of(ctx, row):
        if each.source_id == each.target_id:
            continue
        if each.local:
            out.own.append(each)
        elif adapter is not None and adapter.entity_fields:
            out.of_entity += 1
        elif adapter is not None and adapter.support_for("unrelate", each.kind).kind is SupportKind.NATIVE:
            out.own.append(each)
        else:
            out.in_text += 1
    return out


class RelationChange:
    """What happens to the relations of `first`, of which `added` are split off.

    `others` are the items of the memories at their other ends; `writes` are those of each item, by its id().
    """

    def __init__(
        self,
        ctx: Context,
        choice: str,
        found: Sequence[Relation],
        first: ChangeItem,
        added: Sequence[ChangeItem],
        stores: Mapping[int, StoreRow],
    ) -> None:
        self.writes: dict[int, list[Write]] = {}
        self._ctx = ctx
        self._first = first
        self._stores = stores
        assert first.row is not None
        self._row = first.row
        self._others: dict[int, ChangeItem] = {}
        ends = [end for each in found for end in (each.source_id, each.target_id) if end is not None]
        self._rows = {row.id: row for row in memory_rows.load(ctx.db, ends)}
        if choice == ALL:
            for each in found:
                self._copy(each, added)
        elif choice == NONE:
            for each in found:
                self._remove(each)
            self._remove_overrides()

    @property
    def others(self) -> list[ChangeItem]:
        """The items of the memories at the other ends."""
        return list(self._others.values())

    def _item(self, id: int | None) -> ChangeItem:
        """Return the item of the memory that a relation is written to; the first part's for a name that no
        memory has."""
        if id is None or id == self._row.id or id not in self._rows:
            return self._first
        if id not in self._others:
            row = self._rows[id]
            self._others[id] = ChangeItem(row, self._stores[row.store_id], {}, {}, all_or_nothing=True)
        return self._others[id]

    def _copy(self, relation: Relation, added: Sequence[ChangeItem]) -> None:
        """Give each new part a relation like this one, kept by memtui: no store can hold one of a memory that
        it does not have yet."""
        values = relation.strength, relation.context, relation.body
        for item in added:
            if relation.source_id == self._row.id:
                to = relation.target_uid or relation.target
                _append(item, RELATIONS, after=relate.local_relation(relation.kind, to, *values))
            elif relation.source_id is not None:
                copy = relate.local_relation(relation.kind, "", *values)
                other = self._item(relation.source_id)
                other.ends_added.append((copy, item))
                _append(other, RELATIONS, after=copy)

    def _remove(self, relation: Relation) -> None:
        values = relation.strength, relation.context, relation.body
        item = self._item(relation.source_id)
        if relation.local:
            assert item.row is not None
            kept = relate.find_local(item.row, relation.kind, relation.target_uid or relation.target, None)
            _append(item, RELATIONS, before=kept)
            return
        adapter = self._adapter()
        link = Link(
            *(relation.source, relation.kind, relation.target),
            *relation_overrides.storable(adapter, values),
        )
        assert item.row is not None
        write = Write("unrelate", item.row.memory.ref, {}, {}, self._ctx.clock(), link, self._ctx.actor)
        self.writes.setdefault(id(item), []).append(write)
        _append(item, RELATION, before={"kind": relation.kind, "to": relation.target_uid or relation.target})

    def _remove_overrides(self) -> None:
        """Remove what memtui keeps of the relations that are removed."""
        for item in (self._first, *self.others):
            links = [write.link for write in self.writes.get(id(item), ()) if write.link is not None]
            if links:
                assert item.row is not None
                relate.add_overrides(self._ctx, self._adapter(), item, [], links, [item.row, self._row])
                item.adapter = self._adapter()
                if RELATION_OVERRIDES in item.after:
                    item.local_fields[RELATION_OVERRIDES] = item.after[RELATION_OVERRIDES]

    def _adapter(self) -> Adapter:
        assert self._first.adapter is not None  # only such a store has relations of its own
        return self._first.adapter


def _append(item: ChangeItem, name: str, before: Fields | None = None, after: Fields | None = None) -> None:
    """Add a relation to those that an item removes (`before`), or adds."""
    for side, relation in ((item.before, before), (item.after, after)):
        known: list[FieldValue] = list(side.get(name) or ())
        side[name] = [*known, *([relation] if relation is not None else [])] or None
    if name == RELATIONS:
        item.local_fields[name] = item.after[name]
