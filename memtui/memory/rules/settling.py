"""Which of two memories that contradict each other stays by a rule, and which pairs no rule settles
(S-43, S-60)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memtui.memory.contradictions.pairs import Pair
from memtui.memory.contradictions.recency import Evidence, find_newer, stated_at
from memtui.memory.contradictions.suggestions import sensitive_subject
from memtui.memory.memory import Memory
from memtui.memory.policies.high_risk import waits_for_a_person
from memtui.memory.rules.rule import CONFIDENCE, NEWER, OF_STORE
from memtui.memory.secrets import contains_secret

_ABOUT_SECRETS = re.compile(
    r"(?:^|_)(?:password|passphrase|passcode|secret|token|credential|(?:api|access|private|ssh)_?key)s?(?:_|$)"
)
_SAME = 1e-9  # confidences that differ by less are equal


@dataclass(frozen=True, slots=True)
class Side:
    """One memory of a pair; `edited_at` is when its text was last changed as far as known, in Unix seconds,
    0 if never."""

    memory: Memory
    edited_at: float = 0.0

    @property
    def at(self) -> float:
        """When what it says now was stated; 0 if unknown."""
        return max(stated_at(self.memory), self.edited_at)


def winner(how: str, pair: Pair, a: Side, b: Side) -> int | None:
    """Return which memory stays, 0 for A and 1 for B; None for a tie. `how` is the value of the action."""
    if how == NEWER:
        return _newer(pair, a, b)
    if how == CONFIDENCE:
        one, other = a.memory.confidence, b.memory.confidence
        if one is None or other is None or abs(one - other) < _SAME:
            return None
        return int(other > one)
    is_a, is_b = (is_named(how.removeprefix(OF_STORE), each.memory.store) for each in (a, b))
    return None if is_a == is_b else int(is_b)


def is_named(name: str, store: str) -> bool:
    """Return whether a store has this name, in any case; the last part of its name is enough."""
    full = store.casefold()
    return name.casefold() in (full, full.rpartition(":")[2])


def _newer(pair: Pair, a: Side, b: Side) -> int | None:
    """Return the one that was stated later, unless the texts tell that the other one is the newer."""
    if not a.at or not b.at or a.at == b.at:
        return None
    newer = int(b.at > a.at)
    told = find_newer(pair, a.memory, b.memory)
    if told is not None and told.evidence in (Evidence.CHANGE, Evidence.DATE) and told.is_b != bool(newer):
        return None
    return newer


def is_high_risk(memory: Memory) -> bool:
    """Return whether a person alone decides what contradicts this: it is about somebody's identity, health or
    money, or about a secret."""
    names = f"{memory.category or ''} {memory.key or ''} {memory.subject or ''}".casefold()
    return bool(
        sensitive_subject(memory)
        or waits_for_a_person(memory.key or "", memory.subject or "", memory.category or "", None)
        or _ABOUT_SECRETS.search(re.sub(r"[^a-z]+", "_", names))
        or any(contains_secret(text) for text in (memory.title, memory.content) if text)
    )
