"""CORE.md: the memories with the best scores, which agents load at session start (FORMATS 5)."""

from __future__ import annotations

from collections.abc import Sequence

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


def render(memories: Sequence[ScoredMemory], day: str) -> str:
    """Return the text of the file; `memories` are ordered by score, `day` is in the form YYYY-MM-DD."""
    active = [each for each in memories if each.score >= MIN_SCORE]
    counts = f"Active memories: {len(active)}/{len(memories)}"
    out = "# Memory Core (auto-generated)\n"
    out += f"> Last updated: {day} | {counts} | Next refresh: daily (systemd timer)\n"
    for title, types in SECTIONS:
        section = f"\n## {title}\n"
        for memory in [each for each in active if each.type in types][:MAX_MEMORIES]:
            line = link(memory) + (f" ({', '.join(memory.tags[:MAX_TAGS])})" if memory.tags else "")
            if len(out) + len(section) + len(line) + 3 > BUDGET:
                return out
            out, section = f"{out}{section}- {line}\n", ""
    return out


def link(memory: ScoredMemory) -> str:
    """Return a link to a memory from the root of the tree; the title alone where it has no path."""
    title = memory.title.replace("[", "(").replace("]", ")")
    return f"[{title}]({memory.path.replace(' ', '%20')})" if memory.path else title
