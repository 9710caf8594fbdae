"""CORE.md: the memories with the best scores, which agents load at session start (FORMATS 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memtui.formats.cognitive.derived.scores import ScoredMemory

BUDGET = 12_000  # characters, about 3,000 tokens
MAX_MEMORIES = 15  # in a section
MIN_SCORE = 0.2
MAX_TAGS = 3  # in a line
SECTIONS = (
    ("Critical Solutions", ("solution",)),
    ("Active Decisions", ("decision",)),
    ("Key Fixes", ("fix",)),
    ("Configurations", ("configuration",)),
    ("Patterns & Workflows", ("code_pattern", "workflow", "procedure")),
)
_SECTION_OF = {type: title for title, types in SECTIONS for type in types}


@dataclass(frozen=True, slots=True)
class Core:
    """The text of the file, and why each memory is not in it, by id: `score`, `section` (it has none), `full`
    (its section) or `budget`."""

    text: str
    left_out: Mapping[str, str]


def render(memories: Sequence[ScoredMemory], day: str) -> str:
    """Return the text of the file; `memories` are ordered by score, `day` is in the form YYYY-MM-DD."""
    return compose(memories, day).text


def compose(memories: Sequence[ScoredMemory], day: str) -> Core:
    """Return the file; `memories` are ordered by score, `day` is in the form YYYY-MM-DD."""
    active = [each for each in memories if each.score >= MIN_SCORE]
    counts = f"Active memories: {len(active)}/{len(memories)}"
    out = "# Memory Core (auto-generated)\n"
    out += f"> Last updated: {day} | {counts} | Next refresh: daily (systemd timer)\n"
    left_out = {each.id: "score" for each in memories if each.score < MIN_SCORE}
    left_out |= {each.id: "section" for each in active if each.type not in _SECTION_OF}
    is_full = False
    for title, types in SECTIONS:
        section = f"\n## {title}\n"
        for rank, memory in enumerate(each for each in active if each.type in types):
            line = link(memory) + (f" ({', '.join(memory.tags[:MAX_TAGS])})" if memory.tags else "")
            if rank >= MAX_MEMORIES:
                left_out[memory.id] = "full"
                continue
            is_full = is_full or len(out) + len(section) + len(line) + 3 > BUDGET
            if is_full:
                left_out[memory.id] = "budget"
                continue
            out, section = f"{out}{section}- {line}\n", ""
    return Core(out, left_out)


def link(memory: ScoredMemory) -> str:
    """Return a link to a memory from the root of the tree; the title alone where it has no path."""
    title = memory.title.replace("[", "(").replace("]", ")")
    return f"[{title}]({memory.path.replace(' ', '%20')})" if memory.path else title
