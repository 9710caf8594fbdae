"""Doing what decay has due, as one batch (S-27)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, Planned, Write
from memtui.formats.media.files import atomic_write
from memtui.memory.memory import RECORD_FIELDS, Memory
from memtui.memory.results import Change, Skipped
from memtui.text import counted
from memtui.workspace.changes import outbox
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.decay import inputs
from memtui.workspace.decay.forecast import Due, due
from memtui.workspace.stores import catalog

LEAVES = {"here": False}
# What made it due: where one of these is another by now, it is left for the next run.
JUDGED_BY = (
    *("confidence", "status", "tier", "pinned", "last_used_at", "last_confirmed_at"),
    *("expires_at", "valid_to", "times_used"),
)


@dataclass(frozen=True, slots=True)
class DecayRun:
    """What a run did, or why each part of it was not done; nothing was due where `change` is None."""

    change: Change | None
    due: tuple[Due, ...]
    skipped: tuple[Skipped, ...] = ()


def run(ctx: Context, now: float) -> DecayRun:
    """Do what is due as one batch; what cannot be done now is done by a later run, even on that day."""
    ctx.writable()
    stores = {each.id: each for each in store_rows.attached(ctx.db) if not catalog.locked(each)}
    wanted = due(ctx, now)
    pieces, skipped = _pieces(ctx, wanted, stores)
    leaves = {id(piece): leaving for piece, leaving in pieces}
    for group in _by_store(pieces):
        _plan(ctx, group, now)
    marks = {id: inputs.since_of(ctx, each).until(now) for id, each in stores.items()}
    if not pieces:
        with ctx.db.atomic():
            _mark(ctx, {id: min(at, ctx.clock()) for id, at in marks.items()}, None)
        return DecayRun(None, tuple(wanted), tuple(skipped))

    def again(group: Sequence[ChangeItem]) -> None:
        outbox.meanwhile(ctx, group)
        good = [(piece, leaves[id(piece)]) for piece in group if piece.refused is None]
        if good:
            _plan(ctx, good, now)

    each_piece = [piece for piece, _ in pieces]
    names = ", ".join(dict.fromkeys(piece.store.name for piece in each_piece))
    # What came of it is read off the items.
    summary = f"Decay of {counted(len(each_piece), 'memory')} in {names}"
    done = outbox.run(
        ctx, "decayed", summary, each_piece, again=again, begun=lambda line: _mark(ctx, marks, line)
    )
    skipped += [
        Skipped(p.held.memory.uid, p.held.label, p.refused.code, p.refused.message)
        for p in each_piece
        if p.refused is not None and p.held is not None
    ]
    ctx.stale |= {piece.store.id for piece in each_piece if piece.refused is not None}
    if not done.good:
        return DecayRun(None, tuple(wanted), tuple(skipped))
    ids = tuple(piece.memory_id for piece in done.good)
    told = _told(done.good, leaves, len(wanted)) + done.ending
    return DecayRun(Change("decayed", ids, told, done.line, tuple(skipped)), tuple(wanted), tuple(skipped))


def _pieces(
    ctx: Context, wanted: Sequence[Due], stores: dict[int, StoreRow]
) -> tuple[list[tuple[ChangeItem, bool]], list[Skipped]]:
    """A piece for each, and whether it leaves; those of stores that may not be written are left out."""
    pieces: list[tuple[ChangeItem, bool]] = []
    skipped: list[Skipped] = []
    for one in wanted:
        store = stores.get(one.held.store_id)
        if store is None:
            why = catalog.locked(store_rows.get(ctx.db, one.held.store_id))
            skipped.append(Skipped(one.uid, one.label, "read-only", why))
            continue
        before = {name: True if name == "here" else getattr(one.held.memory, name) for name in one.fields}
        pieces.append(
            (ChangeItem(one.held, store, before, dict(one.fields), depends_on_fields=JUDGED_BY), one.leaves)
        )
    return pieces, skipped


def _mark(ctx: Context, marks: dict[int, float], line: int | None) -> None:
    """Put down up to when stores were run, with the line that did it: as that is taken back, so are these.
    Of marks without one only the newest counts."""
    for id, at in marks.items():
        if line is None:
            newest = "(SELECT max(id) FROM decay_runs WHERE store_id = ?)"
            ctx.db.run(f"DELETE FROM decay_runs WHERE id = {newest} AND entry_id IS NULL", (id,))
        ctx.db.run("INSERT INTO decay_runs (store_id, entry_id, at) VALUES (?, ?, ?)", (id, line, at))


def _by_store(pieces: Sequence[tuple[ChangeItem, bool]]) -> list[list[tuple[ChangeItem, bool]]]:
    groups: dict[int, list[tuple[ChangeItem, bool]]] = {}
    for each in pieces:
        groups.setdefault(each[0].store.id, []).append(each)
    return list(groups.values())


def _plan(ctx: Context, group: Sequence[tuple[ChangeItem, bool]], now: float) -> None:
    """Part the fields into the store's own and ours, and plan the store's."""
    store = group[0][0].store
    try:
        adapter = ctx.adapter(store)
        foreign: list[tuple[ChangeItem, Write]] = []
        for piece, leaving in group:
            piece.adapter, piece.plan = adapter, None
            theirs = _theirs(adapter, piece, leaving)
            piece.ours = {name: value for name, value in piece.after.items() if name not in theirs}
            if theirs:
                assert adapter is not None
                foreign.append((piece, _write(ctx, adapter, piece, leaving, now)))
        if adapter is None or not foreign:
            return
        answers: Sequence[Planned | Refused] = adapter.plan([write for _, write in foreign])
    except Refused as refusal:
        for piece, _ in group:
            piece.refused = refusal
        return
    except OSError as trouble:
        for piece, _ in group:
            piece.refused = atomic_write.refusal(trouble)
        return
    for (piece, _), answer in zip(foreign, answers, strict=True):
        if isinstance(answer, Refused):
            piece.refused = answer
        elif piece.after == LEAVES:
            piece.plan = replace(answer, ref_after=None)
        else:
            piece.plan = answer


def _theirs(adapter: Adapter | None, piece: ChangeItem, leaving: bool) -> set[str]:
    if adapter is None or (leaving and adapter.expiry is None):
        return set()
    if leaving:
        return set(piece.after)
    assert piece.held is not None
    return set(piece.after) & adapter.fields_of(piece.held.memory.kind)


def _write(ctx: Context, adapter: Adapter, piece: ChangeItem, leaving: bool, now: float) -> Write:
    assert piece.held is not None
    memory: Memory = piece.held.memory
    # What leaves goes with all that it says; a step hangs on what made it due. What an agent used or
    # changed since is left for the next run.
    said = (
        adapter.fields | adapter.restorable_fields | {"status"}
    ) & RECORD_FIELDS - piece.held.kept.keys() - {"extra"}
    seen = {name: getattr(memory, name) for name in (said if leaving else said & set(JUDGED_BY))}
    fields = {} if piece.after == LEAVES else {n: v for n, v in piece.after.items() if n not in piece.ours}
    return Write("expire" if leaving else "edit", memory.ref, fields, seen, now, who=ctx.actor)


def _told(pieces: Sequence[ChangeItem], leaves: dict[int, bool], of: int) -> str:
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
