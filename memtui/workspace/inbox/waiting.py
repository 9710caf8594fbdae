"""Memories that wait for a person: pending ones one by one, candidates as one line a store (S-52)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memtui.memory.inbox.items import CANDIDATES, PENDING, InboxItem
from memtui.memory.memory import label_of, raw_label_of
from memtui.workspace.secrets.found import SUSPECT

if TYPE_CHECKING:
    from memtui.workspace.context import Context

AWAKE = "(m.snoozed_until IS NULL OR m.snoozed_until <= ?)"
NAMED = (
    f"SELECT m.id, m.uid, s.name, {SUSPECT.format('m.id')}, m.title, m.subject, substr(m.content, 1, 300), "
    "coalesce(m.created_at, m.seen_at), m.confidence FROM memories m JOIN stores s ON s.id = m.store_id "
)
_COUNTED = (
    "SELECT s.name, count(*), min(coalesce(m.created_at, m.seen_at)) FROM memories m "
    f"JOIN stores s ON s.id = m.store_id WHERE m.live = 1 AND m.status = 'candidate' AND {AWAKE} "
    "GROUP BY s.id"
)


def shown_label(title: str | None, subject: str | None, content: str, *, suspect: bool) -> str:
    """Return the label of a memory without secrets; only what may have one is searched, since there may be
    100,000 memories."""
    return (label_of if suspect else raw_label_of)(title, subject, content)


def items(ctx: Context, now: float) -> Iterator[InboxItem]:
    """Yield the items."""
    yield from _memories(ctx, "pending", "", now)
    for store, count, since in ctx.db.rows(_COUNTED, (now,)):
        yield InboxItem(CANDIDATES, store, "", "candidates", since, count=count)


def candidates(ctx: Context, store: str, now: float) -> list[InboxItem]:
    """Return the candidates of a store one by one."""
    return list(_memories(ctx, "candidate", store, now))


def _memories(ctx: Context, status: str, store: str, now: float) -> Iterator[InboxItem]:
    where = f"WHERE m.live = 1 AND m.status = ? AND {AWAKE} AND (? = '' OR s.name = ?)"
    for id, uid, name, suspect, *texts, since, confidence in ctx.db.rows(
        NAMED + where, (status, now, store, store)
    ):
        kind = PENDING if status == "pending" else CANDIDATES
        data = {"confidence": confidence}
        yield InboxItem(
            kind, name, shown_label(*texts, suspect=suspect), status, since, id, uids=(uid,), data=data
        )
