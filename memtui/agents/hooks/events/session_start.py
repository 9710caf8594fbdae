"""A session starts: what is known about the project, and how the person wants things done (S-81, S-104)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.agents.hooks import notes, wording
from memtui.agents.hooks.block import block, blocks
from memtui.agents.hooks.desk import MOST, Desk
from memtui.agents.hooks.event import Event
from memtui.workspace.search.recall import DEFAULT_STATUSES

if TYPE_CHECKING:
    from memtui.memory.memory import Memory

_PREFERENCE = "preference"
_SURE = 0.7  # the least confidence of a preference that counts as stable


def answer(desk: Desk) -> str:
    """Return what the agent needs to begin."""
    notes.forget_old(desk.folder, desk.opened.now())
    relevant = desk.answers(desk.project, subject=desk.project) if desk.project else []
    told = {each.uid for each in relevant}
    preferences = [each for each in _preferences(desk) if each.uid not in told]
    return blocks(
        block(wording.RELEVANT, relevant, desk.opposed),
        block(wording.PREFERENCES, preferences[:MOST], desk.opposed),
    )


def _preferences(desk: Desk) -> list[Memory]:
    """Return the stable preferences, the surest first."""
    found = [
        each
        for each in desk.of_category(_PREFERENCE, 4 * MOST)
        if each.status in DEFAULT_STATUSES
        and (each.pinned or each.confidence is None or each.confidence >= _SURE)
    ]
    return sorted(found, key=lambda each: (not each.pinned, -(each.confidence or 0.0)))


EVENT = Event("session-start", answer, late=True)
