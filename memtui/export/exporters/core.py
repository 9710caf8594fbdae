"""CORE.md: the best memories by section, which agents load at session start (FORMATS 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.export import wording
from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.export.scored import newest_day, score_of, scored
from memtui.export.statement import contradiction_mark
from memtui.formats.cognitive.derived.core import (
    BUDGET,
    MAX_MEMORIES,
    MAX_TAGS,
    MIN_SCORE,
    SECTIONS,
    link,
)
from memtui.formats.cognitive.derived.scores import ScoredMemory
from memtui.memory.selection.candidate import Candidate

_TITLE_OF = {type: title for title, types in SECTIONS for type in types}


def render(entries: Sequence[Entry]) -> Rendered:
    """Return the file. Categories that the format does not know get sections of their own, below its own. Its
    day is that of the newest memory."""
    memories = scored(entries)
    marks = {each.candidate.memory.uid: contradiction_mark(each) for each in entries}
    out = "# Memory Core (auto-generated)\n"
    out += f"> Last updated: {newest_day(entries)} | Active memories: {len(memories)}/{len(memories)}\n"
    dropped: dict[str, str] = {}
    for title, members in _sections(memories).items():
        section = f"\n## {title}\n"
        for memory in members[:MAX_MEMORIES]:
            line = _line(memory, marks)
            if len(out) + len(section) + len(line) > BUDGET:
                dropped[memory.id] = wording.at_most_characters(BUDGET)
            else:
                out, section = out + section + line, ""
        dropped |= {each.id: wording.at_most_in_section(MAX_MEMORIES) for each in members[MAX_MEMORIES:]}
    return Rendered(out if memories else "", dropped)


def refuse(candidate: Candidate) -> str:
    """Return why a memory is too weak, "" if it is not. A pinned one never is."""
    score = score_of(candidate)
    return "" if candidate.memory.pinned or score >= MIN_SCORE else wording.weak(score, MIN_SCORE)


def _sections(memories: Sequence[ScoredMemory]) -> dict[str, list[ScoredMemory]]:
    """Return the memories by section: those of the format in its order, then the others by name."""
    out: dict[str, list[ScoredMemory]] = {title: [] for title, _ in SECTIONS}
    others: dict[str, list[ScoredMemory]] = {}
    for each in memories:
        known = _TITLE_OF.get(each.type)
        section = out[known] if known else others.setdefault(_heading(each.type), [])
        section.append(each)
    return {**out, **dict(sorted(others.items()))}


def _heading(type: str) -> str:
    name = type.replace("_", " ").strip()
    return wording.category_heading(name) if name else wording.OTHER_HEADING


def _line(memory: ScoredMemory, marks: Mapping[str, str]) -> str:
    tags = f" ({', '.join(memory.tags[:MAX_TAGS])})" if memory.tags else ""
    return f"- {link(memory)}{tags}{marks[memory.id]}\n"


EXPORTER = Exporter(
    "core",
    "CORE.md",
    "text/markdown",
    ".md",
    render,
    wording.CORE_LIMITS.format(characters=BUDGET, most=MAX_MEMORIES, least=MIN_SCORE),
    refuse,
)
