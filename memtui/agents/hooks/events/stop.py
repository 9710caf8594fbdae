"""The agent has answered: what it says that it decided or discovered is kept (S-81)."""

from __future__ import annotations

from memtui.agents.hooks.desk import Desk
from memtui.agents.hooks.event import Event
from memtui.agents.hooks.keeping import keep_so_far


def answer(desk: Desk) -> str:
    """Keep it; the agent is told nothing."""
    keep_so_far(desk)
    return ""


EVENT = Event("stop", answer, writes=True)
