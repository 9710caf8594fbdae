"""What memtui would say of a pair, and why in one sentence; never done by itself (S-21, S-43)."""

from __future__ import annotations

import re

from memtui.memory.contradictions.pairs import DUPLICATE, EXACT, KEEP_A, KEEP_B, MERGE, NEAR, Pair, Suggestion
from memtui.memory.contradictions.recency import By, Recency, newer, said_at
from memtui.memory.memory import Memory
from memtui.text import counted

DAY = 86_400.0
NEWER = 7 * DAY  # seconds by which one must be newer
GAP = 0.3  # of confidence
_HIGH_RISK = {"identity": "who somebody is", "health": "health", "finance": "money"}
# Keys and categories that are high risk, whatever their store calls them.
_RISKY = {
    "identity": r"identity|(legal|full|real)_?name|birth_?(day|date)|passport|ssn|nationality",
    "health": r"health|medical|allerg\w*|diagnos\w*|medication\w*|blood_?type|disab\w*|disease\w*|illness\w*",
    "finance": r"financ\w*|bank\w*|iban|account_number|salary|income|tax|taxes|credit_?card|debt|payment\w*",
}
_PERSONS = ("user", "person", "human")


def risk(memory: Memory) -> str:
    """What of a person's life a memory is about that nothing may be suggested for; "" for the rest."""
    said = re.sub(r"[^a-z]+", "_", f"{memory.category or ''} {memory.key or ''}".casefold())
    for name, pattern in _RISKY.items():
        if re.search(rf"(?:^|_)(?:{pattern})(?:_|$)", said):
            return _HIGH_RISK[name]
    return ""


def suggested(
    pair: Pair,
    a: Memory,
    b: Memory,
    by_person: tuple[bool, bool] = (False, False),
    seen: tuple[float, float] = (0.0, 0.0),
) -> tuple[Suggestion | None, str]:
    """A suggestion, or None and why there is none. `by_person`: a person wrote or confirmed A, and B; `seen`:
    the Unix seconds at which memtui first saw them."""
    about = risk(a) or risk(b)
    if about:
        return None, f"It is about {about}: only a person decides that."
    if pair.family == DUPLICATE:
        return _duplicate(pair, a, b)
    later = newer(pair, a, b, seen)
    for found in (
        _pinned(a, b),
        _persons(a, b, by_person),
        _changed(pair, a, b, later),
        _newer(a, b),
        _surer(a, b),
    ):
        if found is not None:
            return found, ""
    return None, _undecided(a, b, later)


def better_duplicate(a: Memory, b: Memory) -> int:
    """Which of two that say the same is the better one: 0 or 1."""
    return 1 if _worth(b) > _worth(a) else 0


def _duplicate(pair: Pair, a: Memory, b: Memory) -> tuple[Suggestion | None, str]:
    if pair.kind not in (EXACT, NEAR):
        return None, "They may say the same, or not: read both."
    better = "AB"[better_duplicate(a, b)]
    said = "word for word" if pair.kind == EXACT else "almost word for word"
    first = _first(a, b)
    why = f", and {better} {first}" if first else ""
    return Suggestion(MERGE if better == "A" else KEEP_B, f"They say the same {said}{why}."), ""


def _first(a: Memory, b: Memory) -> str:
    """In what one of two that say the same is ahead; "" where in nothing."""
    if a.pinned != b.pinned:
        return "is pinned"
    if _uses(a) != _uses(b):
        return "is used more"
    if a.created_at == b.created_at:
        return ""
    return "is older" if a.created_at and b.created_at else "alone is dated"


def _worth(memory: Memory) -> tuple[bool, int, float]:
    return memory.pinned, _uses(memory), -(memory.created_at or float("inf"))


def _uses(memory: Memory) -> int:
    return memory.times_used + memory.times_confirmed


def _pinned(a: Memory, b: Memory) -> Suggestion | None:
    return _one(a.pinned, b.pinned, "{} is pinned.")


def _persons(a: Memory, b: Memory, by_person: tuple[bool, bool]) -> Suggestion | None:
    said = [
        known or (memory.source_type or "").casefold() in _PERSONS
        for memory, known in ((a, by_person[0]), (b, by_person[1]))
    ]
    return _one(said[0], said[1], "{} is a person's word.")


def _changed(pair: Pair, a: Memory, b: Memory, later: Recency | None) -> Suggestion | None:
    """Of what changed the newer is so now."""
    if later is None or not later.tells or (pair.kind != "change" and later.by is By.TIME):
        return None
    name, verdict = ("B", KEEP_B) if later.second else ("A", KEEP_A)
    why = {
        By.WORD: f"{name} tells of the change (“{later.phrase[:40]}”).",
        By.DATE: f"{name} names the later date.",
        By.TIME: f"It changed over time, and {name} is newer{_days(a, b)}.",
    }
    return Suggestion(verdict, why[later.by])


def _undecided(a: Memory, b: Memory, later: Recency | None) -> str:
    """Why nothing is suggested, and what may be known all the same."""
    known = []
    if later is not None and later.tells:
        known.append(f"{'B' if later.second else 'A'} is newer{_days(a, b)}")
    if a.confidence is not None and b.confidence is not None and round(a.confidence - b.confidence, 2):
        surer = "A" if a.confidence > b.confidence else "B"
        known.append(f"{surer} is surer by {abs(a.confidence - b.confidence):.2f}")
    if known:
        return f"{' and '.join(known)}: too little to suggest one."
    if later is None:
        return "Neither is pinned, newer or surer."
    name = "B" if later.second else "A"
    if later.by is By.SEEN:
        return f"Neither is dated; memtui saw {name} later, which alone decides nothing."
    return f"Neither is dated; {name} stands further down, which alone decides nothing."


def _newer(a: Memory, b: Memory) -> Suggestion | None:
    """Newer by a week, and reinforced more recently."""
    if not said_at(a) or not said_at(b) or abs(said_at(a) - said_at(b)) < NEWER:
        return None
    newer, older = (a, b) if said_at(a) > said_at(b) else (b, a)
    if _reinforced(newer) <= _reinforced(older):
        return None
    reason = f"Newer{_days(a, b)}, and confirmed more recently."
    return Suggestion(KEEP_A if newer is a else KEEP_B, reason)


def _surer(a: Memory, b: Memory) -> Suggestion | None:
    if a.confidence is None or b.confidence is None or abs(a.confidence - b.confidence) <= GAP + 1e-9:
        return None
    high, low = sorted((a.confidence, b.confidence), reverse=True)
    reason = f"Held for much surer: {high:.2f} against {low:.2f}."
    return Suggestion(KEEP_A if a.confidence > b.confidence else KEEP_B, reason)


def _one(a: bool, b: bool, reason: str) -> Suggestion | None:
    if a == b:
        return None
    return Suggestion(KEEP_A if a else KEEP_B, reason.format("A" if a else "B"))


def _reinforced(memory: Memory) -> float:
    return memory.last_confirmed_at or memory.updated_at or memory.created_at or 0.0


def _days(a: Memory, b: Memory) -> str:
    days = int(abs(said_at(a) - said_at(b)) // DAY)
    return f" by {counted(days, 'day')}" if days else ""
