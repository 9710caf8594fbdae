"""Memories that hold a secret (S-52, S-62)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memtui.memory.inbox import SECRET, InboxItem
from memtui.memory.memory import label_of
from memtui.memory.secrets import masked
from memtui.workspace.inbox.waiting import AWAKE

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_FOUND = (
    "SELECT m.id, m.uid, s.name, m.title, m.subject, substr(m.content, 1, 2000), x.kinds, x.found_at "
    "FROM secrets x JOIN memories m ON m.id = x.memory_id JOIN stores s ON s.id = m.store_id "
    f"WHERE m.removed_at IS NULL AND m.shown = 1 AND {AWAKE}"
)


def items(ctx: Context, now: float) -> Iterator[InboxItem]:
    """Yield the items; their labels are masked."""
    for id, uid, store, title, subject, content, kinds, at in ctx.db.rows(_FOUND, (now,)):
        label = label_of(masked(title or ""), masked(subject or ""), masked(content))
        found = json.loads(kinds)
        yield InboxItem(
            SECRET, store, label, "secret", at, id, uids=(uid,), count=len(found), data={"kinds": found}
        )
