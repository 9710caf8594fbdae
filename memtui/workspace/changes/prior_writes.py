"""The newest writes to a store, and which of them were undone since (S-51)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import PriorWrite
from memtui.memory.memory import Memory
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import wording_undo
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import decode_body, load_plan

_LIMIT = 200  # writes that are considered
_UNDO = ("undone", "redone")
_AWAY, _BACK = ("dismissed", "superseded", "resolved", "forgotten"), "restored"

# One query over five tables for all of a store's writes, with what became of each. A write that undoes a
# change which is not in effect cancels out together with it, whichever undo came last: after a redo that was
# undone, too.
_WRITES = """
SELECT i.id, i.memory_id, j.kind, o.plan, st.undone_by IS NOT NULL OR EXISTS (
    SELECT 1 FROM journal_items t JOIN item_states s ON s.item_id = t.id AND s.undone_by IS NOT NULL
    WHERE t.journal_id = j.undoes AND t.memory_id = i.memory_id), st.effective_item, j.id, j.undoes
FROM journal_items i JOIN journal j ON j.id = i.journal_id
JOIN item_states st ON st.item_id = i.id AND st.state = 'done'
JOIN outbox o ON o.item_id = i.id AND o.plan IS NOT NULL
WHERE i.store_id = ? ORDER BY i.id DESC LIMIT ?
"""
# A redaction is no edit: what it replaced is kept as dots, and nobody would lose it.
_LATER = (
    "SELECT b.before FROM journal_items i JOIN item_states st ON st.item_id = i.id AND st.state = 'done' "
    "JOIN bodies b ON b.item_id = i.id AND b.before IS NOT NULL "
    "JOIN journal j ON j.id = i.journal_id AND j.kind <> 'redacted' "
    "WHERE i.memory_id = ? AND i.id > ? ORDER BY i.id"
)


@dataclass(frozen=True, slots=True)
class _Written:
    """A write to a store, by its journal item. `reverted` is not 0 if it has no effect any more."""

    item_id: int
    memory_id: int
    kind: str
    plan: str
    reverted: int
    effective_item: int
    entry_id: int
    undoes: int | None


def load(
    ctx: Context, store: StoreRow, adapter: Adapter, effective_items: Mapping[int, int]
) -> tuple[PriorWrite, ...]:
    """Return the store's newest writes, newest first, as they will be once these items are undone.

    `effective_items` maps each item to the one whose plan is in effect: a redo's, or itself.
    """
    writes = [_Written(*row) for row in ctx.db.rows(_WRITES, (store.id, _LIMIT))]
    if len(writes) == _LIMIT:  # the oldest entry may have more
        oldest = writes[-1].entry_id
        writes = [each for each in writes if each.entry_id != oldest]
    memory_of = {each.item_id: each.memory_id for each in writes}
    reverted = {each.item_id for each in writes if each.reverted}
    undone = {each.item_id for each in writes if each.reverted and each.kind not in _UNDO}
    round_trips = _round_trips([each for each in writes if each.item_id not in reverted])
    try:
        plans = [(each.item_id, load_plan(adapter, each.plan)) for each in writes]
    except Refused:  # an entry is damaged: the others are undone by what is stored now
        return ()
    own = set(effective_items.values())
    redone = {*effective_items, *(each.item_id for each in writes if each.effective_item in own)} - own
    gone = {*redone, *own, *reverted}
    own_memories = {memory_of.get(item_id) for item_id in own}
    # What returned before the first of these items does not concern them.
    others = [trip for trip in round_trips if memory_of[trip[0]] not in own_memories and trip[1] > min(own)]
    returning = {item_id for trip in others for item_id in trip} - gone
    gone |= returning
    units = {each.item_id: (each.entry_id, each.undoes) for each in writes}
    units |= {back: (units[back][0], units[away][0]) for away, back in round_trips}
    return tuple(
        PriorWrite(
            plan,
            item_id in gone,
            item_id in own,
            item_id in undone,
            *units[item_id],
            item_id in returning,
            item_id in redone,
        )
        for item_id, plan in plans
    )


def _round_trips(writes: list[_Written]) -> list[tuple[int, int]]:
    """Return pairs of items by which a memory left its store and came back: together they have no effect."""
    away: dict[int, int] = {}
    found: list[tuple[int, int]] = []
    for each in reversed(writes):
        if each.kind in _AWAY:
            away[each.memory_id] = each.item_id
        elif each.kind == _BACK and each.memory_id in away:
            found.append((away.pop(each.memory_id), each.item_id))
        else:
            away.pop(each.memory_id, None)
    return found


def values_before_later(ctx: Context, memory_id: int, item_id: int) -> list[Fields]:
    """Return the fields before each later change of a memory, oldest first, undone changes included,
    redactions not."""
    return [decode_body(before) for (before,) in ctx.db.rows(_LATER, (memory_id, item_id))]


def later_edit_reason(memory: Memory, later: Iterable[Mapping[str, FieldValue]], names: Iterable[str]) -> str:
    """Return why the change that added a memory cannot be undone: what was written in these fields since
    would be lost; "" if nothing would. `later` are the fields before each later change, oldest first."""
    first: Fields = {}
    for before in later:
        first = {**before, **first}
    changed = [name for name in names if name in first and getattr(memory, name) != first[name]]
    return wording_undo.fields_changed(changed) if changed else ""
