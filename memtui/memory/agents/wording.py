"""Every sentence about what an agent did, on the screen and on the command line."""

from __future__ import annotations

from memtui.memory.agents.figures import (
    CONTRADICTED,
    DISMISSED,
    REMOVED,
    REPLACED,
    AgentFigures,
)
from memtui.memory.wording import call
from memtui.text import counted

OVERTAKEN = {
    CONTRADICTED: "contradicted since",
    REPLACED: "replaced since",
    DISMISSED: "dismissed since",
    REMOVED: "removed since",
}
NO_CALLS = "no calls yet"


def answered(figures: AgentFigures) -> str:
    """Return how many of the recalls were answered: 36 of 40 (90%)."""
    if figures.hit_rate is None:
        return ""
    return f"{figures.answered:,} of {figures.recalls:,} ({figures.hit_rate:.0%})"


def times(figures: AgentFigures) -> str:
    """Return how long recalls took: p50 11 ms, p95 24 ms."""
    if figures.p50 is None or figures.p95 is None:
        return ""
    return f"p50 {milliseconds(figures.p50)}, p95 {milliseconds(figures.p95)}"


def milliseconds(seconds: float) -> str:
    shown = seconds * 1000
    return f"{shown:.1f} ms" if shown < 10 else f"{shown:,.0f} ms"


def last_call(figures: AgentFigures, when: str) -> str:
    """Return when an agent called last, and what: 2 h ago by memory_recall, session 3f2a91c0…"""
    return f"{when} {call(figures.tool, figures.session)}".strip() if when else NO_CALLS


def short(figures: AgentFigures) -> str:
    """Return the figures on one line: 12 writes, 1 refusal, 40 recalls."""
    refusals = counted(figures.refusals, "refusal") if figures.refusals else ""
    parts = (counted(figures.writes, "write"), refusals, counted(figures.recalls, "recall"))
    return ", ".join(part for part in parts if part)


def overtaken_count(count: int) -> str:
    return f"{counted(count, 'memory')} given that no longer hold{'s' if count == 1 else ''}"
