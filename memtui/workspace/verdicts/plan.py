"""The steps of each verdict: who gives way, what is merged, which relations move (S-42)."""

from __future__ import annotations

from typing import Any

from memtui.formats.contract.adapter import REPEATS, Link, clean
from memtui.memory.contradictions.pairs import BOTH_TRUE, DISCARD_BOTH, FALSE_POSITIVE, KEEP_B, LATER, MERGE
from memtui.workspace.changes import planning, relate
from memtui.workspace.context import Context
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.verdicts.case import Case
from memtui.workspace.verdicts.transfer_relations import marks, moved
from memtui.workspace.verdicts.unit import Step, is_native


def steps_of(ctx: Context, case: Case, verdict: str, text: str | None, note: str) -> list[Step]:
    """What a verdict does to memories, the one that stays first, the one that leaves last."""
    a, b = case.a, case.b
    if verdict == LATER:
        return []
    if verdict in (BOTH_TRUE, FALSE_POSITIVE):
        return marks(ctx, a, b, case.stores, resolved=False)
    if verdict == DISCARD_BOTH:
        untied = marks(ctx, a, b, case.stores, resolved=True)
        return _in_order([*untied, _discarded(case, a, note), _discarded(case, b, note)], [a, b])
    winner, loser = (b, a) if verdict == KEEP_B else (a, b)
    steps = [
        *marks(ctx, a, b, case.stores, resolved=True),
        *moved(ctx, loser, winner, case.stores),
        *(_merged(ctx, case, text) if verdict == MERGE else ()),
        _loses(ctx, case, winner, loser, "merge" if verdict == MERGE else "keep", note),
    ]
    return _in_order(steps, [winner, loser])


def _in_order(steps: list[Step], ends: list[MirrorRow]) -> list[Step]:
    """The first of `ends`, then all others, then the last."""
    rank = {ends[0].id: 0, ends[1].id: 2}
    return sorted(steps, key=lambda step: rank.get(step.held.id, 1))


def _link(case: Case, source: MirrorRow, target: MirrorRow, note: str) -> Link | None:
    """What the store is told of the two, where both stand in it."""
    if source.store_id != target.store_id:
        return None
    kind = REPEATS if case.repeats else relate.SUPERSEDES
    return Link(source.anchor, kind, target.anchor, context=clean(note or case.pair.reason))


def _loses(ctx: Context, case: Case, winner: MirrorRow, loser: MirrorRow, verdict: str, note: str) -> Step:
    store, link = case.store(loser), _link(case, winner, loser, note)
    fields = relate._superseded(ctx, store, link) | {"superseded_by": winner.memory.uid}
    return Step(loser, store, "supersede", fields, link=link, verdict=verdict)


def _discarded(case: Case, held: MirrorRow, note: str) -> Step:
    store = case.store(held)
    fields = planning.dismissal(planning.kind_of(store))
    return Step(held, store, "dismiss", fields, link=_link(case, case.a, case.b, note), verdict=DISCARD_BOTH)


def _merged(ctx: Context, case: Case, text: str | None) -> list[Step]:
    """What A says once B is merged into it."""
    a, b, store = case.a.memory, case.b.memory, case.store(case.a)
    adapter = ctx.adapter(store)
    can = adapter.fields_of(a.kind) if adapter is not None else frozenset()
    native = is_native(store)
    fields: dict[str, Any] = {} if text is None else {"content": clean(text)}
    fields["tags"] = tuple(dict.fromkeys((*a.tags, *b.tags)))
    if b.confidence is not None and (native or "confidence" in can):
        fields["confidence"] = max(a.confidence or 0.0, b.confidence)
    for name in ("times_used", "times_confirmed"):
        # Where the store counts, and memtui cannot set the number there, its own count goes on.
        counted = name == "times_used" and adapter is not None and adapter.counts_uses
        if not counted or (adapter is not None and name in adapter.restorable_fields):
            fields[name] = getattr(a, name) + getattr(b, name)
    made = [at for at in (a.created_at, b.created_at) if at is not None]
    if made:
        fields["created_at"] = min(made)
    fields = {name: value for name, value in fields.items() if value != getattr(a, name)}
    if native and fields:
        fields["updated_at"] = ctx.clock()
    steps = [Step(case.a, store, "edit", fields, verdict="merge")] if fields else []
    if b.pinned and not a.pinned:
        pin = {"pinned": True, "pinned_by": b.pinned_by or ctx.actor, "pinned_why": b.pinned_why}
        steps.append(Step(case.a, store, "pin", pin))
    return steps
