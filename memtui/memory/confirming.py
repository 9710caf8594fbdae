"""What a person's word does to a memory's numbers (SPEC section 7, S-20 … S-25)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memtui.memory.records import Memory

GAIN, CONFIRMED_FROM, APPLIED_FROM, APPLIED_TIMES = 0.15, 0.60, 0.80, 3


def _promoting(confidence: float) -> float:
    return min(1.0, max(confidence + GAIN, CONFIRMED_FROM))


# How sure a memory is once it was confirmed, by lifecycle; `cognitive` has no rule for it.
REINFORCED: dict[str, Callable[[float], float]] = {
    "founder-os": _promoting,
    "memtui": _promoting,
    "minions": lambda confidence: max(confidence, min(0.95, confidence + 0.1)),
    "mem-skill": lambda confidence: confidence + 0.25 * (1 - confidence),
    "base-coat": lambda confidence: min(1.0, confidence + 0.1),
}


def confirmed(memory: Memory, now: float, lifecycle: str = "memtui") -> dict[str, Any]:
    """The fields that change when a person confirms `memory` at `now` (Unix seconds).

    Confidence as the store's lifecycle reinforces it (Founder OS: max(c + 15, 60) of 100),
    confirmations + 1, then promotion; where the format has no confidence, the confirmation alone.
    """
    times = memory.times_confirmed + 1
    out: dict[str, Any] = {"times_confirmed": times, "last_confirmed_at": now}
    confidence = memory.confidence
    if confidence is not None and lifecycle in REINFORCED:
        confidence = round(REINFORCED[lifecycle](confidence), 4)
        out["confidence"] = confidence
    promotes = lifecycle in ("founder-os", "memtui")
    out["status"] = promoted(memory.status, confidence if promotes else None, times)
    return {name: value for name, value in out.items() if getattr(memory, name) != value}


def promoted(status: str, confidence: float | None, times_confirmed: int) -> str:
    """The status after a person's word: at least confirmed, applied where it has earned that."""
    if status in ("candidate", "pending"):
        status = "confirmed"
    earned = confidence is not None and round(confidence * 100) >= APPLIED_FROM * 100
    if status == "confirmed" and earned and times_confirmed >= APPLIED_TIMES:
        return "applied"
    return status


def standing(confidence: float | None, times_confirmed: int) -> str:
    """The status that the numbers alone give: for a restored memory whose former one is unknown."""
    if confidence is not None and confidence < CONFIRMED_FROM:
        return "candidate"
    return promoted("confirmed", confidence, times_confirmed)
