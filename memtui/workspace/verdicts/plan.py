"""The steps of each verdict: which memory is superseded, what is merged, which relations move (S-42)."""

from __future__ import annotations

from memtui.formats.contract.plans import REPEATS
from memtui.formats.contract.records import Link, clean
from memtui.memory.contradictions.pairs import BOTH_TRUE, DISCARD_BOTH, FALSE_POSITIVE, KEEP_B, LATER, MERGE
from memtui.values import Fields
from memtui.workspace.changes import planning
from memtui.workspace.changes.relating.supersede import SUPERSEDES, superseded_fields
from memtui.workspace.context import Context
from memtui.workspace.mirror import without_rules
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.verdicts.case import Case
from memtui.workspace.verdicts.transfer_relations import contradiction_steps, transfer_steps
from memtui.workspace.verdicts.unit import Step, is_native


def plan_steps(ctx: Context, case: Case, verdict: str, text: str | None, note: str) -> list[Step]:
    """Return what a verdict does to memories, the one that stays first, the one that leaves last."""
    a, b = case.a, case.b
    if verdict == LATER:
        return []
    if verdict in (BOTH_TRUE, FALSE_POSITIVE):
        return contradiction_steps(ctx, a, b, case.stores, resolved=False)
    contradictions = contradiction_steps(ctx, a, b, case.stores, resolved=True)
    if verdict == DISCARD_BOTH:
        return _in_order([*contradictions, discard(case, a, note), discard(case, b, note)], [a, b])
    winner, loser = (b, a) if verdict == KEEP_B else (a, b)
    steps = [
        *contradictions,
        *transfer_steps(ctx, loser, winner, case.stores),
        *(merge(ctx, case, text) if verdict == MERGE else ()),
        supersede(ctx, case, winner, loser, "merge" if verdict == MERGE else "keep", note),
    ]
    return _in_order(steps, [winner, loser])


def _in_order(steps: list[Step], ends: list[MirrorRow]) -> list[Step]:
    """Return the steps of the first of `ends`, then of all other memories, then of the last."""
    rank = {ends[0].id: 0, ends[1].id: 2}
    return sorted(steps, key=lambda step: rank.get(step.row.id, 1))


def _link(case: Case, source: MirrorRow, target: MirrorRow, note: str) -> Link | None:
    """Return the relation that the store gets between the two, if both are in it."""
    if source.store_id != target.store_id:
        return None
    kind = REPEATS if case.is_duplicate else SUPERSEDES
    return Link(source.anchor, kind, target.anchor, context=clean(note or case.pair.reason))


def supersede(ctx: Context, case: Case, winner: MirrorRow, loser: MirrorRow, verdict: str, note: str) -> Step:
    """Return the step by which one memory supersedes the other."""
    store, link = case.store_of(loser), _link(case, winner, loser, note)
    fields = superseded_fields(ctx, store, link) | {"superseded_by": winner.memory.uid}
    return Step(loser, store, "supersede", fields, link=link, verdict=verdict)


def discard(case: Case, row: MirrorRow, note: str) -> Step:
    """Return the step that dismisses one of the two."""
    store, link = case.store_of(row), _link(case, case.a, case.b, note)
    fields = planning.dismissal_fields(planning.adapter_class_of(store))
    return Step(row, store, "dismiss", fields, link=link, verdict=DISCARD_BOTH)


def merge(ctx: Context, case: Case, text: str | None) -> list[Step]:
    """Return the steps that merge B, but for what rules set of it, into A; `text` is the merged text, None if
    A keeps its own."""
    (bare,) = without_rules.bare(ctx.db, [case.b])
    a, b, store = case.a.memory, bare.memory, case.store_of(case.a)
    adapter = ctx.adapter(store)
    can = adapter.fields_of(a.kind) if adapter is not None else frozenset()
    native = is_native(store)
    fields: Fields = {} if text is None else {"content": clean(text)}
    fields["tags"] = tuple(dict.fromkeys((*a.tags, *b.tags)))
    if b.confidence is not None and (native or "confidence" in can):
        fields["confidence"] = max(a.confidence or 0.0, b.confidence)
    for name in ("times_used", "times_confirmed"):
        # If the store counts uses itself, and the count cannot be set there, it goes on with its own.
        counted = name == "times_used" and adapter is not None and adapter.counts_uses
        if not counted or (adapter is not None and name in adapter.restorable_fields):
            fields[name] = getattr(a, name) + getattr(b, name)
    created = [at for at in (a.created_at, b.created_at) if at is not None]
    if created:
        fields["created_at"] = min(created)
    fields = {name: value for name, value in fields.items() if value != getattr(a, name)}
    if native and fields:
        fields["updated_at"] = ctx.clock()
    steps = [Step(case.a, store, "edit", fields, verdict="merge")] if fields else []
    if b.pinned and not a.pinned:
        pin = {"pinned": True, "pinned_by": b.pinned_by or ctx.actor, "pinned_why": b.pinned_why}
        steps.append(Step(case.a, store, "pin", pin))
    return steps
