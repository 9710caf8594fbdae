"""The store that an agent's memories go into: what its policy says, or else memtui's own (S-61, S-85)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory.policies import judging, wording
from memtui.memory.policies.policy import agent_name
from memtui.workspace.context import NATIVE
from memtui.workspace.policies import holding
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def store_for(ctx: Context, agent: str) -> str:
    """Return the name of the store that an agent writes to; raise Refused for one that is no longer
    attached. Whether it can be written to shows in each write: the agent may read anyway."""
    name = agent_name(agent)
    wanted = judging.writes_to(judging.in_store(holding.of(ctx, name), ""))
    if not wanted:
        return NATIVE
    try:
        return catalog.find_attached(ctx, wanted).name
    except Refused as refused:
        raise wording.store_gone(name, wanted) from refused
