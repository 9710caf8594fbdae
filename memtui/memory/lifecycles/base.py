"""What every lifecycle follows: what it looks at, and the course that it foretells (SPEC 4, S-26).

A course is a closed form: any instant is worked out at once, for one memory or for a million. The same
lines do both: numbers are plain ones, or numpy arrays of one length; `Ages.xp` is what reckons with them.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import SimpleNamespace
from typing import Any, ClassVar

from memtui.memory.memory import LIVE, Memory

DAY = 86_400.0
NEVER = math.inf
ACTIVE, FADING, DORMANT, ARCHIVED = "active", "fading", "dormant", "archived"
GONE = "gone"  # the label of what has left its store by then
LABELS = ((0.3, ACTIVE), (0.1, FADING), (-math.inf, DORMANT))  # where a lifecycle has none of its own

Numbers = Any
"""A number, or a numpy array of them."""

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
class Ages:
    """What lifecycles look at, of one memory or of many.

    Times are Unix seconds; shares are 0–1, NaN where the format has none. `expires` and `valid_to` are
    inf, `valid_from` -inf where there is none. `since` is when steps were last written: what fell before
    is not owed. `demoted` is when memtui last moved it down a tier, NaN if never. `tier` is 0–4 for l0–l4,
    -1 where there is none. `sessions` are those in which it was recalled, NaN without a log; `share` is
    that of all sessions. `category` is a name, or with arrays numbers that index `categories`.
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
    category: Numbers
    categories: tuple[str, ...] = ()
    xp: Any = field(default_factory=lambda: PLAIN, compare=False)

    def by_category(self, numbers: Mapping[str, float], other: float) -> Numbers:
        """The number of each one's category."""
        if self.xp is PLAIN:
            return numbers.get(self.category, other)
        table = [numbers.get(name, other) for name in self.categories]
        return self.xp.asarray(table or [other], dtype=float)[self.category]

    @property
    def last(self) -> Numbers:
        """When it was last used; never used counts from creation."""
        return self.xp.where(self.xp.isnan(self.last_used), self.created, self.last_used)

    @property
    def frozen(self) -> Numbers:
        """Whether nothing ages it: it is pinned, or not live any more."""
        return self.xp.logical_not(self.live) | self.pinned

    @property
    def ageing(self) -> Numbers:
        """Whether it ages by its number: it is not frozen, and its format keeps one."""
        return self.xp.logical_not(self.frozen | self.xp.isnan(self.confidence))

    def unless_frozen(self, at: Numbers) -> Numbers:
        """A time, or never where nothing ages it."""
        return self.xp.where(self.frozen, NEVER, at)

    def used_once(self, now: float) -> Ages:
        """As they would be if each were used once, now."""
        ahead = self.xp.where(self.last_used > now, self.last_used, now)  # a clock that runs ahead
        return replace(self, used=self.used + 1, last_used=self.created * 0 + ahead)

    def kept(self) -> Ages:
        """As they would be if each were pinned."""
        return replace(self, pinned=self.live | True)

    def alone(self, index: int) -> Ages:
        """One of many, as plain numbers."""
        names = (each.name for each in fields(self) if each.name not in ("categories", "xp"))
        one = {name: getattr(self, name)[index].item() for name in names}
        one["category"] = self.categories[one["category"]]
        return Ages(**one)


def ages_of(memory: Memory, now: float, **beside: float) -> Ages:
    """What lifecycles look at, of one memory; `beside` are seen, since, demoted, sessions and share."""

    def given(value: float | None, otherwise: float = math.nan) -> float:
        return otherwise if value is None else float(value)

    times = (memory.created_at, memory.event_time, memory.updated_at, beside.get("seen", now))
    created = next(at for at in times if at is not None)
    return Ages(
        confidence=given(memory.confidence),
        importance=given(memory.importance),
        used=memory.times_used,
        confirmed=memory.times_confirmed,
        created=created,
        last_used=given(memory.last_used_at),
        last_confirmed=given(memory.last_confirmed_at),
        expires=given(memory.expires_at, NEVER),
        valid_from=given(memory.valid_from, -NEVER),
        valid_to=given(memory.valid_to, NEVER),
        since=beside.get("since", now),
        demoted=beside.get("demoted", math.nan),
        live=memory.status in LIVE,
        pinned=memory.pinned,
        lesson=memory.kind == "lesson",
        tier=tier_number(memory.tier),
        sessions=beside.get("sessions", math.nan),
        share=beside.get("share", math.nan),
        category=(memory.category or memory.kind).casefold(),
    )


