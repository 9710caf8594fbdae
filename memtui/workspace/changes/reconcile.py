"""After a crash: the intents that nobody is carrying out any more (S-7)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, Planned, Standing
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.outbox import fail, follow
from memtui.workspace.changes.settlement import settle
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import in_words, unwritable
from memtui.workspace.db.models import ItemBody, JournalEntry, Store
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import unbody
from memtui.workspace.mirror import memory_rows

_INTENDED = (
    "SELECT o.item_id, o.store_id, o.plan, o.lease, o.token, i.journal_id, i.memory_id "
    "FROM outbox o JOIN journal_items i ON i.id = o.item_id WHERE o.state = 'intended' ORDER BY o.item_id"
)
_OPEN = (
    "SELECT o.item_id, o.store_id, o.plan, o.lease, o.token, i.journal_id, i.memory_id, o.state "
    "FROM outbox o JOIN journal_items i ON i.id = o.item_id "
    "WHERE i.journal_id = ? AND o.state IN ('waiting', 'intended') ORDER BY o.item_id"
)
_DAMAGED = "damaged-entry"
# The store cannot be asked now: its intents wait.
_LATER = ("missing", "busy", "io", "read-only", "unreadable", "damaged", "changed")


def reconcile(ctx: Context) -> list[str]:
    """Settle the intents that nobody is carrying out: finish what was written, report what was not (S-7).

    They are those of dead processes, and our own: the caller holds `core.writing`, so none is
    under way. Returns a sentence for each; nothing stays half done.
    """
    if not ctx.db.rows(_INTENDED):
        return []
    groups: dict[tuple[int, str], list[tuple[Any, ...]]] = {}
    try:
        with in_words(ctx.path):
            rows = _orphans(ctx)
    except (Refused, OSError) as trouble:  # the workspace can be read all the same
        return [f"Changes that were cut off are not settled yet: {unwritable(trouble)}."]
    for row in rows:
        groups.setdefault((row[1], row[4]), []).append(row)
    told = [_reconcile_one(ctx, store_id, token, group) for (store_id, token), group in groups.items()]
    ctx.leases.sweep()
    return told


def _orphans(ctx: Context) -> list[tuple[Any, ...]]:
    """The intents without an owner, made ours: another memtui that starts now leaves them to us."""
    mine = ctx.leases.mine()
    with ctx.db.atomic():
        rows = [row for row in ctx.db.rows(_INTENDED) if row[3] == mine or not ctx.leases.is_held(row[3])]
        ctx.db.run_many("UPDATE outbox SET lease = ? WHERE item_id = ?", [(mine, row[0]) for row in rows])
    return rows


def _reconcile_one(ctx: Context, store_id: int, token: str, rows: Sequence[tuple[Any, ...]]) -> str:
    line = rows[0][5]
    told = ctx.db.find(JournalEntry, line)
    summary = told.summary if told is not None else "a change"
    found = store_rows.find(ctx.db, store_id)
    store: StoreRow = found or Store(id=store_id, name=f"lost-{store_id}", format="lost", path="")
    pieces = [ChangeItem(None, store, {}, {}, item=row[0], memory_id=row[6]) for row in rows]
    go_on = False
    try:
        adapter = ctx.adapter(store) if found is not None else None
        pieces, plans = _planned(ctx, adapter, store, rows)
        if adapter is None or not plans:
            raise _damaged()
        standing = adapter.standing(plans, token)
        if pieces[0].whole and standing is Standing.BEFORE and _hangs(ctx, rows[0]):
            return f"Not settled yet: {summary} (another store comes first)"
        go_on = standing is Standing.BEFORE and _begun(ctx, line)
        if standing in (Standing.AFTER, Standing.PARTLY) or go_on:
            receipt = adapter.carry_out(plans, token) if go_on else adapter.finish(plans, token)
            with ctx.db.atomic():
                settle(ctx, store_id, line, pieces, receipt)
                follow(ctx, line, _waiting(ctx, line))
            return f"Finished after an interruption: {summary}"
        why = (
            "memtui ended before it was written; nothing was changed."
            if standing is Standing.BEFORE
            else "memtui ended while writing and the store was changed since; it was left as it is."
        )
    except Exception as trouble:  # one store's trouble must not keep the workspace from opening
        stale = go_on and isinstance(trouble, Refused) and trouble.code == "changed"
        if not stale and (not isinstance(trouble, Refused) or trouble.code in _LATER):
            return f"Not settled yet: {summary} ({trouble or type(trouble).__name__})"
        why = f"memtui ended before it was settled, and the store cannot be read: {trouble}"
        if isinstance(trouble, Refused) and trouble.code == _DAMAGED:
            why = f"memtui cannot tell whether it was written: {trouble}"
    if pieces[0].whole:
        from memtui.workspace.changes import undo  # which pulls, and that comes here first

        try:
            undo.roll_back_partial(ctx, line)
        except (Refused, OSError) as trouble:
            why = f"{why} What was done elsewhere still stands: {trouble}"
    others = _unfinished(ctx, line) if pieces[0].whole else []
    with ctx.db.atomic():
        for piece in (*pieces, *others):
            fail(ctx, piece, "failed", why)
    return f"Not done: {summary} ({why})"


def _planned(
    ctx: Context, adapter: Adapter | None, store: StoreRow, rows: Sequence[tuple[Any, ...]]
) -> tuple[list[ChangeItem], list[Planned]]:
    """The pieces of a store with what was planned for it. Refused where that is damaged."""
    try:
        pieces = [_piece_of(ctx, adapter, store, row) for row in rows]
    except (ValueError, LookupError, TypeError, AttributeError) as trouble:
        raise _damaged() from trouble
    return pieces, [piece.plan for piece in pieces if piece.plan is not None]


def _damaged() -> Refused:
    return Refused(_DAMAGED, "its journal entry is damaged.")


def _begun(ctx: Context, line: int) -> bool:
    """Whether another store has its part of a line that is whole or nothing already: then this one
    follows."""
    return bool(
        ctx.db.one(
            "SELECT 1 FROM outbox o JOIN journal_items i ON i.id = o.item_id JOIN item_states st "
            "ON st.item_id = i.id WHERE i.journal_id = ? AND o.state = 'done' AND st.undone_by IS NULL "
            "AND json_extract(o.plan, '$.whole') LIMIT 1",
            (line,),
        )
    )


def _hangs(ctx: Context, row: Sequence[Any]) -> bool:
    """Whether a store that comes before this one in a line could not be settled yet."""
    return bool(
        ctx.db.one(
            "SELECT 1 FROM outbox o JOIN journal_items i ON i.id = o.item_id WHERE i.journal_id = ? "
            "AND o.state = 'intended' AND o.store_id <> ? AND o.item_id < ? LIMIT 1",
            (row[5], row[1], row[0]),
        )
    )


def _waiting(ctx: Context, line: int) -> list[ChangeItem]:
    """What is ours alone in a line that is whole, once all its stores have their part."""
    rows = ctx.db.rows(_OPEN, (line,))
    if any(row[-1] == "intended" for row in rows):
        return []
    stores = {row[1]: store_rows.get(ctx.db, row[1]) for row in rows}
    return [_piece_of(ctx, _adapter_of(ctx, stores[row[1]]), stores[row[1]], row) for row in rows]


def _unfinished(ctx: Context, line: int) -> list[ChangeItem]:
    """What is open in a line that is whole where one store refused its part: enough to put it down as
    failed, whatever its entries say."""
    stores: dict[int, StoreRow] = store_rows.by_id(ctx.db)
    return [
        ChangeItem(None, stores[row[1]], {}, {}, item=row[0], memory_id=row[6])
        for row in ctx.db.rows(_OPEN, (line,))
    ]


def _adapter_of(ctx: Context, store: StoreRow) -> Adapter | None:
    try:
        return ctx.adapter(store)
    except Refused:
        return None


def _piece_of(ctx: Context, adapter: Adapter | None, store: StoreRow, row: Sequence[Any]) -> ChangeItem:
    item, line, memory_id = row[0], row[5], row[6]
    body = ctx.db.find(ItemBody, item)
    data = json.loads(row[2])
    found = memory_rows.held(ctx.db, [memory_id])
    stands = bool(found) and (bool(found[0].memory.ref) or found[0].moved is not None)
    undoes = ctx.db.one(
        "SELECT older.id FROM journal j JOIN journal_items older "
        "ON older.journal_id = j.undoes AND older.memory_id = ? WHERE j.id = ?",
        (memory_id, line),
    )
    return ChangeItem(
        held=found[0] if stands else None,
        store=store,
        before=unbody(body.before) if body else {},
        after=unbody(body.after) if body else {},
        ours=unbody(json.dumps(data["ours"])),
        said=unbody(json.dumps(data["said"])),
        adapter=adapter,
        plan=adapter.load_plan(data) if adapter is not None and "ref" in data else None,
        whole=bool(data.get("whole")),
        undoes_item=undoes,
        item=item,
        memory_id=memory_id,
    )
