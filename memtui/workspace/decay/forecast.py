"""Forecasts of decay, and what of it is due (S-26, S-27)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.memory import lifecycles
from memtui.memory.lifecycles.base import DecayInputs, Lifecycle
from memtui.memory.lifecycles.forecast import TIERS, Forecast, forecast
from memtui.memory.lifecycles.outlook import LONGEST, Outlook
from memtui.memory.memory import Memory
from memtui.values import Fields
from memtui.workspace.changes import planning
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.decay import wording
from memtui.workspace.decay.inputs import load_outlook, memory_inputs
from memtui.workspace.decay.owed import owed_since
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog

_CHUNK = 1_000


@dataclass(frozen=True, slots=True)
class DueStep:
    """What a run would do to one memory.

    `what` is the change ("0.50 → 0.45"), `rule` why, `at` when it became due (Unix seconds), `where` what is
    written and where. `leaves` says whether the memory leaves its store.
    """

    id: int
    uid: str
    store: str
    label: str
    what: str
    rule: str
    at: float
    fields: Fields
    leaves: bool
    row: MirrorRow  # as it was judged
    where: str = ""


def outlook(
    ctx: Context,
    now: float,
    what_if: str = "",
    *,
    store: str = "",
    live: bool = True,
    ids: Collection[int] | None = None,
) -> Outlook:
    """Return the outlook of all memories, of one store's or of these `ids`; `what_if` tries another
    lifecycle. Raise Refused for an unknown lifecycle or store."""
    if what_if and what_if not in lifecycles.NAMES:
        raise wording.unknown_lifecycle(what_if, lifecycles.NAMES)
    if store:
        store = catalog.find_attached(ctx, store).name
    own = load_outlook(ctx, now, store=store, live=live, only=ids)
    return own.what_if(what_if, ctx.half_lives) if what_if else own


def forecast_of(ctx: Context, id: int, now: float, days: float, what_if: str = "") -> Forecast | None:
    """Return the forecast of one memory; None if it is gone."""
    found = memory_rows.load(ctx.db, [id])
    if not found:
        return None
    return forecast_row(ctx, found[0], store_rows.get(ctx.db, found[0].store_id), now, days, what_if)


def forecast_row(
    ctx: Context, row: MirrorRow, store: StoreRow, now: float, days: float, what_if: str = ""
) -> Forecast:
    """Return the forecast of a memory that is loaded."""
    lifecycle, inputs = memory_inputs(ctx, row.id, row.memory, store, now)
    if what_if and what_if != lifecycle.name:
        lifecycle, inputs = lifecycles.by_name(what_if, ctx.half_lives), replace(inputs, since=now)
    if row.removed_at is not None:
        inputs = replace(inputs, live=False)
    return forecast(lifecycle, inputs, now, days, "removed" if row.removed_at else row.memory.status)


def forecasts(
    ctx: Context, now: float, days: float, what_if: str, store: str
) -> Iterator[tuple[Memory, Forecast]]:
    """Yield each memory with its forecast, store by store, except those that other programs removed."""
    whole = outlook(ctx, now, what_if, store=store, live=False)
    for group in whole.groups:
        for start in range(0, len(group.ids), _CHUNK):
            ids = [int(id) for id in group.ids[start : start + _CHUNK]]
            rows = {row.id: row for row in memory_rows.load(ctx.db, ids)}
            for place, id in enumerate(ids, start):
                if id in rows:
                    memory = rows[id].memory
                    inputs = group.inputs.single(place)
                    yield memory, forecast(group.lifecycle, inputs, now, days, memory.status)


def soonest(
    ctx: Context, now: float, days: float, what_if: str, store: str, most: int
) -> tuple[list[tuple[Memory, Forecast]], Outlook]:
    """Return the first `most` memories to which something happens within `days`, and the whole outlook."""
    whole = outlook(ctx, now, what_if, store=store)
    ids = whole.ids(min(whole.count_until(days, removals=False), most), removals=False)
    memories = {row.id: row.memory for row in memory_rows.load(ctx.db, ids)}
    found: list[tuple[Memory, Forecast]] = []
    for place, id in enumerate(ids):
        if id in memories:
            memory = memories[id]
            lifecycle, inputs = whole.at(place, removals=False)
            found.append((memory, forecast(lifecycle, inputs, now, days, memory.status)))
    return found, whole


def checked_days(days: float) -> float:
    """Return a horizon that can be forecast; raise Refused beyond five years."""
    if not 0 <= days <= LONGEST:
        raise wording.bad_horizon(LONGEST)
    return days


# -- what is due


def due_steps(ctx: Context, now: float) -> list[DueStep]:
    """Return what a run at `now` would do, first due first; a store that was run on that day is judged as of
    then."""
    whole = outlook(ctx, now)
    ids = whole.ids(whole.count_until(0, removals=False), removals=False)
    rows = {row.id: row for row in memory_rows.load(ctx.db, ids)}
    stores = store_rows.by_id(ctx.db)
    owed = {id: owed_since(ctx, store) for id, store in stores.items()}
    effects = {id: _Effects(ctx, store) for id, store in stores.items()}
    steps: list[DueStep] = []
    for place, id in enumerate(ids):
        row = rows.get(id)
        if row is None or row.moved is not None:
            continue
        until, run_at = owed[row.store_id].until(now), owed[row.store_id].run_at(id)
        if run_at is not None and run_at >= until:
            continue
        if (step := _due_step(row, *whole.at(place, removals=False), until)) is not None:
            steps.append(effects[row.store_id].complete(step))
    return sorted(steps, key=lambda step: step.at)


def _due_step(row: MirrorRow, lifecycle: Lifecycle, inputs: DecayInputs, now: float) -> DueStep | None:
    projection, memory = lifecycle.projection(inputs, now), row.memory
    at, which = projection.removal()
    leaves = at <= now
    if not leaves:
        at, which = projection.next_transition()
    if at > now:
        return None
    transition = projection.transitions[int(which)]
    fields: Fields = {}
    what = transition.to
    if not leaves and transition.to in TIERS:
        fields = {"tier": transition.to}
        if memory.tier is not None and transition.to < memory.tier:
            fields["promotion_count"] = memory.promotion_count + 1
        what = f"{memory.tier} → {transition.to}"
    elif not leaves:
        after = round(float(projection.score(now)), 4)
        if transition.to or memory.confidence is None or after >= memory.confidence:
            return None  # a label that changes is only shown
        fields = {"confidence": after}
        what = f"{memory.confidence:.2f} → {after:.2f}"
    return DueStep(
        row.id, memory.uid, memory.store, row.label, what, transition.rule, float(at), fields, leaves, row
    )


class _Effects:
    """What decay writes in one store, and where."""

    def __init__(self, ctx: Context, store: StoreRow) -> None:
        self._locked = catalog.locked_reason(store)
        self._adapter: Adapter | None = None
        try:
            self._adapter = ctx.adapter(store) if store.detached_at is None else None
        except Refused as refusal:
            self._locked = refusal.message

    def complete(self, step: DueStep) -> DueStep:
        """Return the step with the fields of a memory that leaves, and with its effect."""
        expiry = None if self._adapter is None else self._adapter.expiry
        if step.leaves:
            step = replace(step, fields={"status": "expired"} if expiry is None else dict(expiry))
        return replace(step, where=wording.blocked(self._locked) if self._locked else self._effect(step))

    def _effect(self, step: DueStep) -> str:
        if not step.leaves:
            return planning.support(self._adapter, "edit", next(iter(step.fields))).text
        if self._adapter is None or self._adapter.expiry is None:
            return wording.KEPT_AS_EXPIRED
        return self._adapter.support_for("expire").text
