"""The person says something: the memories that answer it (S-104: Founder OS, step 0b)."""

from __future__ import annotations

from memtui.agents.hooks import wording
from memtui.agents.hooks.block import block
from memtui.agents.hooks.desk import Desk
from memtui.agents.hooks.event import Event


def answer(desk: Desk) -> str:
    """Return what is known about the prompt."""
    prompt = desk.payload.text("prompt").strip()
    return block(wording.RELEVANT, desk.answers(prompt), desk.contradicted) if prompt else ""


EVENT = Event("user-prompt-submit", answer, late=True)
