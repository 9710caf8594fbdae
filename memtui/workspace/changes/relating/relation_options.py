"""The kinds of relation that one memory may have to another, and what adding each would do (S-8)."""

from __future__ import annotations

from memtui.formats.contract.adapter import Adapter, SupportKind
from memtui.formats.contract.records import clean
from memtui.memory.relations import RelationOption
from memtui.workspace.changes import wording
from memtui.workspace.changes.relating import relate, wording_relations
from memtui.workspace.changes.relating.supersede import SUPERSEDES
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.models import Relation
from memtui.workspace.mirror.memory_rows import MirrorRow

KINDS = ("supports", "contradicts", "refines", "based on", "relates to", SUPERSEDES)
_MOST_USED = 12  # kinds of a store
# An aggregate over the store's newest relations.
_USED = (
    "SELECT kind FROM (SELECT kind, store_id FROM relations ORDER BY id DESC LIMIT 5000) "
    "WHERE store_id = ? AND kind <> '' AND length(kind) <= ? "
    "GROUP BY kind ORDER BY count(*) DESC, kind LIMIT ?"
)


def options(ctx: Context, id: int, other: int, typed: str = "") -> list[RelationOption]:
    """Return the kinds of relation that one memory may have to another, each with what it would do and where;
    with `typed`, those that begin with it, and itself. A kind that exists already would be removed, and comes
    first unless it is among the others."""
    source, target = relate.load_pair(ctx, id, other)
    store = store_rows.get(ctx.db, source.store_id)
    adapter = relate.changeable_adapter(ctx, source, store)
    in_store = adapter is not None and source.store_id == target.store_id
    native = adapter.relation_kinds if adapter is not None and in_store else ()
    if in_store and not native:  # first the kinds that the store uses
        native = _used_kinds(ctx, source.store_id)
    offered = [*native, *(kind for kind in KINDS if relate.native_kind(adapter, kind) not in native)]
    existing = _existing_kinds(ctx, source, target)
    known = {relate.native_kind(adapter, kind) for kind in offered}
    kinds = [*sorted(existing - known), *offered]
    typed = " ".join(clean(typed).split())
    if typed:
        begun = [kind for kind in kinds if kind.casefold().startswith(typed.casefold())]
        kinds = begun if any(kind.casefold() == typed.casefold() for kind in begun) else [*begun, typed]
    return [_option(adapter, source, target, kind, existing) for kind in kinds]


def _used_kinds(ctx: Context, store_id: int) -> tuple[str, ...]:
    """Return the kinds that a store used lately, the most used first."""
    rows = ctx.db.rows(_USED, (store_id, relate.KIND_LENGTH, _MOST_USED))
    return tuple(kind for (kind,) in rows)


def _option(
    adapter: Adapter | None, source: MirrorRow, target: MirrorRow, kind: str, existing: set[str]
) -> RelationOption:
    kind = kind if kind in existing else relate.native_kind(adapter, kind)
    if kind == SUPERSEDES:
        takes_reason = _stores_reason(adapter, source, target)
        return RelationOption(kind, wording_relations.SUPERSEDES_OTHER, takes_reason=takes_reason)
    if relate.can_store(adapter, source, target, "relate", kind):
        assert adapter is not None
        in_store = "context" in adapter.relation_fields
        reason = "" if in_store else wording_relations.REASON_KEPT_IN_MEMTUI
        return RelationOption(kind, adapter.support_for("relate", kind).text, kind in existing, reason)
    text = wording.IS_KEPT_IN_MEMTUI
    if adapter is not None and source.store_id == target.store_id:
        text = adapter.support_for("relate", kind).text
    elif source.store_id != target.store_id:
        text = wording_relations.KEPT_BETWEEN_STORES
    return RelationOption(kind, text, kind in existing)


def _stores_reason(adapter: Adapter | None, source: MirrorRow, target: MirrorRow) -> bool:
    """Return whether a store holds why a memory was superseded."""
    in_store = adapter is not None and source.store_id == target.store_id and bool(source.anchor)
    if adapter is None or not in_store:
        return False
    native = adapter.support_for("supersede").kind is SupportKind.NATIVE
    return native and "context" in adapter.relation_fields


def _existing_kinds(ctx: Context, source: MirrorRow, target: MirrorRow) -> set[str]:
    """Return the kinds of the relations from one to the other, as far as they have one."""
    local = {relation["kind"] for relation in source.memory.ties if relation["to"] == target.memory.uid}
    if source.store_id != target.store_id or not source.anchor:
        return local
    ends = (Relation.source == source.anchor) & (Relation.target == target.anchor)
    query = Relation.select(Relation.kind).where((Relation.store_id == source.store_id) & ends)
    return (local | {relation.kind for relation in ctx.db.fetch(query)}) - {""}
