"""What an agent's write is to the facts of mem-skill (S-22, S-103)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memtui.formats.contract.incoming import Effect, Incoming
from memtui.formats.mem_skill.schema import INITIAL_CONFIDENCE
from memtui.memory.memory import Memory
from memtui.memory.policies.high_risk import waits_for_a_person
from memtui.values import Fields

HIGH = 0.80  # the confidence from which one contradiction does not end a fact
_PENDING = "pending"
_WORD = re.compile(r"\w+")
_TURNS_AROUND = frozenset(
    "not no never none nobody nothing without except only unless until cannot but instead used was were "
    "formerly previously anymore longer hates dislikes stopped".split()
)


class MemSkillIncoming(Incoming):
    """Another value for a user's key ends the old fact, whose row stays as superseded. A refinement changes
    it in place. The new fact waits for a person instead where the old one is surer, or too sure for one
    contradiction, and where it is one of high risk that is not sure enough."""

    owned_kinds = ("item",)

    def effect_on(self, fields: Fields, there: Sequence[Memory]) -> Effect:
        if _is_risky(fields) or any(_is_risky_memory(each, fields) for each in there):
            return Effect.WAITS
        if len(there) == 1 and refines(str(fields.get("content") or ""), there[0].content):
            return Effect.REPLACES
        confidence = fields.get("confidence")
        own = INITIAL_CONFIDENCE if confidence is None else float(confidence)
        surest = max(each.confidence or 0.0 for each in there)
        return Effect.WAITS if surest >= HIGH or surest > own else Effect.SUPERSEDES

    def beginning(self, fields: Fields) -> tuple[Fields, str]:
        return {}, _PENDING if _is_risky(fields) else ""


def refines(new: str, old: str) -> bool:
    """Return whether a text only adds to another one: it has all of its words, in their order, and none that
    turns what they say around.

    >>> refines("Likes green tea, without sugar.", "Likes tea."), refines("Likes green tea.", "Likes tea.")
    (False, True)
    >>> refines("The port is 9090.", "The port is 8080."), refines("Likes tea.", "☕")
    (False, False)
    """
    words, kept = _WORD.findall(new.casefold()), _WORD.findall(old.casefold())
    rest = iter(words)
    if len(words) <= len(kept) or not kept or not all(word in rest for word in kept):
        return False
    added = list(words)
    for word in kept:
        added.remove(word)
    return not any(word in _TURNS_AROUND or word.endswith("n't") or word.isdigit() for word in added)


def _is_risky(fields: Fields) -> bool:
    key, subject, category = (str(fields.get(name) or "") for name in ("key", "subject", "category"))
    return waits_for_a_person(key, subject, category, fields.get("confidence"))


def _is_risky_memory(memory: Memory, fields: Fields) -> bool:
    """Return whether a fact is one of high risk, which the new one is not sure enough to change."""
    names = memory.key or "", memory.subject or "", memory.category or ""
    return waits_for_a_person(*names, fields.get("confidence"))
