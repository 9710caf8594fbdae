"""The agents that are connected and those that called: what is known of each (S-50, S-87)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.memory.agents.figures import AgentFigures
from memtui.memory.policies import judging
from memtui.workspace.agents import figures
from memtui.workspace.changes.own_records import connecting
from memtui.workspace.connections.connection import Connection, ConnectionState
from memtui.workspace.context import NATIVE
from memtui.workspace.policies import holding
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.context import Context


@dataclass(frozen=True, slots=True)
class ListedAgent:
    """An agent with its figures, in one settings file that memtui connected it in, with how that stands now;
    both None for an agent that called without. It writes to `store`, where its program names no other; its
    writes are refused if that is not attached."""

    figures: AgentFigures
    store: str
    connection: Connection | None = None
    state: ConnectionState | None = None
    store_gone: bool = False

    @property
    def agent(self) -> str:
        """The agent's name."""
        return self.figures.agent


def listed(ctx: Context) -> list[ListedAgent]:
    """Return every connection, by agent and file, then the agents that called without one, by name."""
    known = {each.agent: each for each in figures.figures(ctx).agents}
    states = connecting.states(ctx)
    names = {*known, *(each.agent for each, _ in states)}
    policies = judging.in_store(holding.listed(ctx), "")
    stores = {name: judging.writes_to(judging.for_agent(policies, name)) or NATIVE for name in names}
    attached = {each.name for each in catalog.attached(ctx)}
    gone = {name: store not in attached for name, store in stores.items()}
    found = [
        ListedAgent(
            known.get(each.agent, AgentFigures(each.agent)), stores[each.agent], each, state, gone[each.agent]
        )
        for each, state in sorted(states, key=lambda each: each[0].agent)
    ]
    connected = {each.agent for each in found}
    return found + [
        ListedAgent(known[name], stores[name], store_gone=gone[name])
        for name in known
        if name not in connected
    ]
