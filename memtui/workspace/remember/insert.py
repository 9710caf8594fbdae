"""Carrying out what an agent's write does, with the numbers and times that its store and policies give it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memtui.errors import PolicyRefused
from memtui.formats.contract.incoming import Effect
from memtui.memory.contradictions.pairs import CONTRADICTION
from memtui.memory.lifecycles.confirmation import stated_again
from memtui.memory.policies import judging
from memtui.memory.policies.remembered import PENDING
from memtui.memory.results import Change
from memtui.values import Fields
from memtui.workspace.changes import field_values, undo
from memtui.workspace.changes.field_changes import edited_fields
from memtui.workspace.changes.planning import adapter_class_of
from memtui.workspace.mirror import memory_rows
from memtui.workspace.remember import wording
from memtui.workspace.remember.asked import Asked
from memtui.workspace.remember.known import Meeting
from memtui.workspace.remember.unit import Unit

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.mirror.memory_rows import MirrorRow


def insert(ctx: Context, write: Asked, met: Meeting) -> tuple[Change, bool]:
    """Add the memory with the agent as the actor; return the change, and whether it waits for a person."""
    fields, status = as_inserted(ctx, write, met.effect)
    unit = Unit(acting(ctx, write.agent), write.store, write.rules)
    unit.add(fields, status, _contradicted(ctx, write, met))
    for row in met.there if met.effect is Effect.SUPERSEDES else ():
        unit.end(row)
    return unit.carry_out(), status == PENDING


def as_inserted(ctx: Context, write: Asked, effect: Effect = Effect.ADDS) -> tuple[Fields, str]:
    """Return the fields with which a memory is added, and the status that it begins with; "" leaves that to
    its format."""
    fields: Fields = dict(write.fields)
    end = judging.expires_at(write.policies, fields.get("expires_at"), ctx.clock())
    if end is not None:
        fields["expires_at"] = end
    numbers, status = write.rules.beginning(fields | {"key": write.key})
    return fields | numbers, PENDING if effect is Effect.WAITS else status


def _contradicted(ctx: Context, write: Asked, met: Meeting) -> dict[str, str]:
    """Return the anchors of what the store is to record as contradicted, each with why: the other values of
    its key, and what it contradicts elsewhere in this store."""
    if not write.rules.records_contradictions:
        return {}
    found = {row.id: wording.OTHER_VALUE for row in met.there}
    found |= {each.id: each.reason for each in met.clashes if each.family == CONTRADICTION}
    rows = memory_rows.load(ctx.db, list(found))
    return {row.anchor: found[row.id] for row in rows if row.store_id == write.store.id and row.anchor}


def restate(ctx: Context, write: Asked, row: MirrorRow, content: str | None = None) -> Change | None:
    """Make a memory that is there surer, which gets the text of the write if one is given; None for one that
    a person has to look at first."""
    if row.memory.status in write.rules.waiting:
        return None
    if content is not None and content != row.memory.content:
        return reword(ctx, write, row, content, surer=True)
    adapter = adapter_class_of(write.store)
    lifecycle = adapter.lifecycle if adapter is not None else "memtui"
    unit = Unit(acting(ctx, write.agent), write.store, write.rules)
    unit.change(row, "confirm", stated_again(row.memory, ctx.clock(), lifecycle))
    return unit.carry_out()


def reword(ctx: Context, write: Asked, row: MirrorRow, content: str, *, surer: bool) -> Change:
    """Replace the text of a memory, which becomes `surer` by it, as far as its store has such numbers; raise
    Refused if it has a mask."""
    field_values.refuse_masks({"content": content}, {"content": row.memory.content})
    fields = edited_fields(ctx, row, {"content": content})
    adapter = ctx.adapter(write.store)
    if surer and adapter is not None:
        numbers = stated_again(row.memory, ctx.clock(), adapter.lifecycle)
        held = adapter.fields_of(row.memory.kind)
        fields |= {name: value for name, value in numbers.items() if name in held}
    unit = Unit(acting(ctx, write.agent), write.store, write.rules)
    unit.change(row, "edit", fields)
    return unit.carry_out()


@contextmanager
def taken_back(ctx: Context, write: Asked, added: Change) -> Iterator[None]:
    """Take an addition back where what has to leave for it within cannot."""
    try:
        yield
    except (PolicyRefused, OSError):
        undo.undo(acting(ctx, write.agent), added.journal_id)
        raise


def acting(ctx: Context, agent: str) -> Context:
    """Return the context in which the journal names an agent."""
    by_agent = copy.copy(ctx)
    by_agent.actor = f"agent:{agent}"
    return by_agent
