"""Looking ahead at what decay takes, and carrying out what is due (S-26, S-27)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memtui.errors import Refused
from memtui.formats import atomic
from memtui.formats.base import Adapter, Planned, Write
from memtui.memory import lifecycles
from memtui.memory.forecasting import Forecast, forecast
from memtui.memory.lifecycles.base import Ages, Lifecycle
from memtui.memory.outlook import LONGEST, Outlook
from memtui.memory.records import LIVE, RECORD_FIELDS, Change, Memory, Skipped
from memtui.workspace import ageing, curate, mirror, outbox, sync
from memtui.workspace.core import Core
from memtui.workspace.mirror import Held
from memtui.workspace.outbox import Piece

TIERS = ("l0", "l1", "l2", "l3", "l4")
LEAVES = {"here": False}
_CHUNK = 1_000
# What a step hangs on.
_SEEN = ("confidence", "status", "tier", "last_used_at", "expires_at", "valid_to", "last_confirmed_at")


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
    where: str = ""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run did, or why each part of it was not done; nothing was due where `change` is None."""

    change: Change | None
    due: tuple[Due, ...]
    skipped: tuple[Skipped, ...] = ()


def preview(core: Core, now: float, what_if: str = "", *, store: str = "", live: bool = True) -> Outlook:
    """What is foretold of all memories; Refused for a lifecycle or a store that there is not."""
    if what_if and what_if not in lifecycles.NAMES:
        known = ", ".join(lifecycles.NAMES)
        raise Refused("lifecycle", f"There is no lifecycle {what_if}.", f"Known are {known}.")
    if store:
        store = sync.named(core, store).name
    whole = ageing.outlook(core, now, store=store, live=live)
    return whole.tried(what_if, core.half_lives) if what_if else whole


def forecast_of(core: Core, id: int, now: float, days: float, what_if: str = "") -> Forecast | None:
    """What becomes of one memory; None if it is gone."""
    found = mirror.held(core.db, [id])
    if not found:
        return None
    return _forecast(core, found[0], core.t.Store.get_by_id(found[0].store_id), now, days, what_if)


def forecasts(
    core: Core, now: float, days: float, what_if: str, store: str
) -> Iterator[tuple[Memory, Forecast]]:
    """Each memory with what becomes of it, store by store; none that another hand removed."""
    whole = preview(core, now, what_if, store=store, live=False)
    for group in whole.groups:
        for start in range(0, len(group.ids), _CHUNK):
            ids = [int(id) for id in group.ids[start : start + _CHUNK]]
            held = {each.id: each for each in mirror.held(core.db, ids)}
            for place, id in enumerate(ids, start):
                if id in held:
                    memory = held[id].memory
                    ages = group.ages.alone(place)
                    yield memory, forecast(group.lifecycle, ages, now, days, memory.status)


def _forecast(core: Core, held: Held, store: Any, now: float, days: float, what_if: str = "") -> Forecast:
    lifecycle, ages = ageing.one(core, held.id, held.memory, store, now)
    if what_if and what_if != lifecycle.name:
        lifecycle, ages = lifecycles.by_name(what_if, core.half_lives), replace(ages, since=now)
    if held.removed_at is not None:
        ages = replace(ages, live=False)
    return forecast(lifecycle, ages, now, days, "removed" if held.removed_at else held.memory.status)


def within(days: float) -> float:
    """A horizon that can be foretold; Refused beyond five years."""
    if not 0 <= days <= LONGEST:
        raise Refused("days", f"The horizon must be from 0 to {LONGEST} days.", "Nothing was changed.")
    return days


# -- what is due


def due(core: Core, now: float) -> list[Due]:
    """What a run at `now` would do, soonest due first; a store that was run on that day stays as of then."""
    whole = preview(core, now)
    count = whole.until(0, leaving=False)
    ids = whole.ids(count, leaving=False)
    held = {each.id: each for each in mirror.held(core.db, ids)}
    stores = {each.id: each for each in core.t.Store.select()}
    since = {id: ageing.since_of(core, each) for id, each in stores.items()}
    out: list[Due] = []
    for place, id in enumerate(ids):
        each = held.get(id)
        if each is None or each.moved is not None:
            continue
        known = since[each.store_id]
        until, run_at = known.until(now), known.run_at(id)
        if run_at is not None and run_at >= until:
            continue
        lifecycle, ages = whole.place(place, leaving=False)
        if (one := _due(each, lifecycle, ages, until)) is not None:
            out.append(_where(core, one, stores[each.store_id]))
    return sorted(out, key=lambda one: one.at)


