"""Memories as the derived files of Cognitive Memory take them: with a score, and text that is inert."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.export.exporter import Entry
from memtui.export.inert_text import encoded
from memtui.formats.cognitive.derived.scores import ScoredMemory
from memtui.memory.encoding import iso
from memtui.memory.memory import label_of
from memtui.memory.selection.candidate import DEFAULT_CONFIDENCE, Candidate


def score_of(candidate: Candidate) -> float:
    """Return the score of a memory: by its store's lifecycle, else its confidence."""
    if candidate.strength is not None:
        return candidate.strength
    confidence = candidate.memory.confidence
    return DEFAULT_CONFIDENCE if confidence is None else confidence


def scored(entries: Sequence[Entry]) -> list[ScoredMemory]:
    """Return the memories, pinned ones first, then the best score first. They have no path: links would lead
    nowhere outside their own tree."""
    order = sorted(entries, key=lambda each: (not each.candidate.memory.pinned, -score_of(each.candidate)))
    return [_scored(each.candidate) for each in order]


def newest_day(entries: Sequence[Entry]) -> str:
    """Return the day of the newest memory in the form YYYY-MM-DD, "unknown" if no memory has a time."""
    times = [each.candidate.touched_at for each in entries]
    return (iso(max((at for at in times if at is not None), default=None)) or "unknown")[:10]


def _scored(candidate: Candidate) -> ScoredMemory:
    memory = candidate.memory
    return ScoredMemory(
        id=memory.uid,
        path="",
        title=_line(label_of(memory.title, memory.subject, memory.content)),
        type=_line(memory.category or "").casefold().replace("-", "_").replace(" ", "_"),
        tags=tuple(_line(each) for each in memory.tags),
        content=_line(memory.content),
        created=memory.created_at or 0.0,
        uses=memory.times_used,
        score=score_of(candidate),
    )


def _line(text: str) -> str:
    return encoded(" ".join(text.split()))
