"""Contradictions that are found, for the rules that settle them (S-60)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

_QUEUE = (
    "INSERT INTO rule_queue (memory_id) SELECT DISTINCT value FROM json_each(?) "
    "WHERE EXISTS (SELECT 1 FROM rules r, json_each(r.actions) d WHERE r.is_on = 1 "
    "AND d.value LIKE 'settle=%') ON CONFLICT (memory_id) DO UPDATE SET turn = turn + 1"
)


def queue(db: Database, pairs: Iterable[tuple[int, int]]) -> None:
    """Have rules look at the memories of these contradictions, within the caller's transaction: no memory
    changes when one is found."""
    ids = [id for pair in pairs for id in pair]
    if ids:
        db.run(_QUEUE, (json.dumps(ids),))
