"""The verbs of `Workspace` for what agents see when a session starts (S-72); all only read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.workspace.db.database import translate_errors
from memtui.workspace.session import difference, effects, find, view
from memtui.workspace.session.difference import ViewDifference
from memtui.workspace.session.effects import AgentEffect
from memtui.workspace.session.view import StoreView

if TYPE_CHECKING:
    from memtui.workspace.context import Context


class SessionApi:
    """What an agent is given of a store."""

    _ctx: Context

    def agent_view(self, name: str, about: str = "") -> StoreView:
        """Return what an agent sees of the store that `name` means: a store, a client of a format, an owner.

        `about` is what it is asked to do, where the text depends on that. Raise Refused if the name means no
        store or several, or the store cannot be read.
        """
        with translate_errors(self._ctx.path):
            return view.store_view(self._ctx, find.store_of(self._ctx, name), about)

    def agent_named(self, name: str) -> str:
        """Return the agent that `name` means, which memtui itself gives memories; "" if it means a store, a
        client of a format or nobody."""
        with translate_errors(self._ctx.path):
            return find.agent_of(self._ctx, name)

    def hidden_from(self, agent: str) -> int:
        """Return how many of the memories that agents are given this one may not read."""
        from memtui.workspace.search import agent_lists
        from memtui.workspace.search.recall import Caller

        with translate_errors(self._ctx.path):
            return agent_lists.hidden_from(self._ctx, Caller(agent))

    def agent_view_difference(self, name: str, entry_id: int, about: str = "") -> ViewDifference:
        """Return what a journal entry changed in what the agent sees; raise Refused where that cannot be
        told."""
        with translate_errors(self._ctx.path):
            store = find.store_of(self._ctx, name)
            return difference.difference(self._ctx, store, entry_id, about)

    def agent_effects(self, entry_id: int, ids: Sequence[int]) -> list[AgentEffect]:
        """Return what a journal entry that changed these rows makes of what agents see; empty if they see the
        same memories, or it cannot be told."""
        with translate_errors(self._ctx.path):
            return effects.effects(self._ctx, entry_id, ids)
