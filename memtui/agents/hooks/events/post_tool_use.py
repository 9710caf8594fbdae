"""A tool has run: a change, a success that shows what fixed a failure, or a failure that some programs report
here (S-81)."""

from __future__ import annotations

from memtui.agents.hooks import error_kb
from memtui.agents.hooks.desk import Desk
from memtui.agents.hooks.event import Event
from memtui.agents.hooks.failures import failure_of


def answer(desk: Desk) -> str:
    """Return the known fix of a failure."""
    if failure_of(desk.payload) is not None:
        return error_kb.note_failure(desk)
    error_kb.note_success(desk)
    return ""


EVENT = Event("post-tool-use", answer, writes=True, late=True)