def _due(held: Held, lifecycle: Lifecycle, ages: Ages, now: float) -> Due | None:
    course = lifecycle.course(ages, now)
    told = forecast(lifecycle, ages, now, 0)
    if told.as_is.next is None or told.as_is.next.at > now:
        return None
    memory = held.memory
    fields: dict[str, Any] = {}
    leaving = told.as_is.leaves is not None and told.as_is.leaves.at <= now
    if leaving:
        moment = told.as_is.leaves
        assert moment is not None
        what = moment.what
    else:
        moment = told.as_is.next
        assert moment is not None
        after = round(float(course.score(now)), 4)
        tier = course.events[int(course.next()[1])].to
        if tier in TIERS:
            fields = {"tier": tier}
            if memory.tier is not None and tier < memory.tier:
                fields["promotion_count"] = memory.promotion_count + 1
            what = f"{memory.tier} → {tier}"
        elif memory.confidence is not None and after < memory.confidence and hasattr(course, "owed"):
            fields = {"confidence": after}
            what = f"{memory.confidence:.2f} → {after:.2f}"
        else:
            return None  # a label that changes is only told
    return Due(held.id, memory.uid, memory.store, held.label, what, moment.rule, moment.at, fields, leaving)


def _where(core: Core, one: Due, store: Any) -> Due:
    """The fields that a memory's store sets when it leaves, and in words what happens there."""
    try:
        adapter = core.adapter(store)
    except Refused as refusal:
        return replace(one, where=refusal.message)
    if not one.leaves:
        name = next(iter(one.fields))
        return replace(one, where=curate.consequence(adapter, "edit", name))
    if adapter is None or adapter.expiry is None:
        return replace(one, fields={"status": "expired"}, where="is kept in memtui as expired")
    return replace(one, fields=dict(adapter.expiry), where=adapter.supports("expire").words)


# -- carrying it out


def run(core: Core, now: float) -> Ran:
    """Do what is due as one batch; what cannot be done now is done by a later run, even on that day."""
    core.writable()
    stores = {
        each.id: each
        for each in core.t.Store.select().where(core.t.Store.detached_at.is_null())
        if not sync.locked(each)
    }
    wanted = due(core, now)
    since = {id: ageing.since_of(core, each) for id, each in stores.items()}
    held = {each.id: each for each in mirror.held(core.db, [one.id for one in wanted])}
    pieces: list[tuple[Piece, bool]] = []
    skipped: list[Skipped] = []
    for one in wanted:
        each = held[one.id]
        store = stores.get(each.store_id)
        if store is None:
            why = sync.locked(core.t.Store.get_by_id(each.store_id))
            skipped.append(Skipped(one.uid, one.label, "read-only", why))
            continue
        before = {name: True if name == "here" else getattr(each.memory, name) for name in one.fields}
        pieces.append((Piece(each, store, before, dict(one.fields)), one.leaves))
    for group in _by_store(pieces):
        _plan(core, group, now)
    line, good = None, list[Piece]()
    touched = {piece.store.id for piece, _ in pieces}

    def mark(line: int | None) -> None:
        """Put down that these stores were run; what is refused or cut off counts as not run."""
        for id, each in stores.items():
            core.db.run(
                "INSERT INTO ageing (store_id, line, at) VALUES (?, ?, ?)",
                (id, line if id in touched else None, since[each.id].until(now)),
            )

    if pieces:
        leaves = {id(piece): leaving for piece, leaving in pieces}

        def again(group: Sequence[Piece]) -> None:
            for piece in group:
                _still(piece)
            good = [(piece, leaves[id(piece)]) for piece in group if piece.refused is None]
            if good:
                _plan(core, good, now)

        all_pieces = [piece for piece, _ in pieces]
        summary = _told(all_pieces, leaves, len(all_pieces))
        done = outbox.run(core, "decayed", summary, all_pieces, again=again, begun=mark)
        line, good = done.line, done.good
        skipped += [
            Skipped(p.held.memory.uid, p.held.label, p.refused.code, p.refused.message)
            for p in all_pieces
            if p.refused is not None and p.held is not None
        ]
        core.stale |= {piece.store.id for piece in all_pieces if piece.refused is not None}
    else:
        with core.db.atomic():
            mark(None)
    if not good:
        return Ran(None, tuple(wanted), tuple(skipped))
    ids = tuple(piece.memory_id for piece in good)
    told = _told(good, {id(piece): leaving for piece, leaving in pieces}, len(wanted))
    return Ran(Change("decayed", ids, told, line, tuple(skipped)), tuple(wanted), tuple(skipped))


