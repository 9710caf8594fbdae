"""Adding and removing relations between memories (SPEC 7).

A relation is held by the store where both memories are in one that can hold it; else the workspace keeps it
with the memory that it leads from (`ties`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, SupportKind
from memtui.formats.contract.records import Link, clean
from memtui.memory.relations import VALUE_FIELDS, RelationSpec
from memtui.memory.results import Change
from memtui.memory.secrets.masking import masked_deep
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import field_values, wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import blocked_reason
from memtui.workspace.changes.relating import wording_relations
from memtui.workspace.changes.relating.supersede import SUPERSEDES, supersede
from memtui.workspace.changes.verbs import carry_out
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.models import Memory, Relation
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import RELATION, RELATION_OVERRIDES
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.mirror.relation_overrides import Key, Override, Values

KIND_LENGTH = 60  # characters at most
# An aggregate over JSON: how many relations with different values there are.
_DUPLICATES = (
    "SELECT count(DISTINCT json_array(strength, context, body)) FROM relations WHERE store_id = ? "
    "AND source = ? AND kind = ? AND target = ?"
)


def relate(
    ctx: Context,
    id: int,
    kind: str,
    other: int,
    *,
    strength: float | None = None,
    context: str = "",
    body: str = "",
) -> Change:
    """Add a relation from one memory to another; `strength` is 0–1, `context` a line, `body` a text."""
    source, target = load_pair(ctx, id, other)
    kind = normalized_kind(kind)
    store = store_rows.get(ctx.db, source.store_id)
    if strength is not None:
        strength = min(1.0, max(0.0, strength))
    context, body = clean(context), clean(body)
    field_values.refuse_masks({"context": context, "body": body}, {})
    if kind.casefold() == SUPERSEDES:
        return supersede(ctx, [other], id, context or body)
    adapter = changeable_adapter(ctx, source, store)
    kind = native_kind(adapter, kind)
    if can_store(adapter, source, target, "relate", kind):
        assert adapter is not None
        changeable_adapter(ctx, target, store)
        values = strength, context.strip(), body.strip()
        link = Link(source.anchor, kind, target.anchor, *relation_overrides.storable(adapter, values))
        after = {"kind": kind, "to": target.memory.uid}
        item = ChangeItem(source, store, {RELATION: None}, {RELATION: after}, link=link)
        overrides = relation_overrides.needed(adapter, key_of(link), values)
        add_overrides(ctx, adapter, item, overrides, [link], [source, target])
        return carry_out(ctx, "relate", [item], [])
    relation = local_relation(kind, target.memory.uid, strength, context, body)
    if any((each["kind"], each["to"]) == (kind, target.memory.uid) for each in source.memory.ties):
        raise wording_relations.related_already()
    item = ChangeItem(source, store, {RELATION: None}, {RELATION: relation})
    return carry_out(ctx, "relate", [item], [])


def unrelate(
    ctx: Context,
    id: int,
    kind: str,
    other: int | str,
    *,
    outgoing: bool = True,
    which: RelationSpec | None = None,
) -> Change:
    """Remove a relation from one memory to another, or the other way if it is not `outgoing`.

    `other` may be a name in the store that no memory has. `which` selects one of several relations of a kind
    between the same two.
    """
    if id == other:  # a store may hold a relation of a memory to itself
        memory = ctx.db.first(Memory.select(Memory.anchor).where(Memory.id == id))
        other = memory.anchor if memory is not None else ""
    if isinstance(other, str):
        return _unrelate_name(ctx, id, kind, other, outgoing, which)
    source, target = load_pair(ctx, id, other) if outgoing else load_pair(ctx, other, id)
    store = store_rows.get(ctx.db, source.store_id)
    adapter = changeable_adapter(ctx, source, store)
    if (relation := find_local(source, kind, target.memory.uid, which)) is not None:
        item = ChangeItem(source, store, {RELATION: relation}, {RELATION: None})
        return carry_out(ctx, "unrelate", [item], [])
    kind = native_kind(adapter, kind)
    values = stored_values(ctx, source, kind, target, which)
    ensure_storable(adapter, source, target, "unrelate", kind)
    assert adapter is not None
    link = Link(source.anchor, kind, target.anchor, *relation_overrides.storable(adapter, values))
    before = {"kind": kind, "to": target.memory.uid}
    item = ChangeItem(source, store, {RELATION: before}, {RELATION: None}, link=link)
    add_overrides(ctx, adapter, item, duplicate_overrides(ctx, store.id, link), [link], [source, target])
    return carry_out(ctx, "unrelate", [item], [])


def _unrelate_name(
    ctx: Context, id: int, kind: str, name: str, outgoing: bool, which: RelationSpec | None
) -> Change:
    """Remove a relation of which one end dangles."""
    ctx.writable()
    found = memory_rows.load(ctx.db, [id])
    if not found:
        raise wording.no_such_memory()
    row = found[0]
    store = store_rows.get(ctx.db, row.store_id)
    adapter = changeable_adapter(ctx, row, store)
    if outgoing and (relation := find_local(row, kind, name, which)) is not None:
        item = ChangeItem(row, store, {RELATION: relation}, {RELATION: None})
        return carry_out(ctx, "unrelate", [item], [])
    ends = (row.anchor, name) if outgoing else (name, row.anchor)
    values = _find_values(ctx, row.store_id, ends, kind, which) if row.anchor else None
    if values is None:
        raise not_found(kind, which)
    if adapter is None or adapter.support_for("unrelate", kind).kind is not SupportKind.NATIVE:
        raise not_changeable(adapter)
    before = {"kind": kind, "to": ends[1]}
    link = Link(ends[0], kind, ends[1], *relation_overrides.storable(adapter, values))
    item = ChangeItem(row, store, {RELATION: before}, {RELATION: None}, link=link)
    add_overrides(ctx, adapter, item, duplicate_overrides(ctx, store.id, link), [link], [row])
    return carry_out(ctx, "unrelate", [item], [])


# -- the values that memtui keeps of a store's relation


def add_overrides(
    ctx: Context,
    adapter: Adapter,
    item: ChangeItem,
    overrides: list[Override],
    links: Sequence[Link],
    ends: Sequence[MirrorRow],
) -> None:
    """Add to an item what memtui keeps of these relations before it, and the `overrides` after it."""
    if adapter.relation_fields >= set(VALUE_FIELDS):
        return
    keys = [key_of(link) for link in links]
    uids = {row.anchor: row.memory.uid for row in ends}
    existing = relation_overrides.find(ctx.db, item.store.id, *keys)
    item.before[RELATION_OVERRIDES] = relation_overrides.journaled(keys, existing, uids)
    item.after[RELATION_OVERRIDES] = relation_overrides.journaled(keys, overrides, uids)


def duplicate_overrides(ctx: Context, store_id: int, link: Link) -> list[Override]:
    """Return the overrides of a relation that stay when it is removed, since others of its kind between the
    same two remain."""
    others = ctx.db.one(_DUPLICATES, (store_id, *key_of(link))) > 1
    return relation_overrides.find(ctx.db, store_id, key_of(link)) if others else []


def key_of(link: Link) -> Key:
    """Return what the overrides of a relation are found by."""
    return link.source, link.kind, link.target


# -- finding a relation


def find_local(source: MirrorRow, kind: str, to: str, which: RelationSpec | None) -> Fields | None:
    """Return the relation of a kind to a memory (its uid) that memtui keeps with the one it leads from."""
    if which is not None and which.local is False:
        return None
    relations = [each for each in source.memory.ties if (each["kind"], each["to"]) == (kind, to)]
    place = _selected([values_of(each) for each in relations], which)
    return relations[place] if place is not None else None


def local_relation(kind: str, to: str, strength: float | None, context: str, body: str) -> Fields:
    """Return a relation as memtui keeps it with the memory that it leads from."""
    values = {"strength": strength, "context": context, "body": body}
    return {"kind": kind, "to": to} | {n: value for n, value in values.items() if value not in (None, "")}


def values_of(relation: Mapping[str, FieldValue]) -> Values:
    """Return the values of a relation that memtui keeps."""
    return relation.get("strength"), relation.get("context", ""), relation.get("body", "")


def stored_values(
    ctx: Context, source: MirrorRow, kind: str, target: MirrorRow, which: RelationSpec | None
) -> Values:
    """Return the values of a relation that the store holds; raise Refused if it has none."""
    in_store = source.store_id == target.store_id and source.anchor and (which is None or not which.local)
    ends = source.anchor, target.anchor
    values = _find_values(ctx, source.store_id, ends, kind, which) if in_store else None
    if values is None:
        raise not_found(kind, which)
    return values


def _find_values(
    ctx: Context, store_id: int, ends: tuple[str, str], kind: str, which: RelationSpec | None
) -> Values | None:
    source, target = clean(ends[0]), clean(ends[1])
    query = Relation.select().where(
        (Relation.store_id == store_id)
        & (Relation.source == source)
        & (Relation.kind == clean(kind))
        & (Relation.target == target)
    )
    found: list[Values] = [(each.strength, each.context, each.body) for each in ctx.db.fetch(query)]
    place = _selected(found, which)
    return found[place] if place is not None else None


def _selected(found: Sequence[Values], which: RelationSpec | None) -> int | None:
    """Return the place of the values that are selected, as they are or as screens show them: masked."""
    if which is None:
        return 0 if found else None
    shown = which.values
    places = [n for n, values in enumerate(found) if values == shown]
    places += [n for n, values in enumerate(found) if masked_deep(values) == shown]
    return places[0] if places else None


def not_found(kind: str, which: RelationSpec | None) -> Refused:
    """Return the refusal for a relation that does not exist; of a selected one it has changed."""
    return wording_relations.no_relation(kind) if which is None else wording_relations.relation_changed(kind)


# -- what is possible


def load_pair(ctx: Context, id: int, other: int) -> tuple[MirrorRow, MirrorRow]:
    """Return the two memories of a relation; raise Refused if one is missing, or the workspace read-only."""
    ctx.writable()
    found = {row.id: row for row in memory_rows.load(ctx.db, [id, other])}
    if id == other:
        raise wording_relations.same_memory()
    if len(found) < 2:
        raise wording.no_such_memory()
    return found[id], found[other]


def changeable_adapter(ctx: Context, row: MirrorRow, store: StoreRow) -> Adapter | None:
    """Return the store's adapter; raise Refused if the memory's relations cannot be changed now."""
    if reason := blocked_reason(ctx, "relate", row, store):
        raise wording_relations.blocked(reason)
    return None if store.format == NATIVE else ctx.adapter(store)


def can_store(adapter: Adapter | None, source: MirrorRow, target: MirrorRow, action: str, kind: str) -> bool:
    """Return whether the store itself holds such a relation."""
    return (
        adapter is not None
        and source.store_id == target.store_id
        and bool(source.anchor and target.anchor)
        and adapter.support_for(action, kind).kind is SupportKind.NATIVE
    )


def ensure_storable(
    adapter: Adapter | None, source: MirrorRow, target: MirrorRow, action: str, kind: str
) -> None:
    """Raise Refused if the store holds such a relation in a form that cannot be changed."""
    if not can_store(adapter, source, target, action, kind):
        raise not_changeable(adapter)


def not_changeable(adapter: Adapter | None) -> Refused:
    """Return the refusal for a relation whose form in the store cannot be changed."""
    return wording_relations.not_changeable("" if adapter is None else adapter.title)


def native_kind(adapter: Adapter | None, kind: str) -> str:
    """Return the kind as the format spells it."""
    known = () if adapter is None else adapter.relation_kinds
    plain = kind.casefold().replace("-", "_").replace(" ", "_")
    return next((each for each in known if each.casefold() == plain), kind)


def normalized_kind(kind: str) -> str:
    """Return a relation's kind on one line; raise Refused if it is empty or too long."""
    kind = " ".join(clean(kind).split())
    if not kind or len(kind) > KIND_LENGTH:
        raise wording_relations.bad_kind_length(KIND_LENGTH)
    return kind
