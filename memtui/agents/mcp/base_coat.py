"""The calls of Base Coat, but for memory_store and memory_recall (S-101)."""

from __future__ import annotations

from memtui.agents.mcp.answers import Changed, Memories, MemoryAnswer
from memtui.agents.mcp.arguments import Content, Id, Limit, SomeCategory, given
from memtui.agents.mcp.curation import changed
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.effects import READS, REMOVES, REPLACES
from memtui.workspace.search.recall import DEFAULT_LIMIT


class BaseCoat:
    """Listing, editing and forgetting by id."""

    TOOLS = {"memory_list": READS, "memory_update": REPLACES, "memory_forget": REMOVES}

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def memory_list(self, category: SomeCategory = "", limit: Limit = DEFAULT_LIMIT) -> Memories:
        """Return live memories, the newest first."""
        found = self._desk.opened.list_for(self._desk.caller, given(category), limit)
        return Memories(memories=MemoryAnswer.all_of(found))

    def memory_update(self, id: Id, content: Content) -> Changed:
        """Replace what a memory says."""
        desk = self._desk
        row = desk.opened.find_for(desk.agent, "uid", given(id))
        return changed(desk, row, desk.opened.edit_for(desk.agent, row, content))

    def memory_forget(self, id: Id) -> Changed:
        """Take a memory out of its store; a person can bring it back."""
        desk = self._desk
        row = desk.opened.find_for(desk.agent, "uid", given(id))
        return changed(desk, row, desk.opened.forget_for(desk.agent, row))
