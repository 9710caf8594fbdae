"""Two memories that clash or say the same: what was found, and what a person said of it (SPEC 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.memory.detail import Detail

CONTRADICTION, DUPLICATE = "contradiction", "duplicate"  # families

KEEP_A, KEEP_B, MERGE, BOTH_TRUE = "keep-a", "keep-b", "merge", "both-true"
LATER, DISCARD_BOTH, FALSE_POSITIVE = "later", "discard-both", "not-so"
VERDICTS = (KEEP_A, KEEP_B, MERGE, BOTH_TRUE, LATER, DISCARD_BOTH, FALSE_POSITIVE)

EXACT, NEAR, MAYBE = "exact", "near", "maybe"  # how much two memories are the same

# How a kind of finding is called: in a sentence, and in a column.
_KINDS = {
    "polarity": ("one denies what the other says", "one denies it"),
    "opposite": ("opposite words", "opposites"),
    "class": ("two of a kind, only one can be", "only one can be"),
    "number": ("two values", "two values"),
    "value": ("two values of one thing", "two values"),
    "order": ("the other way round", "other way round"),
    "way": ("one rules out what the other says", "ruled out"),
    "change": ("one tells that it changed", "it changed"),
    "key": ("one key, two values", "one key twice"),
    "validity": ("valid at the same time", "at one time"),
    "mark": ("marked by its store", "marked by store"),
    EXACT: ("the same text", "the same"),
    NEAR: ("nearly the same text", "nearly the same"),
    MAYBE: ("perhaps the same", "perhaps the same"),
}
KINDS = tuple(_KINDS)
_SURE, _LIKELY = 0.85, 0.7


def kind_label(kind: str, *, short: bool = False) -> str:
    """A kind of finding as a person reads it."""
    known = _KINDS.get(kind)
    return known[short] if known is not None else kind.replace("-", " ").replace("_", " ")


def certainty(score: float) -> str:
    """How sure a finding is, in a word."""
    return "sure" if score >= _SURE else "likely" if score >= _LIKELY else "perhaps"


@dataclass(frozen=True, slots=True)
class ClauseConflict:
    """Why two memories cannot both be right (S-40). `score` is 0–1, how sure; `words` the ones that
    clash in A and in B, as written; `reason` one sentence. `topic` is the attribute that was taken to
    have one value ("lives in"), "" where none was: what "both true" teaches. `clauses` are what the two say,
    of which `words` are what differs."""

    kind: str
    score: float
    words: tuple[str, str]
    reason: str
    topic: str = ""
    clauses: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What two memories are to each other. `conflicts`, surest first; `duplicate_kind` is exact, near or maybe,
    "" where they are not the same; `overlap` 0–1, the share of words in common. A pair with a clash is
    never exact or near (S-41)."""

    conflicts: tuple[ClauseConflict, ...] = ()
    duplicate_kind: str = ""
    overlap: float = 0.0

    @property
    def is_mergeable(self) -> bool:
        """Whether the two would be offered for merging."""
        return self.duplicate_kind in (EXACT, NEAR)


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's verdict on a pair (S-42), `until` Unix seconds for "later"; `entry_id` of the journal."""

    verdict: str
    at: float
    actor: str
    note: str = ""
    until: float | None = None
    entry_id: int | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """One finding in the queue of Review. `a` and `b` are the workspace's rows; `family` is
    contradiction or duplicate, `kind` the detector's, or exact, near, maybe. `state` is open, later,
    settled, or over (found no more, or one of the two is gone). `escalated`: open for 7 days."""

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
    """What memtui would say, and why in one sentence (S-43); never done by itself."""

    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class PairDetail:
    """All that Review shows of one pair. `dependents` is how many memories rest on A and on B; `outcomes` tells
    for each verdict what will happen where, in sentences; `blocked` why a verdict cannot be given;
    `merged_text` is the text that a merge begins with. `digests` are the digests of what A and B say here."""

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
    """What a sweep did: memories compared, pairs judged, findings new and gone; `left` to do."""

    memories: int = 0
    judged: int = 0
    found: int = 0
    gone: int = 0
    remaining: int = 0
    limitation: str = ""  # what it could not look at ("by words only: no model")
