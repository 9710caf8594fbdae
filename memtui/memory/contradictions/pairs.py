"""Pairs of memories that contradict or repeat each other: what was found, and how the user settled it
(SPEC 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memtui.memory.contradictions.wording import KIND_LABELS

if TYPE_CHECKING:
    from memtui.memory.detail import Detail

CONTRADICTION, DUPLICATE = "contradiction", "duplicate"  # families

KEEP_A, KEEP_B, MERGE, BOTH_TRUE = "keep-a", "keep-b", "merge", "both-true"
LATER, DISCARD_BOTH, FALSE_POSITIVE = "later", "discard-both", "not-so"
VERDICTS = (KEEP_A, KEEP_B, MERGE, BOTH_TRUE, LATER, DISCARD_BOTH, FALSE_POSITIVE)

EXACT, NEAR, MAYBE = "exact", "near", "maybe"  # kinds of duplicates

KINDS = tuple(KIND_LABELS)
_SURE, _LIKELY = 0.85, 0.7


def kind_label(kind: str, *, short: bool = False) -> str:
    """Return the name of a kind of finding; `short` as in a column."""
    known = KIND_LABELS.get(kind)
    return known[short] if known is not None else kind.replace("-", " ").replace("_", " ")


def certainty(score: float) -> str:
    """Return how certain a finding is, in words."""
    return "very likely" if score >= _SURE else "likely" if score >= _LIKELY else "possible"


@dataclass(frozen=True, slots=True)
class ClauseConflict:
    """Why two memories cannot both be right (S-40).

    `score` is how certain that is, 0 to 1; `clauses` are the two statements, `words` the values in which they
    differ, as written in A and in B; `reason` is one sentence. `topic` is the attribute that was taken to
    have one value ("lives in"), or "": what the verdict "both true" marks as having several.
    """

    kind: str
    score: float
    words: tuple[str, str]
    reason: str
    topic: str = ""
    clauses: tuple[str, str] = ("", "")

    def swapped(self) -> ClauseConflict:
        """Return the same conflict with A and B exchanged."""
        return replace(self, words=self.words[::-1], clauses=self.clauses[::-1])


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of comparing two memories.

    `conflicts` are ordered by score; `duplicate_kind` is exact, near, maybe or ""; `overlap` is the share of
    words in common, 0 to 1. A pair with a conflict is never exact or near (S-41).
    """

    conflicts: tuple[ClauseConflict, ...] = ()
    duplicate_kind: str = ""
    overlap: float = 0.0

    @property
    def is_mergeable(self) -> bool:
        """Whether merging the two is offered."""
        return self.duplicate_kind in (EXACT, NEAR)


@dataclass(frozen=True, slots=True)
class Decision:
    """The user's verdict on a pair (S-42). Times are Unix seconds, `until` is set for "later"; `entry_id` is
    the journal entry."""

    verdict: str
    at: float
    actor: str
    note: str = ""
    until: float | None = None
    entry_id: int | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A finding in the queue of Review.

    `a` and `b` are row ids of memories in the workspace; `family` is contradiction or duplicate; `kind` is
    the detector's, or exact, near, maybe. `state` is open, later, settled, or over (found no more, or one of
    the two is gone). `escalated` pairs have been open for 7 days.
    """

    id: int
    a: int
    b: int
    family: str
    kind: str
    score: float
    words: tuple[str, str]
    reason: str
    topic: str
    found_at: float
    state: str
    escalated: bool = False
    decision: Decision | None = None
    labels: tuple[str, str] = ("", "")
    stores: tuple[str, str] = ("", "")
    clauses: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested verdict with its reason, one sentence (S-43); never carried out automatically."""

    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class PairDetail:
    """All that Review shows of one pair.

    `dependents` counts the memories that use A and B. By verdict, `outcomes` lists what would happen,
    in sentences, and `blocked` why the verdict cannot be given. `merged_text` is the text that a merge starts
    with; `digests` are those of the contents of A and B as shown.
    """

    pair: Pair
    a: Detail
    b: Detail
    suggestion: Suggestion | None = None
    dependents: tuple[int, int] = (0, 0)
    outcomes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    blocked: Mapping[str, str] = field(default_factory=dict)
    merged_text: str = ""
    digests: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class ScanResult:
    """What a scan did: memories compared, pairs judged, findings new and gone, memories remaining.
    `limitation` says what could not be compared in full, or ""."""

    memories: int = 0
    judged: int = 0
    found: int = 0
    gone: int = 0
    remaining: int = 0
    limitation: str = ""
