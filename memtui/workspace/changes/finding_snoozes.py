"""Snoozing a store's finding: journaled and undone like a change of a memory (S-51, S-52)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.memory.encoding import iso
from memtui.memory.results import Change
from memtui.workspace.changes import wording, wording_undo
from memtui.workspace.changes.settlement import toggle_undone
from memtui.workspace.db.models import JournalEntry, ViewState
from memtui.workspace.journal import items
from memtui.workspace.journal.items import FINDING, Item, decode_body
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.changes.revert.items import ItemInEffect
    from memtui.workspace.context import Context

NO_MEMORY = 0  # the memory of such an item
_NAME = "inbox later"  # the name under which the moments are kept
_UNTIL = "snoozed_until"
_STORE = "SELECT store_id FROM journal_items WHERE id = ?"


def snooze(ctx: Context, store_name: str, code: str, until: float) -> Change:
    """Hide the findings of one kind in a store until a moment (Unix seconds)."""
    ctx.writable()
    store = catalog.find_attached(ctx, store_name)
    before = _kept(ctx).get(_key(store.id, code))
    summary = wording.finding_snoozed(store.name, (iso(until) or "")[:10])
    with ctx.db.atomic():
        entry_id, _ = _write(ctx, "snoozed", summary, None, store.id, code, before, until)
    return Change("snoozed", (), summary, entry_id)


def snoozed(ctx: Context, now: float) -> Mapping[tuple[int, str], float]:
    """Return until when findings are hidden, by the store's id and the code."""
    found: dict[tuple[int, str], float] = {}
    for key, until in _kept(ctx).items():
        id, _, code = key.partition("\n")
        if until > now and id.isdigit():
            found[int(id), code] = until
    return found


def is_one(in_effect: Sequence[ItemInEffect]) -> bool:
    """Return whether an entry is about a store's finding."""
    return any(each.memory_id == NO_MEMORY for each in in_effect)


def revert(ctx: Context, entry_id: int, kind: str, summary: str, each: ItemInEffect) -> Change:
    """Undo or redo such an entry, as an entry of this kind; raise Refused if the moment was changed since."""
    before, after = decode_body(each.before), decode_body(each.after)
    code, store_id = str(after.get(FINDING)), int(ctx.db.one(_STORE, (each.item_id,)))
    if _kept(ctx).get(_key(store_id, code)) != after.get(_UNTIL):
        raise wording_undo.not_undone("changed-since", wording_undo.CHANGED_AGAIN)
    with ctx.db.atomic():
        values = after.get(_UNTIL), before.get(_UNTIL)
        new_id, item_id = _write(ctx, kind, summary, entry_id, store_id, code, *values)
        toggle_undone(ctx, each.item_id, new_id, item_id)
    return Change(kind, (), summary, new_id)


def _write(
    ctx: Context,
    kind: str,
    summary: str,
    undoes: int | None,
    store_id: int,
    code: str,
    before: float | None,
    after: float | None,
) -> tuple[int, int]:
    """Set the moment and journal it; return the ids of the entry and its item."""
    kept = _kept(ctx)
    kept.pop(_key(store_id, code), None)
    if after is not None:
        kept[_key(store_id, code)] = after
    ctx.db.write(ViewState.insert(name=_NAME, value=json.dumps(kept)).on_conflict_replace())
    entry = JournalEntry.insert(at=ctx.clock(), actor=ctx.actor, kind=kind, summary=summary, undoes=undoes)
    entry_id = ctx.db.write(entry)
    first = items.next_item(ctx.db)
    old, new = ({FINDING: code, _UNTIL: side} for side in (before, after))
    items.write_items(ctx.db, entry_id, [Item(NO_MEMORY, "", store_id, old, new)], first)
    return entry_id, first


def _kept(ctx: Context) -> dict[str, float]:
    row = ctx.db.find(ViewState, _NAME)
    return dict(json.loads(row.value)) if row is not None else {}


def _key(store_id: int, code: str) -> str:
    return f"{store_id}\n{code}"
