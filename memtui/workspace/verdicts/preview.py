"""All that Review shows of one pair: what each verdict would do where, before it is given (S-42)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memtui.errors import Refused
from memtui.formats.contract.adapter import REPEATS, Adapter, How, Support
from memtui.memory.contradictions import suggestions
from memtui.memory.contradictions.pairs import (
    BOTH_TRUE,
    DISCARD_BOTH,
    FALSE_POSITIVE,
    KEEP_A,
    KEEP_B,
    LATER,
    MERGE,
    VERDICTS,
    PairDetail,
    Suggestion,
)
from memtui.memory.detail import Detail
from memtui.text import counted
from memtui.workspace.changes import native_store, planning
from memtui.workspace.context import Context
from memtui.workspace.details import detail as details
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog
from memtui.workspace.verdicts.case import Case, case, why_not
from memtui.workspace.verdicts.transfer_relations import CONTRADICTS, is_contradiction, marks, moved
from memtui.workspace.verdicts.unit import KEEP, Step, is_native

_SEEN = "SELECT id, seen_at FROM memories WHERE id IN (?, ?)"
_BY_PERSON = """
SELECT DISTINCT i.memory_id FROM journal_items i JOIN journal j ON j.id = i.journal_id
JOIN item_states st ON st.item_id = i.id AND st.state = 'done' AND st.undone_by IS NULL
WHERE i.memory_id IN (?, ?) AND j.actor = 'person' AND j.kind IN ('added', 'edited', 'confirmed')
"""


def detail(ctx: Context, pair_id: int) -> PairDetail | None:
    """One pair with both memories, a suggestion, and the outcome of each verdict; None if there is none."""
    found = case(ctx, pair_id)
    if found is None:
        return None
    a, b = details.detail(ctx, found.a.id), details.detail(ctx, found.b.id)
    if a is None or b is None:
        return None
    blocked = {
        verdict: refusal.why if (refusal := why_not(ctx, found, verdict)) else "" for verdict in VERDICTS
    }
    return PairDetail(
        pair=found.pair,
        a=a,
        b=b,
        suggestion=_suggestion(ctx, found, blocked),
        dependents=(_relying(a), _relying(b)),
        outcomes={verdict: tuple(_outcome(ctx, found, verdict)) for verdict in VERDICTS},
        blocked={verdict: why for verdict, why in blocked.items() if why},
        merged_text=start_of_merge(found.a.memory.content, found.b.memory.content),
        digests=found.judged,
    )


def start_of_merge(a: str, b: str) -> str:
    """What a merge begins with: the longer text where it says all of the other, else both, of the second
    what the first does not say."""
    plain_a, plain_b = _plain(a), _plain(b)
    if plain_b in plain_a:
        return a
    if plain_a in plain_b:
        return b
    said = {_plain(each) for each in _sentences(a)}
    new = [each for each in _sentences(b) if _plain(each) not in said]
    between = "\n" if "\n" in a.strip() or "\n" in b.strip() else " "
    return between.join([a.rstrip(), *new])


def _sentences(text: str) -> list[str]:
    return [each.strip() for each in re.split(r"(?<=[.!?…])\s+|\n+", text) if each.strip()]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!?… ")


def _suggestion(ctx: Context, found: Case, blocked: dict[str, str]) -> Suggestion | None:
    ids = {id for (id,) in ctx.db.rows(_BY_PERSON, (found.a.id, found.b.id))}
    by_person = (found.a.id in ids, found.b.id in ids)
    first: dict[int, float] = dict(ctx.db.rows(_SEEN, (found.a.id, found.b.id)))
    seen = (first.get(found.a.id, 0.0), first.get(found.b.id, 0.0))
    said, why = suggestions.suggested(found.pair, found.a.memory, found.b.memory, by_person, seen)
    if said is None:
        return Suggestion("", why)
    if why := blocked[said.verdict]:
        return Suggestion("", f"{said.verdict} would be it, but that cannot be done now: {why}")
    return said


def _relying(told: Detail) -> int:
    """How many relations lead to a memory and would be left without it."""
    return sum(
        relation.target_id == told.id
        and relation.source_id != told.id
        and not is_contradiction(relation.kind)
        for relation in told.relations
    )


def _outcome(ctx: Context, found: Case, verdict: str) -> Iterator[str]:
    a, b = found.a, found.b
    if verdict in (KEEP_A, KEEP_B, MERGE):
        if verdict == MERGE:
            yield from _merging(ctx, found)
        winner, loser = ("B", "A") if verdict == KEEP_B else ("A", "B")
        yield from _leaving(ctx, found, loser, "supersede", f"{loser} gives way to {winner}")
        ends = (a, b) if verdict == KEEP_B else (b, a)
        yield from _relations(moved(ctx, *ends, found.stores), loser, winner)
        yield from _marks(ctx, marks(ctx, a, b, found.stores, resolved=True))
    elif verdict == DISCARD_BOTH:
        yield from _leaving(ctx, found, "A", "dismiss", "A leaves")
        yield from _leaving(ctx, found, "B", "dismiss", "B leaves")
        yield from _marks(ctx, marks(ctx, a, b, found.stores, resolved=True))
    elif verdict in (BOTH_TRUE, FALSE_POSITIVE):
        yield "Both memories stay as they are."
        yield from _marks(ctx, marks(ctx, a, b, found.stores, resolved=False))
        yield "It is not asked again while both texts stand; kept in memtui."
        if verdict == BOTH_TRUE and found.pair.topic:
            yield f"From now on “{found.pair.topic}” may have several values."
    elif verdict == LATER:
        yield "Both memories stay as they are; it is asked again in 7 days."


def _merging(ctx: Context, found: Case) -> Iterator[str]:
    a, b = found.a.memory, found.b.memory
    adapter = _adapter(ctx, found, found.a)
    if set(b.tags) <= set(a.tags):
        yield f"A {'keeps its text' if found.exact else 'takes the merged text'}, in {a.store}."
    else:
        words = "keeps its text and takes" if found.exact else "takes the merged text and"
        can = adapter.fields_of(a.kind) if adapter is not None else frozenset({"tags"})
        beside = "" if adapter is None or "tags" in can else "; its tags are kept in memtui"
        yield f"A {words} the tags of both, in {a.store}{beside}."
    if b.pinned and not a.pinned:
        yield f"A is pinned, as B is: that {planning.consequence(adapter, 'pin', '', a.kind)}."


def _leaving(ctx: Context, found: Case, name: str, action: str, told: str) -> Iterator[str]:
    held = found.a if name == "A" else found.b
    adapter = _adapter(ctx, found, held)
    own = is_native(found.store(held))
    if adapter is None:
        does = _plainly(native_store.supports(action)) if own else "its store cannot be reached"
    else:
        same = found.a.store_id == found.b.store_id
        known = action == "supersede" and same and adapter.supports(action).how is not How.WORKSPACE
        pair = (REPEATS if found.repeats else CONTRADICTS) if same else ""
        does = _plainly(adapter.supports(action if known else "dismiss", pair))
    yield f"{told}: in {held.memory.store} {does}."
    if action == "supersede" and not own:
        yield "Which one it gave way to is kept in memtui."
    reverted = ctx.db.one(
        "SELECT count(*) FROM side_records WHERE store_id = ? AND kind = 'adaptation' AND via = '' AND about = ? "
        "AND words NOT LIKE '%(reverted)'",
        (held.store_id, held.anchor),
    )
    if reverted:
        yield f"{counted(reverted, 'adaptation is', 'adaptations are')} reverted."
    if held.memory.pinned:
        yield f"{name} is pinned, and leaves all the same."


def _plainly(does: Support) -> str:
    """What an action does, with the one who does it."""
    return f"its status becomes {does.status}" if does.status else f"memtui {does.words}"


def _relations(steps: Sequence[Step], loser: str, winner: str) -> Iterator[str]:
    if not steps:
        return
    kept = sum(step.action == KEEP for step in steps)
    where = "" if not kept else ", kept in memtui" if kept == len(steps) else f", {kept:,} kept in memtui"
    noun = "relation moves" if len(steps) == 1 else "relations move"
    yield f"{len(steps):,} {noun} from {loser} to {winner}{where}."


def _marks(ctx: Context, steps: Sequence[Step]) -> Iterator[str]:
    if not steps:
        return
    store = next((step.store for step in steps if step.action != KEEP), None)
    try:
        adapter = ctx.adapter(store) if store is not None else None
        locked = "" if store is None else catalog.locked(store) or (adapter.locked() if adapter else "")
    except Refused as refusal:
        locked = refusal.message
    if locked:
        yield f"Their store goes on saying that they contradict each other: {locked}"
    else:
        yield "That they contradict each other is taken away."


def _adapter(ctx: Context, found: Case, held: MirrorRow) -> Adapter | None:
    try:
        return ctx.adapter(found.store(held))
    except Refused:
        return None
