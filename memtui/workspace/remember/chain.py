"""The one path of an agent's write, step by step (S-85)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memtui.memory.policies import wording
from memtui.memory.policies.remembered import ADDED, KNOWN, PENDING, Remembered
from memtui.memory.results import Change
from memtui.values import FieldValue
from memtui.workspace.policies import breaches
from memtui.workspace.remember import guards, known, limits
from memtui.workspace.remember.asked import asked
from memtui.workspace.remember.insert import insert, reinforce, taken_back

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def remember(ctx: Context, agent: str, fields: Mapping[str, FieldValue], store: str) -> Remembered:
    """Write a memory for an agent, or say which one it has already. Raise PolicyRefused, which the journal
    then has, if a policy or a rule does not let it; Refused if it cannot be written. No other memtui may
    write meanwhile: what it wrote would not count."""
    ctx.writable()
    write = asked(ctx, agent, fields, store)
    with breaches.journaled(ctx, write.agent, write.store.name):
        guards.own(write)
        guards.scope(write)
        guards.category(write)
        guards.pattern(write)
        guards.secret(write)
        same = known.same(ctx, write)
        guards.rule(ctx, write, same[0] if same else None)
        if same:
            change = reinforce(ctx, write, *same)
            told = wording.known_already(write.agent, write.store.name)
            return Remembered(KNOWN, change or Change("confirmed", (), told), same[0])
        near = known.near(ctx, write)
        leaving = limits.room(ctx, write)
        added, waits = insert(ctx, write)
        with taken_back(ctx, write, added):
            left = limits.leave(ctx, leaving)
    outcome = PENDING if waits else ADDED
    return Remembered(outcome, added, added.ids[0], *known.told(ctx, near), tuple(left))
