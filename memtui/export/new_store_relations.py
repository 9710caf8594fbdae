"""The relations among exported memories, written into their new store where its format holds them (S-70)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, SupportKind
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Link
from memtui.memory.relations import RelationAmong
from memtui.workspace.changes.relating.relate import native_kind
from memtui.workspace.mirror import relation_overrides


def write(adapter: Adapter, refs: Mapping[str, str], relations: Sequence[RelationAmong], now: float) -> int:
    """Write relations into a store whose memories have these refs, by uid; return how many it holds.

    A format that names memories one by one does not hold a relation between entities of several memories:
    which of them it would be between is not known. Raise Refused if the store cannot be written.
    """
    if not relations:
        return 0
    reading = adapter.read()
    anchors = {record.ref: record.anchor for record in reading.records}
    by_uid = {uid: (ref, anchors[ref]) for uid, ref in refs.items() if anchors.get(ref)}
    present = {(link.source, link.kind, link.target) for link in reading.links}  # which the texts state
    held = 0
    wanted: dict[tuple[str, str, str], tuple[Write, int]] = {}
    for each in relations:
        source, target = _end(by_uid, each.sources), _end(by_uid, each.targets)
        if source is None or target is None:
            continue
        kind = native_kind(adapter, each.kind)
        key = source[1], kind, target[1]
        if key in present:
            held += 1
        elif adapter.support_for("relate", kind).kind is SupportKind.NATIVE:
            values = relation_overrides.storable(adapter, (each.strength, each.context, each.body))
            first = Write("relate", source[0], {}, {}, now, link=Link(*key, *values))
            made, count = wanted.get(key, (first, 0))
            wanted[key] = made, count + 1
    results = adapter.plan([made for made, _ in wanted.values()]) if wanted else []
    plans: list[Plan] = []
    for (_, count), result in zip(wanted.values(), results, strict=True):
        if not isinstance(result, Refused):
            plans.append(result)
            held += count
    if plans:
        adapter.apply(plans, "export")
    return held


def _end(by_uid: Mapping[str, tuple[str, str]], uids: Sequence[str]) -> tuple[str, str] | None:
    """Return the ref and name of the one end that these memories have in the store, None if there is not
    exactly one name."""
    ends = {by_uid[uid][1]: by_uid[uid] for uid in reversed(uids) if uid in by_uid}
    return next(iter(ends.values())) if len(ends) == 1 else None
