"""A person's verdict on a pair: one journal line, one unit, one undo (S-42, S-50)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import clean
from memtui.memory import contradictions
from memtui.memory.contradictions.pairs import (
    BOTH_TRUE,
    DISCARD_BOTH,
    FALSE_POSITIVE,
    KEEP_A,
    KEEP_B,
    LATER,
    MERGE,
    VERDICTS,
)
from memtui.memory.memory import Memory
from memtui.memory.results import Change
from memtui.text import counted
from memtui.workspace.changes import outbox, summaries, undo
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import Context
from memtui.workspace.journal.items import RELATION, RELATIONS, VERDICT
from memtui.workspace.verdicts.case import Case, case, why_not
from memtui.workspace.verdicts.plan import steps_of
from memtui.workspace.verdicts.unit import KEEP, Step, Unit

WEEK = 7 * 86_400.0  # seconds that "later" waits
_TOLD = {
    KEEP_A: "Kept A of 1 pair",
    KEEP_B: "Kept B of 1 pair",
    MERGE: "Merged 1 pair into A",
    BOTH_TRUE: "Both are true, 1 pair",
    LATER: "Put off 1 pair",
    DISCARD_BOTH: "Discarded both of 1 pair",
}


def settle(
    ctx: Context,
    pair_id: int,
    verdict: str,
    *,
    text: str | None = None,
    note: str = "",
    until: float | None = None,
    seen: tuple[str, str] | None = None,
) -> Change:
    """Give a verdict; Refused, and nothing changed, where any part of it cannot be done. `seen` are the
    digests of the texts that the person had before them."""
    ctx.writable()
    if verdict not in VERDICTS:
        raise Refused("verdict", f"A verdict is one of {', '.join(VERDICTS)}.", "Nothing was changed.")
    found = case(ctx, pair_id)
    if found is None:
        raise Refused("nothing", "There is no such pair.", "memtui contradictions list --all shows them.")
    if seen is not None and seen != found.judged:
        raise Refused("changed", "Not settled: one of the two says something else by now.", "Look again.")
    if refusal := why_not(ctx, found, verdict):
        raise refusal
    if verdict == MERGE and not (text or "").strip() and not (text is None and found.exact):
        raise Refused("empty", "Not merged: the text is empty.", "Write what A is to say.")
    note = clean(note).strip()
    said = _said(ctx, found, verdict, note, until)
    steps = steps_of(ctx, found, verdict, text if verdict == MERGE else None, note)
    try:
        return _carry_out(ctx, found, verdict, [*steps, said])
    except Refused:
        # These say nothing of a memory's text: they stand whatever becomes of the store's own mark.
        if verdict not in (BOTH_TRUE, FALSE_POSITIVE) or all(step.action == KEEP for step in steps):
            raise
    return _carry_out(ctx, found, verdict, [*(s for s in steps if s.action == KEEP), said], stays=True)


def _told(a: Memory, b: Memory) -> str:
    return a.subject or b.subject or contradictions.read(a.content).about


def _said(ctx: Context, found: Case, verdict: str, note: str, until: float | None) -> Step:
    """The verdict itself, which stands with A."""
    a, b, now = found.a.memory, found.b.memory, ctx.clock()
    value: dict[str, Any] = {
        "a": found.a.id,
        "b": found.b.id,
        "judged": list(found.judged),
        "verdict": verdict,
        "note": note,
        "at": now,
        "actor": ctx.actor,
        "until": None if verdict != LATER else now + WEEK if until is None else until,
        "topic": found.pair.topic if verdict == BOTH_TRUE else "",
        # Of whom it was said: what is taught holds for them, and for anybody once it was said of two.
        "subject": _told(a, b) if verdict == BOTH_TRUE else "",
    }
    return Step(found.a, found.store(found.a), KEEP, {VERDICT: value}, {VERDICT: None})


def _carry_out(
    ctx: Context, found: Case, verdict: str, steps: Sequence[Step], *, stays: bool = False
) -> Change:
    unit = Unit(ctx, steps, (found.a.id, found.b.id))
    name = _TOLD.get(verdict, "Not the same, 1 pair" if found.repeats else "No contradiction, 1 pair")
    written = [piece for piece in unit.pieces if piece.after.keys() - {VERDICT}]
    summary = f"{name}, {summaries.places_of(written, files=False) or 'kept in memtui'}"
    done = outbox.run(ctx, "resolved", summary, unit.pieces, again=unit.again)
    undo.ensure_all_or_nothing(ctx, done)
    told = f"{name}, {summaries.places_of(written, files=True) or 'kept in memtui'}"
    stays = stays or any(step.action == "unrelate" for step in unit.left_out)
    parts = [told, *_moved(written), *(["their store still says that they contradict"] if stays else [])]
    words = dict.fromkeys(p.plan.words for p in unit.pieces if p.plan is not None and p.plan.words)
    ids = tuple(dict.fromkeys((found.a.id, found.b.id, *(piece.memory_id for piece in done.pieces))))
    return Change("resolved", ids, "; ".join((*parts, *words)) + done.ending, done.line)


def _moved(pieces: Sequence[ChangeItem]) -> list[str]:
    """How many relations moved, in words."""
    ties = sum(len(piece.after.get(RELATIONS) or ()) for piece in pieces)
    native = 0
    for piece in pieces:
        told = piece.after.get(RELATION)
        native += len(told) if isinstance(told, list) else told is not None
    total = native + ties
    if not total:
        return []
    kept = f", {ties:,} of them kept in memtui" if ties and native else ", kept in memtui" if ties else ""
    return [f"{counted(total, 'relation moves', 'relations move')} along{kept}"]
