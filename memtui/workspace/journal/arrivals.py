"""What came from agents: since the user last marked their changes as seen, and since any entry (S-5, S-53).

The first reading of a store is no news: it is not journaled.
"""

from __future__ import annotations

from memtui.memory.journal import CAME, CHANGED, Arrivals
from memtui.workspace.context import Context
from memtui.workspace.journal.entries import BY_OTHERS
from memtui.workspace.journal.items import IN_STORE

SEEN = "journal"  # the checkpoint of the newest entry that the user marked as seen
AGENTS = "(j.actor GLOB 'sync:*' OR j.actor GLOB 'agent:*')"

_CAME = f"json_type(i.fields, '$.{IN_STORE}') IS NOT NULL"
NEW = (
    "SELECT i.memory_id FROM journal j JOIN journal_items i ON i.journal_id = j.id "
    f"WHERE j.id > coalesce((SELECT entry_id FROM checkpoints WHERE name = '{SEEN}'), 0) "
    f"AND {AGENTS} AND (j.kind = 'added' OR {_CAME})"
)
"""SQL for the memories that agents added since the user last marked their changes as seen."""

_NEWEST = "SELECT max(id) FROM journal"
_PULLED = (
    f"SELECT i.memory_id, max(coalesce({_CAME}, 0)) FROM journal j "
    "JOIN journal_items i ON i.journal_id = j.id JOIN memories m ON m.id = i.memory_id "
    f"WHERE j.id > ? AND j.id <= ? AND j.kind IN {BY_OTHERS} AND m.removed_at IS NULL GROUP BY 1"
)


def arrivals(ctx: Context, after: int | None) -> Arrivals:
    """Return what was pulled after a journal entry; nothing for None, only the newest entry."""
    newest = ctx.db.one(_NEWEST) or 0
    if after is None:
        return Arrivals(upto=newest)
    found = ctx.db.rows(_PULLED, (after, newest))
    return Arrivals({id: CAME if came else CHANGED for id, came in found}, newest)
