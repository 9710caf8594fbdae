"""What an agent's write is to the memories that are there: the same key and value, or one that is close."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.workspace.contradictions.incoming import Clash, Incoming
from memtui.workspace.mirror import memory_rows
from memtui.workspace.policies import reading
from memtui.workspace.remember.asked import Asked

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_SAME = (
    "SELECT m.id, m.status FROM memories m WHERE m.store_id = ? AND m.live = 1 AND m.owner = ? "
    f"AND m.content = ? AND {reading.COUNTS_IN} AND (? = '' OR m.key = ?) ORDER BY m.id LIMIT 1"
)


def same(ctx: Context, write: Asked) -> tuple[int, str] | None:
    """Return the agent's own memory that says this already under this key, in this scope and store, with its
    status."""
    key = write.text("key")
    where = (write.store.id, write.agent, write.text("content"), write.scope, key, key)
    found = ctx.db.rows(_SAME, where)
    return (int(found[0][0]), str(found[0][1])) if found else None


def near(ctx: Context, write: Asked) -> Clash | None:
    """Return what it contradicts or nearly repeats, of what the agent may read: both are kept, and Review
    offers to merge them."""
    incoming, hidden = Incoming(ctx), set[int]()
    while clash := incoming.clash(write.fields, hidden):
        if reading.may_read(ctx, write.agent, clash.id):
            return clash
        hidden.add(clash.id)
    return None


def told(ctx: Context, clash: Clash | None) -> tuple[str, str, str]:
    """Return what an agent is told of that: the uid, "contradiction" or "duplicate", and why."""
    if clash is None:
        return "", "", ""
    return memory_rows.load(ctx.db, [clash.id])[0].memory.uid, clash.family, clash.reason