def tier_number(tier: str | None) -> int:
    """l0 … l4 as 0 … 4; -1 where there is none."""
    return int(tier[1]) if tier in ("l0", "l1", "l2", "l3", "l4") else -1


@dataclass(frozen=True, slots=True)
class Event:
    """Something that will happen to memories by one rule: `at` is when to each, inf if never; a time
    that is past is due. `to` is what it becomes ("fading", "l2", "expired"); "" is a step of its number.
    With `leaves` it is then no longer among what its agent is told."""

    at: Numbers
    to: str
    rule: str
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Course:
    """How memories go on from `now`, each by itself. Kinds of course say what their number is."""

    ages: Ages
    now: float
    events: tuple[Event, ...] = ()

    @property
    def current(self) -> Numbers:
        """The score now, 0–1 (a vault's is more); NaN where the format keeps no number."""
        return self.ages.confidence

    def score(self, at: Numbers) -> Numbers:
        """The score at an instant from now on; what left by then is reckoned on."""
        return self.current

    def waits(self, at: Numbers) -> Numbers:
        """Whether it is not yet in use at an instant."""
        return False

    def next(self) -> tuple[Numbers, Numbers]:
        """When the next thing happens to each, inf if never, and which of `events` that is (-1 is none)."""
        return self._first(leaving=False)

    def leaving(self) -> tuple[Numbers, Numbers]:
        """When each leaves, inf if never, and by which of `events` (-1 is none)."""
        return self._first(leaving=True)

    def _first(self, *, leaving: bool) -> tuple[Numbers, Numbers]:
        xp = self.ages.xp
        at, which = self.ages.created * 0 + NEVER, self.ages.used * 0 - 1
        for number, event in enumerate(self.events):
            if event.leaves or not leaving:
                sooner = event.at < at
                at = xp.where(sooner, event.at, at)
                which = xp.where(sooner, number, which)
        return at, which


class Lifecycle(ABC):
    """How memories begin, gain, fade and end; its docstring is its rule table."""

    name: ClassVar[str]
    title: ClassVar[str]
    labels: ClassVar[tuple[tuple[float, str], ...]] = LABELS
    starts: ClassVar[Mapping[str, float]] = {}  # how sure a new memory is, by where it comes from
    promotes: ClassVar[bool] = False  # whether numbers alone raise a status (candidate, confirmed, applied)
    notes: ClassVar[tuple[str, ...]] = ()  # what a preview must say of its rules
    half_life: ClassVar[bool] = False  # whether a person sets how fast its memories fade

    @abstractmethod
    def number(self, ages: Ages, now: float) -> Course:
        """How the number of these memories goes on; without what happens to them."""

    @abstractmethod
    def events(self, course: Course) -> tuple[Event, ...]:
        """What will happen to them, each rule by itself."""

    def course(self, ages: Ages, now: float) -> Course:
        """How these memories go on, and what happens to them."""
        bare = self.number(ages, now)
        return replace(bare, events=self.events(bare))

    def tier(self, ages: Ages, now: float, at: float) -> Numbers:
        """The tier at an instant, 0–4 for l0–l4; -1 where there is none."""
        return ages.tier

    def heat(self, ages: Ages) -> str:
        """How warm one memory is by its uses; "" where its lifecycle knows no heat."""
        return ""

    def reinforced(self, confidence: float) -> float:
        """How sure a memory is once it was said again."""
        return confidence

    def assured(self, confidence: float) -> float:
        """How sure it is once a person confirmed it."""
        return self.reinforced(confidence)

    def label(self, score: float) -> str:
        """The word for a score; "" where there is none."""
        return "" if math.isnan(score) else next(word for least, word in self.labels if score >= least)

    def word(self, course: Course, score: float, at: float) -> str:
        """The word for one memory that has this score at an instant."""
        if not course.ages.live:
            return ARCHIVED
        if course.ages.pinned:
            return ACTIVE
        return DORMANT if course.waits(at) else self.label(float(score))
