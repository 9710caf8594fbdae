"""Writing what an agent's write may write, with the numbers and times that its store and policies give it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memtui.errors import PolicyRefused
from memtui.memory.policies import judging
from memtui.memory.policies.high_risk import waits_for_a_person
from memtui.memory.policies.remembered import PENDING
from memtui.memory.results import Change
from memtui.values import Fields
from memtui.workspace.changes import undo, verbs
from memtui.workspace.remember.asked import Asked

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_GUARDED = "mem-skill"  # the format whose sensitive facts wait for a person (S-103)


def insert(ctx: Context, write: Asked) -> tuple[Change, bool]:
    """Add the memory with the agent as the actor; return the change, and whether it waits for a person."""
    fields, status = as_inserted(ctx, write)
    return verbs.add(acting(ctx, write.agent), fields, write.store.name, status), bool(status)


def as_inserted(ctx: Context, write: Asked) -> tuple[Fields, str]:
    """Return the fields with which a memory is added, and the status that it begins with: pending if it waits
    for a person, else ""."""
    fields: Fields = dict(write.fields)
    end = judging.expires_at(write.policies, fields.get("expires_at"), ctx.clock())
    if end is not None:
        fields["expires_at"] = end
    waits = write.store.format == _GUARDED and waits_for_a_person(
        write.key, write.text("subject"), write.text("category"), fields.get("confidence")
    )
    return fields, PENDING if waits else ""


def reinforce(ctx: Context, write: Asked, id: int, status: str) -> Change | None:
    """Confirm a memory that says it already once more; None for one that a person has to look at first."""
    if status not in ("confirmed", "applied"):
        return None
    return verbs.run(acting(ctx, write.agent), "confirm", [id])


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
