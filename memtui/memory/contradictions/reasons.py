"""Why two memories were found together, in one sentence: made here of what the detectors found, and nowhere
else."""

from __future__ import annotations

from memtui.memory.contradictions.pairs import EXACT, NEAR, ClauseConflict, Judgement

_MOST = 90  # characters of a sentence that is quoted
_SAME_WORDS = 0.995  # from here on, a share would be told as all of them


def conflict_reason(clash: ClauseConflict) -> str:
    """Why two memories cannot both be right: what the two say, and what differs."""
    a, b = (each.strip().rstrip(".;,") for each in clash.clauses)
    one, two = (each.strip() for each in clash.words)
    said = f"“{_short(a)}” or “{_short(b)}”" if a and b else ""
    values = f"{one} or {two}" if one and two else said
    if clash.kind == "mark":
        return f"Its store says that they contradict each other: {said}." if said else clash.reason
    if clash.kind == "polarity" and said:
        return f"One statement negates the other: {said}."
    if clash.kind == "change" and said:
        return f"One of them may be of an earlier time: {said}."
    if clash.kind in ("key", "validity") or not values:
        return clash.reason
    if clash.kind == "opposite":
        return f"These are opposites: {values}."
    if clash.topic:
        return f"Two values for “{clash.topic}”: {values}."
    return f"Conflicting values: {values}." if clash.kind in ("number", "value", "class") else clash.reason


def duplicate_reason(judgement: Judgement) -> str:
    """How far two memories say the same."""
    if judgement.duplicate_kind == EXACT:
        return "Both say the same, word for word."
    if judgement.overlap >= _SAME_WORDS:
        share = "They use the same words"
    else:
        share = f"{judgement.overlap:.0%} of their words are the same"
    if judgement.duplicate_kind == NEAR:
        return f"{share}, and nothing in one speaks against the other."
    return f"{share}, but each may say something that the other does not."


def _short(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[: _MOST - 1].rstrip()}…"
