"""What a write left in the store, taken into the mirror and the journal (S-7)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memtui.formats.contract.adapter import Receipt
from memtui.workspace.changes import verdict_rows
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import NATIVE
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.journal.items import (
    BESIDE,
    NO_FIELDS,
    RELATION,
    RELATIONS,
    VERDICT,
)
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.sync import news

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def keep(ctx: Context, pieces: Sequence[ChangeItem]) -> None:
    """Set what is ours in the mirror."""
    keep_fields(ctx, pieces, {p.memory_id: p.held.kept if p.held is not None else {} for p in pieces})
    for piece in pieces:
        if "here" in piece.ours:
            removed = None if piece.ours["here"] else ctx.clock()
            ctx.db.run("UPDATE memories SET removed_at = ? WHERE id = ?", (removed, piece.memory_id))


def keep_fields(ctx: Context, pieces: Sequence[ChangeItem], kept: Mapping[int, Mapping[str, Any]]) -> None:
    """The same, but for whether they stand in their stores; `kept` is what was ours of each before."""
    db = ctx.db
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
            verdict_rows.put(ctx, piece.item, piece.before.get(VERDICT), piece.ours[VERDICT])


def settle(ctx: Context, store_id: int, line: int, group: Sequence[ChangeItem], receipt: Receipt) -> None:
    """Second transaction, for one store: the mirror, the receipt, the outcome."""
    db = ctx.db
    db.run("UPDATE stores SET epoch = epoch + 1 WHERE id = ?", (store_id,))
    news.found_beside(ctx, group[0].store, receipt, {piece.memory_id for piece in group})
    gone = left_related(ctx, store_id, group, receipt)
    units = memory_rows.units_of(db, [*gone, *(piece.memory_id for piece in group)])
    units |= {record.unit for record in receipt.records}
    _take_out(ctx, [p for p in group if p.plan is not None and p.plan.ref_after is None])
    freed = memory_rows.rename(db, store_id, receipt.renamed, ctx.clock())
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
            freed += memory_rows.free_ref(db, store_id, ref, ctx.clock())
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
    memory_rows.insert(db, store_id, store.format, store.path, added, ctx.clock())
    for piece in missing:
        # Its entity stands by what is said of it again, or another hand took it.
        _gone(ctx, piece.memory_id)
    for id in gone:
        _gone(ctx, id)
    taken = {piece.memory_id for piece in missing if _was_taken(piece, receipt)}
    _removed(ctx, store, taken | nowhere(ctx, set(freed) - gone))
    if receipt.links is not None:
        relation_overrides.follow(db, store_id, receipt.links, called)
        units |= memory_rows.set_links(db, store_id, None, receipt.links)
    if receipt.asides is not None:
        units |= memory_rows.set_asides(db, store_id, None, receipt.asides)
    memory_rows.forget_units(db, store_id, units)
    for table in ("item_states", "outbox"):  # plain statements: a bulk verb has thousands of items
        sql = f"UPDATE {table} SET state = 'done' WHERE item_id = ?"
        db.run_many(sql, [(piece.item,) for piece in group])
    by_id = {piece.memory_id: piece for piece in group}
    sql = "SELECT id, kept FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    kept = {id: json.loads(text) for id, text in db.rows(sql, (json.dumps(list(by_id)),))}
    keep_fields(ctx, list(by_id.values()), kept)
    for piece in by_id.values():
        if piece.undoes_item is not None:
            toggle(ctx, piece.undoes_item, line, piece.item)


def _take_out(ctx: Context, leaving: Sequence[ChangeItem]) -> None:
    """The rows of memories that left their store."""
    db = ctx.db
    db.run_many(
        "UPDATE memories SET ref = NULL, moved = ? WHERE id = ?", [(p.item, p.memory_id) for p in leaving]
    )
    gone = [p.memory_id for p in leaving if p.after.get("here") is False]
    dismissed = [(p.memory_id,) for p in leaving if p.after.get("here") is not False]
    db.run_many("UPDATE memories SET removed_at = ? WHERE id = ?", [(ctx.clock(), id) for id in gone])
    db.run_many("UPDATE memories SET status = 'dismissed' WHERE id = ?", dismissed)


def _stays_out(piece: ChangeItem) -> bool:
    """Whether a piece changes only the entity of a memory that is out of the store, and leaves it out."""
    out = piece.held is not None and piece.held.moved is not None
    return out and piece.plan is not None and piece.plan.ref is not None


def left_related(ctx: Context, store_id: int, group: Sequence[ChangeItem], receipt: Receipt) -> set[int]:
    """The rows whose records left though no piece meant them; asked before a row takes another's
    ref, since equal texts are renumbered."""
    rows = ctx.db.rows(
        "SELECT id FROM memories WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))",
        (store_id, json.dumps(receipt.gone)),
    )
    return {row[0] for row in rows} - {piece.memory_id for piece in group}


def _was_taken(piece: ChangeItem, receipt: Receipt) -> bool:
    """Whether another hand had removed a memory before this change of its entity, unseen by any pull."""
    if piece.held is None or piece.plan is None or piece.held.removed_at is not None:
        return False
    return receipt.stood is not None and piece.plan.ref_after not in receipt.stood


def nowhere(ctx: Context, freed: Iterable[int]) -> set[int]:
    """Those of these rows that got no other ref."""
    out = "ref IS NULL AND moved IS NULL"
    sql = f"SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?)) AND {out}"
    return {row[0] for row in ctx.db.rows(sql, (json.dumps(list(freed)),))}


def _removed(ctx: Context, store: StoreRow, ids: Iterable[int]) -> None:
    """Journal what another hand had removed, which was seen only as a change of ours came past."""
    items = [(id, {"here": True}, {"here": False}) for id in sorted(ids)]
    if items:
        told = f"{store.name}: {len(items)} removed"
        entries.note(ctx, f"sync:{store.name}", entries.PULLED, told, items)


def _gone(ctx: Context, id: int) -> None:
    """A record left beside the ones meant (an entity's bare line): no history, no row. One with a history
    keeps its ref, by which it is known when the record comes back."""
    known = ctx.db.one("SELECT 1 FROM journal_items WHERE memory_id = ?", (id,))
    if known or ctx.db.one("SELECT kept FROM memories WHERE id = ?", (id,)) != "{}":
        ctx.db.run("UPDATE memories SET removed_at = ? WHERE id = ?", (ctx.clock(), id))
    else:
        ctx.db.run("DELETE FROM memories WHERE id = ?", (id,))


def toggle(ctx: Context, item: int, line: int, by: int) -> None:
    """`item` is undone by `line`; what it had undone stands again, and so on down the chain."""
    undone = True
    this: int | None = item
    while this is not None:
        if undone:
            # Where a redo had carried it, the redo is undone with it.
            ctx.db.run(
                "UPDATE item_states SET undone_by = ?1 WHERE item_id = ?2 "
                "OR item_id = (SELECT effective_item FROM item_states WHERE item_id = ?2)",
                (line, this),
            )
        else:
            ctx.db.run(
                "UPDATE item_states SET undone_by = NULL, effective_item = ? WHERE item_id = ?", (by, this)
            )
        undone = not undone
        this = ctx.db.one(
            "SELECT older.id FROM journal_items i JOIN journal j ON j.id = i.journal_id "
            "JOIN journal_items older ON older.journal_id = j.undoes AND older.memory_id = i.memory_id "
            "WHERE i.id = ?",
            (this,),
        )
