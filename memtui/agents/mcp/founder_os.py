"""The calls of Founder OS (S-100)."""

from __future__ import annotations

from memtui.agents.mcp.answers import (
    Changed,
    FounderFound,
    FounderMemories,
    FounderMemory,
    FounderMemoryInFull,
)
from memtui.agents.mcp.arguments import Key, Limit, Question, TheCompany, ThePlugin, given
from memtui.agents.mcp.curation import changed
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.effects import READS, REMOVES
from memtui.agents.mcp.recalling import recalled
from memtui.memory.results import RecallResult

_QUERY_LIMIT, _LIST_LIMIT = 5, 10


class FounderOs:
    """Asking, looking up and deleting by key."""

    TOOLS = {
        "memory_query": READS,
        "memory_get": READS,
        "memory_by_company": READS,
        "memory_by_plugin": READS,
        "memory_delete": REMOVES,
    }

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def memory_query(self, text: Question, limit: Limit = _QUERY_LIMIT) -> FounderMemories:
        """Return the confirmed and applied memories that answer a question."""
        return _told(recalled(self._desk, given(text), limit=limit))

    def memory_get(self, key: Key) -> FounderFound:
        """Return the memory of a key, whatever its status; null if there is none."""
        found = self._desk.opened.recall_by("key", given(key), self._desk.caller)
        memory = next(iter(found.memories), None)
        return FounderFound(memory=None if memory is None else FounderMemoryInFull.of(memory, found))

    def memory_by_company(self, company_id: TheCompany, limit: Limit = _LIST_LIMIT) -> FounderMemories:
        """Return the confirmed and applied memories of a company, the surest first."""
        return _told(self._desk.opened.recall_by("company_id", given(company_id), self._desk.caller, limit))

    def memory_by_plugin(self, plugin: ThePlugin, limit: Limit = _LIST_LIMIT) -> FounderMemories:
        """Return the confirmed and applied memories that a plugin stored, the surest first."""
        return _told(self._desk.opened.recall_by("source_ref", given(plugin), self._desk.caller, limit))

    def memory_delete(self, key: Key) -> Changed:
        """Forget the memory of a key."""
        desk = self._desk
        id = desk.opened.find_for(desk.agent, "key", given(key))
        return changed(desk, id, desk.opened.forget_for(desk.agent, id))


def _told(found: RecallResult) -> FounderMemories:
    memories = [FounderMemory.model_validate(FounderMemory.fields(each, found)) for each in found.memories]
    return FounderMemories(memories=memories)
