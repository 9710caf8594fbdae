"""Plans and undo of an SQLite store in tests."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.founder_os import FounderOs
from tests.support.stores.founder_os import (
    ACME,
)

NOW = 1_800_000_000.0


def edit(ref: str, content: str) -> Write:
    return Write("edit", ref, {"content": content}, {}, NOW)


def plan_writes(store: FounderOs, *writes: Write) -> list[Plan]:
    """Plan the writes, none of which may be refused."""
    planned = store.plan(writes)
    assert [plan for plan in planned if isinstance(plan, Refused)] == []
    return [plan for plan in planned if isinstance(plan, Plan)]


def undo(store: FounderOs, plans: list[Plan]) -> list[Plan]:
    """Undo plans, the last one first, and return the plans that did it."""
    reversed_plans = store.reverse(plans[::-1])
    assert [plan for plan in reversed_plans if isinstance(plan, Refused)] == []
    undos = [plan for plan in reversed_plans if isinstance(plan, Plan)]
    store.apply(undos, "t")
    return undos


COMMIT = f"UPDATE memories SET content = 'Committed.' WHERE id = '{ACME}'"
