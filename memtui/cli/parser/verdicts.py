"""The names of verdicts on the command line (S-42)."""

from __future__ import annotations

from memtui.memory.contradictions.pairs import DUPLICATE, FALSE_POSITIVE, VERDICTS

NOT_A_CONTRADICTION, NOT_A_DUPLICATE = "not-a-contradiction", "not-a-duplicate"
NAMES = (*(each for each in VERDICTS if each != FALSE_POSITIVE), NOT_A_CONTRADICTION, NOT_A_DUPLICATE)


def documented(word: str) -> str:
    """Return a verdict's documented name; JSON and former versions name one differently."""
    return NOT_A_CONTRADICTION if word == FALSE_POSITIVE else word


def verdict_of(name: str) -> str:
    """Return the verdict that a name stands for."""
    return FALSE_POSITIVE if name in (NOT_A_CONTRADICTION, NOT_A_DUPLICATE) else name


def name_of(verdict: str, family: str) -> str:
    """Return the name of a verdict on a contradiction or a duplicate."""
    if verdict != FALSE_POSITIVE:
        return verdict
    return NOT_A_DUPLICATE if family == DUPLICATE else NOT_A_CONTRADICTION
