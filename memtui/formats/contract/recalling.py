"""How a format's own programs give its memories to agents, as far as it differs from memtui's (S-34)."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.ranking import RecallWeights


@dataclass(frozen=True, slots=True)
class Recalling:
    """What holds for the memories of one format when agents recall.

    Agents are given them in the statuses `also`, besides confirmed and applied. Of candidates by words, and
    of those by meaning, at most the best `depth` are taken; 0 is no limit. Among themselves they are ranked
    by `weights`, where the format has its own.
    """

    also: tuple[str, ...] = ()
    depth: int = 0
    weights: RecallWeights | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """The question for which memories of a store were given to an agent, without secrets.

    `agent` is "" for a person; `strategy` is keyword, semantic or hybrid; `run` is the agent's session, "" if
    it is not known.
    """

    text: str
    agent: str = ""
    strategy: str = "keyword"
    run: str = ""
