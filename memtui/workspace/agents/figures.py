"""How much each agent wrote and read, and how fast it was answered (S-84).

Each statement reads all rows of a log once; models would load them one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.agents.figures import AgentFigures, AllFigures
from memtui.workspace.policies.breaches import REFUSED

if TYPE_CHECKING:
    from memtui.workspace.context import Context

AGENT = "agent:"  # before the name of an agent, where a log has who acted
_OF_AGENTS = f"actor GLOB '{AGENT}*' AND (?1 = '' OR actor = ?1)"
# SQLite takes the columns that are not aggregated from the row with the maximum.
_WRITES = (
    f"SELECT actor, sum(kind <> '{REFUSED}'), sum(kind = '{REFUSED}'), max(at), tool, session "
    f"FROM journal WHERE {_OF_AGENTS} GROUP BY actor"
)
_READS = (
    "SELECT actor, count(*), sum(results <> '[]'), max(at), tool, session "
    f"FROM recall_log WHERE {_OF_AGENTS} GROUP BY actor"
)
_SECONDS = f"SELECT actor, seconds FROM recall_log WHERE {_OF_AGENTS} ORDER BY seconds"


def figures(ctx: Context, agent: str = "") -> AllFigures:
    """Return the figures of every agent that ever called, by name, and of all together; of one `agent` alone,
    if one is named."""
    only = (f"{AGENT}{agent}" if agent else "",)
    found: dict[str, AgentFigures] = {}
    for actor, writes, refusals, *call in ctx.db.rows(_WRITES, only):
        name = actor.removeprefix(AGENT)
        found[name] = _later(AgentFigures(name, writes, refusals), *call)
    for actor, recalls, answered, *call in ctx.db.rows(_READS, only):
        name = actor.removeprefix(AGENT)
        known = found.get(name, AgentFigures(name))
        found[name] = _later(replace(known, recalls=recalls, answered=answered), *call)
    seconds = ctx.db.rows(_SECONDS, only)
    by_agent: dict[str, list[float]] = {}
    for actor, each in seconds:
        by_agent.setdefault(actor.removeprefix(AGENT), []).append(each)
    agents = [_timed(found[name], by_agent.get(name, ())) for name in sorted(found)]
    return AllFigures(agents, _timed(_together(agents), [each for _, each in seconds]))


def _later(known: AgentFigures, at: float, tool: str, session: str) -> AgentFigures:
    """Return the figures with a call, if it is the last that is known."""
    if known.last is not None and known.last >= at:
        return known
    return replace(known, last=at, tool=tool, session=session)


def _together(agents: Sequence[AgentFigures]) -> AgentFigures:
    return AgentFigures(
        "",
        sum(each.writes for each in agents),
        sum(each.refusals for each in agents),
        sum(each.recalls for each in agents),
        sum(each.answered for each in agents),
        last=max((each.last for each in agents if each.last is not None), default=None),
    )


def _timed(known: AgentFigures, ordered: Sequence[float]) -> AgentFigures:
    """Return the figures with the seconds that half and 95 % of the recalls took at most."""
    if not ordered:
        return known
    return replace(known, p50=_rank(ordered, 50), p95=_rank(ordered, 95))


def _rank(ordered: Sequence[float], percent: int) -> float:
    """Return the smallest of the ordered values that so many percent of them do not exceed."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]