def _still(piece: Piece) -> None:
    """Refuse what was changed meanwhile: then it is not due as it was."""
    assert piece.held is not None
    memory = piece.held.memory
    same = all(name == "here" or getattr(memory, name) == was for name, was in piece.before.items())
    if not same or memory.status not in LIVE or piece.held.removed_at is not None or memory.pinned:
        piece.refused = Refused("changed-since", "It was changed meanwhile, so it is left as it is.")


def _by_store(pieces: Sequence[tuple[Piece, bool]]) -> list[list[tuple[Piece, bool]]]:
    groups: dict[int, list[tuple[Piece, bool]]] = {}
    for each in pieces:
        groups.setdefault(each[0].store.id, []).append(each)
    return list(groups.values())


def _plan(core: Core, group: Sequence[tuple[Piece, bool]], now: float) -> None:
    """Part the fields into the store's own and ours, and plan the store's."""
    store = group[0][0].store
    try:
        adapter = core.adapter(store)
        foreign: list[tuple[Piece, Write]] = []
        for piece, leaving in group:
            piece.adapter, piece.plan = adapter, None
            theirs = _theirs(adapter, piece, leaving)
            piece.ours = {name: value for name, value in piece.after.items() if name not in theirs}
            if theirs:
                assert adapter is not None
                foreign.append((piece, _write(core, adapter, piece, leaving, now)))
        if adapter is None or not foreign:
            return
        answers: Sequence[Planned | Refused] = adapter.plan([write for _, write in foreign])
    except Refused as refusal:
        for piece, _ in group:
            piece.refused = refusal
        return
    except OSError as trouble:
        for piece, _ in group:
            piece.refused = atomic.refusal(trouble)
        return
    for (piece, _), answer in zip(foreign, answers, strict=True):
        if isinstance(answer, Refused):
            piece.refused = answer
        elif piece.after == LEAVES:
            piece.plan = replace(answer, ref_after=None)
        else:
            piece.plan = answer


def _theirs(adapter: Adapter | None, piece: Piece, leaving: bool) -> set[str]:
    if adapter is None or (leaving and adapter.expiry is None):
        return set()
    if leaving:
        return set(piece.after)
    assert piece.held is not None
    return set(piece.after) & adapter.fields_of(piece.held.memory.kind)


def _write(core: Core, adapter: Adapter, piece: Piece, leaving: bool, now: float) -> Write:
    assert piece.held is not None
    memory: Memory = piece.held.memory
    # What leaves goes with all that it says; a step hangs on what made it due. What an agent used or
    # changed since is left for the next run.
    said = (adapter.fields | adapter.remade | {"status"}) & RECORD_FIELDS - piece.held.kept.keys() - {"extra"}
    seen = {name: getattr(memory, name) for name in (said if leaving else said & set(_SEEN))}
    fields = {} if piece.after == LEAVES else {n: v for n, v in piece.after.items() if n not in piece.ours}
    return Write("expire" if leaving else "edit", memory.ref, fields, seen, now, who=core.actor)


def _told(pieces: Sequence[Piece], leaves: dict[int, bool], of: int) -> str:
    """ "Decay: 3 lowered, 2 expired in founder-os:acme, minions"."""
    gone = sum(leaves[id(piece)] for piece in pieces)
    moved = sum("tier" in piece.after for piece in pieces)
    lowered = len(pieces) - gone - moved
    parts = [
        f"{n:,} {word}"
        for n, word in ((lowered, "lowered"), (moved, "moved between tiers"), (gone, "left"))
        if n
    ]
    names = ", ".join(dict.fromkeys(piece.store.name for piece in pieces))
    rest = f" ({len(pieces):,} of {of:,})" if len(pieces) < of else ""
    return f"Decay: {', '.join(parts)} in {names}{rest}"
