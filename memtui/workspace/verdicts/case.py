"""A pair to be settled: both memories, their stores, and why a verdict cannot be given (S-42)."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import DISCARD_BOTH, DUPLICATE, EXACT, KEEP_A, KEEP_B, MERGE, Pair
from memtui.workspace.changes import planning
from memtui.workspace.context import Context
from memtui.workspace.contradictions import compared, queue
from memtui.workspace.db import models, store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.verdicts import wording


@dataclass(frozen=True, slots=True)
class Case:
    """A pair with all that a verdict on it needs; `stores` has all stores by id."""

    pair: Pair
    a: MirrorRow
    b: MirrorRow
    stores: dict[int, StoreRow]
    has_changed: bool  # a text, since the pair was found
    digests: tuple[str, str]  # of both texts now

    @property
    def is_duplicate(self) -> bool:
        """Whether the two say the same."""
        return self.pair.family == DUPLICATE

    @property
    def is_exact(self) -> bool:
        """Whether they say it in the same words."""
        return self.is_duplicate and self.pair.kind == EXACT

    def store_of(self, row: MirrorRow) -> StoreRow:
        """The store of a memory."""
        return self.stores[row.store_id]


def load_case(ctx: Context, pair_id: int) -> Case | None:
    """Return the case of a pair; None if there is no such pair, or one of the memories is unknown."""
    pair = queue.row(ctx, pair_id)
    rows = memory_rows.load(ctx.db, [pair.a, pair.b]) if pair is not None else []
    if pair is None or len(rows) < 2:
        return None
    found = ctx.db.get(models.Pair, pair_id)
    now = compared.current_digests(ctx, [pair.a, pair.b])
    digests = now.get(pair.a, ""), now.get(pair.b, "")
    has_changed = (found.digest_a, found.digest_b) != digests
    return Case(pair, rows[0], rows[1], store_rows.by_id(ctx.db), has_changed, digests)


def refusal_of(ctx: Context, case: Case, verdict: str) -> Refused | None:
    """Return why a verdict cannot be given now; None if it can."""
    if reason := _unsettleable_reason(ctx, case):
        return wording.blocked(reason)
    if case.has_changed:
        return wording.changed_since_found()
    reason = _store_refusal(ctx, case, verdict)
    return wording.blocked(reason) if reason else None


def _unsettleable_reason(ctx: Context, case: Case) -> str:
    """Return why no verdict at all can be given on the pair; "" if one can."""
    if ctx.read_only:
        return ctx.read_only
    decision = case.pair.decision
    if case.pair.state == "settled" and decision is not None and decision.entry_id is not None:
        return wording.settled_already(decision.verdict, decision.entry_id)
    for letter, row in (("A", case.a), ("B", case.b)):
        if row.removed_at is not None or row.memory.status in planning.INACTIVE:
            return wording.not_live(letter, "" if row.removed_at is not None else row.memory.status)
    return ""


def _store_refusal(ctx: Context, case: Case, verdict: str) -> str:
    """Return what the stores of the two do not allow of a verdict; "" for nothing."""
    actions = {
        KEEP_A: [("supersede", "B", case.b)],
        KEEP_B: [("supersede", "A", case.a)],
        MERGE: [("edit", "A", case.a), ("supersede", "B", case.b)],
        DISCARD_BOTH: [("dismiss", "A", case.a), ("dismiss", "B", case.b)],
    }
    for action, letter, row in actions.get(verdict, []):
        if action == "edit" and case.is_exact:
            continue
        if reason := blocked_reason(ctx, action, row, case.store_of(row)):
            return wording.blocked_memory(letter, reason)
    return ""


def blocked_reason(ctx: Context, action: str, row: MirrorRow, store: StoreRow) -> str:
    """Return why a store does not allow an action on a memory; "" if it does."""
    try:
        adapter = ctx.adapter(store)
        return planning.blocked_reason(ctx, action, row, store) or (
            "" if adapter is None else adapter.locked_reason()
        )
    except Refused as refusal:
        return refusal.message
    except OSError as error:
        return error.strerror or str(error)
