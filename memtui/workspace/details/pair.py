"""All that Review shows of one pair: what each verdict would do and where, before it is given (S-42)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, Support, SupportKind
from memtui.formats.contract.plans import REPEATS
from memtui.memory.contradictions import suggestions
from memtui.memory.contradictions.language.attributes import attribute_of
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
from memtui.workspace.changes import native_store, planning
from memtui.workspace.context import Context
from memtui.workspace.db.models import Memory
from memtui.workspace.details import detail as details
from memtui.workspace.mirror import without_rules
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog
from memtui.workspace.verdicts import wording
from memtui.workspace.verdicts.case import Case, load_case, refusal_of
from memtui.workspace.verdicts.transfer_relations import (
    CONTRADICTS,
    contradiction_steps,
    is_contradiction,
    transfer_steps,
)
from memtui.workspace.verdicts.unit import KEEP, Step, is_native

# A join of the journal with the states of its items.
_BY_USER = """
SELECT DISTINCT i.memory_id FROM journal_items i JOIN journal j ON j.id = i.journal_id
JOIN item_states st ON st.item_id = i.id AND st.state = 'done' AND st.undone_by IS NULL
WHERE i.memory_id IN (?, ?) AND j.actor = 'person' AND j.kind IN ('added', 'edited', 'confirmed')
"""
# A count, with a pattern: adaptations that are not reverted yet.
_ADAPTATIONS = (
    "SELECT count(*) FROM side_records WHERE store_id = ? AND kind = 'adaptation' AND via = '' AND about = ? "
    "AND words NOT LIKE '%(reverted)'"
)


def detail(ctx: Context, pair_id: int) -> PairDetail | None:
    """Return a pair with both memories, a suggestion, and the outcome of each verdict; None if there is no
    such pair."""
    case = load_case(ctx, pair_id)
    if case is None:
        return None
    a, b = details.detail(ctx, case.a.id), details.detail(ctx, case.b.id)
    if a is None or b is None:
        return None
    blocked = {
        verdict: refusal.reason if (refusal := refusal_of(ctx, case, verdict)) else "" for verdict in VERDICTS
    }
    return PairDetail(
        pair=case.pair,
        a=a,
        b=b,
        suggestion=_suggestion(ctx, case, blocked),
        dependents=(_dependents(a), _dependents(b)),
        outcomes={verdict: tuple(_effects(ctx, case, verdict)) for verdict in VERDICTS},
        blocked={verdict: reason for verdict, reason in blocked.items() if reason},
        merged_text=merge_draft(case.a.memory.content, case.b.memory.content),
        digests=case.digests,
    )


def merge_draft(a: str, b: str) -> str:
    """Return the text that a merge starts with: the longer one if it contains all of the other, else A with
    the sentences of B that A does not have."""
    plain_a, plain_b = _plain(a), _plain(b)
    if plain_b in plain_a:
        return a
    if plain_a in plain_b:
        return b
    known = {_plain(sentence) for sentence in _sentences(a)}
    new = [sentence for sentence in _sentences(b) if _plain(sentence) not in known]
    separator = "\n" if "\n" in a.strip() or "\n" in b.strip() else " "
    return separator.join([a.rstrip(), *new])


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[.!?…])\s+|\n+", text) if part.strip()]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!?… ")


def _suggestion(ctx: Context, case: Case, blocked: dict[str, str]) -> Suggestion | None:
    pair_ids = case.a.id, case.b.id
    ids = {id for (id,) in ctx.db.rows(_BY_USER, pair_ids)}
    by_user = (case.a.id in ids, case.b.id in ids)
    seen = ctx.db.fetch(Memory.select(Memory.id, Memory.seen_at).where(Memory.id.in_(pair_ids)))
    seen_at: dict[int, float] = {memory.id: memory.seen_at for memory in seen}
    first_seen = (seen_at.get(case.a.id, 0.0), seen_at.get(case.b.id, 0.0))
    suggested, why_none = suggestions.suggest(case.pair, case.a.memory, case.b.memory, by_user, first_seen)
    if suggested is None:
        return Suggestion("", why_none)
    if reason := blocked[suggested.verdict]:
        return Suggestion("", wording.suggestion_blocked(suggested.verdict, reason))
    return suggested


def _dependents(memory: Detail) -> int:
    """Return how many relations lead to a memory and would dangle without it."""
    return sum(
        relation.target_id == memory.id
        and relation.source_id != memory.id
        and not is_contradiction(relation.kind)
        for relation in memory.relations
    )


def _effects(ctx: Context, case: Case, verdict: str) -> Iterator[str]:
    """Yield what a verdict would do, in sentences."""
    a, b = case.a, case.b
    if verdict in (KEEP_A, KEEP_B, MERGE):
        if verdict == MERGE:
            yield from _merge_effects(ctx, case)
        winner, loser = ("B", "A") if verdict == KEEP_B else ("A", "B")
        yield from _leaving_effects(ctx, case, loser, "supersede", wording.replaces(loser, winner))
        ends = (a, b) if verdict == KEEP_B else (b, a)
        yield from _relation_effects(transfer_steps(ctx, *ends, case.stores), loser, winner)
        yield from _contradiction_effects(ctx, contradiction_steps(ctx, a, b, case.stores, resolved=True))
    elif verdict == DISCARD_BOTH:
        yield from _leaving_effects(ctx, case, "A", "dismiss", wording.is_discarded("A"))
        yield from _leaving_effects(ctx, case, "B", "dismiss", wording.is_discarded("B"))
        yield from _contradiction_effects(ctx, contradiction_steps(ctx, a, b, case.stores, resolved=True))
    elif verdict in (BOTH_TRUE, FALSE_POSITIVE):
        yield wording.BOTH_STAY
        yield from _contradiction_effects(ctx, contradiction_steps(ctx, a, b, case.stores, resolved=False))
        yield wording.NOT_ASKED_AGAIN
        if verdict == BOTH_TRUE and case.pair.topic:
            yield wording.several_values(attribute_of(case.pair.topic))
    elif verdict == LATER:
        yield wording.ASKED_AGAIN_LATER


def _merge_effects(ctx: Context, case: Case) -> Iterator[str]:
    (bare,) = without_rules.bare(ctx.db, [case.b])
    a, b = case.a.memory, bare.memory
    adapter = _adapter_or_none(ctx, case, case.a)
    if set(b.tags) <= set(a.tags):
        yield wording.merged(a.store, text_stays=case.is_exact)
    else:
        tags_in_store = adapter is None or "tags" in adapter.fields_of(a.kind)
        yield wording.merged_with_tags(a.store, text_stays=case.is_exact, tags_in_store=tags_in_store)
    if b.pinned and not a.pinned:
        yield wording.becomes_pinned(planning.support(adapter, "pin", "", a.kind).text)


def _leaving_effects(ctx: Context, case: Case, letter: str, action: str, event: str) -> Iterator[str]:
    row = case.a if letter == "A" else case.b
    native = is_native(case.store_of(row))
    support = _leaving_support(ctx, case, row, action)
    if support is None:
        yield wording.leaving_unreachable(event, row.memory.store)
    else:
        yield wording.leaving(event, letter, row.memory.store, support.status, support.text)
    if action == "supersede" and not native:
        yield wording.WINNER_KEPT_IN_MEMTUI
    reverted = ctx.db.one(_ADAPTATIONS, (row.store_id, row.anchor))
    if reverted:
        yield wording.adaptations_reverted(reverted)
    if row.memory.pinned:
        yield wording.leaves_though_pinned(letter)


def _leaving_support(ctx: Context, case: Case, row: MirrorRow, action: str) -> Support | None:
    """Return what the action does in the memory's store; None if that cannot be reached."""
    adapter = _adapter_or_none(ctx, case, row)
    if adapter is None:
        return native_store.support_for(action) if is_native(case.store_of(row)) else None
    same_store = case.a.store_id == case.b.store_id
    supersedes = (
        action == "supersede" and same_store and adapter.support_for(action).kind is not SupportKind.WORKSPACE
    )
    kind = (REPEATS if case.is_duplicate else CONTRADICTS) if same_store else ""
    return adapter.support_for(action if supersedes else "dismiss", kind)


def _relation_effects(steps: Sequence[Step], loser: str, winner: str) -> Iterator[str]:
    if steps:
        local = sum(step.action == KEEP for step in steps)
        yield wording.relations_would_move(len(steps), local, loser, winner)


def _contradiction_effects(ctx: Context, steps: Sequence[Step]) -> Iterator[str]:
    if not steps:
        return
    store = next((step.store for step in steps if step.action != KEEP), None)
    try:
        adapter = ctx.adapter(store) if store is not None else None
        locked = (
            ""
            if store is None
            else catalog.locked_reason(store) or (adapter.locked_reason() if adapter else "")
        )
    except Refused as refusal:
        locked = refusal.message
    yield wording.contradiction_stays(locked) if locked else wording.CONTRADICTION_REMOVED


def _adapter_or_none(ctx: Context, case: Case, row: MirrorRow) -> Adapter | None:
    try:
        return ctx.adapter(case.store_of(row))
    except Refused:
        return None
