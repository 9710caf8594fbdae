"""Changing an existing relation: its kind, its values, its direction (SPEC 7)."""

from __future__ import annotations

from memtui.formats.contract.adapter import SupportKind
from memtui.formats.contract.records import Link, clean
from memtui.memory.relations import RelationSpec
from memtui.memory.results import Change
from memtui.memory.secrets.masking import masked_deep
from memtui.values import Fields
from memtui.workspace.changes import field_values
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.relating import relate, wording_relations
from memtui.workspace.changes.relating.supersede import SUPERSEDES
from memtui.workspace.changes.verbs import carry_out
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.journal.items import RELATION
from memtui.workspace.mirror import relation_overrides
from memtui.workspace.mirror import wording as mirror_wording
from memtui.workspace.mirror.memory_rows import MirrorRow


def find(ctx: Context, id: int, kind: str, other: int, which: RelationSpec | None = None) -> RelationSpec:
    """Return the values of an existing relation; `which` selects one of several. Raise Refused if there is
    none."""
    source, target = relate.load_pair(ctx, id, other)
    if (relation := relate.find_local(source, kind, target.memory.uid, which)) is not None:
        strength, context, body = relate.values_of(relation)
        return RelationSpec(kind, strength, context, body, local=True)
    store = store_rows.get(ctx.db, source.store_id)
    native_kind = relate.native_kind(relate.changeable_adapter(ctx, source, store), kind)
    strength, context, body = relate.stored_values(ctx, source, native_kind, target, which)
    return RelationSpec(native_kind, strength, context, body, local=False)


def consequence(ctx: Context, id: int, kind: str, other: int, which: RelationSpec | None = None) -> str:
    """Return what changing an existing relation does, and where."""
    source, target = relate.load_pair(ctx, id, other)
    store = store_rows.get(ctx.db, source.store_id)
    adapter = relate.changeable_adapter(ctx, source, store)
    if adapter is None or relate.find_local(source, kind, target.memory.uid, which) is not None:
        return wording_relations.LOCAL
    support = adapter.support_for("retie", kind)
    if support.kind is SupportKind.NATIVE:
        effect = support.text
    elif relate.can_store(adapter, source, target, "unrelate", kind):
        effect = wording_relations.CHANGED_IN_STORE
    else:
        effect = wording_relations.FIXED_IN_TEXT
    labels = mirror_wording.FIELD_LABELS
    kept = [label for field, label in labels.items() if field not in adapter.relation_fields]
    return wording_relations.change_effect(effect, store.name, kept)


def update(
    ctx: Context,
    id: int,
    kind: str,
    other: int,
    to: RelationSpec,
    *,
    reverse: bool = False,
    which: RelationSpec | None = None,
) -> Change:
    """Give a relation the kind and values of `to`, and with `reverse` the opposite direction.

    It is written where the relation is kept, in its store or in memtui. `which` selects one of several.
    """
    source, target = relate.load_pair(ctx, id, other)
    current = find(ctx, id, kind, other, which)
    to = _normalized(to, current)
    field_values.refuse_masks(
        {"context": to.context, "body": to.body}, {"context": current.context, "body": current.body}
    )
    if to == current and not reverse:
        raise wording_relations.unchanged()
    if current.local:
        return _update_local(ctx, source, target, current, to, reverse)
    relate.changeable_adapter(ctx, target, store_rows.get(ctx.db, target.store_id))
    return _update_stored(ctx, source, target, current, to, reverse)


def _normalized(to: RelationSpec, current: RelationSpec) -> RelationSpec:
    """Return new values on one line each, unchanged ones to the letter, also where they were masked."""
    kind = current.kind if to.kind == current.kind else relate.normalized_kind(to.kind)
    if kind.casefold() == SUPERSEDES != current.kind.casefold():
        raise wording_relations.not_into_supersedes()
    strength = to.strength
    if strength is not None and strength != current.strength:
        strength = min(1.0, max(0.0, strength))
    _, *shown = masked_deep(current.values)  # as an editor was given them
    context = (
        current.context if to.context in (current.context, shown[0]) else " ".join(clean(to.context).split())
    )
    body = current.body if to.body in (current.body, shown[1]) else clean(to.body).strip()
    return RelationSpec(kind, strength, context, body, current.local)


