"""One change, one unit (S-7): intent and journal line; the foreign write; mirror row and outcome.

A unit is made of pieces, one a memory. What is ours alone is done in the first transaction;
what goes to a foreign store is intended there, written, and settled in the second.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memtui.errors import Conflict, NotSaved, Refused
from memtui.formats.contract.adapter import Adapter, Link, Planned, Receipt, Standing
from memtui.formats.media.files import atomic_write
from memtui.memory.records import RECORD_FIELDS, plain
from memtui.workspace.changes import verdict_rows
from memtui.workspace.context import NATIVE
from memtui.workspace.db.database import in_words, unwritable
from memtui.workspace.db.rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.journal.items import (
    BESIDE,
    NO_FIELDS,
    RELATION,
    RELATIONS,
    VERDICT,
    Item,
    next_item,
    write_items,
)
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import backups
from memtui.workspace.sync import news

if TYPE_CHECKING:
    from memtui.workspace.context import Core


_BROKEN_OFF = ("io", "disk-full", "partly")  # codes of refusals in the middle of a write
_ENDED = "memtui ended before it stood in the other store; it was left as it is."
_HALVES = "Left as it is: the journal entry of the other half is still open, since {}."
ATTEMPTS, PATIENCE, PAUSE = 5, 5.0, 0.02  # of a write beside an agent's: at least, seconds; and between two


@dataclass(slots=True)
class ChangeItem:
    """One memory's part in a unit.

    `before` and `after` hold the fields touched; the pseudo-field `here` says whether the
    memory stands in its store at all (add, and add undone). `ours` are the fields that the
    workspace keeps, `plan` the foreign part, `refused` why there is none.
    """

    held: MirrorRow | None
    store: StoreRow  # the stores row
    before: dict[str, Any]
    after: dict[str, Any]
    ours: dict[str, Any] = field(default_factory=dict)
    adapter: Adapter | None = None  # None: our own store
    plan: Planned | None = None
    refused: Refused | None = None
    undoes_item: int | None = None
    link: Link | None = None  # of relate, unrelate, retie, supersede
    was: Link | None = None  # what it said, of retie
    fields: dict[str, Any] = field(default_factory=dict)  # of an add, as its format spells them
    needs: ChangeItem | None = None  # carried out only once that one was
    pair: ChangeItem | None = None  # the other half of a move, which comes before it
    depends_on_fields: tuple[str, ...] = ()  # fields of the memory that must still say what `held` does
    said: dict[str, Any] = field(default_factory=dict)  # what the store says of `ours`
    whole: bool = False  # carried out only with all other pieces of its unit
    unsettled: str = ""  # written, but the journal entry is still open; why
    item: int = 0
    memory_id: int = 0


Again = Callable[[Sequence[ChangeItem]], None]


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a unit."""

    line: int
    pieces: Sequence[ChangeItem]

    @property
    def good(self) -> list[ChangeItem]:
        """The pieces that were carried out."""
        return [piece for piece in self.pieces if piece.refused is None]

    @property
    def unsettled(self) -> str:
        """Why the journal entry is still open although the store was written; "" if it is not."""
        return next((piece.unsettled for piece in self.pieces if piece.unsettled), "")

    @property
    def ending(self) -> str:
        """The same, to put behind what was done."""
        why = self.unsettled
        return f"; the journal entry is finished at the next start, since {why}" if why else ""


