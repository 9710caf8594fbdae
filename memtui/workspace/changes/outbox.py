"""One change, one unit (S-7): intent and journal line; the foreign write; mirror row and outcome.

A unit is made of pieces, one a memory. What is ours alone is done in the first transaction;
what goes to a foreign store is intended there, written, and settled in the second.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from memtui.errors import Conflict, NotSaved, Refused
from memtui.formats.contract.adapter import Receipt, Standing
from memtui.formats.media.files import atomic_write
from memtui.memory.encoding import plain
from memtui.memory.memory import RECORD_FIELDS
from memtui.values import Fields
from memtui.workspace.changes.change_item import ChangeItem, Done
from memtui.workspace.changes.settlement import keep, settle, toggle
from memtui.workspace.context import NATIVE
from memtui.workspace.db.database import in_words, unwritable
from memtui.workspace.db.models import ItemState, JournalEntry, Memory, OutboxEntry
from memtui.workspace.journal.items import (
    BESIDE,
    NO_FIELDS,
    Item,
    next_item,
    write_items,
)
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import backups

if TYPE_CHECKING:
    from memtui.workspace.context import Context


_BROKEN_OFF = ("io", "disk-full", "partly")  # codes of refusals in the middle of a write
_ENDED = "memtui ended before it stood in the other store; it was left as it is."
_HALVES = "Left as it is: the journal entry of the other half is still open, since {}."
ATTEMPTS, PATIENCE, PAUSE = 5, 5.0, 0.02  # of a write beside an agent's: at least, seconds; and between two


Again = Callable[[Sequence[ChangeItem]], None]


def run(
    ctx: Context,
    kind: str,
    summary: str,
    pieces: Sequence[ChangeItem],
    undoes: int | None = None,
    again: Again | None = None,
    begun: Callable[[int], None] | None = None,
    actor: str = "",
) -> Done:
    """Carry a unit out; refused pieces are journaled with their reason and change nothing.

    `again` plans one store's pieces anew: an agent that writes beside us all the time makes
    plans stale that its own records do not touch. `begun` is told the line within the first
    transaction. Pieces that are `whole` stand or fall together; where a later store refuses its part,
    the caller takes back what was done (`journal.ensure_all_or_nothing`), and what was refused stays intended
    until then."""
    lease = ctx.leases.mine()
    own = next((p.store for p in pieces if p.store.format == NATIVE and p.refused is None), None)
    if own is not None:
        backups.before_write(ctx, own, None)
    _ask(pieces)
    with ctx.db.atomic():
        meanwhile(ctx, pieces)
        _hang_together(pieces)
        line = ctx.db.write(
            JournalEntry.insert(
                at=ctx.clock(), actor=actor or ctx.actor, kind=kind, summary=summary, undoes=undoes
            )
        )
        token = f"{lease}-{line}"
        _intend(ctx, line, pieces, lease, token)
        if begun is not None:
            begun(line)
    for store, group in _by_store(pieces).items():
        group = _ready(ctx, group)
        if not group:
            continue
        ctx.on_step("before the foreign write")
        receipt = _carry_out(ctx, group, token, again)
        group = [piece for piece in group if piece.refused is None]
        if receipt is None:
            continue
        ctx.on_step("after the foreign write")
        with _settling(ctx, group):
            settle(ctx, store, line, group, receipt)
            follow(ctx, line, [p for p in pieces if _waits(p) and any(p.needs is each for each in group)])
        ctx.on_step("after settling")
    _leave(ctx, [piece for piece in pieces if _waits(piece)])
    return Done(line, pieces)


def _hang_together(pieces: Sequence[ChangeItem]) -> None:
    """Pieces that are whole: one refusal is that of all; each store's part waits for the one before it,
    and what is ours alone for the last."""
    whole = [piece for piece in pieces if piece.whole]
    _refuse_all(whole)
    groups = list(_by_store(whole).values())
    for before, group in itertools.pairwise(groups):
        for piece in group:
            piece.needs = before[-1]
    for piece in whole:
        if piece.plan is None and groups:
            piece.needs = groups[-1][-1]


def _refuse_all(pieces: Sequence[ChangeItem]) -> None:
    """Where one of these is refused, the others are, too."""
    first = next((piece.refused for piece in pieces if piece.refused is not None), None)
    if first is None:
        return
    for piece in pieces:
        piece.refused = piece.refused or Refused("needs", f"Left as it is: {first.message}")


@contextmanager
def _settling(ctx: Context, written: Sequence[ChangeItem]) -> Iterator[None]:
    """The transaction after a write. Where the workspace cannot take it now, the write stands all the same:
    the intents stay open, and the next start settles them (reconcile.py)."""
    try:
        with in_words(ctx.path), ctx.db.atomic():
            yield
    except (Refused, OSError) as trouble:
        for piece in written:
            piece.unsettled = unwritable(trouble)


def _waits(piece: ChangeItem) -> bool:
    """Whether a piece of our own store hangs on what is written to a foreign one."""
    return piece.plan is None and piece.refused is None and piece.needs is not None


def follow(ctx: Context, line: int, pieces: Sequence[ChangeItem]) -> None:
    """What is ours and waited for a foreign write is done with it."""
    keep(ctx, pieces)
    for piece in pieces:
        ctx.db.run("DELETE FROM outbox WHERE item_id = ? AND state = 'waiting'", (piece.item,))
        ctx.db.write(ItemState.update(state="done", why="").where(ItemState.item_id == piece.item))
        if piece.undoes_item is not None:
            toggle(ctx, piece.undoes_item, line, piece.item)


def _leave(ctx: Context, pieces: Sequence[ChangeItem]) -> None:
    """What waited for a write that was refused stays as it is."""
    for piece in pieces:
        if (why := _not_ready(piece)) is not None:
            piece.refused = why
            give_up(ctx, [piece])


def _ready(ctx: Context, group: Sequence[ChangeItem]) -> list[ChangeItem]:
    """The pieces whose need was met; the others are put down as refused."""
    ready: list[ChangeItem] = []
    for piece in group:
        if (why := _not_ready(piece)) is None:
            ready.append(piece)
            continue
        piece.refused = why
        give_up(ctx, [piece])
    return ready


def _not_ready(piece: ChangeItem) -> Refused | None:
    """Why a piece cannot be carried out: what it needs was refused, or is not in the journal yet."""
    needs = piece.needs
    if needs is None:
        return None
    if needs.refused is not None:
        return Refused("needs", f"Left as it is: {needs.refused.message}")
    if needs.unsettled and not piece.whole:
        return Refused("needs", _HALVES.format(needs.unsettled))
    return None


def _carry_out(ctx: Context, group: Sequence[ChangeItem], token: str, again: Again | None) -> Receipt | None:
    """Write one store's plans, anew where the store changed beside them; None if it was refused."""
    adapter = group[0].adapter
    assert adapter is not None
    end = time.monotonic() + PATIENCE
    for attempt in itertools.count():
        try:
            if not attempt:
                backups.before_write(ctx, group[0].store, adapter)
            return adapter.carry_out([p.plan for p in group if p.plan is not None], token)
        except (Refused, OSError) as trouble:
            refusal = trouble if isinstance(trouble, Refused) else atomic_write.refusal(trouble)
        late = attempt >= ATTEMPTS - 1 and time.monotonic() > end
        if refusal.code != "changed" or again is None or late:
            break
        time.sleep(PAUSE * min(attempt, ATTEMPTS))
        again(group)
        _refuse_all([piece for piece in group if piece.whole])
        with ctx.db.atomic():
            for piece in group:
                _plan_anew(ctx, piece)
        group = [piece for piece in group if piece.refused is None]
        if not group:
            return None
    if refusal.code in _BROKEN_OFF:
        return _broken_off(ctx, group, token, refusal)
    _refused(ctx, group, refusal)
    return None


