"""What tools answer: the output schemas. Names are those of the seeds' calls (S-100, S-101)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field

from memtui.agents.mcp import wording
from memtui.agents.wording import DATA
from memtui.memory.encoding import iso
from memtui.memory.memory import Memory
from memtui.memory.results import RecallResult

Moment = Annotated[str | None, Field(description=wording.MOMENT)]
Share = Annotated[float | None, Field(description=wording.SHARE)]
Contradicted = Annotated[list[str], Field(description=wording.CONTRADICTED)]
Notice = Annotated[str, Field(description=wording.NOTICE_MEANS)]


class MemoryAnswer(BaseModel):
    """One memory."""

    id: Annotated[str, Field(description=wording.ID)]
    store: str
    kind: str
    key: str | None
    category: str | None
    subject: str | None
    title: str | None
    content: Annotated[str, Field(description=wording.CONTENT_ANSWER)]
    owner: str | None
    scope: str | None
    source: str | None
    company_id: str | None
    tags: list[str]
    confidence: Share
    importance: Share
    status: str
    pinned: bool
    created_at: Moment
    updated_at: Moment
    last_used_at: Moment
    expires_at: Moment
    times_used: int
    times_confirmed: int
    contradicted_by: Contradicted

    @classmethod
    def all_of(cls, found: RecallResult) -> list[MemoryAnswer]:
        """Return memories as the client receives them."""
        return [cls.of(each, found.contradicted.get(each.uid, ())) for each in found.memories]

    @classmethod
    def of(cls, memory: Memory, contradicted_by: Sequence[str]) -> MemoryAnswer:
        """Return a memory as the client receives it."""
        return cls(
            id=memory.uid,
            store=memory.store,
            kind=memory.kind,
            key=memory.key,
            category=memory.category,
            subject=memory.subject,
            title=memory.title,
            content=memory.content,
            owner=memory.owner,
            scope=memory.scope,
            source=memory.source_ref,
            company_id=memory.company_id,
            tags=list(memory.tags),
            confidence=memory.confidence,
            importance=memory.importance,
            status=memory.status,
            pinned=memory.pinned,
            created_at=iso(memory.created_at),
            updated_at=iso(memory.updated_at),
            last_used_at=iso(memory.last_used_at),
            expires_at=iso(memory.expires_at),
            times_used=memory.times_used,
            times_confirmed=memory.times_confirmed,
            contradicted_by=list(contradicted_by),
        )


class Memories(BaseModel):
    """Memories, the best answer first."""

    notice: Notice = DATA
    memories: list[MemoryAnswer]


class Recalled(Memories):
    """Answers to a question; those from `related` on do not answer it, but are close to it."""

    strategy: Annotated[str, Field(description=wording.STRATEGY_ANSWER)]
    related: Annotated[int, Field(description=wording.RELATED)]


class FounderMemory(BaseModel):
    """A memory as Founder OS tells it."""

    id: Annotated[str, Field(description=wording.ID)]
    key: str | None
    category: str | None
    content: Annotated[str, Field(description=wording.CONTENT_ANSWER)]
    source_plugin: str | None
    company_id: str | None
    tags: list[str]
    confidence: Annotated[int | None, Field(description=wording.PERCENT)]
    status: str
    contradicted_by: Contradicted

    @staticmethod
    def fields(memory: Memory, found: RecallResult) -> dict[str, object]:
        """Return the fields of a memory that was found by these names."""
        return {
            "id": memory.uid,
            "key": memory.key,
            "category": memory.category,
            "content": memory.content,
            "source_plugin": memory.source_ref,
            "company_id": memory.company_id,
            "tags": list(memory.tags),
            "confidence": None if memory.confidence is None else round(memory.confidence * 100),
            "status": memory.status,
            "contradicted_by": list(found.contradicted.get(memory.uid, ())),
        }


class FounderMemoryInFull(FounderMemory):
    """A memory as Founder OS tells it for its key."""

    times_used: int
    times_confirmed: int
    created_at: Moment
    updated_at: Moment
    last_used_at: Moment

    @classmethod
    def of(cls, memory: Memory, found: RecallResult) -> FounderMemoryInFull:
        """Return a memory as the client receives it."""
        return cls.model_validate(
            {
                **cls.fields(memory, found),
                "times_used": memory.times_used,
                "times_confirmed": memory.times_confirmed,
                "created_at": iso(memory.created_at),
                "updated_at": iso(memory.updated_at),
                "last_used_at": iso(memory.last_used_at),
            }
        )


class FounderMemories(BaseModel):
    """Memories as Founder OS tells them."""

    notice: Notice = DATA
    memories: list[FounderMemory]


class FounderFound(BaseModel):
    """The memory of a key, null if there is none."""

    notice: Notice = DATA
    memory: FounderMemoryInFull | None


class Other(BaseModel):
    """A memory that a new one contradicts or repeats; both are kept."""

    id: Annotated[str, Field(description=wording.ID)]
    family: Annotated[str, Field(description=wording.FAMILY)]
    why: str


class Stored(BaseModel):
    """What became of a write."""

    outcome: Annotated[str, Field(description=wording.OUTCOME)]
    id: Annotated[str, Field(description=wording.ID)]
    summary: str
    journal: Annotated[int | None, Field(description=wording.JOURNAL)]
    kept_in_memtui: Annotated[list[str], Field(description=wording.KEPT)]
    other: Other | None
    left: Annotated[list[str], Field(description=wording.LEFT)]
    decided: Annotated[str | None, Field(description=wording.DECIDED)] = None


class Changed(BaseModel):
    """What was done to a memory."""

    id: Annotated[str, Field(description=wording.ID)]
    summary: str
    journal: Annotated[int | None, Field(description=wording.JOURNAL)]


class Side(BaseModel):
    """One memory of a pair."""

    id: Annotated[str, Field(description=wording.ID)]
    store: str
    label: str


class PairAnswer(BaseModel):
    """Two memories that cannot both be right."""

    a: Side
    b: Side
    kind: str
    why: str
    score: float
    found_at: Moment


class Pairs(BaseModel):
    """Contradictions, those that wait the longest or are the surest first."""

    notice: Notice = DATA
    pairs: list[PairAnswer]
    total: Annotated[int, Field(description=wording.TOTAL)]
    compared: Annotated[bool, Field(description=wording.COMPARED)]
