"""What one agent did: how much it wrote and read, how fast it was answered, what of that no longer holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CONTRADICTED, REPLACED, DISMISSED, REMOVED = "contradicted", "replaced", "dismissed", "removed"


@dataclass(frozen=True, slots=True)
class AgentFigures:
    """The calls of an agent, of all time.

    `writes` are entries of the journal, `refusals` what policies and rules refused it, `recalls` its
    questions and lists, of which `answered` gave at least one memory. `p50` and `p95` are seconds, None
    without recalls. The last call was at `last` (Unix seconds; None: none yet), with `tool` in `session`, ""
    where that is not known.
    """

    agent: str
    writes: int = 0
    refusals: int = 0
    recalls: int = 0
    answered: int = 0
    p50: float | None = None
    p95: float | None = None
    last: float | None = None
    tool: str = ""
    session: str = ""

    @property
    def hit_rate(self) -> float | None:
        """How many of its recalls were answered, 0 to 1; None without recalls."""
        return self.answered / self.recalls if self.recalls else None


@dataclass(frozen=True, slots=True)
class AllFigures:
    """The figures of several agents, and of all of them together, which name no agent and no call."""

    agents: Sequence[AgentFigures]
    total: AgentFigures


@dataclass(frozen=True, slots=True)
class Overtaken:
    """A memory that recall gave an agent and that no longer holds: its cause (CONTRADICTED, openly and since;
    REPLACED, DISMISSED, REMOVED), when it was given last (Unix seconds), and the uid of the `other` memory
    that contradicts or replaces it, with its label, where there is one."""

    uid: str
    label: str
    cause: str
    given: float
    other: str = ""
    other_label: str = ""
