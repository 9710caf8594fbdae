"""The user's verdict on a pair: one journal entry, one change, one undo (S-42, S-50)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from memtui.errors import Refused
from memtui.formats.contract.records import clean
from memtui.memory.contradictions.comparison import parsed_memory
from memtui.memory.contradictions.pairs import BOTH_TRUE, FALSE_POSITIVE, LATER, MERGE, VERDICTS
from memtui.memory.contradictions.wording import no_pair
from memtui.memory.encoding import iso
from memtui.memory.memory import Memory
from memtui.memory.results import Change
from memtui.values import Fields
from memtui.workspace.changes import field_values, outbox, summaries
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.revert.entry import ensure_all_or_nothing
from memtui.workspace.context import Context
from memtui.workspace.journal.items import RELATION, RELATIONS, VERDICT
from memtui.workspace.verdicts import wording
from memtui.workspace.verdicts.case import Case, load_case, refusal_of
from memtui.workspace.verdicts.plan import plan_steps
from memtui.workspace.verdicts.unit import KEEP, Step, Unit

WEEK = 7 * 86_400.0  # seconds that "later" waits


def settle(
    ctx: Context,
    pair_id: int,
    verdict: str,
    *,
    text: str | None = None,
    note: str = "",
    until: float | None = None,
    seen: tuple[str, str] | None = None,
    on_begun: Callable[[int], None] | None = None,
    journals_refusal: bool = True,
) -> Change:
    """Give a verdict; raise Refused, with nothing changed, if any part of it cannot be done. `seen` are the
    digests of the texts as the user had them on the screen.

    `on_begun` is called with the entry's id within the first transaction. What a store does not take is
    journaled as refused, unless `journals_refusal` is False: for a rule, which tries again and again."""
    ctx.writable()
    if verdict not in VERDICTS:
        raise wording.unknown_verdict(VERDICTS)
    case = load_case(ctx, pair_id)
    if case is None:
        raise no_pair(pair_id)
    if seen is not None and seen != case.digests:
        raise wording.text_changed()
    if refusal := refusal_of(ctx, case, verdict):
        raise refusal
    if verdict == MERGE and not (text or "").strip() and not (text is None and case.is_exact):
        raise wording.empty_merge()
    both = "\n".join(each.memory.content for each in (case.a, case.b))
    field_values.refuse_masks({"content": text}, {"content": both})
    note = clean(note).strip()
    record = record_step(ctx, case, verdict, note, until)
    steps = plan_steps(ctx, case, verdict, text if verdict == MERGE else None, note)
    carry_out = partial(
        _carry_out, ctx, case, verdict, until=until, on_begun=on_begun, journals_refusal=journals_refusal
    )
    try:
        return carry_out([*steps, record])
    except Refused:
        # These verdicts change no text: they are given even if the store keeps its own mark.
        if verdict not in (BOTH_TRUE, FALSE_POSITIVE) or all(step.action == KEEP for step in steps):
            raise
    local = [step for step in steps if step.action == KEEP]
    return carry_out([*local, record], store_keeps_relation=True)


def record_step(ctx: Context, case: Case, verdict: str, note: str, until: float | None) -> Step:
    """Return the step that records the verdict itself, with A; its keys are on disk."""
    a, b, now = case.a.memory, case.b.memory, ctx.clock()
    value: Fields = {
        "a": case.a.id,
        "b": case.b.id,
        "judged": list(case.digests),
        "verdict": verdict,
        "note": note,
        "at": now,
        "actor": ctx.actor,
        "until": None if verdict != LATER else now + WEEK if until is None else until,
        "topic": case.pair.topic if verdict == BOTH_TRUE else "",
        # That a topic has several values is learned for this subject, and for all once it is given for two.
        "subject": _subject(a, b) if verdict == BOTH_TRUE else "",
    }
    return Step(case.a, case.store_of(case.a), KEEP, {VERDICT: value}, {VERDICT: None})


def _subject(a: Memory, b: Memory) -> str:
    return a.subject or b.subject or parsed_memory.read(a.content).about


def _carry_out(
    ctx: Context,
    case: Case,
    verdict: str,
    steps: Sequence[Step],
    *,
    until: float | None,
    on_begun: Callable[[int], None] | None,
    journals_refusal: bool,
    store_keeps_relation: bool = False,
) -> Change:
    unit = Unit(ctx, steps, (case.a.id, case.b.id))
    refused = next((item.refused for item in unit.items if item.refused is not None), None)
    if refused is not None and not journals_refusal:
        raise refused
    settled = wording.settled(verdict, is_duplicate=case.is_duplicate, until=iso(until))
    written = [item for item in unit.items if item.after.keys() - {VERDICT}]
    summary = wording.settled_summary(settled, summaries.places_of(written, files=False))
    outcome = outbox.run(ctx, "resolved", summary, unit.items, replan=unit.replan, on_begun=on_begun)
    ensure_all_or_nothing(ctx, outcome)
    parts = [wording.settled_summary(settled, summaries.places_of(written, files=True))]
    parts += _moved_relations(written)
    if store_keeps_relation or any(step.action == "unrelate" for step in unit.left_out):
        parts.append(wording.STORE_KEEPS_RELATION)
    notes = dict.fromkeys(i.plan.text for i in unit.items if i.plan is not None and i.plan.text)
    ids = tuple(dict.fromkeys((case.a.id, case.b.id, *(item.memory_id for item in outcome.items))))
    summary = "; ".join((*parts, *notes)) + outcome.pending_note
    return Change("resolved", ids, summary, outcome.entry_id)


def _moved_relations(items: Sequence[ChangeItem]) -> list[str]:
    """Return how many relations moved, for the summary."""
    local = sum(len(item.after.get(RELATIONS) or ()) for item in items)
    stored = 0
    for item in items:
        relation = item.after.get(RELATION)
        stored += len(relation) if isinstance(relation, list) else relation is not None
    total = stored + local
    return [wording.relations_moved(total, local)] if total else []
