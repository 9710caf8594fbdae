"""What agents did, as JSON (S-82)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.agents.figures import AgentFigures, Overtaken
from memtui.memory.encoding import iso
from memtui.values import JsonObject


def figures_as_json(figures: AgentFigures) -> JsonObject:
    """Return figures; "hit_rate" is 0 to 1, "p50_ms" and "p95_ms" are how long recalls took, null without
    recalls."""
    return {
        "writes": figures.writes,
        "refusals": figures.refusals,
        "recalls": figures.recalls,
        "answered": figures.answered,
        "hit_rate": None if figures.hit_rate is None else round(figures.hit_rate, 4),
        "p50_ms": _milliseconds(figures.p50),
        "p95_ms": _milliseconds(figures.p95),
    }


def agent_as_json(figures: AgentFigures) -> JsonObject:
    """Return the figures of one agent, with its last call."""
    last = None if figures.last is None else iso(figures.last)
    call = {"last_call": last, "tool": figures.tool, "session": figures.session}
    return {"agent": figures.agent, **figures_as_json(figures), **call}


def overtaken_as_json(found: Sequence[Overtaken]) -> list[JsonObject]:
    """Return what recall gave an agent and no longer holds; "why" is contradicted, replaced, dismissed or
    removed, "other" the uid of the memory that contradicts or replaces it, or null."""
    return [
        {
            "uid": each.uid,
            "label": each.label,
            "why": each.cause,
            "given_at": iso(each.given),
            "other": each.other or None,
        }
        for each in found
    ]


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 2)
