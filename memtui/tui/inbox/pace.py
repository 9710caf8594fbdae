"""How fast the person decides, and how long the rest will take (S-52)."""

from __future__ import annotations

from itertools import pairwise

from memtui.memory.inbox.listing import Key

USUAL = 6.0  # seconds a decision, until some were made
SHORTEST, LONGEST = 1.0, 120.0  # a longer pause was spent on something else
FROM = 3  # decisions from which on their own pace counts
LAST = 20  # decisions that count


class Pace:
    """The decisions of this session, by item; one that is undone is none."""

    def __init__(self) -> None:
        self._decided: dict[Key, float] = {}

    def decided(self, key: Key, at: float) -> None:
        """Note a decision, at a monotonic time in seconds."""
        self._decided.pop(key, None)
        self._decided[key] = at

    def undone(self, key: Key) -> None:
        """Forget a decision: its item is there again."""
        self._decided.pop(key, None)

    @property
    def keys(self) -> list[Key]:
        """The items that were decided on."""
        return list(self._decided)

    @property
    def seconds(self) -> float:
        """How long a decision takes, in seconds."""
        times = sorted(set(self._decided.values()))[-LAST - 1 :]  # all of a bulk verb are one decision
        pauses = [min(max(b - a, SHORTEST), LONGEST) for a, b in pairwise(times)]
        return sum(pauses) / len(pauses) if len(pauses) >= FROM else USUAL