def _update_local(
    ctx: Context, source: MirrorRow, target: MirrorRow, current: RelationSpec, to: RelationSpec, reverse: bool
) -> Change:
    """Change a relation that memtui keeps."""
    old = relate.find_local(source, current.kind, target.memory.uid, current)
    new_source, new_target = (target, source) if reverse else (source, target)
    new = relate.local_relation(to.kind, new_target.memory.uid, *to.values)
    key = (new["kind"], new["to"])
    if any((each["kind"], each["to"]) == key and each != old for each in new_source.memory.ties):
        raise wording_relations.related_already()
    stores = {row.store_id: store_rows.get(ctx.db, row.store_id) for row in (new_source, new_target)}
    if not reverse:
        item = ChangeItem(source, stores[source.store_id], {RELATION: old}, {RELATION: new})
        return carry_out(ctx, "retie", [item], [])
    relate.changeable_adapter(ctx, new_source, stores[new_source.store_id])
    items = [
        ChangeItem(source, stores[source.store_id], {RELATION: old}, {RELATION: None}, all_or_nothing=True),
        ChangeItem(target, stores[target.store_id], {RELATION: None}, {RELATION: new}, all_or_nothing=True),
    ]
    return carry_out(ctx, "retie", items, [])


def _update_stored(
    ctx: Context, source: MirrorRow, target: MirrorRow, current: RelationSpec, to: RelationSpec, reverse: bool
) -> Change:
    """Change a relation that the store holds, with the values that memtui keeps of it."""
    store = store_rows.get(ctx.db, source.store_id)
    adapter = relate.changeable_adapter(ctx, source, store)
    new_kind = relate.native_kind(adapter, to.kind)
    if adapter is None:
        raise relate.not_changeable(adapter)
    values = relation_overrides.storable(adapter, current.values)
    old = Link(source.anchor, current.kind, target.anchor, *values)
    ends = (target.anchor, source.anchor) if reverse else (source.anchor, target.anchor)
    new = Link(ends[0], new_kind, ends[1], *relation_overrides.storable(adapter, to.values))
    overrides = relation_overrides.needed(adapter, relate.key_of(new), to.values)
    rows = source, target
    if new == old and not reverse:  # only what memtui keeps of it changes
        if overrides == relation_overrides.find(ctx.db, store.id, relate.key_of(old)):
            raise wording_relations.unchanged()
        item = ChangeItem(source, store, {}, {})
        relate.add_overrides(ctx, adapter, item, overrides, [old], rows)
        return carry_out(ctx, "retie", [item], [])
    relate.ensure_storable(adapter, source, target, "unrelate", current.kind)
    if not relate.can_store(adapter, source, target, "relate", new_kind):
        raise wording_relations.kind_not_storable(new_kind, adapter.support_for("relate", new_kind).text)
    before, after = _journaled(old, target, source, False), _journaled(new, target, source, reverse)
    item = ChangeItem(source, store, {RELATION: before}, {RELATION: after}, link=new, previous_link=old)
    if relate.key_of(old) != relate.key_of(new):
        overrides = [*overrides, *relate.duplicate_overrides(ctx, store.id, old)]
    relate.add_overrides(ctx, adapter, item, overrides, [old, new], rows)
    return carry_out(ctx, "retie", [item], [])


def _journaled(link: Link, target: MirrorRow, source: MirrorRow, reverse: bool) -> Fields:
    """Return a relation as the journal keeps it."""
    to = source.memory.uid if reverse else target.memory.uid
    relation = relate.local_relation(link.kind, to, link.strength, link.context, link.body)
    return {**relation, "from": target.memory.uid} if reverse else relation
