"""The interface of lifecycles: their inputs, and the projections they return (SPEC 4, S-26).

A projection is a closed form: the score at any instant is computed directly, for one memory or for a
million. The same code serves both: numbers are plain ones, or numpy arrays of equal length, and
`DecayInputs.xp` is the module that computes with them.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import SimpleNamespace
from typing import Any, ClassVar, TypeAlias

from memtui.memory.memory import LIVE, Memory

DAY = 86_400.0
NEVER = math.inf
ACTIVE, FADING, DORMANT, ARCHIVED = "active", "fading", "dormant", "archived"
GONE = "gone"  # the label of a memory that has left its store by then
LABELS = ((0.3, ACTIVE), (0.1, FADING), (-math.inf, DORMANT))  # for a lifecycle without labels of its own

# A number, or a numpy array of them: numpy's types cannot express that both take the same operators.
Numbers: TypeAlias = Any

PLAIN = SimpleNamespace(
    exp=math.exp,
    log=lambda x: math.log(x) if x > 0 else -math.inf,
    log2=math.log2,
    floor=math.floor,
    ceil=math.ceil,
    minimum=min,
    maximum=max,
    isnan=math.isnan,
    logical_not=lambda x: not x,
    where=lambda condition, yes, no: yes if condition else no,
)


@dataclass(frozen=True, slots=True)
class DecayInputs:
    """The values that lifecycles depend on, of one memory or of many.

    Times are Unix seconds; shares are 0–1, NaN where the format has none. `expires` and `valid_to` are
    inf, `valid_from` -inf where there is none. `since` is when decay steps were last written: earlier
    steps are not due again. `demoted` is when memtui last moved the memory down a tier, NaN if never.
    `tier` is 0–4 for l0–l4, -1 without a tier. `sessions` counts the sessions in which it was recalled,
    NaN without a log; `share` is their share of all sessions. `half_life` is in days, NaN unless a rule sets
    it. `category` is a name or, with arrays, indexes into `categories`.
    """

    confidence: Numbers
    importance: Numbers
    used: Numbers
    confirmed: Numbers
    created: Numbers
    last_used: Numbers
    last_confirmed: Numbers
    expires: Numbers
    valid_from: Numbers
    valid_to: Numbers
    since: Numbers
    demoted: Numbers
    live: Numbers
    pinned: Numbers
    lesson: Numbers
    tier: Numbers
    sessions: Numbers
    share: Numbers
    half_life: Numbers
    category: Numbers
    categories: tuple[str, ...] = ()
    xp: Any = field(default_factory=lambda: PLAIN, compare=False)  # PLAIN or the numpy module

    def by_category(self, numbers: Mapping[str, float], default: float) -> Numbers:
        """Return the number for the category of each memory."""
        if self.xp is PLAIN:
            return numbers.get(self.category, default)
        table = [numbers.get(name, default) for name in self.categories]
        return self.xp.asarray(table or [default], dtype=float)[self.category]

    @property
    def last_use(self) -> Numbers:
        """When it was last used, or created if it never was."""
        return self.xp.where(self.xp.isnan(self.last_used), self.created, self.last_used)

    @property
    def frozen(self) -> Numbers:
        """Whether nothing changes it: it is pinned, or no longer live."""
        return self.xp.logical_not(self.live) | self.pinned

    @property
    def decays(self) -> Numbers:
        """Whether its confidence decays: it is not frozen, and its format has a confidence."""
        return self.xp.logical_not(self.frozen | self.xp.isnan(self.confidence))

    def unless_frozen(self, at: Numbers) -> Numbers:
        """Return `at`, or never where the memory is frozen."""
        return self.xp.where(self.frozen, NEVER, at)

    def after_use(self, now: float) -> DecayInputs:
        """Return the inputs as if each memory were used once, now."""
        last_used = self.xp.where(
            self.last_used > now, self.last_used, now
        )  # the agent's clock may run ahead
        return replace(self, used=self.used + 1, last_used=self.created * 0 + last_used)

    def as_pinned(self) -> DecayInputs:
        """Return the inputs as if each memory were pinned."""
        return replace(self, pinned=self.live | True)

    def single(self, index: int) -> DecayInputs:
        """Return one of many memories, as plain numbers."""
        names = (each.name for each in fields(self) if each.name not in ("categories", "xp"))
        values = {name: getattr(self, name)[index].item() for name in names}
        values["category"] = self.categories[values["category"]]
        return DecayInputs(**values)


def inputs_of(memory: Memory, now: float, **known: float) -> DecayInputs:
    """Return the inputs of one memory; `known` may have seen, since, demoted, sessions, share and half_life,
    which its store does not tell."""

    def number(value: float | None, default: float = math.nan) -> float:
        return default if value is None else float(value)

    times = (memory.created_at, memory.event_time, memory.updated_at, known.get("seen", now))
    created = next(at for at in times if at is not None)
    return DecayInputs(
        confidence=number(memory.confidence),
        importance=number(memory.importance),
        used=memory.times_used,
        confirmed=memory.times_confirmed,
        created=created,
        last_used=number(memory.last_used_at),
        last_confirmed=number(memory.last_confirmed_at),
        expires=number(memory.expires_at, NEVER),
        valid_from=number(memory.valid_from, -NEVER),
        valid_to=number(memory.valid_to, NEVER),
        since=known.get("since", now),
        demoted=known.get("demoted", math.nan),
        live=memory.status in LIVE,
        pinned=memory.pinned,
        lesson=memory.kind == "lesson",
        tier=tier_number(memory.tier),
        sessions=known.get("sessions", math.nan),
        share=known.get("share", math.nan),
        half_life=known.get("half_life", math.nan),
        category=(memory.category or memory.kind).casefold(),
    )


def tier_number(tier: str | None) -> int:
    """Return 0–4 for l0–l4, -1 without a tier."""
    return int(tier[1]) if tier in ("l0", "l1", "l2", "l3", "l4") else -1


@dataclass(frozen=True, slots=True)
class Transition:
    """Something that one rule will do to memories.

    `at` is when it happens to each: inf if never, and due if it is past. `to` is the new state ("fading",
    "l2", "expired"), "" for a step of its score. `removes` says that agents no longer get it afterwards.
    """

    at: Numbers
    to: str
    rule: str
    removes: bool = False


@dataclass(frozen=True, slots=True)
class Projection:
    """The future of memories from `now`, each on its own; subclasses define how the score moves."""

    inputs: DecayInputs
    now: float
    transitions: tuple[Transition, ...] = ()

    @property
    def current(self) -> Numbers:
        """The score now, 0–1 (more than 1 in a Cognitive vault), NaN where the format has none."""
        return self.inputs.confidence

    def score(self, at: Numbers) -> Numbers:
        """Return the score at an instant from now on, as if nothing were removed by then."""
        return self.current

    def is_dormant(self, at: Numbers) -> Numbers:
        """Return whether the memory is not yet in use at an instant."""
        return False

    def next_transition(self) -> tuple[Numbers, Numbers]:
        """Return when the next transition of each is, inf if never, and its index (-1 for none)."""
        return self._first(removals=False)

    def removal(self) -> tuple[Numbers, Numbers]:
        """Return when each is removed, inf if never, and the index of that transition (-1 for none)."""
        return self._first(removals=True)

    def _first(self, *, removals: bool) -> tuple[Numbers, Numbers]:
        xp = self.inputs.xp
        at, which = self.inputs.created * 0 + NEVER, self.inputs.used * 0 - 1
        for index, transition in enumerate(self.transitions):
            if transition.removes or not removals:
                sooner = transition.at < at
                at = xp.where(sooner, transition.at, at)
                which = xp.where(sooner, index, which)
        return at, which


class Lifecycle(ABC):
    """How memories begin, gain, fade and end; the docstring of each subclass is its rule table."""

    name: ClassVar[str]
    title: ClassVar[str]
    labels: ClassVar[tuple[tuple[float, str], ...]] = LABELS
    promotes: ClassVar[bool] = False  # whether numbers alone raise a status (candidate, confirmed, applied)
    notes: ClassVar[tuple[str, ...]] = ()  # what a preview must mention about its rules
    has_half_life: ClassVar[bool] = False  # whether the user sets how fast its memories fade

    @abstractmethod
    def scores(self, inputs: DecayInputs, now: float) -> Projection:
        """Return how the scores of these memories move, without transitions."""

    @abstractmethod
    def transitions(self, projection: Projection) -> tuple[Transition, ...]:
        """Return what will happen to the memories, one transition for each rule."""

    def projection(self, inputs: DecayInputs, now: float) -> Projection:
        """Return how these memories go on, with their transitions."""
        bare = self.scores(inputs, now)
        return replace(bare, transitions=self.transitions(bare))

    def tier(self, inputs: DecayInputs, now: float, at: float) -> Numbers:
        """Return the tier at an instant, 0–4 for l0–l4, -1 without a tier."""
        return inputs.tier

    def heat(self, inputs: DecayInputs) -> str:
        """Return the heat of one memory by its uses, "" if this lifecycle has no heat."""
        return ""

    def reinforced(self, confidence: float) -> float:
        """Return the confidence after the memory was stated again."""
        return confidence

    def confirmed(self, confidence: float) -> float:
        """Return the confidence after the user confirmed the memory."""
        return self.reinforced(confidence)

    def settable(self, confidence: float) -> float:
        """Return the confidence, 0 to 1, that is stored where somebody sets this one."""
        return min(1.0, max(0.0, confidence))

    def label(self, score: float) -> str:
        """Return the label of a score, "" for NaN."""
        return "" if math.isnan(score) else next(label for least, label in self.labels if score >= least)

    def label_at(self, projection: Projection, score: float, at: float) -> str:
        """Return the label of one memory with this score at an instant."""
        if not projection.inputs.live:
            return ARCHIVED
        if projection.inputs.pinned:
            return ACTIVE
        return DORMANT if projection.is_dormant(at) else self.label(float(score))
