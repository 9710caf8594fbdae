"""memory_recall: the best memories on a subject, of a category, for a question (S-34, S-101)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from memtui.agents.mcp import wording
from memtui.agents.mcp.answers import MemoryAnswer, Recalled
from memtui.agents.mcp.arguments import Limit, SomeCategory, SomeQuestion, Subject, given, require_one
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.effects import READS
from memtui.memory.results import RecallResult
from memtui.workspace.search.recall import DEFAULT_LIMIT

Strategy = Annotated[Literal["", "keyword", "semantic", "hybrid"], Field(description=wording.STRATEGY)]


class Recalling:
    """Asking for memories."""

    TOOLS = {"memory_recall": READS}

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def memory_recall(
        self,
        query: SomeQuestion = "",
        subject: Subject = "",
        category: SomeCategory = "",
        strategy: Strategy = "",
        limit: Limit = DEFAULT_LIMIT,
    ) -> Recalled:
        """Return what the agent may read, the best answers first; they count as used."""
        require_one(query=query, subject=subject, category=category)
        found = recalled(self._desk, given(query), given(subject), given(category), strategy, limit)
        return Recalled(
            memories=MemoryAnswer.all_of(found),
            strategy=found.how,
            related=len(found.memories) - found.related,
        )


def recalled(
    desk: Desk, query: str, subject: str = "", category: str = "", strategy: str = "", limit: int = 10
) -> RecallResult:
    """Return the answers to a question; without one, those on the subject or of the category."""
    desk.embed_few()
    with desk.opened.interruptible(lambda: desk.call.stopped):
        return desk.opened.recall(
            query or subject or category,
            desk.caller,
            strategy=strategy,
            limit=limit,
            subject=subject or ("" if query else category),
            category=category,
        )
