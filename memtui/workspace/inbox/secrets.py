"""Memories that hold a secret (S-52, S-62)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memtui.memory.inbox.items import SECRET, InboxItem
from memtui.memory.memory import label_of
from memtui.workspace.inbox.waiting import AWAKE
from memtui.workspace.secrets import sweep

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_FOUND = (
    "SELECT m.id, m.uid, s.name, m.title, m.subject, substr(m.content, 1, 300), x.kinds, x.found_at "
    "FROM secrets x JOIN memories m ON m.id = x.memory_id JOIN stores s ON s.id = m.store_id "
    f"WHERE m.removed_at IS NULL AND m.shown = 1 AND {AWAKE}"
)
_CHANGED = (
    f"SELECT m.id, {', '.join(f'm.{name}' for name in sweep.TEXTS)} FROM secrets x "
    "JOIN secret_queue q ON q.memory_id = x.memory_id JOIN memories m ON m.id = x.memory_id"
)


def items(ctx: Context, now: float) -> Iterator[InboxItem]:
    """Yield the items. What changed since the sweep is judged as it is now."""
    changed = {id: list(sweep.kinds_of(texts)) for id, *texts in ctx.db.rows(_CHANGED)}
    for id, uid, store, title, subject, content, kinds, at in ctx.db.rows(_FOUND, (now,)):
        if found := changed[id] if id in changed else json.loads(kinds):
            label, data = label_of(title, subject, content), {"kinds": found}
            yield InboxItem(SECRET, store, label, "secret", at, id, uids=(uid,), count=len(found), data=data)
