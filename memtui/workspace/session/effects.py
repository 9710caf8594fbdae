"""What a change makes of what agents see, in numbers, for the line that announces it (S-72)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memtui.errors import Refused
from memtui.formats import registry
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.session.difference import difference

MOST = 200  # memories of a change whose effect is worked out


@dataclass(frozen=True, slots=True)
class AgentEffect:
    """What a change makes of what one agent is given at its next session.

    `lost` and `gained` count memories of the change itself, `pushed_out` and `let_in` others that lost or
    found their place because of it.
    """

    agent: str
    lost: int = 0
    gained: int = 0
    pushed_out: int = 0
    let_in: int = 0


def effects(ctx: Context, entry_id: int, ids: Sequence[int]) -> list[AgentEffect]:
    """Return the effects of a journal entry that changed these rows, one for each store whose agent now sees
    other memories. Nothing is returned for what cannot be told. Only reads."""
    if not 0 < len(ids) <= MOST:
        return []
    found = []
    for store in _stores_of(ctx, ids):
        try:
            seen = difference(ctx, store, entry_id)
        except (Refused, OSError):
            continue
        lost, gained = set(seen.lost), set(seen.gained)
        if not lost and not gained:
            continue
        own = set(ids)
        ours = {ref for ref, memory in seen.memories.items() if memory.id in own}
        counts = (len(lost & ours), len(gained & ours), len(lost - ours), len(gained - ours))
        found.append(AgentEffect(seen.title, *counts))
    return found


def _stores_of(ctx: Context, ids: Sequence[int]) -> list[store_rows.StoreRow]:
    """Return the stores of these rows whose agents are given something when a session starts."""
    marks = ", ".join("?" * len(ids))
    wanted = {
        row[0] for row in ctx.db.rows(f"SELECT store_id FROM memories WHERE id IN ({marks})", tuple(ids))
    }
    return [
        store
        for id, store in store_rows.by_id(ctx.db).items()
        if id in wanted and store.format != NATIVE and registry.by_name(store.format).clients
    ]
