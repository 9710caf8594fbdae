"""The forecast for one memory: now and at a horizon, what happens next, and what one key would change."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from memtui.memory.encoding import iso
from memtui.memory.lifecycles import wording
from memtui.memory.lifecycles.base import (
    ACTIVE,
    ARCHIVED,
    DAY,
    DORMANT,
    FADING,
    GONE,
    DecayInputs,
    Lifecycle,
    Numbers,
    Projection,
    Transition,
)
from memtui.values import JsonObject

TIERS = ("l0", "l1", "l2", "l3", "l4")


@dataclass(frozen=True, slots=True)
class ForecastEvent:
    """Something that will happen: when (Unix seconds; due if past), what, and by which rule."""

    at: float
    what: str
    rule: str

    def to_json(self) -> JsonObject:
        """Return the event, `at` as ISO UTC text."""
        return {"at": iso(self.at), "what": self.what, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A memory at the horizon, what happens to it next, and when it is removed.

    `score` is None where its format has none.
    """

    score: float | None
    label: str
    next_event: ForecastEvent | None
    removal: ForecastEvent | None
    tier: str | None = None

    def to_json(self) -> JsonObject:
        """Return the outcome, its score to four places."""
        return {
            "score": round_score(self.score),
            "label": self.label or None,
            "next_change": self.next_event.to_json() if self.next_event else None,
            "removal": self.removal.to_json() if self.removal else None,
        }


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast for one memory by one lifecycle, as it is and as it would be after one key.

    `frozen` is the reason why nothing ages it, "" if something does.
    """

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
        """Whether something should have happened by now."""
        event = self.as_is.next_event
        return event is not None and event.at <= self.now

    def to_json(self) -> JsonObject:
        """Return the shape that `decay preview --json` documents."""
        as_is = self.as_is.to_json()
        return {
            "lifecycle": self.lifecycle,
            "now": {
                "at": iso(self.now),
                "score": round_score(self.score),
                "label": self.label or None,
                "tier": self.tier,
                "heat": self.heat,
            },
            "horizon": {
                "at": iso(self.now + self.days * DAY),
                "score": as_is["score"],
                "label": as_is["label"],
                "tier": self.as_is.tier,
                "heat": self.heat,
            },
            "next_change": as_is["next_change"],
            "removal": as_is["removal"],
            "frozen": self.frozen or None,
            "if_pinned": self.if_pinned.to_json(),
            "if_used": self.if_used.to_json(),
            "if_confirmed": self.if_confirmed.to_json(),
        }


def forecast(
    lifecycle: Lifecycle, inputs: DecayInputs, now: float, days: float, status: str = ""
) -> Forecast:
    """Return the forecast for one memory over `days`; `status` is why it is no longer live, if it is not."""
    projection = lifecycle.projection(inputs, now)
    at = now + days * DAY
    confirmed = replace(inputs, last_confirmed=now)
    if not math.isnan(inputs.confidence):
        confirmed = replace(confirmed, confidence=lifecycle.confirmed(inputs.confidence))
    return Forecast(
        lifecycle=lifecycle.name,
        now=now,
        days=days,
        score=_score(projection.current),
        label=lifecycle.label_at(projection, projection.current, now),
        frozen=("" if not inputs.frozen else "pinned" if inputs.live else status or "not live"),
        as_is=_outcome(lifecycle, projection, at),
        if_pinned=_outcome(lifecycle, lifecycle.projection(inputs.as_pinned(), now), at),
        if_used=_outcome(lifecycle, lifecycle.projection(inputs.after_use(now), now), at),
        if_confirmed=_outcome(lifecycle, lifecycle.projection(confirmed, now), at),
        tier=tier_name(inputs.tier),
        heat=lifecycle.heat(inputs) or None,
        notes=lifecycle.notes,
    )


def _outcome(lifecycle: Lifecycle, projection: Projection, at: float) -> Outcome:
    when, which = projection.next_transition()
    event = _event(lifecycle, projection, projection.transitions[which], when) if which >= 0 else None
    when, which = projection.removal()
    removal = _event(lifecycle, projection, projection.transitions[which], when) if which >= 0 else None
    score = projection.score(at)
    removed = removal is not None and removal.at <= at
    label = GONE if removed else lifecycle.label_at(projection, score, at)
    tier = tier_name(lifecycle.tier(projection.inputs, projection.now, at))
    return Outcome(_score(score), label, event, removal, tier)


def _event(lifecycle: Lifecycle, projection: Projection, transition: Transition, at: float) -> ForecastEvent:
    if transition.removes:
        what = transition.to
    elif transition.to in TIERS:
        what = f"{TIERS[int(projection.inputs.tier)]} → {transition.to}"
    elif transition.to in (ACTIVE, FADING, DORMANT, ARCHIVED):
        before = lifecycle.label_at(projection, projection.score(at - 1), at - 1)
        what = f"{before} → {transition.to}" if before and before != transition.to else transition.to
    elif transition.to:
        what = transition.to
    else:
        what = f"{float(projection.score(at - 1)):.2f} → {float(projection.score(at)):.2f}"
    return ForecastEvent(float(at), what, transition.rule)


def _score(score: Numbers) -> float | None:
    return None if math.isnan(score) else float(score)


def describe(forecast: Forecast, title: str) -> list[tuple[str, str]]:
    """Return a forecast as pairs of name and value; `title` is that of its lifecycle."""
    as_is = forecast.as_is
    if forecast.score is None and as_is.next_event is None and forecast.if_pinned.next_event is None:
        return [("leaves", wording.NEVER_DECAYS)]
    rows = [("strength", ", ".join(filter(None, _strength(forecast, title))))]
    if forecast.frozen:
        rows.append(("frozen", wording.frozen(forecast.frozen)))
    if as_is.next_event is not None and as_is.next_event != as_is.removal:
        rows += _event_rows("next", as_is.next_event, forecast.now)
    if as_is.removal is not None:
        rows += _event_rows("leaves", as_is.removal, forecast.now)
        if not forecast.frozen:
            rows.append(("if pinned", _removal_text(forecast.if_pinned, forecast.now)))
            rows.append(("if used", _removal_text(forecast.if_used, forecast.now)))
    elif not forecast.frozen:
        rows.append(("leaves", wording.NEVER_LEAVES))
    return rows


def _strength(forecast: Forecast, title: str) -> tuple[str, str, str]:
    score = ""
    if forecast.score is not None:
        score = f"{forecast.score:.2f}" if forecast.score <= 1 else wording.IN_VAULT
    return score, forecast.label, wording.by_lifecycle(title)


def _event_rows(name: str, event: ForecastEvent, now: float) -> list[tuple[str, str]]:
    return [(name, wording.event_at(format_when(event, now), event.what)), ("rule", event.rule)]


def _removal_text(outcome: Outcome, now: float) -> str:
    return wording.STAYS if outcome.removal is None else wording.leaves(format_when(outcome.removal, now))


def format_when(event: ForecastEvent, now: float) -> str:
    """Return in how many days an event is, and on which day."""
    day = iso(event.at)
    return f"{relative_time(event.at, now)}{f' ({day[:10]})' if day else ''}"


def relative_time(at: float, now: float) -> str:
    """Return "due", "in 5 h", "in 5 d", "in 3 y" or "never"."""
    if math.isinf(at):
        return "never"
    days = (at - now) / DAY
    if days <= 0:
        return "due"
    if days < 1:
        return f"in {max(days * 24, 1):.0f} h"
    return f"in {days:.0f} d" if days < 1_000 else f"in {min(days / 365.25, 999):.0f} y"


def tier_name(tier: Numbers) -> str | None:
    """Return l0 … l4, None without a tier."""
    return TIERS[int(tier)] if tier >= 0 else None


def round_score(score: float | None) -> float | None:
    """Return the score to four places, which is as far as it can be checked by hand."""
    return None if score is None else round(score, 4)
