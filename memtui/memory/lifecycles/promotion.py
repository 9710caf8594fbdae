"""How numbers raise a status, in Founder OS and in memtui's own store (S-20, S-25)."""

from __future__ import annotations

GAIN, CONFIRMED_FROM, APPLIED_FROM, APPLIED_TIMES = 0.15, 0.60, 0.80, 3


def reinforced(confidence: float) -> float:
    """Return the confidence after the memory was stated again."""
    return min(1.0, confidence + GAIN)


def confirmed(confidence: float) -> float:
    """Return the confidence after the user confirmed the memory: at least enough for the status confirmed."""
    return max(reinforced(confidence), CONFIRMED_FROM)


def promoted(status: str, confidence: float | None, times_confirmed: int) -> str:
    """Return the status after a confirmation by the user: at least confirmed, applied if it has earned it."""
    if status in ("candidate", "pending"):
        status = "confirmed"
    earned = confidence is not None and round(confidence * 100) >= APPLIED_FROM * 100
    if status == "confirmed" and earned and times_confirmed >= APPLIED_TIMES:
        return "applied"
    return status


def earned(status: str, confidence: float | None, times_confirmed: int) -> str:
    """Return the status that a memory's numbers have earned by themselves, without a person's word.

    >>> earned("candidate", 0.6, 0), earned("candidate", 0.8, 3), earned("confirmed", 0.8, 2)
    ('confirmed', 'applied', 'confirmed')
    >>> earned("dismissed", 1.0, 9)
    'dismissed'
    """
    number = 0 if confidence is None else round(confidence * 100)
    if status == "candidate" and number >= CONFIRMED_FROM * 100:
        status = "confirmed"
    if status == "confirmed" and number >= APPLIED_FROM * 100 and times_confirmed >= APPLIED_TIMES:
        return "applied"
    return status