def _refused(ctx: Context, group: Sequence[ChangeItem], refusal: Refused) -> None:
    for piece in group:
        piece.refused = refusal
    give_up(ctx, group)


def _broken_off(ctx: Context, group: Sequence[ChangeItem], token: str, refusal: Refused) -> Receipt | None:
    """What a write did that failed while it was made: it may stand all the same, as where only the folder
    could not be synced. What stands in part, or cannot be told, stays intended for the next start."""
    adapter, store = group[0].adapter, group[0].store.name
    assert adapter is not None
    plans = [piece.plan for piece in group if piece.plan is not None]
    standing = None
    try:
        standing = adapter.standing(plans, token)
        if standing is Standing.AFTER:
            return adapter.finish(plans, token)
    except (Refused, OSError):
        if standing is Standing.AFTER:
            for piece in group:
                piece.unsettled = f"{store} could not be read back"
            return None
    why = refusal.why
    if standing is None and not any(piece.whole for piece in group):
        said = f"It is not known whether {store} was written: {why}"
        open_still = Refused("unknown", said, "memtui finds out when it next starts.")
    elif standing is Standing.PARTLY and not any(piece.whole for piece in group):
        said = f"Written to {store} only in part: {why}"
        open_still = Refused("partly", said, "memtui finishes it when it next starts.")
    else:
        _refused(ctx, group, refusal)
        return None
    for piece in group:
        piece.refused = open_still
    return None


