"""What the user's confirmation does to a memory's numbers (SPEC section 7, S-20 … S-25)."""

from __future__ import annotations

from memtui.memory import lifecycles
from memtui.memory.lifecycles.promotion import CONFIRMED_FROM, earned, promoted
from memtui.memory.memory import Memory
from memtui.values import Fields


def confirmed(memory: Memory, now: float, lifecycle: str = "memtui") -> Fields:
    """Return the fields that change when the user confirms `memory` at `now` (Unix seconds).

    Confidence as the store's lifecycle reinforces it (Founder OS: max(c + 15, 60) of 100),
    confirmations + 1, then promotion; where the format has no confidence, the confirmation alone.
    """
    rules = lifecycles.by_name(lifecycle)
    times = memory.times_confirmed + 1
    out: Fields = {"times_confirmed": times, "last_confirmed_at": now}
    confidence = memory.confidence
    if confidence is not None:
        confidence = round(rules.confirmed(confidence), 4)
        out["confidence"] = confidence
    out["status"] = promoted(memory.status, confidence if rules.promotes else None, times)
    return {name: value for name, value in out.items() if getattr(memory, name) != value}


def stated_again(memory: Memory, now: float, lifecycle: str = "memtui") -> Fields:
    """Return the fields that change when an agent states `memory` again at `now` (Unix seconds): its word
    makes the memory surer, and raises the status only as far as the numbers alone do."""
    rules = lifecycles.by_name(lifecycle)
    times = memory.times_confirmed + 1
    out: Fields = {"times_confirmed": times, "last_confirmed_at": now}
    if memory.confidence is not None:
        out["confidence"] = round(rules.reinforced(memory.confidence), 4)
    if rules.promotes:
        out["status"] = earned(memory.status, out.get("confidence"), times)
    return {name: value for name, value in out.items() if getattr(memory, name) != value}


def status_by_numbers(confidence: float | None, times_confirmed: int) -> str:
    """Return the status by the numbers alone, for a restored memory whose former status is unknown."""
    if confidence is not None and confidence < CONFIRMED_FROM:
        return "candidate"
    return promoted("confirmed", confidence, times_confirmed)
