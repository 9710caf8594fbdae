"""Memories that hold a secret (S-52, S-62)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from memtui.memory.inbox.items import SECRET, InboxItem
from memtui.workspace.inbox.waiting import AWAKE, among, shown_label
from memtui.workspace.secrets import sweep

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_FOUND = (
    "SELECT m.id, m.uid, s.name, m.title, m.subject, substr(m.content, 1, 2000), x.kinds, x.found_at, "
    f"q.memory_id, {', '.join(f'm.{name}' for name in sweep.TEXTS)} "
    "FROM secrets x JOIN memories m ON m.id = x.memory_id JOIN stores s ON s.id = m.store_id "
    "LEFT JOIN secret_queue q ON q.memory_id = m.id "
    f"WHERE m.removed_at IS NULL AND m.shown = 1 AND {AWAKE}"
)


def items(ctx: Context, now: float, only: Collection[int] | None) -> Iterator[InboxItem]:
    """Yield the items; with `only`, of these memories. What changed since the sweep is judged as it is
    now."""
    narrowed, ids = among(only)
    for id, uid, store, title, subject, content, kinds, at, queued, *texts in ctx.db.rows(
        _FOUND + narrowed, (now, *ids)
    ):
        if found := json.loads(kinds) if queued is None else list(sweep.kinds_of(texts)):
            label = shown_label(title, subject, content, suspect=True)
            data = {"kinds": found}
            yield InboxItem(SECRET, store, label, "secret", at, id, uids=(uid,), count=len(found), data=data)