def give_up(ctx: Context, pieces: Sequence[ChangeItem], *, whole: bool = False) -> None:
    """Put refused pieces down as refused; those that are whole only once nothing of them stands elsewhere.
    Where the workspace cannot take that now, the next start finds that nothing came of the intents."""
    with _settling(ctx, ()):
        for piece in pieces:
            if piece.refused is not None and (whole or not piece.whole):
                fail(ctx, piece, "refused", piece.refused.message)


def _plan_anew(ctx: Context, piece: ChangeItem) -> None:
    """Another plan for an intent that stands, or why there is none any more."""
    if piece.refused is not None:
        if not piece.whole:
            fail(ctx, piece, "refused", piece.refused.message)
        return
    ctx.db.run("UPDATE outbox SET plan = ? WHERE item_id = ?", (_kept_plan(piece), piece.item))


def _kept_plan(piece: ChangeItem) -> str:
    assert piece.adapter is not None
    assert piece.plan is not None
    return json.dumps(piece.adapter.dump(piece.plan) | _kept_beside(piece))


def _kept_beside(piece: ChangeItem) -> dict[str, Any]:
    return {"ours": plain(piece.ours), "said": plain(piece.said), "whole": piece.whole}


def meanwhile(ctx: Context, pieces: Sequence[ChangeItem]) -> None:
    """Refuse pieces whose own fields another memtui changed since they were read, and take the
    rows as they are now."""
    now = memory_rows.again(ctx.db, [piece.held for piece in pieces if piece.held is not None])
    for piece in pieces:
        if piece.held is None or piece.refused is not None:
            continue
        fresh = now.get(piece.held.id)
        if fresh is None:
            piece.refused = NotSaved("gone", "the memory was taken away meanwhile.")
            continue
        came_or_went = (fresh.removed_at is None) != (piece.held.removed_at is None)
        if came_or_went or (
            piece.depends_on_fields and _is_another(fresh, piece.held, piece.depends_on_fields)
        ):
            piece.refused = Refused("changed-since", "It was changed meanwhile, so it is left as it is.")
            continue
        notes = piece.before.get(BESIDE) or (), piece.after.get(BESIDE) or ()
        if any(notes) and relation_overrides.why_not_again(ctx.db, piece.store.id, *notes):
            why = "what memtui keeps of the relation was changed by another memtui meanwhile."
            piece.refused = NotSaved("changed-since", why)
            continue
        ours = [name for name in piece.ours if name not in NO_FIELDS and name in piece.before]
        theirs = {n: getattr(fresh.memory, n) for n in ours if getattr(fresh.memory, n) != piece.before[n]}
        if theirs:
            yours = {name: piece.after.get(name) for name in theirs}
            piece.refused = Conflict("it was changed by another memtui meanwhile.", yours, theirs)
        piece.held = fresh


def _is_another(fresh: MirrorRow, held: MirrorRow, names: Sequence[str]) -> bool:
    """Whether a memory says something else by now."""
    said = any(getattr(fresh.memory, name) != getattr(held.memory, name) for name in names)
    return said or (fresh.removed_at, fresh.moved) != (held.removed_at, held.moved)


