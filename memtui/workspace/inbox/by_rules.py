"""Memories that a rule sends to the Inbox (S-52, S-60)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from memtui.memory.inbox.items import RULE, InboxItem
from memtui.memory.secrets.masking import hidden
from memtui.workspace.inbox.waiting import AWAKE, SUSPECT, among, shown_label

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_FOUND = (
    "SELECT m.id, m.uid, s.name, m.title, m.subject, substr(m.content, 1, 300), "
    f"coalesce(m.created_at, m.seen_at), h.rule, {SUSPECT} FROM rule_settings h "
    "JOIN memories m ON m.id = h.memory_id JOIN stores s ON s.id = m.store_id "
    f"WHERE h.action = 'inbox' AND m.live = 1 AND {AWAKE}"
)


def items(ctx: Context, now: float, only: Collection[int] | None) -> Iterator[InboxItem]:
    """Yield the items; with `only`, of these memories. Confirming or dismissing one deals with it."""
    narrowed, ids = among(only)
    for id, uid, store, title, subject, content, since, rule, suspect in ctx.db.rows(
        _FOUND + narrowed, (now, *ids)
    ):
        label = shown_label(title, subject, content, suspect=bool(suspect))
        yield InboxItem(RULE, store, label, "rule", since, id, uids=(uid,), data={"rule": hidden(rule)})
