"""What becomes of one memory: now and at a horizon, what happens next, and what one key would change."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from memtui.memory.encoding import iso
from memtui.memory.lifecycles.base import (
    ACTIVE,
    ARCHIVED,
    DAY,
    DORMANT,
    FADING,
    GONE,
    Ages,
    Course,
    Event,
    Lifecycle,
)

TIERS = ("l0", "l1", "l2", "l3", "l4")


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happens: when (Unix seconds; a time that is past is due), what, by which rule."""

    at: float
    what: str
    rule: str

    def to_json(self) -> dict[str, Any]:
        """`at` as ISO UTC text."""
        return {"at": iso(self.at), "what": self.what, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a memory stands at the horizon, what happens to it next, and when it leaves; `score` is None
    where its format keeps no number."""

    score: float | None
    label: str
    next: Moment | None
    leaves: Moment | None
    tier: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Scores to four places."""
        return {
            "score": rounded(self.score),
            "label": self.label or None,
            "next_change": self.next.to_json() if self.next else None,
            "removal": self.leaves.to_json() if self.leaves else None,
        }


@dataclass(frozen=True, slots=True)
class Forecast:
    """All of it for one memory by one lifecycle; `frozen` says why nothing ages it, "" if something does."""

    lifecycle: str
    now: float
    days: float
    score: float | None
    label: str
    frozen: str
    as_is: Outcome
    if_pinned: Outcome
    if_used: Outcome
    if_confirmed: Outcome
    tier: str | None = None
    heat: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def due(self) -> bool:
        """Whether something that is foretold should have happened by now."""
        following = self.as_is.next
        return following is not None and following.at <= self.now

    def to_json(self) -> dict[str, Any]:
        """As `decay preview --json` tells it."""
        there = self.as_is.to_json()
        return {
            "lifecycle": self.lifecycle,
            "now": {
                "at": iso(self.now),
                "score": rounded(self.score),
                "label": self.label or None,
                "tier": self.tier,
                "heat": self.heat,
            },
            "horizon": {
                "at": iso(self.now + self.days * DAY),
                "score": there["score"],
                "label": there["label"],
                "tier": self.as_is.tier,
                "heat": self.heat,
            },
            "next_change": there["next_change"],
            "removal": there["removal"],
            "frozen": self.frozen or None,
            "if_pinned": self.if_pinned.to_json(),
            "if_used": self.if_used.to_json(),
            "if_confirmed": self.if_confirmed.to_json(),
        }


def forecast(lifecycle: Lifecycle, ages: Ages, now: float, days: float, status: str = "") -> Forecast:
    """What becomes of one memory within so many days; `status` is why it is no longer live, if so."""
    course = lifecycle.course(ages, now)
    at = now + days * DAY
    sure = replace(ages, last_confirmed=now)
    if not math.isnan(ages.confidence):
        sure = replace(sure, confidence=lifecycle.assured(ages.confidence))
    score = _number(course.current)
    return Forecast(
        lifecycle=lifecycle.name,
        now=now,
        days=days,
        score=score,
        label=lifecycle.word(course, course.current, now),
        frozen=("" if not ages.frozen else "pinned" if ages.live else status or "not live"),
        as_is=_outcome(lifecycle, course, at),
        if_pinned=_outcome(lifecycle, lifecycle.course(ages.kept(), now), at),
        if_used=_outcome(lifecycle, lifecycle.course(ages.used_once(now), now), at),
        if_confirmed=_outcome(lifecycle, lifecycle.course(sure, now), at),
        tier=tier_name(ages.tier),
        heat=lifecycle.heat(ages) or None,
        notes=lifecycle.notes,
    )


def _outcome(lifecycle: Lifecycle, course: Course, at: float) -> Outcome:
    when, which = course.next()
    following = _moment(lifecycle, course, course.events[which], when) if which >= 0 else None
    when, which = course.leaving()
    leaves = _moment(lifecycle, course, course.events[which], when) if which >= 0 else None
    score = course.score(at)
    label = GONE if leaves is not None and leaves.at <= at else lifecycle.word(course, score, at)
    tier = tier_name(lifecycle.tier(course.ages, course.now, at))
    return Outcome(_number(score), label, following, leaves, tier)


def _moment(lifecycle: Lifecycle, course: Course, event: Event, at: float) -> Moment:
    if event.leaves:
        what = event.to
    elif event.to in TIERS:
        what = f"{TIERS[int(course.ages.tier)]} → {event.to}"
    elif event.to in (ACTIVE, FADING, DORMANT, ARCHIVED):
        before = lifecycle.word(course, course.score(at - 1), at - 1)
        what = f"{before} → {event.to}" if before and before != event.to else event.to
    elif event.to:
        what = event.to
    else:
        what = f"{float(course.score(at - 1)):.2f} → {float(course.score(at)):.2f}"
    return Moment(float(at), what, event.rule)


def _number(score: Any) -> float | None:
    return None if math.isnan(score) else float(score)


def in_words(told: Forecast, title: str) -> list[tuple[str, str]]:
    """What becomes of a memory, for a person: pairs of name and value. `title` is its lifecycle's."""
    if told.score is None and told.as_is.next is None and told.if_pinned.next is None:
        return [("strength", f"none: its store keeps no number, so by {title} nothing fades")]
    score = "" if told.score is None else f"{min(told.score, 1):.2f}" if told.score <= 1 else "in the vault"
    rows = [("strength", ", ".join(filter(None, (score, told.label, f"by {title}"))))]
    if told.frozen:
        rows.append(("frozen", f"{told.frozen}: nothing ages it"))
    if told.as_is.next is not None and told.as_is.next != told.as_is.leaves:
        rows.append(("next", f"{when(told.as_is.next, told.now)}: {told.as_is.next.what}"))
        rows.append(("rule", told.as_is.next.rule))
    if told.as_is.leaves is not None:
        rows.append(("leaves", f"{when(told.as_is.leaves, told.now)}: {told.as_is.leaves.what}"))
        rows.append(("rule", told.as_is.leaves.rule))
        if not told.frozen:
            rows.append(("if pinned", _kept(told.if_pinned, told.now)))
            rows.append(("if used", _kept(told.if_used, told.now)))
    elif not told.frozen:
        rows.append(("leaves", "never by itself"))
    return rows


def _kept(outcome: Outcome, now: float) -> str:
    return "stays" if outcome.leaves is None else f"leaves {when(outcome.leaves, now)}"


def when(moment: Moment, now: float) -> str:
    """Within how many days, and on which."""
    day = iso(moment.at)
    return f"{in_days(moment.at, now)}{f' ({day[:10]})' if day else ''}"


def in_days(at: float, now: float) -> str:
    """due, in 5 h, in 5 d, in 3 y; never."""
    if math.isinf(at):
        return "never"
    days = (at - now) / DAY
    if days <= 0:
        return "due"
    if days < 1:
        return f"in {max(days * 24, 1):.0f} h"
    return f"in {days:.0f} d" if days < 1_000 else f"in {min(days / 365.25, 999):.0f} y"


def tier_name(tier: Any) -> str | None:
    """l0 … l4; None where there is none."""
    return TIERS[int(tier)] if tier >= 0 else None


def rounded(score: float | None) -> float | None:
    """Four places are what a person can check by hand."""
    return None if score is None else round(score, 4)
