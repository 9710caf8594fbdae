"""After a crash: the intents that nobody is carrying out any more (S-7)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from memtui.errors import Refused
from memtui.formats.base import Adapter, Standing
from memtui.workspace import mirror
from memtui.workspace.bodies import unbody
from memtui.workspace.core import Core
from memtui.workspace.outbox import Piece, fail, settle

_INTENDED = (
    "SELECT o.item_id, o.store_id, o.plan, o.lease, o.token, i.journal_id, i.memory_id "
    "FROM outbox o JOIN journal_items i ON i.id = o.item_id WHERE o.state = 'intended' ORDER BY o.item_id"
)
# The store cannot be asked now: its intents wait.
_LATER = ("missing", "busy", "io", "read-only", "unreadable", "damaged", "changed")


def reconcile(core: Core) -> list[str]:
    """Settle the intents that nobody is carrying out: finish what was written, report what was not (S-7).

    They are those of dead processes, and our own: the caller holds `core.writing`, so none is
    under way. Returns a sentence for each; nothing stays half done.
    """
    if not core.db.rows(_INTENDED):
        return []
    groups: dict[tuple[int, str], list[tuple[Any, ...]]] = {}
    for row in _orphans(core):
        groups.setdefault((row[1], row[4]), []).append(row)
    told = [_reconcile_one(core, store_id, token, group) for (store_id, token), group in groups.items()]
    core.leases.sweep()
    return told


def _orphans(core: Core) -> list[tuple[Any, ...]]:
    """The intents without an owner, made ours: another memtui that starts now leaves them to us."""
    mine = core.leases.mine()
    with core.db.atomic():
        rows = [row for row in core.db.rows(_INTENDED) if row[3] == mine or not core.leases.is_held(row[3])]
        core.db.run_many("UPDATE outbox SET lease = ? WHERE item_id = ?", [(mine, row[0]) for row in rows])
    return rows


def _reconcile_one(core: Core, store_id: int, token: str, rows: Sequence[tuple[Any, ...]]) -> str:
    line = rows[0][5]
    summary = core.t.Line.get_by_id(line).summary
    store = core.t.Store.get_by_id(store_id)
    pieces = [Piece(None, store, {}, {}, item=row[0], memory_id=row[6]) for row in rows]
    try:
        adapter = core.adapter(store)
        assert adapter is not None
        pieces = [_piece_of(core, adapter, store, row) for row in rows]
        plans = [p.plan for p in pieces if p.plan is not None]
        standing = adapter.standing(plans, token)
        if standing in (Standing.AFTER, Standing.PARTLY):
            receipt = adapter.finish(plans, token)
            with core.db.atomic():
                settle(core, store_id, line, pieces, receipt)
            return f"Finished after an interruption: {summary}"
        why = (
            "memtui ended before it was written; nothing was changed."
            if standing is Standing.BEFORE
            else "memtui ended while writing and the store was changed since; it was left as it is."
        )
    except Exception as trouble:  # one store's trouble must not keep the workspace from opening
        if not isinstance(trouble, Refused) or trouble.code in _LATER:
            return f"Not settled yet: {summary} ({trouble})"
        why = f"memtui ended before it was settled, and the store cannot be read: {trouble}"
    with core.db.atomic():
        for piece in pieces:
            fail(core, piece, "failed", why)
    return f"Not done: {summary} ({why})"


def _piece_of(core: Core, adapter: Adapter, store: Any, row: Sequence[Any]) -> Piece:
    item, line, memory_id = row[0], row[5], row[6]
    body = core.t.Body.get_or_none(core.t.Body.item_id == item)
    data = json.loads(row[2])
    found = mirror.held(core.db, [memory_id])
    stands = bool(found) and (bool(found[0].memory.ref) or found[0].moved is not None)
    undoes = core.db.one(
        "SELECT older.id FROM journal j JOIN journal_items older "
        "ON older.journal_id = j.undoes AND older.memory_id = ? WHERE j.id = ?",
        (memory_id, line),
    )
    return Piece(
        held=found[0] if stands else None,
        store=store,
        before=unbody(body.before) if body else {},
        after=unbody(body.after) if body else {},
        ours=unbody(json.dumps(data["ours"])),
        said=unbody(json.dumps(data["said"])),
        adapter=adapter,
        plan=adapter.load_plan(data),
        undoes_item=undoes,
        item=item,
        memory_id=memory_id,
    )
