"""Memories that wait for a person: pending ones one by one, candidates as one line a store (S-52)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from memtui.memory.inbox.items import CANDIDATES, PENDING, InboxItem
from memtui.memory.memory import raw_label_of, uncut
from memtui.memory.secrets.masking import masked_deep
from memtui.values import SqlValue

if TYPE_CHECKING:
    from memtui.workspace.context import Context

AWAKE = "(m.snoozed_until IS NULL OR m.snoozed_until <= ?)"
# Whether a memory may have a secret.
SUSPECT = "m.id IN (SELECT memory_id FROM secrets) OR m.id IN (SELECT memory_id FROM secret_queue)"
NAMED = (
    "SELECT m.id, m.uid, s.name, m.title, m.subject, substr(m.content, 1, 300), "
    "coalesce(m.created_at, m.seen_at), m.confidence, "
    f"{SUSPECT} FROM memories m JOIN stores s ON s.id = m.store_id "
)
_COUNTED = (
    "SELECT s.name, count(*), min(coalesce(m.created_at, m.seen_at)) FROM memories m "
    f"JOIN stores s ON s.id = m.store_id WHERE m.live = 1 AND m.status = 'candidate' AND {AWAKE} "
    "GROUP BY s.id"
)


def items(ctx: Context, now: float, only: Collection[int] | None) -> Iterator[InboxItem]:
    """Yield the items; with `only`, of memories just those of these."""
    yield from _memories(ctx, "pending", "", now, only)
    for store, count, since in ctx.db.rows(_COUNTED, (now,)):
        yield InboxItem(CANDIDATES, store, "", "candidates", since, count=count)


def candidates(ctx: Context, store: str, now: float, only: Collection[int] | None) -> list[InboxItem]:
    """Return the candidates of a store one by one."""
    return list(_memories(ctx, "candidate", store, now, only))


def among(only: Collection[int] | None) -> tuple[str, list[SqlValue]]:
    """Return SQL that narrows memories `m` to these, and its value; nothing for all."""
    if only is None:
        return "", []
    return " AND m.id IN (SELECT value FROM json_each(?))", [json.dumps(list(only))]


def shown_label(title: str | None, subject: str | None, content: str, *, suspect: bool) -> str:
    """Return the label of a memory without secrets; `suspect` if its texts may have one."""
    if suspect:
        title, subject, content = masked_deep((title, subject, uncut(content)))
    return raw_label_of(title, subject, content)


def _memories(
    ctx: Context, status: str, store: str, now: float, only: Collection[int] | None
) -> Iterator[InboxItem]:
    narrowed, ids = among(only)
    where = f"WHERE m.live = 1 AND m.status = ? AND {AWAKE} AND (? = '' OR s.name = ?){narrowed}"
    for id, uid, name, title, subject, content, since, confidence, suspect in ctx.db.rows(
        NAMED + where, (status, now, store, store, *ids)
    ):
        kind = PENDING if status == "pending" else CANDIDATES
        label = shown_label(title, subject, content, suspect=bool(suspect))
        data = {"confidence": confidence}
        yield InboxItem(kind, name, label, status, since, id, uids=(uid,), data=data)
