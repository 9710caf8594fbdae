"""What a person's word does to a memory's numbers (SPEC section 7, S-20, S-25)."""

from __future__ import annotations

from typing import Any

from memtui.memory.records import Memory

GAIN, CONFIRMED_FROM, APPLIED_FROM, APPLIED_TIMES = 0.15, 0.60, 0.80, 3


def confirmed(memory: Memory, now: float) -> dict[str, Any]:
    """The fields that change when a person confirms `memory` at `now` (Unix seconds).

    Confidence max(c + 15, 60) of 100, confirmations + 1, then promotion; where the format
    has no confidence, the confirmation alone.
    """
    times = memory.times_confirmed + 1
    out: dict[str, Any] = {"times_confirmed": times, "last_confirmed_at": now}
    confidence = memory.confidence
    if confidence is not None:
        confidence = round(min(1.0, max(confidence + GAIN, CONFIRMED_FROM)), 4)
        out["confidence"] = confidence
    out["status"] = promoted(memory.status, confidence, times)
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
