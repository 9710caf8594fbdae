"""Every sentence of `memtui stats` about what agents did."""

from __future__ import annotations

from memtui.memory.agents.figures import AgentFigures
from memtui.memory.agents.wording import NO_CALLS, OVERTAKEN, answered, overtaken_count, short, times
from memtui.memory.wording import call

ALL = "all"
__all__ = ["ALL", "OVERTAKEN", "agent", "rows"]


def agent(figures: AgentFigures, overtaken: int) -> str:
    """Return the figures on one line; `overtaken` is how much of what it was given no longer holds."""
    hits = "" if figures.hit_rate is None else f"{figures.hit_rate:.0%} answered"
    given = overtaken_count(overtaken) if overtaken else ""
    return ", ".join(part for part in (short(figures), hits, times(figures), given) if part)


def rows(figures: AgentFigures, last: str) -> list[tuple[str, str]]:
    """Return the figures of one agent, a line each; `last` is when it called last, "" for never."""
    found = [
        ("agent", figures.agent),
        ("writes", f"{figures.writes:,}"),
        ("refusals", f"{figures.refusals:,}"),
        ("recalls", f"{figures.recalls:,}"),
        ("answered", answered(figures)),
        ("time", times(figures)),
        ("last call", f"{last} {call(figures.tool, figures.session)}".rstrip() if last else NO_CALLS),
    ]
    return [(name, value) for name, value in found if value]
