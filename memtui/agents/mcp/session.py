"""memory_summarize_session: what a session came to, kept as a memory of the kind summary (S-85)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from memtui.agents.mcp import wording
from memtui.agents.mcp.answers import Stored
from memtui.agents.mcp.arguments import Narrative, Subject
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.effects import ADDS
from memtui.agents.mcp.remembering import remembered
from memtui.values import Fields
from memtui.workspace.context import NATIVE

KeyFacts = Annotated[list[str] | None, Field(description=wording.KEY_FACTS, max_length=100)]
Tone = Annotated[str, Field(description=wording.TONE, max_length=500)]
SummaryCategory = Annotated[str, Field(description=wording.CATEGORY, max_length=500)]
SessionId = Annotated[str, Field(description=wording.SESSION_ID, max_length=500)]
Tokens = Annotated[int | None, Field(description=wording.TOKENS, ge=0)]
_SUMMARY = "summary"


class Session:
    """The end of a session."""

    TOOLS = {"memory_summarize_session": ADDS}

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def memory_summarize_session(
        self,
        narrative: Narrative,
        key_facts: KeyFacts = None,
        tone: Tone = "",
        token_count: Tokens = None,
        session_id: SessionId = "",
        subject: Subject = "",
        category: SummaryCategory = "",
    ) -> Stored:
        """Store a summary, in memtui's own store where the agent's has none. Its facts are part of the text,
        so that they are found, and compared with what is known."""
        facts = [each.strip() for each in key_facts or () if each.strip()]
        fields: Fields = {
            "kind": _SUMMARY,
            "content": wording.summary_text(narrative, facts),
            "key_facts": tuple(facts),
            "tone": tone,
            "token_count": token_count,
            "session_id": session_id,
            "subject": subject,
            "category": category,
        }
        has_summaries = _SUMMARY in self._desk.target().fields
        return remembered(self._desk, fields, self._desk.store if has_summaries else NATIVE)
