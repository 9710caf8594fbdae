"""What an agent's write is to the memories of Founder OS (S-20, S-100)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.formats.contract.incoming import Effect, Incoming
from memtui.memory.lifecycles.promotion import earned
from memtui.memory.memory import Memory
from memtui.values import Fields

_DETECTED = "pattern-detection"  # the plugin whose memories nobody has stated
_STATED_CONFIDENCE, _DETECTED_CONFIDENCE = 0.5, 0.2


class FounderOsIncoming(Incoming):
    """A key has one row, which all plugins share: stored again, it takes the new text and becomes surer. What
    has earned it is promoted with every write, whoever wrote it."""

    shared_keys = True
    waiting = ("pending",)
    promotes = True

    def effect_on(self, fields: Fields, there: Sequence[Memory]) -> Effect:
        return Effect.REPLACES

    def beginning(self, fields: Fields) -> tuple[Fields, str]:
        is_detected = fields.get("source_ref") == _DETECTED
        confidence = fields.get("confidence")
        if confidence is None:
            confidence = _DETECTED_CONFIDENCE if is_detected else _STATED_CONFIDENCE
        return {"confidence": confidence}, self.promoted("candidate", confidence, 0)

    def promoted(self, status: str, confidence: float | None, times_confirmed: int) -> str:
        return earned(status, confidence, times_confirmed)
