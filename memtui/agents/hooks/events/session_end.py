"""A session ends: decisions, discoveries and open blockers are kept (S-81, S-104)."""

from __future__ import annotations

from memtui.agents.hooks.desk import Desk
from memtui.agents.hooks.event import Event
from memtui.agents.hooks.keeping import keep_at_end


def answer(desk: Desk) -> str:
    """Keep them; nobody is left to be told."""
    keep_at_end(desk)
    return ""


EVENT = Event("session-end", answer, writes=True)
