"""What became of what an agent wrote (S-85)."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.results import Change

ADDED, PENDING, KNOWN, REPLACED = "added", "pending", "known", "replaced"


@dataclass(frozen=True, slots=True)
class Remembered:
    """What was done with one write: added, added but pending until a person confirms it, known already, or
    replaced, where it is the new text of the memory of its key.

    `id` is the row of the memory that now says it. `other` is the uid of one that it contradicts or repeats,
    `family` which of both, and `reason` says it as a sentence; all are "" if there is none that the agent may
    read. `left` are the memories that left for it, over a limit.
    """

    outcome: str
    change: Change
    id: int
    other: str = ""
    family: str = ""
    reason: str = ""
    left: tuple[int, ...] = ()
