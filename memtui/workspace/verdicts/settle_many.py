"""One verdict on many pairs: one journal entry, one undo (S-42, S-52)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import BOTH_TRUE, FALSE_POSITIVE, LATER
from memtui.memory.contradictions.wording import no_pair
from memtui.memory.encoding import iso
from memtui.memory.results import Change, Skipped
from memtui.workspace.background import JobControl
from memtui.workspace.changes import outbox
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import Context
from memtui.workspace.verdicts import wording
from memtui.workspace.verdicts.case import Case, load_case, refusal_of
from memtui.workspace.verdicts.settle import record_step
from memtui.workspace.verdicts.transfer_relations import contradiction_steps
from memtui.workspace.verdicts.unit import KEEP, Unit

IN_BULK = (BOTH_TRUE, FALSE_POSITIVE, LATER)
"""The verdicts that change no text: the others choose between two texts, which are to be read first."""
_REPORT = 50  # pairs between two reports of progress


def settle_many(
    ctx: Context, pair_ids: Sequence[int], verdict: str, until: float | None, control: JobControl | None
) -> Change:
    """Give a verdict on pairs; those on which it cannot be given are skipped. Raise Refused, with nothing
    changed, if it can be given on none, or was stopped before it was."""
    ctx.writable()
    if verdict not in IN_BULK:
        raise wording.one_by_one(IN_BULK)
    items: list[ChangeItem] = []
    skipped: list[Skipped] = []
    families = set()
    for done, id in enumerate(pair_ids):
        if control is not None and done % _REPORT == 0:
            control.report(done, len(pair_ids) - done)
            if control.stop():
                raise wording.stopped()
        case = load_case(ctx, id)
        refusal = refusal_of(ctx, case, verdict) if case is not None else no_pair(id)
        if case is not None and refusal is None:
            families.add(case.is_duplicate)
            items += _items(ctx, case, verdict, until)
        else:
            assert refusal is not None
            uid, label = (case.a.memory.uid, case.a.label) if case is not None else ("", "")
            skipped.append(Skipped(uid, label, refusal.code, refusal.message))
    if not items:
        raise Refused(skipped[0].code, skipped[0].reason, wording.NOTHING_CHANGED)
    count = len(pair_ids) - len(skipped)
    settled = wording.settled(verdict, is_duplicate=families == {True}, until=iso(until))
    summary = wording.settled_many(settled, count)
    outcome = outbox.run(ctx, "resolved", summary, items)
    refused = [item.refused for item in items if item.refused is not None]
    if len(refused) == len(items):
        raise refused[0]
    ids = tuple(dict.fromkeys(item.memory_id for item in outcome.done))
    return Change("resolved", ids, summary, outcome.entry_id, tuple(skipped))


def _items(ctx: Context, case: Case, verdict: str, until: float | None) -> list[ChangeItem]:
    """Return the items of one pair. What a store itself says of the two stays as it is."""
    steps = [record_step(ctx, case, verdict, "", until)]
    if verdict != LATER:
        found = contradiction_steps(ctx, case.a, case.b, case.stores, resolved=False)
        steps += [step for step in found if step.action == KEEP]
    items = Unit(ctx, steps, (case.a.id, case.b.id)).items
    for item in items:
        item.all_or_nothing = False
    return items
