"""A session starts: what is known about the project, and how the person wants things done (S-81, S-104)."""

from __future__ import annotations

from collections.abc import Sequence
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

    def choose(found: Sequence[Memory]) -> list[Memory]:
        new = [each for each in found if each.uid not in told and _is_stable(each)]
        return sorted(new, key=lambda each: (not each.pinned, -(each.confidence or 0.0)))[:MOST]

    preferences = desk.of_category(_PREFERENCE, 4 * MOST, choose)
    return blocks(
        block(wording.RELEVANT, relevant, desk.opposed),
        block(wording.PREFERENCES, preferences, desk.opposed),
    )


def _is_stable(preference: Memory) -> bool:
    is_sure = preference.pinned or preference.confidence is None or preference.confidence >= _SURE
    return is_sure and preference.status in DEFAULT_STATUSES


EVENT = Event("session-start", answer, late=True)
