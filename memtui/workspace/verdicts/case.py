"""A pair that is to be settled: both memories, their stores, and why a verdict cannot be given (S-42)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memtui.errors import NotSettled, Refused
from memtui.memory.contradictions.pairs import DISCARD_BOTH, DUPLICATE, EXACT, KEEP_A, KEEP_B, MERGE, Pair
from memtui.workspace.changes import planning
from memtui.workspace.context import Context
from memtui.workspace.contradictions import queue
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow

_CHANGED = "One of the two says something else since it was found; it is compared again first."


@dataclass(frozen=True, slots=True)
class Case:
    """One pair with all that a verdict on it needs. `stores` are the rows of all stores."""

    pair: Pair
    a: MirrorRow
    b: MirrorRow
    stores: dict[int, StoreRow]
    changed: bool  # since it was found
    judged: tuple[str, str]  # the digests of what the two say

    @property
    def repeats(self) -> bool:
        """Whether the two say the same."""
        return self.pair.family == DUPLICATE

    @property
    def exact(self) -> bool:
        """Whether they say it in the same words."""
        return self.repeats and self.pair.kind == EXACT

    def store(self, held: MirrorRow) -> Any:
        """The row of a memory's store."""
        return self.stores[held.store_id]


def case(ctx: Context, pair_id: int) -> Case | None:
    """The pair of this row; None if there is none."""
    pair = queue.row(ctx, pair_id)
    found = memory_rows.held(ctx.db, [pair.a, pair.b]) if pair is not None else []
    if pair is None or len(found) < 2:
        return None
    said = ctx.db.rows("SELECT digest_a, digest_b FROM pairs WHERE id = ?", (pair_id,))[0]
    now = queue.said_now(ctx, [pair.a, pair.b])
    judged = now.get(pair.a, ""), now.get(pair.b, "")
    stores = store_rows.by_id(ctx.db)
    return Case(pair, found[0], found[1], stores, said != judged, judged)


def why_not(ctx: Context, case: Case, verdict: str) -> Refused | None:
    """Why a verdict cannot be given now; None where it can."""
    if why := _standing_in_the_way(ctx, case):
        return blocked_by(why)
    if case.changed:
        return NotSettled("changed-since", _CHANGED, "Nothing was changed.")
    why = _not_in_store(ctx, case, verdict)
    return blocked_by(why) if why else None


def blocked_by(why: str) -> Refused:
    """A verdict that something stands in the way of."""
    return NotSettled("blocked", why, "Nothing was changed.")


def _standing_in_the_way(ctx: Context, case: Case) -> str:
    """What of the pair or its memories allows no verdict at all; "" for nothing."""
    if ctx.read_only:
        return ctx.read_only
    said = case.pair.decision
    if case.pair.state == "settled" and said is not None and said.entry_id is not None:
        return f"It is settled already: {said.verdict}. memtui undo {said.entry_id} takes that back."
    for name, held in (("A", case.a), ("B", case.b)):
        if held.removed_at is not None or held.memory.status in planning.GONE:
            state = "no longer in its store" if held.removed_at is not None else held.memory.status
            return f"{name} is {state}; restore it first."
    return ""


def _not_in_store(ctx: Context, case: Case, verdict: str) -> str:
    """What the stores of the two do not allow of a verdict; "" for nothing."""
    asked = {
        KEEP_A: [("supersede", "B", case.b)],
        KEEP_B: [("supersede", "A", case.a)],
        MERGE: [("edit", "A", case.a), ("supersede", "B", case.b)],
        DISCARD_BOTH: [("dismiss", "A", case.a), ("dismiss", "B", case.b)],
    }
    for action, name, held in asked.get(verdict, []):
        if action == "edit" and case.exact:
            continue
        if why := _blocked(ctx, action, held, case.store(held)):
            return f"{name}: {why}"
    return ""


def _blocked(ctx: Context, action: str, held: MirrorRow, store: StoreRow) -> str:
    try:
        adapter = ctx.adapter(store)
        return planning.blocked(ctx, action, held, store) or ("" if adapter is None else adapter.locked())
    except Refused as refusal:
        return refusal.message
    except OSError as trouble:
        return trouble.strerror or str(trouble)
