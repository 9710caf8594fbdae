"""The verbs of `Workspace` for agents that are connected: what they list, and what they change (S-80)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import Pair
from memtui.memory.results import Change, RecallResult
from memtui.workspace.db import calls
from memtui.workspace.db.database import translate_errors
from memtui.workspace.search.recall import DEFAULT_LIMIT, Caller, Told

if TYPE_CHECKING:
    from memtui.memory.agents.figures import AllFigures, Overtaken
    from memtui.workspace.agents.listing import ListedAgent
    from memtui.workspace.context import Context

_MOST_NAMED = 10  # memories of one key


class AgentsApi:
    """Reading and changing memories for an agent, within its policies.

    To an agent, a memory that it may not read is not there: `Refused` says the same of both.
    """

    _ctx: Context
    _changing_alone: Callable[[], AbstractContextManager[None]]

    def calling(self, tool: str, session: str = "") -> AbstractContextManager[None]:
        """Name the call of an agent that is served within, on this thread: journal entries and the recall log
        have its tool and session."""
        return calls.calling(tool, session)

    def agent_figures(self, agent: str = "") -> AllFigures:
        """Return how much each agent that ever called wrote and read, by name, and all of them; of one
        `agent` alone, if one is named (S-84)."""
        from memtui.workspace.agents import figures

        with translate_errors(self._ctx.path):
            return figures.figures(self._ctx, agent)

    def agents(self) -> list[ListedAgent]:
        """Return the connections, by agent and file, then the agents that called without one, each with its
        figures (S-87)."""
        from memtui.workspace.agents import listing

        with translate_errors(self._ctx.path):
            return listing.listed(self._ctx)

    def overtaken(self, agent: str) -> list[Overtaken]:
        """Return what recall gave an agent lately that no longer holds, the last given first (S-84)."""
        from memtui.workspace.agents import overtaken

        with translate_errors(self._ctx.path):
            return overtaken.overtaken(self._ctx, agent)

    def list_for(
        self,
        caller: Caller,
        category: str = "",
        limit: int = DEFAULT_LIMIT,
        *,
        logged: bool = True,
        told: Told | None = None,
    ) -> RecallResult:
        """Return live memories that an agent may read, the newest first, of all categories or of one; what it
        is `told` of them, by default all, is logged, but not counted as used (S-101). Unless `logged` a
        person looks, which leaves no trace."""
        from memtui.workspace.search import agent_lists

        with translate_errors(self._ctx.path):
            return agent_lists.listed(self._ctx, caller, category, limit, logged=logged, told=told)

    def find_for(self, agent: str, field: str, value: str) -> int:
        """Return the row of the memory with a `uid` or `key` that an agent may read; raise Refused if there
        is none, or if several have the key."""
        from memtui.memory.policies import wording
        from memtui.workspace.mirror import memory_rows
        from memtui.workspace.search import agent_lists

        with translate_errors(self._ctx.path):
            found = agent_lists.held(self._ctx, Caller(agent), field, value, _MOST_NAMED)
        if not found:
            raise wording.not_there()
        if len(found) > 1:
            raise wording.several_there([row.memory.uid for row in memory_rows.load(self._ctx.db, found)])
        return found[0]

    def readable_for(self, agent: str, ids: Sequence[int]) -> set[int]:
        """Return those of these memories that an agent may read."""
        from memtui.workspace.policies import reading

        return reading.readable(self._ctx, agent, ids)

    def changeable_for(self, agent: str, ids: Sequence[int]) -> set[int]:
        """Return those of these memories that an agent may change."""
        from memtui.workspace.remember import amending

        return {each for each in ids if amending.may_change(self._ctx, agent, each)}

    def pairs_for(self, agent: str, family: str = "") -> list[Pair]:
        """Return the open pairs of which an agent may read both memories."""
        from memtui.workspace.contradictions import queue

        pairs = queue.listed(self._ctx, family=family)
        readable = self.readable_for(agent, [id for pair in pairs for id in (pair.a, pair.b)])
        return [pair for pair in pairs if {pair.a, pair.b} <= readable]

    def forget_for(self, agent: str, id: int) -> Change:
        """Forget a memory for an agent (S-106); raise PolicyRefused for another's, which the journal then
        has."""
        from memtui.workspace.remember import amending

        with self._changing_alone():
            return amending.forget(self._ctx, agent, id)

    def edit_for(self, agent: str, id: int, content: str) -> Change:
        """Replace the text of a memory for an agent, as far as its policies let it write such a text."""
        from memtui.workspace.remember import amending

        with self._changing_alone():
            return amending.edit(self._ctx, agent, id, content)

    def confirm_for(self, agent: str, id: int) -> Change:
        """Confirm a memory once more for an agent; raise Refused for one that waits for a person."""
        from memtui.workspace.remember import amending

        with self._changing_alone():
            return amending.confirm(self._ctx, agent, id)
