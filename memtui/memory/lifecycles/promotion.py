"""How numbers raise a status where they do: Founder OS, and memtui's own stores (S-20, S-25)."""

from __future__ import annotations

GAIN, CONFIRMED_FROM, APPLIED_FROM, APPLIED_TIMES = 0.15, 0.60, 0.80, 3


def gained(confidence: float) -> float:
    """What it makes of a confidence that a memory is said again."""
    return min(1.0, confidence + GAIN)


def assured(confidence: float) -> float:
    """What a person's word makes of it: at least enough for confirmed."""
    return max(gained(confidence), CONFIRMED_FROM)


def promoted(status: str, confidence: float | None, times_confirmed: int) -> str:
    """The status after a person's word: at least confirmed, applied where it has earned that."""
    if status in ("candidate", "pending"):
        status = "confirmed"
    earned = confidence is not None and round(confidence * 100) >= APPLIED_FROM * 100
    if status == "confirmed" and earned and times_confirmed >= APPLIED_TIMES:
        return "applied"
    return status
