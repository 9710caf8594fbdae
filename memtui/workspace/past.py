"""What memtui wrote in a store lately, and what of it was taken back since (S-51)."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from memtui.formats.base import Adapter, Past
from memtui.workspace.core import Core

_MOST = 200  # writes that are looked at
_AWAY, _BACK = ("dismissed", "superseded"), "restored"


def past(core: Core, store: Any, adapter: Adapter, mine: Collection[int]) -> dict[int, tuple[Past, ...]]:
    """The store's newest writes, newest first, once for each item of `mine`, as if that one were taken
    back."""
    rows = core.db.rows(
        "SELECT i.id, i.memory_id, j.kind, o.plan, st.undone_by IS NOT NULL OR EXISTS ("
        "SELECT 1 FROM journal_items t JOIN standings s ON s.item_id = t.id "
        "WHERE t.journal_id = j.undoes AND t.memory_id = i.memory_id AND s.undone_by = j.id) "
        "FROM journal_items i JOIN journal j ON j.id = i.journal_id "
        "JOIN standings st ON st.item_id = i.id AND st.state = 'done' "
        "JOIN outbox o ON o.item_id = i.id AND o.plan IS NOT NULL "
        "WHERE i.store_id = ? ORDER BY i.id DESC LIMIT ?",
        (store.id, _MOST),
    )
    dead = {row[0] for row in rows if row[4]}
    dead |= _back_again([row for row in rows if row[0] not in dead])
    plans = [(row[0], adapter.load_plan(json.loads(row[3]))) for row in rows]
    return {
        item: tuple(Past(plan, item == id or id in dead, item == id) for id, plan in plans) for item in mine
    }


def _back_again(rows: list[tuple[Any, ...]]) -> set[int]:
    """The items by which a memory left and came back: together they are nothing."""
    away: dict[int, int] = {}
    found: set[int] = set()
    for item, memory_id, kind, *_ in reversed(rows):
        if kind in _AWAY:
            away[memory_id] = item
        elif kind == _BACK and memory_id in away:
            found |= {item, away.pop(memory_id)}
        else:
            away.pop(memory_id, None)
    return found
