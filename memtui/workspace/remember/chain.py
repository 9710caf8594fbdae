"""The one path of an agent's write, step by step (S-85)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.formats.contract.incoming import Effect
from memtui.memory.policies import wording
from memtui.memory.policies.remembered import ADDED, KNOWN, PENDING, REPLACED, Remembered
from memtui.memory.results import Change
from memtui.values import FieldValue
from memtui.workspace.changes.verbs import READS
from memtui.workspace.policies import breaches
from memtui.workspace.remember import guards, known, limits
from memtui.workspace.remember.asked import Asked, asked
from memtui.workspace.remember.insert import insert, restate, taken_back
from memtui.workspace.sync.pull import pull

if TYPE_CHECKING:
    from memtui.workspace.context import Context

# Codes of refusals where the store may have what was written since it was read; a constraint is one of keys.
_OVERTAKEN = ("conflict", "exists", "constraint")


def remember(ctx: Context, agent: str, fields: Mapping[str, FieldValue], store: str) -> Remembered:
    """Write a memory for an agent, or say which one it has already. Raise PolicyRefused, which the journal
    then has, if a policy or a rule does not let it; Refused if it cannot be written. No other memtui may
    write meanwhile: what it wrote would not count."""
    ctx.writable()
    write = asked(ctx, agent, fields, store)
    for reads_left in reversed(range(READS)):
        try:
            return _remember(ctx, write)
        except Refused as refusal:
            if refusal.code not in _OVERTAKEN or not reads_left:
                raise
            pull(ctx, write.store)
    raise AssertionError


def _remember(ctx: Context, write: Asked) -> Remembered:
    with breaches.journaled(ctx, write.agent, write.store.name):
        guards.own(write)
        guards.scope(write)
        guards.category(write)
        guards.pattern(write)
        guards.secret(write)
        met = known.meeting(ctx, write)
        guards.rule(ctx, write, met)
        if met.changes is not None:
            replaced = met.effect is Effect.REPLACES
            change = restate(ctx, write, met.changes, write.text("content") if replaced else None)
            told = wording.known_already(write.agent, write.store.name)
            is_other = replaced and met.changes.memory.content != write.text("content")
            return Remembered(
                REPLACED if is_other else KNOWN,
                change or Change("confirmed", (), told),
                met.changes.id,
                *known.told(ctx, met.clash),
            )
        leaving = limits.room(ctx, write)
        other = known.told(ctx, met.clash)
        added, waits = insert(ctx, write, met)
        with taken_back(ctx, write, added):
            left = limits.leave(ctx, leaving)
    return Remembered(PENDING if waits else ADDED, added, added.ids[0], *other, tuple(left))
