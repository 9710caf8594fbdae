"""Matching the records of a store before and after edits, and finding records changed by accident (S-4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from memtui.formats.contract.plans import Plan
from memtui.formats.contract.records import Reading, Record
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.position_map import PositionMap

_ACCOMPANYING = {"created_at", "updated_at", "key"}  # fields that any change of a record may change too


def content_digest(record: Record) -> str:
    """Return a digest of a record's content, whatever its number among records with equal text."""
    return replace(record, ref="", anchor="").digest


def match_records(
    before: Reading, after: Reading, positions: PositionMap, plans: Sequence[Plan]
) -> dict[str, str]:
    """Return the ref in `after` of each record of `before` that is still there.

    A record is where its first byte went. Where that would mean that records were changed that no plan is
    about, text moved past other text; these records are then matched by content.
    """
    by_position = {record.position: record for record in after.records}
    planned = {plan.ref for plan in plans}
    shared = _fields_by_anchor(plans)
    matched: dict[str, str] = {}
    mismatched: list[Record] = []
    for record in before.records:
        position = positions.locate(record.position)
        now = by_position.get(position) if position is not None else None
        if now is not None:
            matched[record.ref] = now.ref
        if record.ref in planned or (now is not None and now.fields == record.fields):
            continue
        if now is None or not _differing_names(record, now) <= shared.get(record.anchor, set()):
            mismatched.append(record)
    return _match_by_content(before, after, matched, mismatched, plans, shared) if mismatched else matched


def _match_by_content(
    before: Reading,
    after: Reading,
    matched: dict[str, str],
    mismatched: Sequence[Record],
    plans: Sequence[Plan],
    shared: Mapping[str, Set[str]],
) -> dict[str, str]:
    """Match the `mismatched` records by content, without the fields that plans change for all records of an
    anchor (`shared`)."""

    def own_digest(record: Record) -> str:
        own = record.fields.keys() - shared.get(record.anchor, set())
        return content_digest(replace(record, fields={name: record.fields[name] for name in own}))

    lost = {record.ref for record in mismatched} | {plan.ref for plan in plans}
    taken = {ref for old, ref in matched.items() if old not in lost}
    free = {record.ref: record for record in after.records if record.ref not in taken}
    out = {old: ref for old, ref in matched.items() if old not in lost}
    by_digest: dict[str, list[str]] = {}
    for record in free.values():
        by_digest.setdefault(own_digest(record), []).append(record.ref)
    for record in mismatched:
        equal = by_digest.get(own_digest(record), [])
        if equal:
            ref = record.ref if record.ref in equal else equal[0]
            equal.remove(ref)
            out[record.ref] = ref
            del free[ref]
    # Records that plans are about, or that really changed: where their bytes went, or the ref that the plan
    # gives, or equal text, where only what it shares with other records changes.
    digests = {record.ref: own_digest(record) for record in before.records if record.ref in lost}
    for plan in plans:
        equal = by_digest.get(digests.get(plan.ref or "", ""), [])
        candidates = (matched.get(plan.ref or ""), plan.ref_after, *equal)
        place = next((each for each in candidates if each is not None and each in free), None)
        if plan.ref is not None and place is not None:
            out[plan.ref] = place
            del free[place]
    for record in mismatched:
        if record.ref not in out and matched.get(record.ref) in free:
            out[record.ref] = matched[record.ref]
            del free[matched[record.ref]]
    return out


def changed_by_accident(
    before: Reading,
    now: Mapping[str, Record],
    matched: Mapping[str, str],
    plans: Sequence[Plan],
    reverted_refs: Set[str],
) -> list[str]:
    """Return the places of records that changed beyond what the plans say; `reverted_refs` are exempt."""
    removed = {plan.ref for plan in plans if plan.removed_fields is not None}
    planned: dict[str | None, set[str]] = {}
    for plan in plans:
        planned.setdefault(plan.ref, set()).update(plan.changed_fields)
    shared = _fields_by_anchor(plans)
    places = []
    for record in before.records:
        present = now.get(matched.get(record.ref, ""))
        if record.ref in reverted_refs or record.anchor in reverted_refs:
            continue
        if present is None:
            if record.ref not in planned and record.ref not in removed and not record.placeholder:
                places.append(record.place or record.ref)
            continue
        if present.fields == record.fields:
            continue
        allowed = shared.get(record.anchor, set()) | shared.get(present.anchor, set())
        if record.ref in planned:
            allowed = allowed | planned[record.ref] | _ACCOMPANYING
        if not _differing_names(record, present) <= allowed:
            places.append(record.place or record.ref)
    return places


def record_at_change(before: Reading, draft: Draft) -> str | None:
    """Return the ref of the record in whose line the draft's pending change is: the last that begins before
    it."""
    best: tuple[int, str] | None = None
    for name, start in draft.pending():
        line = draft.files[name].rfind(b"\n", 0, start) + 1
        for record in before.records:
            at = draft.position_map.locate(record.position) if record.position[0] == name else None
            if at is not None and line <= at[1] <= start and (best is None or at[1] >= best[0]):
                best = at[1], record.ref
    return best[1] if best else None


def _fields_by_anchor(plans: Sequence[Plan]) -> dict[str, set[str]]:
    """Return the fields that plans change in all records of an anchor."""
    fields: dict[str, set[str]] = {}
    for plan in plans:
        for anchor in plan.affected_anchors:
            fields.setdefault(anchor, set()).update(plan.changed_fields)
    return fields


def _differing_names(record: Record, now: Record) -> set[str]:
    names = record.fields.keys() | now.fields.keys()
    return {name for name in names if record.fields.get(name) != now.fields.get(name)}
