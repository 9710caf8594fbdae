"""Which verdict to suggest on a pair, and why; never carried out automatically (S-21, S-43)."""

from __future__ import annotations

import re

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.pairs import DUPLICATE, EXACT, KEEP_A, KEEP_B, MERGE, NEAR, Pair, Suggestion
from memtui.memory.contradictions.recency import Evidence, Recency, find_newer, stated_at
from memtui.memory.memory import Memory

DAY = 86_400.0
MIN_AGE_DIFFERENCE = 7 * DAY  # seconds by which one memory must be newer
MIN_CONFIDENCE_DIFFERENCE = 0.3
# Keys and categories on which nothing is suggested, under any of the names that stores use.
_SENSITIVE = {
    wording.IDENTITY: r"identity|(legal|full|real)_?name|birth_?(day|date)|passport|ssn|nationality",
    wording.HEALTH: (
        r"health|medical|allerg\w*|diagnos\w*|medication\w*|blood_?type|disab\w*|disease\w*|illness\w*"
    ),
    wording.FINANCE: (
        r"financ\w*|bank\w*|iban|account_number|salary|income|tax|taxes|credit_?card|debt|payment\w*"
    ),
}
_USER_SOURCES = ("user", "person", "human")


def sensitive_subject(memory: Memory) -> str:
    """Return the sensitive subject that a memory is about by its category and key, or ""."""
    names = re.sub(r"[^a-z]+", "_", f"{memory.category or ''} {memory.key or ''}".casefold())
    for subject, pattern in _SENSITIVE.items():
        if re.search(rf"(?:^|_)(?:{pattern})(?:_|$)", names):
            return subject
    return ""


def suggest(
    pair: Pair,
    a: Memory,
    b: Memory,
    by_user: tuple[bool, bool] = (False, False),
    first_seen: tuple[float, float] = (0.0, 0.0),
) -> tuple[Suggestion | None, str]:
    """Return a suggestion, or None and why there is none.

    `by_user`: whether the user wrote or confirmed A, and B. `first_seen` holds the Unix seconds at which
    memtui first read them.
    """
    subject = sensitive_subject(a) or sensitive_subject(b)
    if subject:
        return None, wording.sensitive(subject)
    if pair.family == DUPLICATE:
        return _for_duplicate(pair, a, b)
    newer = find_newer(pair, a, b, first_seen)
    for suggestion in (
        _by_pin(a, b),
        _by_author(a, b, by_user),
        _by_change(pair, a, b, newer),
        _by_age(a, b),
        _by_confidence(a, b),
    ):
        if suggestion is not None:
            return suggestion, ""
    return None, _why_none(a, b, newer)


def better_duplicate(a: Memory, b: Memory) -> int:
    """Return which of two memories that say the same is the better one: 0 for A, 1 for B."""
    return 1 if _rank(b) > _rank(a) else 0


def _for_duplicate(pair: Pair, a: Memory, b: Memory) -> tuple[Suggestion | None, str]:
    if pair.kind not in (EXACT, NEAR):
        return None, wording.MAYBE_SAME
    better = "AB"[better_duplicate(a, b)]
    how = wording.IDENTICAL if pair.kind == EXACT else wording.NEARLY_IDENTICAL
    return Suggestion(
        MERGE if better == "A" else KEEP_B, wording.same_text(how, better, _advantage(a, b))
    ), ""


def _advantage(a: Memory, b: Memory) -> str:
    """Return in what the better duplicate is ahead, or "" where in nothing."""
    if a.pinned != b.pinned:
        return wording.IS_PINNED
    if _uses(a) != _uses(b):
        return wording.IS_USED_MORE
    if a.created_at == b.created_at:
        return ""
    return wording.IS_OLDER if a.created_at and b.created_at else wording.ALONE_IS_DATED


def _rank(memory: Memory) -> tuple[bool, int, float]:
    return memory.pinned, _uses(memory), -(memory.created_at or float("inf"))


def _uses(memory: Memory) -> int:
    return memory.times_used + memory.times_confirmed


def _by_pin(a: Memory, b: Memory) -> Suggestion | None:
    if a.pinned == b.pinned:
        return None
    return Suggestion(KEEP_A if a.pinned else KEEP_B, wording.pinned(_letter(b.pinned)))


def _by_author(a: Memory, b: Memory, by_user: tuple[bool, bool]) -> Suggestion | None:
    by_a, by_b = (
        known or (memory.source_type or "").casefold() in _USER_SOURCES
        for memory, known in zip((a, b), by_user, strict=True)
    )
    if by_a == by_b:
        return None
    describe = wording.written_by_you if by_user[by_b] else wording.written_by_person
    return Suggestion(KEEP_A if by_a else KEEP_B, describe(_letter(by_b)))


def _by_change(pair: Pair, a: Memory, b: Memory, newer: Recency | None) -> Suggestion | None:
    """Suggest the newer memory where something changed between the two."""
    if newer is None or not newer.is_conclusive:
        return None
    name = _letter(newer.is_b)
    if newer.evidence is Evidence.CHANGE:
        reason = wording.tells_of_change(name, newer.phrase)
    elif newer.evidence is Evidence.DATE:
        reason = wording.later_date(name)
    elif pair.kind == "change":
        reason = wording.changed_over_time(name, _days_between(a, b))
    else:
        return None
    return Suggestion(KEEP_B if newer.is_b else KEEP_A, reason)


def _by_age(a: Memory, b: Memory) -> Suggestion | None:
    """Suggest the memory that is newer by a week and was reinforced more recently."""
    if not stated_at(a) or not stated_at(b) or abs(stated_at(a) - stated_at(b)) < MIN_AGE_DIFFERENCE:
        return None
    newer, older = (a, b) if stated_at(a) > stated_at(b) else (b, a)
    if _reinforced_at(newer) <= _reinforced_at(older):
        return None
    return Suggestion(KEEP_A if newer is a else KEEP_B, wording.newer_and_confirmed(_days_between(a, b)))


def _by_confidence(a: Memory, b: Memory) -> Suggestion | None:
    if a.confidence is None or b.confidence is None:
        return None
    if abs(a.confidence - b.confidence) <= MIN_CONFIDENCE_DIFFERENCE + 1e-9:
        return None
    high, low = sorted((a.confidence, b.confidence), reverse=True)
    return Suggestion(KEEP_A if a.confidence > b.confidence else KEEP_B, wording.more_confident(high, low))


def _why_none(a: Memory, b: Memory, newer: Recency | None) -> str:
    """Return why nothing is suggested, with what is known all the same."""
    known = []
    if newer is not None and newer.is_conclusive:
        known.append(wording.is_newer(_letter(newer.is_b), _days_between(a, b)))
    if a.confidence is not None and b.confidence is not None and round(a.confidence - b.confidence, 2):
        surer = _letter(b.confidence > a.confidence)
        known.append(wording.is_more_confident(surer, abs(a.confidence - b.confidence)))
    if known:
        return wording.too_little(known)
    if newer is None:
        return wording.NOTHING_TO_GO_BY
    name = _letter(newer.is_b)
    return wording.seen_later(name) if newer.evidence is Evidence.FIRST_SEEN else wording.further_down(name)


def _letter(is_b: bool) -> str:
    return "B" if is_b else "A"


def _reinforced_at(memory: Memory) -> float:
    return memory.last_confirmed_at or memory.updated_at or memory.created_at or 0.0


def _days_between(a: Memory, b: Memory) -> int:
    return int(abs(stated_at(a) - stated_at(b)) // DAY)
