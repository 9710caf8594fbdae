"""Which memories hold a secret, as SQL and as a list (S-62)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.workspace.context import Context

# Those that may have a secret, as the sweep found them; it has yet to search those in its queue.
SUSPECT = "({0} IN (SELECT memory_id FROM secrets) OR {0} IN (SELECT memory_id FROM secret_queue))"
_LISTED = (
    "SELECT m.id, m.uid, s.name, x.kinds, x.found_at FROM secrets x JOIN memories m ON m.id = x.memory_id "
    "JOIN stores s ON s.id = m.store_id WHERE m.removed_at IS NULL AND m.shown = 1 ORDER BY x.found_at, m.id"
)


@dataclass(frozen=True, slots=True)
class MemoryWithSecrets:
    """A memory with the kind of each of its secrets; `found_at` in Unix seconds."""

    id: int
    uid: str
    store: str
    kinds: tuple[str, ...]
    found_at: float


def listed(ctx: Context) -> Iterator[MemoryWithSecrets]:
    """Yield the memories that are in their stores and hold a secret, the longest known first."""
    for id, uid, store, kinds, at in ctx.db.rows(_LISTED):
        yield MemoryWithSecrets(id, uid, store, tuple(json.loads(kinds)), at)
