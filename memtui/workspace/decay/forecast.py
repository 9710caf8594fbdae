"""Looking ahead at what decay takes, and what of it is due (S-26, S-27)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.memory import lifecycles
from memtui.memory.lifecycles.base import Ages, Lifecycle
from memtui.memory.lifecycles.forecast import TIERS, Forecast, forecast
from memtui.memory.lifecycles.outlook import LONGEST, Outlook
from memtui.memory.memory import Memory
from memtui.workspace.changes import planning
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.decay import inputs
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog

_CHUNK = 1_000


@dataclass(frozen=True, slots=True)
class Due:
    """What a run would do to one memory: `what` in words ("0.50 → 0.45"), by which rule, and where."""

    id: int
    uid: str
    store: str
    label: str
    what: str
    rule: str
    at: float
    fields: dict[str, Any]
    leaves: bool
    held: MirrorRow  # as it was judged
    where: str = ""


def preview(ctx: Context, now: float, what_if: str = "", *, store: str = "", live: bool = True) -> Outlook:
    """What is foretold of all memories; Refused for a lifecycle or a store that there is not."""
    if what_if and what_if not in lifecycles.NAMES:
        known = ", ".join(lifecycles.NAMES)
        raise Refused("lifecycle", f"There is no lifecycle {what_if}.", f"Known are {known}.")
    if store:
        store = catalog.named(ctx, store).name
    whole = inputs.outlook(ctx, now, store=store, live=live)
    return whole.tried(what_if, ctx.half_lives) if what_if else whole


def forecast_of(ctx: Context, id: int, now: float, days: float, what_if: str = "") -> Forecast | None:
    """What becomes of one memory; None if it is gone."""
    found = memory_rows.held(ctx.db, [id])
    if not found:
        return None
    return _forecast(ctx, found[0], store_rows.get(ctx.db, found[0].store_id), now, days, what_if)


def forecasts(
    ctx: Context, now: float, days: float, what_if: str, store: str
) -> Iterator[tuple[Memory, Forecast]]:
    """Each memory with what becomes of it, store by store; none that another hand removed."""
    whole = preview(ctx, now, what_if, store=store, live=False)
    for group in whole.groups:
        for start in range(0, len(group.ids), _CHUNK):
            ids = [int(id) for id in group.ids[start : start + _CHUNK]]
            held = {each.id: each for each in memory_rows.held(ctx.db, ids)}
            for place, id in enumerate(ids, start):
                if id in held:
                    memory = held[id].memory
                    ages = group.ages.alone(place)
                    yield memory, forecast(group.lifecycle, ages, now, days, memory.status)


def soonest(
    ctx: Context, now: float, days: float, what_if: str, store: str, most: int
) -> tuple[list[tuple[Memory, Forecast]], Outlook]:
    """The first so many memories to which something happens within so many days, and all that is
    foretold."""
    whole = preview(ctx, now, what_if, store=store)
    ids = whole.ids(min(whole.until(days, leaving=False), most), leaving=False)
    held = {each.id: each.memory for each in memory_rows.held(ctx.db, ids)}
    places = ((held[id], whole.place(place, leaving=False)) for place, id in enumerate(ids) if id in held)
    return [(memory, forecast(*aged, now, days, memory.status)) for memory, aged in places], whole


def _forecast(
    ctx: Context, held: MirrorRow, store: StoreRow, now: float, days: float, what_if: str = ""
) -> Forecast:
    lifecycle, ages = inputs.one(ctx, held.id, held.memory, store, now)
    if what_if and what_if != lifecycle.name:
        lifecycle, ages = lifecycles.by_name(what_if, ctx.half_lives), replace(ages, since=now)
    if held.removed_at is not None:
        ages = replace(ages, live=False)
    return forecast(lifecycle, ages, now, days, "removed" if held.removed_at else held.memory.status)


def within(days: float) -> float:
    """A horizon that can be foretold; Refused beyond five years."""
    if not 0 <= days <= LONGEST:
        raise Refused("days", f"The horizon must be from 0 to {LONGEST} days.", "Nothing was changed.")
    return days


# -- what is due


def due(ctx: Context, now: float) -> list[Due]:
    """What a run at `now` would do, soonest due first; a store that was run on that day stays as of then."""
    whole = preview(ctx, now)
    ids = whole.ids(whole.until(0, leaving=False), leaving=False)
    held = {each.id: each for each in memory_rows.held(ctx.db, ids)}
    stores = store_rows.by_id(ctx.db)
    since = {id: inputs.since_of(ctx, each) for id, each in stores.items()}
    places = {id: _Place(ctx, each) for id, each in stores.items()}
    out: list[Due] = []
    for place, id in enumerate(ids):
        each = held.get(id)
        if each is None or each.moved is not None:
            continue
        known = since[each.store_id]
        until, run_at = known.until(now), known.run_at(id)
        if run_at is not None and run_at >= until:
            continue
        if (one := _due(each, *whole.place(place, leaving=False), until)) is not None:
            out.append(places[each.store_id].where(one))
    return sorted(out, key=lambda one: one.at)


def _due(held: MirrorRow, lifecycle: Lifecycle, ages: Ages, now: float) -> Due | None:
    course, memory = lifecycle.course(ages, now), held.memory
    at, which = course.leaving()
    leaving = at <= now
    if not leaving:
        at, which = course.next()
    if at > now:
        return None
    event = course.events[int(which)]
    fields: dict[str, Any] = {}
    what = event.to
    if not leaving and event.to in TIERS:
        fields = {"tier": event.to}
        if memory.tier is not None and event.to < memory.tier:
            fields["promotion_count"] = memory.promotion_count + 1
        what = f"{memory.tier} → {event.to}"
    elif not leaving:
        after = round(float(course.score(now)), 4)
        if event.to or memory.confidence is None or after >= memory.confidence:
            return None  # a label that changes is only told
        fields = {"confidence": after}
        what = f"{memory.confidence:.2f} → {after:.2f}"
    return Due(
        held.id, memory.uid, memory.store, held.label, what, event.rule, float(at), fields, leaving, held
    )


class _Place:
    """What a store sets when a memory leaves it, and in words what happens there."""

    def __init__(self, ctx: Context, store: StoreRow) -> None:
        self._locked = catalog.locked(store)
        self._adapter: Adapter | None = None
        try:
            self._adapter = ctx.adapter(store) if store.detached_at is None else None
        except Refused as refusal:
            self._locked = refusal.message

    def where(self, one: Due) -> Due:
        adapter = self._adapter
        expiry = None if adapter is None else adapter.expiry
        if one.leaves:
            one = replace(one, fields={"status": "expired"} if expiry is None else dict(expiry))
        return replace(one, where=f"not now: {self._locked}" if self._locked else self._words(one))

    def _words(self, one: Due) -> str:
        if not one.leaves:
            return planning.consequence(self._adapter, "edit", next(iter(one.fields)))
        if self._adapter is None or self._adapter.expiry is None:
            return "is kept in memtui as expired"
        return self._adapter.supports("expire").words
