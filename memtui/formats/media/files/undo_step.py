"""One plan's part in an undo: how it is reverted, and what must be there afterwards (S-51)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.formats.contract.plans import Plan
from memtui.formats.contract.records import Reading, Record
from memtui.formats.media.files import exact_undo, wording
from memtui.formats.media.files.batch import Step
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.record_matching import content_digest, record_at_change
from memtui.values import Fields, FieldValue

if TYPE_CHECKING:
    from memtui.formats.media.files.store import FileStore


def undo_step(
    store: FileStore,
    before: Reading,
    by_ref: Mapping[str, Record],
    plan: Plan,
    restored: set[str | None],
) -> Step:
    """Return the step that reverts a plan: to the exact bytes, else as the format undoes it, else by the
    texts. `before` is the store as it is, `restored` are the refs of all plans that are reverted with it."""
    now = by_ref.get(plan.ref_after or "")
    removed = (dict(now.fields) if now is not None else {}) if plan.ref is None else None
    # Relations, and the fields of an entity, outlive the memory by which they were changed.
    stays = plan.removed_fields is None and None not in (plan.ref, plan.ref_after)
    detached = stays and set(plan.changed_fields) <= set(store.entity_fields)

    def reversed_plan(draft: Draft) -> Plan:
        ref = plan.ref_after
        if ref is not None and now is None and ref not in restored:
            # Records of equal text may have been renumbered: then one has the content that was left.
            found = record_at_change(before, draft)
            if found is not None and content_digest(by_ref[found]) == plan.digest_after:
                ref = found
            elif not detached:
                raise wording.memory_moved_since()
        return Plan(
            ref,
            plan.ref,
            draft.take_edits(),
            affected_anchors=plan.affected_anchors,
            changed_fields=plan.changed_fields,
            removed_fields=removed,
        )

    def directly(draft: Draft) -> Plan:
        step.reverted_refs = frozenset()
        exact = all(draft.matches(edit) or None in (edit.before, edit.after) for edit in plan.edits)
        removes_file = any(edit.after is None for edit in plan.edits)
        step.expected = None if exact or removes_file else _with_entity(store, before, plan.removed_fields)
        store.undo(draft, plan)
        return reversed_plan(draft)

    def exactly(draft: Draft) -> Plan:
        step.expected, step.reverted_refs = None, exact_undo.reverted_refs(plan)
        exact_undo.undo_exactly(draft, plan, store.undo)
        return reversed_plan(draft)

    def replan(draft: Draft) -> Plan:
        step.expected, step.reverted_refs = None, frozenset()
        store.recreate(draft, plan)
        return reversed_plan(draft)

    def by_text(draft: Draft) -> Plan:
        step.expected, step.reverted_refs = None, frozenset()
        added = now if plan.ref is None or step.entity else None
        position = draft.position_map.locate(added.position) if added is not None else None
        store.undo_by_text(draft, plan, replace(added, position=position) if added and position else None)
        return reversed_plan(draft)

    step = Step(directly, by_text if plan.removed_fields is None else replan, detached=detached)
    step.entity = store.placeholder_entity(plan.ref or "")
    step.preferred = exactly if plan.prior_writes else None
    return step


def _with_entity(
    store: FileStore, before: Reading, removed: Mapping[str, FieldValue] | None
) -> Mapping[str, FieldValue] | None:
    """Return the content of a record restored to its entity, which may have been changed since."""
    if removed is None or not store.entity_fields:
        return removed
    same = (r.fields for r in before.records if r.fields.get("subject") == removed.get("subject"))
    now: Mapping[str, FieldValue] = next(same, {})
    entity: Fields = {name: now[name] for name in store.entity_fields if name in now}
    return {**removed, **entity}
