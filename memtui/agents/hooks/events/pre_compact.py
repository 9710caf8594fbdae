"""The conversation is to be shortened: what was decided and discovered in it is kept first (S-81)."""

from __future__ import annotations

from memtui.agents.hooks.desk import Desk
from memtui.agents.hooks.event import Event
from memtui.agents.hooks.keeping import keep_so_far


def answer(desk: Desk) -> str:
    """Keep it; the agent is told nothing."""
    keep_so_far(desk)
    return ""


EVENT = Event("pre-compact", answer, writes=True)
