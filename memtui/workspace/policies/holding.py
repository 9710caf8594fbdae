"""Which policies hold: those of this workspace and of trusted files in every store, those that a store states
in that store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.policies import judging, stated
from memtui.memory.policies.policy import Policy
from memtui.workspace.policies import rows

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_STATED = (
    "SELECT a.about, s.name, a.data FROM side_records a JOIN stores s ON s.id = a.store_id "
    "WHERE a.data <> '' AND s.detached_at IS NULL ORDER BY s.name, a.about, a.id"
)


def listed(ctx: Context) -> list[Policy]:
    """Return all policies: those that a person set, then those of projects' files and of stores."""
    return [*rows.kept(ctx), *rows.of_files(ctx), *(stated.load(*row) for row in ctx.db.rows(_STATED))]


def of(ctx: Context, agent: str) -> list[Policy]:
    """Return the policies for an agent, in whichever stores they hold."""
    return judging.for_agent(listed(ctx), agent)
