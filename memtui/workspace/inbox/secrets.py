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
    "SELECT m.id, m.uid, s.name, m.title, m.subject, substr(m.content, 1, 300), x.kinds, x.found_at "
    "FROM secrets x JOIN memories m ON m.id = x.memory_id JOIN stores s ON s.id = m.store_id "
    f"WHERE m.removed_at IS NULL AND m.shown = 1 AND {AWAKE}"
)
_CHANGED = (
    f"SELECT m.id, {', '.join(f'm.{name}' for name in sweep.TEXTS)} FROM secrets x "
    "JOIN secret_queue q ON q.memory_id = x.memory_id JOIN memories m ON m.id = x.memory_id WHERE 1"
)


def items(ctx: Context, now: float, only: Collection[int] | None) -> Iterator[InboxItem]:
    """Yield the items; with `only`, of these memories. What changed since the sweep is judged as it is
    now."""
    narrowed, ids = among(only)
    changed = {id: list(sweep.kinds_of(texts)) for id, *texts in ctx.db.rows(_CHANGED + narrowed, ids)}
    found_now = ctx.db.rows(_FOUND + narrowed, (now, *ids))
    for id, uid, store, title, subject, content, kinds, at in found_now:
        if found := changed[id] if id in changed else json.loads(kinds):
            label = shown_label(title, subject, content, suspect=True)
            data = {"kinds": found}
            yield InboxItem(SECRET, store, label, "secret", at, id, uids=(uid,), count=len(found), data=data)
