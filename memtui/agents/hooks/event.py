"""What an event of a session is to memtui: the contract of the files in `events/` (FORMATS 13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.agents.hooks.desk import Desk


@dataclass(frozen=True, slots=True)
class Event:
    """An event: its name on the command line (one of NAMES), and what answers it: a function that returns
    what the agent is to know, "" for nothing.

    `writes` says that it may change memories: it is then seen through even if nobody waits for the answer.
    `late` says that the answer is worth telling at a later event of the session.
    """

    name: str
    answer: Callable[[Desk], str]
    writes: bool = False
    late: bool = False