def _ask(pieces: Iterable[ChangeItem]) -> None:
    """Find out what the stores say of the fields that are ours: where nothing is kept, the mirror
    knows; else the store is asked."""
    unknown: dict[int, list[ChangeItem]] = {}
    for piece in pieces:
        if piece.held is None or piece.adapter is None or piece.refused is not None:
            continue
        names = piece.ours.keys() & RECORD_FIELDS
        piece.said = {n: getattr(piece.held.memory, n) for n in names - piece.held.kept.keys()}
        if names & piece.held.kept.keys():
            unknown.setdefault(piece.store.id, []).append(piece)
    for group in unknown.values():
        adapter = group[0].adapter
        assert adapter is not None
        try:
            there = adapter.read_refs([p.held.memory.ref for p in group if p.held is not None])
        except (Refused, OSError):
            continue
        for piece in group:
            record = there.get(piece.held.memory.ref) if piece.held is not None else None
            if record is not None:
                piece.said = {n: record.fields[n] for n in piece.ours if n in record.fields}


def _by_store(pieces: Iterable[ChangeItem]) -> dict[int, list[ChangeItem]]:
    groups: dict[int, list[ChangeItem]] = {}
    for piece in pieces:
        if piece.plan is not None and piece.refused is None:
            groups.setdefault(piece.store.id, []).append(piece)
    return groups


def _intend(ctx: Context, line: int, pieces: Sequence[ChangeItem], lease: str, token: str) -> None:
    """First transaction: the items, and all that is ours. Plain statements, one for many rows: a bulk verb
    has thousands of pieces."""
    db = ctx.db
    first = next_item(db)
    for number, piece in enumerate(pieces, first):
        piece.item = number
    items: list[Item] = []
    intents: list[tuple[Any, ...]] = []
    done: list[ChangeItem] = []
    for piece in pieces:
        if piece.held is None:
            piece.memory_id = _make_room(ctx, piece)
            uid = db.one("SELECT uid FROM memories WHERE id = ?", (piece.memory_id,))
        else:
            piece.memory_id, uid = piece.held.id, piece.held.memory.uid
        state, why = _state_of(piece)
        pair = piece.pair.item or None if piece.pair is not None else None
        items.append(Item(piece.memory_id, uid, piece.store.id, piece.before, piece.after, state, why, pair))
        if state == "intended":
            waits = piece.plan is None
            plan = json.dumps(_kept_beside(piece)) if waits else _kept_plan(piece)
            intents.append((piece.item, piece.store.id, plan, "waiting" if waits else state, lease, token))
        elif state == "done":
            done.append(piece)
    write_items(db, line, items, first)
    db.run_many(
        "INSERT INTO outbox (item_id, store_id, plan, state, lease, token) VALUES (?, ?, ?, ?, ?, ?)", intents
    )
    keep(ctx, done)
    for piece in done:
        if piece.undoes_item is not None:
            toggle(ctx, piece.undoes_item, line, piece.item)


def _state_of(piece: ChangeItem) -> tuple[str, str]:
    """How the item of a piece stands before anything is written to a store, and why."""
    if _waits(piece) and piece.needs is not None and piece.needs.plan is not None:
        # So it stands if memtui ends in between: nothing is taken away that does not stand elsewhere.
        # What is whole is settled by reconcile.
        return ("intended", "") if piece.whole else ("failed", _ENDED)
    state = "refused" if piece.refused else "intended" if piece.plan else "done"
    return state, piece.refused.message if piece.refused else ""


def _make_room(ctx: Context, piece: ChangeItem) -> int:
    """The row of a memory that is being added; it counts as removed until it stands in its store."""
    ref = piece.plan.ref_after if piece.plan is not None else ctx.new_id()
    assert ref is not None
    (uid,) = memory_rows.free_uids(ctx.db, piece.store.format, [ref], piece.store.path)
    now = ctx.clock()
    values: Fields = {
        "uid": uid,
        "store_id": piece.store.id,
        "ref": ref if piece.plan is None else None,
        "seen_at": now,
        "removed_at": now,
        "content": piece.after.get("content", ""),
    }
    id = ctx.db.write(Memory.insert(values))
    memory_rows.rehash(ctx.db, id)
    return id


def fail(ctx: Context, piece: ChangeItem, state: str, why: str) -> None:
    """Put an intent down as not done, with its reason; what was made room for goes."""
    ctx.db.write(ItemState.update(state=state, why=why).where(ItemState.item_id == piece.item))
    ctx.db.write(OutboxEntry.update(state=state).where(OutboxEntry.item_id == piece.item))
    if piece.held is None:
        ctx.db.run("DELETE FROM memories WHERE id = ? AND ref IS NULL AND moved IS NULL", (piece.memory_id,))