def run(
    core: Core,
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
    lease = core.leases.mine()
    own = next((p.store for p in pieces if p.store.format == NATIVE and p.refused is None), None)
    if own is not None:
        backups.before_write(core, own, None)
    _ask(pieces)
    with core.db.atomic():
        meanwhile(core, pieces)
        _hang_together(pieces)
        line = core.t.Line.create(
            at=core.clock(), actor=actor or core.actor, kind=kind, summary=summary, undoes=undoes
        ).id
        token = f"{lease}-{line}"
        _intend(core, line, pieces, lease, token)
        if begun is not None:
            begun(line)
    for store, group in _by_store(pieces).items():
        group = _ready(core, group)
        if not group:
            continue
        core.on_step("before the foreign write")
        receipt = _carry_out(core, group, token, again)
        group = [piece for piece in group if piece.refused is None]
        if receipt is None:
            continue
        core.on_step("after the foreign write")
        with _settling(core, group):
            settle(core, store, line, group, receipt)
            follow(core, line, [p for p in pieces if _waits(p) and any(p.needs is each for each in group)])
        core.on_step("after settling")
    _leave(core, [piece for piece in pieces if _waits(piece)])
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
def _settling(core: Core, written: Sequence[ChangeItem]) -> Iterator[None]:
    """The transaction after a write. Where the workspace cannot take it now, the write stands all the same:
    the intents stay open, and the next start settles them (reconcile.py)."""
    try:
        with in_words(core.path), core.db.atomic():
            yield
    except (Refused, OSError) as trouble:
        for piece in written:
            piece.unsettled = unwritable(trouble)


def _waits(piece: ChangeItem) -> bool:
    """Whether a piece of our own store hangs on what is written to a foreign one."""
    return piece.plan is None and piece.refused is None and piece.needs is not None


def follow(core: Core, line: int, pieces: Sequence[ChangeItem]) -> None:
    """What is ours and waited for a foreign write is done with it."""
    _keep(core, pieces)
    for piece in pieces:
        core.db.run("DELETE FROM outbox WHERE item_id = ? AND state = 'waiting'", (piece.item,))
        core.t.Standing.update(state="done", why="").where(core.t.Standing.item_id == piece.item).execute()
        if piece.undoes_item is not None:
            _toggle(core, piece.undoes_item, line, piece.item)


def _leave(core: Core, pieces: Sequence[ChangeItem]) -> None:
    """What waited for a write that was refused stays as it is."""
    for piece in pieces:
        if (why := _not_ready(piece)) is not None:
            piece.refused = why
            give_up(core, [piece])


def _ready(core: Core, group: Sequence[ChangeItem]) -> list[ChangeItem]:
    """The pieces whose need was met; the others are put down as refused."""
    ready: list[ChangeItem] = []
    for piece in group:
        if (why := _not_ready(piece)) is None:
            ready.append(piece)
            continue
        piece.refused = why
        give_up(core, [piece])
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


def _carry_out(core: Core, group: Sequence[ChangeItem], token: str, again: Again | None) -> Receipt | None:
    """Write one store's plans, anew where the store changed beside them; None if it was refused."""
    adapter = group[0].adapter
    assert adapter is not None
    end = time.monotonic() + PATIENCE
    for attempt in itertools.count():
        try:
            if not attempt:
                backups.before_write(core, group[0].store, adapter)
            return adapter.carry_out([p.plan for p in group if p.plan is not None], token)
        except (Refused, OSError) as trouble:
            refusal = trouble if isinstance(trouble, Refused) else atomic_write.refusal(trouble)
        late = attempt >= ATTEMPTS - 1 and time.monotonic() > end
        if refusal.code != "changed" or again is None or late:
            break
        time.sleep(PAUSE * min(attempt, ATTEMPTS))
        again(group)
        _refuse_all([piece for piece in group if piece.whole])
        with core.db.atomic():
            for piece in group:
                _plan_anew(core, piece)
        group = [piece for piece in group if piece.refused is None]
        if not group:
            return None
    if refusal.code in _BROKEN_OFF:
        return _broken_off(core, group, token, refusal)
    _refused(core, group, refusal)
    return None


def _refused(core: Core, group: Sequence[ChangeItem], refusal: Refused) -> None:
    for piece in group:
        piece.refused = refusal
    give_up(core, group)


def _broken_off(core: Core, group: Sequence[ChangeItem], token: str, refusal: Refused) -> Receipt | None:
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
        _refused(core, group, refusal)
        return None
    for piece in group:
        piece.refused = open_still
    return None


def give_up(core: Core, pieces: Sequence[ChangeItem], *, whole: bool = False) -> None:
    """Put refused pieces down as refused; those that are whole only once nothing of them stands elsewhere.
    Where the workspace cannot take that now, the next start finds that nothing came of the intents."""
    with _settling(core, ()):
        for piece in pieces:
            if piece.refused is not None and (whole or not piece.whole):
                fail(core, piece, "refused", piece.refused.message)


def _plan_anew(core: Core, piece: ChangeItem) -> None:
    """Another plan for an intent that stands, or why there is none any more."""
    if piece.refused is not None:
        if not piece.whole:
            fail(core, piece, "refused", piece.refused.message)
        return
    core.db.run("UPDATE outbox SET plan = ? WHERE item_id = ?", (_kept_plan(piece), piece.item))


def _kept_plan(piece: ChangeItem) -> str:
    assert piece.adapter is not None
    assert piece.plan is not None
    return json.dumps(piece.adapter.dump(piece.plan) | _kept_beside(piece))


def _kept_beside(piece: ChangeItem) -> dict[str, Any]:
    return {"ours": plain(piece.ours), "said": plain(piece.said), "whole": piece.whole}


def meanwhile(core: Core, pieces: Sequence[ChangeItem]) -> None:
    """Refuse pieces whose own fields another memtui changed since they were read, and take the
    rows as they are now."""
    now = memory_rows.again(core.db, [piece.held for piece in pieces if piece.held is not None])
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
        if any(notes) and relation_overrides.why_not_again(core.db, piece.store.id, *notes):
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


def _intend(core: Core, line: int, pieces: Sequence[ChangeItem], lease: str, token: str) -> None:
    """First transaction: the items, and all that is ours. Plain statements, one for many rows: a bulk verb
    has thousands of pieces."""
    db = core.db
    first = next_item(db)
    for number, piece in enumerate(pieces, first):
        piece.item = number
    items: list[Item] = []
    intents: list[tuple[Any, ...]] = []
    done: list[ChangeItem] = []
    for piece in pieces:
        if piece.held is None:
            piece.memory_id = _make_room(core, piece)
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
    _keep(core, done)
    for piece in done:
        if piece.undoes_item is not None:
            _toggle(core, piece.undoes_item, line, piece.item)


def _state_of(piece: ChangeItem) -> tuple[str, str]:
    """How the item of a piece stands before anything is written to a store, and why."""
    if _waits(piece) and piece.needs is not None and piece.needs.plan is not None:
        # So it stands if memtui ends in between: nothing is taken away that does not stand elsewhere.
        # What is whole is settled by reconcile.
        return ("intended", "") if piece.whole else ("failed", _ENDED)
    state = "refused" if piece.refused else "intended" if piece.plan else "done"
    return state, piece.refused.message if piece.refused else ""


def _make_room(core: Core, piece: ChangeItem) -> int:
    """The row of a memory that is being added; it counts as removed until it stands in its store."""
    ref = piece.plan.ref_after if piece.plan is not None else core.new_id()
    assert ref is not None
    (uid,) = memory_rows.free_uids(core.db, piece.store.format, [ref], piece.store.path)
    now = core.clock()
    row = core.t.Memory.create(
        uid=uid,
        store_id=piece.store.id,
        ref=ref if piece.plan is None else None,
        seen_at=now,
        removed_at=now,
        content=piece.after.get("content", ""),
    )
    memory_rows.rehash(core.db, row.id)
    return int(row.id)


def _keep(core: Core, pieces: Sequence[ChangeItem]) -> None:
    """Set what is ours in the mirror."""
    _keep_fields(core, pieces, {p.memory_id: p.held.kept if p.held is not None else {} for p in pieces})
    for piece in pieces:
        if "here" in piece.ours:
            removed = None if piece.ours["here"] else core.clock()
            core.db.run("UPDATE memories SET removed_at = ? WHERE id = ?", (removed, piece.memory_id))


def _keep_fields(core: Core, pieces: Sequence[ChangeItem], kept: Mapping[int, Mapping[str, Any]]) -> None:
    """The same, but for whether they stand in their stores; `kept` is what was ours of each before."""
    db = core.db
    plain: list[memory_rows.Keeping] = []
    for piece in pieces:
        values = {name: value for name, value in piece.ours.items() if name not in NO_FIELDS}
        if values:
            said = None if piece.store.format == NATIVE else piece.said
            plain.append((piece.memory_id, values, kept[piece.memory_id], said))
    memory_rows.keep_all(db, plain)
    for piece in pieces:
        id = piece.memory_id
        if RELATION in piece.ours:
            memory_rows.tie(db, id, piece.before.get(RELATION), piece.ours[RELATION])
        if RELATIONS in piece.ours:
            for tie in piece.before.get(RELATIONS) or ():
                memory_rows.tie(db, id, tie, None)
            for tie in piece.ours[RELATIONS] or ():
                memory_rows.tie(db, id, None, tie)
        if BESIDE in piece.ours:
            notes = piece.before.get(BESIDE) or (), piece.ours[BESIDE] or ()
            relation_overrides.put(db, piece.store.id, *notes)
        if VERDICT in piece.ours:
            verdict_rows.put(core, piece.item, piece.before.get(VERDICT), piece.ours[VERDICT])


def fail(core: Core, piece: ChangeItem, state: str, why: str) -> None:
    """Put an intent down as not done, with its reason; what was made room for goes."""
    core.t.Standing.update(state=state, why=why).where(core.t.Standing.item_id == piece.item).execute()
    core.t.Outbox.update(state=state).where(core.t.Outbox.item_id == piece.item).execute()
    if piece.held is None:
        core.db.run("DELETE FROM memories WHERE id = ? AND ref IS NULL AND moved IS NULL", (piece.memory_id,))


def settle(core: Core, store_id: int, line: int, group: Sequence[ChangeItem], receipt: Receipt) -> None:
    """Second transaction, for one store: the mirror, the receipt, the outcome."""
    db = core.db
    db.run("UPDATE stores SET epoch = epoch + 1 WHERE id = ?", (store_id,))
    news.found_beside(core, group[0].store, receipt, {piece.memory_id for piece in group})
    gone = _left_beside(core, store_id, group, receipt)
    units = memory_rows.units_of(db, [*gone, *(piece.memory_id for piece in group)])
    units |= {record.unit for record in receipt.records}
    _take_out(core, [p for p in group if p.plan is not None and p.plan.ref_after is None])
    freed = memory_rows.rename(db, store_id, receipt.renamed, core.clock())
    here = {record.ref for record in receipt.records}
    missing: list[ChangeItem] = []  # their entity was changed, and they are not in it
    staying = [(p, p.plan.ref_after) for p in group if p.plan is not None and not _stays_out(p)]
    refs = memory_rows.refs_of(db, [piece.memory_id for piece, ref in staying if ref is not None])
    given: set[str] = set()  # to another row
    for piece, ref in staying:
        if ref is None:
            continue
        there = refs[piece.memory_id] if refs[piece.memory_id] not in given else None
        if ref not in here:
            if there in here:
                continue  # another hand reworded it meanwhile, and its row goes on as that
            missing.append(piece)
        if there != ref:
            freed += memory_rows.free_ref(db, store_id, ref, core.clock())
            db.run("UPDATE memories SET ref = ? WHERE id = ?", (ref, piece.memory_id))
            given.add(ref)
    store = group[0].store
    sql = (
        "SELECT ref, id, kept, anchor, unit FROM memories "
        "WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))"
    )
    rows = {row[0]: row[1:] for row in db.rows(sql, (store_id, json.dumps(list(here))))}
    units |= {row[-1] for row in rows.values()}
    known = [record for record in receipt.records if record.ref in rows]
    called = {rows[r.ref][2]: r.anchor for r in known if rows[r.ref][2] != r.anchor}  # from now on
    memory_rows.renew(db, [(rows[r.ref][0], r, json.loads(rows[r.ref][1])) for r in known])
    added = [record for record in receipt.records if record.ref not in rows]
    memory_rows.insert(db, store_id, store.format, store.path, added, core.clock())
    for piece in missing:
        # Its entity stands by what is said of it again, or another hand took it.
        _gone(core, piece.memory_id)
    for id in gone:
        _gone(core, id)
    taken = {piece.memory_id for piece in missing if _was_taken(piece, receipt)}
    _removed(core, store, taken | _nowhere(core, set(freed) - gone))
    if receipt.links is not None:
        relation_overrides.follow(db, store_id, receipt.links, called)
        units |= memory_rows.set_links(db, store_id, None, receipt.links)
    if receipt.asides is not None:
        units |= memory_rows.set_asides(db, store_id, None, receipt.asides)
    memory_rows.forget_units(db, store_id, units)
    for table in ("standings", "outbox"):  # plain statements: a bulk verb has thousands of items
        sql = f"UPDATE {table} SET state = 'done' WHERE item_id = ?"
        db.run_many(sql, [(piece.item,) for piece in group])
    by_id = {piece.memory_id: piece for piece in group}
    sql = "SELECT id, kept FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    kept = {id: json.loads(text) for id, text in db.rows(sql, (json.dumps(list(by_id)),))}
    _keep_fields(core, list(by_id.values()), kept)
    for piece in by_id.values():
        if piece.undoes_item is not None:
            _toggle(core, piece.undoes_item, line, piece.item)


def _take_out(core: Core, leaving: Sequence[ChangeItem]) -> None:
    """The rows of memories that left their store."""
    db = core.db
    db.run_many(
        "UPDATE memories SET ref = NULL, moved = ? WHERE id = ?", [(p.item, p.memory_id) for p in leaving]
    )
    gone = [p.memory_id for p in leaving if p.after.get("here") is False]
    dismissed = [(p.memory_id,) for p in leaving if p.after.get("here") is not False]
    db.run_many("UPDATE memories SET removed_at = ? WHERE id = ?", [(core.clock(), id) for id in gone])
    db.run_many("UPDATE memories SET status = 'dismissed' WHERE id = ?", dismissed)


def _stays_out(piece: ChangeItem) -> bool:
    """Whether a piece changes only the entity of a memory that is out of the store, and leaves it out."""
    out = piece.held is not None and piece.held.moved is not None
    return out and piece.plan is not None and piece.plan.ref is not None


def _left_beside(core: Core, store_id: int, group: Sequence[ChangeItem], receipt: Receipt) -> set[int]:
    """The rows whose records left though no piece meant them; asked before a row takes another's
    ref, since equal texts are renumbered."""
    rows = core.db.rows(
        "SELECT id FROM memories WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))",
        (store_id, json.dumps(receipt.gone)),
    )
    return {row[0] for row in rows} - {piece.memory_id for piece in group}


def _was_taken(piece: ChangeItem, receipt: Receipt) -> bool:
    """Whether another hand had removed a memory before this change of its entity, unseen by any pull."""
    if piece.held is None or piece.plan is None or piece.held.removed_at is not None:
        return False
    return receipt.stood is not None and piece.plan.ref_after not in receipt.stood


def _nowhere(core: Core, freed: Iterable[int]) -> set[int]:
    """Those of these rows that got no other ref."""
    out = "ref IS NULL AND moved IS NULL"
    sql = f"SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?)) AND {out}"
    return {row[0] for row in core.db.rows(sql, (json.dumps(list(freed)),))}


def _removed(core: Core, store: StoreRow, ids: Iterable[int]) -> None:
    """Journal what another hand had removed, which was seen only as a change of ours came past."""
    items = [(id, {"here": True}, {"here": False}) for id in sorted(ids)]
    if items:
        told = f"{store.name}: {len(items)} removed"
        entries.note(core, f"sync:{store.name}", entries.PULLED, told, items)


def _gone(core: Core, id: int) -> None:
    """A record left beside the ones meant (an entity's bare line): no history, no row. One with a history
    keeps its ref, by which it is known when the record comes back."""
    known = core.db.one("SELECT 1 FROM journal_items WHERE memory_id = ?", (id,))
    if known or core.db.one("SELECT kept FROM memories WHERE id = ?", (id,)) != "{}":
        core.db.run("UPDATE memories SET removed_at = ? WHERE id = ?", (core.clock(), id))
    else:
        core.db.run("DELETE FROM memories WHERE id = ?", (id,))


def _toggle(core: Core, item: int, line: int, by: int) -> None:
    """`item` is undone by `line`; what it had undone stands again, and so on down the chain."""
    undone = True
    this: int | None = item
    while this is not None:
        if undone:
            # Where a redo had carried it, the redo is undone with it.
            core.db.run(
                "UPDATE standings SET undone_by = ?1 WHERE item_id = ?2 "
                "OR item_id = (SELECT carried_by FROM standings WHERE item_id = ?2)",
                (line, this),
            )
        else:
            core.db.run("UPDATE standings SET undone_by = NULL, carried_by = ? WHERE item_id = ?", (by, this))
        undone = not undone
        this = core.db.one(
            "SELECT older.id FROM journal_items i JOIN journal j ON j.id = i.journal_id "
            "JOIN journal_items older ON older.journal_id = j.undoes AND older.memory_id = i.memory_id "
            "WHERE i.id = ?",
            (this,),
        )
