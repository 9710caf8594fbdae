"""What was written in a store lately, and what of it was taken back since (S-51)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, PriorWrites
from memtui.memory.memory import Memory
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import planned, unbody

_MOST = 200  # writes that are looked at
_UNDO = ("undone", "redone")
_AWAY, _BACK = ("dismissed", "superseded", "resolved"), "restored"


def past(
    ctx: Context, store: StoreRow, adapter: Adapter, carriers: Mapping[int, int]
) -> tuple[PriorWrites, ...]:
    """The store's newest writes, newest first, as they stand once these items are taken back, each with the
    item that carried it out last (a redo's, or itself)."""
    rows = ctx.db.rows(
        # What takes back a change that does not stand is nothing together with it, whoever took it back last:
        # after a redo that was undone, too.
        "SELECT i.id, i.memory_id, j.kind, o.plan, st.undone_by IS NOT NULL OR EXISTS ("
        "SELECT 1 FROM journal_items t JOIN item_states s ON s.item_id = t.id AND s.undone_by IS NOT NULL "
        "WHERE t.journal_id = j.undoes AND t.memory_id = i.memory_id), st.effective_item, j.id, j.undoes "
        "FROM journal_items i JOIN journal j ON j.id = i.journal_id "
        "JOIN item_states st ON st.item_id = i.id AND st.state = 'done' "
        "JOIN outbox o ON o.item_id = i.id AND o.plan IS NOT NULL "
        "WHERE i.store_id = ? ORDER BY i.id DESC LIMIT ?",
        (store.id, _MOST),
    )
    if len(rows) == _MOST:  # of the oldest unit there may be more
        rows = [row for row in rows if row[6] != rows[-1][6]]
    memory_of = {row[0]: row[1] for row in rows}
    dead = {row[0] for row in rows if row[4]}
    undone = {row[0] for row in rows if row[4] and row[2] not in _UNDO}
    pairs = _back_again([row for row in rows if row[0] not in dead])
    try:
        plans = [(row[0], planned(adapter, row[3])) for row in rows]
    except Refused:  # an entry is damaged: the others are taken back by what stands there now
        return ()
    mine = set(carriers.values())
    redone = {*carriers, *(row[0] for row in rows if row[5] in mine)} - mine
    gone = {*redone, *mine, *dead}
    ours = {memory_of.get(carrier) for carrier in mine}
    # What came back before the first of these is no matter of theirs.
    others = [pair for pair in pairs if memory_of[pair[0]] not in ours and pair[1] > min(mine)]
    returning = {each for pair in others for each in pair} - gone
    gone |= returning
    units = {row[0]: (row[6], row[7]) for row in rows}
    units |= {back: (units[back][0], units[away][0]) for away, back in pairs}
    return tuple(
        PriorWrites(plan, id in gone, id in mine, id in undone, *units[id], id in returning, id in redone)
        for id, plan in plans
    )


def _back_again(rows: list[tuple[Any, ...]]) -> list[tuple[int, int]]:
    """The items by which a memory left and came back: together they are nothing."""
    away: dict[int, int] = {}
    found: list[tuple[int, int]] = []
    for item, memory_id, kind, *_ in reversed(rows):
        if kind in _AWAY:
            away[memory_id] = item
        elif kind == _BACK and memory_id in away:
            found.append((away.pop(memory_id), item))
        else:
            away.pop(memory_id, None)
    return found


_LATER = (
    "SELECT b.before FROM journal_items i JOIN item_states st ON st.item_id = i.id AND st.state = 'done' "
    "JOIN bodies b ON b.item_id = i.id AND b.before IS NOT NULL "
    "WHERE i.memory_id = ? AND i.id > ? ORDER BY i.id"
)


def since(ctx: Context, memory_id: int, item: int) -> list[dict[str, Any]]:
    """What each later change of a memory found there, oldest first, whether it stands or was taken back."""
    return [unbody(before) for (before,) in ctx.db.rows(_LATER, (memory_id, item))]


def later_words(memory: Memory, found: Iterable[Mapping[str, Any]], names: Iterable[str]) -> str:
    """Why a memory cannot go with the change by which it came: what anybody wrote in these fields since would
    go along. `found` is what each later change found there, oldest first."""
    was: dict[str, Any] = {}
    for before in found:
        was = {**before, **was}
    others = [name for name in names if name in was and getattr(memory, name) != was[name]]
    return f"its {' and '.join(others)} changed since; undo that first." if others else ""
